#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""docs/make_reference.py on small headers: what the page shows, and what --check refuses.

reference_test.py PROJECT
"""
import pathlib
import re
import sys
import unittest

HEADER = '''// SPDX-License-Identifier: Apache-2.0
#pragma once
// A kettle boils water. It never whistles.

#include <functional>

namespace throng {

namespace detail::kettle {
struct Hidden;
}

// How it boils.
struct KettleSettings {
  double degrees = 100.0;  // Celsius
  std::function<void(int)> on_boil = {};

  // Whether anybody would drink it.
  bool is_hot(double least = 60.0, int cups = 1) const { return degrees >= least && cups > 0; }
};

enum class Fill : std::uint8_t { empty, full };  // how much is in it

// The most that fits.
inline constexpr int kMostCups = 8;

class Kettle {
 public:
  Kettle() = default;
  // On a stove.
  explicit Kettle(int stove, const KettleSettings& settings = {.degrees = 95.0});
  Kettle(const Kettle&) = delete;
  Kettle& operator=(const Kettle&) = delete;
  ~Kettle();

  // Heats it for a while.
  Result<void> heat(double seconds = 0.5,
                    std::function<void()> tell = {});
  Result<void> heat(int minutes);
  [[nodiscard]] Fill fill() const { return fill_; }  // what is left

 private:
  Kettle(int stove, int secret);
  Fill fill_ = Fill::empty;
};

}  // namespace throng
'''


class Page(unittest.TestCase):
    def setUp(self):
        self.page = reference.page_of({"throng/kettle.h": HEADER})

    def rows(self):
        """{signature: words} of the page, words on the same line or below."""
        found = re.findall(r"^ *- `([^`]+)`(?::\s+([^\n]*))?", self.page, re.M)
        return {code: words for code, words in found}

    def test_signatures_are_the_headers(self):
        rows = self.rows()
        self.assertEqual(rows["Result<void> heat(double seconds = 0.5, std::function<void()> tell = {})"],
                         "Heats it for a while.")
        self.assertEqual(rows["bool is_hot(double least = 60.0, int cups = 1) const"], "Whether anybody would drink it.")
        self.assertEqual(rows["Fill fill() const"], "What is left.")
        self.assertEqual(rows["constexpr int kMostCups = 8"], "The most that fits.")

    def test_constructors_are_there_unless_private_or_deleted(self):
        constructors = [code for code in self.rows() if re.match(r"(explicit )?Kettle\(", code)]
        self.assertEqual(constructors,
                         ["Kettle()", "explicit Kettle(int stove, const KettleSettings& settings = {.degrees = 95.0})"])

    def test_fields_have_type_default_and_unit(self):
        self.assertIn("  double degrees = 100.0;  // Celsius\n", self.page)
        self.assertIn("  std::function<void(int)> on_boil = {};\n", self.page)
        self.assertNotIn("fill_", self.page)

    def test_a_class_is_what_its_header_is_about(self):
        self.assertEqual(self.rows()["class Kettle"], "A kettle boils water.")

    def test_another_form_of_a_function_shares_its_words(self):
        self.assertEqual(self.rows()["Result<void> heat(int minutes)"], "Heats it for a while.")

    def test_enumerators_are_listed(self):
        self.assertIn("  empty, full\n", self.page)


class Check(unittest.TestCase):
    def wrong(self, header=HEADER, page=None):
        return reference.check({"throng/kettle.h": header},
                               reference.page_of({"throng/kettle.h": header}) if page is None else page)

    def test_a_good_header_and_its_page_pass(self):
        self.assertEqual(self.wrong(), [])

    def test_a_name_without_a_sentence_fails(self):
        for words, name in (("  // Heats it for a while.\n", "Kettle::heat"), ("  // On a stove.\n", "Kettle::Kettle"),
                            ("// How it boils.\n", "KettleSettings"), ("// The most that fits.\n", "kMostCups"),
                            ("  // how much is in it", "Fill")):
            with self.subTest(name=name):
                wrong = self.wrong(HEADER.replace(words, "" if words.startswith("  //") and "\n" not in words else "\n"))
                self.assertTrue(any(f"{name} has no sentence" in line for line in wrong), wrong)

    def test_what_changed_since_the_page_was_written_fails(self):
        page = reference.page_of({"throng/kettle.h": HEADER})
        for old, new in (("seconds = 0.5", "seconds.5"), ("degrees = 100.0", "degrees"), ("  - `Kettle()`\n", "")):
            with self.subTest(old=old):
                self.assertIn(old, page)
                self.assertTrue(any("does not say what the header says" in line
                                    for line in self.wrong(page=page.replace(old, new))))
        self.assertTrue(any("no header throng/pot.h" in line for line in self.wrong(page=page + "## throng/pot.h\n\n")))

    def broken(self, name, function):
        """What check() says when a function of the generator is another one."""
        whole = getattr(reference, name)
        setattr(reference, name, function(whole))
        try:
            return self.wrong()
        finally:
            setattr(reference, name, whole)

    def test_a_generator_that_mangles_signatures_is_found_out(self):
        def cut(whole):
            def signature_of(statement):
                found = whole(statement)
                return found and (found[0], re.sub(r" = [\d.]+", "", found[1]))
            return signature_of

        def shorten(whole):
            def signature_of(statement):
                found = whole(statement)
                return found and (found[0], found[1].split(",")[0])
            return signature_of

        for mangle in (cut, shorten):
            wrong = self.broken("signature_of", mangle)
            self.assertTrue(any("is not what the header declares" in line for line in wrong), wrong)

    def test_a_generator_that_forgets_constructors_is_found_out(self):
        wrong = self.broken("copies_or_moves", lambda _: lambda name, signature: f"{name}(" in signature)
        self.assertTrue(any("a constructor of Kettle is missing" in line for line in wrong), wrong)


if __name__ == "__main__":
    project = pathlib.Path(sys.argv.pop(1))
    sys.path.insert(0, str(project / "docs"))
    import make_reference as reference
    unittest.main(verbosity=0)
