/* SPDX-License-Identifier: MIT */
/* The exact average over orientations of crystals and of a body at random, each large enough not to be summed pair by pair:
 * the tolerance holds at every q on whichever devices are chosen, where they fail, too, and the notes say which way was taken. */
#include <math.h>
#include <string.h>

#include "app/analysis/analysis_list.h"
#include "app/analysis/scattering/intensity/scattering_formula_cost.h"
#include "app/analysis/scattering/scattering_cost.h"
#include "app/analysis/scattering/system/scattering_settings.h"
#include "kernels/cpu/backend_cpu.h"
#include "kernels/scattering/scattering_debye.h"
#include "tests/support/fake_backend.h"
#include "tests/support/plans.h"
#include "tests/support/temporary.h"

#define N_ATOMS 4096 /* 16³, and 4·1024 */
#define TOLERANCE 5e-6

static const char BY_LATTICE[] = "from amplitudes on the reciprocal lattice",
                  BY_MOMENTS[] = "from four moments";

typedef struct {
  DebyeTemporaryFolder *folder;
  DebyeRegistry *registry;
  float x[N_ATOMS], y[N_ATOMS], z[N_ATOMS];
} Fixture;

static void
set_up(Fixture *fixture, G_GNUC_UNUSED gconstpointer data)
{
  fixture->folder = debye_temporary_folder_new();
  debye_fake_reset(1);
  fixture->registry = debye_registry_new(&debye_backend_cpu, NULL);
  debye_registry_add(fixture->registry, &debye_fake_backend);
}

static void
tear_down(Fixture *fixture, G_GNUC_UNUSED gconstpointer data)
{
  g_assert_cmpuint(atomic_load(&debye_fake_device(0)->n_plans), ==, 0);
  debye_registry_free(fixture->registry);
  debye_temporary_folder_free(fixture->folder);
}

static DebyeDataset *
open_body(const Fixture *fixture)
{
  g_autoptr(GString) text = g_string_new(NULL);
  g_autoptr(GError) error = NULL;
  g_string_append_printf(text, "%d\n\n", N_ATOMS);
  for (gsize i = 0; i < N_ATOMS; i++)
    g_string_append_printf(text, "C %.3f %.3f %.3f\n", (double)fixture->x[i], (double)fixture->y[i],
                           (double)fixture->z[i]);
  g_autofree char *path = debye_temporary_write(fixture->folder, "body.xyz", text->str, text->len);
  DebyeDataset *dataset = debye_dataset_open((const char *const[]){path, NULL}, NULL, NULL, &error);
  g_assert_no_error(error);
  return dataset;
}

static DebyeRequest *
make_request(const char *device)
{
  DebyeRequest *request = debye_request_new(debye_analysis_scattering.table);
  const char *const settings[][2] = {
      {"device", device}, {"orientation", "exact"}, {"normalise", "raw"}, {"q", "0:0.99:0.033"}};
  for (gsize i = 0; i < G_N_ELEMENTS(settings); i++)
    g_assert_true(debye_request_set(request, settings[i][0], settings[i][1], NULL));
  return request;
}

static DebyeResult *
run(const Fixture *fixture, DebyeDataset *dataset, DebyeRequest *request)
{
  g_autoptr(GError) error = NULL;
  const DebyeRunInput input = {.dataset = dataset, .request = request, .registry = fixture->registry};
  DebyeResult *result = plan_and_run(&debye_analysis_scattering, &input, &error);
  g_assert_no_error(error);
  return result;
}

static void
check_estimate(const Fixture *fixture, DebyeDataset *dataset, const char *device, gboolean is_accelerated)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(DebyeRequest) request = make_request(device);
  DebyeEstimate estimate = {0};
  const DebyeRunInput input = {.dataset = dataset, .request = request, .registry = fixture->registry};
  g_assert_true(plan_and_estimate(&debye_analysis_scattering, &input, &estimate, &error));
  g_assert_no_error(error);
  g_assert_cmpint(estimate.is_accelerated, ==, is_accelerated);
  debye_estimate_clear(&estimate);
}

