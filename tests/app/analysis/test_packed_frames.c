/* SPDX-License-Identifier: MIT */
/* What analyses make of frames that reach the devices packed is what they make of the same frames unpacked: with a device and the
 * processor side by side, with frames among them that can't stay packed, and with devices that fail. */
#include <math.h>
#include <string.h>

#include "app/analysis/analysis_list.h"
#include "app/analysis/driver/job_file.h"
#include "app/analysis/driver/packed_choice.h"
#include "app/analysis/pairs/rdf_settings.h"
#include "data/results/field.h"
#include "data/trajectory/format_list.h"
#include "kernels/cpu/backend_cpu.h"
#include "tests/support/fake_backend.h"
#include "tests/support/plans.h"
#include "tests/support/temporary.h"

/* So many that staying packed is worth it on any number of cores. */
#define N_ATOMS 150000
#define N_PACKED 4
#define N_COARSE 2

/* The structure, the packed frames and those that are too coarse, made once. */
typedef struct {
  DebyeTemporaryFolder *folder;
  char *paths[4];
} Files;

typedef struct {
  DebyeDataset *dataset;
  DebyeRegistry *registry;
} Fixture;

/* With charges, and with atoms that have none. */
static char *
write_structure(const DebyeTemporaryFolder *folder)
{
  static const char *const names[] = {"OW", "HW", "HW"}, *const charges[] = {"-0.8", "0.8", "0.0"};
  GString *text = g_string_new(NULL);
  for (int i = 0; i < N_ATOMS; i++)
    g_string_append_printf(text, "ATOM %d %s SOL %d 0.0 0.0 0.0 %s 1.5\n", i + 1, names[i % 3], 1 + i / 3,
                           charges[i % 3]);
  char *path = debye_temporary_write(folder, "walk.pqr", text->str, text->len);
  g_string_free(text, TRUE);
  return path;
}

/* A walk that stays within 500 Å, so that frames may stay packed. */
static char *
write_walk(const DebyeTemporaryFolder *folder, const char *name, gsize n_frames)
{
  char *path = g_build_filename(folder, name, NULL);
  g_autoptr(GError) error = NULL;
  g_autoptr(GFile) file = g_file_new_for_path(path);
  g_autoptr(GFileOutputStream) stream = g_file_replace(file, NULL, FALSE, G_FILE_CREATE_NONE, NULL, &error);
  gpointer writer = debye_format_xtc.writer_new(G_OUTPUT_STREAM(stream), NULL, N_ATOMS, n_frames, &error);
  g_assert_no_error(error);
  for (gsize k = 0; k < n_frames; k++) {
    g_autoptr(DebyeFrame) frame = debye_temporary_make_frame(N_ATOMS, (guint32)k);
    float *const columns[] = {frame->x, frame->y, frame->z};
    for (gsize c = 0; c < G_N_ELEMENTS(columns); c++)
      for (gsize i = 0; i < N_ATOMS; i++)
        columns[c][i] = fmodf(columns[c][i], 500.0f);
    debye_format_xtc.write_frame(writer, frame, &error);
    g_assert_no_error(error);
  }
  debye_format_xtc.writer_finish(writer, &error);
  g_output_stream_close(G_OUTPUT_STREAM(stream), NULL, &error);
  g_assert_no_error(error);
  return path;
}

/* Of so low a precision that coordinates may be too far to be taken unseen. */
static char *
write_coarse(const DebyeTemporaryFolder *folder)
{
  static const guint8 coarse[4] = {0x41, 0x20, 0, 0}; /* 10 steps a nanometre */
  g_autofree char *path = write_walk(folder, "fine.xtc", N_COARSE);
  g_autofree char *bytes = NULL;
  gsize n = 0;
  g_assert_true(g_file_get_contents(path, &bytes, &n, NULL));
  for (gsize at = 0; at + 56 < n; at++) /* each frame's 1000 behind its second number of atoms */
    if (memcmp(bytes + at, "\x00\x02\x49\xf0\x44\x7a\x00\x00", 8) == 0)
      memcpy(bytes + at + 4, coarse, sizeof coarse);
  return debye_temporary_write(folder, "coarse.xtc", bytes, n);
}

static void
write_files(Files *files)
{
  files->folder = debye_temporary_folder_new();
  files->paths[0] = write_structure(files->folder);
  files->paths[1] = write_walk(files->folder, "walk.xtc", N_PACKED);
  files->paths[2] = write_coarse(files->folder);
}

static void
clear_files(Files *files)
{
  for (gsize i = 0; i < G_N_ELEMENTS(files->paths); i++)
    g_free(files->paths[i]);
  debye_temporary_folder_free(files->folder);
}

