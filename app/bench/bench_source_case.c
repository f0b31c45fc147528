/* SPDX-License-Identifier: MIT */
/* Parts of a problem as arrays for debye-kernel-runner; used by bench_source_run.c. */
#include "bench_source_private.h"

#include <math.h>

#include "bench_ladder.h"
#include "data/files/error.h"
#include "kernels/ladder/ladder_bins.h"

#define SMALL_ATOMS ((gsize)1000)
#define MAX_COUNTED ((gsize)20000) /* atoms: all pairs are summed once more in double */
#define MAX_EDGE ((gsize)256)      /* points, of the cutoff's cube */
#define LEAST_EDGE ((gsize)8)
#define MAX_BIN_BYTES ((guint64)512 << 20)

/* What single precision rounds: no coordinate of point or atom is larger. */
static void
find_extent(DebyeBenchSourceCase *one, const DebyeLadderFrame *frame)
{
  for (int axis = 0; axis < 3; axis++)
    one->extent = fmax(one->extent, fabs((double)frame->step[axis]) * (double)frame->shape[axis]);
  for (gsize i = 0; i < frame->n_atoms; i++) {
    const DebyeLadderAtom *atom = &frame->atoms[i];
    one->extent =
        fmax(one->extent, fmax(fmax(fabs((double)atom->x), fabs((double)atom->y)), fabs((double)atom->z)));
  }
}

static gboolean
has_failed(DebyeStatusCode code, const DebyeStatus *status, GError **error)
{
  if (code != DEBYE_STATUS_OK)
    debye_error_set(error, DEBYE_ERROR_VALUE, "bench: %s", status->text);
  return code != DEBYE_STATUS_OK;
}

/* The map's first `n_rows` rows; 0: a small piece of it. */
static gboolean
set_direct(DebyeBenchSourceCase *one, gsize n_rows, GError **error)
{
  DebyeLadderFrame frame;
  DebyeStatus status = {0};
  gsize *shape = one->map.grid.shape;
  const gsize in_plane = n_rows > 0 ? shape[1] : MIN(shape[1], 13);
  one->map.charges.n = n_rows > 0 ? one->map.charges.n : MIN(one->map.charges.n, SMALL_ATOMS);
  shape[0] = n_rows > 0 ? shape[0] : MIN(shape[0], 21);
  shape[1] = n_rows > 0 ? MIN(n_rows, in_plane) : in_plane;
  shape[2] = n_rows > 0 ? CLAMP(n_rows / in_plane, 1, shape[2]) : MIN(shape[2], 2);
  const gboolean ok = !has_failed(debye_ladder_frame_init(&frame, &one->map, &status), &status, error);
  if (ok) {
    DebyeRunnerCase *about = &one->about;
    for (int axis = 0; axis < 3; axis++) {
      about->counts[axis] = (int)shape[axis];
      about->reals[axis] = frame.step[axis];
    }
    about->counts[3] = (int)frame.n_atoms;
    about->reals[3] = frame.core2;
    about->scratch_bytes = (3 * frame.n_atoms + shape[1]) * sizeof(float);
    one->n_values = debye_grid_n_points(&one->map.grid);
    one->n_additions = (double)one->map.charges.n;
    find_extent(one, &frame);
    debye_bench_source_case_append(one, frame.atoms, frame.n_atoms * sizeof *frame.atoms);
  }
  debye_ladder_frame_clear(&frame);
  return ok;
}

/* Points in the middle of the map, where bins are as full as they get. */
static void
take_middle(DebyeGrid *grid, gsize edge)
{
  double first[3];
  for (int axis = 0; axis < 3; axis++) {
    const gsize n = MIN(grid->shape[axis], edge > 0 ? edge : (gsize)(11 - axis));
    first[axis] = (double)((grid->shape[axis] - n) / 2);
    grid->shape[axis] = n;
  }
  grid->origin = debye_grid_point(grid, first[0], first[1], first[2]);
}

