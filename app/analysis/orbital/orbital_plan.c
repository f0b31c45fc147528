/* SPDX-License-Identifier: MIT */
/* Plans maps of orbitals: finds the wave function among the files, chooses orbitals, lays the grid. Called by
 * orbital_analysis.c. */
#include "orbital_plan.h"

#include <math.h>
#include <string.h>

#include "app/analysis/driver/memory_size.h"
#include "app/analysis/driver/vector_rows.h"
#include "app/analysis/map/map_grid.h"
#include "data/files/error.h"
#include "data/formats/quantum/quantum_files.h"

#define MAX_POINTS 2e6           /* of a grid whose spacing is not set */
#define MAX_POTENTIAL_POINTS 2e5 /* likewise, of the electrostatic potential */
#define FINEST 0.1               /* Å */
#define MOST_POINTS 1e11         /* of any */
#define NORMS_AT_ONCE 64
#define BIG 0.5         /* of the largest occupation: an orbital that counts as occupied */
#define DEGENERATE 5e-4 /* hartree; the diagram of levels has it, too */

void
debye_orbital_plan_clear(gpointer own)
{
  DebyeOrbitalPlan *plan = own;
  g_clear_pointer(&plan->wave, debye_wave_function_free);
  g_free(plan->x);
  g_free(plan->y);
  g_free(plan->z);
  g_free(plan->centres);
  g_free(plan->first);
  g_free(plan->degrees);
  g_clear_pointer(&plan->maps, g_array_unref);
  g_clear_pointer(&plan->points, g_array_unref);
}

const char *
debye_orbital_map_get_unit(DebyeOrbitalMapKind kind)
{
  static const char *const units[] = {[DEBYE_ORBITAL_MAP_ORBITAL] = "bohr^-3/2",
                                      [DEBYE_ORBITAL_MAP_DENSITY] = "electrons/bohr³",
                                      [DEBYE_ORBITAL_MAP_SPIN] = "electrons/bohr³",
                                      [DEBYE_ORBITAL_MAP_LAPLACIAN] = "electrons/bohr⁵",
                                      [DEBYE_ORBITAL_MAP_POTENTIAL] = "hartree/e"};
  return units[kind];
}

/* --- The wave function --- */

static gboolean
find_wave_function(DebyeOrbitalPlan *plan, DebyeDataset *dataset, GError **error)
{
  for (const char *const *path = debye_dataset_get_paths(dataset); *path != NULL; path++) {
    g_autoptr(DebyeInput) input = debye_input_open(*path, error);
    if (input == NULL)
      return FALSE;
    if (!debye_wave_function_probe(input))
      continue;
    plan->wave = debye_wave_function_read(input, error);
    return plan->wave != NULL;
  }
  return debye_error_set(error, DEBYE_ERROR_MISSING,
                         "expected a file with orbitals (Molden, formatted checkpoint), found none. Have the "
                         "quantum chemistry program write one");
}

static void
fill_basis(DebyeOrbitalPlan *plan)
{
  const DebyeWaveFunction *wave = plan->wave;
  const gsize n_atoms = wave->atoms->len, n_shells = wave->shells->len;
  plan->x = g_new(double, n_atoms);
  plan->y = g_new(double, n_atoms);
  plan->z = g_new(double, n_atoms);
  plan->centres = g_new(guint32, n_shells);
  plan->first = g_new(guint32, n_shells + 1);
  plan->degrees = g_new(guint8, n_shells);
  for (gsize i = 0; i < n_atoms; i++) {
    const DebyeWaveAtom *atom = &g_array_index(wave->atoms, DebyeWaveAtom, i);
    plan->x[i] = atom->position[0];
    plan->y[i] = atom->position[1];
    plan->z[i] = atom->position[2];
    plan->nuclear_charge += atom->nuclear_charge;
  }
  for (gsize i = 0; i < n_shells; i++) {
    const DebyeWaveShell *shell = &g_array_index(wave->shells, DebyeWaveShell, i);
    plan->centres[i] = shell->atom;
    plan->degrees[i] = shell->l;
    plan->first[i] = shell->first_primitive;
    plan->first[i + 1] = shell->first_primitive + shell->n_primitives;
  }
  plan->basis = (DebyeOrbitalBasis){.n_centres = n_atoms,
                                    .n_shells = n_shells,
                                    .x = plan->x,
                                    .y = plan->y,
                                    .z = plan->z,
                                    .centre = plan->centres,
                                    .degree = plan->degrees,
                                    .first_primitive = plan->first,
                                    .exponents = (const double *)(gpointer)wave->exponents->data,
                                    .weights = (const double *)(gpointer)wave->weights->data};
}

