/* SPDX-License-Identifier: MIT */
/* Every AMBER and NetCDF file among the reference files against what is known of it. Coordinates are compared
 * bit for bit: what the file has, as a float. */
#include <math.h>
#include <string.h>

#include "data/trajectory/dataset.h"
#include "data/tables/elements.h"
#include "tests/support/temporary.h"
#include "tests/support/shared.h"

/* Trajectories that don't say how many atoms they have. */
static const struct {
  const char *file, *topology;
} companions[] = {
    {"amber/ache.mdcrd", "amber/ache.prmtop"},
    {"amber/ala_ala_ala.mdcrd", "amber/ala3_chamber.parm7"},
    {"amber/frame0.mdcrdbox", "amber/alanine-dipeptide-implicit.prmtop"},
};

/* Facts that hold what other libraries make of a file, with what makes them Debye's. */
static const struct {
  const char *file, *key;
  double factor; /* NAN: the file has no such thing */
  const char *reason;
} differences[] = {
    {"amber/water.nc", "time_first", 1e-3, "the unit is the femtosecond"},
    {"amber/water.nc", "time_last", 1e-3, "the unit is the femtosecond"},
    {"amber/version-5.nc", "time_first", 1e-3, "the unit is the femtosecond"},
    {"amber/version-5.nc", "time_last", 1e-3, "the unit is the femtosecond"},
    {"amber/version-5.nc", "vel_first_atom", 1e3, "the unit is the ångström in a femtosecond"},
    {"amber/ache.mdcrd", "time_first", NAN, "text trajectories have no times; the library counts frames"},
    {"amber/ache.mdcrd", "time_last", NAN, "text trajectories have no times; the library counts frames"},
    {"amber/frame0.mdcrdbox", "time_first", NAN,
     "text trajectories have no times; the library counts frames"},
    {"amber/frame0.mdcrdbox", "time_last", NAN, "text trajectories have no times; the library counts frames"},
    {"amber/ava_aaa.solv.rst7", "time_first", NAN, "there is no time beside the number of atoms"},
    {"amber/crdsonly.rst7", "time_first", NAN, "there is no time beside the number of atoms"},
    {"amber/molstar_protein.rst7", "time_first", NAN, "there is no time beside the number of atoms"},
    {"amber/old.inpcrd", "time_first", NAN, "there is no time beside the number of atoms"},
};

typedef struct {
  const DebyeFacts *facts;
  const char *file;
} Case;

static double
find_factor(const char *file, const char *key)
{
  for (gsize k = 0; k < G_N_ELEMENTS(differences); k++)
    if (strcmp(differences[k].file, file) == 0 && strcmp(differences[k].key, key) == 0)
      return differences[k].factor;
  return 1.0;
}

static gsize
get_numbers(const Case *c, const char *key, double *numbers, gsize n)
{
  double factor = find_factor(c->file, key);
  gsize count = debye_facts_get_numbers(c->facts, c->file, key, numbers, n);
  for (gsize i = 0; i < count; i++)
    numbers[i] *= factor;
  return count;
}

static void
assert_near(const char *what, double value, double expected, double tolerance)
{
  if (!(fabs(value - expected) <= tolerance))
    g_error("%s: expected %.9g, found %.9g", what, expected, value);
}

/* A number that the facts have, else nothing. */
static void
check_number(const Case *c, const char *key, double found, double tolerance)
{
  double expected;
  if (get_numbers(c, key, &expected, 1) == 1)
    assert_near(key, found, expected, tolerance);
}

/* --- Topologies --- */

static gsize
count_type(DebyeTopology *topology, const char *type)
{
  const DebyeStringPool *pool = debye_topology_get_string_pool(topology);
  const guint32 *types = debye_topology_get_types(topology);
  gsize n = 0;
  for (gsize i = 0; i < debye_topology_get_n_atoms(topology); i++)
    n += strcmp(debye_string_pool_get(pool, types[i]), type) == 0;
  return n;
}