static void
fill_bins(DebyeBenchSourceCase *one, const DebyeLadderBins *bins)
{
  DebyeRunnerCase *about = &one->about;
  const gsize n_atoms = bins->frame.n_atoms;
  for (int axis = 0; axis < 3; axis++) {
    about->counts[axis] = bins->shape[axis];
    about->reals[axis] = one->step[axis] = bins->step[axis];
  }
  about->counts[3] = (int)n_atoms;
  about->counts[4] = bins->bins[0];
  about->counts[5] = bins->bins[1];
  about->counts[6] = bins->n_offsets;
  about->counts[7] = (int)bins->n_regions;
  about->counts[8] = (int)bins->count.n_overflowing;
  about->reals[3] = bins->core2;
  about->reals[4] = bins->cutoff2;
  debye_bench_source_case_append(one, bins->frame.atoms, n_atoms * sizeof *bins->frame.atoms);
  debye_bench_source_case_append(one, bins->slots,
                                 bins->n_bins * (gsize)bins->capacity * sizeof *bins->slots);
  debye_bench_source_case_append(one, bins->head, bins->n_bins * sizeof *bins->head);
  debye_bench_source_case_append(one, bins->next, n_atoms * sizeof *bins->next);
  debye_bench_source_case_append(one, bins->reach, sizeof bins->reach);
  debye_bench_source_case_append(one, bins->offsets, (gsize)bins->n_offsets * sizeof *bins->offsets);
  debye_bench_source_case_append(one, bins->overflow, bins->count.n_overflowing * sizeof *bins->overflow);
  one->n_values = debye_grid_n_points(&one->map.grid);
  one->n_additions = (double)n_atoms;
  one->n_alternatives = bins->count.n_overflowing > 0 ? 2 : 1;
  g_array_append_vals(one->overflow, bins->overflow, (guint)bins->count.n_overflowing);
  find_extent(one, &bins->frame);
}

/* Many slots in narrow bins leave room for a smaller cube. */
static void
take_cube(DebyeBenchSourceCase *one, gsize edge)
{
  do {
    one->map.grid = one->problem->grid;
    take_middle(&one->map.grid, edge);
    edge /= 2;
  } while (edge >= LEAST_EDGE && debye_ladder_bins_bytes(&one->map) > MAX_BIN_BYTES);
}

static gboolean
set_cutoff(DebyeBenchSourceCase *one, gsize edge, GError **error)
{
  DebyeLadderBins bins;
  DebyeStatus status = {0};
  one->map.cutoff = one->problem->cutoff;
  take_cube(one, MIN(edge, MAX_EDGE));
  const gboolean ok = !has_failed(debye_ladder_bins_init(&bins, &one->map, &status), &status, error);
  if (ok)
    fill_bins(one, &bins);
  debye_ladder_bins_clear(&bins);
  return ok;
}

static gboolean
set_counts(DebyeBenchSourceCase *one, gsize n_atoms, GError **error G_GNUC_UNUSED)
{
  const DebyeBenchProblem *problem = one->problem;
  DebyeRunnerCase *about = &one->about;
  one->pairs =
      (DebyeLadderPairs){.x = problem->x,
                         .y = problem->y,
                         .z = problem->z,
                         .n = MIN(problem->n_atoms, n_atoms > 0 ? MIN(n_atoms, MAX_COUNTED) : SMALL_ATOMS),
                         .r_max = debye_bench_find_range(problem),
                         .n_bins = DEBYE_BENCH_N_BINS,
                         .edge = {problem->edge[0], problem->edge[1], problem->edge[2]}};
  one->has_scratch_each = TRUE;
  about->scratch_bytes = (DEBYE_BENCH_N_BINS + 1) * sizeof(guint64);
  about->counts[0] = (int)one->pairs.n_bins;
  about->counts[1] = (int)one->pairs.n;
  about->reals[0] = debye_ladder_bins_per_angstrom(&one->pairs);
  for (int axis = 0; axis < 3; axis++)
    about->reals[1 + axis] = debye_ladder_edge(&one->pairs, axis);
  const float *const from[3] = {one->pairs.x, one->pairs.y, one->pairs.z};
  for (int axis = 0; axis < 3; axis++)
    debye_bench_source_case_append(one, from[axis], one->pairs.n * sizeof(float));
  one->n_values = one->pairs.n_bins;
  return TRUE;
}

