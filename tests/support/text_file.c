/* SPDX-License-Identifier: MIT */
/* Opening small texts, and looking at what came of them. */
#include "text_file.h"

#include "data/files/error.h"

#include <string.h>

static char *
write_text(const DebyeTemporaryFolder *folder, const char *name, const char *text)
{
  return debye_temporary_write(folder, name, text, strlen(text));
}

static DebyeDataset *
open_path(const char *path, GError **error)
{
  const char *paths[] = {path, NULL};
  return debye_dataset_open(paths, NULL, NULL, error);
}

DebyeDataset *
text_file_open(const DebyeTemporaryFolder *folder, const char *name, const char *text)
{
  g_autoptr(GError) error = NULL;
  g_autofree char *path = write_text(folder, name, text);
  DebyeDataset *dataset = open_path(path, &error);
  g_assert_no_error(error);
  return dataset;
}

DebyeDataset *
text_file_open_two(const DebyeTemporaryFolder *folder, const char *first_name, const char *first,
                   const char *second_name, const char *second)
{
  g_autoptr(GError) error = NULL;
  g_autofree char *first_path = write_text(folder, first_name, first);
  g_autofree char *second_path = write_text(folder, second_name, second);
  const char *paths[] = {first_path, second_path, NULL};
  DebyeDataset *dataset = debye_dataset_open(paths, NULL, NULL, &error);
  g_assert_no_error(error);
  return dataset;
}

void
text_file_assert_fails(const DebyeTemporaryFolder *folder, const char *name, const char *text, int code,
                       const char *sentence)
{
  g_autoptr(GError) error = NULL;
  g_autofree char *path = write_text(folder, name, text);
  g_autoptr(DebyeDataset) dataset = open_path(path, &error);
  g_assert_null(dataset);
  g_assert_nonnull(error);
  g_assert_cmpstr(error->message, ==, sentence);
  g_assert_error(error, DEBYE_ERROR, code);
}

static gboolean
read_frame(DebyeDataset *dataset, gsize frame_number, DebyeFrame *frame, GError **error)
{
  DebyeTrajectory *trajectory = debye_dataset_get_trajectory(dataset);
  g_autoptr(DebyeTrajectoryReader) reader = debye_trajectory_reader_new(trajectory, error);
  return reader != NULL && debye_trajectory_reader_read(reader, frame_number, frame, error);
}

static DebyeFrame *
new_frame(DebyeDataset *dataset)
{
  return debye_frame_new(debye_topology_get_n_atoms(debye_dataset_get_topology(dataset)));
}

DebyeFrame *
text_file_read(DebyeDataset *dataset, gsize frame_number)
{
  g_autoptr(GError) error = NULL;
  DebyeFrame *frame = new_frame(dataset);
  gboolean done = read_frame(dataset, frame_number, frame, &error);
  g_assert_no_error(error);
  g_assert_true(done);
  return frame;
}

void
text_file_assert_frame_fails(DebyeDataset *dataset, gsize frame_number, int code, const char *sentence)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(DebyeFrame) frame = new_frame(dataset);
  g_assert_false(read_frame(dataset, frame_number, frame, &error));
  g_assert_nonnull(error);
  g_assert_cmpstr(error->message, ==, sentence);
  g_assert_error(error, DEBYE_ERROR, code);
}

gboolean
text_file_has_warning(DebyeDataset *dataset, const char *text)
{
  for (const char *const *warning = debye_dataset_get_warnings(dataset); *warning != NULL; warning++)
    if (strstr(*warning, text) != NULL)
      return TRUE;
  return FALSE;
}

gsize
text_file_count_warnings(DebyeDataset *dataset)
{
  return g_strv_length((char **)debye_dataset_get_warnings(dataset));
}

static const char *
get_text(DebyeDataset *dataset, const guint32 *codes, gsize atom)
{
  DebyeTopology *topology = debye_dataset_get_topology(dataset);
  return debye_string_pool_get(debye_topology_get_string_pool(topology), codes[atom]);
}

const char *
text_file_get_name(DebyeDataset *dataset, gsize atom)
{
  return get_text(dataset, debye_topology_get_names(debye_dataset_get_topology(dataset)), atom);
}

const char *
text_file_get_type(DebyeDataset *dataset, gsize atom)
{
  return get_text(dataset, debye_topology_get_types(debye_dataset_get_topology(dataset)), atom);
}

const DebyeResidue *
text_file_get_residue(DebyeDataset *dataset, gsize atom)
{
  DebyeTopology *topology = debye_dataset_get_topology(dataset);
  return &debye_topology_get_residue_table(topology)[debye_topology_get_residues(topology)[atom]];
}

void
text_file_assert_position(const DebyeFrame *frame, gsize atom, double x, double y, double z)
{
  g_assert_cmpfloat_with_epsilon((double)frame->x[atom], x, 3.1e-5);
  g_assert_cmpfloat_with_epsilon((double)frame->y[atom], y, 3.1e-5);
  g_assert_cmpfloat_with_epsilon((double)frame->z[atom], z, 3.1e-5);
}

void
text_file_assert_vector(DebyeVec3 v, double x, double y, double z)
{
  g_assert_cmpfloat_with_epsilon(v.x, x, 1e-12 * (1.0 + fabs(x)));
  g_assert_cmpfloat_with_epsilon(v.y, y, 1e-12 * (1.0 + fabs(y)));
  g_assert_cmpfloat_with_epsilon(v.z, z, 1e-12 * (1.0 + fabs(z)));
}
