/* SPDX-License-Identifier: MIT */
/* Implementation of aggregate.h. */
#include "aggregate.h"

#include <math.h>

/* Smaller clusters are not fractal yet. */
#define FIRST_STAGE 3

/* Rows of a rotation, each as likely (K. Shoemake, Graphics Gems III (1992) 124). */
static void
rotate(DebyeAggregatePoint *points, guint n, guint64 *state)
{
  const double u = debye_aggregate_random(state), first = 2.0 * G_PI * debye_aggregate_random(state),
               second = 2.0 * G_PI * debye_aggregate_random(state);
  const double a = sqrt(1.0 - u) * sin(first), b = sqrt(1.0 - u) * cos(first), c = sqrt(u) * sin(second),
               w = sqrt(u) * cos(second);
  for (guint i = 0; i < n; i++) {
    const DebyeAggregatePoint p = points[i];
    points[i] = (DebyeAggregatePoint){
        (1.0 - 2.0 * (b * b + c * c)) * p.x + 2.0 * (a * b - c * w) * p.y + 2.0 * (a * c + b * w) * p.z,
        2.0 * (a * b + c * w) * p.x + (1.0 - 2.0 * (a * a + c * c)) * p.y + 2.0 * (b * c - a * w) * p.z,
        2.0 * (a * c - b * w) * p.x + 2.0 * (b * c + a * w) * p.y + (1.0 - 2.0 * (a * a + b * b)) * p.z};
  }
}

static DebyeCluster
look_at(const DebyeAggregatePoint *points, guint n)
{
  DebyeCluster cluster = {.points = points, .n = n};
  for (guint i = 0; i < n; i++)
    cluster.radius = fmax(cluster.radius, sqrt(points[i].x * points[i].x + points[i].y * points[i].y +
                                               points[i].z * points[i].z));
  return cluster;
}

/* Two clusters of n particles, one behind the other in memory, become one. */
static void
join(DebyeAggregatePoint *points, guint n, DebyeAggregateLaw law, guint64 *state)
{
  rotate(points + n, n, state);
  const DebyeCluster fixed = look_at(points, n), moving = look_at(points + n, n);
  const DebyeAggregatePoint centre = debye_aggregate_collide(law, &fixed, &moving, state);
  for (guint i = 0; i < 2 * n; i++) {
    const double share = i < n ? -0.5 : 0.5;
    points[i].x += share * centre.x;
    points[i].y += share * centre.y;
    points[i].z += share * centre.z;
  }
}

static double
square_radius(const DebyeAggregatePoint *points, guint n)
{
  double sum = 0.0;
  for (guint i = 0; i < n; i++)
    sum += points[i].x * points[i].x + points[i].y * points[i].y + points[i].z * points[i].z;
  return sum / n;
}

/* ln N = D·ln Rg + const. by least squares, where Rg² is the mean of a stage. */
static void
find_dimension(DebyeAggregates *self, const double *squares, guint n_stages)
{
  double n = 0.0, sx = 0.0, sy = 0.0, sxx = 0.0, sxy = 0.0, rest = 0.0;
  for (guint stage = FIRST_STAGE; stage <= n_stages; stage++) {
    const double x = 0.5 * log(squares[stage]), y = stage * G_LN2;
    n += 1.0, sx += x, sy += y, sxx += x * x, sxy += x * y;
  }
  self->dimension = self->error = NAN;
  if (n < 3.0)
    return;
  const double spread = sxx - sx * sx / n;
  self->dimension = (sxy - sx * sy / n) / spread;
  for (guint stage = FIRST_STAGE; stage <= n_stages; stage++) {
    const double off = stage * G_LN2 - sy / n - self->dimension * (0.5 * log(squares[stage]) - sx / n);
    rest += off * off;
  }
  self->error = sqrt(rest / (n - 2.0) / spread);
}

/* All clusters of 2^stage particles from those of half of that; the mean of their Rg². NAN: stopped. */
static double
grow_stage(DebyeAggregatePoint *points, guint n_all, guint stage, const DebyeAggregateRule *rule,
           guint64 *state, DebyeAggregateProgress progress, gpointer data)
{
  const guint n = 1u << stage;
  double sum = 0.0;
  for (guint first = 0; first < n_all; first += n) {
    join(points + first, n / 2, rule->law, state);
    sum += square_radius(points + first, n);
    /* A stage takes about as long as all before it: walks are twice as long, clusters twice as heavy, and half as many. */
    const double done = (double)(first + n) / n_all;
    if (progress != NULL && !progress((1.0 + done) * ldexp(1.0, (int)stage - (int)rule->n_stages - 1), data))
      return NAN;
  }
  return sum / (n_all / n);
}

gboolean
debye_aggregates_grow(DebyeAggregates *self, const DebyeAggregateRule *rule, DebyeAggregateProgress progress,
                      gpointer data)
{
  g_return_val_if_fail(rule->n_stages >= 1 && rule->n_stages <= DEBYE_AGGREGATE_MOST_STAGES, FALSE);
  double squares[DEBYE_AGGREGATE_MOST_STAGES + 1];
  guint64 state = rule->seed;
  self->n_particles = 1u << rule->n_stages;
  self->n_aggregates = rule->n_aggregates;
  self->positions = g_new0(DebyeAggregatePoint, (gsize)self->n_particles * self->n_aggregates);
  for (guint stage = 1; stage <= rule->n_stages; stage++) {
    squares[stage] = grow_stage(self->positions, self->n_particles * self->n_aggregates, stage, rule, &state,
                                progress, data);
    if (isnan(squares[stage]))
      return FALSE;
  }
  find_dimension(self, squares, rule->n_stages);
  return TRUE;
}

void
debye_aggregates_clear(DebyeAggregates *self)
{
  g_clear_pointer(&self->positions, g_free);
}
