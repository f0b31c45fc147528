/* SPDX-License-Identifier: MIT */
/* Opens files in any order as one structure and trajectory; called by both programs. */
#include "dataset_private.h"
#include "kept_frames.h"

#include "data/files/error.h"
#include "data/files/input_packed.h"
#include "data/molecule/altloc.h"
#include "format_list.h"

#include <glib/gstdio.h>
#include <string.h>

/* Of so many packed files what they hold is kept until the frames, which may be in them, are found. */
#define UNPACKED_MAXIMUM 4

/* --- Progress --- */

/* The files' topologies are read first, then their frames are looked for: of the way, each byte is half of it
 * a time, but what has no topology, and wasn't unpacked, has all of it left for its frames. */
typedef struct {
  DebyeProgressFunc progress; /* NULL: nobody asks */
  gpointer data;
  double begin, part; /* of the whole: what is behind, what is being done */
  double n_bytes;     /* of all files */
} Progress;

static gboolean
report_part(double fraction, gpointer data)
{
  const Progress *progress = data;
  return progress->progress(progress->begin + progress->part * fraction, progress->data);
}

static DebyeProgressFunc
get_report(const Progress *progress)
{
  return progress->progress != NULL ? report_part : NULL;
}

static double
get_bytes(const char *path)
{
  GStatBuf status;
  return g_stat(path, &status) == 0 ? (double)status.st_size : 0.0;
}

static Progress
make_progress(const char *const *paths, DebyeProgressFunc progress, gpointer data)
{
  Progress made = {.progress = progress, .data = data, .n_bytes = 1.0};
  for (; *paths != NULL; paths++)
    made.n_bytes += get_bytes(*paths);
  return made;
}

/* --- The files --- */

typedef struct {
  const char *path;
  char *name;  /* for messages */
  char *title; /* for a title bar */
  const DebyeFormat *format;
  DebyeTopology *topology; /* NULL: coordinates alone */
  DebyeUnpacked *unpacked; /* NULL: it isn't packed, or one of many */
} File;

static void
free_file(gpointer data)
{
  File *file = data;
  g_free(file->name);
  g_free(file->title);
  g_clear_object(&file->topology);
  g_clear_pointer(&file->unpacked, debye_unpacked_unref);
  g_free(file);
}

static DebyeTopology *
read_topology(DebyeInput *input, const DebyeFormat *format, GError **error)
{
  g_autoptr(DebyeTopologyBuilder) builder = debye_topology_builder_new();
  if (!debye_input_confirm(input, format->read_topology(input, builder, error), error))
    return NULL;
  return debye_topology_builder_finish(builder);
}

static File *
open_file(const char *path, gboolean may_keep, Progress *progress, GError **error)
{
  progress->part = 0.5 * get_bytes(path) / progress->n_bytes;
  g_autoptr(DebyeInput) input = debye_input_open_watched(path, get_report(progress), progress, error);
  if (input == NULL)
    return NULL;
  const DebyeFormat *format = debye_format_detect(input, error);
  if (format == NULL)
    return NULL;
  g_autoptr(DebyeTopology) topology = NULL;
  if (format->read_topology != NULL) {
    topology = read_topology(input, format, error);
    if (topology == NULL)
      return NULL;
    /* A trajectory may name its atoms or not. */
    if (format->is_trajectory && debye_topology_get_n_atoms(topology) == 0)
      g_clear_object(&topology);
  }
  if (format->read_topology != NULL || debye_input_get_unpacked_part(input) > 0.0)
    progress->begin += progress->part;
  File *file = g_new0(File, 1);
  file->path = path;
  file->name = g_strdup(debye_input_get_name(input));
  file->title = debye_input_make_title(input);
  file->format = format;
  file->topology = g_steal_pointer(&topology);
  file->unpacked = may_keep ? debye_unpacked_find(input) : NULL;
  return file;
}

static GPtrArray *
open_files(DebyeDataset *self, const char *const *paths, Progress *progress, GError **error)
{
  g_autoptr(GPtrArray) files = g_ptr_array_new_with_free_func(free_file);
  for (; *paths != NULL; paths++) {
    File *file = open_file(*paths, files->len < UNPACKED_MAXIMUM, progress, error);
    if (file == NULL)
      return NULL;
    g_ptr_array_add(files, file);
    g_ptr_array_add(self->formats, (gpointer)file->format->name);
  }
  g_ptr_array_add(self->formats, NULL);
  return g_steal_pointer(&files);
}

/* --- The topology --- */

static void
pass_topology_warnings(DebyeDataset *self, const File *file)
{
  for (const char *const *text = debye_topology_get_warnings(file->topology); *text != NULL; text++)
    debye_dataset_warn(self->remarks, "%s: %s", file->name, *text);
}

/* Files without coordinates first: a PSF knows more than the PDB that lies with it, and that more than the
 * columns of a trajectory. */
