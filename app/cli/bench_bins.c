/* SPDX-License-Identifier: MIT */
/* What debye-cli bench makes for the class room: --bins, how atoms fill the bins of a cutoff, with a figure of it,
 * --exercise, --list and --show; called by command_bench.c. */
#include "bench_report.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app/classroom/classroom_bin_plots.h"
#include "app/classroom/classroom_exercise.h"
#include "app/classroom/classroom_levels.h"
#include "app/classroom/classroom_problem.h"
#include "app/classroom/classroom_record.h"
#include "app/document/json_writer.h"
#include "plot_output.h"
#include "render/plot/plot_cairo.h"

#define MADE_UP_ATOMS ((gsize)20000)

/* --- Figures --- */

static DebyePlot *
plot_smoothing(DebyeClassroomRecord *record)
{
  return debye_classroom_plot_smoothing(record->choice.cutoff);
}

static DebyePlot *
plot_split(DebyeClassroomRecord *record G_GNUC_UNUSED)
{
  DebyeMultilevel multilevel;
  return debye_classroom_choose_split(&multilevel) ? debye_classroom_plot_split(&multilevel)
                                                   : debye_plot_new();
}

static const struct {
  const char *name;
  DebyePlot *(*plot)(DebyeClassroomRecord *record); /* NULL: the map of a part of 1/d, */
  guint part;                                       /* its number */
} figures[] = {
    {"neighbours", debye_classroom_plot_neighbours, 0},
    {"filling", debye_classroom_plot_filling, 0},
    {"capacity", debye_classroom_plot_capacity, 0},
    {"reuse", debye_classroom_plot_reuse, 0},
    {"cutoff", debye_classroom_plot_cutoffs, 0},
    {"within", debye_classroom_plot_within, 0},
    {"spacing", debye_classroom_plot_spacings, 0},
    {"smoothing", plot_smoothing, 0},
    {"split", plot_split, 0},
    {"short", NULL, 0},
    {"level-1", NULL, 1},
    {"level-2", NULL, 2},
    {"rest", NULL, 3},
};

static gsize
find_figure(const char *name)
{
  gsize i = 0;
  while (i < G_N_ELEMENTS(figures) && strcmp(figures[i].name, name) != 0)
    i++;
  return i;
}

gboolean
debye_bench_bins_check(const char *figure, GError **error)
{
  if (find_figure(figure) < G_N_ELEMENTS(figures))
    return TRUE;
  g_autoptr(GString) names = g_string_new(NULL);
  for (gsize i = 0; i < G_N_ELEMENTS(figures); i++)
    g_string_append_printf(names, "%s%s", i > 0 ? ", " : "", figures[i].name);
  return debye_usage_refuse(error, "bench: --bins: expected one of %s, found “%s”", names->str, figure);
}

/* --- As a table --- */

static void
print_row(const DebyeClassroomBinChoice *choice, const DebyeClassroomBins *row)
{
  debye_bench_print_number(6, "%g", row->edge);
  printf(" %5u %7" G_GUINT64_FORMAT, row->neighbours.reach, row->neighbours.n_cube);
  debye_bench_print_number(9, "%.1f", 100.0 * row->neighbours.valid_cube);
  printf(" %7" G_GUINT64_FORMAT, row->neighbours.n_sphere);
  debye_bench_print_number(9, "%.1f", 100.0 * row->neighbours.valid_sphere);
  debye_bench_print_number(9, "%.3g", row->mean);
  debye_bench_print_number(11, "%.2f", 100.0 * row->covered);
  debye_bench_print_number(9, "%.1f", 100.0 * row->filled);
  debye_bench_print_number(8, "%.3g", debye_classroom_find_reuse(choice, row));
  printf("\n");
}

static void
print_filling(DebyeClassroomRecord *record)
{
  printf("bins of");
  debye_bench_print_number(0, "%g", record->choice.edge);
  printf(" Å with 0, 1, 2, … atoms:");
  for (guint i = 0; i < record->bins_with->len; i++)
    printf(" %" G_GUINT64_FORMAT, g_array_index(record->bins_with, guint64, i));
  printf("\n");
}

