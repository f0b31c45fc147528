/* SPDX-License-Identifier: MIT */
/* Atoms in voxels as sources of the class get them, and what these should count; used by bench_source_case.c. */
#include <math.h>

#include "bench_density.h"
#include "bench_source_private.h"
#include "data/files/error.h"

#define SMALL_VOXELS 1000.0
#define SMALL_FRAMES ((gsize)40) /* more than a word has bits */

static gboolean
set_density(DebyeBenchSourceCase *one, gsize n_frames, GError **error)
{
  static const gsize small[3] = {10, 8, 7};
  const double n_voxels =
      one->problem->field_points > 0.0 ? one->problem->field_points : DEBYE_BENCH_DENSITY_VOXELS;
  DebyeRunnerCase *about = &one->about;
  DebyeBenchDensity *subject = debye_bench_density_new(n_frames > 0 ? n_voxels : SMALL_VOXELS);
  one->subject = subject;
  one->subject_free = (GDestroyNotify)debye_bench_density_free;
  if (subject == NULL)
    return debye_error_set(error, DEBYE_ERROR_MEMORY, "bench: no memory for the map; choose fewer points");
  DebyeLadderDensity *density = &one->density;
  *density = subject->density;
  density->n_frames = MIN(density->n_frames, n_frames > 0 ? n_frames : SMALL_FRAMES);
  one->n_values = 1;
  for (int axis = 0; axis < 3; axis++) {
    if (n_frames == 0)
      density->shape[axis] = small[axis];
    about->counts[axis] = (int)density->shape[axis];
    about->doubles[axis] = density->corner[axis];
    one->n_values *= density->shape[axis];
  }
  about->counts[3] = (int)density->n_atoms;
  about->counts[4] = (int)density->n_frames;
  about->doubles[3] = 1.0 / density->edge;
  one->n_alternatives = 2;
  one->has_scratch_each = TRUE;
  about->scratch_bytes = one->n_values * sizeof(guint32);
  const float *const from[3] = {density->x, density->y, density->z};
  for (int axis = 0; axis < 3; axis++)
    debye_bench_source_case_append(one, from[axis], density->n_atoms * density->n_frames * sizeof(float));
  return TRUE;
}

typedef struct {
  const DebyeLadderDensity *density;
  DebyeBenchExpected *expected;
  gboolean is_occupancy;
  /* Of each voxel the last frame, from 1 on, that it was counted in, and one in which it may have to be. */
  guint32 *sure, *maybe;
} Count;

/* Of voxels that an atom may be in by rounding, half of it; of occupancy it is taken back where another atom is there. */
static void
count_atom(Count *count, gsize voxel, guint32 frame, gboolean is_sure)
{
  DebyeBenchExpected *value = &count->expected[voxel];
  if (count->is_occupancy && count->sure[voxel] == frame)
    return;
  if (count->is_occupancy && count->maybe[voxel] == frame) {
    if (!is_sure)
      return;
    value->expected -= 0.5;
    value->tolerance -= 0.5;
  }
  (is_sure ? count->sure : count->maybe)[voxel] = frame;
  value->expected += is_sure ? 1.0 : 0.5;
  value->tolerance += is_sure ? 0.0 : 0.5;
}

/* All voxels that this place may be in: 1, or up to 8 of which none is sure. */
static void
count_place(Count *count, gsize at, guint32 frame)
{
  const DebyeLadderDensity *density = count->density;
  const float *const places[3] = {density->x, density->y, density->z};
  gint64 low[3], high[3];
  gboolean is_sure = TRUE;
  for (int axis = 0; axis < 3; axis++) {
    const double place = (double)places[axis][at], u = (place - density->corner[axis]) / density->edge;
    const double away = DEBYE_BENCH_COORDINATE_ROUNDINGS * DEBYE_BENCH_ROUNDING *
                        (fabs(place) + fabs(density->corner[axis])) / density->edge;
    low[axis] = (gint64)floor(u - away);
    high[axis] = (gint64)floor(u + away);
    is_sure &= low[axis] == high[axis];
  }
  for (gint64 z = low[2]; z <= high[2]; z++)
    for (gint64 y = low[1]; y <= high[1]; y++)
      for (gint64 x = low[0]; x <= high[0]; x++)
        if (x >= 0 && y >= 0 && z >= 0 && x < (gint64)density->shape[0] && y < (gint64)density->shape[1] &&
            z < (gint64)density->shape[2])
          count_atom(count, ((gsize)z * density->shape[1] + (gsize)y) * density->shape[0] + (gsize)x, frame,
                     is_sure);
}

static void
expect_density(const DebyeBenchSourceCase *one, guint alternative, GArray *expected,
               double *within G_GNUC_UNUSED)
{
  const DebyeLadderDensity *density = &one->density;
  g_autofree guint32 *sure = g_new0(guint32, one->n_values), *maybe = g_new0(guint32, one->n_values);
  g_array_set_size(expected, (guint)one->n_values);
  Count count = {.density = density,
                 .expected = (DebyeBenchExpected *)(void *)expected->data,
                 .is_occupancy = alternative == 1,
                 .sure = sure,
                 .maybe = maybe};
  for (gsize voxel = 0; voxel < one->n_values; voxel++)
    count.expected[voxel] = (DebyeBenchExpected){.index = voxel};
  for (gsize t = 0; t < density->n_frames; t++)
    for (gsize i = 0; i < density->n_atoms; i++)
      count_place(&count, t * density->n_atoms + i, (guint32)(t + 1));
}

static double
count_placed(const DebyeBenchSourceCase *one, double within G_GNUC_UNUSED)
{
  return (double)one->density.n_atoms * (double)one->density.n_frames;
}

static double
find_all_frames(const DebyeBenchSourceCase *one)
{
  const DebyeBenchDensity *subject = one->subject;
  return (double)subject->density.n_frames / (double)one->density.n_frames;
}

/* Of the subject that is timed, whichever piece this is. */
static gsize
foresee_frames(const DebyeBenchSourceCase *one, double evaluations)
{
  const double n_voxels =
      one->problem->field_points > 0.0 ? one->problem->field_points : DEBYE_BENCH_DENSITY_VOXELS;
  return (gsize)CLAMP(evaluations / (0.1 * n_voxels), 1.0, 256.0);
}

const DebyeBenchSourceFamily debye_bench_source_density = {.function = "fill_voxels",
                                                           .kernel = "density",
                                                           .kind = DEBYE_LADDER_DENSITY,
                                                           .number = DEBYE_RUNNER_DENSITY,
                                                           .unit = "",
                                                           .is_voxels = TRUE,
                                                           .value_bytes = sizeof(guint32),
                                                           .is_count = TRUE,
                                                           .init = set_density,
                                                           .count_evaluations = count_placed,
                                                           .find_whole = find_all_frames,
                                                           .foresee = foresee_frames,
                                                           .expect = expect_density,
                                                           .name_value = debye_bench_source_name_point};
