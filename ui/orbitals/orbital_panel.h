/* SPDX-License-Identifier: MIT */
/* The page of a wave function's orbitals: the diagram of their levels, a slider that runs through them by energy, the list, and
 * at which level the chosen one is drawn.
 *
 * Signals: "chosen" (guint number): this orbital shall be shown; "share-changed": what the surfaces enclose; "settings" (guint
 * number): this orbital shall be computed with all settings; "potential": the electrostatic potential shall be. */
#pragma once

#include <adwaita.h>

#define DEBYE_TYPE_ORBITAL_PANEL (debye_orbital_panel_get_type())
G_DECLARE_FINAL_TYPE(DebyeOrbitalPanel, debye_orbital_panel, DEBYE, ORBITAL_PANEL, AdwBin)

/* Of a file, the highest energy first, and what is wrong with it, or NULL. Nothing is chosen until the page is seen; then it is
 * the HOMO. (element-type DebyeOrbitalItem) */
void debye_orbital_panel_set_orbitals(DebyeOrbitalPanel *self, GListModel *orbitals, const char *remark);
/* As if a person had chosen it; nothing where there is none of this number. */
void debye_orbital_panel_choose(DebyeOrbitalPanel *self, guint number);
/* The orbital of this number is shown already, with surfaces that enclose a share: no signal. */
void debye_orbital_panel_restore(DebyeOrbitalPanel *self, guint number, guint share);
/* How much of |ψ|² the surfaces enclose, in percent. */
guint debye_orbital_panel_get_share(DebyeOrbitalPanel *self);
/* At which level of the map that is; 0: nothing is shown yet. */
void debye_orbital_panel_set_level(DebyeOrbitalPanel *self, double level);
/* One line, ∫ρ. */
void debye_orbital_panel_set_electrons(DebyeOrbitalPanel *self, const char *text);