static gboolean
has_note(DebyeResult *result, const char *part)
{
  const GPtrArray *notes = debye_result_get_notes(result);
  for (guint i = 0; i < notes->len; i++)
    if (strstr(((const DebyeNote *)g_ptr_array_index(notes, i))->text, part) != NULL)
      return TRUE;
  return FALSE;
}

/* In units of the intensity at q = 0, which is that of N² pairs. */
static void
check_curve(const Fixture *fixture, DebyeResult *result)
{
  g_autoptr(DebyeCurve) curve = g_list_model_get_item(debye_result_get_curves(result), 0);
  const gsize n_q = debye_curve_get_n_points(curve), first[2] = {0, N_ATOMS};
  const double *intensity = debye_curve_get_y(curve);
  const DebyeScatteringGroups groups = {.n_groups = 1, .first = first};
  const DebyeScatteringFrame frame = {.x = fixture->x, .y = fixture->y, .z = fixture->z};
  g_autofree double *exact = g_new(double, n_q);
  double largest = 0.0;
  g_assert_cmpuint(n_q, ==, 31);
  g_assert_cmpint(debye_formula_products(&groups, &frame, debye_curve_get_x(curve), n_q, exact, NULL, NULL),
                  ==, DEBYE_STATUS_OK);
  for (gsize k = 0; k < n_q; k++)
    largest = fmax(largest, fabs(intensity[k] / intensity[0] * N_ATOMS - exact[k] / N_ATOMS));
  g_test_message("largest error %g of the number of atoms", largest);
  g_assert_cmpfloat(largest, <=, TOLERANCE);
}

static void
check_body(const Fixture *fixture, const char *way)
{
  /* A short run isn't worth an accelerator's start where none is asked for. */
  static const char *const devices[] = {"cpu", "auto", "fake:0", "fake:0,cpu"};
  g_autoptr(DebyeDataset) dataset = open_body(fixture);
  for (gsize i = 0; i < G_N_ELEMENTS(devices); i++) {
    g_autoptr(DebyeRequest) request = make_request(devices[i]);
    g_autoptr(DebyeResult) result = run(fixture, dataset, request);
    g_assert_true(has_note(result, way));
    g_assert_false(has_note(result, way == BY_LATTICE ? BY_MOMENTS : BY_LATTICE));
    g_assert_false(has_note(result, "pair by pair"));
    check_curve(fixture, result);
    const gboolean is_accelerated = way == BY_LATTICE && i > 1;
    check_estimate(fixture, dataset, devices[i], is_accelerated);
    g_assert_cmpint(has_note(result, "Device fake:0"), ==, is_accelerated);
    if (i == 2)
      g_assert_cmpuint(atomic_load(&debye_fake_device(0)->n_executed), ==, is_accelerated);
  }
  g_assert_cmpuint(atomic_load(&debye_fake_device(0)->n_woken), ==, 0);
}

static void
make_simple_cubic(Fixture *fixture)
{
  for (gsize i = 0; i < N_ATOMS; i++) {
    fixture->x[i] = (float)(6 * (i % 16));
    fixture->y[i] = (float)(6 * (i / 16 % 16));
    fixture->z[i] = (float)(6 * (i / 256));
  }
}

/* Much room for few atoms: moments are less work. */
static void
test_simple_cubic(Fixture *fixture, G_GNUC_UNUSED gconstpointer data)
{
  make_simple_cubic(fixture);
  check_body(fixture, BY_MOMENTS);
}

