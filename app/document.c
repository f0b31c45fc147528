/* SPDX-License-Identifier: MIT */
/* What a window shows. */
#include "document.h"

#include <string.h>

#include "data/error.h"
#include "scene_builder.h"

struct _DebyeDocument {
  GObject parent_instance;
  DebyeDataset *dataset;
  DebyeFrame *first_frame;
  GPtrArray *layers;
  gboolean continuation;
};

G_DEFINE_FINAL_TYPE(DebyeDocument, debye_document, G_TYPE_OBJECT)

/* --- Opening --- */

/* Only coordinates: DCD, XTC, TRR. A file that can't be read is left for the real opening to complain about.
 */
static gboolean
has_only_coordinates(const char *path)
{
  g_autoptr(DebyeInput) input = debye_input_open(path, NULL);
  const DebyeFormat *format = input != NULL ? debye_format_detect(input, NULL) : NULL;
  return format != NULL && format->read_topology == NULL && format->index_frames != NULL;
}

static gboolean
all_have_only_coordinates(const char *const *paths)
{
  for (gsize i = 0; paths[i] != NULL; i++) {
    if (!has_only_coordinates(paths[i]))
      return FALSE;
  }
  return paths[0] != NULL;
}

static char **
join_paths(const char *const *before, const char *const *after)
{
  g_autoptr(GStrvBuilder) builder = g_strv_builder_new();
  g_strv_builder_addv(builder, (const char **)before);
  g_strv_builder_addv(builder, (const char **)after);
  return g_strv_builder_end(builder);
}

static DebyeFrame *
read_first_frame(DebyeTrajectory *trajectory, GError **error)
{
  g_autoptr(DebyeTrajectoryReader) reader = debye_trajectory_reader_new(trajectory, error);
  if (reader == NULL)
    return NULL;
  g_autoptr(DebyeFrame) frame = debye_frame_new(debye_trajectory_get_n_atoms(trajectory));
  if (frame == NULL) {
    g_set_error(error, DEBYE_ERROR, DEBYE_ERROR_MEMORY, "There is not the memory for one frame of %zu atoms",
                debye_trajectory_get_n_atoms(trajectory));
    return NULL;
  }
  if (!debye_trajectory_reader_read(reader, 0, frame, error))
    return NULL;
  return g_steal_pointer(&frame);
}

static void
make_layers(DebyeDocument *self)
{
  self->layers = debye_scene_builder_molecules(debye_dataset_get_topology(self->dataset), self->first_frame);
  DebyeBoxLayer *box = debye_scene_builder_box(self->first_frame);
  if (box != NULL)
    g_ptr_array_add(self->layers, box);
}

DebyeDocument *
debye_document_open(const char *const *paths, DebyeDocument *existing, DebyeProgressFunc progress,
                    gpointer data, GError **error)
{
  g_auto(GStrv) joined = NULL;
  g_autoptr(DebyeDocument) self = g_object_new(DEBYE_TYPE_DOCUMENT, NULL);
  if (existing != NULL && all_have_only_coordinates(paths)) {
    joined = join_paths(debye_dataset_get_paths(existing->dataset), paths);
    self->continuation = TRUE;
  }
  self->dataset =
      debye_dataset_open(joined != NULL ? (const char *const *)joined : paths, progress, data, error);
  if (self->dataset == NULL)
    return NULL;
  DebyeTrajectory *trajectory = debye_dataset_get_trajectory(self->dataset);
  if (trajectory == NULL || debye_trajectory_get_n_frames(trajectory) == 0)
    return g_steal_pointer(&self);
  self->first_frame = read_first_frame(trajectory, error);
  if (self->first_frame == NULL)
    return NULL;
  make_layers(self);
  return g_steal_pointer(&self);
}

/* --- What it holds --- */

DebyeDataset *
debye_document_get_dataset(DebyeDocument *self)
{
  g_return_val_if_fail(DEBYE_IS_DOCUMENT(self), NULL);
  return self->dataset;
}

DebyeFrame *
debye_document_get_first_frame(DebyeDocument *self)
{
  g_return_val_if_fail(DEBYE_IS_DOCUMENT(self), NULL);
  return self->first_frame;
}

GPtrArray *
debye_document_get_layers(DebyeDocument *self)
{
  g_return_val_if_fail(DEBYE_IS_DOCUMENT(self), NULL);
  return self->layers;
}

gboolean
debye_document_is_continuation(DebyeDocument *self)
{
  g_return_val_if_fail(DEBYE_IS_DOCUMENT(self), FALSE);
  return self->continuation;
}

/* 12,345 */
static void
append_count(GString *text, gsize count, const char *one, const char *many)
{
  g_autofree char *digits = g_strdup_printf("%zu", count);
  gsize length = strlen(digits);
  for (gsize i = 0; i < length; i++) {
    if (i > 0 && (length - i) % 3 == 0)
      g_string_append_c(text, ',');
    g_string_append_c(text, digits[i]);
  }
  g_string_append_printf(text, " %s", count == 1 ? one : many);
}

static void
append_cell(GString *text, const DebyeCell *cell)
{
  double lengths[3], angles[3];
  char number[G_ASCII_DTOSTR_BUF_SIZE];
  debye_cell_to_lengths_angles(cell, lengths, angles);
  for (int i = 0; i < 3; i++)
    g_string_append_printf(text, "%s%s", i > 0 ? " × " : " · ",
                           g_ascii_formatd(number, sizeof number, "%.1f", lengths[i]));
  g_string_append(text, " Å");
}

char *
debye_document_describe(DebyeDocument *self)
{
  g_return_val_if_fail(DEBYE_IS_DOCUMENT(self), NULL);
  GString *text = g_string_new(NULL);
  DebyeTrajectory *trajectory = debye_dataset_get_trajectory(self->dataset);
  append_count(text, debye_topology_get_n_atoms(debye_dataset_get_topology(self->dataset)), "atom", "atoms");
  if (trajectory != NULL) {
    g_string_append(text, " · ");
    append_count(text, debye_trajectory_get_n_frames(trajectory), "frame", "frames");
  }
  if (self->first_frame != NULL && self->first_frame->has_cell)
    append_cell(text, &self->first_frame->cell);
  return g_string_free(text, FALSE);
}

static void
debye_document_finalize(GObject *object)
{
  DebyeDocument *self = DEBYE_DOCUMENT(object);
  g_clear_object(&self->dataset);
  g_clear_pointer(&self->first_frame, debye_frame_unref);
  g_clear_pointer(&self->layers, g_ptr_array_unref);
  G_OBJECT_CLASS(debye_document_parent_class)->finalize(object);
}

static void
debye_document_class_init(DebyeDocumentClass *class)
{
  G_OBJECT_CLASS(class)->finalize = debye_document_finalize;
}

static void
debye_document_init(DebyeDocument *self G_GNUC_UNUSED)
{
}