static int
get_structure_rank(const File *file)
{
  if (file->format->is_trajectory)
    return 2;
  return file->format->index_frames != NULL && !file->format->is_run_input ? 1 : 0;
}

static GPtrArray *
sort_structures(GPtrArray *files)
{
  GPtrArray *sorted = g_ptr_array_new();
  for (int rank = 0; rank <= 2; rank++)
    for (guint i = 0; i < files->len; i++) {
      File *file = g_ptr_array_index(files, i);
      if (file->topology != NULL && get_structure_rank(file) == rank)
        g_ptr_array_add(sorted, file);
    }
  return sorted;
}

static gboolean
set_mismatch(GError **error, const char *name, gsize n_atoms, const char *other, gsize n_other)
{
  return debye_error_set(error, DEBYE_ERROR_MISMATCH,
                         "%s: expected the %" G_GSIZE_FORMAT " atoms of %s, found %" G_GSIZE_FORMAT, name,
                         n_other, other, n_atoms);
}

/* The first structure, completed from the others. */
static gboolean
choose_topology(DebyeDataset *self, GPtrArray *structures, GError **error)
{
  for (guint i = 0; i < structures->len; i++) {
    const File *file = g_ptr_array_index(structures, i);
    pass_topology_warnings(self, file);
    if (self->topology == NULL) {
      self->topology = g_object_ref(file->topology);
      continue;
    }
    const File *first = g_ptr_array_index(structures, 0);
    gsize n_atoms = debye_topology_get_n_atoms(file->topology);
    /* Its first frame need not have all atoms. */
    if (file->format->read_all_atoms != NULL && n_atoms < debye_topology_get_n_atoms(self->topology))
      continue;
    if (n_atoms != debye_topology_get_n_atoms(self->topology))
      return set_mismatch(error, file->name, n_atoms, first->name,
                          debye_topology_get_n_atoms(self->topology));
    DebyeTopology *complete = debye_topology_complete(self->topology, file->topology);
    g_object_unref(self->topology);
    self->topology = complete;
  }
  return TRUE;
}

static DebyeTopology *
make_unnamed_topology(gsize n_atoms)
{
  g_autoptr(DebyeTopologyBuilder) builder = debye_topology_builder_new();
  DebyeAtom atom = DEBYE_ATOM_INIT;
  for (gsize i = 0; i < n_atoms; i++)
    debye_topology_builder_add_atom(builder, &atom);
  return debye_topology_builder_finish(builder);
}

/* --- The trajectory --- */

/* Which files' frames go before which. */
typedef enum {
  FRAMES_OF_TRAJECTORY,
  FRAMES_OF_STRUCTURE,
  FRAMES_OF_RUN_INPUT,
} FrameSource;

static FrameSource
get_frame_source(const File *file)
{
  if (file->format->is_run_input)
    return FRAMES_OF_RUN_INPUT;
  return file->topology == NULL || file->format->is_trajectory ? FRAMES_OF_TRAJECTORY : FRAMES_OF_STRUCTURE;
}

/* Every trajectory; with none, the structures' own frames. */
static char **
choose_trajectory_files(GPtrArray *files)
{
  g_autoptr(GPtrArray) paths = g_ptr_array_new();
  for (FrameSource source = FRAMES_OF_TRAJECTORY; source <= FRAMES_OF_RUN_INPUT && paths->len == 0; source++)
    for (guint i = 0; i < files->len; i++) {
      const File *file = g_ptr_array_index(files, i);
      if (file->format->index_frames != NULL && get_frame_source(file) == source)
        g_ptr_array_add(paths, (gpointer)file->path);
    }
  g_ptr_array_add(paths, NULL);
  return g_strdupv((char **)paths->pdata);
}

/* Of a trajectory that is its own structure, and whose first frame hasn't all atoms. */
static gboolean
read_all_atoms(DebyeDataset *self, const File *file, gsize n_atoms, GError **error)
{
  g_autoptr(DebyeInput) input = debye_input_open(file->path, error);
  g_autoptr(DebyeTopologyBuilder) builder = debye_topology_builder_new();
  if (input == NULL ||
      !debye_input_confirm(input, file->format->read_all_atoms(input, n_atoms, builder, error), error))
    return FALSE;
  g_object_unref(self->topology);
  self->topology = debye_topology_builder_finish(builder);
  return TRUE;
}

/* What the topology says binds the frames of other files; its own may have atoms that its first frame lacks. */
static DebyeTopology *
get_binding_topology(DebyeDataset *self, GPtrArray *structures, char **paths)
{
  if (structures->len == 0)
    return self->topology;
  const File *structure = g_ptr_array_index(structures, 0);
  const gboolean is_own = g_strv_contains((const char *const *)paths, structure->path);
  return is_own && structure->format->read_all_atoms != NULL ? NULL : self->topology;
}

