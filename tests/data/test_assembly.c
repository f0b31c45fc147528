/* SPDX-License-Identifier: MIT */
/* Biological assemblies: expressions of operations, copies of chains and their names, and files that are wrong. */
#include <string.h>

#include "data/files/error.h"
#include "data/formats/cif/cif_assembly.h"
#include "data/formats/text/pdb_assembly.h"
#include "data/molecule/assembly.h"
#include "tests/support/temporary.h"

static char *
join(GPtrArray *products)
{
  g_autoptr(GString) text = g_string_new(NULL);
  for (guint k = 0; products != NULL && k < products->len; k++) {
    g_autofree char *product = g_strjoinv("*", g_ptr_array_index(products, k));
    g_string_append_printf(text, "%s%s", k > 0 ? " " : "", product);
  }
  return g_string_free(g_steal_pointer(&text), FALSE);
}

static void
test_expressions(void)
{
  static const struct {
    const char *expression, *products; /* "": refused */
  } cases[] = {{"1", "1"},
               {"1,2,5", "1 2 5"},
               {"(1-3)", "1 2 3"},
               {"(X0)(1,2)", "X0*1 X0*2"},
               {"(1-2)(P)", "1*P 2*P"},
               {"1-2,7", "1 2 7"},
               {"(1-2", ""},
               {"", "1"},
               {"(3-1)", ""},
               {"(1-1001)", ""},
               {"(1-40)(1-40)", ""},
               {"1,,2", ""}};
  for (gsize k = 0; k < G_N_ELEMENTS(cases); k++) {
    g_autoptr(GPtrArray) products = debye_cif_assembly_parse(cases[k].expression);
    g_autofree char *found = join(products);
    /* Nothing is one product of nothing: the identity. */
    g_assert_cmpstr(found, ==, cases[k].expression[0] == '\0' ? "" : cases[k].products);
    g_assert_true((products == NULL) == (cases[k].products[0] == '\0'));
  }
}

static DebyeTopology *
make_topology(void)
{
  g_autoptr(DebyeTopologyBuilder) builder = debye_topology_builder_new();
  for (int k = 0; k < 3; k++) {
    DebyeAtom atom = DEBYE_ATOM_INIT;
    atom.name = "CA";
    atom.atomic_number = 6;
    debye_topology_builder_set_residue(builder, "ALA", -1, k + 1, 0, k < 2 ? "A" : "C", -1, k < 2 ? "P" : "Q",
                                       -1);
    debye_topology_builder_add_atom(builder, &atom);
  }
  debye_topology_builder_add_bond(builder, 0, 1);
  return debye_topology_builder_finish(builder);
}

static DebyeAssembly *
make_assembly(gboolean of_segment, const char *chains, guint n_operations)
{
  DebyeAssembly *assembly = debye_assembly_new(of_segment);
  GArray *operations = g_array_new(FALSE, FALSE, sizeof(DebyeAssemblyOperation));
  for (guint k = 0; k < n_operations; k++) {
    const DebyeAssemblyOperation operation = {.rotation = {{0, -1, 0}, {1, 0, 0}, {0, 0, 1}},
                                              .translation = {k, 0, 10}};
    g_array_append_val(operations, operation);
  }
  debye_assembly_add_part(assembly, g_strsplit(chains, ",", -1), operations);
  return assembly;
}

static gboolean
make(gboolean of_segment, const char *chains, guint n_operations, DebyeTopology **made,
     DebyeFrame **made_frame, GError **error)
{
  g_autoptr(DebyeTopology) topology = make_topology();
  g_autoptr(DebyeFrame) frame = debye_frame_new(3);
  for (int k = 0; k < 3; k++) {
    frame->x[k] = (float)k;
    frame->y[k] = 2.0f;
    frame->z[k] = 3.0f;
  }
  g_autoptr(DebyeAssembly) assembly = make_assembly(of_segment, chains, n_operations);
  return debye_assembly_make(assembly, topology, frame, made, made_frame, error);
}

