/* SPDX-License-Identifier: MIT */
/* The map as an analysis: units, grid, statistics, and a run's partial results, stop and memory, on molecules
 * whose answers are known. */
#include <glib/gstdio.h>
#include <math.h>

#include "app/analysis/analysis_list.h"
#include "app/analysis/driver/device_choice.h"
#include "app/analysis/driver/processor_load.h"
#include "app/analysis/driver/frame_loop.h"
#include "app/analysis/map/map_grid.h"
#include "app/analysis/map/map_settings.h"
#include "app/analysis/map/map_statistic.h"
#include "app/analysis/driver/memory_size.h"
#include "data/files/error.h"
#include "kernels/cpu/backend_cpu.h"
#include "app/analysis/driver/potential_unit.h"
#include "app/analysis/ions/ions_settings.h"
#include "tests/support/plans.h"

#define N_ATOMS 40
#define N_FRAMES 6
#define CORE_RADIUS 1e-3 /* the default: the grid meets the first atom */

typedef struct {
  char *folder, *pqr, *xyz;
  DebyeDataset *still;  /* one frame, with charges */
  DebyeDataset *moving; /* the charges of `still`, N_FRAMES frames and one */
  DebyeRegistry *registry;
} Fixture;

static void
place(int atom, int frame, double position[3])
{
  position[0] = 1.7 * (atom % 4) + 0.05 * frame;
  position[1] = 1.7 * (atom / 4 % 4);
  position[2] = 1.7 * (atom / 16);
}

static double
charge_of(int atom)
{
  return atom % 2 == 0 ? 0.4 : -0.35;
}

static void
append_line(GString *text, const char *head, const double position[3], const char *tail)
{
  char n[3][G_ASCII_DTOSTR_BUF_SIZE];
  g_string_append_printf(text, "%s %s %s %s%s\n", head,
                         g_ascii_formatd(n[0], sizeof n[0], "%.4f", position[0]),
                         g_ascii_formatd(n[1], sizeof n[1], "%.4f", position[1]),
                         g_ascii_formatd(n[2], sizeof n[2], "%.4f", position[2]), tail);
}

static void
write_files(Fixture *fixture)
{
  g_autoptr(GString) pqr = g_string_new(NULL);
  g_autoptr(GString) xyz = g_string_new(NULL);
  double position[3];
  for (int atom = 0; atom < N_ATOMS; atom++) {
    g_autofree char *head = g_strdup_printf("ATOM %d C MOL %d", atom + 1, 1 + atom / 10);
    place(atom, 0, position);
    append_line(pqr, head, position, atom % 2 == 0 ? " 0.4 1.7" : " -0.35 1.7");
  }
  for (int frame = 0; frame < N_FRAMES; frame++) {
    g_string_append_printf(xyz, "%d\nframe %d\n", N_ATOMS, frame);
    for (int atom = 0; atom < N_ATOMS; atom++) {
      place(atom, frame, position);
      append_line(xyz, "C", position, "");
    }
  }
  g_assert_true(g_file_set_contents(fixture->pqr, pqr->str, -1, NULL));
  g_assert_true(g_file_set_contents(fixture->xyz, xyz->str, -1, NULL));
}

static void
set_up(Fixture *fixture, gconstpointer data)
{
  (void)data;
  g_autoptr(GError) error = NULL;
  fixture->folder = g_dir_make_tmp("debye-analysis-XXXXXX", NULL);
  fixture->pqr = g_build_filename(fixture->folder, "still.pqr", NULL);
  fixture->xyz = g_build_filename(fixture->folder, "moving.xyz", NULL);
  write_files(fixture);
  fixture->still = debye_dataset_open((const char *const[]){fixture->pqr, NULL}, NULL, NULL, &error);
  g_assert_no_error(error);
  fixture->moving =
      debye_dataset_open((const char *const[]){fixture->pqr, fixture->xyz, NULL}, NULL, NULL, &error);
  g_assert_no_error(error);
  fixture->registry = debye_registry_new(&debye_backend_cpu, NULL);
}

static void
tear_down(Fixture *fixture, gconstpointer data)
{
  (void)data;
  g_clear_object(&fixture->still);
  g_clear_object(&fixture->moving);
  debye_registry_free(fixture->registry);
  g_unlink(fixture->pqr);
  g_unlink(fixture->xyz);
  g_rmdir(fixture->folder);
  g_free(fixture->folder);
  g_free(fixture->pqr);
  g_free(fixture->xyz);
}

