/* SPDX-License-Identifier: MIT */
/* Slices dealt cyclically: each once, by the device whose turn it is, to the whole map's values; a device that fails ends the
 * run. */
#include <math.h>
#include <string.h>

#include "app/analysis/driver/device_choice.h"
#include "app/classroom/classroom.h"
#include "app/classroom/kept_ladder.h"
#include "kernels/cpu/backend_cpu.h"
#include "tests/support/fake_backend.h"

#define N_ATOMS 2000
#define SCORE 2e7 /* of a device that is given some 2 s of work by it: a few ms of it in truth */

static DebyeRegistry *
new_registry(void)
{
  DebyeRegistry *registry = debye_registry_new(&debye_backend_cpu, NULL);
  debye_registry_add(registry, &debye_fake_backend);
  return registry;
}

static gsize
choose(const DebyeRegistry *registry, const char *text, const DebyeDeviceEntry **devices)
{
  DebyeStatus status = {0};
  const gsize n = debye_registry_choose(registry, text, devices, DEBYE_MAX_DEVICES, &status);
  g_assert_cmpuint(n, >, 0);
  return n;
}

/* Run `number` dealt to `n` devices: slice k by device k mod n, none before the same device's last one has ended. */
static void
check_slices(DebyeClassroomRecord *record, guint number, guint n)
{
  const DebyeBenchDealRun *run = &g_array_index(record->dealings, DebyeBenchDealRun, number);
  g_autofree double *ends = g_new0(double, n);
  g_autofree gboolean *seen = g_new0(gboolean, run->n_slices);
  guint n_seen = 0;
  g_assert_cmpuint(run->n_devices, ==, n);
  for (guint i = 0; i < record->slices->len; i++) {
    const DebyeBenchDealSlice *slice = &g_array_index(record->slices, DebyeBenchDealSlice, i);
    if (slice->run != number)
      continue;
    g_assert_cmpuint(slice->device, ==, slice->slice % n);
    g_assert_cmpfloat(slice->begin, >=, ends[slice->device]);
    g_assert_cmpfloat(slice->end, >=, slice->begin);
    g_assert_cmpfloat(slice->end, <=, run->seconds);
    g_assert_false(seen[slice->slice]);
    seen[slice->slice] = TRUE;
    ends[slice->device] = slice->end;
    n_seen++;
  }
  g_assert_cmpuint(n_seen, ==, run->n_slices);
  g_assert_cmpfloat(run->rate, >, 0.0);
  /* What the sum in single precision rounds; a slice that is missing would be NAN. */
  g_assert_cmpfloat(run->error, <, 1e-5);
}

static void
check_figures(DebyeClassroomRecord *record)
{
  const guint last = record->dealings->len - 1;
  g_autoptr(DebyePlot) dealt = debye_classroom_plot_slices(record, last),
                       devices = debye_classroom_plot_dealings(record),
                       ions = debye_classroom_plot_ions(record, 0.5, 1e6);
  g_assert_cmpuint(debye_plot_get_n_series(dealt), ==,
                   g_array_index(record->dealings, DebyeBenchDealRun, last).n_devices);
  g_assert_cmpuint(debye_plot_get_n_series(devices), ==, last > 0 ? 3 : 2);
  /* A thread, all of them or the first device and all, and the lecture. */
  g_assert_cmpuint(debye_plot_get_n_series(ions), >=, 2);
}

/* As a session has it. */
static void
check_kept(DebyeClassroomRecord *record)
{
  g_autoptr(GVariant) saved = g_variant_ref_sink(debye_kept_ladder_save(record));
  g_autoptr(DebyeClassroomRecord) loaded = debye_kept_ladder_load(saved);
  g_assert_nonnull(loaded);
  g_assert_cmpuint(loaded->n_slices, ==, record->n_slices);
  g_assert_true(loaded->is_threads == record->is_threads);
  g_assert_cmpfloat(loaded->thread_rate, ==, record->thread_rate);
  g_assert_cmpuint(loaded->slices->len, ==, record->slices->len);
  for (guint i = 0; i < record->slices->len; i++)
    g_assert_cmpfloat(g_array_index(loaded->slices, DebyeBenchDealSlice, i).end, ==,
                      g_array_index(record->slices, DebyeBenchDealSlice, i).end);
  for (guint i = 0; i < record->dealings->len; i++)
    check_slices(loaded, i, g_array_index(record->dealings, DebyeBenchDealRun, i).n_devices);
  /* A slice of a device that isn't there. */
  g_array_index(record->slices, DebyeBenchDealSlice, 0).device = record->devices->len;
  g_autoptr(GVariant) wrong = g_variant_ref_sink(debye_kept_ladder_save(record));
  g_assert_null(debye_kept_ladder_load(wrong));
}