static void
test_face_centred(Fixture *fixture, G_GNUC_UNUSED gconstpointer data)
{
  for (gsize i = 0; i < N_ATOMS; i++) {
    const gsize cell = i / 4, centre = i % 4;
    fixture->x[i] = (float)(2 * (cell % 8) + (centre == 2 || centre == 3));
    fixture->y[i] = (float)(2 * (cell / 8 % 8) + (centre == 1 || centre == 3));
    fixture->z[i] = (float)(2 * (cell / 64) + (centre == 1 || centre == 2));
  }
  check_body(fixture, BY_LATTICE);
}

static void
make_random(Fixture *fixture)
{
  float *const columns[] = {fixture->x, fixture->y, fixture->z};
  g_autoptr(GRand) random = g_rand_new_with_seed(3);
  for (gsize i = 0; i < N_ATOMS; i++)
    for (gsize axis = 0; axis < 3; axis++)
      columns[axis][i] = (float)g_rand_int_range(random, 0, 25000) / 1000.0f;
}

static void
test_random(Fixture *fixture, G_GNUC_UNUSED gconstpointer data)
{
  make_random(fixture);
  check_body(fixture, BY_LATTICE);
}

/* A device that fails or has no memory leaves the lattice to the processor, and where there is none beside it moments do. */
static void
test_failures(Fixture *fixture, G_GNUC_UNUSED gconstpointer data)
{
  static const struct {
    const char *device, *way;
    unsigned fail_at;
    DebyeStatusCode create_code;
  } cases[] = {{"fake:0", BY_MOMENTS, 1, DEBYE_STATUS_OK},
               {"fake:0,cpu", BY_LATTICE, 1, DEBYE_STATUS_OK},
               {"fake:0", BY_MOMENTS, 0, DEBYE_STATUS_NO_MEMORY},
               {"fake:0,cpu", BY_LATTICE, 0, DEBYE_STATUS_NO_MEMORY}};
  make_random(fixture);
  g_autoptr(DebyeDataset) dataset = open_body(fixture);
  for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
    g_autoptr(DebyeRequest) request = make_request(cases[i].device);
    debye_fake_device(0)->score = 1e13;
    debye_fake_device(0)->fail_at = cases[i].fail_at;
    debye_fake_device(0)->create_code = cases[i].create_code;
    g_autoptr(DebyeResult) result = run(fixture, dataset, request);
    g_assert_true(has_note(result, cases[i].way));
    check_curve(fixture, result);
  }
}

/* A body that grows from frame to frame beyond its lattice: whoever computes which. */
static void
test_growing(Fixture *fixture, G_GNUC_UNUSED gconstpointer data)
{
  static const char *const devices[] = {"cpu", "fake", "fake,cpu"};
  const gsize n_frames = 12;
  g_autoptr(GString) text = g_string_new(NULL);
  g_autoptr(DebyeCurve) first = NULL;
  make_random(fixture);
  for (gsize frame = 0; frame < n_frames; frame++) {
    const double size = 1.0 + 0.02 * (double)frame;
    g_string_append_printf(text, "%d\n\n", N_ATOMS);
    for (gsize i = 0; i < N_ATOMS; i++)
      g_string_append_printf(text, "C %.3f %.3f %.3f\n", size * (double)fixture->x[i],
                             size * (double)fixture->y[i], size * (double)fixture->z[i]);
  }
  g_autofree char *path = debye_temporary_write(fixture->folder, "growing.xyz", text->str, text->len);
  g_autoptr(DebyeDataset) dataset = debye_dataset_open((const char *const[]){path, NULL}, NULL, NULL, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS(devices); i++) {
    g_autoptr(DebyeRequest) request = make_request(devices[i]);
    g_autoptr(DebyeResult) result = run(fixture, dataset, request);
    g_autoptr(DebyeCurve) curve = g_list_model_get_item(debye_result_get_curves(result), 0);
    g_assert_true(has_note(result, BY_LATTICE));
    if (first == NULL)
      first = g_object_ref(curve);
    for (gsize k = 0; k < debye_curve_get_n_points(curve); k++)
      g_assert_cmpfloat(fabs(debye_curve_get_y(curve)[k] / debye_curve_get_y(first)[k] - 1.0), <, 1e-6);
  }
  g_assert_cmpuint(atomic_load(&debye_fake_device(0)->n_executed), >=, n_frames);
}

