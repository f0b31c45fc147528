/* SPDX-License-Identifier: MIT */
/* Implementation of classroom_exercise.h; used by window_classroom.c and debye-cli's bench_bins.c. */
#include "classroom_exercise.h"

#include <errno.h>
#include <glib/gi18n.h>
#include <glib/gstdio.h>
#include <string.h>

#include "data/files/error.h"

/* --- Gaps --- */

static char *
strip(const char *line)
{
  return g_strstrip(g_strdup(line));
}

/* What may be left out: no brace alone, no condition of the preprocessor, nothing empty. */
static gboolean
is_statement(const char *stripped)
{
  return *stripped != '\0' && *stripped != '#' && strspn(stripped, "{} ;") < strlen(stripped) &&
         !g_str_has_prefix(stripped, "(void)");
}

/* Whether more blocks begin in the line than end, but for one that ends where it begins: "} else {". */
static gboolean
opens_block(const char *stripped)
{
  int n = 0;
  for (const char *letter = stripped + (*stripped == '}'); *letter != '\0'; letter++)
    n += (*letter == '{') - (*letter == '}');
  return n > 0;
}

/* No loop that counts by more than one. */
static gboolean
is_sum(const char *stripped)
{
  return (strstr(stripped, "+=") != NULL && !opens_block(stripped)) ||
         strstr(stripped, "atomicAdd") != NULL || g_str_has_suffix(stripped, "++;") ||
         g_str_has_suffix(stripped, " + 1;");
}

static GHashTable *
list_lines(const char *text)
{
  GHashTable *lines = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
  g_auto(GStrv) split = g_strsplit(text != NULL ? text : "", "\n", -1);
  for (char **line = split; *line != NULL; line++)
    g_hash_table_add(lines, strip(*line));
  return lines;
}

/* As far indented as the first of the lines that are left out. */
static void
end_gap(GString *out, const char *first, guint *n_lines)
{
  if (*n_lines > 0)
    g_string_append_printf(out, "%.*s/* gap of %u %s */\n", (int)strspn(first, " "), first, *n_lines,
                           *n_lines == 1 ? "line" : "lines");
  *n_lines = 0;
}

/* Whether the line is left out: with the line that opens a block the one that closes it, so that braces of what is left match.
 * `blocks` has for each block that is open whether its first line is left out. */
static gboolean
is_left_out(GByteArray *blocks, const char *stripped, gboolean is_wanted)
{
  const gboolean closes = *stripped == '}' && blocks->len > 0;
  const gboolean left_out = closes ? blocks->data[blocks->len - 1] : is_wanted && is_statement(stripped);
  const guint8 opens = (guint8)left_out;
  if (closes)
    g_byte_array_set_size(blocks, blocks->len - 1);
  if (opens_block(stripped))
    g_byte_array_append(blocks, &opens, 1);
  return left_out;
}

/* The listing without what is new in it: within functions, runs of lines that `before` doesn't have are a comment that counts
 * them; with the line that opens a block the one that closes it. `before` NULL, or nothing is new: without the lines that add
 * to a sum. Free with g_free. */
static char *
leave_gaps(const char *text, const char *before)
{
  g_autoptr(GHashTable) known = list_lines(before);
  g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
  g_autoptr(GByteArray) blocks = g_byte_array_new();
  GString *out = g_string_new(NULL);
  const char *first = "";
  guint n_left_out = 0;
  gboolean is_inside = FALSE;
  for (char **line = lines; *line != NULL && (line[1] != NULL || **line != '\0'); line++) {
    g_autofree char *stripped = strip(*line);
    const gboolean is_new = before != NULL ? !g_hash_table_contains(known, stripped) : is_sum(stripped);
    is_inside = (is_inside || **line == '{') && **line != '}';
    if (is_left_out(blocks, stripped, is_inside && **line != '{' && is_new)) {
      first = n_left_out++ == 0 ? *line : first;
      continue;
    }
    end_gap(out, first, &n_left_out);
    g_string_append_printf(out, "%s\n", *line);
  }
  if (before == NULL || strstr(out->str, "/* gap of") != NULL)
    return g_string_free(out, FALSE);
  g_string_free(out, TRUE);
  return leave_gaps(text, NULL);
}

/* --- Files --- */

static gboolean
make_folder(const char *path, GError **error)
{
  if (g_mkdir_with_parents(path, 0777) == 0)
    return TRUE;
  debye_error_set(error, DEBYE_ERROR_MISSING, "%s: the folder can't be created: %s", path, g_strerror(errno));
  return FALSE;
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
    g_autofree char *gaps = leave_gaps(text, before);
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
                     "adds to the one before it; its comment gives their number. The complete files are in "
                     "answer/. Below each version is the command that compiles it."));
  g_string_append(readme, "\n\n");
  if (!write_family(kind, debye_ladder_cpu_variants, DEBYE_LADDER_N_CPU, folder, readme, error) ||
      !write_family(kind, debye_ladder_cuda_variants, DEBYE_LADDER_N_CUDA, folder, readme, error))
    return FALSE;
  g_autofree char *path = g_build_filename(folder, "README.txt", NULL);
  return g_file_set_contents(path, readme->str, -1, error);
}
