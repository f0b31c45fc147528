/* SPDX-License-Identifier: MIT */
/* The interface of the methods that compute the mean products of a frame: by vectors, by the whole reciprocal
 * lattice, by the Debye formula, by multipoles (scattering_by_*.c). scattering_run.c chooses one and calls
 * it. */
#pragma once

#include <complex.h>

#include "app/analysis/driver/device_choice.h"
#include "kernels/scattering/scattering_groups.h"
#include "app/analysis/scattering/system/scattering_plan.h"
#include "scattering_formula_cost.h"
#include "scattering_volume.h"

/* What a method needs; all borrowed while it is open. */
typedef struct {
  const DebyeScatteringPlan *plan;
  DebyeScatteringGroups groups; /* the species */
  const double *q;              /* Å⁻¹, of the rows */
  gsize n_q;
  const DebyeDeviceEntry *const *devices;
  gsize n_devices;
  DebyeFormulaBasis basis; /* of those devices */
  DebyeLaneTotals *lanes;
  gboolean may_be_packed;        /* frames, each for itself; of a method that takes such */
  DebyeScatteringVolume *volume; /* gets sums on the lattice, too; or NULL */
  const volatile bool *cancel;   /* or NULL */
} DebyeScatteringTask;

typedef struct {
  gboolean
      takes_packed; /* frames, where the task says so, of a plan that doesn't take the cell's shape off */
  /* The number of frames that it handles best at once. */
  gsize (*get_frames_at_once)(const DebyeScatteringTask *task);
  /* The method's own state; NULL with an error. */
  gpointer (*open)(const DebyeScatteringTask *task, GError **error);
  /* Products summed over the frames, products[pair·n_q + k] (scattering_sums.h), written. FALSE with an
   * error, or without one where it was stopped. */
  gboolean (*sum)(gpointer state, DebyeFrame *const *frames, gsize n_frames, double complex *products,
                  GError **error);
  /* Sentences for the result; may be NULL. */
  void (*add_notes)(gpointer state, DebyeResult *result);
  void (*close)(gpointer state);
} DebyeScatteringMethod;

extern const DebyeScatteringMethod debye_scattering_by_vectors, debye_scattering_by_formula,
    debye_scattering_by_lattice, debye_scattering_by_multipoles;

/* The largest indices of the plan's lattice vectors. */
void debye_scattering_lattice_extent(const DebyeScatteringPlan *plan, unsigned extent[3]);

/* Whether the transform of the whole lattice is less work than the plan's vectors one by one. */
gboolean debye_scattering_suits_transform(const DebyeScatteringPlan *plan);
/* That of its amplitudes, see kernels/scattering/scattering_lattice.h. */
double debye_scattering_lattice_tolerance(const DebyeScatteringPlan *plan);

/* What the plan's setting “device” comes to, with the basis of the devices that it names: the processor for what of that
 * formula accelerators don't help with (scattering_formula_cost.h), and the basis has none of them then. */
DebyeLaneSettings debye_scattering_get_lanes(const DebyeScatteringPlan *plan, DebyeFormulaBasis *basis);
/* What suits the plan. */
const DebyeScatteringMethod *debye_scattering_choose_method(const DebyeScatteringPlan *plan);
