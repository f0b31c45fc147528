/* SPDX-License-Identifier: MIT */
/* Implementation of classroom_exercise.h; used by window_classroom.c and debye-cli's bench_bins.c. */
#include "classroom_exercise.h"

#include <errno.h>
#include <glib/gi18n.h>

#include "data/files/error.h"
#include "exercise_gaps.h"

/* --- Files --- */

static gboolean
make_folder(const char *path, GError **error)
{
  return g_mkdir_with_parents(path, 0777) == 0 ||
         debye_error_set(error, DEBYE_ERROR_MISSING, "%s: the folder can't be created: %s", path,
                         g_strerror(errno));
}

static gboolean
write_listing(const char *folder, const char *part, const char *name, const char *text, GError **error)
{
  g_autofree char *inner = g_build_filename(folder, part, NULL), *path = g_build_filename(inner, name, NULL);
  return make_folder(inner, error) && g_file_set_contents(path, text, -1, error);
}

/* One back end's listings, each beside the one before it. */
static gboolean
write_family(DebyeLadderKind kind, const DebyeLadderVariant *variants, gsize n_variants, const char *folder,
             GString *readme, GError **error)
{
  const char *before = NULL;
  for (gsize i = 0; i < n_variants; i++) {
    const char *text = variants[i].source != NULL ? debye_ladder_source_text(variants[i].source) : NULL;
    if (variants[i].kind != kind || variants[i].is_legacy || text == NULL)
      continue;
    g_autofree char *name = g_path_get_basename(variants[i].source);
    g_autofree char *gaps = debye_exercise_leave_gaps(text, before);
    if (!write_listing(folder, "exercise", name, gaps, error) ||
        !write_listing(folder, "answer", name, text, error))
      return FALSE;
    g_string_append_printf(readme, "%s\n    %s\n    %s -O3 -c exercise/%s\n\n", _(variants[i].title),
                           _(variants[i].lesson), g_str_has_suffix(name, ".cu") ? "nvcc" : "cc", name);
    before = text;
  }
  return TRUE;
}

gboolean
debye_classroom_save_exercise(DebyeLadderKind kind, const char *folder, GError **error)
{
  g_autoptr(GString) readme =
      g_string_new(_("Fill in the gaps in the files of exercise/. A gap replaces the lines that a version "
                     "adds to the one before it; its comment gives their number. The files compile as they "
                     "are, with a wrong result; a variable that later lines need is 0. The complete files "
                     "are in answer/. Below each version is the command that compiles it."));
  g_string_append(readme, "\n\n");
  if (!write_family(kind, debye_ladder_cpu_variants, DEBYE_LADDER_N_CPU, folder, readme, error) ||
      !write_family(kind, debye_ladder_cuda_variants, DEBYE_LADDER_N_CUDA, folder, readme, error))
    return FALSE;
  g_autofree char *path = g_build_filename(folder, "README.txt", NULL);
  return g_file_set_contents(path, readme->str, -1, error);
}
