/* SPDX-License-Identifier: MIT */
/* Reads the solvent that atoms displace, and its density; called by scatterers.c. */
#include "scattering_solvent.h"

#include "data/tables/elements.h"
#include "data/files/error.h"
#include "data/tables/neutron_lengths.h"
#include "data/tables/xray_factors.h"

/* Molecules of water in an Å³ at 25 °C: 997.05 kg/m³ over 18.01528 g/mol. */
#define WATER_MOLECULES 0.0333285
#define WATER_ELECTRONS 10.0
#define FM_IN_ANGSTROM 1e-5

/* Of water with a fraction of its hydrogen as deuterium, fm/Å³. */
static double
water_density(double deuterium)
{
  double h = debye_neutron_length_get(1, 0)->coherent, d = debye_neutron_length_get(1, 2)->coherent;
  double o = debye_neutron_length_get(8, 0)->coherent;
  return WATER_MOLECULES * (2.0 * ((1.0 - deuterium) * h + deuterium * d) + o);
}

/* "h2o", "d2o", "d2o:PERCENT". */
static gboolean
parse_water(const char *text, double *deuterium)
{
  char *end;
  if (g_ascii_strcasecmp(text, "h2o") == 0 || g_ascii_strcasecmp(text, "d2o") == 0) {
    *deuterium = g_ascii_tolower(text[0]) == 'd' ? 1.0 : 0.0;
    return TRUE;
  }
  if (g_ascii_strncasecmp(text, "d2o:", 4) != 0)
    return FALSE;
  *deuterium = g_ascii_strtod(text + 4, &end) / 100.0;
  if (*end == '%')
    end++;
  return end != text + 4 && *end == '\0' && *deuterium >= 0.0 && *deuterium <= 1.0;
}

gboolean
debye_solvent_parse(const char *text, gboolean is_xray, double *density, GError **error)
{
  double deuterium;
  char *end;
  *density = 0.0;
  if (text == NULL || g_ascii_strcasecmp(text, "none") == 0)
    return TRUE;
  if (parse_water(text, &deuterium)) {
    *density = is_xray ? WATER_MOLECULES * WATER_ELECTRONS : water_density(deuterium);
    return TRUE;
  }
  double value = g_ascii_strtod(text, &end);
  if (end == text || *end != '\0' || !(value >= -1e6 && value <= 1e6))
    return debye_error_set_about(error, DEBYE_ERROR_SETTING, "Solvent",
                                 "expected none, h2o, d2o, d2o:PERCENT, select:SELECTION or a scattering "
                                 "length density in 10⁻⁶ Å⁻², found “%s”",
                                 text);
  *density = value * 1e-6 / (FM_IN_ANGSTROM * (is_xray ? DEBYE_CLASSICAL_ELECTRON_RADIUS : 1.0));
  return TRUE;
}

void
debye_displaced_volume_choose(DebyeDisplacedVolume *displaced, DebyeDisplacedKind kind)
{
  displaced->has_decay = kind < DEBYE_DISPLACED_TABLE_FLAT;
  displaced->kind = displaced->has_decay ? kind : kind - DEBYE_DISPLACED_TABLE_FLAT;
}

static double
table_volume(guint8 element)
{
  static const struct {
    guint8 element;
    double volume;
  } volumes[] = {{1, 5.15}, {6, 16.44}, {7, 2.49}, {8, 9.13}, {15, 5.73}, {16, 19.86}};
  for (gsize i = 0; i < G_N_ELEMENTS(volumes); i++)
    if (volumes[i].element == element)
      return volumes[i].volume;
  return 0.0;
}

double
debye_displaced_volume_of(const DebyeDisplacedVolume *displaced, guint8 element)
{
  double radius = (double)debye_element_get_radius(element, DEBYE_RADII_MANTINA);
  double cube = radius * radius * radius;
  double tabulated = displaced->kind == DEBYE_DISPLACED_TABLE ? table_volume(element) : 0.0;
  if (tabulated > 0.0)
    return tabulated;
  return displaced->kind == DEBYE_DISPLACED_GAUSSIAN ? 5.568327996831708 * cube : 4.0 / 3.0 * G_PI * cube;
}
