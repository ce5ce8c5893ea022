// expect: bug assertion
// The producer publishes a slot before it has filled it.
#define PUBLISH_EARLY
#include "ring-test.h"
