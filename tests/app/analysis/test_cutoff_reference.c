/* SPDX-License-Identifier: MIT */
/* The cutoff method on real systems against sums made elsewhere in double: open, periodic, and in a skewed
 * cell smaller than the cutoff. The stored sums took charges, and of one file coordinates, as doubles; ours
 * are floats, which a map sees as 2e-6 of its root mean square. */
#include <gio/gio.h>
#include <math.h>

#include "kernels/cpu/backend_cpu.h"
#include "kernels/potential/potential_kernel.h"
#include "tests/data/shared_system.h"
#include "tests/support/shared.h"

#define POINTS 24
#define N_POINTS (POINTS * POINTS * POINTS)
#define TOLERANCE_FLOAT 5e-6
#define TOLERANCE_DOUBLE 2e-6

typedef struct {
  const char *name, *topology, *trajectory;
  gsize frame;
  DebyeVec3 origin;
  double spacing;
  unsigned periodic;
} Case;

/* From the meta.json of each. */
static const Case cases[] = {
    {"adk_dcd",
     "data/psf/adk.psf",
     "data/dcd/adk_dims_first30.dcd",
     29,
     {-22.5, -22.9, -22.2},
     2.0,
     DEBYE_PERIODIC_NONE},
    {"fas2_pqr", "data/pqr/fas2.pqr", NULL, 0, {-24.3, -22.8, 2.4}, 2.0, DEBYE_PERIODIC_NONE},
    {"aladip_dcd",
     "data/amber/alanine-dipeptide-explicit.prmtop",
     "data/dcd/alanine-dipeptide-explicit.dcd",
     0,
     {4.9, 5.6, 4.8},
     1.0,
     DEBYE_PERIODIC_ALL},
    {"tip125_triclinic_dcd",
     "data/psf/tip125_tric_C36.psf",
     "data/dcd/tip125_tric_C36.dcd",
     0,
     {-11.1, -10.7, -11.3},
     1.0,
     DEBYE_PERIODIC_ALL},
};

/* Values in the order of the file: z fastest. */
static double *
read_reference(const char *name)
{
  g_autoptr(GError) error = NULL;
  g_autofree char *path =
      g_build_filename(debye_shared_get_folder(), "data", "ref", name, "coulomb_cut12.csv.gz", NULL);
  g_autoptr(GFile) file = g_file_new_for_path(path);
  g_autoptr(GFileInputStream) compressed = g_file_read(file, NULL, &error);
  g_assert_no_error(error);
  g_autoptr(GConverter) unzip = G_CONVERTER(g_zlib_decompressor_new(G_ZLIB_COMPRESSOR_FORMAT_GZIP));
  g_autoptr(GInputStream) plain = g_converter_input_stream_new(G_INPUT_STREAM(compressed), unzip);
  g_autoptr(GDataInputStream) lines = g_data_input_stream_new(plain);
  double *values = g_new(double, N_POINTS);
  gsize n = 0;
  for (;;) {
    g_autofree char *line = g_data_input_stream_read_line(lines, NULL, NULL, &error);
    g_assert_no_error(error);
    if (!line)
      break;
    if (line[0] == '#')
      continue;
    g_assert_cmpuint(n, <, N_POINTS);
    values[n++] = g_ascii_strtod(line, NULL);
  }
  g_assert_cmpuint(n, ==, N_POINTS);
  return values;
}

static DebyePotentialSettings
settings_of(const Case *test, gsize n_atoms, gboolean exact)
{
  return (DebyePotentialSettings){
      .method = DEBYE_POTENTIAL_CUTOFF,
      .grid = {.origin = test->origin,
               .step = {{test->spacing, 0.0, 0.0}, {0.0, test->spacing, 0.0}, {0.0, 0.0, test->spacing}},
               .shape = {POINTS, POINTS, POINTS}},
      .core_radius = 1e-3,
      .double_precision = exact,
      .max_charges = n_atoms,
      .max_planes = POINTS,
      .periodic = test->periodic,
      .cutoff = 12.0,
      .smoothing = DEBYE_SMOOTHING_SMOOTH,
  };
}

/* Root mean square of the difference, over that of the reference. */
static double
compare(const double *reference, const float *out, const double *out_double)
{
  double error = 0.0, square = 0.0;
  for (gsize i = 0; i < POINTS; i++)
    for (gsize j = 0; j < POINTS; j++)
      for (gsize k = 0; k < POINTS; k++) {
        gsize at = i + POINTS * (j + POINTS * k);
        double exact = reference[k + POINTS * (j + POINTS * i)];
        double found = out_double ? out_double[at] : (double)out[at];
        error += (found - exact) * (found - exact);
        square += exact * exact;
      }
  return sqrt(error / square);
}

static void
test_case(gconstpointer data)
{
  const Case *test = data;
  const DebyePotentialKernel *kernel = debye_backend_cpu.potential[DEBYE_POTENTIAL_CUTOFF];
  g_auto(SharedSystem) system = {0};
  g_autofree double *reference = read_reference(test->name);
  shared_system_open(&system, test->topology, test->trajectory, test->frame);
  const DebyeFrame *frame = system.frame;
  const DebyeCharges charges = {frame->x, frame->y, frame->z, debye_topology_get_charges(system.topology),
                                frame->n_atoms};
  for (int exact = 0; exact < 2; exact++) {
    const DebyePotentialSettings settings = settings_of(test, charges.n, exact == 1);
    g_autofree float *out = exact ? NULL : g_new0(float, N_POINTS);
    g_autofree double *out_double = exact ? g_new0(double, N_POINTS) : NULL;
    DebyeKernelPlan *plan = NULL;
    DebyeStatus status;
    g_assert_cmpint(kernel->head.create(0, &settings, &plan, &status), ==, DEBYE_STATUS_OK);
    g_assert_cmpint(kernel->set_charges(plan, &charges, &frame->cell, &status), ==, DEBYE_STATUS_OK);
    g_assert_cmpint(kernel->execute(plan, (DebyeSlab){0, POINTS}, out, out_double, NULL, NULL, &status), ==,
                    DEBYE_STATUS_OK);
    kernel->head.destroy(plan);
    double error = compare(reference, out, out_double);
    g_test_message("%s in %s: error %.2e", test->name, exact ? "double" : "float", error);
    g_assert_cmpfloat(error, <=, exact ? TOLERANCE_DOUBLE : TOLERANCE_FLOAT);
  }
}

int
main(int argc, char **argv)
{
  if (!debye_shared_get_folder())
    return DEBYE_TEST_SKIPPED;
  g_test_init(&argc, &argv, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
    g_autofree char *path = g_strdup_printf("/cutoff-reference/%s", cases[i].name);
    g_test_add_data_func(path, &cases[i], test_case);
  }
  return g_test_run();
}
