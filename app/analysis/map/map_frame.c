/* SPDX-License-Identifier: MIT */
/* Prepares a frame's charges and cell for the potential's kernels; called by all runs of maps. */
#include "map_frame.h"

#include <math.h>

#include "data/files/error.h"
#include "data/trajectory/kept_frames.h"
#include "app/analysis/driver/packed_choice.h"

/* --- What is common --- */

static gboolean
needs_gathering(const DebyeMapPlan *plan)
{
  gsize n_atoms = debye_topology_get_n_atoms(plan->topology);
  const float *charges = debye_topology_get_charges(plan->topology);
  if (plan->atoms->len < n_atoms || debye_selection_is_dynamic(plan->selection))
    return TRUE;
  for (gsize i = 0; i < n_atoms; i++)
    if (charges[i] == 0.0f)
      return TRUE;
  return FALSE;
}

gboolean
debye_map_frames_init(DebyeMapFrames *frames, const DebyeMapPlan *plan, GError **error)
{
  *frames = (DebyeMapFrames){.plan = plan, .gathers = needs_gathering(plan)};
  if (debye_map_plan_moves_frames(plan))
    frames->edit = debye_map_plan_new_edit(plan, error);
  return frames->edit != NULL || !debye_map_plan_moves_frames(plan);
}

void
debye_map_frames_clear(DebyeMapFrames *frames)
{
  g_clear_pointer(&frames->edit, debye_frame_edit_free);
  g_clear_pointer(&frames->own_chosen, g_free);
  g_clear_pointer(&frames->own_charge, g_free);
}

/* An open axis of multilevel summation needs to know how far the atoms reach; direct sums take so long that nothing is gained. */
static gboolean
sums_packed(const DebyePotentialSettings *potential)
{
  return potential->method == DEBYE_POTENTIAL_CUTOFF || potential->method == DEBYE_POTENTIAL_EWALD ||
         (potential->method == DEBYE_POTENTIAL_MULTILEVEL && potential->periodic == DEBYE_PERIODIC_ALL);
}

/* FALSE where one is no number, which is said when it is summed. */
static gboolean
take_charges(DebyeMapFrames *frames, DebyePackedAtoms *packed)
{
  const GArray *atoms = frames->plan->atoms;
  const float *charge = debye_topology_get_charges(frames->plan->topology);
  frames->own_chosen = g_new(guint32, MAX(atoms->len, 1));
  frames->own_charge = g_new(float, MAX(atoms->len, 1));
  for (guint i = 0; i < atoms->len; i++) {
    const guint32 atom = g_array_index(atoms, guint32, i);
    if (!isfinite(charge[atom]))
      return FALSE;
    if (charge[atom] == 0.0f)
      continue;
    frames->own_chosen[packed->n_chosen] = atom;
    frames->own_charge[packed->n_chosen++] = charge[atom];
  }
  packed->chosen = frames->gathers ? frames->own_chosen : NULL;
  return packed->n_chosen > 0;
}

void
debye_map_frames_choose_packed(DebyeMapFrames *frames, const DebyeDeviceEntry *const *devices,
                               gsize n_devices)
{
  const DebyeMapPlan *plan = frames->plan;
  DebyePackedAtoms packed = {.n_atoms = debye_topology_get_n_atoms(plan->topology)};
  /* With a limit on memory nothing is taken that only saves time. */
  if (frames->edit != NULL || plan->radii != NULL || plan->memory_limit > 0 ||
      debye_selection_is_dynamic(plan->selection) || !sums_packed(&plan->potential) ||
      !debye_packed_choice(plan->frames.trajectory, plan->atoms->len, devices, n_devices) ||
      !take_charges(frames, &packed))
    return;
  frames->packed = packed;
  frames->packed_charge = frames->own_charge;
}

gboolean
debye_map_frames_can_use(const DebyeMapFrames *frames, const DebyeFrame *frame)
{
  const DebyeMapPlan *plan = frames->plan;
  if (debye_selection_is_dynamic(plan->selection))
    return FALSE;
  for (guint i = 0; i < plan->atoms->len; i++) {
    guint32 atom = g_array_index(plan->atoms, guint32, i);
    if (!isfinite(frame->x[atom]) || !isfinite(frame->y[atom]) || !isfinite(frame->z[atom]))
      return FALSE;
  }
  return TRUE;
}

/* A selection that follows the atoms may choose more of them in a later frame. */
static gsize
max_gathered(const DebyeMapFrames *frames)
{
  if (!frames->gathers)
    return 0;
  return debye_selection_is_dynamic(frames->plan->selection)
             ? debye_topology_get_n_atoms(frames->plan->topology)
             : frames->plan->atoms->len;
}

gsize
debye_map_frames_bytes(const DebyeMapFrames *frames)
{
  gsize moved = frames->edit != NULL ? 3 * debye_topology_get_n_atoms(frames->plan->topology) : 0;
  return (5 * max_gathered(frames) + moved) * sizeof(float);
}

/* --- One frame --- */

