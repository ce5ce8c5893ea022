import type { Artifact } from './artifact.js'
import { transparent } from './provided-calls.js'
import { REPLACEMENT_PREFIX } from './rewrite/instrument.js'

/**
 * Functions of libc that touch no memory of the program, or none that two threads could share: numbers in and out, or
 * tables of libc that are never written. What `runtime/*.c` logs need not be listed: the module has it as a replacement.
 */
const quiet = new Set<string>([
  ...transparent,
  ...'abs labs llabs div ldiv lldiv exit _Exit quick_exit getenv strerror strsignal'.split(' '),
  ...'putchar putc fputc fflush fclose fileno flockfile funlockfile rand srand random'.split(' '),
  ...'srandom clock difftime getpid sysconf isatty pthread_equal sched_get_priority_max'.split(' '),
  ...'sched_get_priority_min nan nanf ilogb reach_error'.split(' '),
  ...'isalnum isalpha isblank iscntrl isdigit isgraph islower isprint ispunct isspace isupper isxdigit'.split(
    ' ',
  ),
  ...'tolower toupper toascii isascii towlower towupper iswalpha iswdigit iswspace btowc wctob'.split(' '),
  // Looks at the array through the program's own comparison only.
  'bsearch',
  // Made from others by the compiler or the C++ library, or called for it.
  ...'memcpy memmove memset memory.atomic.wait32 memory.atomic.wait64 memory.atomic.notify'.split(' '),
])

/** Prefixes of what runtimes of languages are called; and numbers, by the names of `<math.h>` and of the compiler. */
const quietNames = [
  /^(pthread_|sem_|thrd_|mtx_|cnd_|tss_|call_once$|faultline_|fl_|__VERIFIER_|__sanitizer_cov_|__wrap_|__cxa_|__tsan_|_Unwind_|__wasm_|_Z|operator )/,
  /^(a?(sin|cos|tan)h?|exp2?|expm1|log(2|10|1p|b)?|sqrt|cbrt|pow|hypot|floor|ceil|round|l?l?round|l?l?rint|trunc|fabs|fmod|fmin|fmax|fdim|fma|atan2|erfc?|tgamma|ldexp|scalbl?n|copysign|nextafter|remainder|nearbyint)[fl]?$/,
  /^__\w+(tf|sf|df|si|di|ti)[0-9]?$/,
  /^__(fpclassify|signbit|isnan|isinf)/,
]

/**
 * Most of the C++ library is compiled with the program. Of what the library has compiled itself, these touch nothing that
 * threads could share but what is logged: because they are operations of their own, deal in numbers, guard what they touch
 * with a mutex that shows, or make exceptions. Streams log what they print.
 */
const quietInCxx = [
  /^std::(?:__\d::)?(?:recursive_|shared_)?(?:timed_)?mutex::/,
  /^std::(?:__\d::)?(?:condition_variable(?:_any)?|thread|this_thread|__assoc_sub_state|__sp_mut|__thread_struct|exception_ptr|nested_exception|type_info|error_category|locale|locale::\w+|ios_base|random_device)::/,
  /^std::(?:__\d::)?(?:basic_(?:ostream|ios|streambuf|iostream)|ctype|numpunct|num_put|codecvt)</,
  /^std::(?:__\d::)?chrono::\w+_clock::/,
  /^std::(?:__\d::)?(?:\w*error|\w*exception|bad_\w+|invalid_argument|out_of_range)::~?\w+\((?!.*basic_string)/,
  /^std::(?:__\d::)?__shared(?:_weak)?_count::~/,
  /^std::(?:__\d::)?(?:__throw_\w+|__next_prime|to_string|to_wstring|\w+_category|__get_sp_mut|__get_collation_name|__get_classname|__libcpp_verbose_abort|align|uncaught_exceptions?|current_exception|rethrow_exception|terminate|[gs]et_terminate|[gs]et_new_handler|unexpected|__call_once|__is_posix_terminal|notify_all_at_thread_exit)\(/,
]

/** Functions of libc's own that it calls through pointers: all but these go by names that no program uses. */
const ownPointers =
  /::|^_|^(?:(?:str|wcs)to\w+|swprintf|wrapper_cmp|call|dummy|do_read|(?:w?string|m|cookie)_?read|(?:s[nw]|w?ms|m|cookie)_?(?:write|seek|close))$/

/** A function of a library that may touch memory of the program, and nobody sees it; with the place of one call. */
export interface UnseenCall {
  readonly name: string
  readonly place: string
}

/**
 * What the program calls that may access its memory unseen, by name or, as far as can be told, through a pointer. A guarantee on such a program has to say so: whether those
 * accesses race, or depend on the order of threads, is not known.
 */
export function unseenCalls({ sites, functions }: Artifact): UnseenCall[] {
  const own = new Set(functions.filter(({ user }) => user).flatMap(({ name, symbol }) => [name, symbol]))
  const seen = new Set(
    functions
      .filter(({ symbol }) => symbol.startsWith(REPLACEMENT_PREFIX))
      .map(({ symbol }) => symbol.slice(REPLACEMENT_PREFIX.length)),
  )
  const found = new Map<string, UnseenCall>()
  for (const { kind, callee, file, line } of sites) {
    if (kind !== 'call' || callee === undefined || found.has(callee)) continue
    if (own.has(callee) || seen.has(callee) || !isUnseen(callee)) continue
    found.set(callee, { name: callee, place: file && line ? `${file}:${line}` : '' })
  }
  for (const { name, symbol, pointers, user } of functions) {
    if (user || pointers.length === 0 || found.has(name) || ownPointers.test(name)) continue
    if (!name.startsWith(REPLACEMENT_PREFIX) && !seen.has(symbol) && isUnseen(name))
      found.set(name, { name, place: '' })
  }
  return [...found.values()]
}

function isUnseen(name: string): boolean {
  if (name.includes('::'))
    return /^(?:\w+ )?std::/.test(name) && !quietInCxx.some((pattern) => pattern.test(name))
  return !quiet.has(name) && !quietNames.some((pattern) => pattern.test(name))
}

/** For people. */
export function unseenCaveats(artifact: Artifact): string[] {
  const calls = unseenCalls(artifact)
  if (calls.length === 0) return []
  const names = calls.map(({ name, place }) => (place ? `${name} (${place})` : name))
  return [
    `what ${names.slice(0, 8).join(', ')}${names.length > 8 ? ' and others' : ''} read and write was not seen: ` +
      'if other threads use that memory at the same time, schedules may be missing',
  ]
}
