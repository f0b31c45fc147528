/* SPDX-License-Identifier: MIT */
/* The list of all file formats, and detection of a file's format; called by dataset.c and trajectory.c. */
#include "format_list.h"

#include "data/files/error.h"
#include "data/files/input_packed.h"

#include <string.h>

#define HEAD_SIZE 65536

#define ADDRESS_OF(name) &debye_format_##name,

const DebyeFormat *const *
debye_format_list(void)
{
  static const DebyeFormat *const formats[] = {DEBYE_FORMATS(ADDRESS_OF) NULL};
  return formats;
}

/* What is read may be compressed: "run.1.xyz.gz" ends in "xyz" then. */
static char *
get_suffix(const char *path, gboolean may_be_compressed)
{
  g_autofree char *name = g_path_get_basename(path);
  g_autofree char *lower = g_ascii_strdown(name, -1);
  if (may_be_compressed)
    debye_packing_strip_ending(lower);
  const char *dot = strrchr(lower, '.');
  return g_strdup(dot != NULL ? dot + 1 : "");
}

static gboolean
has_suffix(const DebyeFormat *format, const char *suffix)
{
  return format->suffixes != NULL && g_strv_contains(format->suffixes, suffix);
}

/* Of those that are read; or the endings of those that are written. */
static char *
join_names(gboolean only_written)
{
  g_autoptr(GString) names = g_string_new(NULL);
  for (const DebyeFormat *const *format = debye_format_list(); *format != NULL; format++)
    if (only_written ? (*format)->writer_new != NULL : (*format)->probe != NULL)
      g_string_append_printf(names, "%s%s%s", names->len > 0 ? ", " : "", only_written ? "." : "",
                             only_written ? (*format)->suffixes[0] : (*format)->name);
  return g_string_free(g_steal_pointer(&names), FALSE);
}

static const DebyeFormat *
find_best(DebyeInput *input, const guint8 *head, gsize n, const char *suffix)
{
  const DebyeFormat *best = NULL;
  int best_score = 0;
  for (const DebyeFormat *const *format = debye_format_list(); *format != NULL; format++) {
    int score = (*format)->probe != NULL ? (*format)->probe(head, n) : 0;
    if (score > 0 && (*format)->look != NULL)
      score = (*format)->look(input);
    gboolean wins_tie =
        score > 0 && score == best_score && has_suffix(*format, suffix) && !has_suffix(best, suffix);
    if (score > best_score || wins_tie) {
      best = *format;
      best_score = score;
    }
  }
  return best;
}

/* A container: what it holds wasn't known, and that is what a person should hear. */
static gboolean
is_hdf5(const guint8 *head, gsize n)
{
  static const guint8 signature[8] = {0x89, 'H', 'D', 'F', '\r', '\n', 0x1a, '\n'};
  return n >= sizeof signature && memcmp(head, signature, sizeof signature) == 0;
}

const DebyeFormat *
debye_format_detect(DebyeInput *input, GError **error)
{
  g_autofree guint8 *head = g_malloc(HEAD_SIZE);
  gssize n = debye_input_read_some(input, 0, head, HEAD_SIZE, error);
  if (n < 0)
    return NULL;
  if (n == 0)
    return debye_null(debye_input_set_error(input, error, DEBYE_ERROR_UNKNOWN, "the file is empty"));
  g_autofree char *suffix = get_suffix(debye_input_get_path(input), TRUE);
  const DebyeFormat *format = find_best(input, head, (gsize)n, suffix);
  if (format == NULL) {
    g_autofree char *names = join_names(FALSE);
    debye_input_set_error(input, error, DEBYE_ERROR_UNKNOWN,
                          is_hdf5(head, (gsize)n) ? "the HDF5 content is of no known format (looked for %s)"
                                                  : "the content is of no known format (looked for %s)",
                          names);
  }
  return debye_input_confirm(input, format != NULL, error) ? format : NULL;
}

const DebyeFormat *
debye_format_for_writing(const char *path, GError **error)
{
  g_autofree char *suffix = get_suffix(path, FALSE);
  for (const DebyeFormat *const *format = debye_format_list(); *format != NULL; format++)
    if ((*format)->writer_new != NULL && has_suffix(*format, suffix))
      return *format;
  g_autofree char *name = debye_error_name_file(path);
  g_autofree char *names = join_names(TRUE);
  debye_error_set(error, DEBYE_ERROR_WRITE, "%s: expected a name that ends in one of %s", name, names);
  return NULL;
}
