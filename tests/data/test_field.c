/* SPDX-License-Identifier: MIT */
/* Maps in memory against what can be said exactly, and their files against themselves: values bit for bit. */
#include <math.h>
#include <string.h>

#include <glib/gstdio.h>

#include "data/files/error.h"
#include "data/results/field_file.h"
#include "data/results/field_load.h"
#include "data/files/float_text.h"
#include "map_support.h"
#include "tests/support/count_down.h"

static void
test_statistics(void)
{
  const DebyeGrid grid = {.step = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, .shape = {4, 2, 1}};
  float values[] = {1.0f, -2.0f, NAN, 3.0f, INFINITY, 2.0f, -INFINITY, 4.0f};
  DebyeFieldStatistics statistics;
  g_autoptr(DebyeField) field = debye_field_new_take("f", &grid, g_memdup2(values, sizeof values), NULL);
  debye_field_get_statistics(field, &statistics);
  g_assert_cmpuint(debye_field_get_n_finite(field), ==, 5);
  g_assert_cmpfloat(statistics.minimum, ==, -2.0);
  g_assert_cmpfloat(statistics.maximum, ==, 4.0);
  g_assert_cmpfloat_with_epsilon(statistics.mean, 8.0 / 5.0, 1e-15);
  g_assert_cmpfloat_with_epsilon(statistics.rms, sqrt(34.0 / 5.0), 1e-15);
  g_assert_cmpstr(debye_field_get_unit(field), ==, "");
}

static void
test_nothing_finite(void)
{
  const DebyeGrid grid = {.step = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, .shape = {2, 1, 1}};
  float values[] = {NAN, NAN};
  DebyeFieldStatistics statistics;
  g_autoptr(DebyeField) field = debye_field_new_take("f", &grid, g_memdup2(values, sizeof values), "V");
  debye_field_get_statistics(field, &statistics);
  g_assert_cmpuint(debye_field_get_n_finite(field), ==, 0);
  g_assert_cmpfloat(statistics.minimum, ==, 0.0);
  g_assert_cmpfloat(statistics.rms, ==, 0.0);
  g_assert_cmpfloat(debye_field_get_percentile(field, 0.5), ==, 0.0);
}

/* 0 … n − 1 in a shuffled order: the value below which a fraction lies is that fraction of the range, within
 * a bin of the histogram and the distance of two values. */
static void
test_percentile(void)
{
  const DebyeGrid grid = {.step = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, .shape = {100, 100, 10}};
  const gsize n = 100000;
  float *values = g_new(float, n);
  for (gsize i = 0; i < n; i++)
    values[i] = (float)((i * 7919) % n);
  g_autoptr(DebyeField) field = debye_field_new_take("f", &grid, values, "V");
  for (double fraction = 0.0; fraction <= 1.0; fraction += 0.0625)
    g_assert_cmpfloat_with_epsilon(debye_field_get_percentile(field, fraction), fraction * (double)(n - 1),
                                   (double)n / 65536.0 + 1.0);
}

static double
linear(DebyeVec3 p)
{
  return 2.0 + 0.5 * p.x - 1.25 * p.y + 3.0 * p.z;
}

static DebyeField *
make_linear_field(const DebyeGrid *grid)
{
  float *values = g_new(float, debye_grid_n_points(grid));
  gsize next = 0;
  for (gsize k = 0; k < grid->shape[2]; k++)
    for (gsize j = 0; j < grid->shape[1]; j++)
      for (gsize i = 0; i < grid->shape[0]; i++)
        values[next++] = (float)linear(debye_grid_point(grid, (double)i, (double)j, (double)k));
  return debye_field_new_take("f", grid, values, "V");
}

/* By cubes a parabola is exact, too, which a line between its points misses by an eighth of the second difference. */
static void
test_smooth(void)
{
  const DebyeGrid grid = {.step = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, .shape = {6, 6, 6}};
  float *values = g_new(float, 216);
  for (int i = 0; i < 216; i++)
    values[i] = (float)(i % 6 * (i % 6));
  g_autoptr(DebyeField) field = debye_field_new_take("f", &grid, values, "V");
  const DebyeVec3 inside = debye_vec3(2.5, 2.2, 3.1), rim = debye_vec3(0.5, 2.2, 3.1);
  g_assert_cmpfloat_with_epsilon(debye_field_sample_smooth(field, inside), 6.25, 1e-9);
  g_assert_cmpfloat_with_epsilon(debye_field_sample(field, inside), 6.5, 1e-9);
  g_assert_cmpfloat_with_epsilon(debye_field_sample_smooth(field, rim), 0.5, 1e-9);
  g_assert_true(isnan(debye_field_sample_smooth(field, debye_vec3(6.0, 1.0, 1.0))));
}