static void
print_table(DebyeClassroomRecord *record)
{
  const DebyeClassroomBinChoice *choice = &record->choice;
  printf("%s; cutoff", record->subject);
  debye_bench_print_number(0, "%g", choice->cutoff);
  printf(" Å, spacing");
  debye_bench_print_number(0, "%g", choice->spacing);
  printf(" Å, %u slots per bin\n", choice->capacity);
  printf(" %6s %5s %7s %9s %7s %9s %9s %11s %9s %8s\n", "edge", "Δmax", "cube", "% valid", "sphere",
         "% valid", "mean", "% covered", "% filled", "reuse");
  for (guint i = 0; i < record->bins->len; i++) {
    const DebyeClassroomBins *row = &g_array_index(record->bins, DebyeClassroomBins, i);
    if (fmod(row->edge, 1.0) == 0.0 || row->edge == choice->edge)
      print_row(choice, row);
  }
  if (record->bins_with->len > 0)
    print_filling(record);
  printf("atoms within the cutoff of an atom:");
  debye_bench_print_number(0, "%.0f", choice->within);
  printf("; 95 %% of the atoms have a slot up to an edge of");
  debye_bench_print_number(0, "%g", debye_classroom_record_find_largest_edge(record));
  printf(" Å\n");
}

/* --- As JSON --- */

static void
add_row(DebyeJson *json, const DebyeClassroomBinChoice *choice, const DebyeClassroomBins *row)
{
  debye_json_open(json, NULL, '{');
  debye_json_number(json, "edge", row->edge);
  debye_json_integer(json, "reach", row->neighbours.reach);
  debye_json_integer(json, "bins_cube", (gint64)row->neighbours.n_cube);
  debye_json_integer(json, "bins_sphere", (gint64)row->neighbours.n_sphere);
  debye_json_number(json, "valid_cube", row->neighbours.valid_cube);
  debye_json_number(json, "valid_sphere", row->neighbours.valid_sphere);
  debye_json_number(json, "mean", row->mean);
  debye_json_number(json, "covered", row->covered);
  debye_json_number(json, "filled", row->filled);
  debye_json_number(json, "reuse", debye_classroom_find_reuse(choice, row));
  debye_json_close(json, '}');
}

static void
print_json(DebyeClassroomRecord *record)
{
  g_auto(DebyeJson) json = debye_json_begin();
  debye_json_number(&json, "cutoff", record->choice.cutoff);
  debye_json_number(&json, "spacing", record->choice.spacing);
  debye_json_integer(&json, "capacity", record->choice.capacity);
  debye_json_number(&json, "within", record->choice.within);
  debye_json_open(&json, "bins", '[');
  for (guint i = 0; i < record->bins->len; i++)
    add_row(&json, &record->choice, &g_array_index(record->bins, DebyeClassroomBins, i));
  debye_json_close(&json, ']');
  debye_json_open(&json, "bins_with", '[');
  for (guint i = 0; i < record->bins_with->len; i++)
    debye_json_integer(&json, NULL, (gint64)g_array_index(record->bins_with, guint64, i));
  debye_json_close(&json, ']');
  debye_json_print(&json);
}

/* --- All --- */

/* As the class room has it; `atoms` NULL: made-up ones. */
static DebyeBenchProblem *
create_problem(const DebyeBenchAtoms *atoms, GError **error)
{
  g_autofree char *subject = NULL;
  if (atoms == NULL)
    return debye_classroom_problem_new(NULL, NULL, DEBYE_LADDER_MAP, NULL, &subject, error);
  if (!debye_bench_atoms_check_charges(atoms, error))
    return NULL;
  const DebyeCharges charges = {atoms->x, atoms->y, atoms->z, atoms->charge,
                                MIN(atoms->n_atoms, DEBYE_CLASSROOM_MAX_ATOMS)};
  return debye_bench_problem_new_for_charges(&charges, 1000);
}

