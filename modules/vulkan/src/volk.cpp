// volk's own code, compiled once: it finds the loader and fills device tables. Nothing of it is used through its global
// functions.
#define VOLK_IMPLEMENTATION
#include <volk.h>