/* What steps add up to is the decimal that was meant; other numbers stay what they are but for rounding. */
static void
test_decimal(void)
{
  char text[DEBYE_FLOAT_TEXT_SIZE];
  g_assert_cmpfloat(debye_double_to_decimal(0.1 + 2 * 0.01), ==, 0.12);
  debye_double_to_text(debye_double_to_decimal(3 * 0.1), text);
  g_assert_cmpstr(text, ==, "0.3");
  g_assert_cmpfloat_with_epsilon(debye_double_to_decimal(G_PI), G_PI, 1e-13);
  g_assert_true(isnan(debye_double_to_decimal(NAN)));
}

/* Trilinear interpolation is exact for a linear function, in a skew grid as well. */
static void
test_sample(void)
{
  const DebyeGrid grid = {.origin = {-1.0, 2.0, 0.5},
                          .step = {{0.5, 0.1, 0}, {-0.2, 0.6, 0.05}, {0.1, 0.1, 0.7}},
                          .shape = {6, 5, 4}};
  g_autoptr(DebyeField) field = make_linear_field(&grid);
  g_autoptr(GRand) random = g_rand_new_with_seed(3);
  for (int trial = 0; trial < 1000; trial++) {
    DebyeVec3 p = debye_grid_point(&grid, g_rand_double_range(random, 0, 5),
                                   g_rand_double_range(random, 0, 4), g_rand_double_range(random, 0, 3));
    /* The values are floats of up to about 10. */
    g_assert_cmpfloat_with_epsilon(debye_field_sample(field, p), linear(p), 2e-6);
    g_assert_cmpfloat_with_epsilon(debye_field_sample_smooth(field, p), linear(p), 4e-6);
  }
  for (int corner = 0; corner < 8; corner++) {
    DebyeVec3 p = debye_grid_point(&grid, corner & 1 ? 5 : 0, corner & 2 ? 4 : 0, corner & 4 ? 3 : 0);
    g_assert_cmpfloat_with_epsilon(debye_field_sample(field, p), linear(p), 2e-6);
  }
  g_assert_true(isnan(debye_field_sample(field, debye_grid_point(&grid, 5.01, 1, 1))));
  g_assert_true(isnan(debye_field_sample(field, debye_grid_point(&grid, 1, -0.01, 1))));
  g_assert_true(isnan(debye_field_sample(field, debye_vec3(NAN, 0, 0))));
}

/* One plane is a grid too; and what isn't computed yet spoils only points that need it. */
static void
test_sample_edges(void)
{
  const DebyeGrid grid = {.step = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, .shape = {2, 2, 1}};
  float values[] = {1.0f, 2.0f, 3.0f, NAN};
  g_autoptr(DebyeField) field = debye_field_new_take("f", &grid, g_memdup2(values, sizeof values), "V");
  g_assert_cmpfloat(debye_field_sample(field, debye_vec3(0.5, 0, 0)), ==, 1.5);
  g_assert_cmpfloat(debye_field_sample(field, debye_vec3(0, 1, 0)), ==, 3.0);
  g_assert_true(isnan(debye_field_sample(field, debye_vec3(0.5, 0.5, 0))));
  g_assert_true(isnan(debye_field_sample(field, debye_vec3(0, 0, 0.5))));
}

static gpointer
ask_statistics(gpointer data)
{
  DebyeFieldStatistics *statistics = g_new(DebyeFieldStatistics, 1);
  debye_field_get_percentile(data, 0.3);
  debye_field_get_statistics(data, statistics);
  return statistics;
}

static void
test_threads(void)
{
  g_autoptr(DebyeField) field = map_support_make_field(FALSE);
  GThread *threads[8];
  for (int i = 0; i < 8; i++)
    threads[i] = g_thread_new("statistics", ask_statistics, field);
  DebyeFieldStatistics expected;
  debye_field_get_statistics(field, &expected);
  for (int i = 0; i < 8; i++) {
    g_autofree DebyeFieldStatistics *statistics = g_thread_join(threads[i]);
    g_assert_cmpmem(statistics, sizeof expected, &expected, sizeof expected);
  }
}

