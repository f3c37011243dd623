#pragma once
// Every promise a BakedModel makes to those who draw it. Writing checks them so that nothing unreadable is written;
// reading checks them because a hash proves that a file is whole, not that its writer was honest.

#include "throng/asset/baked_model.h"

namespace throng {

Result<void> check_baked_model(const BakedModel& model);

}  // namespace throng
