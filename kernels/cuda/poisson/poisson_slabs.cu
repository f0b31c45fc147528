/* SPDX-License-Identifier: MIT */
/* An equation of several devices, each with a slab of the finest grid's planes along z: each runs the same kernels, between
 * which its first and last planes are copied of the slabs beside it, as those of periodic grids are of themselves. Coarser
 * grids, with an eighth of the points, are whole on the first device. Sums are added there, slab by slab. Called by
 * poisson.cu and poisson_molecule.cu. */
#include "poisson_plan.cuh"

#include "kernels/cuda/common/peers.cuh"

typedef DebyeCudaPoissonPlan Plan;

/* Plans. */

static size_t
count_coarser(const Plan *plan)
{
  size_t n = 0;
  for (size_t i = 1; i < plan->levels.n_levels; i++)
    n += plan->levels.grids[i].n;
  return n;
}

void
debye_cuda_poisson_slabs_list(DebyeCudaPoissonPlan *plan, DebyePlanMemory *memory)
{
  const DebyePoissonSlabs *slabs = &plan->settings.slabs;
  for (unsigned i = 0; i < slabs->n; i++) {
    const DebyeCudaPoissonSlab slab = {&plan->settings, i};
    if (slabs->device[i] == plan->device)
      debye_plan_memory_add_bytes(memory,
                                  debye_plan_bytes(&debye_cuda_poisson_slab_kind, plan->device, &slab));
  }
  if (plan->device != slabs->device[0])
    return;
  for (size_t i = 1; i < plan->levels.n_levels; i++) {
    DebyeCudaPoissonGrid &grid = plan->levels.grids[i];
    DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_DEVICE, grid.rough[0], 3 * (uint64_t)grid.n);
    DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_DEVICE, grid.inverse, grid.n);
    DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_DEVICE, grid.right, grid.n);
    DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_DEVICE, grid.values, grid.n);
  }
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_DEVICE, plan->coarser, 4 * (uint64_t)count_coarser(plan));
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_DEVICE, plan->parts, slabs->n);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_DEVICE, plan->sums.scalars, 1);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_PINNED, plan->host_scalars, DEBYE_POISSON_IN_FLIGHT);
}

/* Before a process's first plan has done so, copies of plans beside it go through the host. */
static void
let_reach(const DebyePoissonSlabs *slabs)
{
  for (unsigned i = 0; i < slabs->n; i++)
    for (unsigned k = 0; k < slabs->n; k++)
      debye_cuda_let_reach(slabs->device[i], slabs->device[k]);
}

/* With the plan's own memory laid out. */
DebyeStatusCode
debye_cuda_poisson_slabs_open(DebyeCudaPoissonPlan *plan, DebyeStatus *status)
{
  const DebyePoissonSlabs *slabs = &plan->settings.slabs;
  let_reach(slabs);
  for (unsigned i = 0; i < slabs->n; i++) {
    const DebyeCudaPoissonSlab slab = {&plan->settings, i};
    void *made = NULL;
    const DebyeStatusCode code =
        debye_plan_create(&debye_cuda_poisson_slab_kind, slabs->device[i], &slab, &made, status);
    if (code != DEBYE_STATUS_OK)
      return code;
    plan->slabs[i] = (Plan *)made;
  }
  cudaSetDevice(plan->device);
  return debye_status_ok(status);
}

/* What is under way may be between them. */
void
debye_cuda_poisson_slabs_close(DebyeCudaPoissonPlan *plan)
{
  debye_stream_wait(&plan->stream);
  for (unsigned i = 0; i < plan->settings.slabs.n; i++)
    if (plan->slabs[i] != NULL)
      debye_stream_wait(&plan->slabs[i]->stream);
  for (unsigned i = 0; i < plan->settings.slabs.n; i++)
    debye_plan_destroy(&debye_cuda_poisson_slab_kind, plan->slabs[i]);
}

/* Order. */

static void
choose(Plan *plan)
{
  debye_stream_note(&plan->stream, cudaSetDevice(plan->device));
}

static void
mark_slabs(Plan *plan)
{
  debye_cuda_poisson_over_parts(plan, [](Plan *slab) { debye_stream_record(&slab->stream, slab->passed); });
}

