/* SPDX-License-Identifier: MIT */
/* Incoherent scattering and correlations of water and of a peptide in water against sums made elsewhere in
 * double, which were checked against Sassena: every signal processing, with all four outputs. */
#include <gio/gio.h>
#include <math.h>

#include "data/tables/elements.h"
#include "data/h5/h5.h"
#include "kernels/cpu/backend_cpu.h"
#include "kernels/scattering/scattering_self.h"
#include "tests/data/shared_system.h"
#include "tests/support/shared.h"

#define MAX_VECTORS 64

typedef struct {
  const char *name, *structure, *trajectory;
  gsize n_frames;
} Run;

static const Run runs[] = {
    {"w3k", "reference/w3k/w3k.gro", "reference/w3k/w3k_nojump.xtc", 501},
    {"pep", "reference/pep/pep.gro", "reference/pep/pep_nojump.xtc", 201},
};

static const char *const signals[] = {[DEBYE_SIGNAL_AUTOCORRELATE] = "autocorrelate",
                                      [DEBYE_SIGNAL_SQUARE] = "square",
                                      [DEBYE_SIGNAL_PLAIN] = "plain"};

/* The whole run in memory, as a block of self scattering. */
typedef struct {
  DebyeSelfBlock block;
  float *x, *y, *z;
  double *length;
  double squares, fourths; /* Σb², Σb⁴ */
} Course;

static void
course_clear(Course *scattering)
{
  g_free(scattering->x);
  g_free(scattering->y);
  g_free(scattering->z);
  g_free(scattering->length);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Course, course_clear)

/* The lengths that the reference was made with: another table's oxygen differs by a hundredth. */
static double
incoherent_length(char **lines, guint8 element)
{
  g_autofree char *begin = g_strdup_printf("%s,", debye_element_get(element)->symbol);
  for (char **line = lines; *line != NULL; line++)
    if (g_str_has_prefix(*line, begin)) {
      g_auto(GStrv) columns = g_strsplit(*line, ",", -1);
      g_assert_cmpuint(g_strv_length(columns), ==, 4);
      return g_ascii_strtod(columns[3], NULL);
    }
  g_assert_not_reached();
}

static GStrv
read_lengths(void)
{
  g_autofree char *path =
      g_build_filename(debye_shared_get_folder(), "reference", "scattering_lengths.csv", NULL);
  g_autofree char *text = NULL;
  g_autoptr(GError) error = NULL;
  g_file_get_contents(path, &text, NULL, &error);
  g_assert_no_error(error);
  return g_strsplit(text, "\n", -1);
}

static void
read_course(const Run *run, Course *scattering)
{
  SharedSystem system = {0};
  shared_system_open(&system, run->structure, run->trajectory, 0);
  const gsize n = system.frame->n_atoms;
  const guint8 *elements = debye_topology_get_elements(system.topology);
  g_auto(GStrv) lengths = read_lengths();
  scattering->x = g_new(float, n * run->n_frames);
  scattering->y = g_new(float, n * run->n_frames);
  scattering->z = g_new(float, n * run->n_frames);
  scattering->length = g_new0(double, 2 * n);
  for (gsize i = 0; i < n; i++) {
    const double b = incoherent_length(lengths, elements[i]);
    scattering->length[2 * i] = b;
    scattering->squares += b * b;
    scattering->fourths += b * b * b * b;
  }
  for (gsize t = 0; t < run->n_frames; t++) {
    shared_system_read(&system, t);
    memcpy(scattering->x + t * n, system.frame->x, n * sizeof(float));
    memcpy(scattering->y + t * n, system.frame->y, n * sizeof(float));
    memcpy(scattering->z + t * n, system.frame->z, n * sizeof(float));
  }
  scattering->block = (DebyeSelfBlock){.x = scattering->x,
                                       .y = scattering->y,
                                       .z = scattering->z,
                                       .stride = n,
                                       .n_atoms = n,
                                       .length = scattering->length};
  shared_system_close(&system);
}

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
  double *fqt, *fq, *fq2, *fq0; /* complex, by vector */
} Reference;

static void
reference_clear(Reference *reference)
{
  g_free(reference->fqt);
  g_free(reference->fq);
  g_free(reference->fq2);
  g_free(reference->fq0);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Reference, reference_clear)

