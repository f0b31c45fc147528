/* SPDX-License-Identifier: MIT */
/* The solvent around the scatterers: its scattering length density and the volume that each atom displaces;
 * scatterers.c uses it. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* "none", "h2o", "d2o", "d2o:40" (per cent of D₂O in H₂O) or a density in 10⁻⁶ Å⁻², into fm/Å³, for X-rays
 * into electrons/Å³. Water's are those of 997 kg/m³ (D₂O: as many molecules). DEBYE_ERROR_SETTING. */
gboolean debye_solvent_parse(const char *text, gboolean is_xray, double *density, GError **error);

/* A solvent of atoms instead: what precedes their selection. */
#define DEBYE_SOLVENT_SELECT "select:"

/* How displaced volumes are found. */
typedef struct {
  enum {
    DEBYE_DISPLACED_TABLE,    /* of the elements of biological matter; of others the sphere's */
    DEBYE_DISPLACED_SPHERE,   /* 4/3·πr³ of the van der Waals radius */
    DEBYE_DISPLACED_GAUSSIAN, /* π^{3/2}r³ */
  } kind;
  gboolean has_decay;
} DebyeDisplacedVolume;

/* By a setting's value: "table", "sphere", "gaussian", or with a hard edge instead of Gaussian decay
 * "table-flat", "sphere-flat", "gaussian-flat". */
void debye_displaced_volume_choose(DebyeDisplacedVolume *displaced, const char *value);
/* Å³. The table is that of R. D. B. Fraser, T. P. MacRae, E. Suzuki, J. Appl. Cryst. 11 (1978) 693 (H, C, N,
 * O) and D. Svergun, C. Barberato, M. H. J. Koch, J. Appl. Cryst. 28 (1995) 768 (P, S). */
double debye_displaced_volume_of(const DebyeDisplacedVolume *displaced, guint8 element);

G_END_DECLS