/* --- Which orbitals --- */

static const DebyeWaveOrbital *
get_orbital(const DebyeOrbitalPlan *plan, gsize number)
{
  return &g_array_index(plan->wave->orbitals, DebyeWaveOrbital, number);
}

/* By energy, else by the file's order. */
static gboolean
is_higher(const DebyeOrbitalPlan *plan, gsize one, gsize other)
{
  const double a = get_orbital(plan, one)->energy, b = get_orbital(plan, other)->energy;
  return isfinite(a) && isfinite(b) && a != b ? a > b : one > other;
}

static void
find_frontier(DebyeOrbitalPlan *plan)
{
  double most = 0.0;
  plan->homo = plan->lumo = -1;
  for (guint i = 0; i < plan->wave->orbitals->len; i++) {
    most = fmax(most, get_orbital(plan, i)->occupation);
    plan->n_electrons += get_orbital(plan, i)->occupation;
  }
  plan->least_occupation = BIG * most;
  for (guint i = 0; i < plan->wave->orbitals->len && most > 0.0; i++) {
    const gboolean is_occupied = get_orbital(plan, i)->occupation >= plan->least_occupation;
    if (is_occupied && (plan->homo < 0 || is_higher(plan, i, (gsize)plan->homo)))
      plan->homo = (int)i;
    if (!is_occupied && (plan->lumo < 0 || is_higher(plan, (gsize)plan->lumo, i)))
      plan->lumo = (int)i;
  }
}

static gboolean
is_degenerate(const DebyeOrbitalPlan *plan, guint one, int other)
{
  if (other < 0 || (int)one == other)
    return other >= 0;
  const DebyeWaveOrbital *a = get_orbital(plan, one), *b = get_orbital(plan, (gsize)other);
  return fabs(a->energy - b->energy) < DEGENERATE &&
         (a->occupation >= plan->least_occupation) == (b->occupation >= plan->least_occupation);
}

const char *
debye_orbital_plan_get_frontier(const DebyeOrbitalPlan *plan, guint orbital)
{
  return is_degenerate(plan, orbital, plan->homo)   ? "HOMO"
         : is_degenerate(plan, orbital, plan->lumo) ? "LUMO"
                                                    : NULL;
}

/* How many orbitals of the same spin lie between it and the number: `steps` up, or down where negative. */
static int
step_from(const DebyeOrbitalPlan *plan, int start, gint64 steps)
{
  int at = start;
  for (; steps != 0 && at >= 0; steps += steps > 0 ? -1 : 1) {
    int next = -1;
    for (guint i = 0; i < plan->wave->orbitals->len; i++) {
      const gboolean is_beyond = steps > 0 ? is_higher(plan, i, (gsize)at) : is_higher(plan, (gsize)at, i);
      if (!is_beyond || (int)i == at ||
          get_orbital(plan, i)->is_beta != get_orbital(plan, (gsize)at)->is_beta)
        continue;
      if (next < 0 || (steps > 0 ? is_higher(plan, (gsize)next, i) : is_higher(plan, i, (gsize)next)))
        next = (int)i;
    }
    at = next;
  }
  return at;
}

