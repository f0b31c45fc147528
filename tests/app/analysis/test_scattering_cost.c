/* SPDX-License-Identifier: MIT */
/* The estimate of scattering in time against what its runs take: memory in use while the last frame of a
 * pass is read, and how often the frames are read. */
#include <complex.h>
#include <glib/gstdio.h>
#include <math.h>
#include <malloc.h>

#include "app/analysis/analysis_list.h"
#include "app/analysis/scattering/scattering_cost.h"
#include "app/analysis/scattering/time/scattering_pass.h"
#include "app/analysis/scattering/system/scattering_settings.h"
#include "kernels/cpu/backend_cpu.h"
#include "data/files/provenance.h"
#include "tests/support/plans.h"

#define N_ATOMS 40
#define N_FRAMES 200
#define N_VECTORS "400"
/* What else a run takes: frames that are read ahead, threads' own. */
#define ELSE_BYTES 1e6

typedef struct {
  char *folder, *path;
  DebyeRegistry *registry;
} Fixture;

/* Where the sanitizer has the memory, the C library doesn't know of it. */
gsize __sanitizer_get_current_allocated_bytes(void) __attribute__((weak));

static double
bytes_in_use(void)
{
  if (__sanitizer_get_current_allocated_bytes != NULL)
    return (double)__sanitizer_get_current_allocated_bytes();
  const struct mallinfo2 info = mallinfo2();
  return (double)info.uordblks + (double)info.hblkhd;
}

/* Atoms of so many elements in turn. */
static DebyeDataset *
open_atoms(Fixture *fixture, gsize n_species)
{
  static const char *const elements[] = {"C", "H", "N", "O", "S"};
  g_autoptr(GString) text = g_string_new(NULL);
  g_autoptr(GError) error = NULL;
  g_assert_cmpuint(n_species, <=, G_N_ELEMENTS(elements));
  for (guint frame = 0; frame < N_FRAMES; frame++) {
    g_string_append_printf(text, "%d\nframe %u\n", N_ATOMS, frame);
    for (guint atom = 0; atom < N_ATOMS; atom++)
      g_string_append_printf(text, "%s %u.%02u %u %u\n", elements[atom % n_species], 2 * (atom % 4),
                             frame * atom % 100, 2 * (atom / 4 % 4), 2 * (atom / 16));
  }
  g_assert_true(g_file_set_contents(fixture->path, text->str, -1, NULL));
  /* What libcrypto takes once is of no run. */
  g_autoptr(DebyeInputRecord) record = debye_provenance_record_file(fixture->path, NULL, &error);
  g_assert_no_error(error);
  DebyeDataset *dataset = debye_dataset_open((const char *const[]){fixture->path, NULL}, NULL, NULL, &error);
  g_assert_no_error(error);
  return dataset;
}

static void
set_up(Fixture *fixture, gconstpointer data)
{
  (void)data;
  fixture->folder = g_dir_make_tmp("debye-cost-XXXXXX", NULL);
  fixture->path = g_build_filename(fixture->folder, "moving.xyz", NULL);
  fixture->registry = debye_registry_new(&debye_backend_cpu, "/nonexistent");
}

static void
tear_down(Fixture *fixture, gconstpointer data)
{
  (void)data;
  debye_registry_free(fixture->registry);
  g_unlink(fixture->path);
  g_rmdir(fixture->folder);
  g_free(fixture->folder);
  g_free(fixture->path);
}

typedef struct {
  double before, bytes; /* in use, and the most beyond it */
  guint n_passes;
} Taken;

static void
look(double fraction, const char *message, gpointer data)
{
  Taken *taken = data;
  const double bytes = bytes_in_use() - taken->before;
  (void)fraction;
  taken->bytes = MAX(taken->bytes, bytes);
  if (sscanf(message, "pass %u", &taken->n_passes) != 1)
    g_error("“%s” names no pass", message);
}

typedef struct {
  double estimated;
  gsize n_passes;
  Taken taken;
} Cost;

