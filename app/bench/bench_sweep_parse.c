/* SPDX-License-Identifier: MIT */
/* Reads "atoms=1000,2000,4000" for bench_sweep.c. */
#include <math.h>
#include <string.h>

#include "bench_sweep.h"
#include "data/files/error.h"
#include "data/messages/message.h"

#define MAX_VALUES 100

/* Macros of --source. */
#define OF_SOURCE DEBYE_BENCH_N_SIZES, DEBYE_BENCH_OF_CHOICE, TRUE, 1.0, 65536.0

static const DebyeBenchVariable variables[] = {
    {"threads", N_("Threads"), NULL, DEBYE_BENCH_THREADS, DEBYE_BENCH_OF_RESOURCE, TRUE, 1.0, 4096.0, NULL},
    {"devices", N_("Devices"), NULL, DEBYE_BENCH_DEVICES, DEBYE_BENCH_OF_RESOURCE, TRUE, 1.0, 64.0, NULL},
    {"ranks", N_("Processes"), NULL, DEBYE_BENCH_RANKS, DEBYE_BENCH_OF_RESOURCE, TRUE, 1.0, 1e6, NULL},
    {"atoms", N_("Atoms"), NULL, DEBYE_BENCH_ATOMS, DEBYE_BENCH_OF_SIZE, TRUE, 1.0, 1e9, NULL},
    {"points", N_("Grid points"), NULL, DEBYE_BENCH_POINTS, DEBYE_BENCH_OF_SIZE, TRUE, 1.0, 1073741824.0,
     NULL},
    {"frames", N_("Frames"), NULL, DEBYE_BENCH_FRAMES, DEBYE_BENCH_OF_SIZE, TRUE, 1.0, 1e7, NULL},
    {"vectors", N_("Vectors"), NULL, DEBYE_BENCH_VECTORS, DEBYE_BENCH_OF_SIZE, TRUE, 1.0, 1e8, NULL},
    {"cutoff", N_("Cutoff"), "Å", DEBYE_BENCH_CUTOFF, DEBYE_BENCH_OF_CHOICE, FALSE, 0.1, 1e4, NULL},
    {"spacing", N_("Grid spacing"), "Å", DEBYE_BENCH_SPACING, DEBYE_BENCH_OF_CHOICE, FALSE, 0.01, 100.0,
     NULL},
    {"tolerance", N_("Tolerance"), NULL, DEBYE_BENCH_TOLERANCE, DEBYE_BENCH_OF_CHOICE, FALSE, 1e-11, 1.0,
     NULL},
    {"block", N_("Block"), NULL, OF_SOURCE, "BLOCK"},
    {"block-x", N_("Block in x"), NULL, OF_SOURCE, "BLOCK_X"},
    {"block-y", N_("Block in y"), NULL, OF_SOURCE, "BLOCK_Y"},
    {"block-z", N_("Block in z"), NULL, OF_SOURCE, "BLOCK_Z"},
    {"grid-x", N_("Grid in x"), NULL, OF_SOURCE, "GRID_X"},
    {"grid-y", N_("Grid in y"), NULL, OF_SOURCE, "GRID_Y"},
    {"unroll", N_("Unrolled"), NULL, OF_SOURCE, "UNROLL"},
    {"points-per-thread", N_("Points per thread"), NULL, OF_SOURCE, "POINTS"},
    {"points-in-y", N_("Points in y per thread"), NULL, OF_SOURCE, "POINTS_Y"},
    {"points-in-z", N_("Points in z per thread"), NULL, OF_SOURCE, "POINTS_Z"},
    {"tile", N_("Tile"), NULL, OF_SOURCE, "TILE"},
    {"chunk", N_("Chunk"), NULL, OF_SOURCE, "CHUNK"},
    {"atom-block", N_("Atom block"), NULL, OF_SOURCE, "ATOMS"},
    {"edge", N_("Bin edge in points"), NULL, OF_SOURCE, "EDGE"},
    {"capacity", N_("Slots of a bin"), NULL, OF_SOURCE, "CAPACITY"},
    {"voxels", N_("Voxels of a block"), NULL, OF_SOURCE, "VOXELS"},
    {"block-frames", N_("Frames of a block"), NULL, OF_SOURCE, "BLOCK_FRAMES"},
    {"device", N_("Device"), NULL, DEBYE_BENCH_N_SIZES, DEBYE_BENCH_OF_CHOICE, FALSE, 0.0, 0.0, NULL},
    {"kernel", N_("Kernel"), NULL, DEBYE_BENCH_N_SIZES, DEBYE_BENCH_OF_CHOICE, FALSE, 0.0, 0.0, NULL},
};

