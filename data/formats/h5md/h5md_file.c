/* SPDX-License-Identifier: MIT */
/* Opens an H5MD file for format_h5md.c. Groups may be parts of the system (HALMD writes one a species) or
 * selections out of another: parts are put one behind the other, selections are left out. */
#include "h5md_file.h"

#include "data/files/error.h"
#include "data/files/text_fields.h"
#include "data/tables/unit.h"
#include "data/messages/message.h"

#include <stdlib.h>
#include <string.h>

gboolean
debye_h5md_is_one(hid_t file)
{
  g_auto(DebyeH5Group) particles = debye_h5_open_group(file, "particles");
  return particles >= 0;
}

static void G_GNUC_PRINTF(2, 3) warn(DebyeH5mdFile *file, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  g_ptr_array_add(file->warnings, debye_message_new_valist(format, arguments));
  va_end(arguments);
}

static void
group_free(gpointer data)
{
  DebyeH5mdGroup *group = data;
  g_clear_pointer(&group->position, debye_h5md_element_free);
  g_clear_pointer(&group->velocity, debye_h5md_element_free);
  g_clear_pointer(&group->ids, debye_h5md_element_free);
  g_clear_pointer(&group->edges, debye_h5md_element_free);
  if (group->group >= 0)
    H5Gclose(group->group);
  g_free(group->known_ids);
  g_free(group->name);
  g_free(group);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC(DebyeH5mdGroup, group_free)

/* --- One group --- */

/* "none" along every axis: there is no cell, whatever the edges are. */
static gboolean
find_periodic(hid_t box, DebyeInput *input)
{
  g_auto(GStrv) boundary = debye_h5_find_strings(box, "boundary", input);
  if (boundary == NULL)
    boundary = debye_h5_get_strings(box, "boundary", debye_input_get_size(input));
  gboolean is_periodic = boundary == NULL;
  for (gsize i = 0; boundary != NULL && boundary[i] != NULL; i++)
    is_periodic = is_periodic || strcmp(boundary[i], "none") != 0;
  return is_periodic;
}

static void
open_box(DebyeH5mdGroup *group, DebyeInput *input)
{
  g_auto(DebyeH5Group) box = debye_h5_open_group(group->group, "box");
  if (box < 0 || group->n_dimensions != 3)
    return;
  group->is_periodic = find_periodic(box, input);
  group->edges = debye_h5md_element_open(box, "edges", 2, H5T_NATIVE_DOUBLE, input);
  if (group->edges != NULL && group->edges->values->n_values != 3 && group->edges->values->n_values != 9)
    g_clear_pointer(&group->edges, debye_h5md_element_free);
  if (debye_h5_read_doubles(box, "edges", group->fixed_edges, 9))
    group->n_fixed_edges = 9;
  else if (debye_h5_read_doubles(box, "edges", group->fixed_edges, 3))
    group->n_fixed_edges = 3;
}

static gboolean
has_same_shape(const DebyeH5mdGroup *group, const DebyeH5mdElement *element, gsize n_values)
{
  const DebyeH5Series *position = group->position->values;
  return element->values->n_frames == position->n_frames && element->values->n_values == n_values;
}

static void
open_velocity(DebyeH5mdGroup *group, DebyeInput *input)
{
  DebyeH5mdElement *velocity = debye_h5md_element_open(group->group, "velocity", 3, H5T_NATIVE_FLOAT, input);
  if (velocity != NULL && !has_same_shape(group, velocity, group->position->values->n_values))
    g_clear_pointer(&velocity, debye_h5md_element_free);
  group->velocity = velocity;
}

static int
compare_ids(const void *a, const void *b)
{
  const DebyeH5mdId *left = a, *right = b;
  return left->id < right->id ? -1 : left->id > right->id;
}

/* Where rows change, atoms stand in the order of their ids, and each id must be there once. */
static gboolean
number_atoms(DebyeH5mdGroup *group, GError **error)
{
  group->n_atoms = group->n_known_ids;
  for (gsize i = 0; i < group->n_known_ids; i++) {
    group->known_ids[i].atom = (guint32)i;
    if (i == 0 || group->known_ids[i].id != group->known_ids[i - 1].id)
      continue;
    return debye_error_set(error, DEBYE_ERROR_VALUE,
                           "group “%s”: expected an id for each particle, found %" G_GINT64_FORMAT " twice",
                           group->name, group->known_ids[i].id);
  }
  return TRUE;
}

/* Which particles there are: those of frame 0. A negative id fills a row without one. */
static gboolean
learn_ids(DebyeH5mdGroup *group, GError **error)
{
  const gint64 *ids = debye_h5_series_read(group->ids->values, 0, error);
  if (ids == NULL)
    return FALSE;
  group->known_ids = g_try_new(DebyeH5mdId, group->n_rows);
  if (group->known_ids == NULL)
    return debye_error_set_memory(error, NULL, group->n_rows, "ids");
  for (gsize i = 0; i < group->n_rows; i++)
    if (ids[i] >= 0)
      group->known_ids[group->n_known_ids++] = (DebyeH5mdId){ids[i], (guint32)i};
  qsort(group->known_ids, group->n_known_ids, sizeof *group->known_ids, compare_ids);
  return !group->rows_change || number_atoms(group, error);
}

static gboolean
open_ids(DebyeH5mdGroup *group, DebyeInput *input, GError **error)
{
  group->ids = debye_h5md_element_open(group->group, "id", 2, H5T_NATIVE_INT64, input);
  if (group->ids == NULL)
    return TRUE;
  if (group->ids->values->n_values != group->n_rows) {
    g_clear_pointer(&group->ids, debye_h5md_element_free);
    return TRUE;
  }
  group->rows_change = !group->ids->values->is_fixed && has_same_shape(group, group->ids, group->n_rows);
  return learn_ids(group, error);
}

gboolean
debye_h5md_group_find_id(const DebyeH5mdGroup *group, gint64 id, gsize *atom)
{
  const DebyeH5mdId wanted = {.id = id};
  if (group->known_ids == NULL) {
    *atom = (gsize)MAX(id, 0);
    return id >= 0 && (guint64)id < group->n_rows;
  }
  const DebyeH5mdId *found =
      bsearch(&wanted, group->known_ids, group->n_known_ids, sizeof wanted, compare_ids);
  if (found != NULL)
    *atom = found->atom;
  return found != NULL;
}

/* NULL without an error: the group has no positions. */
static DebyeH5mdGroup *
open_group(hid_t particles, const char *name, DebyeInput *input, GError **error)
{
  g_autoptr(DebyeH5mdGroup) group = g_new0(DebyeH5mdGroup, 1);
  group->name = g_utf8_make_valid(name, -1);
  group->group = debye_h5_open_group(particles, name);
  if (group->group < 0)
    return NULL;
  group->position = debye_h5md_element_open(group->group, "position", 3, H5T_NATIVE_FLOAT, input);
  if (group->position == NULL)
    return NULL;
  const DebyeH5Series *values = group->position->values;
  hsize_t n_dimensions = values->shape[values->rank - 1];
  if (values->rank != 3 - values->is_fixed || n_dimensions < 1 || n_dimensions > 3)
    return NULL;
  group->n_dimensions = (int)n_dimensions;
  group->n_rows = group->n_atoms = (gsize)(values->n_values / n_dimensions);
  if (group->n_rows >= G_MAXUINT32)
    return NULL;
  if (!open_ids(group, input, error))
    return NULL;
  open_velocity(group, input);
  open_box(group, input);
  return g_steal_pointer(&group);
}

/* --- All groups --- */

static gint
compare_sizes(gconstpointer a, gconstpointer b)
{
  const DebyeH5mdGroup *left = *(DebyeH5mdGroup *const *)a, *right = *(DebyeH5mdGroup *const *)b;
  return left->n_rows > right->n_rows ? -1 : left->n_rows < right->n_rows;
}

/* A particle of the one, the first, stands exactly where one of the other does. */
static gboolean
is_selection_of(DebyeH5mdGroup *part, DebyeH5mdGroup *whole)
{
  const float *p = debye_h5_series_read(part->position->values, 0, NULL);
  const float *q = debye_h5_series_read(whole->position->values, 0, NULL);
  gsize n = (gsize)whole->n_dimensions;
  if (p == NULL || q == NULL || part->n_dimensions != whole->n_dimensions)
    return FALSE;
  for (gsize i = 0; i < whole->n_rows; i++)
    if (memcmp(p, q + i * n, n * sizeof(float)) == 0)
      return TRUE;
  return FALSE;
}

static gboolean
belongs(DebyeH5mdFile *file, DebyeH5mdGroup *group)
{
  const DebyeH5mdGroup *first = g_ptr_array_index(file->groups, 0);
  if (group->position->values->n_frames != first->position->values->n_frames) {
    warn(file,
         "particle group “%s” has %" G_GSIZE_FORMAT " frames where “%s” has %" G_GSIZE_FORMAT
         ": it is left out",
         group->name, group->position->values->n_frames, first->name, first->position->values->n_frames);
    return FALSE;
  }
  for (guint i = 0; i < file->groups->len; i++) {
    DebyeH5mdGroup *other = g_ptr_array_index(file->groups, i);
    if (!is_selection_of(group, other))
      continue;
    warn(file, "particle group “%s” is a part of “%s” and is left out", group->name, other->name);
    return FALSE;
  }
  return TRUE;
}

/* Larger ones first: a selection comes after what it is taken from. In the end by name, as HDF5 lists them. */
static void
choose_groups(DebyeH5mdFile *file, GPtrArray *found)
{
  g_autoptr(GPtrArray) by_size = g_ptr_array_new();
  for (guint i = 0; i < found->len; i++)
    g_ptr_array_add(by_size, g_ptr_array_index(found, i));
  g_ptr_array_sort(by_size, compare_sizes);
  g_autoptr(GHashTable) chosen = g_hash_table_new(NULL, NULL);
  for (guint i = 0; i < by_size->len; i++) {
    DebyeH5mdGroup *group = g_ptr_array_index(by_size, i);
    if (file->groups->len > 0 && !belongs(file, group))
      continue;
    g_ptr_array_add(file->groups, group);
    g_hash_table_add(chosen, group);
  }
  g_ptr_array_set_size(file->groups, 0);
  for (guint i = 0; i < found->len; i++) {
    DebyeH5mdGroup *group = g_ptr_array_index(found, i);
    if (g_hash_table_contains(chosen, group))
      g_ptr_array_add(file->groups, group);
    else
      group_free(group);
  }
}

static gboolean
open_groups(DebyeH5mdFile *file, DebyeInput *input, GError **error)
{
  g_autoptr(GPtrArray) found = g_ptr_array_new();
  g_auto(DebyeH5Group) particles = debye_h5_open_group(file->file, "particles");
  g_auto(GStrv) names = particles < 0 ? g_new0(char *, 1) : debye_h5_list(particles);
  GError *problem = NULL;
  for (gsize i = 0; names[i] != NULL && problem == NULL; i++) {
    DebyeH5mdGroup *group = open_group(particles, names[i], input, &problem);
    if (group != NULL)
      g_ptr_array_add(found, group);
  }
  choose_groups(file, found);
  if (problem != NULL) {
    g_propagate_error(error, problem);
    debye_error_prefix(error, "%s: ", debye_input_get_name(input));
    return FALSE;
  }
  if (file->groups->len > 0)
    return TRUE;
  return debye_input_set_error(
      input, error, DEBYE_ERROR_MISSING,
      "expected positions of particles in /particles, found none that the file can hold");
}

/* --- Units --- */

/* Without a unit the numbers are taken as they are; lengths that are reduced units too. */
static double
find_scale(DebyeH5mdFile *file, const char *unit, DebyeUnitKind kind, const char *what, const char *taken)
{
  double scale = 1.0;
  if (unit == NULL || *unit == '\0')
    warn(file, "the file doesn't state the unit of %s: assuming %s", what, taken);
  else if (!debye_unit_get_scale(unit, kind, &scale)) {
    g_autofree char *shown = debye_text_quote((DebyeTextField){unit, strlen(unit)});
    warn(file, "the unit %s of %s is not known: assuming %s", shown, what, taken);
  }
  return scale;
}

static void
find_units(DebyeH5mdFile *file)
{
  const DebyeH5mdGroup *group = g_ptr_array_index(file->groups, 0);
  const DebyeH5mdElement *position = group->position;
  file->length_scale = find_scale(file, position->unit, DEBYE_UNIT_LENGTH, "the positions", "Å");
  file->edge_scale = file->length_scale;
  if (group->edges != NULL && group->edges->unit != NULL)
    file->edge_scale = find_scale(file, group->edges->unit, DEBYE_UNIT_LENGTH, "the box", "Å");
  file->time_scale = 1.0;
  if (position->times != NULL)
    file->time_scale = find_scale(file, position->time_unit, DEBYE_UNIT_TIME, "the time", "ps");
  file->velocity_scale = 1.0;
  if (group->velocity != NULL)
    file->velocity_scale =
        find_scale(file, group->velocity->unit, DEBYE_UNIT_VELOCITY, "the velocities", "Å/ps");
}

static gboolean
count_atoms(DebyeH5mdFile *file, DebyeInput *input, GError **error)
{
  for (guint i = 0; i < file->groups->len; i++) {
    DebyeH5mdGroup *group = g_ptr_array_index(file->groups, i);
    group->first_atom = file->n_atoms;
    file->n_atoms += group->n_atoms;
    file->n_frames = group->position->values->n_frames;
  }
  if (file->n_atoms > 0 && file->n_atoms < G_MAXUINT32 && file->n_frames < G_MAXUINT)
    return TRUE;
  return debye_input_set_error(input, error, file->n_atoms == 0 ? DEBYE_ERROR_MISSING : DEBYE_ERROR_LIMIT,
                               "expected 1 to %u particles and at most as many frames, found %" G_GSIZE_FORMAT
                               " and %" G_GSIZE_FORMAT,
                               G_MAXUINT32 - 1, file->n_atoms, file->n_frames);
}

DebyeH5mdFile *
debye_h5md_file_open(DebyeInput *input, GError **error)
{
  g_autoptr(DebyeH5mdFile) file = g_new0(DebyeH5mdFile, 1);
  file->groups = g_ptr_array_new();
  file->warnings = g_ptr_array_new_with_free_func(g_free);
  file->size = debye_input_get_size(input);
  file->file = debye_h5_open_input(input, error);
  if (file->file < 0 || !open_groups(file, input, error) || !count_atoms(file, input, error))
    return NULL;
  find_units(file);
  return g_steal_pointer(&file);
}

void
debye_h5md_file_close(DebyeH5mdFile *file)
{
  for (guint i = 0; i < file->groups->len; i++)
    group_free(g_ptr_array_index(file->groups, i));
  g_ptr_array_unref(file->groups);
  g_ptr_array_unref(file->warnings);
  if (file->file >= 0)
    H5Fclose(file->file);
  g_free(file);
}
