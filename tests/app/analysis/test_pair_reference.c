/* SPDX-License-Identifier: MIT */
/* Pair counts of real trajectories against counts made elsewhere in double: NPT water, a skewed cell (also
 * beyond half its width, nearest images), a large box, an open system. The files' coordinates were taken as
 * doubles, ours are floats: pairs within 1e-5 Å of an edge may differ, and how many those are the reference
 * says. */
#include <gio/gio.h>
#include <math.h>

#include "data/selection/selection.h"
#include "kernels/cpu/backend_cpu.h"
#include "kernels/pairs/pair_groups.h"
#include "tests/data/shared_system.h"
#include "tests/support/shared.h"

#define N_BINS 200

typedef struct {
  const char *reference, *topology, *trajectory;
  gsize n_frames;
  const char *first, *second; /* selections; second NULL: first with itself */
  double r_max;
  DebyePairImages images;
} Case;

static const Case cases[] = {
    {"tip3p_xtc/gr_OO.csv", "data/xtc/tip3p_300K_1ATM.pdb", "data/xtc/tip3p_300K_1ATM.xtc", 401, "element O",
     NULL, 9.0, DEBYE_PAIR_IMAGES_ALL},
    {"tip3p_xtc/gr_OH.csv", "data/xtc/tip3p_300K_1ATM.pdb", "data/xtc/tip3p_300K_1ATM.xtc", 401, "element O",
     "element H", 9.0, DEBYE_PAIR_IMAGES_ALL},
    {"tip125_triclinic_dcd/gr_OO.csv", "data/psf/tip125_tric_C36.psf", "data/dcd/tip125_tric_C36.dcd", 10,
     "element O", NULL, 5.2, DEBYE_PAIR_IMAGES_ALL},
    {"tip125_triclinic_dcd/gr_OO_beyond_half.csv", "data/psf/tip125_tric_C36.psf",
     "data/dcd/tip125_tric_C36.dcd", 10, "element O", NULL, 11.0, DEBYE_PAIR_IMAGES_NEAREST},
    {"aladip_dcd/gr_OwOw.csv", "data/amber/alanine-dipeptide-explicit.prmtop",
     "data/dcd/alanine-dipeptide-explicit.dcd", 20, "water and element O", NULL, 15.0, DEBYE_PAIR_IMAGES_ALL},
    {"adk_dcd/gr_CACA_nopbc.csv", "data/psf/adk.psf", "data/dcd/adk_dims_first30.dcd", 30, "name CA", NULL,
     60.0, DEBYE_PAIR_IMAGES_ALL},
};

/* Counts, and the pairs near each bin's lower edge; those near r_max are not told. */
static void
read_reference(const char *name, guint64 *counts, guint64 *near)
{
  g_autoptr(GError) error = NULL;
  g_autofree char *path = g_build_filename(debye_shared_get_folder(), "data", "ref", name, NULL);
  g_autofree char *text = NULL;
  gsize n = 0;
  g_file_get_contents(path, &text, NULL, &error);
  g_assert_no_error(error);
  g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
  for (char **line = lines; *line; line++) {
    if (**line == '#' || **line == '\0')
      continue;
    g_auto(GStrv) columns = g_strsplit(*line, ",", -1);
    g_assert_cmpuint(n, <, N_BINS);
    counts[n] = g_ascii_strtoull(columns[2], NULL, 10);
    near[n++] = g_ascii_strtoull(columns[5], NULL, 10);
  }
  g_assert_cmpuint(n, ==, N_BINS);
}

static GArray *
select_atoms(const SharedSystem *system, const char *text)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(DebyeSelection) selection = debye_selection_parse(text, NULL, &error);
  g_assert_no_error(error);
  GArray *atoms = debye_selection_evaluate(selection, system->topology, system->frame, &error);
  g_assert_no_error(error);
  return atoms;
}

static void
set_groups(DebyePairGroups *groups, const SharedSystem *system, const Case *test)
{
  g_autoptr(GArray) first = select_atoms(system, test->first);
  g_autoptr(GArray) second = select_atoms(system, test->second ? test->second : test->first);
  const DebyePairSelection selections[2] = {{(const guint32 *)first->data, first->len},
                                            {(const guint32 *)second->data, second->len}};
  const DebyeSelectionPair wanted = {0, test->second ? 1 : 0};
  DebyeStatus status;
  g_assert_cmpint(debye_pair_groups_init(groups, system->frame->n_atoms, selections, 2, &wanted, 1, &status),
                  ==, DEBYE_STATUS_OK);
}

/* The sum of all frames, in unordered pairs. */
static void
count_frames(SharedSystem *system, const Case *test, DebyePairGroups *groups, guint64 *sum)
{
  const DebyePairHistogramKernel *kernel = debye_backend_cpu.pair_histogram;
  const DebyePairSettings settings = {.max_atoms = groups->n_atoms,
                                      .n_groups = groups->n_groups,
                                      .pairs = groups->pairs,
                                      .n_pairs = groups->n_pairs,
                                      .r_max = test->r_max,
                                      .n_bins = N_BINS,
                                      .images = test->images};
  g_autofree guint64 *counts = g_new0(guint64, groups->n_pairs * N_BINS);
  DebyeKernelPlan *plan = NULL;
  DebyeStatus status;
  g_assert_cmpint(kernel->head.create(0, &settings, &plan, &status), ==, DEBYE_STATUS_OK);
  for (gsize f = 0; f < test->n_frames; f++) {
    shared_system_read(system, f);
    const DebyeFrame *frame = system->frame;
    const DebyePairFrame pair_frame = {.x = frame->x,
                                       .y = frame->y,
                                       .z = frame->z,
                                       .group = groups->group,
                                       .n = frame->n_atoms,
                                       .cell = debye_cell_is_valid(&frame->cell) ? &frame->cell : NULL};
    g_assert_cmpint(kernel->set_frame(plan, &pair_frame, &status), ==, DEBYE_STATUS_OK);
    g_assert_cmpint(kernel->execute(plan, 0, 1, 1, counts, NULL, &status), ==, DEBYE_STATUS_OK);
  }
  kernel->head.destroy(plan);
  debye_pair_groups_combine(groups, 0, N_BINS, counts, sum);
  for (gsize bin = 0; bin < N_BINS && !test->second; bin++)
    sum[bin] /= 2;
}

static void
test_case(gconstpointer data)
{
  const Case *test = data;
  g_auto(SharedSystem) system = {0};
  guint64 expected[N_BINS], near[N_BINS], found[N_BINS];
  gint64 difference = 0;
  DebyePairGroups groups;
  read_reference(test->reference, expected, near);
  shared_system_open(&system, test->topology, test->trajectory, 0);
  set_groups(&groups, &system, test);
  count_frames(&system, test, &groups, found);
  debye_pair_groups_clear(&groups);
  for (gsize bin = 0; bin + 1 < N_BINS; bin++) {
    difference += (gint64)(found[bin] - expected[bin]);
    if ((guint64)ABS(difference) > near[bin + 1])
      g_error("%s: up to bin %zu %" G_GINT64_FORMAT " pairs too many, at most %" G_GUINT64_FORMAT
              " are near the edge",
              test->reference, bin, difference, near[bin + 1]);
  }
}

int
main(int argc, char **argv)
{
  if (!debye_shared_get_folder())
    return DEBYE_TEST_SKIPPED;
  g_test_init(&argc, &argv, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
    g_autofree char *path = g_strdup_printf("/pair-reference/%s", cases[i].reference);
    g_test_add_data_func(path, &cases[i], test_case);
  }
  return g_test_run();
}
