/* SPDX-License-Identifier: MIT */
/* Broken DCD, XTC and TRR files: an error in one sentence, or the frames before the damage and a warning. */
#include <string.h>

#include "data/files/error.h"
#include "data/trajectory/trajectory.h"
#include "tests/support/shared.h"

typedef struct {
  const char *file;
  gsize n_frames; /* 0: opening is an error */
  gboolean has_warning;
  const char *contains; /* of the error or of one of the warnings */
} Case;

static const Case cases[] = {
    {"dcd_cut_midframe.dcd", 12, TRUE, "frame 12: the file ends inside it"},
    {"dcd_cut_after_cell.dcd", 12, TRUE, "frame 12: the file ends inside it"},
    {"dcd_cut_in_header.dcd", 0, FALSE, "title"},
    {"dcd_natoms_wrong.dcd", 0, FALSE, "expected a record of 1184 bytes, found one of 1188"},
    {"dcd_natoms_huge.dcd", 0, FALSE, "found 2147483647"},
    {"dcd_natoms_negative.dcd", 0, FALSE, "found -1"},
    {"dcd_nframes_negative.dcd", 3, FALSE, NULL},
    {"dcd_reclen_huge.dcd", 0, FALSE, "x of frame 0"},
    {"dcd_end_marker_mismatch.dcd", 0, FALSE, "end marker"},
    {"dcd_nan_inf.dcd", 3, TRUE, "header announces 100 frames"},
    {"dcd_bad_cell.dcd", 3, TRUE, "frame 0 is the first"},
    {"dcd_garbage_tail.dcd", 3, TRUE, "the 3 frames before it are used"},
    {"dcd_named.xtc", 10, FALSE, NULL},
    {"xtc_cut_midframe.xtc", 5, TRUE, "beyond the end of the file"},
    {"xtc_cut_in_frameheader.xtc", 4, TRUE, "the file ends inside its header"},
    {"xtc_natoms_huge.xtc", 0, FALSE, "2147483647 atoms"},
    {"xtc_natoms_negative.xtc", 0, FALSE, NULL},
    {"xtc_natoms_changes.xtc", 2, TRUE, "frame 2: has 20 atoms"},
    {"xtc_badmagic_frame3.xtc", 3, TRUE, "frame 3: expected the number 1995"},
    {"xtc_precision_bad.xtc", 0, FALSE, "precision"},
    {"xtc_nbytes_huge.xtc", 1, TRUE, "beyond the end of the file"},
    {"xtc_smallidx_bad.xtc", 1, TRUE, "width index"},
    {"xtc_random_payload.xtc", 6, FALSE, NULL},
    {"xtc_minmax_inverted.xtc", 1, TRUE, "above maximum"},
    {"trr_cut_midframe.trr", 3, TRUE, "frame 3: the file ends inside it"},
    {"trr_natoms_huge.trr", 0, FALSE, "2147483647 atoms"},
    {"trr_nan.trr", 3, FALSE, NULL},
    {"empty.dcd", 0, FALSE, "empty"},
    {"empty.xtc", 0, FALSE, "empty"},
    {"empty.trr", 0, FALSE, "empty"},
};

static DebyeTrajectory *
open_broken(const char *file, GError **error)
{
  g_autofree char *path = debye_shared_build_path("data", "broken", file, NULL);
  return debye_trajectory_open((const char *[]){path, NULL}, NULL, NULL, NULL, error);
}

static gboolean
some_contains(const char *const *texts, const char *part)
{
  for (; *texts; texts++)
    if (strstr(*texts, part))
      return TRUE;
  return FALSE;
}

/* All frames can be read, except where the file's bits are noise: there, an error is as good. */
static void
read_all(DebyeTrajectory *trajectory, gboolean may_fail)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(DebyeTrajectoryReader) reader = debye_trajectory_reader_new(trajectory, &error);
  g_autoptr(DebyeFrame) frame = debye_frame_new(debye_trajectory_get_n_atoms(trajectory));
  for (gsize k = 0; k < debye_trajectory_get_n_frames(trajectory); k++) {
    debye_trajectory_reader_read(reader, k, frame, &error);
    if (may_fail)
      g_clear_error(&error);
    g_assert_no_error(error);
  }
}

