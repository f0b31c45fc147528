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
note_stage(DebyeCudaPoissonPlan *part, int stage)
{
  debye_stream_record(&part->stream, part->molecule.stages[stage]);
}

/* On the grid that the part has. */
static DebyePoissonMedium
medium_of(const DebyeCudaPoissonPlan *part, const DebyePoissonMolecule *molecule)
{
  DebyePoissonMedium medium = *molecule->medium;
  if (part->is_slab) {
    medium.grid.origin.z += part->begin * medium.grid.step[2];
    medium.grid.shape[2] = (size_t)part->levels.grids[0].shape[2];
  }
  return medium;
}

static void
set_medium(DebyeCudaPoissonPlan *part, const DebyePoissonMolecule *molecule)
{
  const DebyeCudaPoissonGrid &fine = part->levels.grids[0];
  const DebyePoissonMedium medium = medium_of(part, molecule);
  debye_cuda_poisson_set_medium(&part->molecule, &medium, molecule->spheres, &fine, part->keys, fine.right,
                                &part->stream);
  debye_cuda_poisson_record(part, DebyeCudaPoissonIons{part->molecule.flags, part->molecule.uncut, NULL});
  debye_cuda_poisson_reset_screening(&part->levels, &part->stream);
}

/* The finest operator, and charges where they are. */
static DebyeStatusCode
pose_medium(DebyeCudaPoissonPlan *part, const DebyePoissonMolecule *molecule, bool makes_medium,
            DebyeStatus *status)
{
  DebyeCudaPoissonMolecule *self = &part->molecule;
  DebyeStream *stream = &part->stream;
  DebyeStatusCode code = debye_status_ok(status);
  part->has_operator = false;
  debye_room_give_back(&part->posed, DEBYE_MEMORY_DEVICE, &debye_cuda_memory_source);
  note_stage(part, 0);
  upload_charges(self, molecule, stream);
  self->has_medium = self->has_medium && !makes_medium;
  if (makes_medium)
    code = debye_cuda_surface_make(&self->maker, molecule->medium->surface, molecule->spheres,
                                   molecule->medium->probe, stream, &self->surface, status);
  if (code != DEBYE_STATUS_OK)
    return code;
  note_stage(part, 1);
  if (makes_medium)
    set_medium(part, molecule);
  return code;
}

static void
pose_charges(DebyeCudaPoissonPlan *part, const DebyePoissonMolecule *molecule)
{
  const DebyeCudaPoissonGrid &fine = part->levels.grids[0];
  const DebyePoissonMedium medium = medium_of(part, molecule);
  DebyeStream *stream = &part->stream;
  debye_cuda_poisson_spread_charges(&part->molecule, &medium, molecule->spheres->n, part->keys, stream);
  for (float *values : {part->potential.rounded, part->potential.rest})
    if (!molecule->has_guess)
      debye_stream_clear(stream, values, fine.n * sizeof *values);
  debye_cuda_poisson_set_boundary(&part->molecule, molecule, &fine, part->begin, &part->potential, stream);
  note_stage(part, 2);
  part->molecule.has_medium = part->has_operator = debye_stream_is_good(stream);
}

/* What other parts were given before one failed still reads the molecule, and their errors aren't the next one's. */
static DebyeStatusCode
give_up_posing(DebyeCudaPoissonPlan *plan, DebyeStatusCode code)
{
  debye_cuda_poisson_wait_for_slabs(plan);
  debye_stream_finish(&plan->stream, "making an equation", NULL);
  return code;
}

static DebyeStatusCode
pose(DebyeCudaPoissonPlan *plan, const DebyePoissonMolecule *molecule, DebyeStatus *status)
{
  bool makes_medium = !molecule->keeps_medium, is_good = true;
  DebyeStatusCode code = debye_status_ok(status);
  debye_cuda_poisson_over_parts(
      plan, [&](DebyeCudaPoissonPlan *part) { makes_medium |= !part->molecule.has_medium; });
  for (unsigned i = 0; i < debye_cuda_poisson_count_parts(plan) && code == DEBYE_STATUS_OK; i++)
    code = pose_medium(debye_cuda_poisson_get_part(plan, i), molecule, makes_medium, status);
  if (code != DEBYE_STATUS_OK)
    return give_up_posing(plan, code);
  if (makes_medium)
    debye_cuda_poisson_coarsen_parts(plan, true);
  debye_cuda_poisson_over_parts(plan, [&](DebyeCudaPoissonPlan *part) {
    pose_charges(part, molecule);
    is_good &= part->has_operator;
  });
  if (is_good)
    return code;
  debye_cuda_poisson_wait_for_slabs(plan);
  return debye_stream_finish(&plan->stream, "making an equation", status);
}

static void
read_stages(const DebyeCudaPoissonMolecule *self, DebyePoissonReport *report)
{
  for (int stage = 0; stage < DEBYE_POISSON_N_STAGES; stage++)
    if (cudaEventElapsedTime(&report->stage_ms[stage], self->stages[stage], self->stages[stage + 1]) !=
        cudaSuccess)
      report->stage_ms[stage] = 0.0f;
}