static void
check_types(const Case *c, DebyeTopology *topology)
{
  static const char *const types[] = {"C",  "C*", "CA", "CT", "EP", "H", "HC",
                                      "HW", "N",  "N3", "O",  "OW", "S"};
  for (gsize k = 0; k < G_N_ELEMENTS(types); k++) {
    g_autofree char *key = g_strconcat("types.", types[k], NULL);
    check_number(c, key, (double)count_type(topology, types[k]), 0.0);
  }
}

static void
check_elements(const Case *c, DebyeTopology *topology)
{
  gsize counts[DEBYE_N_ELEMENTS] = {0}, n_expected = 0;
  const guint8 *elements = debye_topology_get_elements(topology);
  for (gsize i = 0; i < debye_topology_get_n_atoms(topology); i++)
    counts[elements[i]]++;
  for (guint number = 0; number < DEBYE_N_ELEMENTS; number++) {
    double expected = 0.0;
    g_autofree char *key =
        g_strconcat("elements.", number > 0 ? debye_element_get((guint8)number)->symbol : "VS", NULL);
    n_expected += get_numbers(c, key, &expected, 1);
    assert_near(key, (double)counts[number], expected, 0.0);
  }
  g_assert_cmpuint(n_expected, >, 0);
}

/* "N ALA 1": name, residue, its number. */
static void
check_atom_name(const Case *c, const char *key, DebyeTopology *topology, gsize atom)
{
  const char *expected = debye_facts_get(c->facts, c->file, key);
  const DebyeStringPool *pool = debye_topology_get_string_pool(topology);
  const DebyeResidue *residue =
      &debye_topology_get_residue_table(topology)[debye_topology_get_residues(topology)[atom]];
  g_autofree char *found =
      g_strdup_printf("%s %s %d", debye_string_pool_get(pool, debye_topology_get_names(topology)[atom]),
                      debye_string_pool_get(pool, residue->name), residue->number);
  if (expected != NULL)
    g_assert_cmpstr(found, ==, expected);
}

static void
check_topology_cell(const Case *c, DebyeTopology *topology)
{
  double expected[6], lengths[3], angles[3];
  DebyeCell cell;
  gboolean has_cell = debye_topology_get_cell(topology, &cell);
  g_assert_cmpint(has_cell, ==, get_numbers(c, "box_first", expected, 6) == 6);
  if (!has_cell)
    return;
  debye_cell_to_lengths_angles(&cell, lengths, angles);
  for (int k = 0; k < 3; k++) {
    assert_near("cell length", lengths[k], expected[k], 1e-9);
    assert_near("cell angle", angles[k], expected[3 + k], 1e-9);
  }
}

static void
check_topology(const Case *c, DebyeDataset *dataset)
{
  DebyeTopology *topology = debye_dataset_get_topology(dataset);
  gsize n_atoms = debye_topology_get_n_atoms(topology), n_bonds;
  const float *masses = debye_topology_get_masses(topology);
  double mass = 0.0;
  for (gsize i = 0; i < n_atoms; i++)
    mass += (double)masses[i];
  debye_topology_get_bonds(topology, &n_bonds);
  check_number(c, "natoms", (double)n_atoms, 0.0);
  check_number(c, "n_residues", (double)debye_topology_get_n_residues(topology), 0.0);
  check_number(c, "n_bonds", (double)n_bonds, 0.0);
  /* Single precision: half a unit in the last place of 1 e, and of 16 u, for each atom. */
  check_number(c, "sum_charges", debye_topology_get_total_charge(topology), 6e-8 * (double)n_atoms);
  check_number(c, "sum_masses", mass, 1e-6 * (double)n_atoms);
  check_elements(c, topology);
  check_types(c, topology);
  check_atom_name(c, "first_atom_name", topology, 0);
  check_atom_name(c, "last_atom_name", topology, n_atoms - 1);
  check_topology_cell(c, topology);
  g_assert_null(debye_dataset_get_trajectory(dataset));
}

/* --- Frames --- */

static void
check_atom(const Case *c, const char *group, const char *name, const DebyeFrame *frame, gsize i)
{
  double expected[3];
  g_autofree char *key = g_strconcat(group, ".", name, NULL);
  g_assert_cmpuint(get_numbers(c, key, expected, 3), ==, 3);
  g_assert_cmpfloat(frame->x[i], ==, (float)expected[0]);
  g_assert_cmpfloat(frame->y[i], ==, (float)expected[1]);
  g_assert_cmpfloat(frame->z[i], ==, (float)expected[2]);
}

