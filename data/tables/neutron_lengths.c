/* SPDX-License-Identifier: MIT */
/* Implementation of neutron_lengths.h: looks up scattering lengths by element or isotope. */
#include "neutron_lengths.h"

#include <string.h>

#include "elements.h"

const DebyeNeutronLength *
debye_neutron_length_get(guint8 atomic_number, guint mass_number)
{
  gsize first = 0, end = debye_n_neutron_lengths;
  while (first < end) {
    gsize middle = first + (end - first) / 2;
    const DebyeNeutronLength *length = &debye_neutron_lengths[middle];
    if (length->number == atomic_number && length->mass_number == mass_number)
      return length;
    if (length->number < atomic_number ||
        (length->number == atomic_number && length->mass_number < mass_number))
      first = middle + 1;
    else
      end = middle;
  }
  return NULL;
}

/* "13C", "C-13" or "C" into symbol and mass number (0: none). FALSE: no name of a nucleus. */
static gboolean
split_name(const char *name, char **symbol, guint *mass_number)
{
  g_autoptr(GRegex) pattern =
      g_regex_new("^(?:([1-9][0-9]{0,2})-?)?([A-Za-z]{1,2})(?:-?([1-9][0-9]{0,2}))?$", 0, 0, NULL);
  g_autoptr(GMatchInfo) match = NULL;
  if (!g_utf8_validate(name, -1, NULL) || !g_regex_match(pattern, name, 0, &match))
    return FALSE;
  g_autofree char *before = g_match_info_fetch(match, 1);
  g_autofree char *behind = g_match_info_fetch(match, 3);
  gboolean has_before = before[0] != '\0', has_behind = behind != NULL && behind[0] != '\0';
  *symbol = g_match_info_fetch(match, 2);
  *mass_number = has_before ? (guint)atoi(before) : has_behind ? (guint)atoi(behind) : 0;
  return !(has_before && has_behind);
}

const DebyeNeutronLength *
debye_neutron_length_find(const char *name)
{
  g_autofree char *symbol = NULL;
  guint mass_number = 0;
  if (!split_name(name, &symbol, &mass_number))
    return NULL;
  guint8 number = debye_element_from_symbol(symbol, -1);
  /* Deuterium and tritium have names of their own: “2D” would be neither. */
  gboolean is_heavy = symbol[1] == '\0' && strchr("DdTt", symbol[0]) != NULL;
  if (number == 0 || (is_heavy && mass_number != 0))
    return NULL;
  if (is_heavy)
    mass_number = g_ascii_toupper(symbol[0]) == 'D' ? 2 : 3;
  return debye_neutron_length_get(number, mass_number);
}

char *
debye_neutron_length_get_name(const DebyeNeutronLength *length)
{
  if (length->number == 1 && (length->mass_number == 2 || length->mass_number == 3))
    return g_strdup(length->mass_number == 2 ? "D" : "T");
  const char *symbol = debye_element_get(length->number)->symbol;
  return length->mass_number == 0 ? g_strdup(symbol) : g_strdup_printf("%u%s", length->mass_number, symbol);
}
