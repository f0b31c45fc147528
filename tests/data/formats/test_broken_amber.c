/* SPDX-License-Identifier: MIT */
/* Broken AMBER and NetCDF files: an error in one sentence, or what is whole in them and a warning. */
#include <string.h>

#include "data/trajectory/dataset.h"
#include "data/files/error.h"
#include "tests/support/temporary.h"
#include "tests/support/shared.h"

typedef struct {
  const char *file;
  const char *topology; /* NULL: opened alone */
  gsize n_frames;       /* 0: opening is an error, unless `n_atoms` says that there is a topology */
  gsize n_atoms;
  const char *contains; /* of the error or of a warning; NULL: there is none */
} Case;

static const Case cases[] = {
    {"nc_cut.nc", NULL, 7, 22, "the header announces 10 frames, the file has 7"},
    {"nc_cut_header.nc", NULL, 0, 0, "bytes left"},
    {"nc_numrecs_streaming.nc", NULL, 10, 22, NULL},
    {"nc_numrecs_huge.nc", NULL, 10, 22, "the header announces 1000000 frames, the file has 10"},
    {"WMI_Lear.nc", NULL, 0, 0, "the variable “coordinates”"},
    {"empty.nc", NULL, 0, 0, "empty"},
    {"prmtop_cut.parm7", NULL, 0, 0, "AMBER_ATOM_TYPE, BONDS_INC_HYDROGEN, BONDS_WITHOUT_HYDROGEN"},
    {"prmtop_natom_huge.parm7", NULL, 0, 0, "found 99999999"},
    {"prmtop_natom_plus1.parm7", NULL, 0, 0, "value 7 of 7 in CHARGE"},
    {"prmtop_crlf.parm7", NULL, 0, 6, NULL},
    {"ace_mbondi3.error1.parm7", NULL, 0, 0, "no known format"},
    /* Lines that begin with % between the format and the values are comments, whatever they say. */
    {"ace_mbondi3.error4.parm7", NULL, 0, 6, NULL},
    {"ace_mbondi3.negative.parm7", NULL, 0, 6, NULL},
    {"empty.parm7", NULL, 0, 0, "empty"},
    {"rst7_cut.rst7", NULL, 0, 0, "the coordinates of 28 atoms"},
    {"rst7_stars.rst7", NULL, 0, 0, "line 4: expected a number, found “**********”"},
    {"empty.rst7", NULL, 0, 0, "empty"},
    /* It has one frame, and that isn't whole. */
    {"mdcrd_cut.mdcrd", "amber/ala3_chamber.parm7", 0, 0, "33 atoms"},
    {"WIN_ache.mdcrd", "amber/ache.prmtop", 11, 252, NULL},
};

/* Not counting what a dataset says about atoms without names. */
static const char *
find_warning(DebyeDataset *dataset)
{
  for (const char *const *text = debye_dataset_get_warnings(dataset); *text != NULL; text++)
    if (strstr(*text, "has coordinates only") == NULL)
      return *text;
  return NULL;
}

static void
check_error(const Case *c, const DebyeDataset *dataset, const GError *error)
{
  g_assert_null(dataset);
  g_assert_nonnull(error);
  g_assert_true(g_str_has_prefix(error->message, c->file));
  g_assert_null(strchr(error->message, '\n'));
  if (strstr(error->message, c->contains) == NULL)
    g_error("expected “%s” in “%s”", c->contains, error->message);
}

static void
read_all(DebyeTrajectory *trajectory)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(DebyeTrajectoryReader) reader = debye_trajectory_reader_new(trajectory, &error);
  g_autoptr(DebyeFrame) frame = debye_frame_new(debye_trajectory_get_n_atoms(trajectory));
  for (gsize k = 0; k < debye_trajectory_get_n_frames(trajectory); k++) {
    debye_trajectory_reader_read(reader, k, frame, &error);
    g_assert_no_error(error);
    g_assert_cmpuint(frame->n_bad, ==, 0);
  }
}

static void
check_case(gconstpointer data)
{
  const Case *c = data;
  g_autoptr(GError) error = NULL;
  g_autofree char *path = debye_shared_build_path("data", "broken", c->file, NULL);
  g_autofree char *topology = c->topology != NULL ? debye_shared_build_path("data", c->topology, NULL) : NULL;
  g_autoptr(DebyeDataset) dataset =
      debye_dataset_open((const char *[]){path, topology, NULL}, NULL, NULL, &error);
  if (c->n_atoms == 0) {
    check_error(c, dataset, error);
    return;
  }
  g_assert_no_error(error);
  DebyeTrajectory *trajectory = debye_dataset_get_trajectory(dataset);
  const char *warning = find_warning(dataset);
  g_assert_cmpuint(debye_topology_get_n_atoms(debye_dataset_get_topology(dataset)), ==, c->n_atoms);
  g_assert_cmpuint(trajectory != NULL ? debye_trajectory_get_n_frames(trajectory) : 0, ==, c->n_frames);
  g_assert_cmpint(warning != NULL, ==, c->contains != NULL);
  if (warning != NULL && strstr(warning, c->contains) == NULL)
    g_error("expected “%s” in “%s”", c->contains, warning);
  if (trajectory != NULL)
    read_all(trajectory);
}

/* Another line's end, and elements that the file doesn't know: the same atoms. */
static void
check_same_atoms(void)
{
  static const char *const names[] = {"amber/ace_mbondi3.parm7", "broken/prmtop_crlf.parm7",
                                      "broken/ace_mbondi3.negative.parm7"};
  static const guint8 elements[] = {1, 6, 1, 1, 6, 8};
  for (gsize k = 0; k < G_N_ELEMENTS(names); k++) {
    g_autofree char *path = debye_shared_build_path("data", names[k], NULL);
    g_autoptr(DebyeDataset) dataset = debye_dataset_open((const char *[]){path, NULL}, NULL, NULL, NULL);
    g_assert_cmpmem(debye_topology_get_elements(debye_dataset_get_topology(dataset)), 6, elements, 6);
  }
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_autoptr(DebyeTemporaryFolder) cache = debye_temporary_use_cache_folder();
  if (debye_shared_get_folder() == NULL)
    return DEBYE_TEST_SKIPPED;
  for (gsize k = 0; k < G_N_ELEMENTS(cases); k++) {
    g_autofree char *name = g_strconcat("/broken/", cases[k].file, NULL);
    g_test_add_data_func(name, &cases[k], check_case);
  }
  g_test_add_func("/broken/same-atoms", check_same_atoms);
  return g_test_run();
}