/* The plan's stream is after those of all slabs, and has the first of their errors. */
static void
join(Plan *plan)
{
  mark_slabs(plan);
  choose(plan);
  for (unsigned i = 0; i < plan->settings.slabs.n; i++) {
    debye_stream_note(&plan->stream, plan->slabs[i]->stream.error);
    debye_stream_follow(&plan->stream, plan->slabs[i]->passed);
  }
}

/* Those of all slabs are after the plan's. */
static void
fork(Plan *plan)
{
  choose(plan);
  debye_stream_record(&plan->stream, plan->passed);
  debye_cuda_poisson_over_parts(plan, [=](Plan *slab) {
    debye_stream_note(&slab->stream, plan->stream.error);
    debye_stream_follow(&slab->stream, plan->passed);
  });
}

/* Each slab's stream is after those of the slabs beside it. */
static void
meet(Plan *plan)
{
  const unsigned n = plan->settings.slabs.n;
  mark_slabs(plan);
  for (unsigned i = 0; i < n; i++) {
    DebyeStream *stream = &debye_cuda_poisson_get_part(plan, i)->stream;
    if (i > 0)
      debye_stream_follow(stream, plan->slabs[i - 1]->passed);
    if (i + 1 < n)
      debye_stream_follow(stream, plan->slabs[i + 1]->passed);
  }
}

void
debye_cuda_poisson_wait_for_slabs(DebyeCudaPoissonPlan *plan)
{
  for (unsigned i = 0; i < plan->settings.slabs.n; i++) {
    DebyeStream *stream = &debye_cuda_poisson_get_part(plan, i)->stream;
    debye_stream_wait(stream);
    debye_stream_note(&plan->stream, stream->error);
    stream->error = cudaSuccess;
  }
  choose(plan);
}

/* Copies. */

static void
copy(DebyeStream *stream, void *to, const Plan *owner, const void *from, const Plan *other, size_t bytes)
{
  if (!debye_stream_is_good(stream) || bytes == 0)
    return;
  debye_stream_note(stream,
                    owner->device == other->device
                        ? cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, stream->handle)
                        : cudaMemcpyPeerAsync(to, owner->device, from, other->device, bytes, stream->handle));
}

static int
count_planes(const Plan *slab)
{
  return slab->levels.grids[0].shape[2] - 2;
}

/* Each slab's first plane from the one below, and its last from the one above. */
static void
copy_planes(Plan *plan, DebyeCudaPoissonArray array, size_t size, bool from_above)
{
  meet(plan);
  for (unsigned i = 0; i < plan->settings.slabs.n; i++) {
    Plan *slab = debye_cuda_poisson_get_part(plan, i);
    const size_t plane = slab->levels.grids[0].z * size;
    char *own = (char *)array(slab);
    if (i > 0) {
      const Plan *below = plan->slabs[i - 1];
      copy(&slab->stream, own, slab, (const char *)array(below) + plane * (size_t)count_planes(below), below,
           plane);
    }
    if (from_above && i + 1 < plan->settings.slabs.n) {
      const Plan *above = plan->slabs[i + 1];
      copy(&slab->stream, own + plane * ((size_t)count_planes(slab) + 1), slab,
           (const char *)array(above) + plane, above, plane);
    }
  }
  meet(plan);
}

void
debye_cuda_poisson_refresh(DebyeCudaPoissonPlan *plan, DebyeCudaPoissonArray array, size_t size)
{
  if (plan->settings.slabs.n > 1)
    copy_planes(plan, array, size, true);
}

void
debye_cuda_poisson_refresh_potential(DebyeCudaPoissonPlan *plan)
{
  debye_cuda_poisson_refresh(
      plan, [](const Plan *slab) { return (void *)slab->potential.rounded; }, sizeof(float));
  debye_cuda_poisson_refresh(
      plan, [](const Plan *slab) { return (void *)slab->potential.rest; }, sizeof(float));
}

void
debye_cuda_poisson_forget_copies(DebyeCudaPoissonPlan *plan)
{
  const unsigned n = plan->settings.slabs.n;
  for (unsigned i = 0; i < n; i++) {
    Plan *slab = debye_cuda_poisson_get_part(plan, i);
    const size_t plane = slab->levels.grids[0].z, last = plane * ((size_t)count_planes(slab) + 1);
    for (float *values : {slab->potential.rounded, slab->potential.rest}) {
      if (i > 0)
        debye_stream_clear(&slab->stream, values, plane * sizeof *values);
      if (i + 1 < n)
        debye_stream_clear(&slab->stream, values + last, plane * sizeof *values);
    }
  }
}