static DebyeRequest *
new_request(const char *const *pairs)
{
  DebyeRequest *request = debye_request_new(&debye_map_settings);
  for (; *pairs != NULL; pairs += 2) {
    g_autoptr(GError) error = NULL;
    g_assert_true(debye_request_set(request, pairs[0], pairs[1], &error));
    g_assert_no_error(error);
  }
  return request;
}

static double
exact_at(DebyeVec3 point, int frame)
{
  double sum = 0.0, p[3];
  for (int atom = 0; atom < N_ATOMS; atom++) {
    place(atom, frame, p);
    sum += charge_of(atom) /
           fmax(debye_vec3_length(debye_vec3_subtract(point, debye_vec3(p[0], p[1], p[2]))), CORE_RADIUS);
  }
  return sum;
}

static DebyeField *
get_field(DebyeResult *result)
{
  return g_list_model_get_item(debye_result_get_fields(result), 0);
}

/* --- Units, sizes, grid, statistics --- */

static void
test_units(void)
{
  /* From the constants of CODATA 2018. */
  g_assert_cmpfloat_with_epsilon(debye_potential_unit_factor(DEBYE_POTENTIAL_UNIT_VOLT, 300.0), 14.399645,
                                 1e-6);
  g_assert_cmpfloat_with_epsilon(debye_potential_unit_factor(DEBYE_POTENTIAL_UNIT_MILLIVOLT, 1.0), 14399.645,
                                 1e-3);
  g_assert_cmpfloat_with_epsilon(debye_potential_unit_factor(DEBYE_POTENTIAL_UNIT_KCAL, 0.0), 332.06371,
                                 1e-5);
  g_assert_cmpfloat_with_epsilon(debye_potential_unit_factor(DEBYE_POTENTIAL_UNIT_KT, 300.0), 557.0031563,
                                 1e-6);
  g_assert_cmpfloat_with_epsilon(debye_potential_unit_factor(DEBYE_POTENTIAL_UNIT_KT, 150.0),
                                 2.0 * 557.0031563, 1e-6);
  g_assert_cmpfloat(debye_potential_unit_factor(DEBYE_POTENTIAL_UNIT_CHARGE, 300.0), ==, 1.0);
}

static void
test_memory_sizes(void)
{
  static const struct {
    const char *text;
    guint64 bytes;
  } good[] = {
      {"", 0},      {"1048576", 1048576}, {"512M", 512ull << 20}, {"1.5 GiB", 3ull << 29}, {"8g", 8ull << 30},
      {"2kB", 2048}};
  static const char *const bad[] = {"lots", "-1G", "1.5Q", "G", "nan", "1e300", "3 G G"};
  guint64 bytes;
  for (gsize i = 0; i < G_N_ELEMENTS(good); i++) {
    g_assert_true(debye_memory_size_parse(good[i].text, &bytes, NULL));
    g_assert_cmpuint(bytes, ==, good[i].bytes);
  }
  for (gsize i = 0; i < G_N_ELEMENTS(bad); i++) {
    g_autoptr(GError) error = NULL;
    g_assert_false(debye_memory_size_parse(bad[i], &bytes, &error));
    g_assert_error(error, DEBYE_ERROR, DEBYE_ERROR_VALUE);
  }
  g_autofree char *text = debye_memory_size_to_string(3ull << 29);
  g_assert_cmpstr(text, ==, "1.5 GiB");
}

static gsize
expected_size(const DebyeSetting *setting)
{
  switch (setting->kind) {
  case DEBYE_SETTING_NUMBER:
    return sizeof(double);
  case DEBYE_SETTING_INTEGER:
    return sizeof(gint64);
  case DEBYE_SETTING_BOOLEAN:
    return sizeof(gboolean);
  case DEBYE_SETTING_CHOICE:
    return sizeof(int);
  case DEBYE_SETTING_VECTOR:
    return sizeof(DebyeVec3);
  case DEBYE_SETTING_SHAPE:
    return 3 * sizeof(gsize);
  default:
    return sizeof(const char *);
  }
}

