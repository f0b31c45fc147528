/* SPDX-License-Identifier: MIT */
/* Colour maps of one's own: as files in each form, as texts, and what is none. */
#include <string.h>

#include "data/results/field.h"
#include "render/layers/color_map_choice.h"
#include "render/layers/slice_layer.h"
#include "render/plot/color_map_file.h"
#include "tests/support/temporary.h"

static char *
read_text(const char *text, GError **error)
{
  g_autoptr(DebyeTemporaryFolder) folder = debye_temporary_folder_new();
  g_autofree char *path = debye_temporary_write(folder, "colors.txt", text, strlen(text));
  return debye_color_map_read(path, error);
}

/* Each form of the same three colours. */
static void
test_forms(void)
{
  static const char *const forms[] = {
      "0 0 1\n1 1 1\n1 0 0\n",
      "# from low to high\n0\t0\t255\n255,255,255\n\n255; 0; 0",
      "#0000ff\n#FFFFFF\nff0000\n",
      "0.0 0.0 1.0\r\n1 1 1\r\n1 0 0\r\n",
  };
  for (gsize i = 0; i < G_N_ELEMENTS(forms); i++) {
    g_autoptr(GError) error = NULL;
    g_autofree char *text = read_text(forms[i], &error);
    g_assert_no_error(error);
    g_assert_cmpstr(text, ==, "0000ff ffffff ff0000");
  }
}

/* Positions need not be even: a quarter of the way stands white. */
static void
test_positions(void)
{
  g_autoptr(GError) error = NULL;
  g_autofree char *text = read_text("-1 0 0 0\n0 255 255 255\n3 0 0 0\n", &error);
  g_assert_no_error(error);
  const DebyeColorMap *map = debye_color_map_from_text(text);
  float rgb[3];
  g_assert_cmpuint(map->n_stops, ==, 256);
  for (int i = 0; i <= 16; i++) {
    double at = i / 16.0, expected = at < 0.25 ? 4.0 * at : (1.0 - at) / 0.75;
    debye_color_map_get(map, at, rgb);
    /* A byte a colour, and a bend between two of 256 stops. */
    g_assert_cmpfloat_with_epsilon((double)rgb[1], expected, 0.02);
  }
}

static void
test_wrong_files(void)
{
  static const struct {
    const char *text, *message;
  } cases[] = {
      {"", "expected two or more rows"},
      {"1 2 3\n", "found 1"},
      {"1 2 3\n4 5\n", "line 2: expected a row"},
      {"1 2 3\n4 5 6 7\n", "line 2: expected a row"},
      {"1 2 3\n4 5 nan\n", "found “4 5 nan”"},
      {"1 2 300\n4 5 6\n", "line 1: expected a row"},
      {"1 2 -3\n4 5 6\n", "line 1: expected a row"},
      {"0 1 2 3\n0 4 5 6\n", "line 2: expected a row"},
      {"white\n#000000\n", "line 1: expected a row"},
  };
  for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
    g_autoptr(GError) error = NULL;
    g_assert_null(read_text(cases[i].text, &error));
    g_assert_nonnull(error);
    g_assert_nonnull(strstr(error->message, cases[i].message));
    g_assert_nonnull(strstr(error->message, "colors.txt"));
  }
  g_autoptr(GError) error = NULL;
  g_assert_null(debye_color_map_read("/", &error));
  g_assert_nonnull(strstr(error->message, "expected a file of colours"));
}

static void
test_texts(void)
{
  static const char *const wrong[] = {NULL, "", "ffffff", "fffff ffffff", "red blue", "ffffff,gggggg"};
  for (gsize i = 0; i < G_N_ELEMENTS(wrong); i++)
    g_assert_null(debye_color_map_from_text(wrong[i]));
  const DebyeColorMap *map = debye_color_map_from_text("#053061, #f7f7f7; 67001F");
  g_assert_nonnull(map);
  g_assert_true(map->diverging);
  g_assert_true(map == debye_color_map_from_text("#053061, #f7f7f7; 67001F"));
  g_assert_false(debye_color_map_from_text("000000 ffffff")->diverging);
}

/* Every word of the choice is a map; what is none follows the values. */
static void
test_choice(void)
{
  for (int i = DEBYE_COLOR_MAP_AUTOMATIC + 1; i < DEBYE_COLOR_MAP_OWN; i++)
    g_assert_cmpstr(debye_color_map_choose(i, "", TRUE)->name, ==, debye_color_map_choices[i].value);
  g_assert_cmpstr(debye_color_map_choose(DEBYE_COLOR_MAP_AUTOMATIC, "", TRUE)->name, ==, "RdBu");
  g_assert_cmpstr(debye_color_map_choose(DEBYE_COLOR_MAP_OWN, "none", FALSE)->name, ==, "viridis");
  g_assert_cmpstr(debye_color_map_choose(DEBYE_COLOR_MAP_OWN, "000000 ffffff", FALSE)->name, ==,
                  "000000 ffffff");
}

/* A map of one sign has limits of its own, one about zero symmetric ones, whatever the values. */
static void
test_limits(void)
{
  const DebyeGrid grid = {.step = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, .shape = {10, 10, 10}};
  float *values = g_new(float, 1000);
  double low, high;
  for (int i = 0; i < 1000; i++)
    values[i] = 2.0f + (float)i * 1e-3f;
  g_autoptr(DebyeField) field = debye_field_new_take("ramp", &grid, values, "");
  g_autoptr(DebyeSliceLayer) slice = debye_slice_layer_new(field);
  debye_slice_layer_get_limits(slice, &low, &high);
  g_assert_cmpfloat(low, >, 1.9);
  g_object_set(slice, "color-map", 2, NULL); /* PiYG */
  debye_slice_layer_get_limits(slice, &low, &high);
  g_assert_cmpfloat(low, ==, -high);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/color-map/forms", test_forms);
  g_test_add_func("/color-map/positions", test_positions);
  g_test_add_func("/color-map/wrong-files", test_wrong_files);
  g_test_add_func("/color-map/texts", test_texts);
  g_test_add_func("/color-map/choice", test_choice);
  g_test_add_func("/color-map/limits", test_limits);
  return g_test_run();
}