/* A chain's second copy is B, its third D: A and C are there. A rotation by 90° about z takes (1, 2, 3) to (-2, 1, 3). */
static void
test_copies(void)
{
  for (int of_segment = 0; of_segment < 2; of_segment++) {
    g_autoptr(DebyeTopology) made = NULL;
    g_autoptr(DebyeFrame) frame = NULL;
    g_autoptr(GError) error = NULL;
    g_assert_true(make(of_segment, of_segment ? "P" : "A", 3, &made, &frame, &error));
    g_assert_no_error(error);
    g_assert_cmpuint(debye_topology_get_n_atoms(made), ==, 6);
    g_assert_cmpuint(debye_topology_get_n_residues(made), ==, 6);
    const DebyeResidue *residues = debye_topology_get_residue_table(made);
    const DebyeStringPool *pool = debye_topology_get_string_pool(made);
    static const char *const names[] = {"A", "A", "B", "B", "D", "D"};
    for (int k = 0; k < 6; k++)
      g_assert_cmpstr(debye_string_pool_get(pool, residues[k].chain), ==, names[k]);
    g_assert_cmpfloat(frame->x[3], ==, -2.0f + 1.0f);
    g_assert_cmpfloat(frame->y[3], ==, 1.0f);
    g_assert_cmpfloat(frame->z[3], ==, 13.0f);
    gsize n_bonds;
    debye_topology_get_bonds(made, &n_bonds);
    g_assert_cmpuint(n_bonds, ==, 3);
  }
}

/* When all letters and digits are used up. */
static void
test_many_copies(void)
{
  g_autoptr(DebyeTopology) made = NULL;
  g_autoptr(DebyeFrame) frame = NULL;
  g_autoptr(GError) error = NULL;
  g_assert_true(make(FALSE, "A", 70, &made, &frame, &error));
  const DebyeResidue *residues = debye_topology_get_residue_table(made);
  g_assert_cmpstr(debye_string_pool_get(debye_topology_get_string_pool(made), residues[2 * 69].chain), ==,
                  "A-70");
}

/* A letter's name lasts while further letters are tried: chain A, chain B, then a ligand of A, five times. */
static void
test_ligand_behind_another_chain(void)
{
  static const char *const chains[] = {"A", "B", "A"};
  g_autoptr(DebyeTopologyBuilder) builder = debye_topology_builder_new();
  for (int k = 0; k < 3; k++) {
    DebyeAtom atom = DEBYE_ATOM_INIT;
    atom.name = "CA";
    debye_topology_builder_set_residue(builder, k < 2 ? "ALA" : "LIG", -1, k + 1, 0, chains[k], -1, "", -1);
    debye_topology_builder_add_atom(builder, &atom);
  }
  g_autoptr(DebyeTopology) topology = debye_topology_builder_finish(builder);
  g_autoptr(DebyeFrame) frame = debye_frame_new(3);
  for (int k = 0; k < 3; k++)
    frame->x[k] = frame->y[k] = frame->z[k] = (float)k;
  g_autoptr(DebyeAssembly) assembly = make_assembly(FALSE, "A,B", 5);
  g_autoptr(DebyeTopology) made = NULL;
  g_autoptr(DebyeFrame) made_frame = NULL;
  g_autoptr(GError) error = NULL;
  g_assert_true(debye_assembly_make(assembly, topology, frame, &made, &made_frame, &error));
  const DebyeResidue *residues = debye_topology_get_residue_table(made);
  g_autoptr(GString) names = g_string_new(NULL);
  for (int k = 0; k < 15; k++)
    g_string_append(names, debye_string_pool_get(debye_topology_get_string_pool(made), residues[k].chain));
  g_assert_cmpstr(names->str, ==, "ABACDCEFEGHGIJI");
}

static void
test_no_chain(void)
{
  g_autoptr(DebyeTopology) made = NULL;
  g_autoptr(DebyeFrame) frame = NULL;
  g_autoptr(GError) error = NULL;
  g_assert_false(make(FALSE, "X", 1, &made, &frame, &error));
  g_assert_error(error, DEBYE_ERROR, DEBYE_ERROR_MISSING);
  g_assert_cmpstr(error->message, ==, "none of the assembly's chains is among the atoms");
}

