# SPDX-License-Identifier: Apache-2.0
# cmake -DSOURCE=... -DOUTPUT=... -DCOMPILER=... -DRAGDOLL=... -P: writes what `throng --version` says of the build, and
# leaves a file that says the same already, so that nothing is compiled again.
set(commit "")
if(EXISTS ${SOURCE}/.git)
  find_program(git git)
  if(git)
    execute_process(COMMAND ${git} -C ${SOURCE} describe --always --dirty --abbrev=10 --exclude=*
      OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  endif()
endif()
set(ragdoll false)
if(RAGDOLL)
  set(ragdoll true)
endif()
file(CONFIGURE OUTPUT ${OUTPUT} CONTENT "// Written by cmake/write_build_facts.cmake.
#include \"version.h\"

namespace build_facts {
const char* const kCommit = \"${commit}\";
const char* const kCompiler = \"${COMPILER}\";
const bool kHasRagdolls = ${ragdoll};
}  // namespace build_facts
" @ONLY)
