/* SPDX-License-Identifier: MIT */
/* Implementation of map_residue_courses.h. */
#include "map_residue_courses.h"

#include <math.h>

#include "app/analysis/driver/potential_unit.h"
#include "data/files/error.h"
#include "data/messages/message.h"
#include "map_followed.h"

static const DebyeQuantity time_quantity = {"time", "t", "ps"}, frame_quantity = {"frame", "frame", NULL};

/* Each frame has its place, whichever device or process solves it. */
struct DebyeMapResidueCourses {
  const DebyeMapPlan *plan;
  GArray *residues; /* guint32 */
  gsize n_frames;
  double *memory;          /* of the arrays: 0 where a frame wasn't solved */
  double *times, *numbers; /* of each frame */
  double *values;          /* [residue·n_frames + frame], kT/e */
  guint64 *is_solved;
};

/* --- Making --- */

static gboolean
allocate(DebyeMapResidueCourses *self)
{
  const gsize n = self->n_frames;
  self->memory = g_try_malloc0_n((gsize)self->residues->len + 2, n * sizeof(double));
  self->is_solved = g_try_new0(guint64, n);
  if (self->memory == NULL || self->is_solved == NULL)
    return FALSE;
  self->times = self->memory;
  self->numbers = self->times + n;
  self->values = self->numbers + n;
  return TRUE;
}

DebyeMapResidueCourses *
debye_map_residue_courses_new(const DebyeMapPlan *plan, GError **error)
{
  g_autoptr(GArray) residues =
      debye_map_followed_find(plan->settings.follow, plan->topology, plan->frames.first, plan->atoms, error);
  if (residues == NULL)
    return NULL;
  DebyeMapResidueCourses *self = g_new0(DebyeMapResidueCourses, 1);
  self->plan = plan;
  self->n_frames = plan->frames.n_frames;
  self->residues = g_steal_pointer(&residues);
  if (allocate(self))
    return self;
  debye_error_set_memory(error, NULL, self->n_frames, "frames that are measured");
  debye_map_residue_courses_free(self);
  return NULL;
}

void
debye_map_residue_courses_free(DebyeMapResidueCourses *self)
{
  if (self == NULL)
    return;
  g_array_unref(self->residues);
  g_free(self->memory);
  g_free(self->is_solved);
  g_free(self);
}

/* --- Frames --- */

void
debye_map_residue_courses_add(DebyeMapResidueCourses *self, const DebyeFrame *frame,
                              const double *of_residues)
{
  const gsize place = debye_frame_choice_get_place(&self->plan->frames, frame);
  self->is_solved[place] = 1;
  self->times[place] = frame->time;
  self->numbers[place] = (double)frame->index;
  for (guint i = 0; i < self->residues->len; i++)
    self->values[i * self->n_frames + place] = of_residues[g_array_index(self->residues, guint32, i)];
}

void
debye_map_residue_courses_list_state(DebyeMapResidueCourses *self, DebyeFrameState *state)
{
  debye_frame_state_add_counts(state, "followed", DEBYE_STATE_SUM, self->is_solved, self->n_frames);
  debye_frame_state_add(state, "followed_times", DEBYE_STATE_SUM, self->times, self->n_frames);
  debye_frame_state_add(state, "followed_numbers", DEBYE_STATE_SUM, self->numbers, self->n_frames);
  debye_frame_state_add(state, "followed_values", DEBYE_STATE_SUM, self->values,
                        self->residues->len * self->n_frames);
}

/* --- Curves --- */

/* "A:ASP 25", of a file without chains by its segment. */
static char *
name_residue(const DebyeMapResidueCourses *self, guint32 number)
{
  DebyeTopology *topology = self->plan->topology;
  const DebyeStringPool *pool = debye_topology_get_string_pool(topology);
  const DebyeResidue *residue = &debye_topology_get_residue_table(topology)[number];
  const char *chain = debye_string_pool_get(pool, residue->chain);
  if (*chain == '\0')
    chain = debye_string_pool_get(pool, residue->segment);
  g_autofree char *insertion = g_strndup(&residue->insertion_code, 1); /* of none: empty */
  return g_strdup_printf("%s%s%s %d%s", chain, *chain != '\0' ? ":" : "",
                         debye_string_pool_get(pool, residue->name), residue->number, insertion);
}

/* Over time where every frame has one, else over the frames' numbers. */
static gboolean
has_times(const DebyeMapResidueCourses *self)
{
  for (gsize i = 0; i < self->n_frames; i++)
    if (self->is_solved[i] && !isfinite(self->times[i]))
      return FALSE;
  return TRUE;
}

/* Those of the frames that were solved. */
static GArray *
collect(const DebyeMapResidueCourses *self, const double *values, double scale)
{
  GArray *found = g_array_new(FALSE, FALSE, sizeof *values);
  for (gsize i = 0; i < self->n_frames; i++) {
    const double value = scale * values[i];
    if (self->is_solved[i])
      g_array_append_val(found, value);
  }
  return found;
}

void
debye_map_residue_courses_add_curves(const DebyeMapResidueCourses *self, double unit, DebyeResult *result)
{
  const gboolean in_time = has_times(self);
  const DebyeQuantity potential = {"environment_course", N_("potential of the surroundings over time"),
                                   debye_potential_unit_name(self->plan->settings.unit)};
  g_autoptr(GArray) over = collect(self, in_time ? self->times : self->numbers, 1.0);
  for (guint i = 0; i < self->residues->len; i++) {
    g_autofree char *name = name_residue(self, g_array_index(self->residues, guint32, i));
    g_autoptr(GArray) values = collect(self, self->values + i * self->n_frames, unit);
    g_autoptr(DebyeCurve) curve = debye_curve_new(
        name, in_time ? &time_quantity : &frame_quantity, &potential,
        values->len == 1 ? DEBYE_CURVE_MARKERS : DEBYE_CURVE_LINE, values->len,
        (const double *)(gconstpointer)over->data, (const double *)(gconstpointer)values->data, NULL);
    debye_result_add_curve(result, curve);
  }
}
