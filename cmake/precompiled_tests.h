// For the tests: what precompiled.h has, and GoogleTest.
#include <gtest/gtest.h>

#include "precompiled.h"
