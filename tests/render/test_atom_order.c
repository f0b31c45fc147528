/* SPDX-License-Identifier: MIT */
/* Atoms sorted into cells: each once, in the order of the frame within its cell, and the cells' bounds are those of their
 * atoms; of few atoms, sorted by one thread, and of many, by all. */
#include "render/layers/atom_order.h"
#include "sample_scene.h"

#define FEW 20000
#define MANY 240000

static void
check_chunk(const DebyeAtomOrder *order, const DebyeAtomChunk *chunk, const DebyeFrame *frame)
{
  const float *const columns[3] = {frame->x, frame->y, frame->z};
  for (int axis = 0; axis < 3; axis++) {
    float low = INFINITY, high = -INFINITY;
    for (guint32 i = 0; i < chunk->count; i++) {
      low = fminf(low, columns[axis][order->atoms[chunk->first + i]]);
      high = fmaxf(high, columns[axis][order->atoms[chunk->first + i]]);
    }
    g_assert_cmpfloat(chunk->low[axis], ==, low);
    g_assert_cmpfloat(chunk->high[axis], ==, high);
  }
  for (guint32 i = 1; i < chunk->count; i++)
    g_assert_cmpuint(order->atoms[chunk->first + i - 1], <, order->atoms[chunk->first + i]);
}

/* How many atoms there are in all chunks, each of them once. */
static gsize
check_chunks(const DebyeAtomOrder *order, const DebyeFrame *frame)
{
  g_autofree guint8 *seen = g_malloc0(frame->n_atoms);
  gsize n = 0;
  for (gsize c = 0; c < order->n_chunks; c++) {
    const DebyeAtomChunk *chunk = &order->chunks[c];
    g_assert_cmpuint(chunk->first, ==, n);
    n += chunk->count;
    check_chunk(order, chunk, frame);
    for (guint32 i = 0; i < chunk->count; i++)
      g_assert_cmpuint(seen[order->atoms[chunk->first + i]]++, ==, 0);
  }
  return n;
}

static void
check_order(gsize n_atoms)
{
  SampleMolecule molecule = sample_liquid(n_atoms);
  g_autofree guint32 *every_third = g_new(guint32, n_atoms);
  for (gsize i = 0; 3 * i < n_atoms; i++)
    every_third[i] = (guint32)(3 * i);
  for (int some = 0; some < 2; some++) {
    const gsize n = some ? (n_atoms + 2) / 3 : n_atoms;
    DebyeAtomOrder *order = debye_atom_order_new(molecule.frame, some ? every_third : NULL, n);
    g_assert_cmpuint(order->n_chunks, >, 1);
    g_assert_cmpuint(check_chunks(order, molecule.frame), ==, n);
    for (gsize i = 0; i < n_atoms; i++)
      molecule.frame->x[i] += i % 2 ? 1.0f : -1.0f;
    g_assert_true(debye_atom_order_update(order, molecule.frame));
    g_assert_cmpuint(check_chunks(order, molecule.frame), ==, n);
    debye_atom_order_free(order);
  }
  sample_molecule_clear(&molecule);
}

static void
test_few(void)
{
  check_order(FEW);
}

static void
test_many(void)
{
  check_order(MANY);
}

/* Atoms that have changed places altogether make chunks as large as the box. */
static void
test_stale(void)
{
  SampleMolecule molecule = sample_liquid(MANY);
  DebyeAtomOrder *order = debye_atom_order_new(molecule.frame, NULL, MANY);
  for (gsize i = 0; i < MANY / 2; i++) {
    const float x = molecule.frame->x[i];
    molecule.frame->x[i] = molecule.frame->x[MANY - 1 - i];
    molecule.frame->x[MANY - 1 - i] = x;
  }
  g_assert_false(debye_atom_order_update(order, molecule.frame));
  debye_atom_order_free(order);
  sample_molecule_clear(&molecule);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/atom-order/few", test_few);
  g_test_add_func("/atom-order/many", test_many);
  g_test_add_func("/atom-order/stale", test_stale);
  return g_test_run();
}
