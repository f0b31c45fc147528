/* SPDX-License-Identifier: MIT */
/* Numbers of a scene as values of a session and back; called by session_scene.c and camera_file.c. */
#include "scene_values.h"

#include "json_reader.h"

GVariant *
debye_scene_values_save(const float *values, gsize n_values)
{
  GVariantBuilder builder;
  if (n_values == 1)
    return g_variant_new_double((double)values[0]);
  g_variant_builder_init(&builder, G_VARIANT_TYPE("av"));
  for (gsize i = 0; i < n_values; i++)
    g_variant_builder_add(&builder, "v", g_variant_new_double((double)values[i]));
  return g_variant_builder_end(&builder);
}

gboolean
debye_scene_values_load(GVariant *saved, const char *key, double low, double high, float *values,
                        gsize n_values)
{
  double numbers[4];
  g_assert(n_values <= G_N_ELEMENTS(numbers));
  if (!(n_values == 1 ? debye_json_get_number(saved, key, numbers)
                      : debye_json_get_numbers(saved, key, numbers, n_values)))
    return FALSE;
  for (gsize i = 0; i < n_values; i++)
    if (!(numbers[i] >= low && numbers[i] <= high))
      return FALSE;
  for (gsize i = 0; i < n_values; i++)
    values[i] = (float)numbers[i];
  return TRUE;
}