static gboolean
parse_frontier(const DebyeOrbitalPlan *plan, const char *text, int *number)
{
  g_autofree char *lower = g_ascii_strdown(text, -1);
  const gboolean is_homo = g_str_has_prefix(lower, "homo");
  gint64 steps = 0;
  if (!is_homo && !g_str_has_prefix(lower, "lumo"))
    return FALSE;
  const char *rest = lower + 4 + (lower[4] == '+' ? 1 : 0);
  if (*rest != '\0' && (lower[4] == '\0' || strchr("+-", lower[4]) == NULL ||
                        !g_ascii_string_to_signed(rest, 10, -1000000, 1000000, &steps, NULL)))
    return FALSE;
  *number = step_from(plan, is_homo ? plan->homo : plan->lumo, steps);
  return TRUE;
}

static gboolean
parse_orbital(const DebyeOrbitalPlan *plan, const char *text, guint *orbital, GError **error)
{
  const guint n = plan->wave->orbitals->len;
  guint64 value;
  int number = -1;
  if (g_ascii_string_to_unsigned(text, 10, 0, n - 1, &value, NULL)) {
    *orbital = (guint)value;
    return TRUE;
  }
  if (!parse_frontier(plan, text, &number))
    return debye_error_set(error, DEBYE_ERROR_SETTING,
                           "Orbitals: expected homo, lumo, homo-1 … or a number from 0 to %u, found “%s”",
                           n - 1, text);
  if (number < 0)
    return debye_error_set(error, DEBYE_ERROR_VALUE,
                           "Orbitals: the file has no %s%s. Give an orbital's number from 0 to %u", text,
                           plan->homo < 0 ? ", as it has no occupations" : "", n - 1);
  *orbital = (guint)number;
  return TRUE;
}

static void
clear_map(gpointer data)
{
  g_free(((DebyeOrbitalMap *)data)->name);
}

static void
add_map(DebyeOrbitalPlan *plan, DebyeOrbitalMapKind kind, guint orbital, char *name)
{
  const DebyeOrbitalMap map = {kind, orbital, name, NAN};
  g_array_append_val(plan->maps, map);
}

static void
add_orbital(DebyeOrbitalPlan *plan, guint orbital)
{
  g_autofree double *row = g_new(double, plan->wave->n_cartesian);
  const char *frontier = debye_orbital_plan_get_frontier(plan, orbital);
  add_map(plan, DEBYE_ORBITAL_MAP_ORBITAL, orbital,
          frontier != NULL ? g_strdup_printf("orbital %u (%s)", orbital, frontier)
                           : g_strdup_printf("orbital %u", orbital));
  debye_wave_function_get_cartesian(plan->wave, orbital, row);
  debye_wave_function_get_norms(plan->wave, row, 1,
                                &g_array_index(plan->maps, DebyeOrbitalMap, plan->maps->len - 1).norm);
}

void
debye_orbital_plan_choose(DebyeOrbitalPlan *plan, guint orbital)
{
  g_array_set_size(plan->maps, 0);
  add_orbital(plan, orbital);
}

static gboolean
has_densities(const DebyeOrbitalChoices *choices)
{
  return choices->density || choices->spin || choices->laplacian || choices->potential;
}

static gboolean
choose_orbitals(DebyeOrbitalPlan *plan, const char **key, GError **error)
{
  const DebyeOrbitalChoices *choices = &plan->settings;
  const gboolean has_others = has_densities(choices);
  const char *text = choices->orbitals != NULL ? choices->orbitals : has_others ? "" : "homo";
  g_auto(GStrv) words = debye_setting_split_values(text);
  *key = "orbital";
  for (char **word = words; *word != NULL; word++) {
    guint orbital = 0;
    if (!parse_orbital(plan, *word, &orbital, error))
      return FALSE;
    add_orbital(plan, orbital);
  }
  return TRUE;
}

/* --- Densities --- */

static gboolean
has_beta(const DebyeOrbitalPlan *plan)
{
  for (guint i = 0; i < plan->wave->orbitals->len; i++)
    if (get_orbital(plan, i)->is_beta)
      return TRUE;
  return FALSE;
}

