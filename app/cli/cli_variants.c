/* SPDX-License-Identifier: MIT */
/* Lists the teaching variants and prints their code; called by command_bench.c. */
#include "cli_variants.h"

#include <stdio.h>
#include <string.h>

#include "app/document/json_writer.h"
#include "command.h"
#include "kernels/ladder/ladder.h"

typedef struct {
  const char *name; /* as of --device */
  const DebyeLadderVariant *variants;
  gsize n_variants;
} BackEnd;

static const BackEnd back_ends[] = {
    {"cpu", debye_ladder_cpu_variants, DEBYE_LADDER_N_CPU},
    {"cuda", debye_ladder_cuda_variants, DEBYE_LADDER_N_CUDA},
};

/* In the order of the list. */
static const struct {
  DebyeLadderKind kind;
  const char *name, *title;
} families[] = {
    {DEBYE_LADDER_MAP, "direct", "Direct sum"},
    {DEBYE_LADDER_COUNT, "histogram", "Pair distances"},
};

typedef void (*VisitVariant)(const char *family, const BackEnd *back_end, const DebyeLadderVariant *variant,
                             gpointer data);

static void
visit_family(gsize family, VisitVariant visit, gpointer data)
{
  for (gsize i = 0; i < G_N_ELEMENTS(back_ends); i++)
    for (gsize variant = 0; variant < back_ends[i].n_variants; variant++)
      if (back_ends[i].variants[variant].kind == families[family].kind)
        visit(families[family].name, &back_ends[i], &back_ends[i].variants[variant], data);
}

/* --- The list --- */

/* "[lecture: 33.4·10^9 evals/s of 7.75 operations, …]" */
static char *
describe_lecture(const DebyeLadderFigure *lecture)
{
  char rate[G_ASCII_DTOSTR_BUF_SIZE], operations[G_ASCII_DTOSTR_BUF_SIZE];
  if (lecture->rate <= 0.0)
    return g_strdup("");
  g_ascii_formatd(rate, sizeof rate, "%.4g", lecture->rate / 1e9);
  g_ascii_formatd(operations, sizeof operations, "%.4g", lecture->operations);
  return g_strdup_printf("  [lecture: %s·10^9 evals/s of %s operations, 1/√ as two; %s]", rate, operations,
                         lecture->device != NULL ? lecture->device : "device not stated");
}

static void
print_variant(const char *family, const BackEnd *back_end, const DebyeLadderVariant *variant, gpointer data)
{
  g_autofree char *lecture = describe_lecture(&variant->lecture);
  char operations[G_ASCII_DTOSTR_BUF_SIZE];
  (void)family, (void)data;
  g_ascii_formatd(operations, sizeof operations, "%.4g", variant->operations);
  printf("  %-4s  %-17s %5s  %s%s%s\n", back_end->name, variant->id, operations, variant->title,
         variant->is_legacy ? " (legacy)" : "", lecture);
}

static void
add_json_variant(const char *family, const BackEnd *back_end, const DebyeLadderVariant *variant,
                 gpointer data)
{
  DebyeJson *json = data;
  debye_json_open(json, NULL, '{');
  debye_json_string(json, "family", family);
  debye_json_string(json, "back_end", back_end->name);
  debye_json_string(json, "variant", variant->id);
  debye_json_string(json, "title", variant->title);
  debye_json_string(json, "lesson", variant->lesson);
  debye_json_boolean(json, "legacy", variant->is_legacy);
  debye_json_string(json, "source", variant->source);
  debye_json_number(json, "flops_per_eval", variant->operations);
  if (variant->lecture.rate > 0.0) {
    debye_json_open(json, "lecture", '{');
    debye_json_number(json, "evals_per_second", variant->lecture.rate);
    debye_json_number(json, "flops_per_eval", variant->lecture.operations);
    debye_json_string(json, "device", variant->lecture.device);
    debye_json_close(json, '}');
  }
  debye_json_close(json, '}');
}

static void
print_json_list(void)
{
  g_auto(DebyeJson) json;
  debye_json_init(&json);
  debye_json_open(&json, NULL, '{');
  debye_json_open(&json, "variants", '[');
  for (gsize family = 0; family < G_N_ELEMENTS(families); family++)
    visit_family(family, add_json_variant, &json);
  debye_json_close(&json, ']');
  debye_json_close(&json, '}');
  debye_json_print(&json);
}

void
debye_cli_print_variants(gboolean json)
{
  if (json) {
    print_json_list();
    return;
  }
  for (gsize family = 0; family < G_N_ELEMENTS(families); family++) {
    printf("%s%s (%s): back end, variant, operations of an evaluation (a root or a division is one)\n",
           family > 0 ? "\n" : "", families[family].title, families[family].name);
    visit_family(family, print_variant, NULL);
  }
}

/* --- Code --- */

typedef struct {
  const char *id;
  gboolean has_variant;
  GPtrArray *found; /* const DebyeLadderVariant, those with code */
} Search;

static void
find_variant(const char *family, const BackEnd *back_end, const DebyeLadderVariant *variant, gpointer data)
{
  Search *search = data;
  (void)family, (void)back_end;
  if (strcmp(variant->id, search->id) != 0)
    return;
  search->has_variant = TRUE;
  if (variant->source != NULL)
    g_ptr_array_add(search->found, (gpointer)variant);
}

static void
print_json_sources(const GPtrArray *found)
{
  g_auto(DebyeJson) json;
  debye_json_init(&json);
  debye_json_open(&json, NULL, '{');
  debye_json_open(&json, "sources", '[');
  for (guint i = 0; i < found->len; i++) {
    const DebyeLadderVariant *variant = g_ptr_array_index(found, i);
    debye_json_open(&json, NULL, '{');
    debye_json_string(&json, "source", variant->source);
    debye_json_string(&json, "text", debye_ladder_source_text(variant->source));
    debye_json_close(&json, '}');
  }
  debye_json_close(&json, ']');
  debye_json_close(&json, '}');
  debye_json_print(&json);
}

gboolean
debye_cli_print_source(const char *id, gboolean json, GError **error)
{
  g_autoptr(GPtrArray) found = g_ptr_array_new();
  Search search = {.id = id, .found = found};
  for (gsize family = 0; family < G_N_ELEMENTS(families); family++)
    visit_family(family, find_variant, &search);
  if (found->len == 0) {
    g_set_error(error, DEBYE_USAGE_ERROR, 0,
                search.has_variant
                    ? "bench: --show: “%s” is more than one file, in kernels/ of Debye's source code; "
                      "expected one of the other variants of bench --list"
                    : "bench: --show: expected a teaching variant of bench --list, found “%s”",
                id);
    return FALSE;
  }
  if (json)
    print_json_sources(found);
  for (guint i = 0; i < found->len && !json; i++) {
    const DebyeLadderVariant *variant = g_ptr_array_index(found, i);
    printf("%s/* %s */\n%s", i > 0 ? "\n" : "", variant->source, debye_ladder_source_text(variant->source));
  }
  return TRUE;
}
