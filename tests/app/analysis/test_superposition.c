/* SPDX-License-Identifier: MIT */
/* What maps of several frames superpose by themselves: a rigid molecule that turns and drifts has the map of its
 * first frame, also where the cell cuts it; what is told of it; what older results are computed again with. */
#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

#include "app/analysis/analysis_list.h"
#include "app/analysis/driver/alignment.h"
#include "app/analysis/map/map_live.h"
#include "app/analysis/map/map_settings.h"
#include "data/h5/h5.h"
#include "kernels/cpu/backend_cpu.h"
#include "tests/support/plans.h"

#define N_ATOMS 8
#define N_FRAMES 6

/* Å; no two alike, so that only one rotation lays it on itself. */
static const double places[N_ATOMS][3] = {{0, 0, 0},       {1.4, 0.2, 0},    {2.1, 1.5, 0.3},
                                          {1.2, 2.4, 1.1}, {-0.2, 2.0, 1.6}, {2.9, 1.9, 1.6},
                                          {3.9, 3.0, 1.9}, {0.3, -0.9, -1.1}};
static const double charges[N_ATOMS] = {-0.6, 0.4, 0.5, -0.5, 0.3, -0.4, 0.7, 0.2};

typedef struct {
  const char *residue;
  double edge;    /* Å */
  gboolean wraps; /* each atom into the cell */
} Kind;

typedef struct {
  char *folder, *pqr, *gro, *h5;
  DebyeDataset *dataset;
  DebyeRegistry *registry;
} Fixture;

static double
coordinate(const Kind *kind, int frame, int atom, int axis)
{
  const double turn = 0.7 * frame, c = cos(turn), s = sin(turn), x = places[atom][0], y = places[atom][1];
  const double place = axis == 0   ? c * x - s * y + 5.0 + 1.3 * frame
                       : axis == 1 ? s * x + c * y + 4.0 - 0.9 * frame
                                   : places[atom][2] + 3.0 + 0.5 * frame;
  return kind->wraps ? place - kind->edge * floor(place / kind->edge) : place;
}

static const char *
number(char *buffer, const char *format, double value)
{
  return g_ascii_formatd(buffer, G_ASCII_DTOSTR_BUF_SIZE, format, value);
}

static char *
write_pqr(const Kind *kind)
{
  char n[4][G_ASCII_DTOSTR_BUF_SIZE];
  GString *text = g_string_new(NULL);
  for (int atom = 0; atom < N_ATOMS; atom++)
    g_string_append_printf(text, "ATOM %d C%d %s %d %s %s %s %s 1.7\n", atom + 1, atom, kind->residue,
                           1 + atom / 4, number(n[0], "%.4f", coordinate(kind, 0, atom, 0)),
                           number(n[1], "%.4f", coordinate(kind, 0, atom, 1)),
                           number(n[2], "%.4f", coordinate(kind, 0, atom, 2)),
                           number(n[3], "%.2f", charges[atom]));
  return g_string_free(text, FALSE);
}

/* With seven digits behind the point, in nm. */
static char *
write_gro(const Kind *kind)
{
  char n[3][G_ASCII_DTOSTR_BUF_SIZE];
  GString *text = g_string_new(NULL);
  for (int frame = 0; frame < N_FRAMES; frame++) {
    g_string_append_printf(text, "t= %d.0\n%5d\n", frame, N_ATOMS);
    for (int atom = 0; atom < N_ATOMS; atom++) {
      g_autofree char *name = g_strdup_printf("C%d", atom);
      g_string_append_printf(text, "%5d%-5s%5s%5d%12s%12s%12s\n", 1 + atom / 4, kind->residue, name, atom + 1,
                             number(n[0], "%.7f", 0.1 * coordinate(kind, frame, atom, 0)),
                             number(n[1], "%.7f", 0.1 * coordinate(kind, frame, atom, 1)),
                             number(n[2], "%.7f", 0.1 * coordinate(kind, frame, atom, 2)));
    }
    number(n[0], "%.5f", 0.1 * kind->edge);
    g_string_append_printf(text, "%10s%10s%10s\n", n[0], n[0], n[0]);
  }
  return g_string_free(text, FALSE);
}

