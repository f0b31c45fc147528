/* SPDX-License-Identifier: MIT */
/* One wave function whose orbitals are computed one after the other on one grid, for a list that a person runs through: the
 * file is read and its normalisation found once. Used by one thread at a time. */
#pragma once

#include "orbital_plan.h"

typedef struct _DebyeOrbitalBrowser DebyeOrbitalBrowser;

/* Blocks while the file is read. DEBYE_ERROR_MISSING: none of the dataset's files has orbitals. */
DebyeOrbitalBrowser *debye_orbital_browser_new(DebyeDataset *dataset, GError **error);
DebyeOrbitalBrowser *debye_orbital_browser_ref(DebyeOrbitalBrowser *self);
void debye_orbital_browser_unref(DebyeOrbitalBrowser *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(DebyeOrbitalBrowser, debye_orbital_browser_unref)

/* Whether one of the dataset's files may have orbitals, by its format; no file is opened. */
gboolean debye_orbital_browser_is_likely(DebyeDataset *dataset);
/* Immutable but for its maps, which debye_orbital_browser_compute() chooses. */
const DebyeOrbitalPlan *debye_orbital_browser_get_plan(DebyeOrbitalBrowser *self);
/* Makes the plan's only map this orbital's, with its norm; FALSE: there is none of that number. */
gboolean debye_orbital_browser_choose(DebyeOrbitalBrowser *self, guint orbital);
/* What is wrong with the file's norms and electrons, a message each; NULL-terminated, maybe empty. Free with g_strfreev. */
char **debye_orbital_browser_list_warnings(DebyeOrbitalBrowser *self);
/* The orbital's map as the first field of a result whose notes say its norm. */
DebyeResult *debye_orbital_browser_compute(DebyeOrbitalBrowser *self, guint orbital,
                                           const DebyeRegistry *registry, const DebyeRunCallbacks *callbacks,
                                           GError **error);

/* levels[i]: where |ψ| is larger lies (i + 1) % of ⟨ψ|ψ⟩ = `norm`, of what the grid holds where that is less than all; to two
 * digits, in the map's unit. The map's steps are in Å, and its values in bohr^-3/2. 0 of a map that is 0. */
#define DEBYE_ORBITAL_SHARES 99
void debye_orbital_find_levels(DebyeField *field, double norm, double levels[DEBYE_ORBITAL_SHARES]);
