/* SPDX-License-Identifier: MIT */
/* Which normal mode a session plays; see session_vibration.h. */
#include "session_vibration.h"

#include "data/files/error.h"
#include "data/formats/quantum/quantum_files.h"
#include "json_reader.h"

#define KEY "vibration"
#define USUAL_AMPLITUDE 0.3 /* as in a new window */

void
debye_session_vibration_save(GVariantDict *values, guint number, double amplitude)
{
  GVariantDict one;
  g_variant_dict_remove(values, KEY);
  if (number == 0)
    return;
  g_variant_dict_init(&one, NULL);
  g_variant_dict_insert(&one, "mode", "x", (gint64)number);
  g_variant_dict_insert(&one, "amplitude", "d", amplitude);
  g_variant_dict_insert_value(values, KEY, g_variant_dict_end(&one));
}

guint
debye_session_vibration_load(GVariant *values, double *amplitude)
{
  g_autoptr(GVariant) saved = debye_json_get(values, KEY, G_VARIANT_TYPE_VARDICT);
  const gint64 number = saved != NULL ? debye_json_get_integer(saved, "mode", 0) : 0;
  double found;
  if (saved != NULL && debye_json_get_number(saved, "amplitude", &found) && found > 0.0)
    *amplitude = found;
  return number > 0 && number <= G_MAXINT ? (guint)number : 0;
}

gboolean
debye_session_vibration_find(DebyeDocument *document, DebyeVibrationMotion *motion, GError **error)
{
  DebyeSession *session = debye_document_get_session(document);
  DebyeTopology *topology = debye_document_get_topology(document);
  GError *problem = NULL;
  double amplitude = USUAL_AMPLITUDE;
  const guint number = session != NULL && topology != NULL
                           ? debye_session_vibration_load(debye_session_get_values(session), &amplitude)
                           : 0;
  if (number == 0)
    return FALSE;
  g_autoptr(DebyeVibrations) vibrations = debye_vibrations_find(
      debye_document_get_paths(document), debye_topology_get_n_atoms(topology), &problem);
  if (problem != NULL) {
    g_propagate_error(error, problem);
    return FALSE;
  }
  for (guint i = 0; vibrations != NULL && i < vibrations->modes->len; i++) {
    if (g_array_index(vibrations->modes, DebyeVibration, i).number != number)
      continue;
    *motion = (DebyeVibrationMotion){g_steal_pointer(&vibrations), i, amplitude};
    return TRUE;
  }
  return debye_error_set(error, DEBYE_ERROR_MISSING, "the session plays mode %u, which its files don't have",
                         number);
}