static void
assert_float_text(float value, const char *expected)
{
  char text[DEBYE_FLOAT_TEXT_SIZE];
  g_assert_cmpuint(debye_float_to_text(value, text), ==, strlen(expected));
  g_assert_cmpstr(text, ==, expected);
}

static void
test_float_text(void)
{
  char text[DEBYE_FLOAT_TEXT_SIZE];
  float back;
  assert_float_text(0.0f, "0");
  assert_float_text(-0.0f, "-0");
  assert_float_text(0.1f, "0.1");
  assert_float_text(-1.5f, "-1.5");
  assert_float_text(100.0f, "100");
  assert_float_text(123456.0f, "123456");
  assert_float_text(0.000244140625f, "0.00024414063");
  assert_float_text(1e10f, "1e+10");
  assert_float_text(1e23f, "1e+23");
  assert_float_text(-2.5e-20f, "-2.5e-20");
  assert_float_text(NAN, "nan");
  assert_float_text(-INFINITY, "-inf");
  g_autoptr(GRand) random = g_rand_new_with_seed(11);
  for (int i = 0; i < 400000; i++) {
    guint32 bits = g_rand_int(random), again;
    float value;
    memcpy(&value, &bits, sizeof value);
    if (!isfinite(value))
      continue;
    gsize length = debye_float_to_text(value, text);
    g_assert_true(debye_float_from_text(text, length, &back));
    memcpy(&again, &back, sizeof again);
    g_assert_cmphex(again, ==, bits);
    g_assert_cmpfloat((float)g_ascii_strtod(text, NULL), ==, value);
  }
  g_assert_true(debye_float_from_text("1.0D-05", 7, &back));
  g_assert_cmpfloat(back, ==, 1.0e-5f);
  g_assert_true(debye_float_from_text("1.e-6", 5, &back));
  g_assert_cmpfloat(back, ==, 1.0e-6f);
  for (const char *const *word =
           (const char *const[]){"", "-", ".", "1e", "1,5", "0x10", "1.5.2", "e5", NULL};
       *word != NULL; word++)
    g_assert_false(debye_float_from_text(*word, strlen(*word), &back));
}

typedef gboolean (*Writer)(DebyeField *field, GOutputStream *stream, GError **error);

static gboolean
save_cube(DebyeField *field, GOutputStream *stream, GError **error)
{
  return debye_field_save_cube(field, NULL, NULL, stream, error);
}

/* The bytes that a writer makes, as a file. */
static char *
save(const char *folder, const char *name, DebyeField *field, Writer writer)
{
  GError *error = NULL;
  g_autoptr(GOutputStream) stream = g_memory_output_stream_new_resizable();
  g_assert_true(writer(field, stream, &error));
  g_assert_no_error(error);
  g_output_stream_close(stream, NULL, NULL);
  GMemoryOutputStream *memory = G_MEMORY_OUTPUT_STREAM(stream);
  return map_support_write(folder, name, g_memory_output_stream_get_data(memory),
                           (gssize)g_memory_output_stream_get_data_size(memory));
}

static DebyeField *
load(const char *path)
{
  GError *error = NULL;
  DebyeField *field = debye_field_load(path, &error);
  g_assert_no_error(error);
  g_assert_nonnull(field);
  return field;
}

static void
test_round_trip_dx(void)
{
  char *folder = map_support_make_folder();
  for (int skew = 0; skew < 2; skew++) {
    g_autoptr(DebyeField) field = map_support_make_field(skew);
    debye_field_set_medium(field, skew ? "no continuum solvent, ε = 1" : NULL);
    g_autofree char *path = save(folder, "map.dx", field, debye_field_save_dx);
    g_autoptr(DebyeField) again = load(path);
    g_assert_cmpstr(debye_field_get_medium(again), ==, debye_field_get_medium(field));
    map_support_assert_same_values(again, field);
    map_support_assert_same_grid(again, field, 0.0);
    g_assert_cmpstr(debye_field_get_unit(again), ==, "kT/e");
    g_assert_cmpstr(debye_field_get_name(again), ==, "potential");
    g_assert_null(debye_field_get_warnings(again)[0]);
  }
  map_support_remove_folder(folder);
}

