/* SPDX-License-Identifier: MIT */
/* Opens files as a dataset with maps; called by window_opening.c and document_session.c. */
#include "document_private.h"

#include "app/analysis/analysis_list.h"
#include "app/analysis/driver/dataset_choice.h"
#include "data/files/error.h"
#include "data/messages/message.h"
#include "data/trajectory/format_list.h"
#include "map_file.h"

/* --- How far it is --- */

/* One of several parts of the work, which are taken for equally long. */
typedef struct {
  DebyeProgressFunc progress;
  gpointer data;
  gsize number, n_parts;
} Part;

static gboolean
on_part(double fraction, gpointer data)
{
  const Part *part = data;
  return part->progress == NULL ||
         part->progress(((double)part->number + fraction) / (double)part->n_parts, part->data);
}

/* --- Which file is what --- */

typedef struct {
  GPtrArray *structures, *maps; /* const char *, each with a NULL at the end */
} Sorted;

static void
sorted_clear(Sorted *sorted)
{
  g_ptr_array_unref(sorted->structures);
  g_ptr_array_unref(sorted->maps);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Sorted, sorted_clear)

/* Maps that come with their molecule, of which the first is shown where no other file has one. */
static void
find_molecule_of_maps(Sorted *sorted)
{
  for (guint i = 0; sorted->structures->len == 0 && i < sorted->maps->len; i++)
    if (debye_map_file_has_molecule(sorted->maps->pdata[i]))
      g_ptr_array_add(sorted->structures, sorted->maps->pdata[i]);
}

static Sorted
sort_paths(const char *const *paths, DebyeDocument *existing)
{
  Sorted sorted = {.structures = g_ptr_array_new(), .maps = g_ptr_array_new()};
  for (; *paths != NULL; paths++)
    g_ptr_array_add(debye_map_file_is_one(*paths) ? sorted.maps : sorted.structures, (gpointer)*paths);
  if (existing == NULL || existing->dataset == NULL)
    find_molecule_of_maps(&sorted);
  g_ptr_array_add(sorted.structures, NULL);
  g_ptr_array_add(sorted.maps, NULL);
  return sorted;
}

static const char *const *
strings_of(GPtrArray *array)
{
  return (const char *const *)array->pdata;
}

/* Only coordinates: DCD, XTC, TRR. A file that can't be read is left for the real opening to complain about. */
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
  for (gsize i = 0; paths[i] != NULL; i++)
    if (!has_only_coordinates(paths[i]))
      return FALSE;
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

/* --- Molecules --- */

/* A file of no known kind arrives here, and the sentence that lists the formats knows only molecules. */
static void
mention_maps(GError **error)
{
  if (error == NULL || !g_error_matches(*error, DEBYE_ERROR, DEBYE_ERROR_UNKNOWN))
    return;
  char *whole = debye_say("%s; nor is it a map (dx, cube, ccp4, h5)", (*error)->message);
  g_free((*error)->message);
  (*error)->message = whole;
}

/* What joins `existing` (or NULL) has the same alternate locations, cell and unit in force. */
static DebyeDataset *
open_dataset(const char *const *paths, DebyeDataset *existing, Part *part, GError **error)
{
  g_autoptr(DebyeDataset) dataset = debye_dataset_open(paths, on_part, part, error);
  if (dataset == NULL || existing == NULL)
    return g_steal_pointer(&dataset);
  g_autoptr(DebyeRequest) choice = debye_dataset_choice_request(existing);
  return debye_dataset_choose(dataset, choice, NULL, error);
}

static gboolean
open_molecules(DebyeDocument *self, const char *const *paths, DebyeDataset *existing, Part *part,
               GError **error)
{
  self->dataset = open_dataset(paths, existing, part, error);
  if (self->dataset == NULL) {
    mention_maps(error);
    return FALSE;
  }
  for (const char *const *text = debye_dataset_get_warnings(self->dataset); *text != NULL; text++)
    g_ptr_array_add(self->warnings, g_strdup(*text));
  self->suggested_atoms = debye_suggested_atoms_new(debye_document_get_topology(self));
  DebyeTrajectory *trajectory = debye_dataset_get_trajectory(self->dataset);
  if (trajectory == NULL || debye_trajectory_get_n_frames(trajectory) == 0)
    return TRUE;
  self->first_frame = debye_document_read_frame(trajectory, 0, error);
  if (self->first_frame != NULL)
    debye_document_make_layers(self);
  return self->first_frame != NULL;
}

