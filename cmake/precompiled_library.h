// SPDX-License-Identifier: Apache-2.0
// What nearly every source includes from outside the project, parsed once. No header of ours: a change of one must not
// rebuild everything. Sources still include what they use; a test compiles every public header without this.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <glm/glm.hpp>
#include <glm/gtc/quaternion.hpp>
#include <limits>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <utility>
#include <vector>