/* Each row fills a member of its kind's size, and no two the same one; those that a dataset is opened with fill none. */
static void
test_members(void)
{
  for (const DebyeAnalysis *const *analysis = debye_analysis_list(); *analysis != NULL; analysis++) {
    const DebyeSettingTable *table = (*analysis)->table;
    g_autoptr(GHashTable) taken = g_hash_table_new(NULL, NULL);
    for (gsize i = 0; i < table->n_settings; i++) {
      const DebyeSetting *setting = &table->settings[i];
      const gboolean is_of_dataset =
          setting->of_files || g_str_equal(setting->key, "altloc") || g_str_equal(setting->key, "cell");
      g_test_message("%s --%s", table->id, setting->key);
      /* "default: none" is no value, and of a selection its row shows other words. */
      g_assert_true((setting->kind == DEBYE_SETTING_SELECTION && setting->initial == NULL) ||
                    setting->derived == (strstr(setting->help, "default: ") != NULL &&
                                         strstr(setting->help, "default: none") == NULL));
      /* What nothing changes is told by the form, too. */
      g_assert_true(setting->initial != NULL || setting->constant != NULL ||
                    !g_regex_match_simple("default: (-?[0-9.]+( Å)?|angstrom)$", setting->help, 0, 0));
      g_assert_true(setting->constant == NULL || (setting->derived && setting->initial == NULL));
      g_assert_cmpuint(setting->member_size, ==, is_of_dataset ? 0 : expected_size(setting));
      g_assert_true(is_of_dataset || g_hash_table_add(taken, GSIZE_TO_POINTER(setting->member)));
      g_assert_true(!setting->has_was_set || g_hash_table_add(taken, GSIZE_TO_POINTER(setting->was_set)));
    }
  }
}

static void
test_fill(void)
{
  g_autoptr(DebyeRequest) request =
      new_request((const char *const[]){"method", "ewald", "origin", "1,2,3", "superpose", "none", NULL});
  DebyeMapSettings settings;
  debye_request_fill(request, &settings);
  g_assert_cmpint(settings.method, ==, DEBYE_POTENTIAL_EWALD);
  g_assert_true(settings.has_origin && settings.origin.z == 3.0);
  g_assert_true(settings.superposing.has_superpose && g_str_equal(settings.superposing.superpose, "none"));
  g_assert_true(isnan(settings.spacing) && !settings.has_shape && settings.shape[0] == 0);
  g_assert_true(settings.padding == 6.0 && !settings.has_padding); /* the default, which nobody set */
  g_assert_null(settings.center);
}

/* The table of ions has some of the map's choices, by the map's numbers. */
static void
test_fill_subset(void)
{
  g_autoptr(DebyeRequest) request = debye_request_new(&debye_ions_settings);
  DebyeIonsSettings settings;
  g_assert_true(debye_request_set(request, "method", "multilevel", NULL));
  g_assert_true(debye_request_set(request, "periodic", "xyz", NULL));
  debye_request_fill(request, &settings);
  g_assert_cmpint(settings.map.method, ==, DEBYE_POTENTIAL_MULTILEVEL);
  g_assert_cmpint(settings.map.periodic, ==, DEBYE_MAP_PERIODIC_XYZ);
}

static void
test_grid(void)
{
  DebyeVec3 low = {0.3, -1.0, 2.0}, high = {4.3, 5.0, 3.0};
  DebyeGrid grid;
  DebyeMapSettings settings;
  g_autoptr(DebyeRequest) around = new_request((const char *const[]){"spacing", "0.5", "padding", "2", NULL});
  debye_request_fill(around, &settings);
  debye_map_grid_lay(&settings, low, high, &grid);
  g_assert_cmpfloat(grid.origin.x, ==, -2.0); /* −1.7 down to a multiple of the spacing */
  DebyeVec3 last = debye_grid_point(&grid, (double)grid.shape[0] - 1, (double)grid.shape[1] - 1,
                                    (double)grid.shape[2] - 1);
  g_assert_true(last.x >= 6.3 && last.x < 6.8 && last.y >= 7.0 && last.y < 7.5 && last.z >= 5.0 &&
                last.z < 5.5);
  g_autoptr(DebyeRequest) given =
      new_request((const char *const[]){"spacing", "0.25", "origin", "1,2,3", "shape", "4,5,6", NULL});
  debye_request_fill(given, &settings);
  debye_map_grid_lay(&settings, low, high, &grid);
  g_assert_true(grid.origin.x == 1.0 && grid.origin.y == 2.0 && grid.origin.z == 3.0);
  g_assert_true(grid.shape[0] == 4 && grid.shape[1] == 5 && grid.shape[2] == 6);
  g_autoptr(DebyeRequest) centred =
      new_request((const char *const[]){"spacing", "1", "shape", "3,3,3", NULL});
  debye_request_fill(centred, &settings);
  debye_map_grid_lay(&settings, low, high, &grid);
  DebyeVec3 middle = debye_grid_point(&grid, 1, 1, 1);
  g_assert_cmpfloat_with_epsilon(middle.x, 2.3, 1e-12);
  g_assert_cmpfloat_with_epsilon(middle.y, 2.0, 1e-12);
}