/* Frames that had the lattice before its only device failed: both ways are said. */
static void
test_failure_in_between(Fixture *fixture, G_GNUC_UNUSED gconstpointer data)
{
  const gsize n_frames = 18, n_before = 16; /* as many as are summed together */
  g_autoptr(GString) text = g_string_new(NULL);
  g_autoptr(GError) error = NULL;
  make_random(fixture);
  for (gsize frame = 0; frame < n_frames; frame++) {
    g_string_append_printf(text, "%d\n\n", N_ATOMS);
    for (gsize i = 0; i < N_ATOMS; i++)
      g_string_append_printf(text, "C %.3f %.3f %.3f\n", (double)fixture->x[i], (double)fixture->y[i],
                             (double)fixture->z[i]);
  }
  g_autofree char *path = debye_temporary_write(fixture->folder, "many.xyz", text->str, text->len);
  g_autoptr(DebyeDataset) dataset = debye_dataset_open((const char *const[]){path, NULL}, NULL, NULL, &error);
  g_assert_no_error(error);
  g_autoptr(DebyeRequest) request = make_request("fake:0");
  debye_fake_device(0)->score = 1e13;
  debye_fake_device(0)->fail_at = n_before + 1;
  debye_fake_device(0)->execute_code = DEBYE_STATUS_DEVICE_FAILED;
  g_autoptr(DebyeResult) result = run(fixture, dataset, request);
  g_assert_true(has_note(result, BY_LATTICE));
  g_assert_true(has_note(result, BY_MOMENTS));
  check_curve(fixture, result);
}

/* --- What the choice and the estimate go by --- */

static void
make_plan(DebyeScatteringPlan *plan, DebyeDataset *dataset, const char *q)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(DebyeRequest) request = make_request("fake:0");
  g_assert_true(debye_request_set(request, "q", q, NULL));
  g_assert_true(debye_scattering_plan_init(plan, dataset, request, NULL, &error));
  g_assert_no_error(error);
}

static DebyeFormulaBasis
find_basis(const Fixture *fixture, const DebyeScatteringPlan *plan, const DebyeRanks *ranks)
{
  const DebyeDeviceEntry *devices[DEBYE_MAX_DEVICES];
  const gsize n = debye_registry_choose(fixture->registry, "fake:0", devices, DEBYE_MAX_DEVICES, NULL);
  g_assert_cmpuint(n, ==, 1);
  return debye_scattering_formula_basis(plan, devices, n, ranks);
}

static void
with_one_thread(double *values, gsize n)
{
  g_assert_cmpuint(n, ==, 3);
  values[2] = fmin(values[2], 1.0);
}

static void
without_accelerator(double *values, gsize n)
{
  with_one_thread(values, n);
  values[0] = 0.0;
}