static double
count_map(const DebyeBenchSourceCase *one, double within)
{
  return (double)one->n_values * (within > 0.0 ? within : (double)one->map.charges.n);
}

static double
count_all(const DebyeBenchSourceCase *one, double within G_GNUC_UNUSED)
{
  return count_map(one, NAN);
}

static double
count_pairs(const DebyeBenchSourceCase *one, double within G_GNUC_UNUSED)
{
  const double n = (double)one->pairs.n;
  return 0.5 * n * (n - 1.0);
}

static double
find_whole_map(const DebyeBenchSourceCase *one)
{
  return (double)debye_grid_n_points(&one->problem->grid) / (double)one->n_values;
}

static double
find_all_pairs(const DebyeBenchSourceCase *one)
{
  const double n = (double)one->problem->n_atoms;
  return 0.5 * n * (n - 1.0) / count_pairs(one, NAN);
}

static gsize
foresee_rows(const DebyeBenchSourceCase *one, double evaluations)
{
  const DebyeBenchProblem *problem = one->problem;
  const gsize *shape = problem->grid.shape;
  return (gsize)CLAMP(evaluations / (double)problem->n_atoms / (double)shape[0], 1.0,
                      (double)shape[1] * (double)shape[2]);
}

static gsize
foresee_edge(const DebyeBenchSourceCase *one, double evaluations)
{
  return (gsize)CLAMP(cbrt(evaluations / (double)one->problem->n_atoms), (double)LEAST_EDGE,
                      (double)MAX_EDGE);
}

static gsize
foresee_atoms(const DebyeBenchSourceCase *one G_GNUC_UNUSED, double evaluations)
{
  return (gsize)CLAMP(sqrt(2.0 * evaluations), 100.0, 1e7);
}

static const DebyeBenchSourceFamily direct = {.function = "sum_slice",
                                              .kernel = "direct",
                                              .kind = DEBYE_LADDER_MAP,
                                              .number = DEBYE_RUNNER_DIRECT,
                                              .unit = " e/Å",
                                              .value_bytes = sizeof(float),
                                              .init = set_direct,
                                              .count_evaluations = count_all,
                                              .find_whole = find_whole_map,
                                              .foresee = foresee_rows,
                                              .expect = debye_bench_source_expect_map,
                                              .name_value = debye_bench_source_name_point};
static const DebyeBenchSourceFamily cutoff = {.function = "sum_regions",
                                              .kernel = "cutoff",
                                              .kind = DEBYE_LADDER_CUTOFF,
                                              .number = DEBYE_RUNNER_CUTOFF,
                                              .unit = " e/Å",
                                              .value_bytes = sizeof(float),
                                              .init = set_cutoff,
                                              .count_evaluations = count_map,
                                              .find_whole = find_whole_map,
                                              .foresee = foresee_edge,
                                              .expect = debye_bench_source_expect_map,
                                              .name_value = debye_bench_source_name_point};
static const DebyeBenchSourceFamily histogram = {.function = "count_pairs",
                                                 .kernel = "histogram",
                                                 .kind = DEBYE_LADDER_COUNT,
                                                 .number = DEBYE_RUNNER_HISTOGRAM,
                                                 .unit = "",
                                                 .value_bytes = sizeof(guint64),
                                                 .is_count = TRUE,
                                                 .init = set_counts,
                                                 .count_evaluations = count_pairs,
                                                 .find_whole = find_all_pairs,
                                                 .foresee = foresee_atoms,
                                                 .expect = debye_bench_source_expect_counts,
                                                 .name_value = debye_bench_source_name_bin};

