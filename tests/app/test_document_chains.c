/* SPDX-License-Identifier: MIT */
/* How a window shows chains of which the cell cuts some: whole, unless nothing is cut or a map shows the frame as the file
 * has it. */
#include "app/document/document.h"
#include "data/trajectory/placing.h"
#include "render/layers/box_layer.h"
#include "tests/support/text_file.h"

#define MAP                                                                                             \
  "object 1 class gridpositions counts 2 2 2\norigin 0 0 0\ndelta 10 0 0\ndelta 0 10 0\ndelta 0 0 10\n" \
  "object 2 class gridconnections counts 2 2 2\n"                                                       \
  "object 3 class array type double rank 0 items 8 data follows\n0 1 2 3 4 5 6 7\n"

/* Four residues in a row along z, from `start` on, in a cell of 40 Å. */
static char *
write_chain(double start)
{
  GString *text = g_string_new("CRYST1   40.000   40.000   40.000  90.00  90.00  90.00 P 1           1\n");
  static const struct {
    const char *name;
    double rise;
  } atoms[] = {{"N", -1.2}, {"CA", 0.0}, {"C", 1.2}};
  for (int i = 0; i < 12; i++)
    g_string_append_printf(text, "ATOM  %5d  %-3s ALA A%4d      20.000  20.000%8.3f  1.00  0.00\n", i + 1,
                           atoms[i % 3].name, i / 3 + 1,
                           fmod(start + 3.8 * (i / 3) + atoms[i % 3].rise + 40.0, 40.0));
  return g_string_free(text, FALSE);
}

static int
find_placing(DebyeDocument *document)
{
  GPtrArray *layers = debye_document_get_layers(document);
  int placing = -1;
  for (guint i = 0; i < layers->len; i++)
    if (DEBYE_IS_BOX_LAYER(layers->pdata[i]))
      g_object_get(layers->pdata[i], "molecules", &placing, NULL);
  return placing;
}

static void
test_chains(void)
{
  static const struct {
    double start;
    gboolean with_map;
    DebyePlacing placing;
  } cases[] = {{20.0, FALSE, DEBYE_PLACING_FILE},
               {35.0, FALSE, DEBYE_PLACING_WHOLE},
               {35.0, TRUE, DEBYE_PLACING_FILE}};
  g_autoptr(DebyeTemporaryFolder) folder = debye_temporary_folder_new();
  for (gsize c = 0; c < G_N_ELEMENTS(cases); c++) {
    g_autoptr(GError) error = NULL;
    g_autofree char *text = write_chain(cases[c].start);
    g_autofree char *chain = debye_temporary_write(folder, "chain.pdb", text, -1);
    g_autofree char *map = debye_temporary_write(folder, "map.dx", MAP, -1);
    g_autoptr(DebyeDocument) document = debye_document_open(
        (const char *const[]){chain, cases[c].with_map ? map : NULL, NULL}, NULL, NULL, NULL, &error);
    g_assert_no_error(error);
    g_assert_cmpint(find_placing(document), ==, (int)cases[c].placing);
  }
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/document-chains/placing", test_chains);
  return g_test_run();
}