/* Another process' devices and threads count: what one of them can't do is done by none. */
static void
test_processes(Fixture *fixture, G_GNUC_UNUSED gconstpointer data)
{
  g_auto(DebyeScatteringPlan) plan = {0};
  make_simple_cubic(fixture);
  debye_fake_device(0)->score = 1e13;
  debye_registry_free(fixture->registry);
  fixture->registry = debye_registry_new(&debye_backend_cpu, NULL);
  debye_registry_add(fixture->registry, &debye_fake_backend);
  g_autoptr(DebyeDataset) dataset = open_body(fixture);
  make_plan(&plan, dataset, "0:0.99:0.033");
  plan.memory_limit = 10000000000;
  const DebyeRanks slow = {.n_ranks = 2, .least = with_one_thread},
                   bare = {.n_ranks = 2, .least = without_accelerator};
  const DebyeFormulaBasis alone = find_basis(fixture, &plan, NULL),
                          with_slow = find_basis(fixture, &plan, &slow),
                          with_bare = find_basis(fixture, &plan, &bare);
  g_assert_cmpfloat(alone.speed, ==, 1e13);
  g_assert_cmpfloat(alone.n_threads, >=, 1.0);
  g_assert_cmpfloat(with_slow.n_threads, ==, 1.0);
  g_assert_cmpfloat(with_slow.least_reach, ==, with_bare.reach);
  g_assert_true(debye_scattering_formula_wants(&plan, &with_slow));
  g_assert_false(debye_scattering_formula_wants(&plan, &with_bare));
  /* The frame's own way is the same, on a process whose device is quick enough, too. */
  const DebyeFormulaLattice lattice =
      debye_formula_lattice(with_slow.reach, 0.99, plan.settings.tolerance, N_ATOMS);
  g_assert_true(debye_scattering_formula_suits_lattice(&plan, plan.q->len, &with_slow, &lattice));
  g_assert_false(debye_scattering_formula_suits_lattice(&plan, plan.q->len, &with_bare, &lattice));
}

/* Of a lattice on accelerators: more cores don't shorten a frame's wait, a processor without the memory for it adds nothing to
 * the speed, and the host's own lists and sums are told. */
static void
test_accelerators(Fixture *fixture, G_GNUC_UNUSED gconstpointer data)
{
  g_auto(DebyeScatteringPlan) plan = {0};
  make_simple_cubic(fixture);
  g_autoptr(DebyeDataset) dataset = open_body(fixture);
  make_plan(&plan, dataset, "0:2.97:0.033");
  DebyeFormulaBasis basis = {.speed = 1e16, .memory = 1e13, .n_threads = 1.0, .reach = 160.0};
  DebyeFormulaLattice lattice = debye_formula_lattice(160.0, 2.97, plan.settings.tolerance, N_ATOMS);
  g_assert_false(debye_scattering_formula_fits_processor(&plan, plan.q->len, &lattice));
  g_assert_true(debye_scattering_formula_suits_lattice(&plan, plan.q->len, &basis, &lattice));
  const double wait = debye_scattering_cost_seconds(&plan, &basis, HUGE_VAL, 1.0);
  g_assert_cmpfloat(debye_scattering_formula_wait(&plan, &basis), >, 0.0);
  g_assert_cmpfloat(wait, >=, debye_scattering_formula_wait(&plan, &basis));
  g_assert_cmpfloat(debye_scattering_cost_seconds(&plan, &basis, HUGE_VAL, 64.0), ==, wait);
  g_assert_cmpfloat(debye_scattering_formula_speed(&plan, &basis, 2e16), ==, basis.speed);
  const double bytes = (double)debye_scattering_formula_bytes(&plan, &basis);
  g_test_message("%.3g bytes of the host", bytes);
  g_assert_cmpfloat(bytes, >=,
                    debye_formula_lattice_count_host_bytes(&lattice, 1, N_ATOMS, plan.q->len) - 1.0);
  g_assert_cmpfloat(bytes, <, 2e9);
  /* Small enough for the processor, which then adds its part. */
  basis.reach = 40.0;
  lattice = debye_formula_lattice(40.0, 2.97, plan.settings.tolerance, N_ATOMS);
  g_assert_true(debye_scattering_formula_fits_processor(&plan, plan.q->len, &lattice));
  g_assert_cmpfloat(debye_scattering_formula_speed(&plan, &basis, 2e16), ==, 2e16);
}

