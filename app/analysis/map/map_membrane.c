/* SPDX-License-Identifier: MIT */
/* Implementation of map_membrane.h. */
#include "map_membrane.h"

#include <math.h>
#include <string.h>

#include "data/files/error.h"
#include "data/files/input.h"
#include "data/messages/message.h"
#include "data/messages/decimal_text.h"

/* k/e, V/K. */
#define VOLT_PER_KELVIN 8.617333262e-5
#define MOST_NUMBERS 6

/* Returns how many numbers there are; 0: it isn't a list of them. */
static guint
read_numbers(const char *text, double numbers[MOST_NUMBERS])
{
  g_auto(GStrv) words = g_strsplit(text, ",", -1);
  const guint n = g_strv_length(words);
  for (guint i = 0; i < n; i++) {
    const char *word = g_strstrip(words[i]);
    if (i == MOST_NUMBERS || !debye_text_to_double(word, strlen(word), &numbers[i]) || !isfinite(numbers[i]))
      return 0;
  }
  return n;
}

/* Three numbers, and then two of head groups, the pore's, or all three. */
gboolean
debye_map_membrane_read(const char *text, DebyePoissonMembrane *slab)
{
  double numbers[MOST_NUMBERS];
  const guint n = read_numbers(text, numbers);
  if (n < 3)
    return FALSE;
  *slab = (DebyePoissonMembrane){
      .is_there = TRUE, .low = numbers[0], .high = numbers[1], .permittivity = numbers[2]};
  slab->head_permittivity = slab->permittivity;
  if (n >= 5) {
    slab->head = numbers[3];
    slab->head_permittivity = numbers[4];
  }
  if (n % 2 == 0)
    slab->pore = numbers[n - 1];
  return slab->high > slab->low && slab->permittivity > 0.0 && slab->head_permittivity > 0.0 &&
         slab->head >= 0.0 && 2.0 * slab->head <= slab->high - slab->low && slab->pore >= 0.0;
}

gboolean
debye_map_membrane_settle(DebyeMapSettings *settings, const char **key, GError **error)
{
  const char *text = settings->membrane;
  settings->slab = (DebyePoissonMembrane){.is_there = FALSE};
  if (isnan(settings->voltage))
    settings->voltage = 0.0;
  *key = "membrane";
  if (text != NULL && *text != '\0' && !debye_map_membrane_read(text, &settings->slab))
    return debye_error_set_about(error, DEBYE_ERROR_VALUE, "Membrane",
                                 "expected Z0,Z1,EPS, then HEAD,EPS of head groups and PORE, such as "
                                 "-15,15,2,5,10 with Z0 below Z1 and permittivities above 0, found “%s”",
                                 text);
  *key = "voltage";
  if (settings->voltage != 0.0 && !settings->slab.is_there)
    return debye_error_set_about(error, DEBYE_ERROR_VALUE, "Voltage",
                                 "a voltage needs a membrane; expected one as well");
  settings->slab.voltage = settings->voltage / (VOLT_PER_KELVIN * settings->temperature);
  *key = NULL;
  return TRUE;
}

/* A cell's own points are the second to the last but one; layers and pores are laid once, and not again in the next cell. */
gboolean
debye_map_membrane_check_cell(const DebyeMapSettings *settings, const bool periodic[3], const DebyeGrid *grid,
                              const char **key, GError **error)
{
  const DebyePoissonMembrane *slab = &settings->slab;
  const double low[3] = {slab->x - slab->pore, slab->y - slab->pore, slab->low - settings->ion_radius};
  const double high[3] = {slab->x + slab->pore, slab->y + slab->pore, slab->high + settings->ion_radius};
  const double origin[3] = {grid->origin.x, grid->origin.y, grid->origin.z};
  const double step[3] = {grid->step[0].x, grid->step[1].y, grid->step[2].z};
  for (int axis = 0; axis < 3 && slab->is_there; axis++) {
    const double begin = origin[axis] + step[axis];
    const double end = origin[axis] + step[axis] * (double)(grid->shape[axis] - 2);
    if (!periodic[axis] || (low[axis] >= begin && high[axis] <= end))
      continue;
    *key = "membrane";
    return debye_error_set_about(error, DEBYE_ERROR_VALUE, "Membrane",
                                 "with ions' distance and pore it goes from %.4g to %.4g Å along %c, the "
                                 "cell from %.4g to %.4g Å; expected it within the cell, or another origin",
                                 low[axis], high[axis], 'x' + axis, begin, end);
  }
  return TRUE;
}

char *
debye_map_membrane_describe(const DebyeMapSettings *settings)
{
  const DebyePoissonMembrane *slab = &settings->slab;
  DebyeDecimalText low, high, permittivity, head, head_permittivity, pore, voltage;
  if (!slab->is_there)
    return NULL;
  return debye_message_new("Membrane: from z = %s to %s Å, ε = %s, head groups of %s Å with ε = %s, pore of "
                           "%s Å, %s V on the side below",
                           debye_decimal_text_format(&low, "%.6g", slab->low),
                           debye_decimal_text_format(&high, "%.6g", slab->high),
                           debye_decimal_text_format(&permittivity, "%.6g", slab->permittivity),
                           debye_decimal_text_format(&head, "%.6g", slab->head),
                           debye_decimal_text_format(&head_permittivity, "%.6g", slab->head_permittivity),
                           debye_decimal_text_format(&pore, "%.6g", slab->pore),
                           debye_decimal_text_format(&voltage, "%.6g", settings->voltage));
}
