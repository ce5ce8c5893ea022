// expect: verified
// The producer fills a slot, then publishes it.
#include "ring-test.h"