/* Six digits a value and six decimals a length (in bohr) are what the format has. */
static void
test_round_trip_cube(void)
{
  char *folder = map_support_make_folder();
  for (int skew = 0; skew < 2; skew++) {
    g_autoptr(DebyeField) field = map_support_make_field(skew);
    g_autofree char *path = save(folder, "map.cube", field, save_cube);
    g_autoptr(DebyeField) again = load(path);
    map_support_assert_same_grid(again, field, 0.5e-6);
    g_assert_cmpstr(debye_field_get_unit(again), ==, "kT/e");
    g_assert_cmpstr(debye_field_get_name(again), ==, "potential");
    const float *values = debye_field_get_values(field), *read = debye_field_get_values(again);
    for (gsize i = 0; i < debye_grid_n_points(debye_field_get_grid(field)); i++)
      g_assert_cmpfloat(fabs((double)read[i] - values[i]), <=, 5.1e-6 * fabs((double)values[i]));
  }
  map_support_remove_folder(folder);
}

/* Values are stored as they are; lengths of the cell and the origin as floats. */
static void
test_round_trip_ccp4(void)
{
  char *folder = map_support_make_folder();
  for (int skew = 0; skew < 2; skew++) {
    g_autoptr(DebyeField) field = map_support_make_field(skew);
    g_autofree char *path = save(folder, "map.ccp4", field, debye_field_save_ccp4);
    g_autoptr(DebyeField) again = load(path);
    map_support_assert_same_values(again, field);
    map_support_assert_same_grid(again, field, 2e-6);
    g_assert_cmpstr(debye_field_get_unit(again), ==, "kT/e");
  }
  map_support_remove_folder(folder);
}

static void
test_ccp4_refuses_turned_grids(void)
{
  g_autoptr(GError) error = NULL;
  const DebyeGrid grid = {.step = {{0, 1, 0}, {1, 0, 0}, {0, 0, 1}}, .shape = {1, 1, 1}};
  g_autoptr(DebyeField) field = debye_field_new_take("f", &grid, g_new0(float, 1), "V");
  g_autoptr(GOutputStream) stream = g_memory_output_stream_new_resizable();
  g_assert_false(debye_field_save_ccp4(field, stream, &error));
  g_assert_error(error, DEBYE_ERROR, DEBYE_ERROR_VALUE);
  g_assert_cmpuint(g_memory_output_stream_get_data_size(G_MEMORY_OUTPUT_STREAM(stream)), ==, 0);
}

static void
swap_words(guint8 *bytes, gsize first, gsize n)
{
  for (gsize i = first; i < first + n; i++) {
    guint32 word;
    memcpy(&word, bytes + 4 * i, 4);
    word = GUINT32_SWAP_LE_BE(word);
    memcpy(bytes + 4 * i, &word, 4);
  }
}

/* The same map as another machine or program would have written it. */
static void
test_ccp4_variants(void)
{
  char *folder = map_support_make_folder();
  gsize length;
  g_autoptr(DebyeField) field = map_support_make_field(FALSE);
  g_autofree char *path = save(folder, "map.ccp4", field, debye_field_save_ccp4);
  g_autofree char *bytes = NULL;
  g_assert_true(g_file_get_contents(path, &bytes, &length, NULL));

  g_autofree guint8 *swapped = g_memdup2(bytes, length);
  swap_words(swapped, 0, 52);
  swap_words(swapped, 54, 2);
  swap_words(swapped, 256, length / 4 - 256);
  memcpy(swapped + 4 * 53, "\x11\x11\0\0", 4);
  g_autofree char *swapped_path = map_support_write(folder, "swapped.mrc", (char *)swapped, (gssize)length);
  g_autoptr(DebyeField) big_endian = load(swapped_path);
  map_support_assert_same_values(big_endian, field);
  map_support_assert_same_grid(big_endian, field, 2e-6);

  /* Start counts in place of the origin, and an extended header of 80 bytes. */
  g_autofree guint8 *extended = g_malloc0(length + 80);
  memcpy(extended, bytes, 1024);
  memcpy(extended + 1024 + 80, bytes + 1024, length - 1024);
  const gint32 starts[] = {-4, 3, 2}, symmetry = 80;
  memcpy(extended + 16, starts, sizeof starts);
  memset(extended + 4 * 49, 0, 12);
  memcpy(extended + 4 * 23, &symmetry, 4);
  g_autofree char *extended_path =
      map_support_write(folder, "start.map", (char *)extended, (gssize)length + 80);
  g_autoptr(DebyeField) started = load(extended_path);
  map_support_assert_same_values(started, field);
  DebyeVec3 origin = debye_field_get_grid(started)->origin;
  g_assert_cmpfloat_with_epsilon(origin.x, -2.0, 1e-6);
  g_assert_cmpfloat_with_epsilon(origin.y, 2.1, 1e-6);
  g_assert_cmpfloat_with_epsilon(origin.z, 2.2, 1e-6);
  map_support_remove_folder(folder);
}

