/* SPDX-License-Identifier: MIT */
/* Names and units of columns and axes. Units are the few that measured curves of this field come in. */
#include "quantity.h"

#include <string.h>

typedef struct {
  const char *unit;
  char kind; /* units of one kind can be converted */
  double size;
  const char *spellings[16];
} Unit;

static const Unit units[] = {
    {"Å", 'l', 1.0, {"A", "Å", "Ang", "Angstrom", "angstrom", "ang", "Angstroms", NULL}},
    {"nm", 'l', 10.0, {"nm", "nanometer", "nanometre", NULL}},
    {"Å⁻¹",
     'q',
     1.0,
     {"1/A", "1/Å", "A^-1", "Å^-1", "A-1", "Å-1", "1/Ang", "1/angstrom", "1/Angstrom", "1/ANGSTROM",
      "Angstrom^-1", "angstrom^-1", "A^{-1}", "Å⁻¹", NULL}},
    {"nm⁻¹", 'q', 0.1, {"1/nm", "nm^-1", "nm-1", "nm^{-1}", "1/nanometer", "nm⁻¹", NULL}},
    {"cm⁻¹", 'i', 1.0, {"1/cm", "cm^-1", "cm-1", "cm⁻¹", NULL}},
    {"m⁻¹", 'i', 0.01, {"1/m", "m^-1", "m-1", "m⁻¹", NULL}},
    {"fs", 't', 1e-3, {"fs", NULL}},
    {"ps", 't', 1.0, {"ps", NULL}},
    {"ns", 't', 1e3, {"ns", NULL}},
    {"µs", 't', 1e6, {"us", "µs", "μs", NULL}},
    {"µeV", 'e', 1e-3, {"ueV", "µeV", "μeV", NULL}},
    {"meV", 'e', 1.0, {"meV", NULL}},
    {"eV", 'e', 1e3, {"eV", NULL}},
};

static char *
own(const char *text, const char *otherwise)
{
  return g_utf8_make_valid(text != NULL ? text : otherwise, -1);
}

void
debye_quantity_copy(const DebyeQuantity *from, DebyeQuantity *to)
{
  const char *name = from->name != NULL ? from->name : "";
  *to = (DebyeQuantity){.name = own(name, ""), .label = own(from->label, name), .unit = own(from->unit, "")};
}

void
debye_quantity_clear(DebyeQuantity *quantity)
{
  g_free((char *)quantity->name);
  g_free((char *)quantity->label);
  g_free((char *)quantity->unit);
  *quantity = (DebyeQuantity){0};
}

char *
debye_quantity_get_title(const DebyeQuantity *quantity)
{
  const char *label = quantity->label != NULL ? quantity->label : quantity->name;
  if (quantity->unit == NULL || *quantity->unit == '\0')
    return g_strdup(label);
  return g_strdup_printf("%s (%s)", label, quantity->unit);
}

static const Unit *
find_unit(const char *text)
{
  for (gsize i = 0; i < G_N_ELEMENTS(units); i++)
    for (const char *const *spelling = units[i].spellings; *spelling != NULL; spelling++)
      if (strcmp(*spelling, text) == 0)
        return &units[i];
  return NULL;
}

char *
debye_unit_canonical(const char *unit)
{
  g_autofree char *text = g_strstrip(g_utf8_make_valid(unit, -1));
  const Unit *known = find_unit(text);
  return known != NULL ? g_strdup(known->unit) : g_steal_pointer(&text);
}

gboolean
debye_unit_is_known(const char *unit)
{
  return find_unit(unit) != NULL;
}

gboolean
debye_unit_get_factor(const char *from, const char *to, double *factor)
{
  const Unit *source = find_unit(from), *target = find_unit(to);
  *factor = 1.0;
  if (strcmp(from, to) == 0)
    return TRUE;
  if (source == NULL || target == NULL || source->kind != target->kind)
    return FALSE;
  *factor = source->size / target->size;
  return TRUE;
}