static void
test_suggested_spacing(void)
{
  DebyeVec3 low = {0}, high = {60.0, 60.0, 60.0};
  double few = debye_map_grid_suggest_spacing(low, high, 6.0, 1000, 1);
  double many = debye_map_grid_suggest_spacing(low, high, 6.0, 1000000, 1);
  double frames = debye_map_grid_suggest_spacing(low, high, 6.0, 100000, 1000);
  g_assert_cmpfloat(few, >=, 0.25);
  g_assert_cmpfloat(few, <, many);
  g_assert_cmpfloat(pow(72.0 / few, 3.0), <=, 2e6);
  g_assert_cmpfloat(debye_map_grid_suggest_spacing(low, high, 6.0, 100000, 1), <, frames);
}

static void
test_statistics(void)
{
  /* Large against their spread: a plain sum of squares would lose it all. */
  static const float frames[3][2] = {{10000.0f, -1.0f}, {10001.0f, 2.0f}, {10002.0f, 5.0f}};
  static const double expected[4][2] = {
      {10001.0, 2.0}, {10000.0, -1.0}, {10002.0, 5.0}, {0.816496580927726, 2.449489742783178}};
  for (int statistic = 0; statistic < 4; statistic++) {
    g_autoptr(DebyeMapAccumulator) accumulator =
        debye_map_accumulator_new((DebyeMapStatistic)statistic, 2, debye_frame_blocks(0, 0));
    float values[2];
    for (int frame = 0; frame < 3; frame++)
      debye_map_accumulator_add(accumulator, frames[frame], NULL);
    debye_map_accumulator_get(accumulator, 2.0, values);
    for (int i = 0; i < 2; i++)
      g_assert_cmpfloat_with_epsilon((double)values[i], 2.0 * expected[statistic][i],
                                     1e-6 * fabs(expected[statistic][i]));
  }
}

/* Frames shared over accumulators, one of them without any, give what one accumulator gives. */
static void
test_merged_statistics(void)
{
  static const float frames[5][2] = {
      {10000.0f, -1.0f}, {10001.0f, 2.0f}, {10002.0f, 5.0f}, {9990.0f, 0.0f}, {10003.5f, -7.0f}};
  static const int shares[5] = {1, 0, 0, 3, 1};
  for (int statistic = 0; statistic < 4; statistic++) {
    g_autoptr(DebyeMapAccumulator) whole =
        debye_map_accumulator_new((DebyeMapStatistic)statistic, 2, debye_frame_blocks(0, 0));
    DebyeMapAccumulator *parts[4];
    for (int i = 0; i < 4; i++)
      parts[i] = debye_map_accumulator_new((DebyeMapStatistic)statistic, 2, debye_frame_blocks(0, 0));
    for (int frame = 0; frame < 5; frame++) {
      debye_map_accumulator_add(whole, frames[frame], NULL);
      debye_map_accumulator_add(parts[shares[frame]], frames[frame], NULL);
    }
    /* The third part is empty, and the first merge goes into it. */
    for (int i = 0; i < 4; i++)
      if (i != 2)
        debye_map_accumulator_merge(parts[2], parts[i]);
    g_assert_cmpuint(debye_map_accumulator_get_n_frames(parts[2]), ==, 5);
    float expected[2], merged[2];
    debye_map_accumulator_get(whole, 1.0, expected);
    debye_map_accumulator_get(parts[2], 1.0, merged);
    for (int i = 0; i < 2; i++)
      g_assert_cmpfloat_with_epsilon((double)merged[i], (double)expected[i],
                                     1e-6 * fabs((double)expected[i]));
    for (int i = 0; i < 4; i++)
      debye_map_accumulator_free(parts[i]);
  }
}

/* Blocks of two, two and three frames with the means 1, 3, 8, whose sample variance is 13. */
static void
test_block_error(void)
{
  static const float frames[7] = {0.0f, 2.0f, 3.0f, 3.0f, 10.0f, 6.0f, 8.0f};
  g_autoptr(DebyeMapAccumulator) accumulator =
      debye_map_accumulator_new(DEBYE_MAP_MEAN, 1, debye_frame_blocks(7, 3));
  float error = -1.0f;
  const DebyeFrameBlocksProgress *progress = debye_map_accumulator_get_blocks(accumulator);
  for (gsize frame = 0; frame < 7; frame++) {
    debye_map_accumulator_reach(accumulator, frame);
    debye_map_accumulator_add(accumulator, &frames[frame], NULL);
    g_assert_cmpuint(progress->n_whole, ==, frame / 2 - (frame == 6));
  }
  debye_map_accumulator_reach(accumulator, 7);
  g_assert_cmpuint(progress->n_whole, ==, 3);
  g_assert_true(progress->shortest == 2 && progress->longest == 3);
  debye_map_accumulator_get_error(accumulator, -2.0, &error);
  g_assert_cmpfloat_with_epsilon((double)error, 2.0 * sqrt(13.0 / 3.0), 1e-6);
}