static void
check_case(gconstpointer data)
{
  const Case *c = data;
  g_autoptr(GError) error = NULL;
  g_autoptr(DebyeTrajectory) trajectory = open_broken(c->file, &error);
  if (c->n_frames == 0) {
    g_assert_null(trajectory);
    g_assert_nonnull(error);
    g_assert_true(g_str_has_prefix(error->message, c->file));
    g_assert_null(strchr(error->message, '\n'));
    if (c->contains && !strstr(error->message, c->contains))
      g_error("expected “%s” in “%s”", c->contains, error->message);
    return;
  }
  g_assert_no_error(error);
  g_assert_cmpuint(debye_trajectory_get_n_frames(trajectory), ==, c->n_frames);
  const char *const *warnings = debye_trajectory_get_warnings(trajectory);
  g_assert_cmpint(warnings[0] != NULL, ==, c->has_warning);
  if (c->contains)
    g_assert_true(some_contains(warnings, c->contains));
  read_all(trajectory, strcmp(c->file, "xtc_random_payload.xtc") == 0);
}

/* A number that is none is named by the frame, in that frame only. */
static void
check_bad_numbers(const char *file, gsize n_bad)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(DebyeTrajectory) trajectory = open_broken(file, &error);
  g_assert_no_error(error);
  g_autoptr(DebyeTrajectoryReader) reader = debye_trajectory_reader_new(trajectory, &error);
  g_autoptr(DebyeFrame) frame = debye_frame_new(debye_trajectory_get_n_atoms(trajectory));
  DebyeVec3 low, high;
  for (gsize k = 0; k < 3; k++) {
    debye_trajectory_reader_read(reader, k, frame, &error);
    g_assert_no_error(error);
    g_assert_cmpuint(frame->n_bad, ==, k == 1 ? n_bad : 0);
    g_assert_true(debye_frame_get_bounds(frame, NULL, 0, &low, &high));
    g_assert_true(isfinite(low.x) && isfinite(high.x));
    if (k != 1)
      continue;
    gsize i = frame->first_bad_atom;
    g_assert_false(isfinite(frame->x[i]) && isfinite(frame->y[i]) && isfinite(frame->z[i]));
  }
}

static void
check_bad_numbers_dcd(void)
{
  check_bad_numbers("dcd_nan_inf.dcd", 2);
}

static void
check_bad_numbers_trr(void)
{
  check_bad_numbers("trr_nan.trr", 1);
}

/* The frame whose cell is all zeros has none; the others keep theirs. */
static void
check_bad_cell(void)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(DebyeTrajectory) trajectory = open_broken("dcd_bad_cell.dcd", &error);
  g_autoptr(DebyeTrajectoryReader) reader = debye_trajectory_reader_new(trajectory, &error);
  g_autoptr(DebyeFrame) frame = debye_frame_new(debye_trajectory_get_n_atoms(trajectory));
  for (gsize k = 0; k < 3; k++) {
    debye_trajectory_reader_read(reader, k, frame, &error);
    g_assert_no_error(error);
    g_assert_cmpint(frame->has_cell, ==, k > 0);
  }
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  if (!debye_shared_get_folder())
    return DEBYE_TEST_SKIPPED;
  for (gsize k = 0; k < G_N_ELEMENTS(cases); k++) {
    g_autofree char *name = g_strconcat("/broken/", cases[k].file, NULL);
    g_test_add_data_func(name, &cases[k], check_case);
  }
  g_test_add_func("/broken/numbers/dcd", check_bad_numbers_dcd);
  g_test_add_func("/broken/numbers/trr", check_bad_numbers_trr);
  g_test_add_func("/broken/cell", check_bad_cell);
  return g_test_run();
}
