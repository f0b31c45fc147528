/* SPDX-License-Identifier: MIT */
/* Follows centres through the frames; called by msd_analysis.c.
 *
 * From each frame to the next an atom moves by the shortest image of its displacement in the cell of the
 * later frame, and displacements are summed: image numbers times the cell of the day would scale old jumps
 * with each change of the volume (von Bülow, Bullerjahn and Hummer, J. Chem. Phys. 153, 021101 (2020)). A
 * centre of mass moves by the mean of its atoms' displacements, so that no molecule need be whole. */
#include "msd_paths.h"

#include "app/analysis/driver/frame_loop.h"
#include "app/analysis/driver/frame_times.h"
#include "data/files/error.h"
#include "data/molecule/periodic.h"

/* Frames that come together before they are laid along the paths, half a kilobyte at a time. */
#define TILE 64
typedef struct {
  DebyeMsdPaths *paths;
  const guint32 *atoms; /* of this pass' centres */
  gsize n_atoms;
  DebyeVec3 *last;  /* of each, in the file */
  DebyeVec3 *moved; /* of each, since the first frame */
  double *tile;     /* [(frame·n + centre)·3 + axis] */
  gboolean has_last;
  double last_time, steps;
  gsize n_steps, n_read;
  double lengths;
  void (*progress)(gpointer data, double part);
  gpointer data;
} Pass;

static void
pass_clear(Pass *pass)
{
  g_free(pass->last);
  g_free(pass->moved);
  g_free(pass->tile);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Pass, pass_clear)

void
debye_msd_paths_clear(DebyeMsdPaths *paths)
{
  g_clear_pointer(&paths->places, g_free);
}

gboolean
debye_msd_paths_init(DebyeMsdPaths *paths, const DebyeMsdPlan *plan, GError **error)
{
  *paths = (DebyeMsdPaths){.plan = plan, .capacity = debye_msd_plan_pass_centres(plan)};
  paths->places = g_try_new(double, 3 * paths->capacity * plan->frames.n_frames);
  return paths->places != NULL ||
         debye_error_set_about(error, DEBYE_ERROR_MEMORY, "Memory limit",
                               "no memory for the positions of %" G_GSIZE_FORMAT
                               " centres in %" G_GSIZE_FORMAT
                               " frames: expected a smaller limit, which takes more passes",
                               paths->capacity, plan->frames.n_frames);
}

/* --- A frame --- */

/* Steps that a step of the frames leaves out are followed, but not kept. */
static gboolean
is_kept(const DebyeMsdPlan *plan, const DebyeFrame *frame)
{
  return (frame->index - plan->frames.range.first) % plan->frames.range.step == 0;
}

static gboolean
check_cell(const DebyeMsdPlan *plan, const DebyeFrame *frame, GError **error)
{
  if (!plan->is_periodic || (frame->has_cell && debye_cell_is_valid(&frame->cell)))
    return TRUE;
  return debye_error_set_about(error, DEBYE_ERROR_MISSING, "Frames",
                               "frame %" G_GSIZE_FORMAT " has no cell with a volume, frame %" G_GSIZE_FORMAT
                               " has one: expected one in every frame",
                               frame->index, plan->frames.first->index);
}

static gboolean
check_positions(const Pass *pass, const DebyeFrame *frame, GError **error)
{
  for (gsize i = 0; frame->n_bad > 0 && i < pass->n_atoms; i++) {
    if (debye_vec3_is_finite(debye_frame_get_position(frame, pass->atoms[i])))
      continue;
    return debye_error_set_about(
        error, DEBYE_ERROR_VALUE, "Frames",
        "atom %u of frame %" G_GSIZE_FORMAT
        " has NaN or infinite coordinates: correlations in time can't leave out a frame",
        pass->atoms[i] + 1, frame->index);
  }
  return TRUE;
}

static DebyeTimeFollows
judge_time(const Pass *pass, double time)
{
  const DebyeMsdPlan *plan = pass->paths->plan;
  return pass->has_last ? debye_frame_times_judge(plan->frames.first->time, pass->last_time, time, plan->step)
                        : DEBYE_TIME_FOLLOWS;
}