static Cost
find_cost(Fixture *fixture, gsize n_species, const char *const *settings)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(DebyeDataset) dataset = open_atoms(fixture, n_species);
  g_autoptr(DebyeRequest) request = debye_request_new(debye_analysis_scattering.table);
  g_auto(DebyeScatteringPlan) plan = {0};
  Cost cost = {0};
  DebyeEstimate estimate;
  const DebyeRunCallbacks callbacks = {.progress = look, .data = &cost.taken};
  const DebyeRunInput input = {
      .dataset = dataset, .request = request, .registry = fixture->registry, .callbacks = &callbacks};
  const char *const common[] = {"dynamic",           "yes",     "q", "1", "orientation",
                                "sphere:" N_VECTORS, "threads", "1", NULL};
  for (gsize i = 0; common[i] != NULL; i += 2)
    g_assert_true(debye_request_set(request, common[i], common[i + 1], NULL));
  for (gsize i = 0; settings[i] != NULL; i += 2)
    g_assert_true(debye_request_set(request, settings[i], settings[i + 1], NULL));
  g_assert_true(plan_and_estimate(&debye_analysis_scattering, &input, &estimate, &error));
  g_assert_no_error(error);
  cost.estimated = (double)estimate.host_bytes;
  debye_estimate_clear(&estimate);
  g_assert_true(debye_scattering_plan_init(&plan, dataset, request, NULL, &error));
  g_assert_cmpuint(plan.scatterers.species->len, ==, n_species);
  cost.n_passes = debye_scattering_cost_passes(&plan);
  cost.taken.before = bytes_in_use();
  g_autoptr(DebyeResult) result = plan_and_run(&debye_analysis_scattering, &input, &error);
  g_assert_no_error(error);
  g_assert_nonnull(result);
  g_test_message("%" G_GSIZE_FORMAT " species: %.2f MB taken, %.2f MB estimated; %u passes, %" G_GSIZE_FORMAT
                 " estimated",
                 n_species, 1e-6 * cost.taken.bytes, 1e-6 * cost.estimated, cost.taken.n_passes,
                 cost.n_passes);
  return cost;
}

#define COST(n_species, ...) find_cost(fixture, n_species, (const char *const[]){__VA_ARGS__, NULL})

/* What each species more takes is what it is estimated to take, and all of it is estimated. But not what a
 * device has of its own: the amplitudes of the frames that it sums together. And no frame is read beside the
 * buffers of correlations, which are as much as one species' series, twice. */
static void
check(Fixture *fixture, const char *partials)
{
  static const gsize counts[] = {2, 5};
  const double of_vectors = atof(N_VECTORS) * sizeof(double complex);
  const double of_device = DEBYE_SCATTERING_PASS_FRAMES * of_vectors, later = 2.0 * N_FRAMES * of_vectors;
  const Cost one = COST(1, "kind", "coherent", "partials", partials);
  for (gsize i = 0; i < G_N_ELEMENTS(counts); i++) {
    const Cost cost = COST(counts[i], "kind", "coherent", "partials", partials);
    const double more_species = (double)(counts[i] - 1);
    const double more_taken = cost.taken.bytes - one.taken.bytes - more_species * of_device;
    g_assert_cmpfloat(ABS(cost.estimated - one.estimated - more_taken), <=, 1e5 * more_species);
    g_assert_cmpfloat(cost.taken.bytes, <=, cost.estimated + (more_species + 1.0) * of_device + ELSE_BYTES);
    g_assert_cmpfloat(cost.taken.bytes, >=, cost.estimated - later);
  }
}

static void
test_series(Fixture *fixture, gconstpointer data)
{
  (void)data;
  check(fixture, "yes");
  check(fixture, "no");
}

static void
test_passes(Fixture *fixture, gconstpointer data)
{
  (void)data;
  static const char *const limits[] = {"64 MB", "16 MB", "8 MB", "4 MB"};
  gsize most = 0;
  for (gsize n_species = 1; n_species <= 5; n_species += 2)
    for (gsize i = 0; i < G_N_ELEMENTS(limits); i++) {
      const Cost cost = COST(n_species, "kind", "coherent", "partials", "yes", "memory", limits[i]);
      g_assert_cmpuint(cost.n_passes, ==, cost.taken.n_passes);
      most = MAX(most, cost.n_passes);
    }
  g_assert_cmpuint(most, >, 2);
  const Cost both = COST(2, "kind", "total", "partials", "yes", "memory", "64 MB");
  g_assert_cmpuint(both.n_passes, ==, 2);
  g_assert_cmpuint(both.taken.n_passes, ==, 2);
}

