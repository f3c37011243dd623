// SPDX-License-Identifier: Apache-2.0
#pragma once
// Values that live as long as bytes do: what views look into grows by them and stays where it is.

#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "throng/base/bytes.h"

namespace throng {

// `bytes`, and every copy that is made of it from now on, keeps `owned` alive too. It shows what it showed. Returns
// where `owned` lies.
template <class T>
const T& keep(SharedBytes& bytes, T owned) {
  const auto both = std::make_shared<const std::pair<SharedBytes, T>>(bytes, std::move(owned));
  bytes = SharedBytes(both, both->first.span());
  return both->second;
}

}  // namespace throng