static gboolean
map_parts(DebyeClassroomRecord *record, const DebyeBenchAtoms *atoms, GError **error)
{
  DebyeMultilevel multilevel;
  g_autoptr(DebyeBenchProblem) problem = create_problem(atoms, error);
  if (problem == NULL)
    return FALSE;
  if (debye_classroom_choose_split(&multilevel))
    debye_classroom_map_parts(record, problem, &multilevel);
  return TRUE;
}

static gboolean
save_figure(DebyeArguments *arguments, DebyeClassroomRecord *record, const char *figure, GError **error)
{
  const gsize number = find_figure(figure);
  g_autoptr(DebyePlot) plot = figures[number].plot != NULL
                                  ? figures[number].plot(record)
                                  : debye_classroom_plot_part(record, figures[number].part);
  return debye_bench_save_figure(arguments, plot, error);
}

gboolean
debye_bench_bins_run(DebyeArguments *arguments, const char *figure, const DebyeClassroomBinChoice *choice,
                     const DebyeBenchAtoms *atoms, GError **error)
{
  g_autoptr(DebyeBenchAtoms) made_up = atoms == NULL ? debye_bench_atoms_new(MADE_UP_ATOMS, 1, error) : NULL;
  const DebyeBenchAtoms *taken = atoms != NULL ? atoms : made_up;
  if (taken == NULL)
    return FALSE;
  const float *const coordinates[3] = {taken->x, taken->y, taken->z};
  g_autofree char *subject =
      g_strdup_printf(atoms != NULL ? "%" G_GSIZE_FORMAT " atoms in the box around them"
                                    : "%" G_GSIZE_FORMAT " made-up atoms",
                      taken->n_atoms);
  g_autoptr(DebyeClassroomRecord) record =
      debye_classroom_count_bins(subject, coordinates, taken->n_atoms, choice, NULL);
  if (figures[find_figure(figure)].plot == NULL && !map_parts(record, atoms, error))
    return FALSE;
  if (debye_arguments_get_options(arguments).json)
    print_json(record);
  else
    print_table(record);
  return save_figure(arguments, record, figure, error);
}

/* --- Exercises --- */

gboolean
debye_bench_save_exercise(const char *kernel, const char *folder, GError **error)
{
  static const struct {
    const char *kernel;
    DebyeLadderKind kind;
  } families[] = {{"direct", DEBYE_LADDER_MAP},      {"cutoff", DEBYE_LADDER_CUTOFF},
                  {"histogram", DEBYE_LADDER_COUNT}, {"self", DEBYE_LADDER_SCATTERING},
                  {"orbital", DEBYE_LADDER_ORBITAL}, {"ligand", DEBYE_LADDER_LIGAND},
                  {"density", DEBYE_LADDER_DENSITY}};
  for (gsize i = 0; i < G_N_ELEMENTS(families); i++)
    if (strcmp(families[i].kernel, kernel) == 0)
      return debye_classroom_save_exercise(families[i].kind, folder, error);
  return debye_usage_refuse(error,
                            "bench: --exercise: expected --kernel direct, cutoff, histogram, self, orbital, "
                            "ligand or density, found %s",
                            kernel);
}

/* --- Teaching variants --- */

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
    {DEBYE_LADDER_CUTOFF, "cutoff", "Cutoff and bins"},
    {DEBYE_LADDER_COUNT, "histogram", "Pair distances"},
    {DEBYE_LADDER_SCATTERING, "scattering", "Scattering"},
    {DEBYE_LADDER_ORBITAL, "orbital", "Orbitals"},
    {DEBYE_LADDER_LIGAND, "ligand", "Ligand sampling"},
    {DEBYE_LADDER_DENSITY, "density", "Densities"},
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