static void
remember(double fraction, G_GNUC_UNUSED const char *message, gpointer last)
{
  g_assert_cmpfloat(fraction, >=, *(double *)last);
  *(double *)last = fraction;
}

/* Of an incoherent I(q) by volume the cells are all that is read: that is the whole way. */
static void
test_cells_alone(Fixture *fixture, gconstpointer data)
{
  (void)data;
  g_autoptr(GString) text = g_string_new(NULL);
  g_autoptr(GError) error = NULL;
  double last = 0.0;
  for (guint frame = 0; frame < 5; frame++)
    g_string_append(text, "1\nLattice=\"8 0 0 0 8 0 0 0 8\"\nH 1 1 1\n");
  g_assert_true(g_file_set_contents(fixture->path, text->str, -1, NULL));
  g_autoptr(DebyeDataset) dataset =
      debye_dataset_open((const char *const[]){fixture->path, NULL}, NULL, NULL, &error);
  g_assert_no_error(error);
  g_autoptr(DebyeRequest) request = debye_request_new(&debye_scattering_settings);
  g_assert_true(debye_request_set(request, "kind", "incoherent", NULL));
  g_assert_true(debye_request_set(request, "normalise", "absolute", NULL));
  g_assert_true(debye_request_set(request, "q", "1,2", NULL));
  const DebyeRunCallbacks callbacks = {.progress = remember, .data = &last};
  const DebyeRunInput input = {
      .dataset = dataset, .request = request, .registry = fixture->registry, .callbacks = &callbacks};
  g_autoptr(DebyeResult) result = plan_and_run(&debye_analysis_scattering, &input, &error);
  g_assert_no_error(error);
  g_assert_cmpfloat(last, ==, 1.0);
}

/* Of an incoherent F(q, τ): what follows the count of displacements grows with each q by as much. */
static void
test_displacements(Fixture *fixture, gconstpointer data)
{
  (void)data;
  static const char *const qs[] = {"1", "0.5,1", "0.2,0.5,0.8,1"};
  double seconds[G_N_ELEMENTS(qs)];
  g_autoptr(DebyeDataset) dataset = open_atoms(fixture, 2);
  for (gsize i = 0; i < G_N_ELEMENTS(qs); i++) {
    g_autoptr(DebyeRequest) request = debye_request_new(debye_analysis_scattering.table);
    g_autoptr(GError) error = NULL;
    g_auto(DebyeScatteringPlan) plan = {0};
    g_assert_true(debye_request_set(request, "kind", "incoherent", NULL));
    g_assert_true(debye_request_set(request, "dynamic", "yes", NULL));
    g_assert_true(debye_request_set(request, "q", qs[i], NULL));
    g_assert_true(debye_scattering_plan_init(&plan, dataset, request, NULL, &error));
    /* Devices that take no time leave the cores' part. */
    const DebyeFormulaBasis none = {0};
    seconds[i] = debye_scattering_cost_seconds(&plan, &none, HUGE_VAL, 1.0);
  }
  g_assert_cmpfloat(seconds[0], >, 0.0);
  g_assert_cmpfloat(fabs((seconds[2] - seconds[0]) / (seconds[1] - seconds[0]) - 3.0), <, 1e-6);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add("/scattering-cost/series", Fixture, NULL, set_up, test_series, tear_down);
  g_test_add("/scattering-cost/passes", Fixture, NULL, set_up, test_passes, tear_down);
  g_test_add("/scattering-cost/displacements", Fixture, NULL, set_up, test_displacements, tear_down);
  g_test_add("/scattering-cost/cells-alone", Fixture, NULL, set_up, test_cells_alone, tear_down);
  return g_test_run();
}