static void
keep_molecules(DebyeDocument *self, DebyeDocument *existing)
{
  if (g_set_object(&self->dataset, existing->dataset))
    self->suggested_atoms = debye_suggested_atoms_new(debye_document_get_topology(self));
  g_set_object(&self->preparation, existing->preparation);
  self->first_frame = existing->first_frame != NULL ? debye_frame_ref(existing->first_frame) : NULL;
  self->drawn_frame = existing->drawn_frame != NULL ? debye_frame_ref(existing->drawn_frame) : NULL;
  self->layers = existing->layers != NULL ? g_ptr_array_ref(existing->layers) : NULL;
}

/* --- Maps --- */

static gboolean
open_maps(DebyeDocument *self, const char *const *paths, Part *part, GError **error)
{
  for (; *paths != NULL; paths++) {
    GObject *map = debye_map_file_load(*paths, on_part, part, error);
    if (map == NULL)
      return FALSE;
    part->number++;
    g_ptr_array_add(self->maps, map);
    DebyeField *field = debye_map_file_get_field(map);
    for (const char *const *text = field != NULL ? debye_field_get_warnings(field) : NULL;
         text != NULL && *text != NULL; text++)
      g_ptr_array_add(self->warnings, g_strdup(*text));
  }
  return TRUE;
}

/* --- Opening --- */

static char **
join_without(const char *const *before, const char *const *after, GPtrArray *left_out)
{
  g_autoptr(GStrvBuilder) builder = g_strv_builder_new();
  for (; before != NULL && *before != NULL; before++)
    g_strv_builder_add(builder, *before);
  for (; *after != NULL; after++)
    if (!g_ptr_array_find_with_equal_func(left_out, *after, g_str_equal, NULL))
      g_strv_builder_add(builder, *after);
  return g_strv_builder_end(builder);
}

static void
forget_molecules(DebyeDocument *self)
{
  g_clear_object(&self->dataset);
  g_clear_pointer(&self->suggested_atoms, debye_suggested_atoms_free);
  g_ptr_array_set_size(self->warnings, 0);
}

/* All of them, or, where one doesn't belong to the others, those that do. */
static gboolean
open_fitting_molecules(DebyeDocument *self, const char *const *paths, GPtrArray *left_out, Part *part,
                       GError **error)
{
  g_autoptr(GError) reason = NULL;
  if (open_molecules(self, paths, NULL, part, &reason))
    return TRUE;
  gboolean is_about_files = reason->domain == DEBYE_ERROR && reason->code != DEBYE_ERROR_MEMORY;
  g_auto(GStrv) fitting = paths[1] != NULL && is_about_files
                              ? debye_document_find_fitting(paths, left_out, self->left_out, on_part, part)
                              : NULL;
  forget_molecules(self);
  if (fitting != NULL && left_out->len > 0 &&
      open_molecules(self, (const char *const *)fitting, NULL, part, error))
    return TRUE;
  if (error == NULL || *error == NULL)
    g_propagate_error(error, g_steal_pointer(&reason));
  return FALSE;
}

/* A session would look for the frames of these atoms in the file that they were made of. */
static void
refuse_frames(DebyeDocument *existing, const char *path, GError **error)
{
  g_autofree char *name = g_filename_display_basename(path);
  debye_error_set(error, DEBYE_ERROR_MISMATCH,
                  "%s: frames can't be added to a prepared structure. Save the prepared structure as PQR and "
                  "open that file with %s, or undo the preparation of %s first",
                  name, name, debye_dataset_get_name(debye_preparation_get_origin(existing->preparation)));
}

/* The molecule's files: the new ones, after those that they go on with. Of the new ones some may be left
 * out. */