/* Columns along z, rows along x, sections along y: the values must come out x fastest. */
static void
test_ccp4_axis_order(void)
{
  char *folder = map_support_make_folder();
  const gsize shape[3] = {2, 3, 4}; /* of x, y, z */
  union {
    guint32 words[256 + 24];
    float floats[256 + 24];
  } file = {0};
  const guint32 counts[] = {4, 2, 3, 2}, intervals[] = {2, 3, 4}, axes[] = {3, 1, 2};
  const float cell[] = {2.0f, 3.0f, 4.0f, 90.0f, 90.0f, 90.0f};
  memcpy(file.words, counts, sizeof counts);
  memcpy(file.words + 7, intervals, sizeof intervals);
  memcpy(file.floats + 10, cell, sizeof cell);
  memcpy(file.words + 16, axes, sizeof axes);
  memcpy(file.words + 52, "MAP DD\0\0", 8);
  gsize next = 256;
  for (gsize y = 0; y < 3; y++)
    for (gsize x = 0; x < 2; x++)
      for (gsize z = 0; z < 4; z++)
        file.floats[next++] = (float)(100 * x + 10 * y + z);
  g_autofree char *path = map_support_write(folder, "axes.ccp4", (char *)&file, sizeof file);
  g_autoptr(DebyeField) field = load(path);
  const float *values = debye_field_get_values(field);
  for (int axis = 0; axis < 3; axis++)
    g_assert_cmpuint(debye_field_get_grid(field)->shape[axis], ==, shape[axis]);
  for (gsize z = 0; z < 4; z++)
    for (gsize y = 0; y < 3; y++)
      for (gsize x = 0; x < 2; x++)
        g_assert_cmpfloat(values[x + 2 * (y + 3 * z)], ==, (float)(100 * x + 10 * y + z));
  map_support_remove_folder(folder);
}

static DebyeField *
load_text(const char *folder, const char *text)
{
  g_autofree char *path = map_support_write(folder, "text", text, -1);
  return load(path);
}

#define DX_HEADER                                                                                    \
  "object 1 class gridpositions counts 1 2 3\norigin 0 0 0\ndelta 1 0 0\ndelta 0 1 0\ndelta 0 0 1\n" \
  "object 2 class gridconnections counts 1 2 3\n"

/* Value n stands at z plane n mod 3 and y row n / 3: z fastest in the file. */
static void
test_dx_forms(void)
{
  static const char *const texts[] = {
      DX_HEADER "object 3 class array type double rank 0 items 6 data follows\n0 1 2\n3 4 5\n",
      "# a comment\n\n" DX_HEADER
      "object 3 class array type \"float\" rank 0 items 6 data follows\n0\t1 2 3 # c\n4\n\n5",
      DX_HEADER "object 3 class array type double rank 0 data follows\r\n0 1e0 2.0E+00 3. 0.4e1 500e-2\r\n"
                "attribute \"dep\" string \"positions\"\r\nobject \"density\" class field\r\n",
  };
  char *folder = map_support_make_folder();
  for (gsize i = 0; i < G_N_ELEMENTS(texts); i++) {
    g_autoptr(DebyeField) field = load_text(folder, texts[i]);
    const float *values = debye_field_get_values(field);
    for (int n = 0; n < 6; n++)
      g_assert_cmpfloat(values[n / 3 + 2 * (n % 3)], ==, (float)n);
    g_assert_cmpstr(debye_field_get_unit(field), ==, "");
    g_assert_null(debye_field_get_warnings(field)[0]);
  }
  g_autoptr(DebyeField) longer = load_text(
      folder, DX_HEADER "object 3 class array type double rank 0 items 6 data follows\n0 1 2 3 4 5\n6 7\n");
  g_assert_nonnull(strstr(debye_field_get_warnings(longer)[0], "more than the expected 6 values"));
  map_support_remove_folder(folder);
}