static void
test_devices(void)
{
  debye_fake_reset(3);
  for (int i = 0; i < 3; i++)
    debye_fake_device(i)->score = SCORE;
  DebyeRegistry *registry = new_registry();
  const DebyeDeviceEntry *devices[DEBYE_MAX_DEVICES];
  const gsize n = choose(registry, "auto", devices);
  g_autoptr(GError) error = NULL;
  g_autoptr(DebyeClassroomRecord) record =
      debye_classroom_deal_slices(devices, n, 2, NULL, NULL, NULL, NULL, &error);
  g_assert_no_error(error);
  g_assert_false(record->is_threads);
  g_assert_cmpuint(record->devices->len, ==, 3); /* the processor beside several is left out */
  g_assert_cmpuint(record->dealings->len, ==, 3);
  for (guint i = 0; i < 3; i++)
    check_slices(record, i, i + 1);
  check_figures(record);
  check_kept(record);
  debye_registry_free(registry);
}

/* One alone shares with the processor. */
static void
test_one_device(void)
{
  debye_fake_reset(1);
  debye_fake_device(0)->score = SCORE;
  DebyeRegistry *registry = new_registry();
  const DebyeDeviceEntry *devices[DEBYE_MAX_DEVICES];
  const gsize n = choose(registry, "auto", devices);
  g_autoptr(GError) error = NULL;
  g_autoptr(DebyeClassroomRecord) record =
      debye_classroom_deal_slices(devices, n, 2, NULL, NULL, NULL, NULL, &error);
  g_assert_no_error(error);
  g_assert_cmpuint(record->dealings->len, ==, 2);
  g_assert_cmpstr(g_array_index(record->devices, DebyeClassroomDevice, 1).id, ==, "cpu");
  check_slices(record, 1, 2);
  debye_registry_free(registry);
}

static void
test_failure(void)
{
  debye_fake_reset(2);
  for (int i = 0; i < 2; i++)
    debye_fake_device(i)->score = SCORE;
  debye_fake_device(1)->fail_at = 2;
  DebyeRegistry *registry = new_registry();
  const DebyeDeviceEntry *devices[DEBYE_MAX_DEVICES];
  const gsize n = choose(registry, "auto", devices);
  g_autoptr(GError) error = NULL;
  g_assert_null(debye_classroom_deal_slices(devices, n, 2, NULL, NULL, NULL, NULL, &error));
  g_assert_nonnull(error);
  g_assert_nonnull(strstr(error->message, "execution 2"));
  g_assert_cmpuint(debye_fake_device(0)->n_plans, ==, 0);
  debye_registry_free(registry);
}

static void
test_threads(void)
{
  DebyeRegistry *registry = debye_registry_new(&debye_backend_cpu, NULL);
  const DebyeDeviceEntry *devices[DEBYE_MAX_DEVICES];
  const gsize n = choose(registry, "cpu", devices);
  const volatile bool is_cancelled = true;
  g_autofree float *values = g_new0(float, 4 * N_ATOMS);
  g_autoptr(GRand) random = g_rand_new_with_seed(7);
  g_autoptr(GError) error = NULL;
  for (gsize i = 0; i < 4 * N_ATOMS; i++)
    values[i] = (float)(i < 3 * N_ATOMS ? g_rand_double_range(random, 0.0, 27.0) : (i % 2 > 0 ? 0.4 : -0.4));
  const DebyeCharges charges = {values, values + N_ATOMS, values + 2 * N_ATOMS, values + 3 * N_ATOMS,
                                N_ATOMS};
  g_autoptr(DebyeClassroomRecord) record =
      debye_classroom_deal_slices(devices, n, 2, &charges, "A cube", NULL, NULL, &error);
  g_assert_no_error(error);
  g_assert_true(record->is_threads);
  g_assert_true(g_str_has_prefix(record->subject, "A cube; "));
  g_assert_cmpfloat(record->thread_rate, >, 0.0);
  for (guint i = 0; i < 2; i++)
    check_slices(record, i, i + 1);
  check_figures(record);
  g_assert_null(debye_classroom_deal_slices(devices, n, 2, &charges, "A cube", &is_cancelled, NULL, &error));
  g_assert_nonnull(error);
  debye_registry_free(registry);
}

/* 27 minutes at 117 billion a second are 1.35 hours at 39 billion: the lecture's own figures agree. */
static void
test_ions(void)
{
  g_assert_cmpfloat_with_epsilon(DEBYE_BENCH_DEAL_VIRUS / DEBYE_BENCH_DEAL_VIRUS_GPU, 39e9, 0.01e9);
  /* 1,000 atoms fill 10⁴ Å³, 80,000 points of 0.5 Å. */
  g_assert_cmpfloat_with_epsilon(debye_bench_deal_count_ions(1000.0, 0.5), 8e7, 1.0);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/slices/ions", test_ions);
  g_test_add_func("/slices/devices", test_devices);
  g_test_add_func("/slices/one-device", test_one_device);
  g_test_add_func("/slices/failure", test_failure);
  g_test_add_func("/slices/threads", test_threads);
  return g_test_run();
}