static void
set_up(Fixture *fixture, gconstpointer data)
{
  const Files *files = data;
  g_autoptr(GError) error = NULL;
  fixture->dataset = debye_dataset_open((const char *const *)files->paths, NULL, NULL, &error);
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
  DebyeTable *tables[] = {debye_result_find_table(found, "counts"),
                          debye_result_find_table(expected, "counts")};
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

/* --- Other analyses --- */

static DebyeResult *
run_other(const Fixture *fixture, const DebyeAnalysis *analysis, const char *device, const char *const *pairs)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(DebyeRequest) request = debye_request_new(analysis->table);
  debye_request_set(request, "device", device, &error);
  for (; error == NULL && pairs[0] != NULL; pairs += 2)
    debye_request_set(request, pairs[0], pairs[1], &error);
  g_assert_no_error(error);
  const DebyeRunInput input = {
      .dataset = fixture->dataset, .request = request, .registry = fixture->registry};
  DebyeResult *result = plan_and_run(analysis, &input, &error);
  g_assert_no_error(error);
  return result;
}

static gboolean
are_alike(double a, double b, double tolerance)
{
  return (isnan(a) && isnan(b)) || fabs(a - b) <= tolerance * MAX(fabs(a), fabs(b));
}

static void
assert_same_tables(DebyeResult *found, DebyeResult *expected, double tolerance)
{
  GListModel *tables[] = {debye_result_get_tables(found), debye_result_get_tables(expected)};
  for (guint t = 0; t < g_list_model_get_n_items(tables[1]); t++) {
    g_autoptr(DebyeTable) one = g_list_model_get_item(tables[0], t);
    g_autoptr(DebyeTable) other = g_list_model_get_item(tables[1], t);
    g_assert_cmpuint(debye_table_get_n_rows(one), ==, debye_table_get_n_rows(other));
    for (gsize k = 0; k < debye_table_get_n_columns(other); k++) {
      const double *a = debye_table_get_numbers(one, k), *b = debye_table_get_numbers(other, k);
      for (gsize i = 0; b != NULL && i < debye_table_get_n_rows(other); i++)
        g_assert_true(are_alike(a[i], b[i], tolerance));
    }
  }
}

static void
assert_same_fields(DebyeResult *found, DebyeResult *expected, double tolerance)
{
  GListModel *fields[] = {debye_result_get_fields(found), debye_result_get_fields(expected)};
  for (guint f = 0; f < g_list_model_get_n_items(fields[1]); f++) {
    g_autoptr(DebyeField) one = g_list_model_get_item(fields[0], f);
    g_autoptr(DebyeField) other = g_list_model_get_item(fields[1], f);
    const gsize n = (gsize)debye_grid_n_points(debye_field_get_grid(other));
    const float *a = debye_field_get_values(one), *b = debye_field_get_values(other);
    double largest = 0.0;
    for (gsize i = 0; i < n; i++)
      largest = MAX(largest, fabs((double)b[i]));
    /* The first is the map; of errors there may be none. */
    g_assert_true(f > 0 || largest > 0.0);
    for (gsize i = 0; i < n; i++)
      g_assert_cmpfloat(fabs((double)a[i] - (double)b[i]), <=, tolerance * largest);
  }
}

/* Packed on the device alone; shared with the processor, which may come to other sums in another order; and on a device that
 * fails, for which the processor unpacks. */
static void
check_other(const Fixture *fixture, const DebyeAnalysis *analysis, const char *const *pairs, double tolerance)
{
  g_autoptr(DebyeResult) expected = run_other(fixture, analysis, "cpu", pairs);
  g_assert_cmpuint(count_packed(), ==, 0);
  g_autoptr(DebyeResult) packed = run_other(fixture, analysis, "fake:0", pairs);
  g_assert_cmpuint(count_packed(), >=, N_PACKED);
  assert_same_tables(packed, expected, tolerance);
  assert_same_fields(packed, expected, tolerance);
  debye_fake_device(0)->fail_at = 1;
  g_autoptr(DebyeResult) rescued = run_other(fixture, analysis, "fake:0,cpu", pairs);
  debye_fake_device(0)->fail_at = 0;
  count_packed();
  assert_same_tables(rescued, expected, MAX(tolerance, 1e-9));
  assert_same_fields(rescued, expected, MAX(tolerance, 1e-5));
}

static void
check_unpacked(const Fixture *fixture, const DebyeAnalysis *analysis, const char *const *pairs)
{
  g_autoptr(DebyeResult) result = run_other(fixture, analysis, "fake:0", pairs);
  g_assert_nonnull(result);
  g_assert_cmpuint(count_packed(), ==, 0);
}

static void
test_scattering(Fixture *fixture, G_GNUC_UNUSED gconstpointer data)
{
  static const char *const lattice[] = {"orientation", "lattice", "q", "0.3:0.9:0.3", NULL};
  static const char *const vectors[] = {"orientation", "random:9", "box-correction", "false", "q",
                                        "0.3:0.5:0.2", "select",   "name OW",        NULL};
  static const char *const wrapped[] = {"orientation", "random:9", "q", "0.3:0.5:0.2", NULL};
  static const char *const moved[] = {"orientation", "lattice", "q",   "0.3:0.6:0.3", "unwrap",
                                      "true",        "frames",  "0:2", NULL};
  check_other(fixture, &debye_analysis_scattering, lattice, 0.0);
  check_other(fixture, &debye_analysis_scattering, vectors, 0.0);
  check_unpacked(fixture, &debye_analysis_scattering, wrapped);
  check_unpacked(fixture, &debye_analysis_scattering, moved);
}

