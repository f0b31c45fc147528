/* SPDX-License-Identifier: MIT */
/* The equation of a molecule from its atoms to the map without its arrays crossing the bus; called by poisson.cu. */
#include "poisson_plan.cuh"

#include <math.h>

#include "kernels/chunk_threads.h"

#define THREADS 256
/* Of all charges, kT·Å/e: what the sums of poisson_medium.cu hold. */
#define MOST_SOURCE 8.0e9
#define PI 3.14159265358979323846
/* Charges that a thread prepares at a time. */
#define CHUNK ((size_t)8192)

/* Memory. */

void
debye_cuda_poisson_molecule_list(DebyeCudaPoissonPlan *plan, DebyePlanMemory *memory)
{
  DebyeCudaPoissonMolecule *self = &plan->molecule;
  const size_t n = plan->levels.grids[0].n, n_atoms = plan->settings.n_atoms;
  if (n_atoms == 0)
    return;
  debye_cuda_surface_list(&self->maker, memory, n_atoms);
  debye_plan_memory_add_room(memory, DEBYE_MEMORY_PINNED, &self->charges_on_host, n_atoms,
                             sizeof(DebyeCudaPoissonCharge));
  debye_plan_memory_add_room(memory, DEBYE_MEMORY_DEVICE, &self->charges, n_atoms,
                             sizeof(DebyeCudaPoissonCharge));
  debye_plan_memory_add_room(memory, DEBYE_MEMORY_DEVICE, &self->outer, 0, sizeof(double));
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_DEVICE, self->lattice,
                   debye_cuda_poisson_lattice_size(plan->settings.shape));
  debye_plan_memory_add_room(memory, DEBYE_MEMORY_DEVICE, &self->spread, 27 * n_atoms, sizeof(float));
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_DEVICE, self->flags, n);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_DEVICE, self->uncut, 1);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_DEVICE, self->n_cut, 1);
  debye_cuda_poisson_map_list(&self->transfer, n, memory);
}

void
debye_cuda_poisson_molecule_open(DebyeCudaPoissonPlan *plan)
{
  DebyeStream *stream = &plan->stream;
  for (cudaEvent_t &event : plan->molecule.stages)
    if (debye_stream_is_good(stream))
      debye_stream_note(stream, cudaEventCreate(&event));
  if (plan->settings.n_atoms > 0 && debye_stream_is_good(stream))
    debye_stream_note(stream,
                      cudaMemsetAsync(plan->molecule.transfer.mark, 1, sizeof(unsigned), stream->handle));
}

void
debye_cuda_poisson_molecule_close(DebyeCudaPoissonPlan *plan)
{
  for (cudaEvent_t event : plan->molecule.stages)
    debye_event_free(event);
}

void
debye_cuda_poisson_molecule_release(DebyeCudaPoissonPlan *plan)
{
  DebyeCudaPoissonMolecule *self = &plan->molecule;
  debye_cuda_surface_release(&self->maker);
  for (DebyeRoom *room : {&self->charges, &self->outer, &self->spread})
    debye_room_give_back(room, DEBYE_MEMORY_DEVICE, &debye_cuda_memory_source);
  self->n_charges = 0;
  self->has_medium = false;
}

/* The equation. */

static DebyeStatusCode
check(const DebyeCudaPoissonPlan *plan, const DebyePoissonMolecule *molecule, DebyeStatus *status)
{
  const bool *periodic = molecule->medium->periodic;
  double whole = 0.0;
  for (size_t i = 0; i < molecule->spheres->n; i++)
    whole += 4.0 * PI * molecule->medium->length * fabs((double)molecule->charges[i]);
  if (plan->settings.n_atoms == 0 || periodic[0] || periodic[1] || periodic[2] ||
      molecule->medium->smoothed || molecule->medium->membrane.is_there || !(whole < MOST_SOURCE) ||
      molecule->spheres->n >= DEBYE_SURFACE_CIRCLE)
    return debye_status_set(status, DEBYE_STATUS_UNSUPPORTED, "The equation is the host's to make.");
  return debye_status_ok(status);
}

struct Charges {
  const DebyePoissonMolecule *molecule;
  DebyeCudaPoissonCharge *to;
  double kappa;
};