static gboolean
open_or_keep_molecules(DebyeDocument *self, const char *const *paths, DebyeDocument *existing,
                       GPtrArray *left_out, Part *part, GError **error)
{
  gboolean has_molecule = existing != NULL && existing->dataset != NULL;
  g_auto(GStrv) joined = NULL;
  self->continuation = existing != NULL && (paths[0] == NULL || !has_molecule);
  self->only_maps = existing != NULL && paths[0] == NULL;
  if (self->only_maps)
    keep_molecules(self, existing);
  if (paths[0] == NULL)
    return TRUE;
  if (has_molecule && existing->preparation != NULL && all_have_only_coordinates(paths)) {
    refuse_frames(existing, paths[0], error);
    return FALSE;
  }
  if (has_molecule && all_have_only_coordinates(paths)) {
    joined = join_paths(debye_dataset_get_paths(existing->dataset), paths);
    self->continuation = TRUE;
  }
  if (joined != NULL ? !open_molecules(self, (const char *const *)joined, existing->dataset, part, error)
                     : !open_fitting_molecules(self, paths, left_out, part, error))
    return FALSE;
  part->number++;
  return TRUE;
}

/* The inputs of the first result that has them all where they were, for a picture of what it was made of. */
static char **
find_inputs(const char *const *results)
{
  for (; *results != NULL; results++) {
    g_auto(GStrv) inputs = NULL;
    g_autoptr(DebyeRequest) request =
        debye_field_probe(*results) == DEBYE_MAP_FILE_RESULT
            ? debye_result_load_request(*results, debye_analysis_find_table, &inputs, NULL)
            : NULL;
    gboolean has_all = request != NULL && inputs != NULL && inputs[0] != NULL;
    for (gsize i = 0; has_all && inputs[i] != NULL; i++)
      has_all = g_file_test(inputs[i], G_FILE_TEST_IS_REGULAR);
    if (has_all)
      return g_steal_pointer(&inputs);
  }
  return NULL;
}

DebyeDocument *
debye_document_open_listed(const char *const *paths, DebyeDocument *existing, DebyeProgressFunc progress,
                           gpointer data, GError **error)
{
  g_autoptr(DebyeDocument) self = g_object_new(DEBYE_TYPE_DOCUMENT, NULL);
  g_auto(Sorted) sorted = sort_paths(paths, existing);
  g_autoptr(GPtrArray) left_out = g_ptr_array_new_with_free_func(g_free);
  Part part = {.progress = progress,
               .data = data,
               /* Each array ends with a NULL. */
               .n_parts = sorted.maps->len - 1 + (sorted.structures->len > 1 ? 1 : 0)};
  if (!open_or_keep_molecules(self, strings_of(sorted.structures), existing, left_out, &part, error))
    return NULL;
  if (self->continuation)
    debye_document_keep_maps(self, existing);
  if (!open_maps(self, strings_of(sorted.maps), &part, error))
    return NULL;
  if (!self->continuation)
    debye_document_join_chains(self);
  self->paths = join_without(self->continuation ? debye_document_get_paths(existing) : NULL, paths, left_out);
  g_ptr_array_add(left_out, NULL);
  self->left_out_paths = g_strdupv((char **)left_out->pdata);
  g_ptr_array_add(self->warnings, NULL);
  g_ptr_array_add(self->left_out, NULL);
  return g_steal_pointer(&self);
}

/* A result alone comes with what it was made of, where that is found and can be read. */
DebyeDocument *
debye_document_open(const char *const *paths, DebyeDocument *existing, DebyeProgressFunc progress,
                    gpointer data, GError **error)
{
  g_auto(Sorted) sorted = sort_paths(paths, existing);
  gboolean maps_alone =
      sorted.structures->pdata[0] == NULL && (existing == NULL || existing->dataset == NULL);
  g_auto(GStrv) inputs = maps_alone ? find_inputs(strings_of(sorted.maps)) : NULL;
  g_auto(GStrv) all = inputs != NULL ? join_paths((const char *const *)inputs, paths) : NULL;
  DebyeDocument *whole =
      all != NULL ? debye_document_open_listed((const char *const *)all, existing, progress, data, NULL)
                  : NULL;
  return whole != NULL ? whole : debye_document_open_listed(paths, existing, progress, data, error);
}