static void
read_reference(const Run *run, const char *name, Reference *reference)
{
  DEBYE_H5_LOCKED();
  g_autoptr(GError) error = NULL;
  g_autofree char *file_name = g_strdup_printf("%s.h5", run->name);
  g_autofree char *path =
      g_build_filename(debye_shared_get_folder(), "reference", "scattering", file_name, NULL);
  gsize n;
  g_auto(DebyeH5File) file = debye_h5_open_file(path, &error);
  g_assert_no_error(error);
  g_auto(DebyeH5Group) numpy = debye_h5_open_group(file, "numpy");
  g_auto(DebyeH5Group) group = debye_h5_open_group(numpy, name);
  g_assert_cmpint(group, >=, 0);
  g_autofree double *q = read_numbers(group, "qvectors", FALSE, &n);
  reference->n_vectors = n / 3;
  g_assert_cmpuint(reference->n_vectors, <=, MAX_VECTORS);
  for (gsize i = 0; i < reference->n_vectors; i++)
    reference->q[i] = debye_vec3(q[3 * i], q[3 * i + 1], q[3 * i + 2]);
  reference->fqt = read_numbers(group, "fqt", TRUE, &n);
  g_assert_cmpuint(n, ==, 2 * reference->n_vectors * run->n_frames);
  reference->fq = read_numbers(group, "fq", TRUE, &n);
  reference->fq2 = read_numbers(group, "fq2", TRUE, &n);
  reference->fq0 = read_numbers(group, "fq0", TRUE, &n);
  g_assert_cmpuint(n, ==, 2 * reference->n_vectors);
}

static double
distance(const double *a, const double *b)
{
  return hypot(a[0] - b[0], a[1] - b[1]);
}

typedef struct {
  double fqt, fq, fq2, fq0; /* the worst of each */
} Errors;

/* Of one vector. */
static void
compare(const Run *run, const Reference *reference, gsize i, const double *f, double fq2, double scale,
        double square_scale, Errors *errors)
{
  const double *expected = reference->fqt + 2 * i * run->n_frames, square[2] = {fq2, 0.0};
  double mean[2];
  debye_signal_mean(f, run->n_frames, mean);
  for (gsize t = 0; t < run->n_frames; t++)
    errors->fqt = fmax(errors->fqt, distance(f + 2 * t, expected + 2 * t) / scale);
  errors->fq = fmax(errors->fq, distance(mean, reference->fq + 2 * i) / scale);
  errors->fq2 = fmax(errors->fq2, distance(square, reference->fq2 + 2 * i) / square_scale);
  errors->fq0 = fmax(errors->fq0, distance(f, reference->fq0 + 2 * i) / scale);
}

static void
check_errors(const Run *run, const char *what, const Errors *errors, double tolerance)
{
  g_test_message("%s %s: fqt %.2g, fq %.2g, fq2 %.2g, fq0 %.2g", run->name, what, errors->fqt, errors->fq,
                 errors->fq2, errors->fq0);
  g_assert_cmpfloat(errors->fqt, <=, tolerance);
  g_assert_cmpfloat(errors->fq, <=, tolerance);
  g_assert_cmpfloat(errors->fq2, <=, tolerance);
  g_assert_cmpfloat(errors->fq0, <=, tolerance);
}

