/* SPDX-License-Identifier: MIT */
/* Pairs counted from frames that reach the devices packed are those counted from the same frames unpacked: with a device and the
 * processor side by side, with frames among them that can't stay packed, and with devices that fail. */
#include <string.h>

#include "app/analysis/analysis_list.h"
#include "app/analysis/driver/job_file.h"
#include "app/analysis/driver/packed_choice.h"
#include "app/analysis/pairs/rdf_settings.h"
#include "data/trajectory/format_list.h"
#include "kernels/cpu/backend_cpu.h"
#include "tests/support/fake_backend.h"
#include "tests/support/plans.h"
#include "tests/support/temporary.h"

/* So many that staying packed is worth it on any number of cores. */
#define N_ATOMS 150000
#define N_PACKED 4
#define N_COARSE 2

typedef struct {
  DebyeTemporaryFolder *folder;
  DebyeDataset *dataset;
  DebyeRegistry *registry;
} Fixture;

static char *
write_structure(const DebyeTemporaryFolder *folder)
{
  GString *text = g_string_new("walk\n");
  g_string_append_printf(text, "%5d\n", N_ATOMS);
  for (int i = 0; i < N_ATOMS; i++)
    g_string_append_printf(text, "%5d%-5s%5s%5d%8d.000%8d.000%8d.000\n", 1 + i / 3 % 99999, "SOL",
                           i % 3 == 0 ? "OW" : "HW", (i + 1) % 100000, 0, 0, 0);
  g_string_append(text, "   3.0   3.0   3.0\n");
  char *path = debye_temporary_write(folder, "walk.gro", text->str, text->len);
  g_string_free(text, TRUE);
  return path;
}

/* Of so low a precision that coordinates may be too far to be taken unseen. */
static char *
write_coarse(const DebyeTemporaryFolder *folder)
{
  static const guint8 coarse[4] = {0x41, 0x20, 0, 0}; /* 10 steps a nanometre */
  g_autofree char *path = g_build_filename(folder, "coarse.xtc", NULL);
  g_autofree char *bytes = NULL;
  gsize n = 0;
  debye_temporary_write_trajectory(&debye_format_xtc, path, N_ATOMS, N_COARSE);
  g_assert_true(g_file_get_contents(path, &bytes, &n, NULL));
  for (gsize at = 0; at + 56 < n; at++) /* each frame's 1000 behind its second number of atoms */
    if (memcmp(bytes + at, "\x00\x02\x49\xf0\x44\x7a\x00\x00", 8) == 0)
      memcpy(bytes + at + 4, coarse, sizeof coarse);
  return debye_temporary_write(folder, "coarse.xtc", bytes, n);
}

static void
set_up(Fixture *fixture, G_GNUC_UNUSED gconstpointer data)
{
  g_autoptr(GError) error = NULL;
  fixture->folder = debye_temporary_folder_new();
  g_autofree char *structure = write_structure(fixture->folder);
  g_autofree char *coarse = write_coarse(fixture->folder);
  g_autofree char *walk = g_build_filename(fixture->folder, "walk.xtc", NULL);
  debye_temporary_write_trajectory(&debye_format_xtc, walk, N_ATOMS, N_PACKED);
  const char *const paths[] = {structure, walk, coarse, NULL};
  fixture->dataset = debye_dataset_open(paths, NULL, NULL, &error);
  g_assert_no_error(error);
  debye_fake_reset(1);
  fixture->registry = debye_registry_new(&debye_backend_cpu, NULL);
  debye_registry_add(fixture->registry, &debye_fake_backend);
}

static void
tear_down(Fixture *fixture, G_GNUC_UNUSED gconstpointer data)
{
  g_assert_cmpuint(atomic_load(&debye_fake_device(0)->n_plans), ==, 0);
  g_clear_object(&fixture->dataset);
  debye_registry_free(fixture->registry);
  debye_temporary_folder_free(fixture->folder);
}

static DebyeResult *
run(const Fixture *fixture, const char *device, const char *key, const char *value)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(DebyeRequest) request = debye_request_new(&debye_rdf_settings);
  const char *const pairs[][2] = {{"device", device},
                                  {"pair", "name OW | name OW"},
                                  {"pair", "name OW | name HW"},
                                  {"max", "1.5"},
                                  {"width", "0.1"},
                                  {key, value}};
  for (gsize i = 0; i < G_N_ELEMENTS(pairs) && pairs[i][0] != NULL; i++) {
    debye_request_set(request, pairs[i][0], pairs[i][1], &error);
    g_assert_no_error(error);
  }
  const DebyeRunInput input = {
      .dataset = fixture->dataset, .request = request, .registry = fixture->registry};
  DebyeResult *result = plan_and_run(&debye_analysis_rdf, &input, &error);
  g_assert_no_error(error);
  return result;
}

