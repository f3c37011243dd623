#pragma once
// What a bake came to: figures, a row for each clip, notes.

#include "core/report_view.h"
#include "ui/desk.h"

namespace throng::studio {

class ReportPanel {
 public:
  void draw(Desk& desk);

 private:
  void follow(const std::shared_ptr<const BakeResult>& result);
  void draw_figures();
  void draw_clips(Desk& desk);
  void draw_notes(Desk& desk);

  std::shared_ptr<const BakeResult> shown_;
  std::vector<Figure> figures_;
  std::vector<ClipRow> rows_;
  std::vector<std::string> notes_;
  std::string warning_;
};

}  // namespace throng::studio
