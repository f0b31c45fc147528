/* SPDX-License-Identifier: MIT */
/* The solvent around the scatterers: its scattering length density and the volume that each atom displaces;
 * scatterers.c uses it. */
#pragma once

#include "scattering_settings.h"

/* "none", "h2o", "d2o", "d2o:40" (per cent of D₂O in H₂O) or a density in 10⁻⁶ Å⁻², into fm/Å³, for X-rays
 * into electrons/Å³. Water's are those of 997 kg/m³ (D₂O: as many molecules). DEBYE_ERROR_SETTING. */
gboolean debye_solvent_parse(const char *text, gboolean is_xray, double *density, GError **error);

/* A solvent of atoms instead: what precedes their selection. */
#define DEBYE_SOLVENT_SELECT "select:"

/* How displaced volumes are found. */
typedef struct {
  DebyeDisplacedKind kind; /* one of those that fall off */
  gboolean has_decay;
} DebyeDisplacedVolume;

void debye_displaced_volume_choose(DebyeDisplacedVolume *displaced, DebyeDisplacedKind kind);
/* Å³. The table is that of R. D. B. Fraser, T. P. MacRae, E. Suzuki, J. Appl. Cryst. 11 (1978) 693 (H, C, N,
 * O) and D. Svergun, C. Barberato, M. H. J. Koch, J. Appl. Cryst. 28 (1995) 768 (P, S). */
double debye_displaced_volume_of(const DebyeDisplacedVolume *displaced, guint8 element);