static void
test_scattering_in_time(Fixture *fixture, G_GNUC_UNUSED gconstpointer data)
{
  static const char *const vectors[] = {"orientation", "random:9", "box-correction", "false",  "q",
                                        "0.3:0.5:0.2", "dynamic",  "true",           "frames", "0:3",
                                        NULL};
  static const char *const lattice[] = {"orientation", "lattice", "q",    "0.3:0.9:0.3", "dynamic", "true",
                                        "frames",      "0:3",     "kind", "coherent",    NULL};
  check_other(fixture, &debye_analysis_scattering, vectors, 0.0);
  check_other(fixture, &debye_analysis_scattering, lattice, 0.0);
}

/* On one device a frame after the other; one that leaves atoms to the host comes to other sums than the processor. */
static void
test_maps(Fixture *fixture, G_GNUC_UNUSED gconstpointer data)
{
  static const char *const ewald[] = {"method", "ewald", "spacing", "4", NULL};
  static const char *const cutoff[] = {"method", "cutoff",  "cutoff",  "5", "periodic", "xyz",
                                       "select", "name OW", "spacing", "4", NULL};
  static const char *const limited[] = {"method",  "cutoff", "cutoff", "5",  "periodic", "xyz",
                                        "spacing", "4",      "memory", "4G", NULL};
  check_other(fixture, &debye_analysis_map, ewald, 0.0);
  check_other(fixture, &debye_analysis_map, cutoff, 1e-5);
  check_unpacked(fixture, &debye_analysis_map, limited);
}

static void
test_densities(Fixture *fixture, G_GNUC_UNUSED gconstpointer data)
{
  static const char *const number[] = {"select", "name OW", "spacing", "3", NULL};
  static const char *const charge[] = {"weight", "charge", "spacing", "3", NULL};
  static const char *const occupancy[] = {"weight", "occupancy", "spacing", "3", NULL};
  static const char *const centred[] = {"spacing", "3", "center", "index 1 to 20", NULL};
  check_other(fixture, &debye_analysis_density, number, 0.0);
  check_other(fixture, &debye_analysis_density, charge, 0.0);
  check_other(fixture, &debye_analysis_density, occupancy, 0.0);
  check_unpacked(fixture, &debye_analysis_density, centred);
}

/* What follows positions needs them; few atoms are sooner there as they are; the processor alone unpacks as it reads. */
static void
test_choice(Fixture *fixture, gconstpointer data)
{
  const Files *files = data;
  const DebyeDeviceEntry *devices[] = {NULL, NULL};
  for (gsize i = 0; i < debye_registry_get_count(fixture->registry); i++) {
    const DebyeDeviceEntry *entry = debye_registry_get(fixture->registry, i);
    devices[debye_device_is_cpu(entry) ? 1 : 0] = entry;
  }
  DebyeTrajectory *trajectory = debye_dataset_get_trajectory(fixture->dataset);
  g_assert_true(debye_packed_choice(trajectory, N_ATOMS, devices, 2));
  g_assert_false(debye_packed_choice(trajectory, N_ATOMS, devices + 1, 1));
  g_autofree char *few = g_build_filename(files->folder, "few.xtc", NULL);
  debye_temporary_write_trajectory(&debye_format_xtc, few, 300, 2);
  g_autoptr(DebyeTrajectory) short_one =
      debye_trajectory_open((const char *const[]){few, NULL}, NULL, NULL, NULL, NULL);
  g_assert_false(debye_packed_choice(short_one, 300, devices, 2));
  g_autofree char *plain = g_build_filename(files->folder, "plain.dcd", NULL);
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
  Files files = {NULL};
  write_files(&files);
  g_test_add("/packed-frames/counts", Fixture, &files, set_up, test_counts, tear_down);
  g_test_add("/packed-frames/exclusions", Fixture, &files, set_up, test_exclusions, tear_down);
  g_test_add("/packed-frames/failing-device", Fixture, &files, set_up, test_failing_device, tear_down);
  g_test_add("/packed-frames/scattering", Fixture, &files, set_up, test_scattering, tear_down);
  g_test_add("/packed-frames/scattering-in-time", Fixture, &files, set_up, test_scattering_in_time,
             tear_down);
  g_test_add("/packed-frames/maps", Fixture, &files, set_up, test_maps, tear_down);
  g_test_add("/packed-frames/densities", Fixture, &files, set_up, test_densities, tear_down);
  g_test_add("/packed-frames/choice", Fixture, &files, set_up, test_choice, tear_down);
  const int failed = g_test_run();
  clear_files(&files);
  return failed;
}
