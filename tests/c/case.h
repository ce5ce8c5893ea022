/*
 * The number of arguments chooses the case: to compile a program once per case would take most of a test run. It is
 * kept and read where no accesses are logged, so that it adds no step to any case.
 */
#undef no_sanitize
#define UNSEEN __attribute__((no_sanitize("thread"), unused))

static int case_number;

UNSEEN static void choose_case(int argc, char **argv) {
  (void)argv;
  case_number = argc - 1;
}
UNSEEN static int chosen_case(void) { return case_number; }

#define CASE chosen_case()