static gboolean
open_trajectory(DebyeDataset *self, GPtrArray *files, GPtrArray *structures, Progress *progress,
                GError **error)
{
  g_auto(GStrv) paths = choose_trajectory_files(files);
  if (paths[0] == NULL)
    return TRUE;
  for (guint i = 0; i < files->len; i++) {
    const File *file = g_ptr_array_index(files, i);
    self->leaves_unit_open |=
        file->format->leaves_unit_open && g_strv_contains((const char *const *)paths, file->path);
  }
  progress->part = 1.0 - progress->begin;
  self->trajectory =
      debye_trajectory_open((const char *const *)paths, get_binding_topology(self, structures, paths),
                            get_report(progress), progress, error);
  if (self->trajectory == NULL)
    return FALSE;
  gsize n_atoms = debye_trajectory_get_n_atoms(self->trajectory);
  g_autofree char *name = debye_error_name_file(paths[0]);
  if (self->topology == NULL) {
    self->topology = make_unnamed_topology(n_atoms);
    debye_dataset_warn(self->remarks,
                       "%s has coordinates only: its %" G_GSIZE_FORMAT " atoms have no names, elements or "
                       "charges",
                       name, n_atoms);
    return TRUE;
  }
  File *structure = g_ptr_array_index(structures, 0);
  if (n_atoms > debye_topology_get_n_atoms(self->topology) && structure->format->read_all_atoms != NULL &&
      !read_all_atoms(self, structure, n_atoms, error))
    return FALSE;
  if (n_atoms != debye_topology_get_n_atoms(self->topology))
    return set_mismatch(error, name, n_atoms, structure->name, debye_topology_get_n_atoms(self->topology));
  return TRUE;
}

/* The first frame is read at once: one that can't be is an error, and coordinates that are no numbers would
 * make a picture, a map and a mean wrong without a word. */
static gboolean
check_first_frame(DebyeDataset *self, Progress *progress, GError **error)
{
  if (self->trajectory == NULL)
    return TRUE;
  gsize n_atoms = debye_trajectory_get_n_atoms(self->trajectory);
  g_autoptr(DebyeTrajectoryReader) reader = debye_trajectory_reader_new(self->trajectory, error);
  g_autoptr(DebyeFrame) frame = debye_frame_new(n_atoms);
  if (frame == NULL) {
    g_clear_error(error);
    return debye_error_set_memory(error, NULL, n_atoms, "atoms");
  }
  if (reader == NULL)
    return FALSE;
  progress->begin = 1.0;
  progress->part = 0.0;
  debye_trajectory_reader_watch(reader, get_report(progress), progress);
  if (!debye_trajectory_reader_read(reader, 0, frame, error))
    return FALSE;
  /* Of atoms that aren't there the trajectory has told. */
  if (frame->n_bad > 3 * frame->n_absent)
    debye_dataset_warn(self->remarks,
                       "frame 0: %" G_GSIZE_FORMAT
                       " coordinates are not numbers; the first belongs to atom %" G_GSIZE_FORMAT,
                       frame->n_bad - 3 * frame->n_absent, frame->first_bad_atom);
  /* The plan of an analysis asks for it next. */
  debye_trajectory_keep_frame(self->trajectory, frame);
  return TRUE;
}

/* --- Opening --- */

static char *
make_name(GPtrArray *files)
{
  g_autoptr(GString) name = g_string_new(NULL);
  for (guint i = 0; i < files->len; i++) {
    const File *file = g_ptr_array_index(files, i);
    g_string_append_printf(name, "%s%s", i > 0 ? " + " : "", file->title);
  }
  return g_string_free(g_steal_pointer(&name), FALSE);
}

DebyeDataset *
debye_dataset_open(const char *const *paths, DebyeProgressFunc progress, gpointer data, GError **error)
{
  g_autoptr(DebyeDataset) self = g_object_new(DEBYE_TYPE_DATASET, NULL);
  if (paths == NULL || paths[0] == NULL)
    return debye_null(debye_error_set(error, DEBYE_ERROR_MISSING, "expected a file to open, found none"));
  Progress way = make_progress(paths, progress, data);
  g_autoptr(GPtrArray) files = open_files(self, paths, &way, error);
  if (files == NULL)
    return NULL;
  self->paths = g_strdupv((char **)paths);
  self->name = make_name(files);
  g_autoptr(GPtrArray) structures = sort_structures(files);
  if (!choose_topology(self, structures, error) || !open_trajectory(self, files, structures, &way, error))
    return NULL;
  if (!check_first_frame(self, &way, error))
    return NULL;
  self->is_named = structures->len > 0;
  self->of_files = g_steal_pointer(&self->topology);
  self->topology = debye_topology_choose_altloc(self->of_files, self->altloc);
  self->choices = g_new0(char *, 1);
  debye_dataset_collect_warnings(self);
  return g_steal_pointer(&self);
}
