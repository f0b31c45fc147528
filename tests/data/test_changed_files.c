/* SPDX-License-Identifier: MIT */
/* A trajectory whose file gets another content in its place, as when a run is started again with another
 * system: the index no longer fits. Whoever reads on is told so, and no frame is given that is part of one
 * file and part of the other. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "data/files/error.h"
#include "data/trajectory/trajectory.h"
#include "tests/support/temporary.h"
#include "tests/support/shared.h"

typedef struct {
  const char *file;  /* of the reference data */
  const char *other; /* what it becomes: another of them, or behind "=" the text itself */
  const char *part;  /* of the sentence */
} Case;

#define CHANGED "expected the file that was opened, found it changed since"
#define NOISE "=nothing of that kind\nnothing\nnothing\nnothing\nnothing\nnothing\n"

static const Case cases[] = {
    {"dcd/water.dcd", "dcd/frame0.dcd", CHANGED},
    {"dcd/water.dcd", NOISE, "expected a DCD header: the number 84 and “CORD”"},
    {"amber/tz2.nc", "amber/water.nc", CHANGED},
    {"amber/tz2.nc", NOISE, "expected NetCDF (CDF-1, 2, 5 or HDF5), found none of these"},
    {"amber/crds_vels.rst7", "amber/test.inpcrd", CHANGED},
    {"amber/crds_vels.rst7", "=a title\n",
     "expected a title and the number of atoms, found the end of the file"},
    {"amber/crds_vels.rst7", "=a title\nmany\n", "line 2: expected the number of atoms, found “many”"},
    {"crd/adk_open.coor", NOISE,
     "expected the number of bytes that the number of atoms at the start implies, found "},
    {"tpr/gmx_v2020_d.tpr", "tpr/freevolume.tpr", CHANGED},
    {"tng/frame0.tng", "tng/tng_example.tng", "expected the head of a block, found something else"},
    {"trr/water.trr", "trr/frame0.trr", "frame 0: " CHANGED},
    {"xtc/tip3p_300K_1ATM.xtc", "xtc/frame0.xtc", "frame 0: " CHANGED},
    {"h5/cu.h5md", "h5/mda_test.h5md", CHANGED},
    {"pdb/nmr_neopetrosiamide.pdb", "pdb/ala_ala_ala.pdb", "expected 392 atoms in the model, found 33"},
    {"gro/spc216.gro", "gro/test.gro", "line 2: expected 648 atoms, found 5"},
};

static char *
make_content(const char *text, gsize *n)
{
  if (*text == '=') {
    *n = strlen(text + 1);
    return g_strdup(text + 1);
  }
  char *content;
  g_autoptr(GError) error = NULL;
  g_autofree char *path = debye_shared_build_path("data", text, NULL);
  g_file_get_contents(path, &content, n, &error);
  g_assert_no_error(error);
  return content;
}

/* The same file, not another one of the name. */
static void
overwrite(const char *path, const char *content, gsize n)
{
  FILE *file = fopen(path, "r+b");
  g_assert_nonnull(file);
  g_assert_cmpuint(fwrite(content, 1, n, file), ==, n);
  g_assert_cmpint(ftruncate(fileno(file), (off_t)n), ==, 0);
  fclose(file);
}

static DebyeTrajectoryReader *
open_reader(const char *path, DebyeTrajectory **trajectory)
{
  g_autoptr(GError) error = NULL;
  *trajectory = debye_trajectory_open((const char *[]){path, NULL}, NULL, NULL, NULL, &error);
  g_assert_no_error(error);
  DebyeTrajectoryReader *reader = debye_trajectory_reader_new(*trajectory, &error);
  g_assert_no_error(error);
  return reader;
}

/* Of the error that a frame's reading ends with. */
static void
assert_refused(DebyeTrajectory *trajectory, DebyeTrajectoryReader *reader, gsize frame_number,
               const char *part)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(DebyeFrame) frame = debye_frame_new(debye_trajectory_get_n_atoms(trajectory));
  g_assert_false(debye_trajectory_reader_read(reader, frame_number, frame, &error));
  g_assert_true(error->domain == DEBYE_ERROR);
  g_assert_true(g_str_has_prefix(error->message, "run"));
  g_assert_null(strchr(error->message, '\n'));
  g_test_message("%s", error->message);
  if (strstr(error->message, part) == NULL)
    g_error("expected “%s” in “%s”", part, error->message);
}