static void
assert_same_counts(DebyeResult *found, DebyeResult *expected)
{
  DebyeTable *tables[] = {debye_job_file_find_table(found, "counts"),
                          debye_job_file_find_table(expected, "counts")};
  const gsize n = debye_table_get_n_rows(tables[1]);
  double total = 0.0;
  g_assert_cmpuint(debye_table_get_n_columns(tables[0]), ==, debye_table_get_n_columns(tables[1]));
  for (gsize k = 0; k < debye_table_get_n_columns(tables[1]); k++) {
    const double *column = debye_table_get_numbers(tables[1], k);
    g_assert_cmpmem(debye_table_get_numbers(tables[0], k), n * sizeof(double), column, n * sizeof(double));
    for (gsize i = 0; i < n; i++)
      total += column[i];
  }
  g_assert_cmpfloat(total, >, 1e6);
}

static guint
count_packed(void)
{
  return atomic_exchange(&debye_fake_device(0)->n_packed, 0);
}

/* The number of packed frames that reached the device, or that there may be where the processor takes some. */
static void
test_counts(Fixture *fixture, G_GNUC_UNUSED gconstpointer data)
{
  g_autoptr(DebyeResult) expected = run(fixture, "cpu", NULL, NULL);
  g_assert_cmpuint(count_packed(), ==, 0);
  g_autoptr(DebyeResult) packed = run(fixture, "fake:0", NULL, NULL);
  g_assert_cmpuint(count_packed(), ==, N_PACKED);
  assert_same_counts(packed, expected);
  g_autoptr(DebyeResult) shared = run(fixture, "fake:0,cpu", NULL, NULL);
  assert_same_counts(shared, expected);
  g_assert_cmpuint(count_packed(), <=, N_PACKED);
  g_autoptr(DebyeResult) limited = run(fixture, "fake:0", "memory", "4G");
  g_assert_cmpuint(count_packed(), ==, 0);
  assert_same_counts(limited, expected);
}

/* Exclusions know all atoms by their numbers. */
static void
test_exclusions(Fixture *fixture, G_GNUC_UNUSED gconstpointer data)
{
  g_autoptr(DebyeResult) expected = run(fixture, "cpu", "exclude", "residue");
  g_autoptr(DebyeResult) packed = run(fixture, "fake:0", "exclude", "residue");
  g_assert_cmpuint(count_packed(), ==, N_PACKED);
  assert_same_counts(packed, expected);
}

/* The processor unpacks what the device gives back. */
static void
test_failing_device(Fixture *fixture, G_GNUC_UNUSED gconstpointer data)
{
  g_autoptr(DebyeResult) expected = run(fixture, "cpu", NULL, NULL);
  debye_fake_device(0)->fail_at = 2;
  g_autoptr(DebyeResult) rescued = run(fixture, "fake:0,cpu", NULL, NULL);
  assert_same_counts(rescued, expected);
}

/* What follows positions needs them; few atoms are sooner there as they are; the processor alone unpacks as it reads. */
static void
test_choice(Fixture *fixture, G_GNUC_UNUSED gconstpointer data)
{
  const DebyeDeviceEntry *devices[] = {NULL, NULL};
  for (gsize i = 0; i < debye_registry_get_count(fixture->registry); i++) {
    const DebyeDeviceEntry *entry = debye_registry_get(fixture->registry, i);
    devices[debye_device_is_cpu(entry) ? 1 : 0] = entry;
  }
  DebyeTrajectory *trajectory = debye_dataset_get_trajectory(fixture->dataset);
  g_assert_true(debye_packed_choice(trajectory, N_ATOMS, devices, 2));
  g_assert_false(debye_packed_choice(trajectory, N_ATOMS, devices + 1, 1));
  g_autofree char *few = g_build_filename(fixture->folder, "few.xtc", NULL);
  debye_temporary_write_trajectory(&debye_format_xtc, few, 300, 2);
  g_autoptr(DebyeTrajectory) short_one =
      debye_trajectory_open((const char *const[]){few, NULL}, NULL, NULL, NULL, NULL);
  g_assert_false(debye_packed_choice(short_one, 300, devices, 2));
  g_autofree char *plain = g_build_filename(fixture->folder, "plain.dcd", NULL);
  debye_temporary_write_trajectory(&debye_format_dcd, plain, N_ATOMS, 1);
  g_autoptr(DebyeTrajectory) unpacked =
      debye_trajectory_open((const char *const[]){plain, NULL}, NULL, NULL, NULL, NULL);
  g_assert_false(debye_packed_choice(unpacked, N_ATOMS, devices, 2));
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_autoptr(DebyeTemporaryFolder) cache = debye_temporary_use_cache_folder();
  g_test_add("/packed-frames/counts", Fixture, NULL, set_up, test_counts, tear_down);
  g_test_add("/packed-frames/exclusions", Fixture, NULL, set_up, test_exclusions, tear_down);
  g_test_add("/packed-frames/failing-device", Fixture, NULL, set_up, test_failing_device, tear_down);
  g_test_add("/packed-frames/choice", Fixture, NULL, set_up, test_choice, tear_down);
  return g_test_run();
}
