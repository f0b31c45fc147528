/* SPDX-License-Identifier: MIT */
/* Every PDB, PQR, GRO, PSF and XYZ file of the reference data against what is known about it. */
#include "data/dataset.h"
#include "data/elements.h"
#include "support/shared.h"

#include <math.h>
#include <string.h>

/* Where Debye says something else than the facts, with what it says and why the format wants that. */
typedef struct {
  const char *file;
  const char *key;
  const char *value;
  const char *reason;
} Difference;

static const Difference differences[] = {
    {"pdb/cryst_then_model.pdb", "box_first", "80 80.017 80.017 90 90 90",
     "a CRYST1 stands before each model; the facts have the last one's"},
    {"pdb/overflow_indexing.pdb", "n_residues", "3",
     "two waters have the residue number ****: OW, HW1, HW2 coming again begins another"},
    {"pdb/vmd_indexing.pdb", "n_residues", "6",
     "residue 2710 comes again behind 9999: that is another run of atoms, not the same residue"},
    {"pdb/insertion-code.pdb", "elements.H", "1", "the element column says D, deuterium"},
    {"gro/cod_4020641.gro", "elements.S", "1", "atom 2 is named SI in a residue LIG: silicon"},
    {"gro/cod_4020641.gro", "elements.Si", "1", "atom 2 is named SI in a residue LIG: silicon"},
    {"gro/two_water_gro_multiframe.gro", "box_last", "120 120 120 90 90 90",
     "the facts' box was read by a library that sees the first frame only"},
    {"psf/bfna_nonbonded_vmd_autopsf.psf", "elements.C", "25", "an atom named CAL weighs 12.011 u"},
    {"psf/bfna_nonbonded_vmd_autopsf.psf", "elements.Ca", "0", "an atom named CAL weighs 12.011 u"},
    {"xyz/extended.xyz", "nframes", "1",
     "the frames have 192, 62 and 8 atoms: a trajectory's frames have as many as the first"},
    {"xyz/five.xyz", "elements.H", "1", "D is deuterium; the facts count labels"},
    {"xyz/frame0.xyz.gz", "elements.H", "12", "VMD writes names for symbols; the facts count labels"},
    {"xyz/frame0.xyz.gz", "elements.C", "6", "VMD writes names for symbols; the facts count labels"},
    {"xyz/water_number.xyz", "elements.H", "2", "atomic number 1; the facts count labels"},
    {"xyz/water_number.xyz", "elements.O", "1", "atomic number 8; the facts count labels"},
};

static const Difference *
find_difference(const char *file, const char *key)
{
  for (gsize i = 0; i < G_N_ELEMENTS(differences); i++)
    if (strcmp(differences[i].file, file) == 0 && strcmp(differences[i].key, key) == 0)
      return &differences[i];
  return NULL;
}

typedef struct {
  DebyeFacts *facts;
  const char *file;
  DebyeTopology *topology;
  DebyeTrajectory *trajectory;
} Case;

static void
compare_text(const Case *c, const char *key, const char *found)
{
  const Difference *difference = find_difference(c->file, key);
  const char *expected = difference != NULL ? difference->value : debye_facts_get(c->facts, c->file, key);
  if (expected != NULL && strcmp(expected, found) != 0) {
    g_test_message("%s: %s: expected %s, found %s", c->file, key, expected, found);
    g_test_fail();
  }
}

static void
compare_count(const Case *c, const char *key, gsize found)
{
  g_autofree char *text = g_strdup_printf("%" G_GSIZE_FORMAT, found);
  compare_text(c, key, text);
}

static gsize
parse_numbers(const char *text, double *numbers, gsize n)
{
  gsize count = 0;
  g_auto(GStrv) words = g_strsplit(text, " ", -1);
  for (char **word = words; *word != NULL && count < n; word++)
    numbers[count++] = g_ascii_strtod(*word, NULL);
  return count;
}

static void
compare_numbers(const Case *c, const char *key, const double *found, gsize n, double tolerance)
{
  double expected[16];
  const Difference *difference = find_difference(c->file, key);
  g_assert_cmpuint(n, <=, G_N_ELEMENTS(expected));
  gsize n_expected = difference != NULL ? parse_numbers(difference->value, expected, n)
                                        : debye_facts_get_numbers(c->facts, c->file, key, expected, n);
  if (n_expected == 0)
    return;
  g_assert_cmpuint(n_expected, ==, n);
  for (gsize i = 0; i < n; i++)
    if (!(fabs(found[i] - expected[i]) <= tolerance)) {
      g_test_message("%s: %s: expected %.6f, found %.6f (%g)", c->file, key, expected[i], found[i],
                     tolerance);
      g_test_fail();
    }
}