/* Of an orbital that both spins share: 2 is a pair, 1 is one electron of spin up. */
double
debye_orbital_plan_get_weight(const DebyeOrbitalPlan *plan, DebyeOrbitalMapKind kind, guint orbital)
{
  const DebyeWaveOrbital *of = get_orbital(plan, orbital);
  if (kind != DEBYE_ORBITAL_MAP_SPIN)
    return of->occupation;
  if (has_beta(plan))
    return of->is_beta ? -of->occupation : of->occupation;
  return of->occupation == 1.0 ? 1.0 : 0.0;
}

static gboolean
check_occupations(const DebyeOrbitalPlan *plan, const char **key, GError **error)
{
  const DebyeOrbitalChoices *choices = &plan->settings;
  if (plan->homo < 0) {
    *key = choices->density     ? "density"
           : choices->spin      ? "spin"
           : choices->laplacian ? "laplacian"
                                : "potential";
    return debye_error_set(error, DEBYE_ERROR_VALUE,
                           "%s: expected orbitals with occupations, found none that is occupied",
                           choices->density     ? "Electron density"
                           : choices->spin      ? "Spin density"
                           : choices->laplacian ? "Laplacian"
                                                : "Electrostatic potential");
  }
  for (guint i = 0; choices->spin && !has_beta(plan) && i < plan->wave->orbitals->len; i++) {
    const double occupation = get_orbital(plan, i)->occupation;
    if (occupation == 0.0 || occupation == 1.0 || occupation == 2.0)
      continue;
    *key = "spin";
    return debye_error_set(error, DEBYE_ERROR_VALUE,
                           "Spin density: expected orbitals of both spins, or occupations of 0, 1 and 2, "
                           "found %.3g of orbital %u",
                           occupation, i);
  }
  return TRUE;
}

/* Of `n` occupied orbitals at a time, as overlaps are found anew each time. */
static double
count_in(const DebyeOrbitalPlan *plan, const double *rows, const double *occupations, gsize n)
{
  double norms[NORMS_AT_ONCE], sum = 0.0;
  debye_wave_function_get_norms(plan->wave, rows, n, norms);
  for (gsize i = 0; i < n; i++)
    sum += occupations[i] * norms[i];
  return sum;
}

/* Σ occupation · ⟨ψ|ψ⟩: what ∫ρ is without a grid. */
void
debye_orbital_plan_count_electrons(DebyeOrbitalPlan *plan)
{
  const gsize stride = plan->wave->n_cartesian;
  g_autofree double *rows = g_new(double, NORMS_AT_ONCE *stride);
  double occupations[NORMS_AT_ONCE];
  gsize n = 0;
  plan->n_in_norms = 0.0;
  for (guint i = 0; i < plan->wave->orbitals->len; i++) {
    if (get_orbital(plan, i)->occupation == 0.0)
      continue;
    occupations[n] = get_orbital(plan, i)->occupation;
    debye_wave_function_get_cartesian(plan->wave, i, rows + n++ * stride);
    if (n < NORMS_AT_ONCE)
      continue;
    plan->n_in_norms += count_in(plan, rows, occupations, n);
    n = 0;
  }
  plan->n_in_norms += count_in(plan, rows, occupations, n);
}

static gboolean
add_densities(DebyeOrbitalPlan *plan, const char **key, GError **error)
{
  const DebyeOrbitalChoices *choices = &plan->settings;
  plan->n_in_norms = NAN;
  if (!has_densities(choices))
    return TRUE;
  if (!check_occupations(plan, key, error))
    return FALSE;
  debye_orbital_plan_count_electrons(plan);
  if (choices->density)
    add_map(plan, DEBYE_ORBITAL_MAP_DENSITY, 0, g_strdup("electron density"));
  if (choices->spin)
    add_map(plan, DEBYE_ORBITAL_MAP_SPIN, 0, g_strdup("spin density"));
  if (choices->laplacian)
    add_map(plan, DEBYE_ORBITAL_MAP_LAPLACIAN, 0, g_strdup("Laplacian of the electron density"));
  if (choices->potential)
    add_map(plan, DEBYE_ORBITAL_MAP_POTENTIAL, 0, g_strdup("electrostatic potential"));
  return TRUE;
}