static void
set_up(Fixture *fixture, gconstpointer data)
{
  g_autoptr(GError) error = NULL;
  g_autofree char *pqr = write_pqr(data), *gro = write_gro(data);
  fixture->folder = g_dir_make_tmp("debye-superpose-XXXXXX", NULL);
  fixture->pqr = g_build_filename(fixture->folder, "still.pqr", NULL);
  fixture->gro = g_build_filename(fixture->folder, "moving.gro", NULL);
  fixture->h5 = g_build_filename(fixture->folder, "result.h5", NULL);
  g_assert_true(g_file_set_contents(fixture->pqr, pqr, -1, NULL));
  g_assert_true(g_file_set_contents(fixture->gro, gro, -1, NULL));
  fixture->dataset =
      debye_dataset_open((const char *const[]){fixture->pqr, fixture->gro, NULL}, NULL, NULL, &error);
  g_assert_no_error(error);
  fixture->registry = debye_registry_new(&debye_backend_cpu, NULL);
}

static void
tear_down(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_clear_object(&fixture->dataset);
  debye_registry_free(fixture->registry);
  g_unlink(fixture->pqr);
  g_unlink(fixture->gro);
  g_unlink(fixture->h5);
  g_rmdir(fixture->folder);
  g_free(fixture->folder);
  g_free(fixture->pqr);
  g_free(fixture->gro);
  g_free(fixture->h5);
}

/* The PQR's frame is the trajectory's first; the GRO's follow. */
static DebyeResult *
run(const Fixture *fixture, const char *frames, const char *const *more)
{
  g_autoptr(DebyeRequest) request = debye_request_new(&debye_map_settings);
  g_autoptr(GError) error = NULL;
  g_assert_true(debye_request_set(request, "frames", frames, NULL));
  g_assert_true(debye_request_set(request, "spacing", "1.5", NULL));
  g_assert_true(debye_request_set(request, "precision", "double", NULL));
  g_assert_true(debye_request_set(request, "device", "cpu", NULL));
  for (; more != NULL && *more != NULL; more += 2)
    g_assert_true(debye_request_set(request, more[0], more[1], NULL));
  const DebyeRunInput input = {
      .dataset = fixture->dataset, .request = request, .registry = fixture->registry};
  DebyeResult *result = plan_and_run(&debye_analysis_map, &input, &error);
  g_assert_no_error(error);
  return result;
}

static gboolean
has_note(DebyeResult *result, const char *whole)
{
  GPtrArray *notes = debye_result_get_notes(result);
  for (guint i = 0; i < notes->len; i++)
    if (strcmp(((const DebyeNote *)g_ptr_array_index(notes, i))->sentence, whole) == 0)
      return TRUE;
  return FALSE;
}

static gboolean
tells_of_superposing(DebyeResult *result)
{
  GPtrArray *notes = debye_result_get_notes(result);
  for (guint i = 0; i < notes->len; i++)
    if (strstr(((const DebyeNote *)g_ptr_array_index(notes, i))->sentence, "superposed") != NULL)
      return TRUE;
  return FALSE;
}

static const char *
get_effective(DebyeResult *result)
{
  return debye_request_get_effective(debye_result_get_request(result),
                                     debye_setting_table_find(&debye_map_settings, "superpose"));
}

