# SPDX-License-Identifier: Apache-2.0
"""XXH3-64 of whole byte strings with seed 0, as its specification has it, for strings of nine bytes and more."""
import struct

MASK = (1 << 64) - 1
PRIME32 = (0x9E3779B1, 0x85EBCA77, 0xC2B2AE3D)
PRIME64 = (0x9E3779B185EBCA87, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9, 0x85EBCA77C2B2AE63, 0x27D4EB2F165667C5)
SECRET = bytes.fromhex(
    "b8fe6c3923a44bbe7c01812cf721ad1cded46de9839097db7240a4a4b7b3671fcb79e64eccc0e578825ad07dccff7221b8084674f743248e"
    "e03590e6813a264c3c2852bb91c300cb88d0658b1b532ea371644897a20df94e3819ef46a9deacd8a8fa763fe39c343ff9dcbbc7c70b4f1d"
    "8a51e04bcdb45931c89f7ec9d9787364eac5ac8334d3ebc3c581a0fffa1363eb170ddd51b7f0da49d316552629d4689e2b16be587d47a1fc"
    "8ff8b8d17ad031ce45cb3a8f95160428afd7fbcabb4b407e")
STRIPE, BLOCK = 64, 1024


def word(data, at):
    return int.from_bytes(data[at:at + 8], "little")


def folded(a, b):
    whole = a * b
    return (whole & MASK) ^ (whole >> 64)


def avalanche(h):
    h ^= h >> 37
    h = h * 0x165667919E3779F9 & MASK
    return h ^ h >> 32


def mixed(data, at, key):
    return folded(word(data, at) ^ word(SECRET, key), word(data, at + 8) ^ word(SECRET, key + 8))


def short(data):
    low = word(data, 0) ^ word(SECRET, 24) ^ word(SECRET, 32)
    high = word(data, len(data) - 8) ^ word(SECRET, 40) ^ word(SECRET, 48)
    return avalanche(len(data) + int.from_bytes(low.to_bytes(8, "little"), "big") + high + folded(low, high) & MASK)


def medium(data):
    total = len(data) * PRIME64[0]
    if len(data) <= 128:
        for i in range((len(data) - 1) // 32 + 1):
            total += mixed(data, 16 * i, 32 * i) + mixed(data, len(data) - 16 * (i + 1), 32 * i + 16)
        return avalanche(total & MASK)
    total = avalanche(total + sum(mixed(data, 16 * i, 16 * i) for i in range(8)) & MASK)
    total += sum(mixed(data, 16 * i, 16 * (i - 8) + 3) for i in range(8, len(data) // 16))
    return avalanche(total + mixed(data, len(data) - 16, 136 - 17) & MASK)


def long(data):
    lanes = [PRIME32[2], *PRIME64[:4], PRIME32[1], PRIME64[4], PRIME32[0]]
    keys = [struct.unpack_from("<8Q", SECRET, at) for at in range(0, 136, 8)]

    def take(at, key):
        for i, value in enumerate(struct.unpack_from("<8Q", data, at)):
            secret = value ^ key[i]
            lanes[i ^ 1] += value
            lanes[i] += (secret & 0xFFFFFFFF) * (secret >> 32)

    for stripe in range((len(data) - 1) // STRIPE):
        within = stripe % (BLOCK // STRIPE)
        take(STRIPE * stripe, keys[within])
        if within == BLOCK // STRIPE - 1:
            for i, lane in enumerate(lanes):
                lane &= MASK
                lanes[i] = (lane ^ lane >> 47 ^ keys[16][i]) * PRIME32[0] & MASK
    take(len(data) - STRIPE, struct.unpack_from("<8Q", SECRET, 192 - STRIPE - 7))
    total = len(data) * PRIME64[0]
    for i in range(0, 8, 2):
        total += folded(lanes[i] & MASK ^ word(SECRET, 11 + 8 * i), lanes[i + 1] & MASK ^ word(SECRET, 19 + 8 * i))
    return avalanche(total & MASK)


def xxh3_64(data):
    assert len(data) >= 9
    return short(data) if len(data) <= 16 else medium(data) if len(data) <= 240 else long(data)
