/* SPDX-License-Identifier: MIT */
/* Reads the frame that others are superposed on; called by maps, scattering and debye-cli export. */
#include "superpose_reference.h"

#include "data/messages/message.h"
#include "data/tables/elements.h"
#include "data/files/error.h"
#include "data/trajectory/frame_edit.h"
#include "data/trajectory/frame_stream.h"

#define LABEL "Reference"

static DebyeFrame *
create_frame(gsize n_atoms, GError **error)
{
  DebyeFrame *frame = debye_frame_new(n_atoms);
  if (frame == NULL)
    debye_error_set_memory(error, LABEL, n_atoms, "atoms of one more frame");
  return frame;
}

static DebyeFrame *
read_frame(DebyeDataset *dataset, gsize index, GError **error)
{
  DebyeTrajectory *trajectory = debye_dataset_get_trajectory(dataset);
  if (trajectory == NULL) {
    debye_error_set_about(error, DEBYE_ERROR_MISSING, LABEL, "expected coordinates in %s, found none",
                          debye_dataset_get_name(dataset));
    return NULL;
  }
  g_autoptr(DebyeTrajectoryReader) reader = debye_trajectory_reader_new(trajectory, error);
  g_autoptr(DebyeFrame) frame =
      reader != NULL ? create_frame(debye_trajectory_get_n_atoms(trajectory), error) : NULL;
  if (frame == NULL || !debye_trajectory_reader_read(reader, index, frame, error))
    return NULL;
  return g_steal_pointer(&frame);
}

/* A molecule that the cell cuts has another shape than the one that is laid on it. */
static gboolean
make_whole(DebyeTopology *topology, DebyeFrame *frame, GError **error)
{
  if (!frame->has_cell || !debye_cell_is_valid(&frame->cell))
    return TRUE;
  const DebyeFrameEditOptions options = {.whole = TRUE};
  g_autoptr(DebyeFrameEdit) edit = debye_frame_edit_new(topology, &options, error);
  return edit != NULL && debye_frame_edit_apply(edit, frame, error);
}

static DebyeFrame *
read_own(DebyeDataset *dataset, const char *text, GError **error)
{
  DebyeTrajectory *trajectory = debye_dataset_get_trajectory(dataset);
  const gsize n_frames = trajectory != NULL ? debye_trajectory_get_n_frames(trajectory) : 0;
  DebyeFrameRange range;
  gint64 number;
  if (!g_ascii_string_to_signed(text, 10, G_MININT64, G_MAXINT64, &number, NULL)) {
    debye_error_set_about(error, DEBYE_ERROR_SETTING, LABEL, "expected the number of one frame, found “%s”",
                          text);
    return NULL;
  }
  if (!debye_frame_range_parse(text, n_frames, &range, error)) {
    debye_error_name_setting(error, LABEL);
    return NULL;
  }
  return read_frame(dataset, range.first, error);
}

/* --- Another structure --- */

static GArray *
choose(DebyeSelection *selection, DebyeDataset *dataset, const DebyeFrame *frame, GError **error)
{
  return debye_selection_evaluate(selection, debye_dataset_get_topology(dataset), frame, error);
}

/* Which atom lies on which goes by their order alone. */
static gboolean
check_elements(DebyeDataset *dataset, const GArray *atoms, DebyeDataset *other, const GArray *others,
               GError **error)
{
  const guint8 *elements = debye_topology_get_elements(debye_dataset_get_topology(dataset));
  const guint8 *other_elements = debye_topology_get_elements(debye_dataset_get_topology(other));
  for (guint i = 0; i < atoms->len; i++) {
    const guint8 here = elements[g_array_index(atoms, guint32, i)];
    const guint8 there = other_elements[g_array_index(others, guint32, i)];
    if (here != there && here != 0 && there != 0)
      return debye_error_set_about(error, DEBYE_ERROR_MISMATCH, LABEL,
                                   "%s: expected the same atoms as in %s, found %s for %s as chosen atom %u",
                                   debye_dataset_get_name(other), debye_dataset_get_name(dataset),
                                   debye_element_get(there)->symbol, debye_element_get(here)->symbol, i);
  }
  return TRUE;
}