/* Å where the first count is negative; two values per point where the header says so. */
static void
test_cube_forms(void)
{
  char *folder = map_support_make_folder();
  g_autoptr(DebyeField) angstrom = load_text(
      folder, "a\nb\n 1 1 2 3\n -1 1 0 0\n 1 0 1 0\n -2 0 0 0.5\n 8 8.0 0 0 0\n 1.5E+00 -2.5D+00\n");
  const DebyeGrid *grid = debye_field_get_grid(angstrom);
  g_assert_cmpfloat(grid->origin.z, ==, 3.0);
  g_assert_cmpfloat(grid->step[2].z, ==, 0.5);
  g_assert_cmpfloat(debye_field_get_values(angstrom)[1], ==, -2.5f);
  g_assert_cmpstr(debye_field_get_name(angstrom), ==, "a");
  g_autoptr(DebyeField) orbitals = load_text(
      folder, "a\nb\n -1 0 0 0\n 1 1 0 0\n 1 0 1 0\n 2 0 0 1\n 8 8.0 0 0 0\n 2 7\n 9\n 1 2\n 3 4\n");
  g_assert_cmpfloat(debye_field_get_values(orbitals)[0], ==, 1.0f);
  g_assert_cmpfloat(debye_field_get_values(orbitals)[1], ==, 3.0f);
  g_assert_cmpfloat(debye_field_get_grid(orbitals)->step[0].x, ==, 0.529177210903);
  g_assert_nonnull(strstr(debye_field_get_warnings(orbitals)[0], "2 values per point"));
  g_assert_cmpstr(debye_field_get_unit(orbitals), ==, "bohr^-3/2");
  g_autoptr(DebyeField) property =
      load_text(folder, "a\nb\n 0 0 0 0 3\n 1 1 0 0\n 1 0 1 0\n 1 0 0 1\n 5 6 7\n");
  g_assert_cmpfloat(debye_field_get_values(property)[0], ==, 5.0f);
  map_support_remove_folder(folder);
}

static void
test_cube_atoms(void)
{
  g_autoptr(DebyeTopologyBuilder) builder = debye_topology_builder_new();
  DebyeAtom atom = DEBYE_ATOM_INIT;
  atom.name = "O";
  atom.atomic_number = 8;
  debye_topology_builder_add_atom(builder, &atom);
  g_autoptr(DebyeTopology) topology = debye_topology_builder_finish(builder);
  g_autoptr(DebyeFrame) frame = debye_frame_new(1);
  frame->x[0] = 0.529177210903f;
  frame->y[0] = frame->z[0] = 0.0f;
  g_autoptr(DebyeField) field = map_support_make_field(FALSE);
  g_autoptr(GOutputStream) stream = g_memory_output_stream_new_resizable();
  g_assert_true(debye_field_save_cube(field, topology, frame, stream, NULL));
  g_autofree char *text = g_strndup(g_memory_output_stream_get_data(G_MEMORY_OUTPUT_STREAM(stream)), 2000);
  g_auto(GStrv) lines = g_strsplit(text, "\n", 9);
  g_assert_cmpstr(lines[6], ==, "    8    8.000000    1.000000    0.000000    0.000000");
  g_assert_true(g_str_has_prefix(lines[2], "    1"));
}

static char *
to_csv(DebyeField *field)
{
  g_autoptr(GOutputStream) stream = g_memory_output_stream_new_resizable();
  g_assert_true(debye_field_save_csv(field, NULL, stream, NULL));
  GMemoryOutputStream *memory = G_MEMORY_OUTPUT_STREAM(stream);
  return g_strndup(g_memory_output_stream_get_data(memory), g_memory_output_stream_get_data_size(memory));
}

