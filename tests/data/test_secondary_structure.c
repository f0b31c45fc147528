/* SPDX-License-Identifier: MIT */
/* Helices that are built from their angles are recognised as what they are, whole, broken or cut by a cell.
 */
#include <glib/gstdio.h>
#include <string.h>

#include "../support/peptide.h"
#include "structure_letters.h"

static char *
assign(DebyeTopology *topology, const DebyeFrame *frame)
{
  g_autoptr(DebyeBackbone) backbone = debye_backbone_new(topology);
  g_autofree guint8 *structure = debye_secondary_structure_assign(backbone, topology, frame);
  GString *letters = g_string_new(NULL);
  for (gsize i = 0; i < backbone->n_units; i++)
    g_string_append_c(letters, get_structure_letter(structure[i]));
  return g_string_free(letters, FALSE);
}

static char *
assign_ideal(double phi, double psi, gsize n)
{
  g_auto(Peptide) peptide = peptide_build(phi, psi, n);
  return assign(peptide.topology, peptide.frame);
}

/* Angles of Arnott and Dover (1967) and of Pauling's other helices. The first and the last residue are half
 * outside. */
static void
test_helices(void)
{
  g_autofree char *alpha = assign_ideal(-57.0, -47.0, 14), *three_ten = assign_ideal(-49.0, -26.0, 12),
                  *pi = assign_ideal(-57.0, -70.0, 14);
  g_assert_cmpstr(alpha, ==, " HHHHHHHHHHHH ");
  g_assert_cmpstr(three_ten, ==, " GGGGGGGGGG ");
  g_assert_cmpstr(pi, ==, " IIIIIIIIIIII ");
}

/* Alone, an extended chain has nothing to bond to. */
static void
test_extended(void)
{
  g_autofree char *letters = assign_ideal(-139.0, 135.0, 10);
  g_assert_cmpstr(letters, ==, "          ");
}

/* What a file leaves out is no error: without the oxygens there are no bonds. */
static void
test_trace_alone(void)
{
  g_auto(Peptide) whole = peptide_build(-57.0, -47.0, 12);
  g_autoptr(GArray) traces = g_array_new(FALSE, FALSE, sizeof(guint32));
  g_autoptr(DebyeBackbone) backbone = debye_backbone_new(whole.topology);
  for (gsize i = 0; i < backbone->n_units; i++)
    g_array_append_val(traces, backbone->units[i].trace);
  const guint32 *atoms = (const guint32 *)(gpointer)traces->data;
  g_autoptr(DebyeTopology) topology = debye_topology_subset(whole.topology, atoms, traces->len);
  g_autoptr(DebyeFrame) frame = debye_frame_subset(whole.frame, atoms, traces->len);
  g_autofree char *letters = assign(topology, frame);
  g_assert_cmpstr(letters, ==, "            ");
  g_autoptr(DebyeBackbone) trace = debye_backbone_new(topology);
  g_autofree guint8 *links = debye_backbone_find_links(trace, topology, frame, FALSE);
  for (gsize i = 0; i < 11; i++)
    g_assert_true(links[i]);
  g_assert_false(links[11]);
}

/* A chain whose residues are missing ends there: helices on both sides, none across. */
static void
test_gap(void)
{
  g_auto(Peptide) whole = peptide_build(-57.0, -47.0, 20);
  g_autoptr(GArray) kept = g_array_new(FALSE, FALSE, sizeof(guint32));
  const guint32 *residues = debye_topology_get_residues(whole.topology);
  for (guint32 i = 0; i < whole.frame->n_atoms; i++)
    if (residues[i] != 9 && residues[i] != 10)
      g_array_append_val(kept, i);
  const guint32 *atoms = (const guint32 *)(gpointer)kept->data;
  g_autoptr(DebyeTopology) topology = debye_topology_subset(whole.topology, atoms, kept->len);
  g_autoptr(DebyeFrame) frame = debye_frame_subset(whole.frame, atoms, kept->len);
  g_autoptr(DebyeBackbone) backbone = debye_backbone_new(topology);
  g_autofree guint8 *links = debye_backbone_find_links(backbone, topology, frame, FALSE);
  g_assert_true(links[7]);
  g_assert_false(links[8]);
  g_autofree char *letters = assign(topology, frame);
  g_assert_cmpstr(letters, ==, " HHHHHHH  HHHHHHH ");
}