static void
prepare_charges(void *context, size_t chunk)
{
  const Charges *charges = (const Charges *)context;
  const DebyePoissonMolecule *molecule = charges->molecule;
  const DebyeSpheres *spheres = molecule->spheres;
  const size_t first = chunk * CHUNK, end = first + CHUNK < spheres->n ? first + CHUNK : spheres->n;
  for (size_t i = first; i < end; i++) {
    const double charge = (double)molecule->charges[i],
                 screened = charges->kappa * (double)spheres->radius[i];
    charges->to[i] = DebyeCudaPoissonCharge{spheres->x[i], spheres->y[i], spheres->z[i], molecule->charges[i],
                                            (float)(charge * exp(screened) / (1.0 + screened))};
  }
}

static void
upload_charges(DebyeCudaPoissonMolecule *self, const DebyePoissonMolecule *molecule, DebyeStream *stream)
{
  const size_t n = molecule->spheres->n;
  if (debye_stream_is_good(stream) &&
      !debye_room_reserve(&self->charges_on_host, DEBYE_MEMORY_PINNED, n, sizeof(DebyeCudaPoissonCharge),
                          &debye_cuda_memory_source))
    debye_stream_note(stream, cudaErrorMemoryAllocation);
  debye_stream_reserve(stream, &self->charges, n, sizeof(DebyeCudaPoissonCharge));
  if (!debye_stream_is_good(stream))
    return;
  Charges charges = {molecule, (DebyeCudaPoissonCharge *)self->charges_on_host.memory,
                     sqrt(molecule->medium->screening / molecule->medium->solvent)};
  debye_chunk_threads_run((n + CHUNK - 1) / CHUNK, prepare_charges, &charges);
  debye_stream_upload(stream, self->charges.memory, charges.to, n * sizeof *charges.to);
}

static void
note_stage(DebyeCudaPoissonPlan *plan, int stage)
{
  debye_stream_record(&plan->stream, plan->molecule.stages[stage]);
}

static void
set_medium(DebyeCudaPoissonPlan *plan, const DebyePoissonMolecule *molecule)
{
  const DebyeCudaPoissonGrid &fine = plan->levels.grids[0];
  DebyeStream *stream = &plan->stream;
  debye_cuda_poisson_set_medium(&plan->molecule, molecule->medium, molecule->spheres, &fine, plan->keys,
                                fine.right, stream);
  debye_cuda_poisson_record(plan, DebyeCudaPoissonIons{plan->molecule.flags, plan->molecule.uncut, NULL});
  debye_cuda_poisson_reset_screening(&plan->levels, stream);
  debye_cuda_poisson_coarsen(&plan->levels, stream);
}

static DebyeStatusCode
pose(DebyeCudaPoissonPlan *plan, const DebyePoissonMolecule *molecule, DebyeStatus *status)
{
  DebyeCudaPoissonMolecule *self = &plan->molecule;
  const DebyeCudaPoissonGrid &fine = plan->levels.grids[0];
  DebyeStream *stream = &plan->stream;
  const bool makes_medium = !molecule->keeps_medium || !self->has_medium;
  DebyeStatusCode code = debye_status_ok(status);
  plan->has_operator = false;
  debye_room_give_back(&plan->posed, DEBYE_MEMORY_DEVICE, &debye_cuda_memory_source);
  note_stage(plan, 0);
  upload_charges(self, molecule, stream);
  self->has_medium = self->has_medium && !makes_medium;
  if (makes_medium)
    code = debye_cuda_surface_make(&self->maker, molecule->medium->surface, molecule->spheres,
                                   molecule->medium->probe, stream, &self->surface, status);
  if (code != DEBYE_STATUS_OK)
    return code;
  note_stage(plan, 1);
  if (makes_medium)
    set_medium(plan, molecule);
  debye_cuda_poisson_spread_charges(self, molecule->medium, molecule->spheres->n, plan->keys, stream);
  for (float *part : {plan->potential.rounded, plan->potential.rest})
    if (!molecule->has_guess)
      debye_stream_clear(stream, part, fine.n * sizeof *part);
  debye_cuda_poisson_set_boundary(self, molecule, &plan->potential, stream);
  note_stage(plan, 2);
  self->has_medium = plan->has_operator = debye_stream_is_good(stream);
  return debye_stream_is_good(stream) ? code : debye_stream_finish(stream, "making an equation", status);
}