static void
check_case(gconstpointer data)
{
  const Case *c = data;
  gsize n, n_other;
  g_autoptr(DebyeTrajectory) trajectory = NULL;
  g_autoptr(DebyeTemporaryFolder) folder = debye_temporary_folder_new();
  g_autofree char *content = make_content(c->file, &n), *other = make_content(c->other, &n_other);
  g_autofree char *name = g_strconcat("run", strrchr(c->file, '.'), NULL);
  g_autofree char *path = debye_temporary_write(folder, name, content, n);
  g_autoptr(DebyeTrajectoryReader) reader = open_reader(path, &trajectory);
  overwrite(path, other, n_other);
  assert_refused(trajectory, reader, 0, c->part);
}

/* Frames that were read already: each of the others is looked at where it stands. */
static void
check_later_frame(void)
{
  gsize n;
  g_autoptr(GError) error = NULL;
  g_autoptr(DebyeTrajectory) trajectory = NULL;
  g_autoptr(DebyeTemporaryFolder) folder = debye_temporary_folder_new();
  g_autofree char *content = make_content("dcd/water.dcd", &n);
  g_autofree char *path = debye_temporary_write(folder, "run.dcd", content, n);
  g_autoptr(DebyeTrajectoryReader) reader = open_reader(path, &trajectory);
  g_autoptr(DebyeFrame) frame = debye_frame_new(debye_trajectory_get_n_atoms(trajectory));
  g_assert_true(debye_trajectory_reader_read(reader, 0, frame, &error));
  memset(content, 1, n);
  overwrite(path, content, n);
  assert_refused(trajectory, reader, 99, "frame 99: expected the record marker 48, found 16843009");
}

/* Another file of the name, of the same content even. */
static void
check_other_file(void)
{
  gsize n;
  g_autoptr(DebyeTrajectory) trajectory = NULL;
  g_autoptr(DebyeTemporaryFolder) folder = debye_temporary_folder_new();
  g_autofree char *content = make_content("dcd/water.dcd", &n);
  g_autofree char *other = debye_temporary_write(folder, "other.dcd", content, n);
  g_autofree char *path = debye_temporary_write(folder, "run.dcd", content, n);
  g_autoptr(DebyeTrajectoryReader) first = open_reader(path, &trajectory);
  g_assert_cmpint(rename(other, path), ==, 0);
  g_autoptr(GError) error = NULL;
  g_autoptr(DebyeTrajectoryReader) reader = debye_trajectory_reader_new(trajectory, &error);
  g_assert_no_error(error);
  assert_refused(trajectory, reader, 0,
                 "run.dcd: expected the file that was opened, found another one in its place");
}

/* What was begun can be stopped while the frames are looked for. */
static gboolean
stop(G_GNUC_UNUSED double fraction, G_GNUC_UNUSED gpointer data)
{
  return FALSE;
}

static void
check_stopped(void)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(DebyeTemporaryFolder) folder = debye_temporary_folder_new();
  g_autoptr(GString) text = g_string_new(NULL);
  for (int k = 0; k < 20000; k++)
    g_string_append(text, "1\n\nC 1 2 3\n");
  g_autofree char *path = debye_temporary_write(folder, "run.xyz", text->str, text->len);
  g_assert_null(debye_trajectory_open((const char *[]){path, NULL}, NULL, stop, NULL, &error));
  g_assert_error(error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

static void
check_no_trajectory(void)
{
  g_autoptr(GError) error = NULL, none = NULL;
  g_autofree char *path = debye_shared_build_path("data", "psf", "parmed_ala3.psf", NULL);
  g_assert_null(debye_trajectory_open((const char *[]){path, NULL}, NULL, NULL, NULL, &none));
  g_assert_error(none, DEBYE_ERROR, DEBYE_ERROR_MISSING);
  g_assert_cmpstr(
      none->message, ==,
      "parmed_ala3.psf: expected coordinates, found CHARMM and NAMD structure (PSF), which has none");
  g_assert_null(debye_trajectory_open((const char *[]){NULL}, NULL, NULL, NULL, &error));
  g_assert_error(error, DEBYE_ERROR, DEBYE_ERROR_MISSING);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  if (!debye_shared_get_folder())
    return DEBYE_TEST_SKIPPED;
  for (gsize k = 0; k < G_N_ELEMENTS(cases); k++) {
    g_autofree char *name = g_strdup_printf("/changed/%zu/%s", k, cases[k].file);
    g_test_add_data_func(name, &cases[k], check_case);
  }
  g_test_add_func("/changed/later-frame", check_later_frame);
  g_test_add_func("/changed/other-file", check_other_file);
  g_test_add_func("/changed/stopped", check_stopped);
  g_test_add_func("/changed/no-trajectory", check_no_trajectory);
  return g_test_run();
}