/* All parts, and what the boundary had. */
static bool
is_finite(DebyeCudaPoissonPlan *plan)
{
  unsigned n_bad = 0;
  debye_cuda_poisson_over_parts(
      plan, [&](DebyeCudaPoissonPlan *part) { n_bad += *part->molecule.transfer.n_bad_on_host; });
  return n_bad == 0 && plan->is_finite;
}

DebyeStatusCode
debye_cuda_poisson_solve_molecule(DebyeKernelPlan *handle, const DebyePoissonMolecule *molecule, float *map,
                                  const DebyePoissonGoal *goal, DebyePoissonReport *report,
                                  const volatile bool *cancel, DebyeStatus *status)
{
  DebyeCudaPoissonPlan *plan = (DebyeCudaPoissonPlan *)handle;
  DebyeStatusCode code = debye_poisson_goal_check(&plan->settings, goal, status);
  if (code == DEBYE_STATUS_OK)
    code = check(plan, molecule, status);
  if (code == DEBYE_STATUS_OK)
    code = pose(plan, molecule, status);
  if (code != DEBYE_STATUS_OK)
    return code;
  code = debye_cuda_poisson_run(plan, goal, molecule->has_guess, report, cancel, status);
  DebyeCudaPoissonPlan *first = debye_cuda_poisson_get_part(plan, 0);
  note_stage(first, 3);
  for (unsigned i = 0; i < debye_cuda_poisson_count_parts(plan) && code == DEBYE_STATUS_OK && map != NULL;
       i++)
    debye_cuda_poisson_fetch_map(debye_cuda_poisson_get_part(plan, i), debye_cuda_poisson_find_own(plan, i),
                                 map);
  note_stage(debye_cuda_poisson_get_part(plan, 0), 4);
  debye_cuda_poisson_wait_for_slabs(plan);
  const DebyeStatusCode end =
      debye_stream_finish(&plan->stream, "solving the Poisson-Boltzmann equation", status);
  if (end != DEBYE_STATUS_OK)
    return end;
  if (code != DEBYE_STATUS_OK)
    return debye_status_set(status, code, "Solving was stopped.");
  read_stages(&first->molecule, report);
  return is_finite(plan) ? code
                         : debye_status_set(status, DEBYE_STATUS_INVALID,
                                            "The potential isn't finite: the equation isn't solved.");
}

/* What isn't as the host has it is made where the finest grid's `left` and direction are. */
static void
fetch_operator(DebyeCudaPoissonPlan *part, DebyeCudaPoissonOwn own, const DebyePoissonEquation *equation)
{
  const DebyeCudaPoissonGrid &fine = part->levels.grids[0];
  DebyeStream *stream = &part->stream;
  float *values = (float *)part->keys;
  for (int axis = 0; axis < 3; axis++) {
    if (equation->along[axis] == NULL)
      continue;
    debye_cuda_poisson_join_halves(&fine, axis, values, stream);
    debye_stream_download(stream, equation->along[axis] + own.to, values + own.from, own.n * sizeof *values);
  }
  if (equation->screening != NULL) {
    debye_cuda_poisson_get_ions(&fine, values, stream);
    debye_stream_download(stream, equation->screening + own.to, values + own.from, own.n * sizeof *values);
  }
}

static void
fetch_rest(DebyeCudaPoissonPlan *part, DebyeCudaPoissonOwn own, const DebyePoissonEquation *equation)
{
  const DebyeCudaPoissonGrid &fine = part->levels.grids[0];
  DebyeStream *stream = &part->stream;
  if (equation->source != NULL) {
    debye_cuda_poisson_place_charges(&part->molecule, fine.right, stream);
    debye_stream_download(stream, equation->source + own.to, fine.right + own.from,
                          own.n * sizeof *fine.right);
  }
  if (equation->is_inner != NULL) {
    debye_cuda_poisson_find_inner(&part->molecule, fine.n, (bool *)part->keys, stream);
    debye_stream_download(stream, equation->is_inner + own.to, (bool *)part->keys + own.from,
                          own.n * sizeof(bool));
  }
  if (equation->potential != NULL) {
    debye_cuda_poisson_join(fine.n, &part->potential, (double *)part->keys, stream);
    debye_stream_download(stream, equation->potential + own.to, (double *)part->keys + own.from,
                          own.n * sizeof(double));
  }
}

DebyeStatusCode
debye_cuda_poisson_fetch(DebyeKernelPlan *handle, const DebyePoissonEquation *equation, DebyeStatus *status)
{
  DebyeCudaPoissonPlan *plan = (DebyeCudaPoissonPlan *)handle;
  for (unsigned i = 0; i < debye_cuda_poisson_count_parts(plan); i++) {
    DebyeCudaPoissonPlan *part = debye_cuda_poisson_get_part(plan, i);
    const DebyeCudaPoissonOwn own = debye_cuda_poisson_find_own(plan, i);
    fetch_operator(part, own, equation);
    fetch_rest(part, own, equation);
  }
  debye_cuda_poisson_wait_for_slabs(plan);
  return debye_stream_finish(&plan->stream, "copying an equation", status);
}
