/* SPDX-License-Identifier: MIT */
/* One orbital of a list, as a file describes it. Immutable. */
#pragma once

#include <gio/gio.h>

#define DEBYE_TYPE_ORBITAL_ITEM (debye_orbital_item_get_type())
G_DECLARE_FINAL_TYPE(DebyeOrbitalItem, debye_orbital_item, DEBYE, ORBITAL_ITEM, GObject)

typedef enum {
  DEBYE_FRONTIER_NONE,
  DEBYE_FRONTIER_HOMO,
  DEBYE_FRONTIER_LUMO,
} DebyeFrontier;

typedef struct {
  guint number;  /* in the file's order, from 0 */
  double energy; /* hartree; NAN: the file has none */
  double occupation;
  gboolean has_spin, is_beta; /* has_spin: the file has orbitals of both spins */
  DebyeFrontier frontier;
  const char *symmetry; /* "" where the file has none */
  const char *formula;  /* exact, where there is one, in atomic units; static; else NULL */
} DebyeOrbitalFacts;

DebyeOrbitalItem *debye_orbital_item_new(const DebyeOrbitalFacts *facts);
const DebyeOrbitalFacts *debye_orbital_item_get(DebyeOrbitalItem *self);

/* Free with g_free: "5", "5 α"; "HOMO" or ""; "−0.5104"; "−13.89". */
char *debye_orbital_item_number_text(DebyeOrbitalItem *self);
const char *debye_orbital_item_frontier_text(DebyeOrbitalItem *self);
char *debye_orbital_item_hartree_text(DebyeOrbitalItem *self);
char *debye_orbital_item_ev_text(DebyeOrbitalItem *self);

#define DEBYE_ELECTRONVOLT_PER_HARTREE 27.211386245988 /* CODATA 2018 */