/* A map over reciprocal space says so, and a format of lengths in bohr does not take it. */
static void
test_length_unit(void)
{
  const DebyeGrid grid = {.step = {{0.1, 0, 0}, {0, 0.1, 0}, {0, 0, 0.1}}, .shape = {2, 1, 1}};
  const float values[] = {1.0f, 2.0f};
  g_autoptr(GError) error = NULL;
  g_autoptr(DebyeField) field = debye_field_new_take("S", &grid, g_memdup2(values, sizeof values), "");
  debye_field_set_length_unit(field, "Å⁻¹");
  g_autofree char *text = to_csv(field);
  g_assert_true(g_str_has_prefix(text, "# length_unit: Å⁻¹\n"));
  g_autoptr(GOutputStream) stream = g_memory_output_stream_new_resizable();
  g_assert_false(debye_field_save_cube(field, NULL, NULL, stream, &error));
  g_assert_error(error, DEBYE_ERROR, DEBYE_ERROR_VALUE);
  g_assert_nonnull(strstr(error->message, "Å⁻¹"));
}

static void
test_csv(void)
{
  const char *const header[] = {"analysis: map", NULL};
  const DebyeGrid grid = {
      .origin = {0.1, 0, 0}, .step = {{0.2, 0, 0}, {0, 1, 0}, {0, 0, 1}}, .shape = {2, 1, 2}};
  float values[] = {0.25f, -1e-7f, NAN, 4.0f};
  g_autoptr(DebyeField) field =
      debye_field_new_take("potential", &grid, g_memdup2(values, sizeof values), "V");
  g_autoptr(GOutputStream) stream = g_memory_output_stream_new_resizable();
  g_assert_true(debye_field_save_csv(field, header, stream, NULL));
  GMemoryOutputStream *memory = G_MEMORY_OUTPUT_STREAM(stream);
  g_autofree char *text =
      g_strndup(g_memory_output_stream_get_data(memory), g_memory_output_stream_get_data_size(memory));
  g_assert_cmpstr(text, ==,
                  "# analysis: map\n# length_unit: Å\n# unit: V\nx,y,z,potential\n"
                  "0.1,0,0,0.25\n0.3,0,0,-1e-07\n0.1,0,1,nan\n0.3,0,1,4\n");
}

static void
test_stopped(void)
{
  char *folder = map_support_make_folder();
  g_autoptr(DebyeField) field = map_support_make_field(FALSE);
  g_autofree char *path = save(folder, "stopped.dx", field, debye_field_save_dx);
  guint n = 0;
  for (gboolean is_stopped = TRUE; is_stopped; n++) {
    guint left = n;
    g_autoptr(GError) error = NULL;
    g_autoptr(DebyeField) loaded = debye_field_load_watched(path, debye_count_down, &left, &error);
    is_stopped = loaded == NULL;
    g_assert_true(is_stopped == g_error_matches(error, G_IO_ERROR, G_IO_ERROR_CANCELLED));
  }
  g_assert_cmpuint(n, >, 1);
  map_support_remove_folder(folder);
}

/* A format that has only a name keeps there that the map was stopped, which is no part of what it is of. */
static void
test_partial(void)
{
  char *folder = map_support_make_folder();
  g_autoptr(DebyeField) whole = map_support_make_field(FALSE);
  const DebyeGrid *grid = debye_field_get_grid(whole);
  g_autoptr(DebyeField) stopped = debye_field_new_take("density" DEBYE_FIELD_PARTIAL, grid,
                                                       g_new0(float, debye_grid_n_points(grid)), "Å⁻³");
  g_autofree char *first = save(folder, "density.dx", stopped, debye_field_save_dx);
  g_autofree char *second = save(folder, "whole.dx", whole, debye_field_save_dx);
  g_autoptr(DebyeField) read = debye_field_load(first, NULL), other = debye_field_load(second, NULL);
  g_assert_true(debye_field_is_partial(read));
  g_assert_cmpint(debye_field_get_kind(read), ==, DEBYE_FIELD_DENSITY);
  g_assert_false(debye_field_is_partial(other));
  map_support_remove_folder(folder);
}

static void
assert_refused(const char *folder, const char *text, int code, const char *part)
{
  g_autoptr(GError) error = NULL;
  g_autofree char *path = map_support_write(folder, "bad.dx", text, -1);
  g_assert_null(debye_field_load(path, &error));
  g_assert_error(error, DEBYE_ERROR, code);
  g_assert_true(g_str_has_prefix(error->message, "bad.dx: "));
  if (strstr(error->message, part) == NULL)
    g_error("“%s” lacks “%s”", error->message, part);
}

