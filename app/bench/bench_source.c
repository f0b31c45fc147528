/* SPDX-License-Identifier: MIT */
/* What a source of the class is: its text, its family, its macros; called by debye-cli bench and the class
 * room. */
#include "bench_source_private.h"

#include <string.h>

#include "data/files/error.h"

#define MAX_BYTES ((gsize)1 << 20)

/* FALSE where it has none, or those of two. */
static gboolean
find_family(DebyeBenchSource *source)
{
  guint n = 0;
  for (int kind = 0; kind < DEBYE_LADDER_N_KINDS; kind++) {
    g_autofree char *pattern =
        g_strdup_printf("\\b%s\\s*\\(", debye_bench_source_name_function((DebyeLadderKind)kind));
    if (!g_regex_match_simple(pattern, source->text, 0, 0))
      continue;
    source->kind = (DebyeLadderKind)kind;
    n++;
  }
  return n == 1;
}

/* Whether it can be run: its family is known. */
static gboolean
check_family(DebyeBenchSource *source, GError **error)
{
  if (find_family(source))
    return TRUE;
  return debye_error_set_of_file(
      error, DEBYE_ERROR_SYNTAX, source->name,
      "expected one of the functions sum_slice, sum_regions, count_pairs, compute_series, compute_orbital, "
      "sample_planes and fill_voxels; debye-cli bench --show grid-outer prints an example");
}

gboolean
debye_bench_source_take(DebyeBenchSource *source, const char *name, const char *text, GError **error)
{
  *source = (DebyeBenchSource){.name = g_strdup(name),
                               .text = g_strdup(text),
                               .is_cuda = g_str_has_suffix(name, ".cu"),
                               .definitions = g_ptr_array_new_with_free_func(g_free)};
  if (strlen(text) > MAX_BYTES)
    return debye_error_set_of_file(error, DEBYE_ERROR_SYNTAX, source->name,
                                   "expected C source text of at most 1 MiB");
  return check_family(source, error);
}

/* FALSE with an error: the file can't be read, or no function of it is one that is called. */
static gboolean
read_source(DebyeBenchSource *source, const char *path, GError **error)
{
  g_autofree char *name = debye_error_name_file(path), *text = NULL;
  gsize n_bytes = 0;
  *source = (DebyeBenchSource){0};
  if (!g_file_get_contents(path, &text, &n_bytes, error))
    return FALSE;
  if (strlen(text) == n_bytes)
    return debye_bench_source_take(source, name, text, error);
  return debye_error_set_of_file(error, DEBYE_ERROR_SYNTAX, name, "expected C source text of at most 1 MiB");
}

gboolean
debye_bench_source_define(DebyeBenchSource *source, const char *option, const char *macro, gint64 value,
                          GError **error)
{
  g_autofree char *pattern = g_strdup_printf("^[ \\t]*#[ \\t]*ifndef[ \\t]+%s\\b", macro);
  if (g_regex_match_simple(pattern, source->text, G_REGEX_MULTILINE, 0)) {
    g_ptr_array_add(source->definitions, g_strdup_printf("%s=%" G_GINT64_FORMAT, macro, value));
    return TRUE;
  }
  return debye_error_set_of_file(
      error, DEBYE_ERROR_SETTING, source->name,
      "%s needs a macro %s with a default: lines “#ifndef %s”, “#define %s …” and “#endif”", option, macro,
      macro, macro);
}

void
debye_bench_source_clear(DebyeBenchSource *source)
{
  g_free(source->name);
  g_free(source->text);
  g_clear_pointer(&source->definitions, g_ptr_array_unref);
  *source = (DebyeBenchSource){0};
}

void
debye_bench_verdict_clear(DebyeBenchVerdict *verdict)
{
  g_clear_error(&verdict->problem);
  g_free(verdict->worst);
  debye_bench_result_clear(&verdict->result);
  *verdict = (DebyeBenchVerdict){0};
}

gboolean
debye_bench_source_read_settings(const DebyeBenchSourceSettings *settings, DebyeBenchSource *source,
                                 GError **error)
{
  const struct {
    const char *option, *macro;
    gint64 value;
  } macros[] = {
      {"--block", "BLOCK", settings->block},
      {"--unroll", "UNROLL", settings->unroll},
      {"--points-per-thread", "POINTS", settings->points},
      {"--tile", "TILE", settings->tile},
      {"--chunk", "CHUNK", settings->chunk},
      {"--atom-block", "ATOMS", settings->atom_block},
  };
  if (settings->source != NULL && !read_source(source, settings->source, error))
    return FALSE;
  for (gsize i = 0; i < G_N_ELEMENTS(macros); i++) {
    if (macros[i].value > 0 && settings->source == NULL)
      return debye_error_set(error, DEBYE_ERROR_SETTING,
                             "bench: %s: expected --source, whose macro %s it sets", macros[i].option,
                             macros[i].macro);
    if (macros[i].value > 0 &&
        !debye_bench_source_define(source, macros[i].option, macros[i].macro, macros[i].value, error))
      return FALSE;
  }
  return TRUE;
}

const char *
debye_bench_source_get_kernel(const DebyeBenchSource *source)
{
  return debye_bench_source_find_family(source->kind)->kernel;
}

const char *
debye_bench_source_name_function(DebyeLadderKind kind)
{
  return debye_bench_source_find_family(kind)->function;
}

gboolean
debye_bench_source_check_kind(const DebyeBenchSource *source, DebyeLadderKind kind, GError **error)
{
  if (source->kind == kind)
    return TRUE;
  return debye_error_set_of_file(
      error, DEBYE_ERROR_VALUE, source->name,
      "this lesson's kernel is the function “%s”, but the source has “%s”, which belongs to another lesson",
      debye_bench_source_name_function(kind), debye_bench_source_name_function(source->kind));
}
