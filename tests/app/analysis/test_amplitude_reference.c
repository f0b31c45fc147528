/* SPDX-License-Identifier: MIT */
/* Amplitudes of real trajectories against sums made elsewhere in double: neutron amplitudes of five systems,
 * and those of water and a peptide in water, plain and squared, that were checked against Sassena. */
#include <gio/gio.h>
#include <math.h>

#include "data/h5/h5.h"
#include "data/tables/neutron_lengths.h"
#include "kernels/cpu/backend_cpu.h"
#include "kernels/scattering/scattering_amplitude.h"
#include "tests/data/shared_system.h"
#include "tests/support/shared.h"

#define MAX_ELEMENTS 118
#define MAX_VECTORS 64

/* A system's atoms by element. */
typedef struct {
  SharedSystem system;
  guint n_groups;
  guint8 element[MAX_ELEMENTS]; /* of each group */
  gsize first[MAX_ELEMENTS + 1];
  guint32 *atoms;
  double weight_sum, square_sum; /* Σ|b|, Σb² */
} Elements;

static double
length_of(guint8 element)
{
  const DebyeNeutronLength *length = debye_neutron_length_get(element, 0);
  g_assert_nonnull(length);
  return length->coherent;
}

static void
elements_open(Elements *elements, const char *topology, const char *trajectory)
{
  shared_system_open(&elements->system, topology, trajectory, 0);
  const gsize n = elements->system.frame->n_atoms;
  const guint8 *of = debye_topology_get_elements(elements->system.topology);
  gsize at = 0;
  elements->atoms = g_new(guint32, n);
  elements->n_groups = 0;
  elements->weight_sum = elements->square_sum = 0.0;
  for (guint element = 1; element <= MAX_ELEMENTS; element++) {
    elements->first[elements->n_groups] = at;
    for (gsize i = 0; i < n; i++)
      if (of[i] == element)
        elements->atoms[at++] = (guint32)i;
    const gsize count = at - elements->first[elements->n_groups];
    if (count == 0)
      continue;
    elements->weight_sum += (double)count * fabs(length_of((guint8)element));
    elements->square_sum += (double)count * length_of((guint8)element) * length_of((guint8)element);
    elements->element[elements->n_groups++] = (guint8)element;
  }
  elements->first[elements->n_groups] = at;
  g_assert_cmpuint(at, ==, n);
}

static void
elements_close(Elements *elements)
{
  shared_system_close(&elements->system);
  g_free(elements->atoms);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Elements, elements_close)

static DebyeKernelPlan *
make_plan(const Elements *elements, gboolean exact, const DebyeVec3 *q, gsize n_vectors)
{
  const DebyeAmplitudeSettings settings = {
      .n_atoms = elements->system.frame->n_atoms,
      .groups = {.n_groups = elements->n_groups, .first = elements->first, .atoms = elements->atoms},
      .max_vectors = n_vectors,
      .max_frames = 1,
      .double_precision = exact};
  DebyeKernelPlan *plan = NULL;
  DebyeStatus status;
  g_assert_cmpint(debye_backend_cpu.amplitude->head.create(0, &settings, &plan, &status), ==,
                  DEBYE_STATUS_OK);
  g_assert_cmpint(debye_backend_cpu.amplitude->set_vectors(plan, q, n_vectors, &status), ==, DEBYE_STATUS_OK);
  return plan;
}

/* Of the frame that is read: Σ b A of all elements, pairs of a real and an imaginary part. */
static void
compute(const Elements *elements, DebyeKernelPlan *plan, gsize n_vectors, double *total)
{
  const DebyeFrame *frame = elements->system.frame;
  const DebyeScatteringFrame atoms = {.x = frame->x, .y = frame->y, .z = frame->z};
  g_autofree double *values = g_new(double, 2 * elements->n_groups * n_vectors);
  DebyeStatus status;
  g_assert_cmpint(debye_backend_cpu.amplitude->execute(plan, &atoms, 1, values, NULL, NULL, &status), ==,
                  DEBYE_STATUS_OK);
  memset(total, 0, 2 * n_vectors * sizeof *total);
  for (guint g = 0; g < elements->n_groups; g++)
    for (gsize i = 0; i < 2 * n_vectors; i++)
      total[i] += length_of(elements->element[g]) * values[g * 2 * n_vectors + i];
}

/* Five systems. */

typedef struct {
  const char *reference, *topology, *trajectory;
  /* The reference took the file's coordinates as doubles, ours are floats: Å of which they differ. */
  double coordinate_error;
} Case;

