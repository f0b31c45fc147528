/* SPDX-License-Identifier: MIT */
/* Editing frames before they scatter, see scattering_frames.h. */
#include "scattering_frames.h"

#include "data/error.h"
#include "scattering_motion.h"

struct _DebyeScatteringFrames {
  DebyeTopology *topology;
  DebyeFrameEditOptions options;
  DebyeFrameEdit *edit;            /* NULL: nothing to be done */
  DebyeScatteringMotions *motions; /* or NULL */
};

static gboolean
parse_selection(DebyeRequest *request, const char *key, DebyeSelection **selection, GError **error)
{
  const char *text = debye_request_get(request, key);
  if (text == NULL || text[0] == '\0')
    return TRUE;
  *selection = debye_selection_parse(text, NULL, error);
  return *selection != NULL;
}

gboolean
debye_scattering_frames_begin(DebyeScatteringFrames *frames, GError **error)
{
  const DebyeFrameEditOptions *options = &frames->options;
  g_clear_pointer(&frames->edit, debye_frame_edit_free);
  if (frames->motions != NULL)
    debye_scattering_motions_begin(frames->motions);
  if (!options->unwrap && options->center == NULL && options->superpose == NULL)
    return TRUE;
  frames->edit = debye_frame_edit_new(frames->topology, options, error);
  return frames->edit != NULL;
}

DebyeScatteringFrames *
debye_scattering_frames_new(const DebyeScatteringPlan *plan, DebyeRequest *request, gboolean follows_atoms,
                            GError **error)
{
  g_autoptr(DebyeScatteringFrames) frames = g_new0(DebyeScatteringFrames, 1);
  frames->topology = plan->topology;
  frames->options.unwrap = plan->is_periodic && (debye_request_is_set(request, "unwrap")
                                                     ? debye_request_get_boolean(request, "unwrap")
                                                     : follows_atoms);
  if (!parse_selection(request, "center", &frames->options.center, error) ||
      !parse_selection(request, "superpose", &frames->options.superpose, error) ||
      !debye_scattering_motions_new(request, plan->topology, plan->frames.first, &frames->motions, error) ||
      !debye_scattering_frames_begin(frames, error))
    return NULL;
  return g_steal_pointer(&frames);
}

void
debye_scattering_frames_free(DebyeScatteringFrames *frames)
{
  g_clear_pointer(&frames->edit, debye_frame_edit_free);
  g_clear_pointer(&frames->motions, debye_scattering_motions_free);
  g_clear_pointer(&frames->options.center, debye_selection_unref);
  g_clear_pointer(&frames->options.superpose, debye_selection_unref);
  g_free(frames);
}

DebyeFrame *
debye_scattering_frames_prepare(DebyeScatteringFrames *frames, const DebyeFrame *frame, GError **error)
{
  if (frames->edit == NULL && frames->motions == NULL)
    return debye_frame_ref((DebyeFrame *)frame);
  g_autoptr(DebyeFrame) copy = debye_frame_copy(frame);
  if (copy == NULL) {
    g_set_error(error, DEBYE_ERROR, DEBYE_ERROR_MEMORY, "no memory for a frame of %" G_GSIZE_FORMAT " atoms",
                frame->n_atoms);
    return NULL;
  }
  if (frames->edit != NULL && !debye_frame_edit_apply(frames->edit, copy, error))
    return NULL;
  if (frames->motions != NULL)
    debye_scattering_motions_apply(frames->motions, copy);
  return g_steal_pointer(&copy);
}

gboolean
debye_scattering_frames_changes(const DebyeScatteringFrames *frames)
{
  return frames->edit != NULL || frames->motions != NULL;
}

gboolean
debye_scattering_frames_unwraps(const DebyeScatteringFrames *frames)
{
  return frames->options.unwrap;
}
