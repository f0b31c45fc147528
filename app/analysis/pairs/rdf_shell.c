/* SPDX-License-Identifier: MIT */
/* Finds the pairs of a frame whose distance is in a range; called by window_shell.c, which shows them. */
#include "rdf_shell.h"

#include <math.h>
#include <string.h>

#include "data/files/error.h"
#include "data/molecule/neighbours.h"
#include "rdf_plan.h"

/* A visited image is the nearest one where its squared distance is that of the minimum image, but for
 * rounding. */
#define SAME_IMAGE 1e-4

struct _DebyeRdfShell {
  DebyeDataset *dataset; /* the plan borrows its topology */
  DebyeRdfPlan plan;
  guint pair;
  double from, to;
  guint32 *class_of; /* NULL: no atoms exclude one another by class */
};

/* --- What is excluded --- */

static void
number_classes(DebyeRdfShell *shell)
{
  const DebyeRdfExclusions *exclusions = &shell->plan.exclusions;
  gsize n_atoms = debye_topology_get_n_atoms(shell->plan.topology);
  if (exclusions->members == NULL)
    return;
  shell->class_of = g_new(guint32, n_atoms + 1);
  memset(shell->class_of, 0xff, (n_atoms + 1) * sizeof *shell->class_of);
  for (guint c = 0; c + 1 < exclusions->class_first->len; c++)
    for (guint32 k = g_array_index(exclusions->class_first, guint32, c);
         k < g_array_index(exclusions->class_first, guint32, c + 1); k++)
      shell->class_of[g_array_index(exclusions->members, guint32, k)] = c;
}

/* Partners are listed with the lower atom of the two. */
static gboolean
is_excluded(const DebyeRdfShell *shell, guint32 a, guint32 b)
{
  const DebyeRdfExclusions *exclusions = &shell->plan.exclusions;
  guint32 low = MIN(a, b), high = MAX(a, b);
  if (shell->class_of != NULL && shell->class_of[a] == shell->class_of[b] &&
      shell->class_of[a] != G_MAXUINT32)
    return TRUE;
  if (exclusions->partners == NULL || low + 1 >= exclusions->partner_first->len)
    return FALSE;
  for (guint32 k = g_array_index(exclusions->partner_first, guint32, low);
       k < g_array_index(exclusions->partner_first, guint32, low + 1); k++)
    if (g_array_index(exclusions->partners, guint32, k) == high)
      return TRUE;
  return FALSE;
}

/* --- Making --- */

static gboolean
find_pair(DebyeRdfShell *shell, const char *name, GError **error)
{
  const GArray *pairs = shell->plan.pairs;
  for (shell->pair = 0; shell->pair < pairs->len; shell->pair++)
    if (strcmp(g_array_index(pairs, DebyeRdfPair, shell->pair).name, name) == 0)
      return TRUE;
  return debye_error_set_about(error, DEBYE_ERROR_MISSING, "Pairs",
                               "expected a pair of the request, found “%s”", name);
}

DebyeRdfShell *
debye_rdf_shell_new(DebyeDataset *dataset, DebyeRequest *request, const char *pair, double from, double to,
                    GError **error)
{
  g_return_val_if_fail(DEBYE_IS_DATASET(dataset) && DEBYE_IS_REQUEST(request) && pair != NULL, NULL);
  g_autoptr(DebyeRdfShell) shell = g_new0(DebyeRdfShell, 1);
  shell->dataset = g_object_ref(dataset);
  shell->from = from;
  shell->to = to;
  if (!debye_rdf_plan_init(&shell->plan, dataset, request, NULL, error) || !find_pair(shell, pair, error))
    return NULL;
  number_classes(shell);
  return g_steal_pointer(&shell);
}

void
debye_rdf_shell_free(DebyeRdfShell *shell)
{
  if (shell == NULL)
    return;
  debye_rdf_plan_clear(&shell->plan);
  g_clear_object(&shell->dataset);
  g_free(shell->class_of);
  g_free(shell);
}