static gboolean
set_uneven(const Pass *pass, const DebyeFrame *frame, GError **error)
{
  char found[G_ASCII_DTOSTR_BUF_SIZE], expected[G_ASCII_DTOSTR_BUF_SIZE];
  return debye_error_set_about(
      error, DEBYE_ERROR_VALUE, "Frames",
      "frame %" G_GSIZE_FORMAT " is at %s ps, expected %s ps: correlations in time need frames at even steps",
      frame->index, g_ascii_formatd(found, sizeof found, "%g", frame->time),
      g_ascii_formatd(expected, sizeof expected, "%g", pass->last_time + pass->paths->plan->step));
}

/* The steps are those that are even: their mean is better than one of them, which single precision rounded. */
static DebyeTimeFollows
note_time(Pass *pass, const DebyeFrame *frame)
{
  DebyeMsdPaths *paths = pass->paths;
  const DebyeTimeFollows follows = judge_time(pass, frame->time);
  if (follows == DEBYE_TIME_FOLLOWS && pass->has_last && isfinite(frame->time - pass->last_time)) {
    pass->steps += frame->time - pass->last_time;
    pass->n_steps++;
  }
  if (follows == DEBYE_TIME_ANEW && paths->n_anew++ == 0)
    paths->first_anew = frame->index;
  if (follows == DEBYE_TIME_REPEATED && paths->n_repeated++ == 0)
    paths->first_repeated = frame->index;
  return follows;
}

/* Those that stand nowhere in a frame that isn't kept stay where they were. */
static void
follow_atoms(Pass *pass, const DebyeFrame *frame)
{
  DebyePeriodic periodic;
  debye_periodic_init(&periodic, pass->paths->plan->unwraps ? &frame->cell : NULL);
  for (gsize i = 0; i < pass->n_atoms; i++) {
    const DebyeVec3 position = debye_frame_get_position(frame, pass->atoms[i]);
    DebyeVec3 moved = debye_vec3_subtract(position, pass->last[i]);
    if (!debye_vec3_is_finite(position))
      continue;
    if (periodic.is_periodic && debye_vec3_dot(moved, moved) > periodic.safe_squared)
      moved = debye_periodic_minimum_image(&periodic, moved);
    pass->moved[i] = debye_vec3_add(pass->moved[i], moved);
    pass->last[i] = position;
  }
}

static void
begin_atoms(Pass *pass, const DebyeFrame *frame)
{
  for (gsize i = 0; i < pass->n_atoms; i++)
    pass->last[i] = debye_frame_get_position(frame, pass->atoms[i]);
}

/* --- Paths --- */

/* The displacement of a centre so far: the weighted mean over its atoms. */
static DebyeVec3
get_centre(const Pass *pass, gsize centre)
{
  const DebyeMsdPlan *plan = pass->paths->plan;
  const guint32 *first = &g_array_index(plan->first, guint32, pass->paths->first);
  DebyeVec3 sum = {0};
  if (plan->shares == NULL)
    return pass->moved[centre];
  for (guint32 i = first[centre]; i < first[centre + 1]; i++)
    sum = debye_vec3_add(sum,
                         debye_vec3_scale(pass->moved[i - first[0]], g_array_index(plan->shares, double, i)));
  return sum;
}

static void
put_tile(const Pass *pass)
{
  DebyeMsdPaths *paths = pass->paths;
  const gsize n_series = 3 * paths->n, stride = paths->plan->frames.n_frames;
  const gsize begin = (paths->n_frames - 1) / TILE * TILE;
  for (gsize series = 0; series < n_series; series++) {
    double *place = paths->places + series * stride + begin;
    for (gsize i = 0; begin + i < paths->n_frames; i++)
      place[i] = pass->tile[i * n_series + series];
  }
}

static void
keep_frame(Pass *pass)
{
  DebyeMsdPaths *paths = pass->paths;
  double *row = pass->tile + paths->n_frames % TILE * 3 * paths->n;
  for (gsize centre = 0; centre < paths->n; centre++) {
    const DebyeVec3 place = get_centre(pass, centre);
    row[3 * centre] = place.x;
    row[3 * centre + 1] = place.y;
    row[3 * centre + 2] = place.z;
  }
  if (++paths->n_frames % TILE == 0)
    put_tile(pass);
}

