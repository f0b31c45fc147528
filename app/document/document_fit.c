/* SPDX-License-Identifier: MIT */
/* Finds which of several files belong to one structure; called by document.c when they don't all do. */
#include "document_private.h"

#include "data/files/error.h"
#include "data/messages/message.h"
#include "data/trajectory/format_list.h"

static gboolean
has_topology(const char *path)
{
  g_autoptr(DebyeInput) input = debye_input_open(path, NULL);
  const DebyeFormat *format = input != NULL ? debye_format_detect(input, NULL) : NULL;
  return format != NULL && format->read_topology != NULL;
}

static const char *
find_structure(const char *const *paths)
{
  while (*paths != NULL && !has_topology(*paths))
    paths++;
  return *paths;
}

/* With a first frame that can be read, where there are frames. */
static gboolean
opens(const char *structure, const char *other, DebyeProgressFunc progress, gpointer data, GError **error)
{
  const char *const paths[] = {structure, other, NULL};
  g_autoptr(DebyeDataset) dataset = debye_dataset_open(paths, progress, data, error);
  DebyeTrajectory *trajectory = dataset != NULL ? debye_dataset_get_trajectory(dataset) : NULL;
  if (trajectory == NULL || debye_trajectory_get_n_frames(trajectory) == 0)
    return dataset != NULL;
  g_autoptr(DebyeFrame) frame = debye_document_read_frame(trajectory, 0, error);
  return frame != NULL;
}

/* What says nothing about the file. */
static gboolean
is_about_the_run(const GError *error)
{
  return error->domain != DEBYE_ERROR || error->code == DEBYE_ERROR_MEMORY;
}

char **
debye_document_find_fitting(const char *const *paths, GPtrArray *left_out, GPtrArray *reasons,
                            DebyeProgressFunc progress, gpointer data)
{
  const char *structure = find_structure(paths);
  if (structure == NULL || !opens(structure, NULL, progress, data, NULL))
    return NULL;
  g_autoptr(GStrvBuilder) builder = g_strv_builder_new();
  for (; *paths != NULL; paths++) {
    g_autoptr(GError) error = NULL;
    if (*paths == structure || opens(structure, *paths, progress, data, &error)) {
      g_strv_builder_add(builder, *paths);
      continue;
    }
    if (is_about_the_run(error))
      return NULL;
    g_ptr_array_add(left_out, g_strdup(*paths));
    g_ptr_array_add(reasons, debye_say("Left out: %s", error->message));
  }
  return g_strv_builder_end(builder);
}