static const DebyeBenchVariable *
find_variable(const char *name)
{
  for (gsize i = 0; i < G_N_ELEMENTS(variables); i++)
    if (strcmp(variables[i].name, name) == 0)
      return &variables[i];
  return NULL;
}

const char *
debye_bench_sweep_name_macro(const char *macro)
{
  for (gsize i = 0; i < G_N_ELEMENTS(variables); i++)
    if (g_strcmp0(variables[i].macro, macro) == 0)
      return variables[i].name;
  return NULL;
}

static gboolean
refuse(GError **error, const char *text, const char *expected)
{
  return debye_error_set(error, DEBYE_ERROR_SETTING, "bench: --sweep: expected %s, found “%s”", expected,
                         text);
}

static gboolean
refuse_name(GError **error, const char *text)
{
  g_autoptr(GString) expected = g_string_new("NAME=LIST such as atoms=1000,2000,4000, NAME one of ");
  for (gsize i = 0; i < G_N_ELEMENTS(variables); i++)
    g_string_append_printf(expected, "%s%s", i > 0 ? ", " : "", variables[i].name);
  return refuse(error, text, expected->str);
}

/* --- Values --- */

static gboolean
parse_number(const char *text, double *value)
{
  char *end = NULL;
  *value = g_ascii_strtod(text, &end);
  return end != text && *end == '\0' && isfinite(*value);
}

static gboolean
parse_list(const char *list, GArray *values)
{
  g_auto(GStrv) words = g_strsplit(list, ",", -1);
  for (gsize i = 0; words[i] != NULL; i++) {
    double value = 0.0;
    if (!parse_number(g_strstrip(words[i]), &value))
      return FALSE;
    g_array_append_val(values, value);
  }
  return TRUE;
}

/* FIRST:LAST:STEP, both ends included, or FIRST:LAST:xFACTOR. */
static gboolean
parse_range(const char *range, GArray *values)
{
  double first, last, step;
  g_auto(GStrv) parts = g_strsplit(range, ":", -1);
  if (g_strv_length(parts) != 3 || !parse_number(parts[0], &first) || !parse_number(parts[1], &last))
    return FALSE;
  const gboolean is_factor = parts[2][0] == 'x';
  if (!parse_number(parts[2] + (is_factor ? 1 : 0), &step) || first > last ||
      (is_factor ? step <= 1.0 || first <= 0.0 : step <= 0.0))
    return FALSE;
  for (double value = first; value <= last * (1.0 + 1e-9) && values->len <= MAX_VALUES;) {
    g_array_append_val(values, value);
    value = is_factor ? value * step : first + step * (double)values->len;
  }
  return TRUE;
}

static gboolean
check_values(const DebyeBenchVariable *variable, GArray *values)
{
  for (guint i = 0; i < values->len; i++) {
    double *value = &g_array_index(values, double, i);
    if (variable->is_whole)
      *value = round(*value);
    if (*value < variable->minimum || *value > variable->maximum)
      return FALSE;
  }
  return values->len > 0 && values->len <= MAX_VALUES;
}