/* Of numbers rounded to floats, where the facts have some sums of doubles: 6e-8 of the sum of magnitudes. */
static void
check_sums(const Case *c, const char *group, const DebyeFrame *frame)
{
  const float *axes[3] = {frame->x, frame->y, frame->z};
  double expected[3];
  g_autofree char *key = g_strconcat(group, ".sum_xyz", NULL);
  g_assert_cmpuint(get_numbers(c, key, expected, 3), ==, 3);
  for (int k = 0; k < 3; k++) {
    double sum = 0.0, magnitude = 0.0;
    for (gsize i = 0; i < frame->n_atoms; i++) {
      sum += (double)axes[k][i];
      magnitude += fabs((double)axes[k][i]);
    }
    assert_near(key, sum, expected[k], 6e-8 * magnitude);
  }
}

/* Some of the facts' cells went through single precision. One without a third length is none. */
static void
check_cell(const Case *c, const char *key, const DebyeFrame *frame)
{
  double expected[6] = {0.0}, lengths[3], angles[3];
  gsize n = get_numbers(c, key, expected, 6);
  gboolean has_cell = n == 6 && expected[0] > 0.0 && expected[1] > 0.0 && expected[2] > 0.0;
  g_assert_cmpint(frame->has_cell, ==, has_cell);
  if (!has_cell)
    return;
  debye_cell_to_lengths_angles(&frame->cell, lengths, angles);
  for (int k = 0; k < 3; k++) {
    assert_near("cell length", lengths[k], expected[k], 1e-6 * expected[k]);
    assert_near("cell angle", angles[k], expected[3 + k], 1e-5);
  }
}

static void
check_time(const Case *c, const char *key, const DebyeFrame *frame)
{
  double expected;
  if (get_numbers(c, key, &expected, 1) == 0)
    return;
  if (isnan(expected))
    g_assert_true(isnan(frame->time));
  else
    assert_near(key, frame->time, expected, 1e-6 * fabs(expected));
}

/* A factor of 20.455 that is stored as a float here and a double there. */
static void
check_velocities(const Case *c, const DebyeFrame *frame)
{
  double has_velocities, expected[3];
  gboolean has_first = get_numbers(c, "vel_first_atom", expected, 3) == 3;
  if (get_numbers(c, "has_velocities", &has_velocities, 1) == 1 || has_first)
    g_assert_cmpint(frame->vx != NULL, ==, has_first || has_velocities > 0.0);
  if (!has_first)
    return;
  assert_near("vx", (double)frame->vx[0], expected[0], 2e-7 * fabs(expected[0]));
  assert_near("vy", (double)frame->vy[0], expected[1], 2e-7 * fabs(expected[1]));
  assert_near("vz", (double)frame->vz[0], expected[2], 2e-7 * fabs(expected[2]));
}

static void
check_frame(const Case *c, gboolean is_last, const DebyeFrame *frame)
{
  const char *group = is_last ? "last" : "first";
  check_atom(c, group, "first_atom", frame, 0);
  check_atom(c, group, "last_atom", frame, frame->n_atoms - 1);
  check_sums(c, group, frame);
  check_cell(c, is_last && debye_facts_get(c->facts, c->file, "box_last") != NULL ? "box_last" : "box_first",
             frame);
  check_time(c,
             is_last && debye_facts_get(c->facts, c->file, "time_last") != NULL ? "time_last" : "time_first",
             frame);
  g_assert_cmpuint(frame->n_bad, ==, 0);
  if (!is_last)
    check_velocities(c, frame);
}