DebyeCudaPoissonOwn
debye_cuda_poisson_find_own(const DebyeCudaPoissonPlan *plan, unsigned number)
{
  const unsigned n = plan->settings.slabs.n;
  if (n == 0)
    return DebyeCudaPoissonOwn{0, 0, plan->levels.grids[0].n};
  const Plan *slab = plan->slabs[number];
  const size_t plane = slab->levels.grids[0].z, first = number > 0 ? 1 : 0,
               end = (size_t)count_planes(slab) + (number + 1 < n ? 1 : 2);
  return DebyeCudaPoissonOwn{plane * first, plane * ((size_t)slab->begin + first), plane * (end - first)};
}

/* Sums. */

void
debye_cuda_poisson_add_slabs(DebyeCudaPoissonPlan *plan, DebyeCudaPoissonTotal total)
{
  const unsigned n = plan->settings.slabs.n;
  DebyeStream *stream = &plan->stream;
  if (n == 0)
    return;
  join(plan);
  for (unsigned i = 0; i < n; i++)
    copy(stream, &plan->parts[i], plan, plan->slabs[i]->sums.scalars, plan->slabs[i], sizeof *plan->parts);
  debye_cuda_poisson_add_parts(total, plan->parts, n, &plan->sums, stream);
  for (unsigned i = 0; i < n; i++)
    copy(stream, plan->slabs[i]->sums.scalars, plan->slabs[i], plan->sums.scalars, plan, sizeof *plan->parts);
  fork(plan);
}

/* Operators. */

/* Planes of the second level that a slab has within, from the second of its own on. */
static size_t
count_coarse(const Plan *slab)
{
  return (size_t)slab->levels.grids[1].shape[2] - 2;
}

/* What a slab has of an array of the second level: its planes [first, end). */
static void
gather(Plan *plan, const Plan *slab, void *whole, const void *part, size_t first, size_t end, size_t size)
{
  const size_t plane = plan->levels.grids[1].z * size;
  copy(&plan->stream, (char *)whole + plane * ((size_t)slab->begin / 2 + first), plan,
       (const char *)part + plane * first, slab, plane * (end - first));
}

/* An edge along z belongs to the slab of its lower plane, of which it may be the first, a copy. */
static void
gather_operator(Plan *plan, bool has_new_along)
{
  const DebyeCudaPoissonGrid &whole = plan->levels.grids[1];
  for (unsigned i = 0; i < plan->settings.slabs.n; i++) {
    const Plan *slab = plan->slabs[i];
    const DebyeCudaPoissonGrid &part = slab->levels.grids[1];
    const size_t end = count_coarse(slab) + 1, end_along_z = i + 1 < plan->settings.slabs.n ? end - 1 : end;
    gather(plan, slab, whole.screening, part.screening, 1, end, sizeof *part.screening);
    for (int axis = 0; axis < 3 && has_new_along; axis++) {
      const size_t first = axis == 2 ? 0 : 1, last = axis == 2 ? end_along_z : end;
      gather(plan, slab, whole.along[axis], part.along[axis], first, last, sizeof *part.along[axis]);
      gather(plan, slab, whole.rough[axis], part.rough[axis], first, last, sizeof *part.rough[axis]);
    }
  }
}

static void
coarsen_slabs(Plan *plan, bool has_new_along)
{
  DebyeStream *stream = &plan->stream;
  debye_cuda_poisson_over_parts(plan, [=](Plan *slab) {
    if (has_new_along)
      debye_cuda_poisson_coarsen_along(&slab->levels, 1, &slab->stream);
    debye_cuda_poisson_sum_screening(&slab->levels, 1, &slab->stream);
  });
  join(plan);
  gather_operator(plan, has_new_along);
  if (has_new_along)
    debye_cuda_poisson_coarsen_along(&plan->levels, 2, stream);
  debye_cuda_poisson_sum_screening(&plan->levels, 2, stream);
  for (size_t i = 1; i < plan->levels.n_levels; i++)
    debye_cuda_poisson_invert(&plan->levels.grids[i], stream);
  fork(plan);
  debye_cuda_poisson_over_parts(plan, [](Plan *slab) {
    const DebyeCudaPoissonGrid &fine = slab->levels.grids[0];
    debye_cuda_poisson_invert(&fine, &slab->stream);
    debye_stream_clear(&slab->stream, fine.left, slab->levels.grids[1].n * sizeof *fine.left);
  });
  debye_cuda_poisson_refresh(
      plan, [](const Plan *slab) { return (void *)slab->levels.grids[0].inverse; }, sizeof(float));
}