/* The chosen atoms alone count: all others stay at the origin. */
static DebyeFrame *
spread(DebyeDataset *dataset, const GArray *atoms, const DebyeFrame *frame, const GArray *others,
       GError **error)
{
  g_autoptr(DebyeFrame) spread =
      create_frame(debye_topology_get_n_atoms(debye_dataset_get_topology(dataset)), error);
  if (spread == NULL)
    return NULL;
  for (gsize i = 0; i < spread->n_atoms; i++)
    spread->x[i] = spread->y[i] = spread->z[i] = 0.0f;
  for (guint i = 0; i < atoms->len; i++) {
    const guint32 to = g_array_index(atoms, guint32, i), from = g_array_index(others, guint32, i);
    spread->x[to] = frame->x[from];
    spread->y[to] = frame->y[from];
    spread->z[to] = frame->z[from];
  }
  return g_steal_pointer(&spread);
}

static DebyeFrame *
read_other(DebyeDataset *dataset, const char *path, DebyeSelection *superpose, GError **error)
{
  g_autoptr(DebyeDataset) other = debye_dataset_open((const char *const[]){path, NULL}, NULL, NULL, error);
  g_autoptr(DebyeFrame) frame = other != NULL ? read_frame(other, 0, error) : NULL;
  if (frame == NULL || !make_whole(debye_dataset_get_topology(other), frame, error))
    return NULL;
  const gboolean as_many = frame->n_atoms == debye_topology_get_n_atoms(debye_dataset_get_topology(dataset));
  if (debye_selection_is_dynamic(superpose) && as_many)
    return g_steal_pointer(&frame);
  if (debye_selection_is_dynamic(superpose)) {
    debye_error_set_about(
        error, DEBYE_ERROR_MISMATCH, LABEL,
        "%s: expected as many atoms as in %s, since “%s” depends on positions, found %" G_GSIZE_FORMAT, path,
        debye_dataset_get_name(dataset), debye_selection_get_text(superpose), frame->n_atoms);
    return NULL;
  }
  g_autoptr(GArray) atoms = choose(superpose, dataset, NULL, error);
  g_autoptr(GArray) others = atoms == NULL ? NULL
                             : as_many     ? g_array_ref(atoms)
                                           : choose(superpose, other, frame, error);
  if (others == NULL)
    return NULL;
  if (others->len != atoms->len) {
    debye_error_set_about(error, DEBYE_ERROR_MISMATCH, LABEL,
                          "%s: expected %u atoms for “%s”, as in %s, found %u", path, atoms->len,
                          debye_selection_get_text(superpose), debye_dataset_get_name(dataset), others->len);
    return NULL;
  }
  return check_elements(dataset, atoms, other, others, error) ? spread(dataset, atoms, frame, others, error)
                                                              : NULL;
}

/* --- The setting --- */

gboolean
debye_superpose_reference_read(DebyeDataset *dataset, const char *text, DebyeSelection *superpose,
                               DebyeSuperposeReference *reference, GError **error)
{
  *reference = (DebyeSuperposeReference){0};
  if (text == NULL || text[0] == '\0' || strcmp(text, "first") == 0)
    return TRUE;
  if (superpose == NULL)
    return debye_error_set_about(error, DEBYE_ERROR_SETTING, LABEL,
                                 "expected atoms to superpose, found none (superpose)");
  reference->is_own = g_str_has_prefix(text, "frame:");
  if (reference->is_own)
    reference->frame = read_own(dataset, text + strlen("frame:"), error);
  else if (g_str_has_prefix(text, "file:") && text[strlen("file:")] != '\0')
    reference->frame = read_other(dataset, text + strlen("file:"), superpose, error);
  else
    debye_error_set_about(error, DEBYE_ERROR_SETTING, LABEL,
                          "expected first, frame:N or file:FILE, found “%s”", text);
  return reference->frame != NULL;
}

char *
debye_superpose_reference_describe(const char *text)
{
  if (text != NULL && g_str_has_prefix(text, "frame:"))
    return debye_message_new("frame %s", text + strlen("frame:"));
  if (text != NULL && g_str_has_prefix(text, "file:"))
    return g_path_get_basename(text + strlen("file:"));
  return g_strdup(N_("the first"));
}
