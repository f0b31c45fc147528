/* SPDX-License-Identifier: MIT */
/* libFuzzer target for the selection language: parse, evaluate on a small system with a cell, complete. */
#include <stdint.h>

#include "data/selection/selection.h"

/* Longer texts only nest deeper, and what is sought there is found with shorter ones. */
#define LENGTH_MAXIMUM 4096

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);

static DebyeTopology *
make_topology(void)
{
  static const char *const names[] = {"N", "CA", "C", "O", "OH2", "H1", "H2", "NA"};
  static const char *const residues[] = {"ALA", "ALA", "ALA", "ALA", "TIP3", "TIP3", "TIP3", "SOD"};
  g_autoptr(DebyeTopologyBuilder) builder = debye_topology_builder_new();
  for (gsize i = 0; i < G_N_ELEMENTS(names); i++) {
    DebyeAtom atom = DEBYE_ATOM_INIT;
    atom.name = names[i];
    atom.charge = i % 2 ? 0.5 : -0.5;
    debye_topology_builder_set_residue(builder, residues[i], -1, i < 4 ? 1 : (gint32)i, 0, "A", -1, "SEG",
                                       -1);
    debye_topology_builder_add_atom(builder, &atom);
  }
  debye_topology_builder_add_bond(builder, 0, 1);
  debye_topology_builder_add_bond(builder, 1, 2);
  debye_topology_builder_add_bond(builder, 4, 5);
  return debye_topology_builder_finish(builder);
}

static DebyeFrame *
make_frame(gsize n_atoms)
{
  DebyeFrame *frame = debye_frame_new(n_atoms);
  for (gsize i = 0; i < n_atoms; i++) {
    frame->x[i] = (float)i;
    frame->y[i] = (float)(i * i % 7);
    frame->z[i] = (float)(i * i % 5);
  }
  frame->has_cell = TRUE;
  frame->cell = (DebyeCell){debye_vec3(9.0, 0.0, 0.0), debye_vec3(2.0, 8.0, 0.0), debye_vec3(1.0, -1.0, 7.0)};
  return frame;
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
  static DebyeTopology *topology;
  static DebyeFrame *frame;
  if (n > LENGTH_MAXIMUM)
    return 0;
  if (!topology) {
    topology = make_topology();
    frame = make_frame(debye_topology_get_n_atoms(topology));
  }
  g_autofree char *text = g_strndup((const char *)bytes, n);
  g_autoptr(GError) error = NULL;
  g_autoptr(DebyeSelection) selection = debye_selection_parse(text, NULL, &error);
  g_assert_true((selection != NULL) == (error == NULL));
  g_clear_error(&error);
  if (selection) {
    g_autoptr(GArray) atoms = debye_selection_evaluate(selection, topology, frame, &error);
    g_assert_true((atoms != NULL) == (error == NULL));
  }
  g_auto(GStrv) words = debye_selection_complete(text, topology);
  g_assert_nonnull(words);
  return 0;
}
