/* SPDX-License-Identifier: MIT */
/* Implementation of poisson_tree.h: boxes are halved along their longest edge; a box's proxies come from its children's. */
#include "poisson_tree.h"

#include <stdlib.h>

#define PI 3.14159265358979323846
#define MAX_POINTS (DEBYE_POISSON_TREE_MAX_DEGREE + 1)

struct DebyePoissonTreeNode {
  DebyeVec3 low, high; /* of its charges */
  size_t first, n;     /* charges */
  size_t proxies;      /* place of the first; 0: it has none, its charges are as few */
  size_t child;        /* the first of two; 0: none */
};

/* Building. */

typedef struct {
  DebyePoissonTree *tree;
  size_t points, n_proxies; /* of a node; and all of them so far */
  size_t leaf, capacity;
} Building;

static double
component(DebyeVec3 at, int axis)
{
  return axis == 0 ? at.x : axis == 1 ? at.y : at.z;
}

static void
set_bounds(const DebyePoissonTree *tree, DebyePoissonTreeNode *node)
{
  double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
  for (int axis = 0; axis < 3; axis++)
    for (size_t i = node->first; i < node->first + node->n; i++) {
      low[axis] = fmin(low[axis], tree->places[axis][i]);
      high[axis] = fmax(high[axis], tree->places[axis][i]);
    }
  node->low = debye_vec3(low[0], low[1], low[2]);
  node->high = debye_vec3(high[0], high[1], high[2]);
}

static void
swap_charges(const DebyePoissonTree *tree, size_t a, size_t b)
{
  for (int i = 0; i < 4; i++) {
    const double kept = tree->places[i][a];
    tree->places[i][a] = tree->places[i][b];
    tree->places[i][b] = kept;
  }
}

/* Charges below the middle of the longest edge first; how many. */
static size_t
part(const DebyePoissonTree *tree, const DebyePoissonTreeNode *node)
{
  const DebyeVec3 size = debye_vec3_subtract(node->high, node->low);
  const int axis = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
  const double middle = 0.5 * (component(node->low, axis) + component(node->high, axis));
  size_t end = node->first;
  for (size_t i = node->first; i < node->first + node->n; i++)
    if (tree->places[axis][i] < middle)
      swap_charges(tree, i, end++);
  return end - node->first;
}

static bool
append_node(Building *building, size_t first, size_t n)
{
  DebyePoissonTree *tree = building->tree;
  if (tree->n_nodes == building->capacity) {
    const size_t capacity = 2 * building->capacity + 64;
    DebyePoissonTreeNode *nodes = realloc(tree->nodes, capacity * sizeof *nodes);
    if (nodes == NULL)
      return false;
    tree->nodes = nodes;
    building->capacity = capacity;
  }
  DebyePoissonTreeNode *node = &tree->nodes[tree->n_nodes++];
  *node = (DebyePoissonTreeNode){.first = first, .n = n};
  set_bounds(tree, node);
  return true;
}

/* All nodes, each behind its parent; charges that are at one place stay together. */
static bool
divide(Building *building, size_t n_charges)
{
  DebyePoissonTree *tree = building->tree;
  bool good = append_node(building, 0, n_charges);
  for (size_t i = 0; good && i < tree->n_nodes; i++) {
    const DebyePoissonTreeNode node = tree->nodes[i];
    const size_t below = node.n > building->leaf ? part(tree, &node) : 0;
    if (node.n > building->points) {
      tree->nodes[i].proxies = n_charges + building->n_proxies;
      building->n_proxies += building->points;
    }
    if (below == 0)
      continue;
    tree->nodes[i].child = tree->n_nodes;
    good =
        append_node(building, node.first, below) && append_node(building, node.first + below, node.n - below);
  }
  return good;
}

/* Proxies. */

/* Chebyshev's points of the second kind of an interval. */
static void
set_points(double low, double high, unsigned degree, double points[MAX_POINTS])
{
  for (unsigned k = 0; k <= degree; k++)
    points[k] = 0.5 * (low + high) + 0.5 * (high - low) * cos(PI * (double)k / (double)degree);
}

/* Lagrange's polynomials of these points at x. An interval without length: all is at its first point. */
static void
set_weights(const double points[MAX_POINTS], unsigned degree, double x, double weights[MAX_POINTS])
{
  for (unsigned k = 0; k <= degree; k++) {
    weights[k] = points[0] == points[degree] && k > 0 ? 0.0 : 1.0;
    for (unsigned m = 0; m <= degree && points[0] != points[degree]; m++)
      if (m != k)
        weights[k] *= (x - points[m]) / (points[k] - points[m]);
  }
}

/* Adds charges [first, first + n) to a node's proxies. */
static void
add_to_proxies(DebyePoissonTree *tree, const DebyePoissonTreeNode *node, double points[3][MAX_POINTS],
               size_t first, size_t n)
{
  const unsigned degree = tree->settings.degree;
  for (size_t i = first; i < first + n; i++) {
    double weights[3][MAX_POINTS], *proxy = tree->places[3] + node->proxies;
    for (int axis = 0; axis < 3; axis++)
      set_weights(points[axis], degree, tree->places[axis][i], weights[axis]);
    for (unsigned z = 0; z <= degree; z++)
      for (unsigned y = 0; y <= degree; y++) {
        const double part = tree->places[3][i] * weights[2][z] * weights[1][y];
        for (unsigned x = 0; x <= degree; x++)
          *proxy++ += part * weights[0][x];
      }
  }
}

