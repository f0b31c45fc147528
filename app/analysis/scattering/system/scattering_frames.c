/* SPDX-License-Identifier: MIT */
/* Unwraps, superposes and moves frames before they scatter; called by scattering_run.c and
 * intermediate_scattering.c. */
#include "scattering_frames.h"

#include <math.h>

#include "data/files/error.h"
#include "data/messages/message.h"
#include "data/molecule/periodic.h"
#include "app/analysis/driver/frame_loop.h"
#include "app/analysis/driver/frame_times.h"
#include "app/analysis/driver/packed_choice.h"
#include "scattering_motion.h"
#include "app/analysis/driver/superpose_choice.h"
#include "app/analysis/driver/superpose_reference.h"

struct _DebyeScatteringFrames {
  DebyeTopology *topology;
  const DebyeScatterers *scatterers;
  DebyeFrameRange range;        /* of the plan */
  gboolean unwraps, may_unwrap; /* asked for; not said, and there is a cell */
  DebyeFrameEditOptions options;
  DebyeSuperposeChoice superpose;
  DebyeSuperposeReference reference;       /* of the options */
  const DebyeScatteringSettings *settings; /* of the plan */
  DebyeFrameEdit *edit;                    /* NULL: nothing to be done */
  DebyeScatteringMotions *motions;         /* or NULL */
  gsize first_missed;                      /* frame without places of atoms that scatter; G_MAXSIZE: none */
  gsize n_anew, first_anew;                /* where the clock begins anew … */
  double step;                             /* … and frames go on so many ps apart */
};

static gboolean
parse_selection(const char *text, DebyeSelection **selection, GError **error)
{
  if (text == NULL || text[0] == '\0')
    return TRUE;
  *selection = debye_selection_parse(text, NULL, error);
  return *selection != NULL;
}

gboolean
debye_scattering_frames_unwraps(const DebyeScatteringFrames *frames, gboolean follows_atoms)
{
  return frames->unwraps || (follows_atoms && frames->may_unwrap);
}

gboolean
debye_scattering_frames_begin(DebyeScatteringFrames *frames, gboolean follows_atoms, GError **error)
{
  DebyeFrameEditOptions *options = &frames->options;
  options->unwrap = debye_scattering_frames_unwraps(frames, follows_atoms);
  frames->n_anew = 0;
  g_clear_pointer(&frames->edit, debye_frame_edit_free);
  if (frames->motions != NULL)
    debye_scattering_motions_begin(frames->motions);
  if (!options->unwrap && options->center == NULL && options->superpose == NULL)
    return TRUE;
  frames->edit = debye_frame_edit_new(frames->topology, options, error);
  return frames->edit != NULL;
}

static gboolean
choose_superposing(DebyeScatteringFrames *frames, const DebyeFrame *first, GError **error)
{
  if (!debye_superpose_choice_init(&frames->superpose, &frames->settings->superposing, frames->topology,
                                   first, error)) {
    debye_error_name_setting(error, debye_setting_table_find(&debye_scattering_settings, "superpose")->label);
    return FALSE;
  }
  frames->options.superpose = frames->superpose.selection;
  frames->options.by_mass = frames->superpose.by_mass;
  return TRUE;
}

static gboolean
take_reference(DebyeScatteringFrames *frames, DebyeDataset *dataset, GError **error)
{
  if (!debye_superpose_reference_read(dataset, frames->settings->superposing.reference,
                                      frames->options.superpose, &frames->reference, error))
    return FALSE;
  frames->options.reference = frames->reference.frame;
  frames->options.edits_reference = frames->reference.is_own;
  return TRUE;
}