void
debye_cuda_poisson_coarsen_parts(DebyeCudaPoissonPlan *plan, bool has_new_along)
{
  if (plan->settings.slabs.n == 0) {
    if (has_new_along)
      debye_cuda_poisson_coarsen(&plan->levels, &plan->stream);
    else
      debye_cuda_poisson_coarsen_screening(&plan->levels, &plan->stream);
    return;
  }
  /* Both slabs that have an edge have found it, each from its own corner. */
  if (has_new_along && plan->settings.slabs.n > 1) {
    copy_planes(
        plan, [](const Plan *slab) { return (void *)slab->levels.grids[0].rough[2]; }, sizeof(uint16_t),
        false);
    copy_planes(
        plan, [](const Plan *slab) { return (void *)slab->levels.grids[0].rest[2]; }, sizeof(int16_t), false);
  }
  if (plan->settings.nonlinear)
    debye_cuda_poisson_refresh(
        plan, [](const Plan *slab) { return (void *)slab->levels.grids[0].screening; }, sizeof(float));
  coarsen_slabs(plan, has_new_along);
}

/* Iterations. */

static void
sweep(Plan *plan, DebyeCudaPoissonSweep which)
{
  debye_cuda_poisson_over_parts(plan, [=](Plan *slab) {
    const DebyeCudaPoissonGrid *grids = slab->levels.grids;
    debye_cuda_poisson_sweep(which, &grids[0], &grids[1], &slab->sums, &slab->stream);
  });
}

static void
refresh_values(Plan *plan)
{
  debye_cuda_poisson_refresh(
      plan, [](const Plan *slab) { return (void *)slab->levels.grids[0].values; }, sizeof(float));
}

/* Coarser grids' part of the cycle, between the slabs' restriction and what they take of it. */
static void
cycle_below(Plan *plan)
{
  const DebyeCudaPoissonGrid &whole = plan->levels.grids[1];
  join(plan);
  for (unsigned i = 0; i < plan->settings.slabs.n; i++) {
    const Plan *slab = plan->slabs[i];
    gather(plan, slab, whole.right, slab->levels.grids[1].right, 1, count_coarse(slab) + 1,
           sizeof *whole.right);
  }
  debye_cuda_poisson_cycle(&plan->levels, 1, &plan->sums, &plan->stream);
  for (unsigned i = 0; i < plan->settings.slabs.n; i++) {
    const Plan *slab = plan->slabs[i];
    copy(&plan->stream, slab->levels.grids[1].values, slab,
         whole.values + (size_t)whole.z * ((size_t)slab->begin / 2), plan,
         slab->levels.grids[1].n * sizeof *whole.values);
  }
  fork(plan);
}

void
debye_cuda_poisson_iterate_slabs(DebyeCudaPoissonPlan *plan)
{
  debye_cuda_poisson_refresh(
      plan, [](const Plan *slab) { return (void *)slab->levels.grids[0].right; }, sizeof(float));
  sweep(plan, DEBYE_POISSON_SWEEP_FIRST);
  refresh_values(plan);
  sweep(plan, DEBYE_POISSON_SWEEP_LEAVE);
  refresh_values(plan);
  sweep(plan, DEBYE_POISSON_SWEEP_RESTRICT);
  cycle_below(plan);
  sweep(plan, DEBYE_POISSON_SWEEP_ODD);
  refresh_values(plan);
  sweep(plan, DEBYE_POISSON_SWEEP_EVEN);
  refresh_values(plan);
  debye_cuda_poisson_add_slabs(plan, DEBYE_POISSON_TOTAL_PRODUCT);
  debye_cuda_poisson_over_parts(plan, [](Plan *slab) {
    debye_cuda_poisson_turn(&slab->levels.grids[0], &slab->sums, slab->direction, slab->potential.rest,
                            &slab->stream);
  });
  debye_cuda_poisson_add_slabs(plan, DEBYE_POISSON_TOTAL_CURVATURE);
  debye_cuda_poisson_over_parts(plan, [](Plan *slab) {
    debye_cuda_poisson_advance(&slab->levels.grids[0], &slab->sums, true, &slab->stream);
  });
  debye_cuda_poisson_add_slabs(plan, DEBYE_POISSON_TOTAL_ADVANCED);
}