const DebyeBenchSourceFamily *
debye_bench_source_find_family(DebyeLadderKind kind)
{
  static const DebyeBenchSourceFamily *const families[DEBYE_LADDER_N_KINDS] = {
      [DEBYE_LADDER_MAP] = &direct,
      [DEBYE_LADDER_CUTOFF] = &cutoff,
      [DEBYE_LADDER_COUNT] = &histogram,
      [DEBYE_LADDER_ORBITAL] = &debye_bench_source_orbital,
      [DEBYE_LADDER_LIGAND] = &debye_bench_source_ligand,
      [DEBYE_LADDER_DENSITY] = &debye_bench_source_density,
      [DEBYE_LADDER_SCATTERING] = &debye_bench_source_scattering,
  };
  return families[kind];
}

static int
read_number(const char *text)
{
  return (int)CLAMP(g_ascii_strtoll(text, NULL, 10), 0, G_MAXINT);
}

/* As “8”, “8u” or “(8)”; FALSE: it is something else, which only a compiler knows. */
static gboolean
read_macro(const char *value, int *found)
{
  g_autoptr(GMatchInfo) match = NULL;
  g_autoptr(GRegex) pattern = g_regex_new("^[( \\t]*(0|[1-9][0-9]*)[uU]?[) \\t]*(/[/*].*)?\\r?$", 0, 0, NULL);
  if (!g_regex_match(pattern, value, 0, &match))
    return FALSE;
  g_autofree char *number = g_match_info_fetch(match, 1);
  *found = read_number(number);
  return TRUE;
}

/* The number that a macro of the source has, chosen or its own; 0: the source has no such macro. FALSE with an error: it
 * isn't known what the compiler makes of it, and bins would be made that the source doesn't expect. */
static gboolean
find_macro(const DebyeBenchSource *source, const char *macro, int *found, GError **error)
{
  g_autofree char *prefix = g_strconcat(macro, "=", NULL),
                  *pattern = g_strdup_printf("^[ \\t]*#[ \\t]*define[ \\t]+%s\\b[ \\t]*(.*)$", macro);
  g_autoptr(GMatchInfo) match = NULL;
  g_autoptr(GRegex) regex = g_regex_new(pattern, G_REGEX_MULTILINE, 0, NULL);
  *found = 0;
  for (guint i = source->definitions->len; i-- > 0;)
    if (g_str_has_prefix(source->definitions->pdata[i], prefix)) {
      *found = read_number((const char *)source->definitions->pdata[i] + strlen(prefix));
      return TRUE;
    }
  if (!g_regex_match(regex, source->text, 0, &match))
    return TRUE;
  g_autofree char *value = g_match_info_fetch(match, 1);
  return read_macro(value, found) ||
         debye_error_set_of_file(
             error, DEBYE_ERROR_SYNTAX, source->name,
             "expected a number as the macro %s, which sets the bins: write “#define %s 8”", macro, macro);
}

gboolean
debye_bench_source_case_init(DebyeBenchSourceCase *one, const DebyeBenchProblem *problem,
                             const DebyeBenchSource *source, gsize n_units, GError **error)
{
  const DebyeBenchSourceFamily *family = debye_bench_source_find_family(source->kind);
  *one = (DebyeBenchSourceCase){
      .family = family,
      .problem = problem,
      .map = {.grid = problem->grid, .charges = problem->charges, .core_radius = DEBYE_BENCH_CORE_RADIUS},
      .inputs = g_byte_array_new(),
      .n_alternatives = 1,
      .overflow = g_array_new(FALSE, FALSE, sizeof(DebyeLadderAtom))};
  memcpy(one->about.magic, DEBYE_RUNNER_MAGIC, sizeof one->about.magic);
  one->about.family = family->number;
  const gboolean ok =
      (source->kind != DEBYE_LADDER_CUTOFF || (find_macro(source, "EDGE", &one->map.region, error) &&
                                               find_macro(source, "CAPACITY", &one->map.capacity, error))) &&
      family->init(one, n_units, error);
  one->about.output_bytes = one->n_values * family->value_bytes;
  return ok;
}

void
debye_bench_source_case_clear(DebyeBenchSourceCase *one)
{
  g_clear_pointer(&one->inputs, g_byte_array_unref);
  g_clear_pointer(&one->overflow, g_array_unref);
  if (one->subject != NULL && one->subject_free != NULL)
    one->subject_free(one->subject);
  one->subject = NULL;
}