/* --- Topology --- */

/* The facts hold what others count: an element that they don't name isn't there. */
static void
compare_element(const Case *c, guint number, gsize found)
{
  g_autofree char *key = g_strdup_printf("elements.%s", debye_element_get((guint8)number)->symbol);
  if (find_difference(c->file, key) != NULL || debye_facts_get(c->facts, c->file, key) != NULL) {
    compare_count(c, key, found);
  } else if (found > 0) {
    g_test_message("%s: %s: expected none, found %" G_GSIZE_FORMAT, c->file, key, found);
    g_test_fail();
  }
}

static void
compare_elements(const Case *c)
{
  gsize counts[DEBYE_N_ELEMENTS] = {0};
  const guint8 *elements = debye_topology_get_elements(c->topology);
  for (gsize i = 0; i < debye_topology_get_n_atoms(c->topology); i++)
    counts[elements[i]]++;
  for (guint number = 1; number < DEBYE_N_ELEMENTS; number++)
    compare_element(c, number, counts[number]);
  compare_count(c, "elements.VS", counts[0]);
}

/* One file is misread by the library that the facts' elements come from ("EP" for all atoms), two were read
 * by none. */
static gboolean
has_elements(const Case *c)
{
  if (debye_facts_get(c->facts, c->file, "elements.EP") != NULL)
    return FALSE;
  for (guint number = 0; number < DEBYE_N_ELEMENTS; number++) {
    g_autofree char *key =
        g_strdup_printf("elements.%s", number > 0 ? debye_element_get((guint8)number)->symbol : "VS");
    if (find_difference(c->file, key) != NULL || debye_facts_get(c->facts, c->file, key) != NULL)
      return TRUE;
  }
  return FALSE;
}

static void
compare_topology(const Case *c)
{
  const float *masses = debye_topology_get_masses(c->topology);
  double mass = 0.0;
  double charge = debye_topology_get_total_charge(c->topology);
  gsize n_atoms = debye_topology_get_n_atoms(c->topology);
  gsize n_bonds;
  for (gsize i = 0; i < n_atoms; i++)
    mass += masses[i];
  debye_topology_get_bonds(c->topology, &n_bonds);
  compare_count(c, "natoms", n_atoms);
  compare_count(c, "n_residues", debye_topology_get_n_residues(c->topology));
  /* Other libraries guess bonds from residues or distances: only what MDAnalysis takes from CONECT, and PSF,
   * are the file's own. */
  const char *source = debye_facts_get(c->facts, c->file, "filled_from.n_bonds");
  if (source == NULL || strcmp(source, "mdanalysis") == 0)
    compare_count(c, "n_bonds", n_bonds);
  if (has_elements(c))
    compare_elements(c);
  /* Charges are single precision: half a unit in the last place of 1 e for each atom. */
  if (debye_topology_get_charges(c->topology) != NULL)
    compare_numbers(c, "sum_charges", &charge, 1, 1e-7 * (double)n_atoms + 1e-6);
  if (g_str_has_suffix(c->file, "psf"))
    compare_numbers(c, "sum_masses", &mass, 1, 1e-6 * (double)n_atoms + 1e-3);
}

/* --- Frames --- */

static void
compare_position(const Case *c, const char *which, const char *what, const DebyeFrame *frame, gsize atom)
{
  g_autofree char *key = g_strdup_printf("%s.%s", which, what);
  const double position[3] = {frame->x[atom], frame->y[atom], frame->z[atom]};
  /* Rounding to single precision of coordinates up to 1,000 Å. */
  compare_numbers(c, key, position, 3, 6e-5);
}

