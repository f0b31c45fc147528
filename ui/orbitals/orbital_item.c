/* SPDX-License-Identifier: MIT */
/* One orbital and its texts; shown by orbital_columns.c and orbital_levels.c. */
#include "orbital_item.h"

#include <math.h>

struct _DebyeOrbitalItem {
  GObject parent_instance;
  DebyeOrbitalFacts facts;
  char *symmetry;
};

G_DEFINE_FINAL_TYPE(DebyeOrbitalItem, debye_orbital_item, G_TYPE_OBJECT)

DebyeOrbitalItem *
debye_orbital_item_new(const DebyeOrbitalFacts *facts)
{
  DebyeOrbitalItem *self = g_object_new(DEBYE_TYPE_ORBITAL_ITEM, NULL);
  self->facts = *facts;
  self->symmetry = g_strdup(facts->symmetry);
  self->facts.symmetry = self->symmetry;
  return self;
}

const DebyeOrbitalFacts *
debye_orbital_item_get(DebyeOrbitalItem *self)
{
  return &self->facts;
}

char *
debye_orbital_item_number_text(DebyeOrbitalItem *self)
{
  return g_strdup_printf("%u%s", self->facts.number,
                         !self->facts.has_spin ? ""
                         : self->facts.is_beta ? " β"
                                               : " α");
}

const char *
debye_orbital_item_frontier_text(DebyeOrbitalItem *self)
{
  static const char *const texts[] = {"", "HOMO", "LUMO"};
  return texts[self->facts.frontier];
}

/* Digits after the dot stand below each other. */
static char *
fixed_text(double value, const char *format)
{
  char number[G_ASCII_DTOSTR_BUF_SIZE];
  if (!isfinite(value))
    return g_strdup("–");
  g_ascii_formatd(number, sizeof number, format, fabs(value));
  return g_strconcat(value < 0.0 ? "−" : "", number, NULL);
}

char *
debye_orbital_item_hartree_text(DebyeOrbitalItem *self)
{
  return fixed_text(self->facts.energy, "%.4f");
}

char *
debye_orbital_item_ev_text(DebyeOrbitalItem *self)
{
  return fixed_text(self->facts.energy * DEBYE_ELECTRONVOLT_PER_HARTREE, "%.2f");
}

static void
debye_orbital_item_finalize(GObject *object)
{
  g_free(DEBYE_ORBITAL_ITEM(object)->symmetry);
  G_OBJECT_CLASS(debye_orbital_item_parent_class)->finalize(object);
}

static void
debye_orbital_item_class_init(DebyeOrbitalItemClass *class)
{
  G_OBJECT_CLASS(class)->finalize = debye_orbital_item_finalize;
}

static void
debye_orbital_item_init(DebyeOrbitalItem *self)
{
  self->symmetry = NULL;
}
