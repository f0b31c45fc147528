/* SPDX-License-Identifier: MIT */
/* A file of the reference data against what is known about it. */
#include "facts_case.h"

#include "data/tables/elements.h"

#include <math.h>
#include <string.h>

typedef struct {
  const DebyeFactsSource *source;
  const char *file;
  DebyeTopology *topology;
  DebyeTrajectory *trajectory;
} Case;

static const DebyeFactsDifference *
find_difference(const Case *c, const char *key)
{
  for (gsize i = 0; i < c->source->n_differences; i++)
    if (strcmp(c->source->differences[i].file, c->file) == 0 &&
        strcmp(c->source->differences[i].key, key) == 0)
      return &c->source->differences[i];
  return NULL;
}

static const char *
get_fact(const Case *c, const char *key)
{
  return debye_facts_get(c->source->facts, c->file, key);
}

static gsize
get_numbers(const Case *c, const char *key, double *numbers, gsize n)
{
  return debye_facts_get_numbers(c->source->facts, c->file, key, numbers, n);
}

static void
compare_text(const Case *c, const char *key, const char *found)
{
  const DebyeFactsDifference *difference = find_difference(c, key);
  const char *expected = difference != NULL ? difference->value : get_fact(c, key);
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
  const DebyeFactsDifference *difference = find_difference(c, key);
  g_assert_cmpuint(n, <=, G_N_ELEMENTS(expected));
  gsize n_expected =
      difference != NULL ? parse_numbers(difference->value, expected, n) : get_numbers(c, key, expected, n);
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
  if (find_difference(c, key) != NULL || get_fact(c, key) != NULL) {
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
  if (get_fact(c, "elements.EP") != NULL)
    return FALSE;
  for (guint number = 0; number < DEBYE_N_ELEMENTS; number++) {
    g_autofree char *key =
        g_strdup_printf("elements.%s", number > 0 ? debye_element_get((guint8)number)->symbol : "VS");
    if (find_difference(c, key) != NULL || get_fact(c, key) != NULL)
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
  const char *source = get_fact(c, "filled_from.n_bonds");
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
compare_step(const Case *c, const char *which, const DebyeFrame *frame)
{
  g_autofree char *key = g_strdup_printf("step_%s", which);
  const double step = (double)frame->step;
  compare_numbers(c, key, &step, 1, 0.0);
}

/* Where no library gave lengths and angles there may be vectors, read straight from the file. */
static gboolean
compare_vectors(const Case *c, const char *which, const DebyeFrame *frame)
{
  const DebyeCell *cell = &frame->cell;
  const double vectors[9] = {cell->a.x, cell->a.y, cell->a.z, cell->b.x, cell->b.y,
                             cell->b.z, cell->c.x, cell->c.y, cell->c.z};
  g_autofree char *box_key = g_strdup_printf("box_%s", which);
  g_autofree char *key = g_strdup_printf("box_vectors_%s", which);
  if (get_fact(c, box_key) != NULL || get_fact(c, key) == NULL)
    return FALSE;
  g_assert_true(frame->has_cell);
  /* A file may hold floats: half a unit in the last place of 50 Å. */
  compare_numbers(c, key, vectors, 9, 2e-6);
  return TRUE;
}

static void
compare_cell(const Case *c, const char *which, const DebyeFrame *frame)
{
  if (compare_vectors(c, which, frame))
    return;
  double numbers[6] = {0.0, 0.0, 0.0, 90.0, 90.0, 90.0}, expected[6];
  g_autofree char *box_key = g_strdup_printf("box_%s", which);
  if (frame->has_cell)
    debye_cell_to_lengths_angles(&frame->cell, numbers, numbers + 3);
  gsize n_expected = get_numbers(c, box_key, expected, 6);
  /* 1 × 1 × 1 Å stands for "no crystal" in PDB files, and zeros for "no box" in all. */
  gboolean is_dummy = n_expected == 6 && expected[0] <= 1.0 && expected[1] <= 1.0 && expected[2] <= 1.0;
  gboolean is_known = n_expected > 0 || find_difference(c, box_key) != NULL;
  if (is_dummy || (!is_known && strcmp(which, "first") == 0))
    g_assert_false(frame->has_cell);
  else /* Others keep angles in single precision. */
    compare_numbers(c, box_key, numbers, 6, 2e-3);
}

/* Of those that the frame has. */
static gsize
find_first_atom(const DebyeFrame *frame)
{
  gsize atom = 0;
  while (frame->n_absent > 0 && atom + 1 < frame->n_atoms && isnan(frame->x[atom]))
    atom++;
  return atom;
}

static gsize
find_last_atom(const DebyeFrame *frame)
{
  gsize atom = frame->n_atoms - 1;
  while (frame->n_absent > 0 && atom > 0 && isnan(frame->x[atom]))
    atom--;
  return atom;
}

static void
compare_frame(const Case *c, DebyeTrajectoryReader *reader, gsize number, const char *which)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(DebyeFrame) frame = debye_frame_new(debye_trajectory_get_n_atoms(c->trajectory));
  gboolean done = debye_trajectory_reader_read(reader, number, frame, &error);
  g_assert_no_error(error);
  g_assert_true(done);
  compare_position(c, which, "first_atom", frame, find_first_atom(frame));
  compare_position(c, which, "last_atom", frame, find_last_atom(frame));

  double sum[3] = {0.0, 0.0, 0.0};
  g_autofree char *key = g_strdup_printf("%s.sum_xyz", which);
  for (gsize i = 0; i < frame->n_atoms; i++) {
    if (frame->n_absent > 0 && isnan(frame->x[i]))
      continue;
    sum[0] += frame->x[i];
    sum[1] += frame->y[i];
    sum[2] += frame->z[i];
  }
  /* The roundings of single coordinates are of both signs: far less than n times the largest. */
  compare_numbers(c, key, sum, 3, 3e-6 * (double)frame->n_atoms + 1e-3);

  compare_step(c, which, frame);
  compare_cell(c, which, frame);
}

static void
compare_velocity(const Case *c, DebyeTrajectoryReader *reader)
{
  double expected[3];
  if (get_numbers(c, "vel_first_atom", expected, 3) != 3)
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
  compare_count(c, "n_molecules", n_frames);
  g_autoptr(DebyeTrajectoryReader) reader = debye_trajectory_reader_new(c->trajectory, &error);
  g_assert_no_error(error);
  compare_frame(c, reader, 0, "first");
  if (find_difference(c, "nframes") == NULL)
    compare_frame(c, reader, n_frames - 1, "last");
  compare_velocity(c, reader);
}

void
debye_facts_test_file(const DebyeFactsSource *source, const char *file)
{
  Case c = {.source = source, .file = file};
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
  if (get_fact(&c, "first.first_atom") == NULL) {
    g_assert_null(c.trajectory);
    return;
  }
  g_assert_nonnull(c.trajectory);
  compare_trajectory(&c);
}
