/* SPDX-License-Identifier: MIT */
/* Colour maps by name, by their colours and from files; what files are refused, and that a layer keeps them. */
#include <glib/gstdio.h>
#include <string.h>

#include "data/files/error.h"
#include "render/layers/slice_layer.h"
#include "render/plot/color_map.h"

static const DebyeColorMap *
load(const char *content, gssize length, GError **error)
{
  g_autofree char *folder = g_dir_make_tmp("debye-map-XXXXXX", NULL);
  g_autofree char *path = g_build_filename(folder, "heat: 1.txt", NULL);
  g_assert_true(g_file_set_contents(path, content, length, NULL));
  const DebyeColorMap *map = debye_color_map_load(path, error);
  g_unlink(path);
  g_rmdir(folder);
  return map;
}

static void
test_names(void)
{
  static const char *const known[] = {"viridis", "cividis", "inferno", "RdBu",
                                      "PiYG",    "grey",    "gray",    "rdbu"};
  for (gsize i = 0; i < G_N_ELEMENTS(known); i++)
    g_assert_nonnull(debye_color_map_find(known[i]));
  g_assert_true(debye_color_map_find("RdBu") == debye_color_map_list()[0]);
  g_assert_null(debye_color_map_find("jet"));
  g_assert_null(debye_color_map_find(""));
}

/* Rows from 0 to 1, or from 0 to 255; with positions they become evenly spaced. */
static void
test_files(void)
{
  g_autoptr(GError) error = NULL;
  float rgb[3];
  const DebyeColorMap *map = load("# heat\n0 0 0\n1,0.5,0 # middle\n\n1 1 1\r\n", -1, &error);
  g_assert_no_error(error);
  g_assert_cmpuint(map->n_stops, ==, 3);
  g_assert_cmphex(map->stops[1], ==, 0xff8000);
  g_assert_cmpstr(map->name, ==, "heat_ 1.txt");
  map = load("-1 0 0 0\n0 255 255 255\n3 0 0 255\n", -1, &error);
  g_assert_no_error(error);
  g_assert_true(map->diverging);
  debye_color_map_get(map, 0.25, rgb);
  g_assert_cmpfloat_with_epsilon((double)rgb[0], 1.0, 0.02); /* half a step of 256 */
  debye_color_map_get(map, 1.0, rgb);
  g_assert_cmpfloat_with_epsilon((double)rgb[0], 0.0, 1e-6);
}

static void
test_refused(void)
{
  static const char *const wrong[] = {"",
                                      "0 0 0\n",
                                      "0 0\n1 1\n",
                                      "0 0 0\n0 1 1 1\n",
                                      "0 0 0 0 0\n",
                                      "0 0 0\nred\n",
                                      "0 0 0\n0 0 256\n",
                                      "0 0 0\n0 0 -0.1\n",
                                      "0 0 0\n0 nan 0\n",
                                      "1 0 0 0\n1 1 1 1\n",
                                      "\xff\xfe"};
  for (gsize i = 0; i < G_N_ELEMENTS(wrong); i++) {
    g_autoptr(GError) error = NULL;
    g_assert_null(load(wrong[i], -1, &error));
    g_assert_error(error, DEBYE_ERROR, DEBYE_ERROR_VALUE);
  }
  g_autoptr(GError) binary = NULL, large = NULL, missing = NULL;
  g_assert_null(load("0 0 0\n\0 1 1 1\n", 14, &binary));
  g_assert_nonnull(binary);
  g_autofree char *spaces = g_strnfill(2 << 20, ' ');
  g_assert_null(load(spaces, -1, &large));
  g_assert_nonnull(large);
  g_assert_null(debye_color_map_load("/nowhere/map.txt", &missing));
  g_assert_nonnull(missing);
}

/* Whole in its text, so that a session needs no file; what is none changes nothing. */
static void
test_texts(void)
{
  static const char *const wrong[] = {
      "jet", "a:", "a: 000000", ": 000000 ffffff", "a: 00000 ffffff", "a: 000000 gggggg"};
  const char *text = "my: map: 000000 ff8000 ffffff";
  const DebyeColorMap *map = debye_color_map_parse(text);
  g_autofree char *again = debye_color_map_to_text(map),
                  *name = debye_color_map_to_text(debye_color_map_find("PiYG"));
  g_assert_cmpstr(again, ==, text);
  g_assert_true(debye_color_map_parse(again) == map);
  g_assert_true(debye_color_map_parse(name) == debye_color_map_find("PiYG"));
  for (gsize i = 0; i < G_N_ELEMENTS(wrong); i++)
    g_assert_null(debye_color_map_parse(wrong[i]));
  g_autoptr(GString) many = g_string_new("many:");
  for (int i = 0; i <= DEBYE_COLOR_MAP_STOPS; i++)
    g_string_append(many, " 000000");
  g_assert_null(debye_color_map_parse(many->str));
}

static void
test_layer(void)
{
  g_autofree char *kept = NULL, *none = NULL;
  g_autoptr(DebyeSliceLayer) slice = debye_slice_layer_new(NULL);
  g_object_set(slice, "color-map", "mine: 000000 ffffff", NULL);
  g_object_set(slice, "color-map", "jet", NULL);
  g_object_get(slice, "color-map", &kept, NULL);
  g_assert_cmpstr(kept, ==, "mine: 000000 ffffff");
  g_object_set(slice, "color-map", "", NULL);
  g_object_get(slice, "color-map", &none, NULL);
  g_assert_cmpstr(none, ==, "");
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/color-map/names", test_names);
  g_test_add_func("/color-map/files", test_files);
  g_test_add_func("/color-map/refused", test_refused);
  g_test_add_func("/color-map/texts", test_texts);
  g_test_add_func("/color-map/layer", test_layer);
  return g_test_run();
}
