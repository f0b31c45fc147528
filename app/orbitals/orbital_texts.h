/* SPDX-License-Identifier: MIT */
/* What the page of orbitals says of a wave function. */
#pragma once

#include "app/analysis/orbital/orbital_browser.h"

/* The highest energy first; without energies in the file's order from the end. (element-type DebyeOrbitalItem) */
GListStore *debye_orbital_texts_list(DebyeOrbitalBrowser *browser);
/* Warnings of norms and electrons in the window's language, a line each; "": all is well. */
char *debye_orbital_texts_remark(DebyeOrbitalBrowser *browser);
/* "∫ρ: 10 electrons by the norms; occupations 10, nuclei 10 e". */
char *debye_orbital_texts_electrons(DebyeOrbitalBrowser *browser);