/* Root mean square of the difference by that of the second. */
static double
compare(DebyeResult *found, DebyeResult *expected)
{
  g_autoptr(DebyeField) field = g_list_model_get_item(debye_result_get_fields(found), 0);
  g_autoptr(DebyeField) other = g_list_model_get_item(debye_result_get_fields(expected), 0);
  const gsize n = debye_grid_n_points(debye_field_get_grid(field));
  double sum = 0.0, scale = 0.0;
  g_assert_cmpuint(n, ==, debye_grid_n_points(debye_field_get_grid(other)));
  for (gsize i = 0; i < n; i++) {
    const double a = (double)debye_field_get_values(field)[i], b = (double)debye_field_get_values(other)[i];
    sum += (a - b) * (a - b);
    scale += b * b;
  }
  return sqrt(sum / scale);
}

/* Coordinates of 1e-6 Å and grid points 0.1 Å from atoms at the nearest: 1e-4 is ten times what that gives. */
#define SAME 1e-4
#define OTHER 0.1

static void
test_default(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr(DebyeResult) still = run(fixture, "0", NULL);
  g_autoptr(DebyeResult) moving = run(fixture, "0:-1", NULL);
  g_autoptr(DebyeResult) smeared = run(fixture, "0:-1", (const char *const[]){"superpose", "none", NULL});
  g_assert_cmpfloat(compare(moving, still), <, SAME);
  g_assert_cmpfloat(compare(smeared, still), >, OTHER);
  g_assert_cmpstr(get_effective(moving), ==, "solute");
  g_assert_true(has_note(moving, "Frames were superposed on the first by “solute”, unweighted"));
  g_assert_false(tells_of_superposing(smeared));
  g_assert_cmpstr(get_effective(still), ==, "none");
  g_assert_false(tells_of_superposing(still));
}

/* Of each frame the map that the average takes, at the frame's own place. */
static void
test_live(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr(DebyeRequest) request = debye_request_new(&debye_map_settings);
  g_autoptr(GError) error = NULL;
  g_assert_true(debye_request_set(request, "spacing", "1.5", NULL));
  g_assert_true(debye_request_set(request, "device", "cpu", NULL));
  g_autoptr(DebyeMapLive) live = debye_map_live_new(fixture->dataset, request, fixture->registry, &error);
  g_assert_no_error(error);
  g_autoptr(DebyeTrajectoryReader) reader =
      debye_trajectory_reader_new(debye_dataset_get_trajectory(fixture->dataset), NULL);
  g_autoptr(DebyeFrame) frame = debye_frame_new(N_ATOMS);
  DebyeVec3 before = {0};
  for (gsize i = 0; i < 2; i++) {
    g_assert_true(debye_trajectory_reader_read(reader, 1 + 2 * i, frame, NULL));
    g_autoptr(DebyeField) field = debye_map_live_compute(live, frame, NULL, &error);
    g_assert_no_error(error);
    const DebyeVec3 origin = debye_field_get_grid(field)->origin;
    g_assert_true(i == 0 || debye_vec3_length(debye_vec3_subtract(origin, before)) > 1.0);
    before = origin;
  }
}

/* A grid that is the cell holds no turned cell; with a padding it is none. */
static void
test_grid_is_cell(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  static const char *const ewald[] = {"method", "ewald", "spacing", "4", "precision", "auto", NULL};
  g_autoptr(DebyeResult) cell = run(fixture, "1:-1", ewald);
  g_assert_true(has_note(cell, "Frames were not superposed: the grid is the cell"));
  g_assert_cmpstr(get_effective(cell), ==, "none");
  g_autoptr(DebyeResult) window = run(
      fixture, "1:-1",
      (const char *const[]){"method", "ewald", "spacing", "4", "precision", "auto", "padding", "5", NULL});
  g_assert_cmpstr(get_effective(window), ==, "solute");
  g_autoptr(DebyeResult) centred = run(fixture, "1:-1", (const char *const[]){"center", "all", NULL});
  g_assert_cmpstr(get_effective(centred), ==, "none");
  g_assert_false(tells_of_superposing(centred));
}