/* FALSE: it doesn't go into the paths, with an error or without one. */
static gboolean
takes_frame(Pass *pass, const DebyeFrame *frame, GError **error)
{
  if (!is_kept(pass->paths->plan, frame))
    return FALSE;
  if (!check_positions(pass, frame, error))
    return FALSE;
  const DebyeTimeFollows follows = note_time(pass, frame);
  if (follows == DEBYE_TIME_UNEVEN)
    return set_uneven(pass, frame, error);
  pass->last_time = frame->time;
  return follows != DEBYE_TIME_REPEATED;
}

static gboolean
do_frame(const DebyeFrame *frame, gpointer data, GError **error)
{
  Pass *pass = data;
  g_autoptr(GError) problem = NULL;
  if (!check_cell(pass->paths->plan, frame, error))
    return FALSE;
  const gboolean taken = takes_frame(pass, frame, &problem);
  if (problem != NULL) {
    g_propagate_error(error, g_steal_pointer(&problem));
    return FALSE;
  }
  if (pass->has_last)
    follow_atoms(pass, frame);
  else
    begin_atoms(pass, frame);
  pass->has_last = TRUE;
  if (!taken)
    return TRUE;
  if (pass->paths->plan->is_periodic)
    pass->lengths += cbrt(fabs(debye_cell_volume(&frame->cell)));
  keep_frame(pass);
  if (pass->progress != NULL)
    pass->progress(pass->data, (double)++pass->n_read / (double)pass->paths->plan->frames.n_frames);
  return TRUE;
}

/* --- A pass --- */

static gboolean
any_frame(const DebyeFrame *frame G_GNUC_UNUSED, gpointer data G_GNUC_UNUSED)
{
  return TRUE;
}

static gboolean
open_pass(Pass *pass, GError **error)
{
  const DebyeMsdPaths *paths = pass->paths;
  const guint32 *first = &g_array_index(paths->plan->first, guint32, paths->first);
  pass->atoms = &g_array_index(paths->plan->atoms, guint32, first[0]);
  pass->n_atoms = first[paths->n] - first[0];
  pass->last = g_try_new0(DebyeVec3, pass->n_atoms);
  pass->moved = g_try_new0(DebyeVec3, pass->n_atoms);
  pass->tile = g_try_new(double, MIN(TILE, paths->plan->frames.n_frames) * 3 * paths->n);
  return (pass->last != NULL && pass->moved != NULL && pass->tile != NULL) ||
         debye_error_set_memory(error, NULL, pass->n_atoms, "atoms that are followed");
}

static void
close_pass(Pass *pass, const DebyeFrameLoopReport *report)
{
  DebyeMsdPaths *paths = pass->paths;
  if (paths->n_frames % TILE != 0)
    put_tile(pass);
  paths->stopped = report->cancelled;
  /* A later pass that was stopped says less than the one before. */
  if (paths->stopped && paths->first > 0)
    return;
  paths->step = pass->n_steps > 0 ? pass->steps / (double)pass->n_steps : paths->plan->step;
  paths->length = paths->n_frames > 0 ? pass->lengths / (double)paths->n_frames : 0.0;
}

gboolean
debye_msd_paths_read(DebyeMsdPaths *paths, gsize first, gsize n, const volatile bool *cancel,
                     void (*progress)(gpointer data, double part), gpointer data, GError **error)
{
  g_auto(Pass) pass = {.paths = paths, .progress = progress, .data = data};
  g_auto(DebyeFrameLoopReport) report = {0};
  DebyeFrameRange range = paths->plan->frames.range;
  g_return_val_if_fail(n > 0 && n <= paths->capacity, FALSE);
  paths->first = first;
  paths->n = n;
  paths->n_frames = paths->n_anew = paths->n_repeated = 0;
  if (!open_pass(&pass, error))
    return FALSE;
  /* Frames between may hold a jump. */
  if (paths->plan->unwraps) {
    range.last = range.first + (paths->plan->frames.n_frames - 1) * range.step;
    range.step = 1;
  }
  const DebyeFrameLoop loop = {.trajectory = paths->plan->frames.trajectory,
                               .range = range,
                               .cancel = cancel,
                               .data = &pass,
                               .usable = any_frame,
                               .work = do_frame};
  if (!debye_frame_loop_run(&loop, &report, error))
    return FALSE;
  close_pass(&pass, &report);
  return TRUE;
}