static void
check_trajectory(const Case *c, DebyeTrajectory *trajectory)
{
  g_autoptr(GError) error = NULL;
  double n_atoms, n_frames;
  g_assert_cmpuint(get_numbers(c, "natoms", &n_atoms, 1), ==, 1);
  g_assert_cmpuint(get_numbers(c, "nframes", &n_frames, 1), ==, 1);
  g_assert_cmpuint(debye_trajectory_get_n_atoms(trajectory), ==, (gsize)n_atoms);
  g_assert_cmpuint(debye_trajectory_get_n_frames(trajectory), ==, (gsize)n_frames);
  g_autoptr(DebyeTrajectoryReader) reader = debye_trajectory_reader_new(trajectory, &error);
  g_autoptr(DebyeFrame) frame = debye_frame_new((gsize)n_atoms);
  for (int is_last = 1; is_last >= 0; is_last--) {
    debye_trajectory_reader_read(reader, is_last ? (gsize)n_frames - 1 : 0, frame, &error);
    g_assert_no_error(error);
    check_frame(c, is_last, frame);
  }
}

/* --- The files --- */

static DebyeDataset *
open_file(const char *file)
{
  g_autoptr(GError) error = NULL;
  g_autofree char *path = debye_shared_build_path("data", file, NULL);
  g_autofree char *topology = NULL;
  for (gsize k = 0; k < G_N_ELEMENTS(companions); k++)
    if (strcmp(companions[k].file, file) == 0)
      topology = debye_shared_build_path("data", companions[k].topology, NULL);
  DebyeDataset *dataset = debye_dataset_open((const char *[]){path, topology, NULL}, NULL, NULL, &error);
  g_assert_no_error(error);
  return dataset;
}

static void
check_file(gconstpointer data)
{
  static const struct {
    const char *fact, *name;
  } formats[] = {
      {"prmtop", "prmtop"}, {"rst7", "rst7"}, {"mdcrd", "mdcrd"}, {"nc", "netcdf"}, {"ncrst", "netcdf"}};
  const Case *c = data;
  g_autoptr(DebyeDataset) dataset = open_file(c->file);
  const char *format = debye_facts_get(c->facts, c->file, "format");
  for (gsize k = 0; k < G_N_ELEMENTS(formats); k++)
    if (strcmp(format, formats[k].fact) == 0)
      g_assert_cmpstr(debye_dataset_get_formats(dataset)[0], ==, formats[k].name);
  if (strcmp(format, "prmtop") == 0)
    check_topology(c, dataset);
  else
    check_trajectory(c, debye_dataset_get_trajectory(dataset));
}

/* The same frames as CDF-2, CDF-1 and NetCDF-4. */
static void
check_kinds_agree(void)
{
  static const char *const names[] = {"amber/cpptraj_traj.nc", "amber/derived_cpptraj_traj_cdf1.nc",
                                      "amber/derived_cpptraj_traj_nc4.nc"};
  g_autoptr(DebyeFrame) first = NULL;
  for (gsize k = 0; k < G_N_ELEMENTS(names); k++) {
    g_autoptr(DebyeDataset) dataset = open_file(names[k]);
    g_autoptr(DebyeTrajectoryReader) reader =
        debye_trajectory_reader_new(debye_dataset_get_trajectory(dataset), NULL);
    g_autoptr(DebyeFrame) frame = debye_frame_new(84);
    g_assert_true(debye_trajectory_reader_read(reader, 1, frame, NULL));
    if (first == NULL) {
      first = g_steal_pointer(&frame);
      continue;
    }
    g_assert_cmpmem(frame->x, 84 * 4, first->x, 84 * 4);
    g_assert_cmpmem(frame->z, 84 * 4, first->z, 84 * 4);
    g_assert_cmpmem(&frame->cell, sizeof frame->cell, &first->cell, sizeof first->cell);
  }
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_autoptr(DebyeTemporaryFolder) cache = debye_temporary_use_cache_folder();
  if (debye_shared_get_folder() == NULL)
    return DEBYE_TEST_SKIPPED;
  g_autoptr(DebyeFacts) facts = debye_facts_load();
  g_autoptr(GPtrArray) files = debye_facts_list_files(facts, "amber/");
  g_autofree Case *cases = g_new(Case, files->len);
  g_assert_cmpuint(files->len, >=, 33);
  for (guint i = 0; i < files->len; i++) {
    cases[i] = (Case){facts, g_ptr_array_index(files, i)};
    g_autofree char *name = g_strconcat("/facts/", cases[i].file, NULL);
    g_test_add_data_func(name, &cases[i], check_file);
  }
  g_test_add_func("/facts/kinds", check_kinds_agree);
  return g_test_run();
}
