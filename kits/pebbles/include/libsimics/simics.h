#include <simics.h>