gboolean
debye_map_frame_init(DebyeMapFrame *self, const DebyeMapFrames *frames, GError **error)
{
  gsize n = max_gathered(frames);
  *self = (DebyeMapFrame){0};
  if (n == 0)
    return TRUE;
  self->x = g_try_new(float, n);
  self->y = g_try_new(float, n);
  self->z = g_try_new(float, n);
  self->charge = g_try_new(float, n);
  self->own_radius = g_try_new(float, n);
  if (self->x != NULL && self->y != NULL && self->z != NULL && self->charge != NULL &&
      self->own_radius != NULL)
    return TRUE;
  debye_map_frame_clear(self);
  return debye_error_set_about(error, DEBYE_ERROR_MEMORY, "Atoms",
                               "no memory for the charges of %" G_GSIZE_FORMAT " atoms", n);
}

void
debye_map_frame_let_go(DebyeMapFrame *self)
{
  g_clear_pointer(&self->frame, debye_frame_unref);
}

void
debye_map_frame_clear(DebyeMapFrame *self)
{
  debye_map_frame_let_go(self);
  g_clear_pointer(&self->x, g_free);
  g_clear_pointer(&self->y, g_free);
  g_clear_pointer(&self->z, g_free);
  g_clear_pointer(&self->charge, g_free);
  g_clear_pointer(&self->own_radius, g_free);
}

/* Each frame's own cell. */
static gboolean
check_cell(const DebyeMapFrames *frames, const DebyeFrame *frame, GError **error)
{
  if (frames->plan->potential.periodic == DEBYE_PERIODIC_NONE ||
      (frame->has_cell && debye_cell_is_valid(&frame->cell)))
    return TRUE;
  return debye_error_set_about(
      error, DEBYE_ERROR_MISSING, "Frames",
      "frame %" G_GSIZE_FORMAT " has no cell with a volume, expected one for periodic images", frame->index);
}

/* A copy, superposed and centred: the stream's frame is read by others. */
static DebyeFrame *
move_frame(const DebyeMapFrames *frames, const DebyeFrame *frame, GError **error)
{
  g_autoptr(DebyeFrame) moved = debye_frame_copy(frame);
  if (moved == NULL) {
    debye_error_set_about(error, DEBYE_ERROR_MEMORY, "Superpose", "no memory for a frame's copy");
    return NULL;
  }
  return debye_frame_edit_apply(frames->edit, moved, error) ? g_steal_pointer(&moved) : NULL;
}

gboolean
debye_map_frames_skip(DebyeMapFrames *frames, gsize n_frames, GError **error)
{
  const DebyeFrameChoice *choice = &frames->plan->frames;
  for (gsize i = 0; i < n_frames && frames->edit != NULL && frames->plan->reference.frame == NULL; i++) {
    const gsize number = choice->range.first + choice->range.step * i;
    g_autoptr(DebyeFrame) frame = debye_trajectory_get_frame(choice->trajectory, number, error);
    if (frame == NULL)
      return FALSE;
    if (frame->n_bad > 0 && !debye_map_frames_can_use(frames, frame))
      continue;
    g_autoptr(DebyeFrame) moved = move_frame(frames, frame, error);
    return moved != NULL;
  }
  return TRUE;
}

/* The frame's own arrays where every atom counts, else copies of those that do. */
static void
gather(DebyeMapFrame *self, const DebyeMapFrames *frames, const GArray *atoms)
{
  const DebyeFrame *frame = self->frame;
  const float *charge = debye_topology_get_charges(frames->plan->topology);
  if (frame->is_packed) {
    self->view.packed = frame->packed;
    self->view.charges = (DebyeCharges){.charge = frames->packed_charge, .n = frames->packed.n_chosen};
    return;
  }
  self->view.packed = NULL;
  const float *radii = frames->plan->radii != NULL ? (const float *)frames->plan->radii->data : NULL;
  self->radius = frames->gathers ? self->own_radius : radii;
  if (!frames->gathers) {
    self->view.charges =
        (DebyeCharges){.x = frame->x, .y = frame->y, .z = frame->z, .charge = charge, .n = frame->n_atoms};
    return;
  }
  gsize n = 0;
  for (guint i = 0; i < atoms->len; i++) {
    guint32 atom = g_array_index(atoms, guint32, i);
    if (charge[atom] == 0.0f && radii == NULL)
      continue;
    self->own_radius[n] = radii != NULL ? radii[atom] : 0.0f;
    self->x[n] = frame->x[atom];
    self->y[n] = frame->y[atom];
    self->z[n] = frame->z[atom];
    self->charge[n++] = charge[atom];
  }
  self->view.charges =
      (DebyeCharges){.x = self->x, .y = self->y, .z = self->z, .charge = self->charge, .n = n};
}

gboolean
debye_map_frame_set(DebyeMapFrame *self, const DebyeMapFrames *frames, const DebyeFrame *frame,
                    GError **error)
{
  const DebyeMapPlan *plan = frames->plan;
  g_autoptr(GArray) chosen = NULL;
  debye_map_frame_let_go(self);
  if (!check_cell(frames, frame, error))
    return FALSE;
  self->frame =
      frames->edit != NULL ? move_frame(frames, frame, error) : debye_frame_ref((DebyeFrame *)frame);
  if (self->frame == NULL)
    return FALSE;
  if (debye_selection_is_dynamic(plan->selection)) {
    chosen = debye_selection_evaluate(plan->selection, plan->topology, self->frame, error);
    if (chosen == NULL)
      return FALSE;
  }
  gather(self, frames, chosen != NULL ? chosen : plan->atoms);
  self->view.cell = plan->potential.periodic != DEBYE_PERIODIC_NONE ? &self->frame->cell : NULL;
  return TRUE;
}