static void
assert_not_superposed(const Fixture *fixture, const char *reason)
{
  g_autofree char *note = g_strdup_printf("Frames were not superposed: %s", reason);
  g_autofree char *warning = g_strdup_printf("Warning: frames were not superposed: %s", reason);
  g_autoptr(DebyeResult) plain = run(fixture, "1:-1", NULL);
  g_autoptr(DebyeResult) asked = run(fixture, "1:-1", (const char *const[]){"superpose", "solute", NULL});
  g_autoptr(DebyeResult) none = run(fixture, "1:-1", (const char *const[]){"superpose", "none", NULL});
  g_assert_true(has_note(plain, note));
  g_assert_true(has_note(asked, warning));
  g_assert_cmpfloat(compare(plain, none), ==, 0.0);
  g_assert_cmpfloat(compare(asked, none), ==, 0.0);
}

static void
test_no_solute(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  assert_not_superposed(fixture, "there is no solute");
}

static void
test_spans(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  assert_not_superposed(fixture, "the solute spans the cell");
}

/* --- Weights, and results of before --- */

static DebyeRequest *
load(const Fixture *fixture)
{
  g_autoptr(GError) error = NULL;
  DebyeRequest *request = debye_result_load_request(fixture->h5, debye_analysis_find_table, NULL, &error);
  g_assert_no_error(error);
  return request;
}

static DebyeResult *
run_again(const Fixture *fixture, DebyeRequest *request)
{
  g_autoptr(GError) error = NULL;
  const DebyeRunInput input = {
      .dataset = fixture->dataset, .request = request, .registry = fixture->registry};
  DebyeResult *result = plan_and_run(&debye_analysis_map, &input, &error);
  g_assert_no_error(error);
  return result;
}

/* As versions without these settings wrote it: no weights, and nothing for atoms that nobody gave. */
static void
make_old(const Fixture *fixture, gboolean has_atoms)
{
  DEBYE_H5_LOCKED();
  g_auto(DebyeH5File) file = H5Fopen(fixture->h5, H5F_ACC_RDWR, H5P_DEFAULT);
  g_auto(DebyeH5Group) group = H5Gopen2(file, "/entry/request", H5P_DEFAULT);
  g_assert_cmpint(H5Adelete(group, "superpose-weights"), >=, 0);
  if (has_atoms)
    return;
  g_assert_cmpint(H5Adelete(group, "superpose"), >=, 0);
  g_assert_true(debye_h5_write_string(group, "superpose", "", NULL));
}

static void
test_weights(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr(DebyeResult) alike = run(fixture, "0:-1", (const char *const[]){"superpose", "all", NULL});
  g_autoptr(DebyeResult) by_mass =
      run(fixture, "0:-1", (const char *const[]){"superpose", "all", "superpose-weights", "mass", NULL});
  /* All atoms are carbons, so that masses make no difference but what is told. */
  g_assert_true(has_note(by_mass, "Frames were superposed on the first by “all”, mass-weighted"));
  g_assert_true(has_note(alike, "Frames were superposed on the first by “all”, unweighted"));
  g_assert_cmpfloat(compare(by_mass, alike), <, SAME);
}

static void
test_older_results(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr(DebyeResult) plain = run(fixture, "0:-1", (const char *const[]){"superpose", "none", NULL});
  g_autoptr(DebyeResult) usual = run(fixture, "0:-1", NULL);
  g_assert_true(debye_result_save(usual, fixture->h5, NULL, NULL));
  g_autoptr(DebyeRequest) kept = load(fixture);
  g_assert_false(debye_request_is_set(kept, "superpose"));
  g_autoptr(DebyeResult) again = run_again(fixture, kept);
  g_assert_cmpfloat(compare(again, usual), ==, 0.0);
  /* What a version without the default would have written of the map that isn't superposed. */
  make_old(fixture, FALSE);
  g_autoptr(DebyeRequest) old = load(fixture);
  g_assert_cmpstr(debye_request_get(old, "superpose"), ==, "none");
  g_assert_cmpstr(debye_request_get(old, "superpose-weights"), ==, "mass");
  g_autoptr(DebyeResult) as_before = run_again(fixture, old);
  g_assert_cmpfloat(compare(as_before, plain), ==, 0.0);
  /* Superposed by name, it was by mass. */
  g_autoptr(DebyeResult) named = run(fixture, "0:-1", (const char *const[]){"superpose", "all", NULL});
  g_assert_true(debye_result_save(named, fixture->h5, NULL, NULL));
  make_old(fixture, TRUE);
  g_autoptr(DebyeRequest) old_named = load(fixture);
  g_assert_cmpstr(debye_request_get(old_named, "superpose"), ==, "all");
  g_assert_cmpstr(debye_request_get(old_named, "superpose-weights"), ==, "mass");
}

