/* SPDX-License-Identifier: MIT */
/* libFuzzer target for sessions: whatever the bytes are, reading ends with a session, whose layers can be
 * made as far as they go and which can be written and read again, or with an error. No file is opened. */
#include <stdint.h>
#include <string.h>

#include "app/document/session.h"
#include "app/document/session_scene.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);

/* Without a molecule: layers of maps and the clipping plane are made. */
static void
use(DebyeSession *session)
{
  g_autoptr(GPtrArray) maps = g_ptr_array_new();
  g_autoptr(GPtrArray) warnings = g_ptr_array_new_with_free_func(g_free);
  g_autoptr(DebyeScene) scene = debye_scene_new();
  g_autoptr(GVariant) saved =
      g_variant_lookup_value(debye_session_get_values(session), "scene", G_VARIANT_TYPE_VARDICT);
  const DebyeSessionSource source = {.maps = maps};
  if (saved == NULL)
    return;
  g_autoptr(GPtrArray) layers = debye_session_scene_load_layers(saved, &source, warnings);
  debye_session_scene_load_view(saved, scene);
  g_autoptr(GVariant) again = g_variant_ref_sink(debye_session_scene_save(scene, layers, maps));
  g_assert_true(g_variant_is_of_type(again, G_VARIANT_TYPE_VARDICT));
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(DebyeSession) session =
      debye_session_parse((const char *)bytes, n, "fuzz.debye", "/nonexistent", &error);
  g_assert_true((session == NULL) == (error != NULL));
  if (session == NULL)
    return 0;
  use(session);
  g_autofree char *text = debye_session_to_text(session, "/nonexistent");
  g_autoptr(DebyeSession) again =
      debye_session_parse(text, strlen(text), "again.debye", "/nonexistent", &error);
  g_assert_no_error(error);
  g_assert_cmpuint(debye_session_get_n_files(again), ==, debye_session_get_n_files(session));
  return 0;
}