/* --- Finding --- */

static GArray *
get_atoms(const DebyeRdfShell *shell, guint index, const DebyeFrame *frame, GError **error)
{
  const DebyeRdfSelection *selection = &g_array_index(shell->plan.selections, DebyeRdfSelection, index);
  if (selection->selection != NULL && debye_selection_is_dynamic(selection->selection))
    return debye_selection_evaluate(selection->selection, shell->plan.topology, frame, error);
  return g_array_ref(selection->atoms);
}

typedef struct {
  const DebyeRdfShell *shell;
  const DebyeFrame *frame;
  DebyePeriodic periodic;
  guint32 a;
  guint32 *paired; /* with which first atom an atom was paired last: two images may be equally near */
  gboolean once;   /* both sides are the same atoms: each pair comes twice */
  GArray *lines;
  guint max_lines;
  gsize n_pairs;
} Search;

static void
set_place(float place[3], DebyeVec3 p)
{
  place[0] = (float)p.x;
  place[1] = (float)p.y;
  place[2] = (float)p.z;
}

static gboolean
visit(guint32 b, double squared, gpointer data)
{
  Search *search = data;
  const DebyeRdfShell *shell = search->shell;
  if (b == search->a || (search->once && b < search->a) || search->paired[b] == search->a ||
      is_excluded(shell, search->a, b))
    return TRUE;
  DebyeVec3 from = debye_frame_get_position(search->frame, search->a);
  DebyeVec3 apart = debye_periodic_minimum_image(
      &search->periodic, debye_vec3_subtract(debye_frame_get_position(search->frame, b), from));
  double least = debye_vec3_dot(apart, apart);
  if (fabs(squared - least) > SAME_IMAGE || least < shell->from * shell->from ||
      least >= shell->to * shell->to)
    return TRUE;
  search->paired[b] = search->a;
  search->n_pairs++;
  if (search->lines->len < search->max_lines) {
    DebyeRdfLine line = {.a = search->a, .b = b};
    set_place(line.from, from);
    set_place(line.to, debye_vec3_add(from, apart));
    g_array_append_val(search->lines, line);
  }
  return TRUE;
}

GArray *
debye_rdf_shell_find(DebyeRdfShell *shell, const DebyeFrame *frame, guint max_lines, gsize *n_pairs,
                     GError **error)
{
  g_return_val_if_fail(shell != NULL && frame != NULL && n_pairs != NULL, NULL);
  const DebyeRdfPair *pair = &g_array_index(shell->plan.pairs, DebyeRdfPair, shell->pair);
  g_autoptr(GArray) first = get_atoms(shell, pair->a, frame, error);
  g_autoptr(GArray) second = first != NULL ? get_atoms(shell, pair->b, frame, error) : NULL;
  if (second == NULL)
    return NULL;
  g_autoptr(DebyeNeighbours) neighbours =
      debye_neighbours_new(frame, (const guint32 *)second->data, second->len, shell->to);
  gsize paired_bytes = debye_topology_get_n_atoms(shell->plan.topology) * sizeof(guint32);
  g_autofree guint32 *paired = g_malloc(paired_bytes);
  memset(paired, 0xff, paired_bytes);
  Search search = {.shell = shell,
                   .frame = frame,
                   .paired = paired,
                   .once = pair->a == pair->b,
                   .lines = g_array_new(FALSE, FALSE, sizeof(DebyeRdfLine)),
                   .max_lines = max_lines};
  debye_periodic_init_for_frame(&search.periodic, frame);
  for (guint i = 0; i < first->len; i++) {
    search.a = g_array_index(first, guint32, i);
    DebyeVec3 position = debye_frame_get_position(frame, search.a);
    if (debye_vec3_is_finite(position))
      debye_neighbours_visit(neighbours, position, visit, &search);
  }
  *n_pairs = search.n_pairs;
  return search.lines;
}
