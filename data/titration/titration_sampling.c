/* SPDX-License-Identifier: MIT */
/* Implementation of titration_sampling.h. */
#include "titration_sampling.h"

#include <math.h>

/* kT between two states from which on their sites move together, too: a proton that goes from one to the other has no
 * barrier then. */
#define LEAST_COUPLING 2.0

#define NEVER 40.0

typedef struct {
  guint first, second; /* sites */
} Pair;

typedef struct {
  const DebyeTitrationModel *model;
  double ph;
  guint64 random;
  guint *state;  /* of each site */
  double *field; /* kT, of each state: itself and with all other sites as they are */
  GArray *pairs;
} Walk;

/* S. Vigna's splitmix64; in [0, 1). */
static double
draw(Walk *walk)
{
  guint64 z = (walk->random += G_GUINT64_CONSTANT(0x9e3779b97f4a7c15));
  z = (z ^ (z >> 30)) * G_GUINT64_CONSTANT(0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * G_GUINT64_CONSTANT(0x94d049bb133111eb);
  return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

static guint
draw_below(Walk *walk, guint n)
{
  return (guint)(draw(walk) * (double)n);
}

/* Any of a site's states but the one it has. */
static guint
draw_state(Walk *walk, guint site)
{
  const guint first = walk->model->first[site], n = walk->model->first[site + 1] - first;
  const guint other = first + draw_below(walk, n - 1);
  return other < walk->state[site] ? other : other + 1;
}

/* Beyond NEVER kT not even the least number that is drawn is below it, but 0: most moves are, and need no exponential. */
static gboolean
is_taken(Walk *walk, double change)
{
  if (change <= 0.0)
    return TRUE;
  const double number = draw(walk);
  return change < NEVER && number < exp(-change);
}

static void
take(Walk *walk, guint site, guint state)
{
  const DebyeTitrationModel *model = walk->model;
  const double *restrict came = model->interaction + (gsize)state * model->n_states;
  const double *restrict went = model->interaction + (gsize)walk->state[site] * model->n_states;
  double *restrict field = walk->field;
  const gsize n = model->n_states, whole = n - n % 4;
  /* By fours: the compiler makes vectors of them. */
  for (gsize s = 0; s < whole; s += 4)
    for (gsize k = s; k < s + 4; k++)
      field[k] += came[k] - went[k];
  for (gsize s = whole; s < n; s++)
    field[s] += came[s] - went[s];
  walk->state[site] = state;
}

static void
move_one(Walk *walk, guint site)
{
  if (walk->model->first[site + 1] - walk->model->first[site] < 2)
    return;
  const guint state = draw_state(walk, site);
  if (is_taken(walk, walk->field[state] - walk->field[walk->state[site]]))
    take(walk, site, state);
}

static void
move_two(Walk *walk, const Pair *pair)
{
  const gsize n = walk->model->n_states;
  const double *interaction = walk->model->interaction;
  const guint old_a = walk->state[pair->first], old_b = walk->state[pair->second];
  const guint a = draw_state(walk, pair->first), b = draw_state(walk, pair->second);
  /* Each one's field has the other as it was. */
  const double change = walk->field[a] - walk->field[old_a] + walk->field[b] - walk->field[old_b] +
                        interaction[a * n + b] - interaction[a * n + old_b] - interaction[old_a * n + b] +
                        interaction[old_a * n + old_b];
  if (!is_taken(walk, change))
    return;
  take(walk, pair->first, a);
  take(walk, pair->second, b);
}

static void
sweep(Walk *walk)
{
  const guint n = (guint)walk->model->n_sites;
  for (guint k = 0; k < n; k++)
    move_one(walk, draw_below(walk, n));
  for (guint k = 0; k < walk->pairs->len; k++)
    move_two(walk, &g_array_index(walk->pairs, Pair, draw_below(walk, walk->pairs->len)));
}

/* --- Beginning --- */

static gboolean
is_coupled(const DebyeTitrationModel *model, guint i, guint j)
{
  for (guint s = model->first[i]; s < model->first[i + 1]; s++)
    for (guint t = model->first[j]; t < model->first[j + 1]; t++)
      if (fabs(model->interaction[s * model->n_states + t]) >= LEAST_COUPLING)
        return TRUE;
  return FALSE;
}

static void
begin(Walk *walk)
{
  const DebyeTitrationModel *model = walk->model;
  walk->state = g_new(guint, model->n_sites + 1);
  walk->field = g_new(double, model->n_states + 1);
  walk->pairs = g_array_new(FALSE, FALSE, sizeof(Pair));
  for (guint s = 0; s < model->n_states; s++)
    walk->field[s] = debye_titration_model_get_energy(model, s, walk->ph);
  for (guint i = 0; i < model->n_sites; i++)
    walk->state[i] = model->first[i];
  for (guint i = 0; i < model->n_sites; i++)
    for (guint s = 0; s < model->n_states; s++)
      walk->field[s] += model->interaction[(gsize)model->first[i] * model->n_states + s];
  for (guint i = 0; i < model->n_sites; i++)
    for (guint j = i + 1; j < model->n_sites; j++) {
      const Pair pair = {i, j};
      if (is_coupled(model, i, j))
        g_array_append_val(walk->pairs, pair);
    }
}

static void
end(Walk *walk)
{
  g_free(walk->state);
  g_free(walk->field);
  g_array_unref(walk->pairs);
}

void
debye_titration_sample(const DebyeTitrationModel *model, double ph, const DebyeTitrationSampling *sampling,
                       double *occupancy, double *error)
{
  Walk walk = {.model = model, .ph = ph, .random = sampling->seed};
  g_autofree guint *counts = g_new(guint, model->n_states + 1);
  const double n = (double)sampling->blocks;
  begin(&walk);
  for (gsize s = 0; s < model->n_states; s++)
    occupancy[s] = error[s] = 0.0;
  for (guint k = 0; k < sampling->sweeps / 2; k++)
    sweep(&walk);
  for (guint block = 0; block < sampling->blocks; block++) {
    for (gsize s = 0; s < model->n_states; s++)
      counts[s] = 0;
    for (guint k = 0; k < sampling->sweeps; k++) {
      sweep(&walk);
      for (gsize i = 0; i < model->n_sites; i++)
        counts[walk.state[i]]++;
    }
    for (gsize s = 0; s < model->n_states; s++) {
      const double share = (double)counts[s] / (double)sampling->sweeps;
      occupancy[s] += share / n;
      error[s] += share * share / n;
    }
  }
  for (gsize s = 0; s < model->n_states; s++)
    error[s] = sqrt(MAX(0.0, error[s] - occupancy[s] * occupancy[s]) / (n - 1.0));
  end(&walk);
}