static const Case cases[] = {
    {"adk_dcd", "data/psf/adk.psf", "data/dcd/adk_dims_first30.dcd", 0.0},
    {"aladip_dcd", "data/amber/alanine-dipeptide-explicit.prmtop", "data/dcd/alanine-dipeptide-explicit.dcd",
     0.0},
    {"fas2_pqr", "data/pqr/fas2.pqr", NULL, 2e-6},
    {"tip125_triclinic_dcd", "data/psf/tip125_tric_C36.psf", "data/dcd/tip125_tric_C36.dcd", 0.0},
    {"tip3p_xtc", "data/xtc/tip3p_300K_1ATM.pdb", "data/xtc/tip3p_300K_1ATM.xtc", 1e-6},
};

/* One line: frame, q, the amplitude. */
static void
check_line(Elements *elements, const Case *test, char **columns, gboolean exact, double tolerance)
{
  const DebyeVec3 q = {g_ascii_strtod(columns[1], NULL), g_ascii_strtod(columns[2], NULL),
                       g_ascii_strtod(columns[3], NULL)};
  const gsize frame = g_ascii_strtoull(columns[0], NULL, 10);
  double found[2];
  if (elements->system.frame->index != frame)
    shared_system_read(&elements->system, frame);
  DebyeKernelPlan *plan = make_plan(elements, exact, &q, 1);
  compute(elements, plan, 1, found);
  debye_backend_cpu.amplitude->head.destroy(plan);
  const double error =
      hypot(found[0] - g_ascii_strtod(columns[4], NULL), found[1] - g_ascii_strtod(columns[5], NULL));
  const double allowed = tolerance + test->coordinate_error * debye_vec3_length(q);
  g_assert_cmpfloat(error, <=, allowed * elements->weight_sum);
}

static void
test_amplitudes(gconstpointer data)
{
  const Case *test = data;
  g_auto(Elements) elements = {0};
  g_autoptr(GError) error = NULL;
  g_autofree char *path =
      g_build_filename(debye_shared_get_folder(), "data", "ref", test->reference, "amplitudes.csv", NULL);
  g_autofree char *text = NULL;
  gsize n = 0;
  g_file_get_contents(path, &text, NULL, &error);
  g_assert_no_error(error);
  g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
  elements_open(&elements, test->topology, test->trajectory);
  for (char **line = lines; *line; line++) {
    if (**line == '#' || **line == '\0')
      continue;
    g_auto(GStrv) columns = g_strsplit(*line, ",", -1);
    g_assert_cmpuint(g_strv_length(columns), >=, 6);
    check_line(&elements, test, columns, FALSE, 1e-6);
    /* The reference has 13 digits. */
    check_line(&elements, test, columns, TRUE, 1e-12);
    n++;
  }
  g_assert_cmpuint(n, >, 0);
}

/* Water and a peptide. */

typedef struct {
  const char *name, *structure, *trajectory;
  gsize n_frames;
} Run;

static const Run runs[] = {
    {"w3k", "reference/w3k/w3k.gro", "reference/w3k/w3k_nojump.xtc", 501},
    {"pep", "reference/pep/pep.gro", "reference/pep/pep_nojump.xtc", 201},
};

/* A data set of doubles or of complex values, owned; `n` is the number of doubles. */
static double *
read_numbers(hid_t group, const char *name, gboolean complex_values, gsize *n)
{
  g_auto(DebyeH5Dataset) dataset = debye_h5_open_dataset(group, name);
  g_assert_cmpint(dataset, >=, 0);
  g_auto(DebyeH5Space) space = H5Dget_space(dataset);
  g_auto(DebyeH5Type) type =
      complex_values ? H5Tcreate(H5T_COMPOUND, 2 * sizeof(double)) : H5Tcopy(H5T_NATIVE_DOUBLE);
  if (complex_values) {
    g_assert_cmpint(H5Tinsert(type, "r", 0, H5T_NATIVE_DOUBLE), >=, 0);
    g_assert_cmpint(H5Tinsert(type, "i", sizeof(double), H5T_NATIVE_DOUBLE), >=, 0);
  }
  *n = (gsize)H5Sget_simple_extent_npoints(space) * (complex_values ? 2 : 1);
  double *values = g_new(double, *n);
  g_assert_cmpint(H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values), >=, 0);
  return values;
}