static void
assert_refused(const char *text, gboolean is_cif, const char *sentence)
{
  g_autoptr(DebyeTemporaryFolder) folder = debye_temporary_folder_new();
  g_autofree char *path = debye_temporary_write(folder, is_cif ? "a.cif" : "a.pdb", text, strlen(text));
  g_autoptr(GError) error = NULL;
  g_autoptr(DebyeInput) input = debye_input_open(path, &error);
  g_assert_no_error(error);
  g_autoptr(DebyeAssembly) assembly =
      is_cif ? debye_cif_assembly_read(input, 1, &error) : debye_pdb_assembly_read(input, 1, &error);
  g_assert_null(assembly);
  g_assert_nonnull(strstr(error->message, sentence));
}

static void
test_refusals(void)
{
  assert_refused("data_x\n", TRUE, "the file has no biological assemblies (_pdbx_struct_assembly_gen)");
  assert_refused(
      "data_x\n_pdbx_struct_assembly_gen.assembly_id 2\n_pdbx_struct_assembly_gen.oper_expression 1\n"
      "_pdbx_struct_assembly_gen.asym_id_list A\n",
      TRUE, "the file has no biological assembly 1, but 2");
  assert_refused("data_x\n_pdbx_struct_oper_list.id 1\n_pdbx_struct_oper_list.matrix[1][1] x\n", TRUE,
                 "expected twelve numbers for an assembly's operation");
  assert_refused("REMARK 350 BIOMOLECULE: 1\nREMARK 350 APPLY THE FOLLOWING TO CHAINS: A\n"
                 "REMARK 350   BIOMT2   1  0.0 1.0 0.0 0.0\n",
                 FALSE, "line 3: expected row 1 of an operation (BIOMT1) with four numbers, found");
  /* An operation that ends too soon: before the atoms, the next assembly, further chains, and the file's end. */
  static const char *const ends[] = {"ATOM      1  N   THR A   1\n", "REMARK 350 BIOMOLECULE: 2\n",
                                     "REMARK 350 APPLY THE FOLLOWING TO CHAINS: B\n"};
  for (gsize k = 0; k <= G_N_ELEMENTS(ends); k++) {
    g_autofree char *text =
        g_strconcat("REMARK 350 BIOMOLECULE: 1\nREMARK 350 APPLY THE FOLLOWING TO CHAINS: A\n"
                    "REMARK 350   BIOMT1   1  1.0 0.0 0.0 0.0\n",
                    k < G_N_ELEMENTS(ends) ? ends[k] : "", NULL);
    assert_refused(text, FALSE, "expected row 2 of an operation (BIOMT2)");
  }
}

/* "AND CHAINS" goes on. */
static void
test_two_lines_of_chains(void)
{
  static const char text[] =
      "REMARK 350 BIOMOLECULE: 1\nREMARK 350 APPLY THE FOLLOWING TO CHAINS: A, B,\n"
      "REMARK 350                    AND CHAINS: C\n"
      "REMARK 350   BIOMT1   1  1.0 0.0 0.0 0.5\nREMARK 350   BIOMT2   1  0.0 1.0 0.0 0.0\n"
      "REMARK 350   BIOMT3   1  0.0 0.0 1.0 0.0\n";
  g_autoptr(DebyeTemporaryFolder) folder = debye_temporary_folder_new();
  g_autofree char *path = debye_temporary_write(folder, "a.pdb", text, strlen(text));
  g_autoptr(GError) error = NULL;
  g_autoptr(DebyeInput) input = debye_input_open(path, &error);
  g_autoptr(DebyeAssembly) assembly = debye_pdb_assembly_read(input, 1, &error);
  g_assert_no_error(error);
  g_assert_cmpuint(assembly->parts->len, ==, 1);
  const DebyeAssemblyPart *part = &g_array_index(assembly->parts, DebyeAssemblyPart, 0);
  g_autofree char *chains = g_strjoinv(" ", part->chains);
  g_assert_cmpstr(chains, ==, "A B C");
  g_assert_cmpfloat(g_array_index(part->operations, DebyeAssemblyOperation, 0).translation.x, ==, 0.5);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/assembly/expressions", test_expressions);
  g_test_add_func("/assembly/copies", test_copies);
  g_test_add_func("/assembly/many-copies", test_many_copies);
  g_test_add_func("/assembly/ligand-behind-another-chain", test_ligand_behind_another_chain);
  g_test_add_func("/assembly/no-chain", test_no_chain);
  g_test_add_func("/assembly/refusals", test_refusals);
  g_test_add_func("/assembly/two-lines-of-chains", test_two_lines_of_chains);
  return g_test_run();
}
