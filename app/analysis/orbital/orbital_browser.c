/* SPDX-License-Identifier: MIT */
/* Implementation of orbital_browser.h; called by the window's list of orbitals. */
#include "orbital_browser.h"

#include <math.h>
#include <string.h>

#include "data/results/note.h"
#include "orbital_run.h"

/* |ψ| in equal steps of its logarithm, from the largest down to what is left out anyway. */
#define BINS 4096
#define DECADES 8.0
#define DIGITS 2

struct _DebyeOrbitalBrowser {
  gatomicrefcount references;
  DebyeDataset *dataset;
  DebyeRequest *request;
  DebyeOrbitalPlan plan;
};

gboolean
debye_orbital_browser_is_likely(DebyeDataset *dataset)
{
  const char *const *formats = debye_dataset_get_formats(dataset);
  return g_strv_contains(formats, "molden") || g_strv_contains(formats, "fchk");
}

/* --- The grid --- */

/* Beyond that a function counts as nothing: a fraction of the levels that are drawn; it isn't looked for farther than that. */
#define LEAST 0.004   /* bohr^-3/2 */
#define FARTHEST 20.0 /* Å */
#define RADIUS_STEP 0.5

static double
get_radial(const DebyeWaveFunction *wave, const DebyeWaveShell *shell, double radius)
{
  double sum = 0.0;
  for (guint32 i = shell->first_primitive; i < shell->first_primitive + shell->n_primitives; i++)
    sum += g_array_index(wave->weights, double, i) *
           exp(-g_array_index(wave->exponents, double, i) * radius * radius);
  return sum * pow(radius, shell->l);
}

/* How far from its nucleus the widest function reaches, Å. */
static double
find_reach(const DebyeWaveFunction *wave)
{
  double reach = 0.0;
  for (guint i = 0; i < wave->shells->len; i++)
    for (double radius = FARTHEST; radius > reach; radius -= RADIUS_STEP)
      if (fabs(get_radial(wave, &g_array_index(wave->shells, DebyeWaveShell, i), radius / DEBYE_BOHR)) >
          LEAST)
        reach = radius;
  return reach;
}

/* Orbitals of high energy and of loosely bound electrons are larger than the usual distance to the grid's edge. */
static gboolean
widen(DebyeOrbitalBrowser *self, DebyePlan *of, GError **error)
{
  const double reach = find_reach(self->plan.wave);
  char number[G_ASCII_DTOSTR_BUF_SIZE];
  if (reach <= self->plan.settings.padding)
    return TRUE;
  debye_orbital_plan_clear(&self->plan);
  self->plan = (DebyeOrbitalPlan){0};
  return debye_request_set(self->request, "spacing", NULL, error) &&
         debye_request_set(self->request, "padding", g_ascii_formatd(number, sizeof number, "%g", reach),
                           error) &&
         debye_orbital_plan_init(&self->plan, of, error);
}

DebyeOrbitalBrowser *
debye_orbital_browser_new(DebyeDataset *dataset, GError **error)
{
  g_autoptr(DebyeOrbitalBrowser) self = g_new0(DebyeOrbitalBrowser, 1);
  g_atomic_ref_count_init(&self->references);
  self->dataset = g_object_ref(dataset);
  self->request = debye_request_new(&debye_orbital_settings);
  /* There is always a first one; a HOMO only where the file has occupations. */
  DebyePlan of = {.dataset = dataset, .request = self->request};
  if (!debye_request_set(self->request, "orbital", "0", error) ||
      !debye_orbital_plan_init(&self->plan, &of, error) || !widen(self, &of, error))
    return NULL;
  debye_orbital_plan_count_electrons(&self->plan);
  return g_steal_pointer(&self);
}

DebyeOrbitalBrowser *
debye_orbital_browser_ref(DebyeOrbitalBrowser *self)
{
  g_atomic_ref_count_inc(&self->references);
  return self;
}

void
debye_orbital_browser_unref(DebyeOrbitalBrowser *self)
{
  if (!g_atomic_ref_count_dec(&self->references))
    return;
  debye_orbital_plan_clear(&self->plan);
  g_object_unref(self->request);
  g_object_unref(self->dataset);
  g_free(self);
}

