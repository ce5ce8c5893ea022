#include "signal_pool_test.h"
