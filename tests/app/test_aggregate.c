/* SPDX-License-Identifier: MIT */
/* Grown aggregates: touching without overlap and in one piece, the same for a seed, with the dimensions of the literature. */
#include <math.h>

#include "app/aggregates/aggregate_file.h"
#include "data/files/error.h"

/* Coordinates are rounded far below that. */
#define TOUCH 1e-6

static double
distance(const DebyeAggregatePoint *a, const DebyeAggregatePoint *b)
{
  return sqrt((a->x - b->x) * (a->x - b->x) + (a->y - b->y) * (a->y - b->y) + (a->z - b->z) * (a->z - b->z));
}

static void
paint(const DebyeAggregatePoint *points, guint n, gboolean *is_reached, guint from)
{
  is_reached[from] = TRUE;
  for (guint i = 0; i < n; i++)
    if (!is_reached[i] && distance(&points[from], &points[i]) < 1.0 + TOUCH)
      paint(points, n, is_reached, i);
}

static void
check_cluster(const DebyeAggregatePoint *points, guint n)
{
  g_autofree gboolean *is_reached = g_new0(gboolean, n);
  DebyeAggregatePoint sum = {0};
  paint(points, n, is_reached, 0);
  for (guint i = 0; i < n; i++) {
    g_assert_true(is_reached[i]);
    for (guint j = 0; j < i; j++)
      g_assert_cmpfloat(distance(&points[i], &points[j]), >, 1.0 - TOUCH);
    sum.x += points[i].x, sum.y += points[i].y, sum.z += points[i].z;
  }
  g_assert_cmpfloat(fabs(sum.x) + fabs(sum.y) + fabs(sum.z), <, 1e-8 * n);
}

static void
test_cluster(gconstpointer data)
{
  const DebyeAggregateRule rule = {
      .law = GPOINTER_TO_INT(data), .n_stages = 7, .n_aggregates = 3, .seed = 11};
  g_auto(DebyeAggregates) grown = {0};
  g_assert_true(debye_aggregates_grow(&grown, &rule, NULL, NULL));
  g_assert_cmpuint(grown.n_particles, ==, 128);
  for (guint i = 0; i < grown.n_aggregates; i++)
    check_cluster(grown.positions + (gsize)i * grown.n_particles, grown.n_particles);
}

static void
test_seed(void)
{
  DebyeAggregateRule rule = {.n_stages = 5, .n_aggregates = 2, .seed = 3};
  g_auto(DebyeAggregates) one = {0}, same = {0}, other = {0};
  g_assert_true(debye_aggregates_grow(&one, &rule, NULL, NULL));
  g_assert_true(debye_aggregates_grow(&same, &rule, NULL, NULL));
  rule.seed = 4;
  g_assert_true(debye_aggregates_grow(&other, &rule, NULL, NULL));
  for (guint i = 0; i < 64; i++)
    g_assert_cmpfloat(distance(&one.positions[i], &same.positions[i]), ==, 0.0);
  g_assert_cmpfloat(distance(&one.positions[0], &other.positions[0]), >, 0.0);
}

/* Two spheres that touch: Rg² = 1/4. Of four by diffusion the stages are too few for a law. */
static void
test_small(void)
{
  const DebyeAggregateRule rule = {.n_stages = 1, .n_aggregates = 1, .seed = 1};
  g_auto(DebyeAggregates) pair = {0};
  g_assert_true(debye_aggregates_grow(&pair, &rule, NULL, NULL));
  g_assert_cmpfloat(fabs(distance(&pair.positions[0], &pair.positions[1]) - 1.0), <, TOUCH);
  g_assert_true(isnan(pair.dimension));
}

/* 1.78 and 2.0 of infinite clusters; 48 of 256 particles are within a tenth, finite as they are. */
static void
test_dimensions(void)
{
  DebyeAggregateRule rule = {.law = DEBYE_AGGREGATE_DIFFUSION, .n_stages = 8, .n_aggregates = 48, .seed = 5};
  g_auto(DebyeAggregates) diffusion = {0}, reaction = {0};
  g_assert_true(debye_aggregates_grow(&diffusion, &rule, NULL, NULL));
  rule.law = DEBYE_AGGREGATE_REACTION;
  g_assert_true(debye_aggregates_grow(&reaction, &rule, NULL, NULL));
  g_test_message("diffusion %.3f ± %.3f, reaction %.3f ± %.3f", diffusion.dimension, diffusion.error,
                 reaction.dimension, reaction.error);
  g_assert_cmpfloat(fabs(diffusion.dimension - 1.78), <, 0.1);
  g_assert_cmpfloat(fabs(reaction.dimension - 2.0), <, 0.15);
  g_assert_cmpfloat(reaction.dimension, >, diffusion.dimension + 0.05);
}

static gboolean
stop_half_way(double fraction, gpointer data)
{
  double *last = data;
  g_assert_cmpfloat(fraction, >=, *last);
  g_assert_cmpfloat(fraction, <=, 1.0);
  *last = fraction;
  return fraction < 0.5;
}

static void
test_stop(void)
{
  const DebyeAggregateRule rule = {.n_stages = 6, .n_aggregates = 4, .seed = 2};
  g_auto(DebyeAggregates) grown = {0};
  double last = 0.0;
  g_assert_false(debye_aggregates_grow(&grown, &rule, stop_half_way, &last));
  g_assert_cmpfloat(last, >=, 0.5);
}

static void
test_rules(void)
{
  static const char *const wrong[] = {"",
                                      "diffusion 10 6",
                                      "growth 10 6 7",
                                      "diffusion 0 6 7",
                                      "diffusion 15 6 7",
                                      "diffusion 10 0 7",
                                      "diffusion ten 6 7",
                                      "diffusion 10 6 7 8"};
  DebyeAggregateRule rule;
  g_autoptr(GError) none = NULL;
  for (gsize i = 0; i < G_N_ELEMENTS(wrong); i++) {
    g_autoptr(GError) error = NULL;
    g_assert_false(debye_aggregate_rule_parse(&rule, wrong[i], &error));
    g_assert_error(error, DEBYE_ERROR, DEBYE_ERROR_VALUE);
  }
  g_assert_true(debye_aggregate_rule_parse(&rule, "reaction 10 6 7", &none));
  g_assert_no_error(none);
  g_assert_cmpuint(rule.law, ==, DEBYE_AGGREGATE_REACTION);
  g_assert_cmpuint(rule.n_stages + rule.n_aggregates + rule.seed, ==, 23);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_data_func("/aggregate/diffusion", GINT_TO_POINTER(DEBYE_AGGREGATE_DIFFUSION), test_cluster);
  g_test_add_data_func("/aggregate/reaction", GINT_TO_POINTER(DEBYE_AGGREGATE_REACTION), test_cluster);
  g_test_add_func("/aggregate/seed", test_seed);
  g_test_add_func("/aggregate/small", test_small);
  g_test_add_func("/aggregate/dimensions", test_dimensions);
  g_test_add_func("/aggregate/stop", test_stop);
  g_test_add_func("/aggregate/rules", test_rules);
  return g_test_run();
}
