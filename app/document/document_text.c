/* SPDX-License-Identifier: MIT */
/* Title and description of a document for the window's title bar; called by window_session.c. */
#include "document.h"

#include <glib/gi18n.h>

#include "data/messages/count_text.h"
#include "data/tables/unit_text.h"
#include "map_file.h"

/* `form`: of the language's form for this count, with the count as its %s. */
static void
append_count(GString *text, gsize count, const char *form)
{
  g_autofree char *digits = debye_count_text(count);
  g_string_append_printf(text, form, digits);
}

static void
append_lengths(GString *text, const double lengths[3])
{
  char number[G_ASCII_DTOSTR_BUF_SIZE];
  for (int i = 0; i < 3; i++)
    g_string_append_printf(text, "%s%s", i > 0 ? " × " : " · ",
                           g_ascii_formatd(number, sizeof number, "%.1f", lengths[i]));
  g_string_append(text, " Å");
}

static void
append_molecules(GString *text, DebyeDocument *self)
{
  DebyeTrajectory *trajectory = debye_dataset_get_trajectory(debye_document_get_dataset(self));
  DebyeFrame *frame = debye_document_get_first_frame(self);
  const gsize n_atoms = debye_topology_get_n_atoms(debye_document_get_topology(self));
  append_count(text, n_atoms, ngettext("%s atom", "%s atoms", n_atoms));
  if (trajectory != NULL) {
    const gsize n_frames = debye_trajectory_get_n_frames(trajectory);
    g_string_append(text, " · ");
    append_count(text, n_frames, ngettext("%s frame", "%s frames", n_frames));
  }
  if (frame != NULL && frame->has_cell) {
    double lengths[3], angles[3];
    debye_cell_to_lengths_angles(&frame->cell, lengths, angles);
    append_lengths(text, lengths);
  }
}

static void
append_field(GString *text, DebyeField *field)
{
  const DebyeGrid *grid = debye_field_get_grid(field);
  g_autofree char *unit = debye_unit_to_text(debye_field_get_unit(field));
  double lengths[3];
  g_string_append_printf(text, _("%zu × %zu × %zu points"), grid->shape[0], grid->shape[1], grid->shape[2]);
  for (int axis = 0; axis < 3; axis++)
    lengths[axis] = debye_vec3_length(grid->step[axis]) * (double)(grid->shape[axis] - 1);
  append_lengths(text, lengths);
  if (*unit != '\0')
    g_string_append_printf(text, " · %s", unit);
}

/* A file of a result may have curves alone. */
static gsize
count_fields(GPtrArray *maps)
{
  gsize n_fields = 0;
  for (guint i = 0; i < maps->len; i++)
    n_fields += debye_map_file_get_field(maps->pdata[i]) != NULL;
  return n_fields;
}

char *
debye_document_describe(DebyeDocument *self)
{
  g_return_val_if_fail(DEBYE_IS_DOCUMENT(self), NULL);
  GString *text = g_string_new(NULL);
  GPtrArray *maps = debye_document_get_maps(self);
  const gsize n_fields = count_fields(maps);
  DebyeField *only = maps->len == 1 ? debye_map_file_get_field(maps->pdata[0]) : NULL;
  if (debye_document_get_dataset(self) != NULL)
    append_molecules(text, self);
  else if (only != NULL)
    append_field(text, only);
  else if (maps->len > 0 && n_fields == 0)
    append_count(text, maps->len, ngettext("%s result", "%s results", maps->len));
  else
    append_count(text, n_fields, ngettext("%s map", "%s maps", n_fields));
  return g_string_free(text, FALSE);
}

char *
debye_document_get_title(DebyeDocument *self)
{
  g_return_val_if_fail(DEBYE_IS_DOCUMENT(self), NULL);
  if (debye_document_get_preparation(self) != NULL)
    return g_strdup_printf(_("%s, prepared"), debye_dataset_get_name(debye_document_get_origin(self)));
  if (debye_document_get_dataset(self) != NULL)
    return g_strdup(debye_dataset_get_name(debye_document_get_dataset(self)));
  GString *title = g_string_new(NULL);
  for (const char *const *path = debye_document_get_paths(self); *path != NULL; path++) {
    g_autofree char *name = g_filename_display_basename(*path);
    g_string_append_printf(title, "%s%s", title->len > 0 ? " + " : "", name);
  }
  return g_string_free(title, FALSE);
}