/* --- The picture --- */

/* Every frame lies where the first one is, and the alignment is that of the map. */
static void
test_alignment(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(DebyeResult) result = run(fixture, "2:-1", NULL);
  g_autoptr(DebyeResult) plain = run(fixture, "2", NULL);
  g_auto(DebyeAlignment) alignment = {0};
  debye_alignment_init_of_request(&alignment, debye_result_get_request(plain), N_FRAMES + 1);
  g_assert_null(alignment.atoms);
  debye_alignment_init_of_request(&alignment, debye_result_get_request(result), N_FRAMES + 1);
  g_assert_cmpstr(alignment.atoms, ==, "solute");
  g_assert_cmpstr(alignment.reference, ==, "frame:2");
  g_assert_false(alignment.by_mass);
  g_autoptr(DebyeFrameEdit) edit = debye_alignment_new_edit(&alignment, fixture->dataset, &error);
  g_assert_no_error(error);
  g_autoptr(DebyeTrajectoryReader) reader =
      debye_trajectory_reader_new(debye_dataset_get_trajectory(fixture->dataset), NULL);
  g_autoptr(DebyeFrame) first = NULL;
  static const gsize order[] = {2, 5, 3, 6};
  for (gsize i = 0; i < G_N_ELEMENTS(order); i++) {
    g_autoptr(DebyeFrame) frame = debye_frame_new(N_ATOMS);
    g_assert_true(debye_trajectory_reader_read(reader, order[i], frame, NULL));
    g_autoptr(DebyeFrame) aligned = debye_alignment_apply(edit, frame, &error);
    g_assert_no_error(error);
    if (first == NULL)
      first = debye_frame_ref(aligned);
    for (gsize atom = 0; atom < N_ATOMS; atom++) {
      g_assert_cmpfloat_with_epsilon((double)aligned->x[atom], (double)first->x[atom], 1e-4);
      g_assert_cmpfloat_with_epsilon((double)aligned->y[atom], (double)first->y[atom], 1e-4);
      g_assert_cmpfloat_with_epsilon((double)aligned->z[atom], (double)first->z[atom], 1e-4);
    }
  }
}

int
main(int argc, char **argv)
{
  static const Kind free_one = {"ALA", 80.0, FALSE}, cut = {"ALA", 14.0, TRUE};
  static const Kind water = {"HOH", 80.0, FALSE}, tight = {"ALA", 5.5, TRUE};
  g_test_init(&argc, &argv, NULL);
#define ADD(name, kind, function) \
  g_test_add("/superposition/" name, Fixture, kind, set_up, function, tear_down)
  ADD("default", &free_one, test_default);
  ADD("default-cut-by-the-cell", &cut, test_default);
  ADD("live", &free_one, test_live);
  ADD("grid-is-the-cell", &free_one, test_grid_is_cell);
  ADD("no-solute", &water, test_no_solute);
  ADD("spans-the-cell", &tight, test_spans);
  ADD("weights", &free_one, test_weights);
  ADD("older-results", &free_one, test_older_results);
  ADD("alignment", &free_one, test_alignment);
  ADD("alignment-cut-by-the-cell", &cut, test_alignment);
#undef ADD
  return g_test_run();
}