static void
compare_frame(const Case *c, DebyeTrajectoryReader *reader, gsize number, const char *which)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(DebyeFrame) frame = debye_frame_new(debye_trajectory_get_n_atoms(c->trajectory));
  gboolean done = debye_trajectory_reader_read(reader, number, frame, &error);
  g_assert_no_error(error);
  g_assert_true(done);
  compare_position(c, which, "first_atom", frame, 0);
  compare_position(c, which, "last_atom", frame, frame->n_atoms - 1);

  double sum[3] = {0.0, 0.0, 0.0};
  g_autofree char *key = g_strdup_printf("%s.sum_xyz", which);
  for (gsize i = 0; i < frame->n_atoms; i++) {
    sum[0] += frame->x[i];
    sum[1] += frame->y[i];
    sum[2] += frame->z[i];
  }
  /* The roundings of single coordinates are of both signs: far less than n times the largest. */
  compare_numbers(c, key, sum, 3, 3e-6 * (double)frame->n_atoms + 1e-3);

  double numbers[6] = {0.0, 0.0, 0.0, 90.0, 90.0, 90.0}, expected[6];
  g_autofree char *box_key = g_strdup_printf("box_%s", which);
  if (frame->has_cell)
    debye_cell_to_lengths_angles(&frame->cell, numbers, numbers + 3);
  gsize n_expected = debye_facts_get_numbers(c->facts, c->file, box_key, expected, 6);
  /* 1 × 1 × 1 Å stands for "no crystal" in PDB files, and zeros for "no box" in all. */
  gboolean is_dummy = n_expected == 6 && expected[0] <= 1.0 && expected[1] <= 1.0 && expected[2] <= 1.0;
  if (is_dummy || (n_expected == 0 && strcmp(which, "first") == 0))
    g_assert_false(frame->has_cell);
  else /* Others keep angles in single precision. */
    compare_numbers(c, box_key, numbers, 6, 2e-3);
}

static void
compare_velocity(const Case *c, DebyeTrajectoryReader *reader)
{
  double expected[3];
  if (debye_facts_get_numbers(c->facts, c->file, "vel_first_atom", expected, 3) != 3)
    return;
  g_autoptr(DebyeFrame) frame = debye_frame_new(debye_trajectory_get_n_atoms(c->trajectory));
  g_assert_true(debye_trajectory_reader_read(reader, 0, frame, NULL));
  g_assert_nonnull(frame->vx);
  const double velocity[3] = {frame->vx[0], frame->vy[0], frame->vz[0]};
  compare_numbers(c, "vel_first_atom", velocity, 3, 1e-4);
}

static void
compare_trajectory(const Case *c)
{
  g_autoptr(GError) error = NULL;
  gsize n_frames = debye_trajectory_get_n_frames(c->trajectory);
  compare_count(c, "nframes", n_frames);
  g_autoptr(DebyeTrajectoryReader) reader = debye_trajectory_reader_new(c->trajectory, &error);
  g_assert_no_error(error);
  compare_frame(c, reader, 0, "first");
  if (find_difference(c->file, "nframes") == NULL)
    compare_frame(c, reader, n_frames - 1, "last");
  compare_velocity(c, reader);
}

/* --- The files --- */

static DebyeFacts *shared_facts;

static void
test_file(gconstpointer data)
{
  Case c = {.facts = shared_facts, .file = data};
  g_autofree char *path = debye_shared_build_path("data", c.file, NULL);
  const char *paths[] = {path, NULL};
  g_autoptr(GError) error = NULL;
  g_autoptr(DebyeDataset) dataset = debye_dataset_open(paths, NULL, NULL, &error);
  g_assert_no_error(error);
  for (const char *const *text = debye_dataset_get_warnings(dataset); *text != NULL; text++)
    g_test_message("%s", *text);
  c.topology = debye_dataset_get_topology(dataset);
  c.trajectory = debye_dataset_get_trajectory(dataset);
  compare_text(&c, "format", debye_dataset_get_formats(dataset)[0]);
  compare_topology(&c);
  if (debye_facts_get(c.facts, c.file, "nframes") == NULL) {
    g_assert_null(c.trajectory);
    return;
  }
  g_assert_nonnull(c.trajectory);
  compare_trajectory(&c);
}

static void
add_files(const char *prefix, const char *suffix, GPtrArray *kept)
{
  GPtrArray *files = debye_facts_list_files(shared_facts, prefix);
  g_ptr_array_add(kept, files);
  for (guint i = 0; i < files->len; i++) {
    const char *file = g_ptr_array_index(files, i);
    g_autofree char *name = g_strdup_printf("/facts/%s", file);
    if (g_str_has_suffix(file, suffix))
      g_test_add_data_func(name, file, test_file);
  }
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  if (debye_shared_get_folder() == NULL)
    return DEBYE_TEST_SKIPPED;
  shared_facts = debye_facts_load();
  g_autoptr(GPtrArray) kept = g_ptr_array_new_with_free_func((GDestroyNotify)g_ptr_array_unref);
  static const char *const folders[] = {"pdb/", "pqr/", "gro/", "psf/", "xyz/"};
  for (gsize i = 0; i < G_N_ELEMENTS(folders); i++)
    add_files(folders[i], "", kept);
  add_files("xtc/", ".pdb", kept);
  add_files("tpr/", ".pdb", kept);
  int result = g_test_run();
  debye_facts_free(shared_facts);
  return result;
}
