// SPDX-License-Identifier: Apache-2.0
#pragma once
// Numbers that tell things apart, each of its own type: a clip's cannot be passed where a socket's belongs.

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>

namespace throng {

// A number of one kind of thing; ids of two kinds cannot be mixed up.
template <class Thing>
struct TypedId {
  std::uint32_t value = 0;

  constexpr TypedId() = default;
  explicit constexpr TypedId(std::uint32_t number) : value(number) {}  // the id of that number
  friend constexpr auto operator<=>(const TypedId&, const TypedId&) = default;
};

using ModelId = TypedId<struct ModelThing>;    // a character among those added to one crowd, cast or renderer
using ClipId = TypedId<struct ClipThing>;      // an index into Character::clips()
using SocketId = TypedId<struct SocketThing>;  // an index into Character::sockets()
using PartId = TypedId<struct PartThing>;      // an index into Character::parts()
using BoneId = TypedId<struct BoneThing>;      // an index into Character::bones()

}  // namespace throng

template <class Thing>
struct std::hash<throng::TypedId<Thing>> {
  std::size_t operator()(const throng::TypedId<Thing>& id) const noexcept { return id.value; }
};