static void
test_refused(void)
{
  char *folder = map_support_make_folder();
  assert_refused(folder, "", DEBYE_ERROR_UNKNOWN, "empty");
  assert_refused(folder, "hello\nworld\n", DEBYE_ERROR_UNKNOWN, "OpenDX");
  assert_refused(folder, DX_HEADER, DEBYE_ERROR_TRUNCATED, "data follows");
  assert_refused(folder, DX_HEADER "object 3 class array rank 0 items 6 data follows\n0 1 2",
                 DEBYE_ERROR_TRUNCATED, "after 3 of 6 values");
  assert_refused(folder, DX_HEADER "object 3 class array rank 0 items 6 data follows\n0 1 2\n3 4,5 5",
                 DEBYE_ERROR_SYNTAX, "line 9: expected value 5 of 6, found “4,5”");
  assert_refused(folder, DX_HEADER "object 3 class array rank 0 items 7 data follows\n0 1 2 3 4 5 6",
                 DEBYE_ERROR_MISMATCH, "expected 6 items");
  assert_refused(folder, DX_HEADER "object 3 class array rank 1 shape 3 items 6 data follows\n",
                 DEBYE_ERROR_SYNTAX, "rank 0");
  assert_refused(folder, DX_HEADER "object 3 class array rank 0 items 6 lsb binary data follows\n",
                 DEBYE_ERROR_SYNTAX, "binary");
  assert_refused(
      folder,
      "object 1 class gridpositions counts 1 1 1\norigin 0 0 0\ndelta 1 0 0\ndelta 0 1 0\ndelta 1 1 0\n"
      "object 3 class array rank 0 items 1 data follows\n1\n",
      DEBYE_ERROR_VALUE, "independent grid steps");
  assert_refused(
      folder,
      "object 1 class gridpositions counts 4294967296 4294967296 4294967296\norigin 0 0 0\ndelta 1 0 0\n"
      "delta 0 1 0\ndelta 0 0 1\nobject 3 class array rank 0 items 1 data follows\n1\n",
      DEBYE_ERROR_LIMIT, "bytes can't hold them");
  assert_refused(folder, "a\nb\n 2 0 0 0\n 1 1 0 0\n 1 0 1 0\n 1 0 0 1\n 8 8 0 0 0\n", DEBYE_ERROR_TRUNCATED,
                 "an atom");
  assert_refused(folder, "a\nb\n -1 0 0 0\n 1 1 0 0\n 1 0 1 0\n 1 0 0 1\n 8 8 0 0 0\n -3 1 2 3\n 1\n",
                 DEBYE_ERROR_SYNTAX, "at least one orbital");
  map_support_remove_folder(folder);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/field/statistics", test_statistics);
  g_test_add_func("/field/nothing-finite", test_nothing_finite);
  g_test_add_func("/field/percentile", test_percentile);
  g_test_add_func("/field/sample", test_sample);
  g_test_add_func("/field/smooth", test_smooth);
  g_test_add_func("/field/decimal", test_decimal);
  g_test_add_func("/field/sample-edges", test_sample_edges);
  g_test_add_func("/field/threads", test_threads);
  g_test_add_func("/field/float-text", test_float_text);
  g_test_add_func("/field/round-trip/dx", test_round_trip_dx);
  g_test_add_func("/field/round-trip/cube", test_round_trip_cube);
  g_test_add_func("/field/round-trip/ccp4", test_round_trip_ccp4);
  g_test_add_func("/field/ccp4/turned", test_ccp4_refuses_turned_grids);
  g_test_add_func("/field/ccp4/variants", test_ccp4_variants);
  g_test_add_func("/field/ccp4/axis-order", test_ccp4_axis_order);
  g_test_add_func("/field/dx/forms", test_dx_forms);
  g_test_add_func("/field/cube/forms", test_cube_forms);
  g_test_add_func("/field/cube/atoms", test_cube_atoms);
  g_test_add_func("/field/csv", test_csv);
  g_test_add_func("/field/length-unit", test_length_unit);
  g_test_add_func("/field/stopped", test_stopped);
  g_test_add_func("/field/partial", test_partial);
  g_test_add_func("/field/refused", test_refused);
  return g_test_run();
}