DebyeScatteringFrames *
debye_scattering_frames_new(const DebyeScatteringPlan *plan, DebyeDataset *dataset, GError **error)
{
  g_autoptr(DebyeScatteringFrames) frames = g_new0(DebyeScatteringFrames, 1);
  frames->topology = plan->topology;
  frames->scatterers = &plan->scatterers;
  frames->first_missed = G_MAXSIZE;
  frames->settings = &plan->settings;
  frames->range = plan->frames.range;
  frames->unwraps = plan->is_periodic && plan->settings.has_unwrap && plan->settings.unwrap;
  frames->may_unwrap = plan->is_periodic && !plan->settings.has_unwrap;
  if (!parse_selection(plan->settings.center, &frames->options.center, error) ||
      !choose_superposing(frames, plan->frames.first, error) || !take_reference(frames, dataset, error) ||
      !debye_scattering_motions_new(&plan->settings, plan->topology, plan->frames.first, &frames->motions,
                                    error) ||
      !debye_scattering_frames_begin(frames, FALSE, error))
    return NULL;
  return g_steal_pointer(&frames);
}

void
debye_scattering_frames_free(DebyeScatteringFrames *frames)
{
  g_clear_pointer(&frames->edit, debye_frame_edit_free);
  g_clear_pointer(&frames->motions, debye_scattering_motions_free);
  g_clear_pointer(&frames->options.center, debye_selection_unref);
  debye_superpose_choice_clear(&frames->superpose);
  g_clear_pointer(&frames->reference.frame, debye_frame_unref);
  g_free(frames);
}

/* A copy without added motions, whose steps are those of chosen frames. */
static DebyeFrame *
edit_frame(DebyeScatteringFrames *frames, const DebyeFrame *frame, GError **error)
{
  g_autoptr(DebyeFrame) copy = debye_frame_copy(frame);
  if (copy == NULL) {
    debye_error_set(error, DEBYE_ERROR_MEMORY, "no memory for a frame of %" G_GSIZE_FORMAT " atoms",
                    frame->n_atoms);
    return NULL;
  }
  if (frames->edit != NULL && !debye_frame_edit_apply(frames->edit, copy, error))
    return NULL;
  return g_steal_pointer(&copy);
}

DebyeFrame *
debye_scattering_frames_prepare(DebyeScatteringFrames *frames, const DebyeFrame *frame, GError **error)
{
  if (frames->edit == NULL && frames->motions == NULL)
    return debye_frame_ref((DebyeFrame *)frame);
  DebyeFrame *copy = edit_frame(frames, frame, error);
  if (copy != NULL && frames->motions != NULL)
    debye_scattering_motions_apply(frames->motions, copy);
  return copy;
}

void
debye_scattering_frames_extend(const DebyeScatteringFrames *frames, DebyeFrameRange *range, gsize n_seen)
{
  if (frames->edit != NULL || frames->motions != NULL)
    range->first = frames->range.first + frames->range.step * n_seen;
  if (!frames->options.unwrap)
    return;
  if (n_seen > 0)
    range->first -= frames->range.step - 1;
  range->step = 1;
}

gboolean
debye_scattering_frames_leave_out(const DebyeScatteringFrames *frames, const DebyeFrame *frame)
{
  return (frame->index - frames->range.first) % frames->range.step != 0;
}

gboolean
debye_scattering_frames_has_positions(DebyeScatteringFrames *frames, const DebyeFrame *frame)
{
  for (guint s = 0; frame->n_bad > 0 && s < frames->scatterers->species->len; s++) {
    const GArray *atoms = debye_scatterers_get(frames->scatterers, s)->atoms;
    for (guint i = 0; i < atoms->len; i++)
      if (!debye_vec3_is_finite(debye_frame_get_position(frame, g_array_index(atoms, guint32, i)))) {
        frames->first_missed = MIN(frames->first_missed, frame->index);
        return FALSE;
      }
  }
  return TRUE;
}

void
debye_scattering_frames_begin_anew(DebyeScatteringFrames *frames, const DebyeFrame *frame, double step)
{
  frames->step = step;
  if (frames->n_anew++ == 0)
    frames->first_anew = frame->index;
}