/* Four blocks of two, of which frames 1, 4, 5 and 7 can't be used: the means 1 (of one frame), 3 and 8 (of
 * one) have the sample variance 13, and the third block none. */
static void
test_block_error_with_gaps(void)
{
  static const gsize places[4] = {0, 2, 3, 6};
  static const float frames[4] = {1.0f, 2.0f, 4.0f, 8.0f};
  g_autoptr(DebyeMapAccumulator) accumulator =
      debye_map_accumulator_new(DEBYE_MAP_MEAN, 1, debye_frame_blocks(8, 4));
  const DebyeFrameBlocksProgress *progress = debye_map_accumulator_get_blocks(accumulator);
  float error = -1.0f;
  for (int i = 0; i < 4; i++) {
    debye_map_accumulator_reach(accumulator, places[i]);
    debye_map_accumulator_add(accumulator, &frames[i], NULL);
  }
  debye_map_accumulator_reach(accumulator, 8);
  g_assert_cmpuint(progress->n_whole, ==, 3);
  g_assert_true(progress->shortest == 1 && progress->longest == 2);
  debye_map_accumulator_get_error(accumulator, 1.0, &error);
  g_assert_cmpfloat_with_epsilon((double)error, sqrt(13.0 / 3.0), 1e-6);
}

/* Each frame is in one block, and no block is longer than another by more than one frame. */
static void
test_frame_blocks(void)
{
  for (gsize n_frames = 2; n_frames < 60; n_frames++)
    for (gsize n_blocks = 2; n_blocks <= n_frames; n_blocks++) {
      const DebyeFrameBlocks blocks = debye_frame_blocks(n_frames, n_blocks);
      gsize n_ends = 0;
      for (gsize frame = 0; frame < n_frames; frame++) {
        const gsize block = debye_frame_blocks_find(blocks, frame), length = n_frames / n_blocks;
        const gsize begin = debye_frame_blocks_begin(blocks, block);
        const gsize end = debye_frame_blocks_begin(blocks, block + 1);
        g_assert_true(begin <= frame && frame < end && block == n_ends);
        g_assert_true(end - begin == length || end - begin == length + 1);
        g_assert_cmpuint(debye_frame_blocks_end(blocks, frame), ==, end);
        n_ends += debye_frame_blocks_find(blocks, frame + 1) != block;
      }
      g_assert_cmpuint(n_ends, ==, n_blocks);
      g_assert_cmpuint(debye_frame_blocks_find(blocks, n_frames), ==, n_blocks);
    }
  g_assert_cmpuint(debye_frame_blocks(3, 10).n_blocks, ==, 3);
  g_assert_cmpuint(debye_frame_blocks(1, 10).n_blocks, ==, 0);
  g_assert_cmpuint(debye_frame_blocks_end(debye_frame_blocks(5, 0), 2), ==, G_MAXSIZE);
}

/* --- Runs --- */

typedef struct {
  volatile bool cancel;
  double fraction, stop_at;
  guint n_partials;
  gboolean went_back, owes_partial;
  gint64 start;
} Watch;

static void
watch_progress(double fraction, const char *message, gpointer data)
{
  Watch *watch = data;
  g_assert_nonnull(message);
  watch->went_back |= fraction < watch->fraction || fraction > 1.0;
  watch->fraction = fraction;
  watch->owes_partial |= fraction < 1.0 && g_get_monotonic_time() - watch->start > G_USEC_PER_SEC / 3;
  if (fraction >= watch->stop_at)
    watch->cancel = true;
}

static void
watch_partial(DebyeResult *result, gpointer data)
{
  Watch *watch = data;
  g_autoptr(DebyeField) field = get_field(result);
  g_assert_true(debye_result_is_partial(result));
  g_assert_cmpuint(debye_field_get_n_finite(field), >, 0);
  watch->n_partials++;
}