/* Each atom wrapped for itself into a cell that the helix doesn't fit into. */
static void
test_cut_by_cell(void)
{
  g_auto(Peptide) peptide = peptide_build(-57.0, -47.0, 16);
  g_autofree char *whole = assign(peptide.topology, peptide.frame);
  const double lengths[3] = {25.0, 27.0, 26.0}, angles[3] = {75.0, 80.0, 100.0};
  g_assert_true(debye_cell_from_lengths_angles(&peptide.frame->cell, lengths, angles));
  peptide.frame->has_cell = TRUE;
  DebyePeriodic cell;
  debye_periodic_init_for_frame(&cell, peptide.frame);
  g_autoptr(DebyeBackbone) backbone = debye_backbone_new(peptide.topology);
  g_assert_false(debye_backbone_is_cut(peptide.topology, peptide.frame));
  debye_frame_wrap_atoms(peptide.frame, debye_vec3(3.0, 2.0, 18.0));
  g_assert_true(debye_backbone_is_cut(peptide.topology, peptide.frame));
  g_autofree guint8 *open = debye_backbone_find_links(backbone, peptide.topology, peptide.frame, FALSE);
  guint n_open = 0;
  for (gsize i = 0; i < 15; i++)
    n_open += open[i];
  g_assert_cmpuint(n_open, <, 15); /* it was cut indeed */
  g_autofree char *cut = assign(peptide.topology, peptide.frame);
  g_assert_cmpstr(cut, ==, whole);
}

/* The wall goes through a residue: its C stays beside the next N, and its CA doesn't. */
static void
test_cut_in_a_residue(void)
{
  g_auto(Peptide) peptide = peptide_build(-57.0, -47.0, 16);
  const double lengths[3] = {60.0, 60.0, 60.0}, angles[3] = {90.0, 90.0, 90.0};
  g_autoptr(DebyeBackbone) backbone = debye_backbone_new(peptide.topology);
  g_assert_true(debye_cell_from_lengths_angles(&peptide.frame->cell, lengths, angles));
  peptide.frame->has_cell = TRUE;
  for (gsize i = 0; i < peptide.frame->n_atoms; i++)
    if (i < backbone->units[8].c)
      peptide.frame->z[i] += 60.0F;
  g_autofree guint8 *open = debye_backbone_find_links(backbone, peptide.topology, peptide.frame, FALSE);
  g_autofree guint8 *through = debye_backbone_find_links(backbone, peptide.topology, peptide.frame, TRUE);
  for (gsize i = 0; i < 15; i++) {
    g_assert_cmpuint(open[i], ==, i != 8);
    g_assert_true(through[i]);
  }
  g_assert_true(debye_backbone_is_cut(peptide.topology, peptide.frame));
}

/* Coordinates that are no numbers take a residue out, and no more. */
static void
test_no_numbers(void)
{
  g_auto(Peptide) peptide = peptide_build(-57.0, -47.0, 24);
  g_autoptr(DebyeBackbone) backbone = debye_backbone_new(peptide.topology);
  peptide.frame->y[backbone->units[12].o] = NAN;
  g_autofree char *letters = assign(peptide.topology, peptide.frame);
  g_assert_cmpuint(strlen(letters), ==, 24);
  g_assert_true(g_str_has_prefix(letters, " HHHHHHH"));
  g_assert_true(g_str_has_suffix(letters, "HHHH "));
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/secondary-structure/helices", test_helices);
  g_test_add_func("/secondary-structure/extended", test_extended);
  g_test_add_func("/secondary-structure/trace-alone", test_trace_alone);
  g_test_add_func("/secondary-structure/gap", test_gap);
  g_test_add_func("/secondary-structure/cut-by-cell", test_cut_by_cell);
  g_test_add_func("/secondary-structure/cut-by-cell-in-a-residue", test_cut_in_a_residue);
  g_test_add_func("/secondary-structure/no-numbers", test_no_numbers);
  return g_test_run();
}