static void
read_stages(const DebyeCudaPoissonMolecule *self, DebyePoissonReport *report)
{
  for (int stage = 0; stage < DEBYE_POISSON_N_STAGES; stage++)
    if (cudaEventElapsedTime(&report->stage_ms[stage], self->stages[stage], self->stages[stage + 1]) !=
        cudaSuccess)
      report->stage_ms[stage] = 0.0f;
}

DebyeStatusCode
debye_cuda_poisson_solve_molecule(DebyeKernelPlan *handle, const DebyePoissonMolecule *molecule, float *map,
                                  const DebyePoissonGoal *goal, DebyePoissonReport *report,
                                  const volatile bool *cancel, DebyeStatus *status)
{
  DebyeCudaPoissonPlan *plan = (DebyeCudaPoissonPlan *)handle;
  DebyeStream *stream = &plan->stream;
  DebyeStatusCode code = debye_poisson_goal_check(&plan->settings, goal, status);
  if (code == DEBYE_STATUS_OK)
    code = check(plan, molecule, status);
  if (code != DEBYE_STATUS_OK)
    return code;
  debye_stream_note(stream, cudaSetDevice(plan->device));
  code = pose(plan, molecule, status);
  if (code != DEBYE_STATUS_OK)
    return code;
  code = debye_cuda_poisson_run(plan, goal, molecule->has_guess, report, cancel, status);
  note_stage(plan, 3);
  if (code == DEBYE_STATUS_OK && map != NULL)
    debye_cuda_poisson_fetch_map(plan, map);
  note_stage(plan, 4);
  const DebyeStatusCode end = debye_stream_finish(stream, "solving the Poisson-Boltzmann equation", status);
  if (end != DEBYE_STATUS_OK)
    return end;
  if (code != DEBYE_STATUS_OK)
    return debye_status_set(status, code, "Solving was stopped.");
  read_stages(&plan->molecule, report);
  return *plan->molecule.transfer.n_bad_on_host == 0 && plan->is_finite
             ? code
             : debye_status_set(status, DEBYE_STATUS_INVALID,
                                "The potential isn't finite: the equation isn't solved.");
}

/* What isn't as the host has it is made where the finest grid's `left` and direction are. */
DebyeStatusCode
debye_cuda_poisson_fetch(DebyeKernelPlan *handle, const DebyePoissonEquation *equation, DebyeStatus *status)
{
  DebyeCudaPoissonPlan *plan = (DebyeCudaPoissonPlan *)handle;
  const DebyeCudaPoissonGrid &fine = plan->levels.grids[0];
  DebyeStream *stream = &plan->stream;
  float *values = (float *)plan->keys;
  debye_stream_note(stream, cudaSetDevice(plan->device));
  for (int axis = 0; axis < 3; axis++) {
    if (equation->along[axis] == NULL)
      continue;
    debye_cuda_poisson_join_halves(&fine, axis, values, stream);
    debye_stream_download(stream, equation->along[axis], values, fine.n * sizeof *values);
  }
  if (equation->screening != NULL) {
    debye_cuda_poisson_get_ions(&fine, values, stream);
    debye_stream_download(stream, equation->screening, values, fine.n * sizeof *values);
  }
  if (equation->source != NULL) {
    debye_cuda_poisson_place_charges(&plan->molecule, fine.right, stream);
    debye_stream_download(stream, equation->source, fine.right, fine.n * sizeof *fine.right);
  }
  if (equation->is_inner != NULL) {
    debye_cuda_poisson_find_inner(&plan->molecule, fine.n, (bool *)plan->keys, stream);
    debye_stream_download(stream, equation->is_inner, plan->keys, fine.n * sizeof(bool));
  }
  if (equation->potential != NULL) {
    debye_cuda_poisson_join(fine.n, &plan->potential, (double *)plan->keys, stream);
    debye_stream_download(stream, equation->potential, plan->keys, fine.n * sizeof(double));
  }
  return debye_stream_finish(stream, "copying an equation", status);
}