static DebyeResult *
run(Fixture *fixture, DebyeDataset *dataset, DebyeRequest *request, Watch *watch, GError **error)
{
  DebyeRunCallbacks callbacks = {
      .cancel = &watch->cancel, .progress = watch_progress, .partial = watch_partial, .data = watch};
  DebyeRunInput input = {
      .dataset = dataset, .request = request, .registry = fixture->registry, .callbacks = &callbacks};
  return plan_and_run(&debye_analysis_map, &input, error);
}

static void
test_run(Fixture *fixture, gconstpointer data)
{
  (void)data;
  g_autoptr(GError) error = NULL;
  g_autoptr(DebyeRequest) request = new_request((const char *const[]){"unit", "e/A", "spacing", "1.1", NULL});
  Watch watch = {.stop_at = INFINITY};
  g_autoptr(DebyeResult) result = run(fixture, fixture->still, request, &watch, &error);
  g_assert_no_error(error);
  g_assert_false(debye_result_is_partial(result));
  g_assert_false(watch.went_back);
  g_assert_cmpfloat(watch.fraction, ==, 1.0);
  g_autoptr(DebyeField) field = get_field(result);
  const DebyeGrid *grid = debye_field_get_grid(field);
  const float *values = debye_field_get_values(field);
  DebyeFieldStatistics statistics;
  debye_field_get_statistics(field, &statistics);
  gsize index = 0;
  for (gsize k = 0; k < grid->shape[2]; k++)
    for (gsize j = 0; j < grid->shape[1]; j++)
      for (gsize i = 0; i < grid->shape[0]; i++, index++) {
        double exact = exact_at(debye_grid_point(grid, (double)i, (double)j, (double)k), 0);
        g_assert_cmpfloat_with_epsilon((double)values[index], exact, 1e-5 * (statistics.rms + fabs(exact)));
      }
}

static void
test_stop(Fixture *fixture, gconstpointer data)
{
  (void)data;
  /* At many moments: what comes back is whole, partial with finite values, or a plain "stopped". */
  for (double stop_at = 0.0; stop_at < 1.0; stop_at += 0.04) {
    g_autoptr(GError) error = NULL;
    g_autoptr(DebyeRequest) request = new_request((const char *const[]){"spacing", "0.8", NULL});
    Watch watch = {.stop_at = stop_at};
    g_autoptr(DebyeResult) result = run(fixture, fixture->moving, request, &watch, &error);
    if (result == NULL) {
      g_assert_error(error, DEBYE_ERROR, DEBYE_ERROR_STOPPED);
      continue;
    }
    g_autoptr(DebyeField) field = get_field(result);
    g_assert_cmpuint(debye_field_get_n_finite(field), >, 0);
    g_assert_cmpint(debye_result_is_partial(result), ==, watch.fraction < 1.0);
  }
}

static void
test_partials(Fixture *fixture, gconstpointer data)
{
  (void)data;
  g_autoptr(GError) error = NULL;
  g_autoptr(DebyeRequest) request = new_request((const char *const[]){
      "precision", "double", "threads", "1", "shape", "200,200,200", "spacing", "0.2", "frames", "0", NULL});
  Watch watch = {.stop_at = INFINITY, .start = g_get_monotonic_time()};
  g_autoptr(DebyeResult) result = run(fixture, fixture->still, request, &watch, &error);
  double seconds = (double)(g_get_monotonic_time() - watch.start) / G_USEC_PER_SEC;
  g_assert_no_error(error);
  /* At most four a second, and none is owed where it took less than a quarter. */
  g_assert_cmpuint(watch.n_partials, <=, (guint)(seconds * 4.0) + 1);
  if (watch.owes_partial)
    g_assert_cmpuint(watch.n_partials, >, 0);
}

static void
test_errors(Fixture *fixture, gconstpointer data)
{
  (void)data;
  static const struct {
    const char *key, *value, *cause;
    DebyeError code;
  } cases[] = {
      {"select", "name NONE", "select", DEBYE_ERROR_SELECTION},
      {"select", "name (", "select", DEBYE_ERROR_SELECTION},
      {"frames", "77", "frames", DEBYE_ERROR_VALUE},
      {"memory", "1k", "spacing", DEBYE_ERROR_MEMORY},
      {"memory", "much", "memory", DEBYE_ERROR_VALUE},
      {"shape", "90000,90000,90000", "shape", DEBYE_ERROR_MEMORY},
  };
  for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
    g_autoptr(GError) error = NULL;
    g_autoptr(DebyeRequest) request = new_request((const char *const[]){cases[i].key, cases[i].value, NULL});
    const char *key = NULL;
    g_assert_false(plan_and_check(&debye_analysis_map, fixture->still, request, &key, &error));
    g_assert_error(error, DEBYE_ERROR, (int)cases[i].code);
    g_assert_cmpstr(key, ==, cases[i].cause);
  }
}