const DebyeOrbitalPlan *
debye_orbital_browser_get_plan(DebyeOrbitalBrowser *self)
{
  return &self->plan;
}

char **
debye_orbital_browser_list_warnings(DebyeOrbitalBrowser *self)
{
  g_autoptr(GStrvBuilder) found = g_strv_builder_new();
  g_autoptr(DebyeResult) result = debye_result_new(self->request, "Orbitals");
  debye_orbital_notes_add(&self->plan, result);
  GPtrArray *notes = debye_result_get_notes(result);
  for (guint i = 0; i < notes->len; i++)
    if (debye_note_is_warning(notes->pdata[i]))
      g_strv_builder_add(found, ((const DebyeNote *)notes->pdata[i])->message);
  return g_strv_builder_end(found);
}

gboolean
debye_orbital_browser_choose(DebyeOrbitalBrowser *self, guint orbital)
{
  if (orbital >= self->plan.wave->orbitals->len)
    return FALSE;
  debye_orbital_plan_choose(&self->plan, orbital);
  return TRUE;
}

DebyeResult *
debye_orbital_browser_compute(DebyeOrbitalBrowser *self, guint orbital, const DebyeRegistry *registry,
                              const DebyeRunCallbacks *callbacks, GError **error)
{
  g_return_val_if_fail(orbital < self->plan.wave->orbitals->len, NULL);
  g_autoptr(DebyeRequest) request = debye_request_copy(self->request);
  g_autofree char *number = g_strdup_printf("%u", orbital);
  const DebyeRunInput input = {
      .dataset = self->dataset, .request = request, .registry = registry, .callbacks = callbacks};
  if (!debye_request_set(request, "orbital", number, error))
    return NULL;
  debye_orbital_plan_choose(&self->plan, orbital);
  return debye_orbital_run(&self->plan, &input, error);
}

/* --- Levels --- */

static double
largest_of(const float *values, gsize n)
{
  double largest = 0.0;
  for (gsize i = 0; i < n; i++)
    largest = fmax(largest, fabs((double)values[i]));
  return largest;
}

/* ψ² of each bin, the largest |ψ| first. */
static double
fill_bins(const float *values, gsize n, double largest, double bins[BINS])
{
  const double scale = BINS / DECADES;
  double sum = 0.0;
  for (gsize i = 0; i < n; i++) {
    const double value = fabs((double)values[i]);
    if (!(value > 0.0))
      continue;
    const double at = scale * log10(largest / value);
    bins[at < BINS ? (gsize)at : BINS - 1] += value * value;
    sum += value * value;
  }
  return sum;
}

static double
round_to_digits(double value)
{
  const double unit = pow(10.0, floor(log10(value)) + 1 - DIGITS);
  return round(value / unit) * unit;
}

void
debye_orbital_find_levels(DebyeField *field, double norm, double levels[DEBYE_ORBITAL_SHARES])
{
  const DebyeGrid *grid = debye_field_get_grid(field);
  const DebyeCell steps = {grid->step[0], grid->step[1], grid->step[2]};
  const double volume = fabs(debye_cell_volume(&steps)) / (DEBYE_BOHR * DEBYE_BOHR * DEBYE_BOHR);
  const gsize n = debye_grid_n_points(grid);
  const double largest = largest_of(debye_field_get_values(field), n);
  g_autofree double *bins = g_new0(double, BINS);
  memset(levels, 0, DEBYE_ORBITAL_SHARES * sizeof *levels);
  if (!(largest > 0.0))
    return;
  const double all = fmin(norm / volume, fill_bins(debye_field_get_values(field), n, largest, bins));
  double enclosed = 0.0;
  gsize bin = 0;
  for (gsize i = 0; i < DEBYE_ORBITAL_SHARES; i++) {
    const double wanted = all * (double)(i + 1) / 100.0;
    while (bin < BINS - 1 && enclosed + bins[bin] < wanted)
      enclosed += bins[bin++];
    const double part = bins[bin] > 0.0 ? fmin((wanted - enclosed) / bins[bin], 1.0) : 0.0;
    levels[i] = round_to_digits(largest * pow(10.0, -((double)bin + part) * DECADES / BINS));
  }
}