static void
set_proxies(DebyePoissonTree *tree, const DebyePoissonTreeNode *node, size_t points_of_node)
{
  const unsigned degree = tree->settings.degree;
  double points[3][MAX_POINTS];
  size_t place = node->proxies;
  for (int axis = 0; axis < 3; axis++)
    set_points(component(node->low, axis), component(node->high, axis), degree, points[axis]);
  for (unsigned z = 0; z <= degree; z++)
    for (unsigned y = 0; y <= degree; y++)
      for (unsigned x = 0; x <= degree; x++, place++) {
        tree->places[0][place] = points[0][x];
        tree->places[1][place] = points[1][y];
        tree->places[2][place] = points[2][z];
        tree->places[3][place] = 0.0;
      }
  if (node->child == 0)
    add_to_proxies(tree, node, points, node->first, node->n);
  for (size_t child = node->child; child != 0 && child < node->child + 2; child++) {
    const DebyePoissonTreeNode *its = &tree->nodes[child];
    add_to_proxies(tree, node, points, its->proxies != 0 ? its->proxies : its->first,
                   its->proxies != 0 ? points_of_node : its->n);
  }
}

static bool
make_room(DebyePoissonTree *tree, size_t n)
{
  for (int i = 0; i < 4; i++) {
    double *places = realloc(tree->places[i], (n + 1) * sizeof *places);
    if (places == NULL)
      return false;
    tree->places[i] = places;
  }
  return true;
}

static size_t
copy_charges(DebyePoissonTree *tree, const DebyeSpheres *spheres, const double *charges)
{
  size_t n = 0;
  for (size_t i = 0; i < spheres->n; i++)
    if (charges[i] != 0.0) {
      tree->places[0][n] = (double)spheres->x[i];
      tree->places[1][n] = (double)spheres->y[i];
      tree->places[2][n] = (double)spheres->z[i];
      tree->places[3][n++] = charges[i];
    }
  return n;
}

bool
debye_poisson_tree_init(DebyePoissonTree *tree, const DebyePoissonTreeSettings *settings,
                        const DebyeSpheres *spheres, const double *charges)
{
  const size_t edge = settings->degree + 1, points = edge * edge * edge;
  *tree = (DebyePoissonTree){.settings = *settings};
  Building building = {.tree = tree, .points = points, .leaf = points < 128 ? points : 128};
  bool good = make_room(tree, spheres->n);
  const size_t n = good ? copy_charges(tree, spheres, charges) : 0;
  good = good && (n == 0 || divide(&building, n)) && make_room(tree, n + building.n_proxies);
  /* Children before their parents. */
  for (size_t i = tree->n_nodes; good && i > 0; i--)
    if (tree->nodes[i - 1].proxies != 0)
      set_proxies(tree, &tree->nodes[i - 1], points);
  if (!good)
    debye_poisson_tree_clear(tree);
  return good;
}

void
debye_poisson_tree_clear(DebyePoissonTree *tree)
{
  for (int i = 0; i < 4; i++)
    free(tree->places[i]);
  free(tree->nodes);
  *tree = (DebyePoissonTree){.n_nodes = 0};
}

/* Visiting. */

static bool
is_far(const DebyePoissonTree *tree, const DebyePoissonTreeNode *node, DebyeVec3 at, const double apart[3])
{
  const DebyeVec3 middle = debye_vec3_scale(debye_vec3_add(node->low, node->high), 0.5);
  const DebyeVec3 half = debye_vec3_scale(debye_vec3_subtract(node->high, node->low), 0.5);
  const DebyeVec3 d = debye_vec3_subtract(at, middle);
  if (!(debye_vec3_length(half) <= tree->settings.opening * debye_vec3_length(d)))
    return false;
  return fabs(d.x) - half.x > apart[0] || fabs(d.y) - half.y > apart[1] || fabs(d.z) - half.z > apart[2];
}

static DebyePoissonSources
sources_at(const DebyePoissonTree *tree, size_t first, size_t n)
{
  return (DebyePoissonSources){tree->places[0] + first, tree->places[1] + first, tree->places[2] + first,
                               tree->places[3] + first, n};
}

void
debye_poisson_tree_visit(const DebyePoissonTree *tree, DebyeVec3 at, const double apart[3],
                         void (*function)(void *context, const DebyePoissonSources *sources,
                                          bool are_proxies),
                         void *context)
{
  const size_t edge = tree->settings.degree + 1, points = edge * edge * edge;
  /* One waits per level, and three axes of floats can be halved some 280 times each. */
  size_t waiting[1024], n_waiting = 0;
  if (tree->n_nodes > 0)
    waiting[n_waiting++] = 0;
  while (n_waiting > 0) {
    const DebyePoissonTreeNode *node = &tree->nodes[waiting[--n_waiting]];
    const bool by_proxies = node->proxies != 0 && is_far(tree, node, at, apart);
    if (!by_proxies && node->child != 0) {
      waiting[n_waiting++] = node->child;
      waiting[n_waiting++] = node->child + 1;
      continue;
    }
    const DebyePoissonSources sources =
        sources_at(tree, by_proxies ? node->proxies : node->first, by_proxies ? points : node->n);
    function(context, &sources, by_proxies);
  }
}