static void
test_no_charges(Fixture *fixture, gconstpointer data)
{
  (void)data;
  g_autoptr(GError) error = NULL;
  g_autoptr(DebyeRequest) request = new_request((const char *const[]){NULL});
  g_autoptr(DebyeDataset) bare =
      debye_dataset_open((const char *const[]){fixture->xyz, NULL}, NULL, NULL, &error);
  g_assert_no_error(error);
  const char *key = "unset";
  g_assert_false(plan_and_check(&debye_analysis_map, bare, request, &key, &error));
  g_assert_error(error, DEBYE_ERROR, DEBYE_ERROR_MISSING);
  g_assert_cmpstr(key, ==, "charges"); /* a table may give them */
}

static void
test_estimate(Fixture *fixture, gconstpointer data)
{
  (void)data;
  g_autoptr(GError) error = NULL;
  g_autoptr(DebyeRequest) request = new_request((const char *const[]){NULL});
  g_autoptr(DebyePlan) plan = debye_plan_new(&debye_analysis_map, fixture->still, request);
  g_assert_true(debye_request_is_set(plan->request, "spacing"));
  g_assert_false(debye_request_is_set(request, "spacing"));
  DebyeRunInput input = {.dataset = fixture->still, .request = request, .registry = fixture->registry};
  DebyeEstimate estimate;
  g_assert_true(plan_and_estimate(&debye_analysis_map, &input, &estimate, &error));
  g_assert_no_error(error);
  g_assert_cmpfloat(estimate.seconds, >, 0.0);
  g_assert_cmpuint(estimate.host_bytes, >, 0);
  g_assert_nonnull(strstr(estimate.devices, "core"));
  g_assert_false(estimate.is_accelerated);
  const double idle = estimate.seconds;
  debye_processor_load_count(&estimate);
  const double loaded = estimate.seconds;
  g_assert_cmpfloat(loaded, >, idle);
  estimate.is_accelerated = TRUE;
  debye_processor_load_count(&estimate);
  g_assert_cmpfloat(estimate.seconds, <, loaded + 0.5);
  estimate.is_accelerated = FALSE;
  estimate.is_of_runs = TRUE;
  estimate.seconds = idle;
  debye_processor_load_count(&estimate);
  g_assert_cmpfloat(estimate.seconds, >, idle);
  g_assert_cmpfloat(estimate.seconds, <, loaded);
  debye_estimate_clear(&estimate);
}

/* In s; the bytes of the host where they are asked for. */
static double
cost_of_scattering(Fixture *fixture, const char *const *settings, guint64 *bytes)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(DebyeRequest) request = debye_request_new(debye_analysis_scattering.table);
  for (gsize i = 0; settings[i] != NULL; i += 2)
    g_assert_true(debye_request_set(request, settings[i], settings[i + 1], NULL));
  const DebyeRunInput input = {.dataset = fixture->moving, .request = request, .registry = fixture->registry};
  DebyeEstimate estimate;
  g_assert_true(plan_and_estimate(&debye_analysis_scattering, &input, &estimate, &error));
  const double seconds = estimate.seconds;
  if (bytes != NULL)
    *bytes = estimate.host_bytes;
  debye_estimate_clear(&estimate);
  return seconds;
}

#define IN_TIME(...) \
  cost_of_scattering(fixture, (const char *const[]){"dynamic", "yes", "q", "1", __VA_ARGS__, NULL}, NULL)

/* In time the incoherent part is work, too, and less memory takes more passes over the file. */
static void
test_scattering_estimate(Fixture *fixture, gconstpointer data)
{
  (void)data;
  const double few = IN_TIME("orientation", "sphere:50", "kind", "incoherent");
  const double many = IN_TIME("orientation", "sphere:100", "kind", "incoherent");
  const double little = IN_TIME("orientation", "sphere:50", "kind", "incoherent", "memory", "400");
  const double exact = IN_TIME("orientation", "exact", "kind", "incoherent");
  guint64 bytes;
  g_assert_cmpfloat(few, >, 0.0);
  g_assert_cmpfloat(exact, >, 0.0);
  g_assert_cmpfloat(many, >, few);
  g_assert_cmpfloat(many, <, 2.0 * few);
  g_assert_cmpfloat(little, >, few);
  /* The places of all atoms in all frames, and two values of q at each time, as they are summed and joined.
   */
  cost_of_scattering(
      fixture,
      (const char *const[]){"dynamic", "yes", "q", "1", "orientation", "exact", "kind", "incoherent", NULL},
      &bytes);
  const gsize n_frames = debye_trajectory_get_n_frames(debye_dataset_get_trajectory(fixture->moving));
  g_assert_cmpuint(bytes, ==, (12 * N_ATOMS + 2 * 16) * n_frames);
}

