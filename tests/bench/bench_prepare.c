/* SPDX-License-Identifier: MIT */
/* A bare structure made ready, copied beside itself until it has 5,000 residues, without and with the search for hydrogen
 * bonds: bench_prepare FILE. Without a file the protease of the samples, whose hydrogens are left out first. */
#include <stdio.h>

#include "data/prepare/prepare.h"
#include "data/selection/selection.h"
#include "data/trajectory/dataset.h"

#define N_RESIDUES 5000
#define REPEAT 5
#define APART 150.0f /* Å between copies */

static DebyeFrame *
read_frame(DebyeDataset *dataset, GError **error)
{
  DebyeTrajectory *trajectory = debye_dataset_get_trajectory(dataset);
  g_autoptr(DebyeTrajectoryReader) reader = debye_trajectory_reader_new(trajectory, error);
  DebyeFrame *frame = debye_frame_new(debye_trajectory_get_n_atoms(trajectory));
  return reader != NULL && debye_trajectory_reader_read(reader, 0, frame, error) ? frame : NULL;
}

static void
add_copy(DebyeTopologyBuilder *builder, DebyeTopology *topology, guint copy)
{
  const DebyeStringPool *pool = debye_topology_get_string_pool(topology);
  const DebyeResidue *table = debye_topology_get_residue_table(topology);
  g_autofree char *segment = g_strdup_printf("%u", copy);
  for (gsize i = 0; i < debye_topology_get_n_atoms(topology); i++) {
    const DebyeResidue *residue = &table[debye_topology_get_residues(topology)[i]];
    DebyeAtom atom = DEBYE_ATOM_INIT;
    atom.name = debye_string_pool_get(pool, debye_topology_get_names(topology)[i]);
    atom.atomic_number = debye_topology_get_elements(topology)[i];
    debye_topology_builder_set_residue(builder, debye_string_pool_get(pool, residue->name), -1,
                                       residue->number, residue->insertion_code,
                                       debye_string_pool_get(pool, residue->chain), -1, segment, -1);
    debye_topology_builder_add_atom(builder, &atom);
  }
}

static DebyeFrame *
copy_frame(const DebyeFrame *frame, guint n_copies)
{
  DebyeFrame *copies = debye_frame_new(frame->n_atoms * n_copies);
  for (gsize i = 0; i < copies->n_atoms; i++) {
    copies->x[i] = frame->x[i % frame->n_atoms] + APART * (float)(i / frame->n_atoms);
    copies->y[i] = frame->y[i % frame->n_atoms];
    copies->z[i] = frame->z[i % frame->n_atoms];
  }
  return copies;
}

static void
measure(DebyeTopology *topology, const DebyeFrame *frame, gboolean optimises)
{
  const DebyePrepareSettings settings = {
      .states = {.titrate = DEBYE_TITRATE_MODEL, .ph = 7.0, .table = DEBYE_CHARGE_TABLE_AMBER},
      .optimises = optimises};
  g_autoptr(GError) error = NULL;
  gint64 least = G_MAXINT64;
  for (int k = 0; k < REPEAT; k++) {
    const gint64 start = g_get_monotonic_time();
    g_autoptr(DebyePrepared) prepared = debye_prepare(topology, frame, &settings, &error);
    if (prepared == NULL)
      g_error("%s", error->message);
    least = MIN(least, g_get_monotonic_time() - start);
  }
  printf("%s: %zu residues, %zu heavy atoms, %.0f ms\n", optimises ? "with hydrogen bonds" : "by geometry",
         debye_topology_get_n_residues(topology), frame->n_atoms, (double)least / 1e3);
}

int
main(int argc, char **argv)
{
  const char *path = argc > 1 ? argv[1] : DEBYE_SOURCE_SAMPLE_DIR "/protease.pqr";
  g_autoptr(GError) error = NULL;
  g_autoptr(DebyeDataset) dataset = debye_dataset_open((const char *[]){path, NULL}, NULL, NULL, &error);
  g_autoptr(DebyeFrame) frame = dataset != NULL ? read_frame(dataset, &error) : NULL;
  g_autoptr(DebyeSelection) bare = debye_selection_parse("protein and not element H", NULL, NULL);
  if (frame == NULL)
    g_error("%s", error->message);
  g_autoptr(GArray) atoms =
      debye_selection_evaluate(bare, debye_dataset_get_topology(dataset), frame, &error);
  const guint32 *list = (const guint32 *)(const void *)atoms->data;
  g_autoptr(DebyeTopology) one = debye_topology_subset(debye_dataset_get_topology(dataset), list, atoms->len);
  g_autoptr(DebyeFrame) one_frame = debye_frame_subset(frame, list, atoms->len);
  g_autoptr(DebyeTopologyBuilder) builder = debye_topology_builder_new();
  const guint n_copies = (guint)(N_RESIDUES / debye_topology_get_n_residues(one)) + 1;
  for (guint k = 0; k < n_copies; k++)
    add_copy(builder, one, k);
  g_autoptr(DebyeTopology) topology = debye_topology_builder_finish(builder);
  g_autoptr(DebyeFrame) copies = copy_frame(one_frame, n_copies);
  measure(topology, copies, FALSE);
  measure(topology, copies, TRUE);
  return 0;
}