static gboolean
read_numbers(DebyeBenchAxis *axis, const char *list, const char *text, GError **error)
{
  g_autoptr(GArray) values = g_array_new(FALSE, FALSE, sizeof(double));
  const gboolean is_range = strchr(list, ':') != NULL;
  if (!(is_range ? parse_range(list, values) : parse_list(list, values)) ||
      !check_values(axis->variable, values)) {
    g_autofree char *expected = g_strdup_printf(
        "%s=LIST of at most %d numbers from %g to %g, parted by commas, or FIRST:LAST:STEP, or "
        "FIRST:LAST:xFACTOR",
        axis->variable->name, MAX_VALUES, axis->variable->minimum, axis->variable->maximum);
    return refuse(error, text, expected);
  }
  axis->n = values->len;
  axis->words = g_new0(char *, axis->n + 1);
  for (guint i = 0; i < axis->n; i++) {
    char number[G_ASCII_DTOSTR_BUF_SIZE];
    axis->words[i] =
        g_strdup(g_ascii_formatd(number, sizeof number, "%.10g", g_array_index(values, double, i)));
  }
  axis->values = (double *)(void *)g_array_free(g_steal_pointer(&values), FALSE);
  return TRUE;
}

static gboolean
read_words(DebyeBenchAxis *axis, const char *list, const char *text, GError **error)
{
  axis->words = g_strsplit(list, ",", -1);
  axis->n = g_strv_length(axis->words);
  for (gsize i = 0; i < axis->n; i++) {
    if (*g_strstrip(axis->words[i]) == '\0')
      return refuse(error, text, "words between the commas");
    if (strcmp(axis->variable->name, "kernel") == 0 && debye_bench_kernel_find(axis->words[i]) == NULL)
      return refuse(error, axis->words[i],
                    "kernels among direct, cutoff, multilevel, ewald, pairs, self, coherent");
  }
  return axis->n > 0 ? TRUE : refuse(error, text, "a list after the equals sign");
}

/* --- Axes --- */

/* "devices=cpu,cuda:0" names them, "devices=1,2" counts them. */
static gboolean
names_devices(const char *list)
{
  return strpbrk(list, "abcdefghijklmnopqrstuvwyz") != NULL;
}

static gboolean
has_too_many(const DebyeBenchSweep *sweep)
{
  guint n_changing = 0;
  for (gsize i = 0; i < sweep->n_axes; i++)
    n_changing += sweep->axes[i].n > 1;
  return n_changing > DEBYE_BENCH_MAX_CHANGING_AXES;
}

static gboolean
read_axis(DebyeBenchSweep *sweep, const char *text, GError **error)
{
  const char *equals = strchr(text, '=');
  g_autofree char *name = equals != NULL ? g_strndup(text, (gsize)(equals - text)) : g_strdup(text);
  const DebyeBenchVariable *variable = find_variable(name);
  if (equals == NULL || variable == NULL)
    return refuse_name(error, text);
  if (variable->size == DEBYE_BENCH_DEVICES && names_devices(equals + 1))
    variable = find_variable("device");
  if (debye_bench_sweep_find(sweep, variable->name) != NULL || sweep->n_axes == DEBYE_BENCH_MAX_AXES)
    return refuse(error, text, "each size once, and at most " G_STRINGIFY(DEBYE_BENCH_MAX_AXES) " in all");
  DebyeBenchAxis *axis = &sweep->axes[sweep->n_axes++];
  axis->variable = variable;
  if (variable->size == DEBYE_BENCH_N_SIZES && variable->macro == NULL
          ? !read_words(axis, equals + 1, text, error)
          : !read_numbers(axis, equals + 1, text, error))
    return FALSE;
  return has_too_many(sweep) ? refuse(error, text, "at most three sizes with more than one value") : TRUE;
}

/* What has numbers is x. */
static void
put_numbers_first(DebyeBenchSweep *sweep)
{
  gsize first = 0;
  while (first < sweep->n_axes && sweep->axes[first].values == NULL)
    first++;
  if (first == 0 || first == sweep->n_axes)
    return;
  const DebyeBenchAxis axis = sweep->axes[first];
  memmove(sweep->axes + 1, sweep->axes, first * sizeof *sweep->axes);
  sweep->axes[0] = axis;
}

gboolean
debye_bench_sweep_parse(DebyeBenchSweep *sweep, const char *const *texts, GError **error)
{
  for (gsize i = 0; texts[i] != NULL; i++)
    if (!read_axis(sweep, texts[i], error))
      return FALSE;
  put_numbers_first(sweep);
  return TRUE;
}
