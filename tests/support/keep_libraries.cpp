// SPDX-License-Identifier: Apache-2.0
// Linked into the command line of builds that look for leaks: libraries stay loaded to the end of the program, so that
// a leak of the driver's can be told by the driver's name (lsan.supp). Unloaded, it would have none.
extern "C" int dlclose(void* /*library*/) noexcept;
extern "C" int dlclose(void* /*library*/) noexcept { return 0; }