void
debye_scattering_frames_add_notes(const DebyeScatteringFrames *frames, DebyeResult *result)
{
  char step[G_ASCII_DTOSTR_BUF_SIZE];
  if (frames->n_anew > 0)
    debye_result_add_note(result, DEBYE_NOTE_CLOCK, frames->n_anew, frames->first_anew,
                          g_ascii_formatd(step, sizeof step, "%.6g", frames->step));
  debye_superpose_choice_add_note(&frames->superpose, &frames->settings->superposing, result);
  if (frames->options.unwrap && frames->first_missed < G_MAXSIZE)
    debye_result_add_note_of(result, DEBYE_NOTE_WARNING, NULL,
                             "molecules are followed past frame %" G_GSIZE_FORMAT
                             ", in which chosen atoms have NaN or infinite coordinates: a move by more than "
                             "half the cell meanwhile is taken for one in the opposite direction",
                             frames->first_missed);
}

gboolean
debye_scattering_frames_follow(DebyeScatteringFrames *frames, const DebyeFrame *frame, GError **error)
{
  debye_scattering_frames_has_positions(frames, frame);
  g_autoptr(DebyeFrame) copy = edit_frame(frames, frame, error);
  return copy != NULL;
}

gboolean
debye_scattering_frames_may_be_packed(const DebyeScatteringFrames *frames, const DebyeScatteringPlan *plan,
                                      const DebyeDeviceEntry *const *devices, gsize n_devices)
{
  const gboolean are_changed = frames->unwraps || frames->options.center != NULL ||
                               frames->options.superpose != NULL || frames->motions != NULL;
  return !are_changed && !plan->corrects_box && plan->memory_limit == 0 &&
         debye_packed_choice(plan->frames.trajectory, plan->scatterers.n_atoms, devices, n_devices);
}

/* --- Cells --- */

gboolean
debye_scattering_check_cell(const DebyeScatteringPlan *plan, const DebyeFrame *frame, GError **error)
{
  if (!plan->is_periodic || (frame->has_cell && debye_cell_is_valid(&frame->cell)))
    return TRUE;
  return debye_error_set_about(error, DEBYE_ERROR_MISSING, "Frames",
                               "frame %" G_GSIZE_FORMAT " has no cell with a volume, frame %" G_GSIZE_FORMAT
                               " has one: expected one in every frame",
                               frame->index, plan->frames.first->index);
}

typedef struct {
  const DebyeScatteringPlan *plan;
  const DebyeRunCallbacks *callbacks;
  double share; /* of the run that they are */
  gsize n_done;
  double sum; /* Å³ */
} Cells;

static gboolean
any_frame_is_usable(const DebyeFrame *frame, gpointer data)
{
  (void)frame;
  (void)data;
  return TRUE;
}

static gboolean
add_cell(const DebyeFrame *frame, gpointer data, GError **error)
{
  Cells *cells = data;
  if (!debye_scattering_check_cell(cells->plan, frame, error))
    return FALSE;
  cells->sum += fabs(debye_cell_volume(&frame->cell));
  cells->n_done++;
  if (cells->callbacks != NULL && cells->callbacks->progress != NULL) {
    g_autofree char *message = debye_say("frame %" G_GSIZE_FORMAT " of %" G_GSIZE_FORMAT, cells->n_done,
                                         cells->plan->frames.n_frames);
    cells->callbacks->progress(cells->share * (double)cells->n_done / (double)cells->plan->frames.n_frames,
                               message, cells->callbacks->data);
  }
  return TRUE;
}

gboolean
debye_scattering_mean_volume(const DebyeScatteringPlan *plan, const DebyeRunCallbacks *callbacks,
                             double share, double *volume, GError **error)
{
  Cells cells = {.plan = plan, .callbacks = callbacks, .share = share};
  g_auto(DebyeFrameLoopReport) report = {0};
  const DebyeFrameLoop loop = {.trajectory = plan->frames.trajectory,
                               .range = plan->frames.range,
                               .cancel = callbacks != NULL ? callbacks->cancel : NULL,
                               .data = &cells,
                               .usable = any_frame_is_usable,
                               .work = add_cell};
  if (!debye_frame_loop_run(&loop, &report, error))
    return FALSE;
  if (report.cancelled)
    return debye_error_set(error, DEBYE_ERROR_STOPPED, "stopped before anything was finished");
  *volume = cells.sum / (double)cells.n_done;
  return TRUE;
}