/* Errors of Σb² (fq2: Σb⁴), but of the plain sums of √(NΣb²) and Σb². */
static void
check_self(const Run *run, const Course *scattering, DebyeSignal signal, gboolean exact, double tolerance)
{
  g_auto(Reference) reference = {0};
  g_autofree char *name = g_strdup_printf("self_inc_%s", signals[signal]);
  read_reference(run, name, &reference);
  const DebyeSelfSettings settings = {.signal = signal,
                                      .n_frames = run->n_frames,
                                      .vectors = reference.q,
                                      .n_vectors = reference.n_vectors,
                                      .n_groups = 1,
                                      .max_atoms = scattering->block.n_atoms,
                                      .elastic = TRUE,
                                      .double_precision = exact};
  g_autofree double *f = g_new(double, 2 * run->n_frames * reference.n_vectors);
  g_autofree double *fq2 = g_new(double, reference.n_vectors);
  const gboolean plain = signal == DEBYE_SIGNAL_PLAIN;
  const double scale =
      plain ? sqrt((double)scattering->block.n_atoms * scattering->squares) : scattering->squares;
  DebyeKernelPlan *plan = NULL;
  DebyeStatus status;
  Errors errors = {0};
  g_assert_cmpint(debye_backend_cpu.self->head.create(0, &settings, &plan, &status), ==, DEBYE_STATUS_OK);
  g_assert_cmpint(debye_backend_cpu.self->set_block(plan, &scattering->block, &status), ==, DEBYE_STATUS_OK);
  g_assert_cmpint(debye_backend_cpu.self->execute(plan, 0, reference.n_vectors, f, fq2, NULL, &status), ==,
                  DEBYE_STATUS_OK);
  debye_backend_cpu.self->head.destroy(plan);
  for (gsize i = 0; i < reference.n_vectors; i++)
    compare(run, &reference, i, f + 2 * i * run->n_frames, fq2[i], scale,
            plain ? scattering->squares : scattering->fourths, &errors);
  g_autofree char *what = g_strdup_printf("%s %s", name, exact ? "double" : "float");
  check_errors(run, what, &errors, tolerance);
}

static void
test_self(gconstpointer data)
{
  const Run *run = data;
  g_auto(Course) scattering = {0};
  read_course(run, &scattering);
  for (int signal = DEBYE_SIGNAL_AUTOCORRELATE; signal <= DEBYE_SIGNAL_PLAIN; signal++) {
    check_self(run, &scattering, (DebyeSignal)signal, FALSE, 1e-6);
    check_self(run, &scattering, (DebyeSignal)signal, TRUE, 1e-12);
  }
}

/* The amplitudes of the reference, processed: what is compared is the signal processing alone. */
static void
check_correlation(const Run *run, DebyeSignal signal)
{
  g_auto(Reference) plain = {0};
  g_auto(Reference) reference = {0};
  g_autofree char *name = g_strdup_printf("all_coh_%s", signals[signal]);
  read_reference(run, "all_coh_plain", &plain);
  read_reference(run, name, &reference);
  const DebyeCorrelationSettings settings = {
      .signal = signal, .n_frames = run->n_frames, .max_series = plain.n_vectors};
  g_autofree double *f = g_new(double, 2 * run->n_frames * plain.n_vectors);
  DebyeKernelPlan *plan = NULL;
  DebyeStatus status;
  Errors errors = {0};
  g_assert_cmpint(debye_backend_cpu.correlation->head.create(0, &settings, &plan, &status), ==,
                  DEBYE_STATUS_OK);
  g_assert_cmpint(
      debye_backend_cpu.correlation->execute(plan, plain.fqt, NULL, plain.n_vectors, f, NULL, &status), ==,
      DEBYE_STATUS_OK);
  debye_backend_cpu.correlation->head.destroy(plan);
  for (gsize i = 0; i < reference.n_vectors; i++) {
    const double *own = f + 2 * i * run->n_frames;
    double mean[2], scale = 0.0;
    debye_signal_mean(own, run->n_frames, mean);
    for (gsize t = 0; t < run->n_frames; t++)
      scale = fmax(scale, hypot(own[2 * t], own[2 * t + 1]));
    compare(run, &reference, i, own, mean[0] * mean[0] + mean[1] * mean[1], scale, scale * scale, &errors);
  }
  check_errors(run, name, &errors, 1e-12);
}

static void
test_correlations(gconstpointer data)
{
  for (int signal = DEBYE_SIGNAL_AUTOCORRELATE; signal <= DEBYE_SIGNAL_PLAIN; signal++)
    check_correlation(data, (DebyeSignal)signal);
}

int
main(int argc, char **argv)
{
  if (!debye_shared_get_folder())
    return DEBYE_TEST_SKIPPED;
  g_test_init(&argc, &argv, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS(runs); i++) {
    g_autofree char *self = g_strdup_printf("/self-reference/%s/self", runs[i].name);
    g_autofree char *correlations = g_strdup_printf("/self-reference/%s/correlations", runs[i].name);
    g_test_add_data_func(self, &runs[i], test_self);
    g_test_add_data_func(correlations, &runs[i], test_correlations);
  }
  return g_test_run();
}
