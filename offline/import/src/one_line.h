#pragma once
// one_line() is shared by everybody now.

#include "throng/base/text.h"
