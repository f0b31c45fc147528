/* SPDX-License-Identifier: MIT */
/* Results of debye-cli 0.1.0 from before files stored of what kind a map is and which curve another one belongs to: names tell it,
 * where the file is read and nowhere else. In the folder earlier:
 *
 *   rdf --pair "name NA" "name CL" salt.psf salt.xtc --frames 0:4:2 --bins 6 --structure-factor 1:2:0.5 -o rdf.h5
 *   orbital water.molden --orbital homo --density --spacing 1.5 --padding 1 -o orbital.h5
 *   ligands helix.psf helix.xtc --force-field table --spacing 6 --frames 0:0 --select "not element H" -o ligands.h5 */
#include <string.h>

#include "app/analysis/analysis_list.h"
#include "data/results/curve_of.h"
#include "data/results/field.h"
#include "data/results/note.h"
#include "data/results/result.h"

static DebyeResult *
open_earlier(const char *name)
{
  g_autoptr(GError) error = NULL;
  g_autofree char *path = g_test_build_filename(G_TEST_DIST, "earlier", name, NULL);
  DebyeResult *result = debye_result_load(path, debye_analysis_find_table, &error);
  g_assert_no_error(error);
  return result;
}

/* All quantities of a pair are of its g(r), and stay so when this version has written them. */
static void
test_curves(void)
{
  g_autoptr(DebyeResult) result = open_earlier("rdf.h5");
  GListModel *curves = debye_result_get_curves(result);
  g_assert_cmpuint(g_list_model_get_n_items(curves), ==, 6);
  for (guint i = 0; i < 6; i++) {
    g_autoptr(DebyeCurve) curve = g_list_model_get_item(curves, i);
    g_assert_cmpstr(debye_curve_get_of(curve), ==, i == 0 ? NULL : "name NA-name CL");
    g_assert_cmpstr(debye_curve_of_find(curves, curve), ==, "name NA-name CL");
    g_assert_null(debye_curve_of_write(curves, curve));
  }
}

static void
check_kind(const char *name, guint index, DebyeFieldKind kind)
{
  g_autoptr(DebyeResult) result = open_earlier(name);
  g_autoptr(DebyeField) field = g_list_model_get_item(debye_result_get_fields(result), index);
  g_assert_nonnull(field);
  g_assert_cmpint(debye_field_get_kind(field), ==, kind);
}

static void
test_maps(void)
{
  check_kind("orbital.h5", 0, DEBYE_FIELD_ORBITAL);
  check_kind("orbital.h5", 1, DEBYE_FIELD_ELECTRON_DENSITY);
  check_kind("ligands.h5", 0, DEBYE_FIELD_FREE_ENERGY);
}

/* Their notes are all there, of their kinds. */
static void
test_notes(void)
{
  g_autoptr(DebyeResult) result = open_earlier("rdf.h5");
  GPtrArray *notes = debye_result_get_notes(result);
  guint n_frames = 0, n_captions = 0;
  for (guint i = 0; i < notes->len; i++) {
    const DebyeNote *note = notes->pdata[i];
    g_autofree char *said = debye_note_translate(note);
    g_assert_cmpuint(strlen(said), >, 0);
    n_frames += debye_note_is_of_frames(note);
    n_captions += note->kind == DEBYE_NOTE_CAPTION;
  }
  g_assert_cmpuint(notes->len, ==, 9);
  g_assert_cmpuint(n_frames, ==, 1);
  g_assert_cmpuint(n_captions, >, 0);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/earlier-results/curves", test_curves);
  g_test_add_func("/earlier-results/maps", test_maps);
  g_test_add_func("/earlier-results/notes", test_notes);
  return g_test_run();
}
