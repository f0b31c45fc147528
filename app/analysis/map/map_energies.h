/* SPDX-License-Identifier: MIT */
/* Energies of a molecule in a solvent over the frames, and what a result says of them; used by map_poisson.c. */
#pragma once

#include "app/analysis/driver/frame_state.h"
#include "data/results/result.h"
#include "kernels/poisson/poisson_energy.h"
#include "map_settings.h"

/* The gas constant, kcal/(mol K). */
#define DEBYE_KCAL_PER_KELVIN 1.98720425864e-3

/* γ·area + b of the solvent-accessible surface. */
typedef struct {
  double tension; /* kcal/mol/Å² */
  double offset;  /* kcal/mol */
} DebyeMapNonpolar;

typedef struct {
  guint64 n_frames;
  /* Sums over the frames. */
  double reaction, from_vacuum;             /* kT */
  double coulomb;                           /* e²/Å */
  double area;                              /* Å² */
  double binding_reaction, binding_coulomb; /* kT */
  double binding_area;                      /* Å² */
} DebyeMapEnergies;

/* "γ,b". FALSE with the reason where it isn't that. */
gboolean debye_map_nonpolar_read(const char *text, DebyeMapNonpolar *nonpolar, GError **error);

/* What a frame's coordinates alone say: Coulomb's energy where settings ask for energies, and the area where they ask for the
 * nonpolar part. potential: Σ z/d at each atom; NULL: it isn't there yet. `areas` has room for one number per atom. */
DebyeStatusCode debye_map_energies_add_frame(DebyeMapEnergies *self, const DebyeMapSettings *settings,
                                             const DebyeSpheres *spheres, const float *charges,
                                             const double *potential, double *areas, DebyeStatus *status);
/* Notes in words, and a row of numbers, with the residual, the cycles per frame and the grid's error, NAN where it isn't
 * known. Of an equation that isn't solved there are no energies of the field, but a warning. */
void debye_map_energies_add(const DebyeMapEnergies *self, const DebyeMapSettings *settings,
                            gboolean is_solved, double residual, double cycles, double grid_error,
                            DebyeResult *result);
/* The sums, for processes and files of running jobs. */
void debye_map_energies_list_state(DebyeMapEnergies *self, DebyeFrameState *state);
