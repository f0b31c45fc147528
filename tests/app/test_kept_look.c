/* SPDX-License-Identifier: MIT */
/* The look that is kept: what was set by hand comes back in another scene, what was reset does not, and what isn't known is left
 * out. */
#include "app/scene/kept_look.h"

#include <string.h>

#include "render/scene/look_settings.h"

static const struct {
  const char *key, *value;
} set[] = {{"background", "#123456"},
           {"outline", "0.85"},
           {"axes", "false"},
           {"legend-place", "bottom-left"},
           {"projection", "orthographic"}};

static guint32
bit_of(const char *key)
{
  gsize n_settings;
  return 1u << (debye_look_setting_find_key(key) - debye_look_settings(&n_settings));
}

static char *
keep_all(DebyeScene *scene)
{
  return debye_kept_look_update("", scene, G_MAXUINT32);
}

static void
test_comes_back(void)
{
  g_autoptr(DebyeScene) scene = debye_scene_new(), other = debye_scene_new();
  debye_look_settings_change_preset(scene, "screen", FALSE);
  debye_look_settings_change_preset(other, "screen", FALSE);
  for (gsize i = 0; i < G_N_ELEMENTS(set); i++)
    g_assert_true(debye_look_setting_set(debye_look_setting_find_key(set[i].key), scene, set[i].value, NULL));
  g_autofree char *kept = keep_all(scene);
  debye_kept_look_apply(kept, other);
  g_autofree char *again = keep_all(other);
  g_assert_cmpstr(again, ==, kept);
  for (gsize i = 0; i < G_N_ELEMENTS(set); i++)
    g_assert_true((strstr(kept, set[i].value) != NULL) == (strcmp(set[i].key, "projection") != 0));
  /* Another preset leaves it alone. */
  debye_look_settings_change_preset(other, "projector", FALSE);
  g_autofree char *of_projector = keep_all(other);
  g_assert_cmpstr(of_projector, ==, kept);
}

static void
test_reset(void)
{
  g_autoptr(DebyeScene) scene = debye_scene_new();
  debye_look_settings_change_preset(scene, "screen", FALSE);
  const DebyeLookSetting *outline = debye_look_setting_find_key("outline");
  const float usual = *(float *)debye_look_setting_find(outline, scene);
  for (gsize i = 0; i < G_N_ELEMENTS(set); i++)
    debye_look_setting_set(debye_look_setting_find_key(set[i].key), scene, set[i].value, NULL);
  g_autofree char *kept = keep_all(scene);
  debye_look_setting_reset(outline, scene);
  g_assert_cmpfloat(*(float *)debye_look_setting_find(outline, scene), ==, usual);
  g_autofree char *untouched = debye_kept_look_update(kept, scene, bit_of("axes"));
  g_assert_nonnull(strstr(untouched, "outline"));
  g_autofree char *without = debye_kept_look_update(kept, scene, bit_of("outline"));
  g_assert_null(strstr(without, "outline"));
  g_assert_nonnull(strstr(without, "background"));
}

static void
test_unknown(void)
{
  g_autoptr(DebyeScene) scene = debye_scene_new();
  debye_look_settings_change_preset(scene, "screen", FALSE);
  const DebyeLook before = *debye_scene_get_look(scene);
  debye_kept_look_apply(NULL, scene);
  debye_kept_look_apply("", scene);
  debye_kept_look_apply("no key file", scene);
  debye_kept_look_apply("[look]\nsparkle=1\noutline=7\nbackground=none of them\n", scene);
  g_assert_cmpfloat(debye_scene_get_look(scene)->outline, ==, before.outline);
  g_assert_cmpuint(debye_scene_get_look(scene)->own, ==, before.own);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/kept-look/comes-back", test_comes_back);
  g_test_add_func("/kept-look/reset", test_reset);
  g_test_add_func("/kept-look/unknown", test_unknown);
  return g_test_run();
}
