#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Shows that the run time needs no more than it says: in a Debian that holds a compiler and the run time's packages alone, the
# run time is built, installed, and found by examples/ as components, and they run on Mesa's software driver.
#
#   tests/bare_package.sh FOLDER CHARACTER    as root; FOLDER becomes the Debian, CHARACTER is a baked file that the examples play
set -euo pipefail
root=$1 character=$(realpath "$2")
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# What a game that uses the package needs, what building the package needs besides, and a driver to run on.
use=(g++ cmake ninja-build libfmt-dev libglm-dev libexpected-dev libvulkan-dev)
build=(nlohmann-json3-dev libxxhash-dev libstb-dev libvulkan-volk-dev glslc)
run=(mesa-vulkan-drivers)

[ -d "$root/usr" ] || debootstrap --variant=minbase bookworm "$root"
cp /etc/resolv.conf "$root/etc/"
chroot "$root" apt-get update
chroot "$root" env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "${use[@]}" "${build[@]}" "${run[@]}"

rm -rf "$root/throng"
mkdir "$root/throng"
git ls-files -co --exclude-standard -z | tar --null -T - -c --ignore-failed-read | tar -x -C "$root/throng"
cp "$character" "$root/throng/character.throng.glb"
chroot "$root" sh -exc '
  cmake -S /throng -B /throng/build -G Ninja -DCMAKE_BUILD_TYPE=Release -DTHRONG_OFFLINE=OFF
  cmake --build /throng/build
  cmake --install /throng/build --prefix /throng/prefix'
# From here on without what only the build needed.
chroot "$root" env DEBIAN_FRONTEND=noninteractive apt-get purge -y "${build[@]}"
chroot "$root" sh -exc '
  cmake -S /throng/examples -B /throng/examples/build -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_PREFIX_PATH=/throng/prefix \
    -DCHARACTER=/throng/character.throng.glb
  cmake --build /throng/examples/build
  ctest --test-dir /throng/examples/build --output-on-failure --no-tests=error'