/* Where memory is short moments take what they may, and as long as that is something, the estimate says so. */
static void
test_memory(Fixture *fixture, G_GNUC_UNUSED gconstpointer data)
{
  static const struct {
    const char *limit;
    double least, most;
  } cases[] = {{"600 kB", 4e5, 6e5}, {"180 kB", 1.4e5, 1.8e5}};
  make_simple_cubic(fixture);
  g_autoptr(DebyeDataset) dataset = open_body(fixture);
  for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
    g_autoptr(GError) error = NULL;
    g_autoptr(DebyeRequest) request = make_request("cpu");
    const DebyeRunInput input = {.dataset = dataset, .request = request, .registry = fixture->registry};
    DebyeEstimate estimate = {0};
    g_assert_true(debye_request_set(request, "memory", cases[i].limit, NULL));
    g_assert_true(plan_and_estimate(&debye_analysis_scattering, &input, &estimate, &error));
    g_assert_no_error(error);
    g_assert_cmpfloat((double)estimate.host_bytes, >, cases[i].least);
    g_assert_cmpfloat((double)estimate.host_bytes, <=, cases[i].most);
    debye_estimate_clear(&estimate);
    g_autoptr(DebyeResult) result = run(fixture, dataset, request);
    g_assert_true(has_note(result, BY_MOMENTS));
    check_curve(fixture, result);
  }
}

/* A lattice of more than 2 GB is taken where a limit allows it, and otherwise not, however much memory is free. */
static void
test_lattice_memory(Fixture *fixture, G_GNUC_UNUSED gconstpointer data)
{
  static const gsize n_atoms = 40000;
  static const char *const limits[] = {"", "100G"};
  guint64 bytes[2];
  g_autoptr(GString) text = g_string_new(NULL);
  g_string_append_printf(text, "%" G_GSIZE_FORMAT "\n\n", n_atoms);
  for (gsize i = 0; i < n_atoms; i++)
    g_string_append_printf(text, "C %zu %zu %zu\n", 2 * (i % 34), 2 * (i / 34 % 34), 2 * (i / 1156));
  g_autofree char *path = debye_temporary_write(fixture->folder, "large.xyz", text->str, text->len);
  g_autoptr(DebyeDataset) dataset = debye_dataset_open((const char *const[]){path, NULL}, NULL, NULL, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS(limits); i++) {
    g_autoptr(DebyeRequest) request = make_request("cpu");
    DebyeEstimate estimate = {0};
    const DebyeRunInput input = {.dataset = dataset, .request = request, .registry = fixture->registry};
    g_assert_true(debye_request_set(request, "q", "0:2.1:0.1", NULL));
    g_assert_true(debye_request_set(request, "memory", limits[i], NULL));
    g_assert_true(plan_and_estimate(&debye_analysis_scattering, &input, &estimate, NULL));
    bytes[i] = estimate.host_bytes;
    debye_estimate_clear(&estimate);
  }
  g_test_message("%.3g bytes without a limit, %.3g with one", (double)bytes[0], (double)bytes[1]);
  g_assert_cmpfloat((double)bytes[0], <, 2e9);
  g_assert_cmpfloat((double)bytes[1], >, 2e9);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add("/scattering-formula/simple-cubic", Fixture, NULL, set_up, test_simple_cubic, tear_down);
  g_test_add("/scattering-formula/face-centred", Fixture, NULL, set_up, test_face_centred, tear_down);
  g_test_add("/scattering-formula/random", Fixture, NULL, set_up, test_random, tear_down);
  g_test_add("/scattering-formula/failures", Fixture, NULL, set_up, test_failures, tear_down);
  g_test_add("/scattering-formula/growing", Fixture, NULL, set_up, test_growing, tear_down);
  g_test_add("/scattering-formula/failure-in-between", Fixture, NULL, set_up, test_failure_in_between,
             tear_down);
  g_test_add("/scattering-formula/processes", Fixture, NULL, set_up, test_processes, tear_down);
  g_test_add("/scattering-formula/accelerators", Fixture, NULL, set_up, test_accelerators, tear_down);
  g_test_add("/scattering-formula/memory", Fixture, NULL, set_up, test_memory, tear_down);
  g_test_add("/scattering-formula/lattice-memory", Fixture, NULL, set_up, test_lattice_memory, tear_down);
  return g_test_run();
}