/* --- Where --- */

static void
find_box(const DebyeOrbitalPlan *plan, DebyeVec3 *low, DebyeVec3 *high)
{
  *low = debye_vec3(INFINITY, INFINITY, INFINITY);
  *high = debye_vec3(-INFINITY, -INFINITY, -INFINITY);
  for (guint i = 0; i < plan->wave->atoms->len; i++) {
    const DebyeVec3 at = debye_vec3_scale(debye_vec3(plan->x[i], plan->y[i], plan->z[i]), DEBYE_BOHR);
    *low = debye_vec3(fmin(low->x, at.x), fmin(low->y, at.y), fmin(low->z, at.z));
    *high = debye_vec3(fmax(high->x, at.x), fmax(high->y, at.y), fmax(high->z, at.z));
  }
}

static void
suggest_spacing(DebyeOrbitalPlan *plan, DebyeRequest *request, DebyeVec3 low, DebyeVec3 high)
{
  char number[G_ASCII_DTOSTR_BUF_SIZE];
  if (plan->settings.spacing > 0.0)
    return;
  plan->settings.spacing =
      fmax(FINEST, debye_map_grid_spacing_for(low, high, plan->settings.padding,
                                              plan->settings.potential ? MAX_POTENTIAL_POINTS : MAX_POINTS));
  debye_request_set(request, "spacing", g_ascii_formatd(number, sizeof number, "%g", plan->settings.spacing),
                    NULL);
}

static gboolean
lay_grid(DebyeOrbitalPlan *plan, DebyeRequest *request, const char **key, GError **error)
{
  DebyeMapSettings map = {0};
  DebyeVec3 low, high;
  find_box(plan, &low, &high);
  suggest_spacing(plan, request, low, high);
  map.spacing = plan->settings.spacing;
  map.padding = plan->settings.padding;
  map.origin = plan->settings.origin;
  map.has_origin = plan->settings.has_origin;
  memcpy(map.shape, plan->settings.shape, sizeof map.shape);
  debye_map_grid_lay(&map, low, high, &plan->grid);
  const double n_points = debye_map_grid_count(&plan->grid);
  if (n_points <= MOST_POINTS &&
      (plan->memory_limit == 0 || n_points * sizeof(float) <= (double)plan->memory_limit))
    return TRUE;
  g_autofree char *bytes = debye_memory_size_to_string((guint64)fmin(n_points * sizeof(float), 1e18));
  *key = plan->settings.has_shape ? "shape" : "spacing";
  return debye_error_set(
      error, DEBYE_ERROR_MEMORY,
      "Grid spacing: %.4g points take %s, expected a coarser or a smaller grid, or more memory", n_points,
      bytes);
}

static gboolean
read_points(DebyeOrbitalPlan *plan, const char **key, GError **error)
{
  *key = "at";
  plan->points = debye_vector_rows_read(plan->settings.points, (const char *const[]){"x", "y", "z"}, error);
  return plan->points != NULL;
}

gboolean
debye_orbital_plan_init(gpointer own, DebyePlan *of, GError **error)
{
  DebyeOrbitalPlan *plan = own;
  debye_request_fill(of->request, &plan->settings);
  plan->maps = g_array_new(FALSE, FALSE, sizeof(DebyeOrbitalMap));
  g_array_set_clear_func(plan->maps, clear_map);
  if (!debye_memory_size_parse(plan->settings.lanes.memory, &plan->memory_limit, error)) {
    of->key = "memory";
    return FALSE;
  }
  if (!find_wave_function(plan, of->dataset, error))
    return FALSE;
  fill_basis(plan);
  find_frontier(plan);
  if (!choose_orbitals(plan, &of->key, error) || !add_densities(plan, &of->key, error))
    return FALSE;
  of->key = NULL;
  return plan->settings.points != NULL ? read_points(plan, &of->key, error)
                                       : lay_grid(plan, of->request, &of->key, error);
}