/* In the class room's list and figures; 0: it isn't there. */
static guint
find_number(const BackEnd *back_end, const DebyeLadderVariant *variant)
{
  DebyeClassroomStep step = {0};
  const gboolean is_gpu = strcmp(back_end->name, DEBYE_BACKEND_CPU) != 0;
  if (!variant->is_legacy)
    debye_classroom_step_set_variant(&step, is_gpu, variant->id);
  return step.number;
}

static void
print_variant(const char *family, const BackEnd *back_end, const DebyeLadderVariant *variant, gpointer data)
{
  g_autofree char *lecture = describe_lecture(&variant->lecture);
  char operations[G_ASCII_DTOSTR_BUF_SIZE];
  (void)family, (void)data;
  const guint number = find_number(back_end, variant);
  g_autofree char *numbered = number > 0 ? g_strdup_printf("%u", number) : g_strdup("");
  g_ascii_formatd(operations, sizeof operations, "%.4g", variant->cost.operations);
  printf("  %-4s %2s  %-24s %5s  %s%s%s\n", back_end->name, numbered, variant->id, operations, variant->title,
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
  if (find_number(back_end, variant) > 0)
    debye_json_integer(json, "number", find_number(back_end, variant));
  debye_json_string(json, "title", variant->title);
  debye_json_string(json, "lesson", variant->lesson);
  debye_json_boolean(json, "legacy", variant->is_legacy);
  debye_json_string(json, "source", variant->source);
  debye_json_number(json, "flops_per_eval", variant->cost.operations);
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
  g_auto(DebyeJson) json = debye_json_begin();
  debye_json_open(&json, "variants", '[');
  for (gsize family = 0; family < G_N_ELEMENTS(families); family++)
    visit_family(family, add_json_variant, &json);
  debye_json_close(&json, ']');
  debye_json_print(&json);
}

void
debye_bench_report_print_variants(gboolean json)
{
  if (json) {
    print_json_list();
    return;
  }
  for (gsize family = 0; family < G_N_ELEMENTS(families); family++) {
    printf(
        "%s%s (%s): back end, number, variant, operations of an evaluation (a root or a division is one)\n",
        family > 0 ? "\n" : "", families[family].title, families[family].name);
    visit_family(family, print_variant, NULL);
  }
}

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
  g_auto(DebyeJson) json = debye_json_begin();
  debye_json_open(&json, "sources", '[');
  for (guint i = 0; i < found->len; i++) {
    const DebyeLadderVariant *variant = g_ptr_array_index(found, i);
    debye_json_open(&json, NULL, '{');
    debye_json_string(&json, "source", variant->source);
    debye_json_string(&json, "text", debye_ladder_source_text(variant->source));
    debye_json_close(&json, '}');
  }
  debye_json_close(&json, ']');
  debye_json_print(&json);
}

gboolean
debye_bench_report_print_source(const char *id, gboolean json, GError **error)
{
  g_autoptr(GPtrArray) found = g_ptr_array_new();
  Search search = {.id = id, .found = found};
  for (gsize family = 0; family < G_N_ELEMENTS(families); family++)
    visit_family(family, find_variant, &search);
  if (found->len == 0)
    return debye_usage_refuse(
        error,
        search.has_variant ? "bench: --show: “%s” is more than one file, in kernels/ of Debye's source code; "
                             "expected one of the other variants of bench --list"
                           : "bench: --show: expected a teaching variant of bench --list, found “%s”",
        id);
  if (json)
    print_json_sources(found);
  for (guint i = 0; i < found->len && !json; i++) {
    const DebyeLadderVariant *variant = g_ptr_array_index(found, i);
    /* Of two back ends in one file each compiler takes its own, so that it can be given to --source. */
    const gboolean is_cuda = g_str_has_suffix(variant->source, ".cu");
    const char *begin = found->len < 2 ? "" : is_cuda ? "#ifdef __CUDACC__\n" : "#ifndef __CUDACC__\n";
    printf("%s/* %s */\n%s%s%s", i > 0 ? "\n" : "", variant->source, begin,
           debye_ladder_source_text(variant->source), found->len < 2 ? "" : "#endif\n");
  }
  return TRUE;
}