static guint
count_threads(const DebyeDeviceEntry *device)
{
  DebyeDeviceInfo info = {0};
  DebyeStatus status = {0};
  g_assert_cmpint(device->backend->device_info(device->device, &info, &status), ==, DEBYE_STATUS_OK);
  return info.units;
}

/* A run that goes on beside an estimate keeps its threads; the estimate is for those that it was asked for.
 */
static void
test_threads(Fixture *fixture, gconstpointer data)
{
  (void)data;
  g_autoptr(GError) error = NULL;
  g_autoptr(DebyeRequest) of_run = new_request((const char *const[]){"threads", "3", NULL});
  g_autoptr(DebyeRequest) other = new_request((const char *const[]){"threads", "2", NULL});
  const DebyeDeviceEntry *devices[DEBYE_MAX_DEVICES];
  DebyeMapSettings settings;
  debye_request_fill(of_run, &settings);
  g_assert_cmpuint(debye_device_choose(fixture->registry, &settings.lanes, devices, &error), ==, 1);
  g_assert_cmpuint(count_threads(devices[0]), ==, 3);
  DebyeRunInput input = {.dataset = fixture->still, .request = other, .registry = fixture->registry};
  DebyeEstimate estimate;
  g_assert_true(plan_and_estimate(&debye_analysis_map, &input, &estimate, &error));
  guint cores = MIN(2, devices[0]->info.units);
  g_autofree char *expected = g_strdup_printf(cores == 1 ? "%u core" : "%u cores", cores);
  g_assert_cmpstr(estimate.devices, ==, expected);
  debye_estimate_clear(&estimate);
  g_assert_cmpuint(count_threads(devices[0]), ==, 3);
  devices[0]->backend->set_threads(0);
}

static void
test_stopped_kernel(void)
{
  g_autoptr(GError) stopped = NULL, failed = NULL;
  const DebyeStatus cancelled = {.code = DEBYE_STATUS_CANCELLED, .text = "Stopped."};
  const DebyeStatus lost = {.code = DEBYE_STATUS_NO_MEMORY, .text = "no memory"};
  debye_device_set_error(&stopped, &cancelled);
  g_assert_error(stopped, DEBYE_ERROR, DEBYE_ERROR_STOPPED);
  debye_device_set_error(&failed, &lost);
  g_assert_error(failed, DEBYE_ERROR, DEBYE_ERROR_MEMORY);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/analysis/units", test_units);
  g_test_add_func("/analysis/memory-sizes", test_memory_sizes);
  g_test_add_func("/analysis/members", test_members);
  g_test_add_func("/analysis/fill", test_fill);
  g_test_add_func("/analysis/fill-subset", test_fill_subset);
  g_test_add_func("/analysis/grid", test_grid);
  g_test_add_func("/analysis/suggested-spacing", test_suggested_spacing);
  g_test_add_func("/analysis/statistics", test_statistics);
  g_test_add_func("/analysis/merged-statistics", test_merged_statistics);
  g_test_add_func("/analysis/block-error", test_block_error);
  g_test_add_func("/analysis/block-error-with-gaps", test_block_error_with_gaps);
  g_test_add_func("/analysis/frame-blocks", test_frame_blocks);
  g_test_add("/analysis/run", Fixture, NULL, set_up, test_run, tear_down);
  g_test_add("/analysis/stop", Fixture, NULL, set_up, test_stop, tear_down);
  g_test_add("/analysis/partials", Fixture, NULL, set_up, test_partials, tear_down);
  g_test_add("/analysis/errors", Fixture, NULL, set_up, test_errors, tear_down);
  g_test_add("/analysis/no-charges", Fixture, NULL, set_up, test_no_charges, tear_down);
  g_test_add("/analysis/estimate", Fixture, NULL, set_up, test_estimate, tear_down);
  g_test_add("/analysis/scattering-estimate", Fixture, NULL, set_up, test_scattering_estimate, tear_down);
  g_test_add("/analysis/threads", Fixture, NULL, set_up, test_threads, tear_down);
  g_test_add_func("/analysis/stopped-kernel", test_stopped_kernel);
  return g_test_run();
}
