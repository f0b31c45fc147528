/* SPDX-License-Identifier: MIT */
/* Superposes frames for pictures; called by the window, its movies, sessions and debye-cli render. */
#include "alignment.h"

#include <string.h>

#include "data/files/error.h"
#include "data/trajectory/frame_stream.h"
#include "superpose_choice.h"
#include "superpose_reference.h"

void
debye_alignment_clear(DebyeAlignment *alignment)
{
  g_free(alignment->atoms);
  g_free(alignment->reference);
  *alignment = (DebyeAlignment){0};
}

void
debye_alignment_copy(DebyeAlignment *alignment, const DebyeAlignment *other)
{
  *alignment = (DebyeAlignment){g_strdup(other->atoms), g_strdup(other->reference), other->by_mass};
}

gboolean
debye_alignment_equal(const DebyeAlignment *alignment, const DebyeAlignment *other)
{
  return g_strcmp0(alignment->atoms, other->atoms) == 0 &&
         g_strcmp0(alignment->reference, other->reference) == 0 && alignment->by_mass == other->by_mass;
}

/* --- Of a request --- */

/* The first frame that was used, by its number in the trajectory. */
static char *
name_reference(DebyeRequest *request, gsize n_frames)
{
  const char *text = debye_request_find(request, "reference");
  DebyeFrameRange range;
  if (text != NULL && *text != '\0' && strcmp(text, "first") != 0)
    return g_strdup(text);
  return debye_frame_range_parse(debye_request_get(request, "frames"), n_frames, &range, NULL)
             ? g_strdup_printf("frame:%" G_GSIZE_FORMAT, range.first)
             : g_strdup("first");
}

/* What frames were superposed by; of densities that is their reference, where it isn't one of many. */
static const DebyeSetting *
find_superposing(DebyeRequest *request)
{
  const DebyeSettingTable *table = debye_request_get_table(request);
  const DebyeSetting *about = debye_setting_table_find(table, "about");
  const char *copies = debye_request_find(request, "copies");
  if (about == NULL || copies == NULL)
    return debye_setting_table_find(table, "superpose");
  return g_str_equal(copies, "true") ? NULL : about;
}

void
debye_alignment_init_of_request(DebyeAlignment *alignment, DebyeRequest *request, gsize n_frames)
{
  const DebyeSetting *setting = find_superposing(request);
  const char *kept = setting != NULL ? debye_request_get_kept(request, setting) : NULL;
  const char *text = kept != NULL      ? kept
                     : setting != NULL ? debye_request_get_effective(request, setting)
                                       : NULL;
  *alignment = (DebyeAlignment){0};
  /* A centred map lies in another frame than its reference. */
  if (text == NULL || *text == '\0' || g_ascii_strcasecmp(text, DEBYE_SUPERPOSE_NONE) == 0 ||
      debye_request_is_set(request, "center"))
    return;
  *alignment = (DebyeAlignment){
      .atoms = g_strdup(text),
      .reference = name_reference(request, n_frames),
      .by_mass = g_strcmp0(debye_request_find(request, "superpose-weights"), "mass") == 0,
  };
}

/* --- Of frames --- */

static gboolean
read_reference(const DebyeAlignment *alignment, DebyeDataset *dataset, DebyeSelection *atoms,
               DebyeSuperposeReference *reference, GError **error)
{
  const gboolean is_first = alignment->reference == NULL || strcmp(alignment->reference, "first") == 0;
  return debye_superpose_reference_read(dataset, is_first ? "frame:0" : alignment->reference, atoms,
                                        reference, error);
}

DebyeFrameEdit *
debye_alignment_new_edit(const DebyeAlignment *alignment, DebyeDataset *dataset, GError **error)
{
  DebyeTopology *topology = debye_dataset_get_topology(dataset);
  DebyeSuperposeReference reference;
  g_autoptr(DebyeSelection) atoms = debye_selection_parse(alignment->atoms, NULL, error);
  if (atoms == NULL || !read_reference(alignment, dataset, atoms, &reference, error))
    return NULL;
  g_autoptr(DebyeFrame) frame = reference.frame;
  if (debye_superpose_find_obstacle(alignment->atoms, topology, frame) != NULL)
    return NULL;
  const DebyeFrameEditOptions options = {.superpose = atoms,
                                         .by_mass = alignment->by_mass,
                                         .gather = TRUE,
                                         .reference = frame,
                                         .edits_reference = reference.is_own};
  return debye_frame_edit_new(topology, &options, error);
}

DebyeFrame *
debye_alignment_apply(DebyeFrameEdit *edit, const DebyeFrame *frame, GError **error)
{
  g_autoptr(DebyeFrame) copy = debye_frame_copy(frame);
  if (copy == NULL) {
    debye_error_set_memory(error, NULL, frame->n_atoms, "atoms of one more frame");
    return NULL;
  }
  return debye_frame_edit_apply(edit, copy, error) ? g_steal_pointer(&copy) : NULL;
}