typedef struct {
  DebyeVec3 q[MAX_VECTORS];
  gsize n_vectors;
  double *plain, *square; /* [(vector·n_frames + frame)·2], real and imaginary part */
} Reference;

static void
reference_clear(Reference *reference)
{
  g_free(reference->plain);
  g_free(reference->square);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Reference, reference_clear)

static void
read_reference(const Run *run, Reference *reference)
{
  DEBYE_H5_LOCKED();
  g_autoptr(GError) error = NULL;
  g_autofree char *name = g_strdup_printf("%s.h5", run->name);
  g_autofree char *path = g_build_filename(debye_shared_get_folder(), "reference", "scattering", name, NULL);
  gsize n;
  g_auto(DebyeH5File) file = debye_h5_open_file(path, &error);
  g_assert_no_error(error);
  g_auto(DebyeH5Group) numpy = debye_h5_open_group(file, "numpy");
  g_auto(DebyeH5Group) plain = debye_h5_open_group(numpy, "all_coh_plain");
  g_auto(DebyeH5Group) square = debye_h5_open_group(numpy, "all_coh_square");
  g_autofree double *q = read_numbers(plain, "qvectors", FALSE, &n);
  reference->n_vectors = n / 3;
  g_assert_cmpuint(reference->n_vectors, <=, MAX_VECTORS);
  for (gsize i = 0; i < reference->n_vectors; i++)
    reference->q[i] = debye_vec3(q[3 * i], q[3 * i + 1], q[3 * i + 2]);
  reference->plain = read_numbers(plain, "fqt", TRUE, &n);
  g_assert_cmpuint(n, ==, 2 * reference->n_vectors * run->n_frames);
  reference->square = read_numbers(square, "fqt", TRUE, &n);
  g_assert_cmpuint(n, ==, 2 * reference->n_vectors * run->n_frames);
}

/* The worst of all amplitudes against √(Σb²), and of the means over time of their squares against themselves.
 */
static void
check_run(const Run *run, gboolean exact, double tolerance, double mean_tolerance)
{
  g_auto(Reference) reference = {0};
  g_auto(Elements) elements = {0};
  double mean[MAX_VECTORS] = {0.0}, expected_mean[MAX_VECTORS] = {0.0}, worst = 0.0, worst_mean = 0.0;
  read_reference(run, &reference);
  elements_open(&elements, run->structure, run->trajectory);
  DebyeKernelPlan *plan = make_plan(&elements, exact, reference.q, reference.n_vectors);
  for (gsize frame = 0; frame < run->n_frames; frame++) {
    double found[2 * MAX_VECTORS];
    shared_system_read(&elements.system, frame);
    compute(&elements, plan, reference.n_vectors, found);
    for (gsize i = 0; i < reference.n_vectors; i++) {
      const gsize at = 2 * (i * run->n_frames + frame);
      const double *a = found + 2 * i, *expected = reference.plain + at;
      worst = fmax(worst, hypot(a[0] - expected[0], a[1] - expected[1]) / sqrt(elements.square_sum));
      mean[i] += a[0] * a[0] + a[1] * a[1];
      expected_mean[i] += reference.square[at];
    }
  }
  debye_backend_cpu.amplitude->head.destroy(plan);
  for (gsize i = 0; i < reference.n_vectors; i++)
    worst_mean = fmax(worst_mean, fabs(mean[i] / expected_mean[i] - 1.0));
  g_test_message("%s %s: amplitudes %.2g, mean squares %.2g", run->name, exact ? "double" : "float", worst,
                 worst_mean);
  g_assert_cmpfloat(worst, <=, tolerance);
  g_assert_cmpfloat(worst_mean, <=, mean_tolerance);
}

static void
test_run(gconstpointer data)
{
  check_run(data, FALSE, 1e-6, 1e-6);
  check_run(data, TRUE, 1e-12, 1e-12);
}

int
main(int argc, char **argv)
{
  if (!debye_shared_get_folder())
    return DEBYE_TEST_SKIPPED;
  g_test_init(&argc, &argv, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
    g_autofree char *path = g_strdup_printf("/amplitude-reference/%s", cases[i].reference);
    g_test_add_data_func(path, &cases[i], test_amplitudes);
  }
  for (gsize i = 0; i < G_N_ELEMENTS(runs); i++) {
    g_autofree char *path = g_strdup_printf("/amplitude-reference/%s", runs[i].name);
    g_test_add_data_func(path, &runs[i], test_run);
  }
  return g_test_run();
}
