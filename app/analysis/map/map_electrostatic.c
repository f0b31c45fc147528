/* SPDX-License-Identifier: MIT */
/* Implementation of map_electrostatic.h. */
#include "map_electrostatic.h"

#include "data/messages/message.h"
#include "data/messages/decimal_text.h"
#include "data/selection/selection.h"
#include "map_settings.h"
#include "map_solvent.h"

const char *
debye_map_suggest_solute(DebyeTopology *topology)
{
  static const char *const candidates[] = {"solute", "not (water or ion)", "not water"};
  for (gsize i = 0; i < G_N_ELEMENTS(candidates); i++) {
    g_autoptr(DebyeSelection) selection = debye_selection_parse(candidates[i], NULL, NULL);
    g_autoptr(GArray) atoms =
        selection != NULL ? debye_selection_evaluate(selection, topology, NULL, NULL) : NULL;
    if (atoms != NULL && atoms->len > 0)
      return candidates[i];
  }
  return candidates[0];
}

static gboolean
has_radii(DebyeTopology *topology)
{
  const float *radii = debye_topology_get_radii(topology);
  for (gsize i = debye_topology_get_n_atoms(topology); radii != NULL && i-- > 0;)
    if (radii[i] > 0.0f)
      return TRUE;
  return FALSE;
}

char *
debye_map_describe_assumptions(DebyeRequest *request, DebyeTopology *topology, const char *radii)
{
  DebyeDecimalText solute, solvent, salt, temperature;
  DebyeMapSettings settings;
  const char *key;
  debye_request_fill(request, &settings);
  debye_map_poisson_settle(&settings);
  /* They were understood when the map was made. */
  debye_map_poisson_settle_texts(&settings, &key, NULL);
  const gboolean is_of_file = settings.radii != DEBYE_MAP_RADII_BONDI && has_radii(topology);
  return debye_message_new("ε = %s inside, %s outside · %s mol/l salt · %s K · %s",
                           debye_decimal_text_format(&solute, "%.6g", settings.solute_permittivity),
                           debye_decimal_text_format(&solvent, "%.6g", settings.permittivity),
                           debye_decimal_text_format(&salt, "%.6g", settings.ionic_strength),
                           debye_decimal_text_format(&temperature, "%.6g", settings.temperature),
                           !is_of_file     ? N_("Bondi's radii")
                           : radii != NULL ? radii
                                           : N_("the file's radii"));
}
