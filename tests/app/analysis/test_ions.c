/* SPDX-License-Identifier: MIT */
/* Placing ions as a whole, on structures with a known answer. */
#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

#include "app/analysis/analysis_list.h"
#include "app/analysis/ions/ion_structure.h"
#include "app/analysis/ions/ions_plan.h"
#include "app/analysis/ions/ions_run.h"
#include "data/files/error.h"
#include "kernels/cpu/backend_cpu.h"
#include "tests/support/plans.h"

/* Three charges of −1 e in a row, and what surrounds them. */
static const char three_charges[] = "ATOM      1  O1  MOL A   1       0.000   0.000   0.000 -1.0000 1.5000\n"
                                    "ATOM      2  O2  MOL A   1       4.000   0.000   0.000 -1.0000 1.5000\n"
                                    "ATOM      3  C1  MOL A   1       2.000   2.500   1.000  0.0000 1.7000\n"
                                    "ATOM      4  O3  MOL A   1       8.000   1.000   0.000 -1.0000 1.5000\n";

typedef struct {
  char *folder, *path;
  DebyeDataset *dataset;
  DebyeRequest *request;
  DebyeRegistry *registry;
} Fixture;

static void
set_up_with(Fixture *fixture, const char *name, const char *content)
{
  g_autoptr(GError) error = NULL;
  fixture->folder = g_dir_make_tmp("debye-ions-XXXXXX", &error);
  g_assert_no_error(error);
  fixture->path = g_build_filename(fixture->folder, name, NULL);
  g_assert_true(g_file_set_contents(fixture->path, content, -1, &error));
  const char *const paths[] = {fixture->path, NULL};
  fixture->dataset = debye_dataset_open(paths, NULL, NULL, &error);
  g_assert_no_error(error);
  fixture->request = debye_request_new(debye_analysis_ions.table);
  fixture->registry = debye_registry_new(&debye_backend_cpu, NULL);
}

static void
set_up(Fixture *fixture, gconstpointer data)
{
  (void)data;
  set_up_with(fixture, "three.pqr", three_charges);
}

static void
tear_down(Fixture *fixture, gconstpointer data)
{
  (void)data;
  g_object_unref(fixture->dataset);
  g_object_unref(fixture->request);
  debye_registry_free(fixture->registry);
  g_remove(fixture->path);
  g_rmdir(fixture->folder);
  g_free(fixture->path);
  g_free(fixture->folder);
}

static void
set(Fixture *fixture, const char *key, const char *value)
{
  g_autoptr(GError) error = NULL;
  debye_request_set(fixture->request, key, value, &error);
  g_assert_no_error(error);
}

static DebyeResult *
run(Fixture *fixture, const DebyeRunCallbacks *callbacks, GError **error)
{
  const DebyeRunInput input = {.dataset = fixture->dataset,
                               .request = fixture->request,
                               .registry = fixture->registry,
                               .callbacks = callbacks};
  return plan_and_run(&debye_analysis_ions, &input, error);
}

static DebyeTopology *
place(Fixture *fixture, DebyeResult **result, DebyeFrame **frame)
{
  g_autoptr(GError) error = NULL;
  *result = run(fixture, NULL, &error);
  g_assert_no_error(error);
  DebyeTopology *topology = debye_ion_structure_new(*result, frame);
  g_assert_nonnull(topology);
  return topology;
}

static double
distance(const DebyeFrame *a, gsize i, const DebyeFrame *b, gsize j)
{
  return sqrt(pow((double)a->x[i] - (double)b->x[j], 2.0) + pow((double)a->y[i] - (double)b->y[j], 2.0) +
              pow((double)a->z[i] - (double)b->z[j], 2.0));
}

static DebyeFrame *
read_solute(Fixture *fixture)
{
  DebyeTrajectory *trajectory = debye_dataset_get_trajectory(fixture->dataset);
  g_autoptr(DebyeTrajectoryReader) reader = debye_trajectory_reader_new(trajectory, NULL);
  DebyeFrame *frame = debye_frame_new(debye_trajectory_get_n_atoms(trajectory));
  g_assert_true(debye_trajectory_reader_read(reader, 0, frame, NULL));
  return frame;
}

/* Nothing said: sodium until neutral; nearer than 5 Å to nothing. */
static void
test_neutralises(Fixture *fixture, gconstpointer data)
{
  (void)data;
  g_autoptr(DebyeResult) result = NULL;
  g_autoptr(DebyeFrame) frame = NULL;
  g_autoptr(DebyeTopology) topology = place(fixture, &result, &frame);
  g_autoptr(DebyeFrame) solute = read_solute(fixture);
  g_assert_cmpuint(debye_topology_get_n_atoms(topology), ==, 3);
  g_assert_cmpfloat(debye_topology_get_total_charge(topology), ==, 3.0);
  g_assert_false(debye_result_is_partial(result));
  for (gsize i = 0; i < 3; i++) {
    for (gsize j = 0; j < i; j++)
      g_assert_cmpfloat(distance(frame, i, frame, j), >=, 5.0 - 1e-5);
    for (gsize j = 0; j < solute->n_atoms; j++)
      g_assert_cmpfloat(distance(frame, i, solute, j), >=, 5.0 - 1e-5);
  }
}

/* The map after the last ion is that of all charges anew. */
static void
test_map(Fixture *fixture, gconstpointer data)
{
  (void)data;
  g_autoptr(DebyeResult) result = NULL;
  g_autoptr(DebyeFrame) frame = NULL;
  set(fixture, "unit", "e/A");
  set(fixture, "count", "3,2");
  g_autoptr(DebyeTopology) topology = place(fixture, &result, &frame);
  g_autoptr(DebyeFrame) solute = read_solute(fixture);
  g_autoptr(DebyeField) field = g_list_model_get_item(debye_result_get_fields(result), 0);
  const DebyeGrid *grid = debye_field_get_grid(field);
  const float *charges = debye_topology_get_charges(topology), own[] = {-1.0f, -1.0f, 0.0f, -1.0f};
  double error = 0.0, square = 0.0;
  for (gsize i = 0; i < debye_grid_n_points(grid); i += 7) {
    DebyeVec3 p =
        debye_grid_point(grid, (double)(i % grid->shape[0]), (double)(i / grid->shape[0] % grid->shape[1]),
                         (double)(i / grid->shape[0] / grid->shape[1]));
    double sum = 0.0;
    for (gsize j = 0; j < solute->n_atoms + frame->n_atoms; j++) {
      gsize ion = j - solute->n_atoms;
      gboolean is_ion = j >= solute->n_atoms;
      DebyeVec3 at = is_ion ? debye_vec3((double)frame->x[ion], (double)frame->y[ion], (double)frame->z[ion])
                            : debye_vec3((double)solute->x[j], (double)solute->y[j], (double)solute->z[j]);
      double away = debye_vec3_length(debye_vec3_subtract(p, at));
      sum += (double)(is_ion ? charges[ion] : own[j]) / fmax(away, 1e-3);
    }
    error += pow((double)debye_field_get_values(field)[i] - sum, 2.0);
    square += sum * sum;
  }
  g_assert_cmpfloat(sqrt(error / square), <=, 1e-5);
}

/* −3 e by magnesium: one too much, which an anion takes back; without anions it can't be. */
static void
test_divalent(Fixture *fixture, gconstpointer data)
{
  (void)data;
  g_autoptr(DebyeResult) result = NULL;
  g_autoptr(DebyeFrame) frame = NULL;
  g_autoptr(GError) error = NULL;
  const char *key = NULL;
  set(fixture, "cation", "MG");
  g_autoptr(DebyeTopology) topology = place(fixture, &result, &frame);
  g_assert_cmpuint(debye_topology_get_n_atoms(topology), ==, 3);
  g_assert_cmpfloat(debye_topology_get_total_charge(topology), ==, 3.0);
  set(fixture, "anion", "none");
  g_assert_false(plan_and_check(&debye_analysis_ions, fixture->dataset, fixture->request, &key, &error));
  g_assert_error(error, DEBYE_ERROR, DEBYE_ERROR_VALUE);
  g_assert_cmpstr(key, ==, "neutralise");
  g_assert_nonnull(strstr(error->message, "-3 e"));
}

/* So many pairs as the open volume holds at that concentration, and the names of CHARMM. */
static void
test_concentration(Fixture *fixture, gconstpointer data)
{
  (void)data;
  g_autoptr(DebyeResult) result = NULL;
  g_autoptr(DebyeFrame) frame = NULL;
  set(fixture, "concentration", "0.5");
  set(fixture, "names", "charmm");
  set(fixture, "spacing", "1");
  g_autoptr(DebyeTopology) topology = place(fixture, &result, &frame);
  g_autoptr(DebyeFrame) solute = read_solute(fixture);
  g_autoptr(DebyeField) field = g_list_model_get_item(debye_result_get_fields(result), 0);
  const DebyeGrid *grid = debye_field_get_grid(field);
  gsize n_open = 0;
  for (gsize i = 0; i < debye_grid_n_points(grid); i++) {
    DebyeVec3 p =
        debye_grid_point(grid, (double)(i % grid->shape[0]), (double)(i / grid->shape[0] % grid->shape[1]),
                         (double)(i / grid->shape[0] / grid->shape[1]));
    gboolean is_open = TRUE;
    for (gsize j = 0; j < solute->n_atoms; j++) {
      DebyeVec3 at = debye_vec3((double)solute->x[j], (double)solute->y[j], (double)solute->z[j]);
      is_open = is_open && debye_vec3_length(debye_vec3_subtract(p, at)) >= 5.0;
    }
    n_open += is_open;
  }
  const gsize expected = (gsize)rint(0.5 * 6.02214076e-4 * (double)n_open);
  g_assert_cmpuint(debye_topology_get_n_atoms(topology), ==, 2 * expected);
  const DebyeResidue *first = debye_topology_get_residue_table(topology);
  g_assert_cmpstr(debye_string_pool_get(debye_topology_get_string_pool(topology), first->name), ==, "SOD");
}

static double
estimate_seconds(Fixture *fixture, const char *count)
{
  g_autoptr(GError) error = NULL;
  DebyeEstimate estimate = {0};
  const DebyeRunInput input = {
      .dataset = fixture->dataset, .request = fixture->request, .registry = fixture->registry};
  set(fixture, "count", count);
  g_assert_true(plan_and_estimate(&debye_analysis_ions, &input, &estimate, &error));
  g_assert_no_error(error);
  const double seconds = estimate.seconds;
  debye_estimate_clear(&estimate);
  return seconds;
}

/* Each ion is one more pass over the map: as much time for each. */
static void
test_estimate(Fixture *fixture, gconstpointer data)
{
  (void)data;
  const double none = estimate_seconds(fixture, "1,0");
  const double ten = estimate_seconds(fixture, "6,5") - none,
               hundred = estimate_seconds(fixture, "51,50") - none;
  g_assert_cmpfloat(ten, >, 0.0);
  g_assert_cmpfloat(fabs(hundred / ten - 10.0), <, 1e-6); /* rounding of a difference */
}

static void
check_refused(Fixture *fixture, int code, const char *expected_key, const char *word)
{
  g_autoptr(GError) error = NULL;
  const char *key = NULL;
  g_assert_false(plan_and_check(&debye_analysis_ions, fixture->dataset, fixture->request, &key, &error));
  g_assert_error(error, DEBYE_ERROR, code);
  g_assert_cmpstr(key, ==, expected_key);
  g_assert_nonnull(strstr(error->message, word));
}

static void
test_refusals(Fixture *fixture, gconstpointer data)
{
  (void)data;
  static const char *const wrong[] = {"3", "3,", "a,b", "3,4,5", "-1,2", "1.5,2", "99999999999999999999,1"};
  for (gsize i = 0; i < G_N_ELEMENTS(wrong); i++) {
    set(fixture, "count", wrong[i]);
    check_refused(fixture, DEBYE_ERROR_VALUE, "count", wrong[i]);
  }
  set(fixture, "count", "0,0");
  check_refused(fixture, DEBYE_ERROR_VALUE, "count", "at least one");
  set(fixture, "count", "1,1");
  set(fixture, "concentration", "0.1");
  check_refused(fixture, DEBYE_ERROR_VALUE, "concentration", "both");
  set(fixture, "concentration", NULL);
  set(fixture, "anion", "BR");
  set(fixture, "names", "charmm");
  check_refused(fixture, DEBYE_ERROR_VALUE, "names", "BR");
  set(fixture, "names", NULL);
  set(fixture, "anion", "none");
  check_refused(fixture, DEBYE_ERROR_VALUE, "anion", "Choose an ion");
  set(fixture, "anion", NULL);
  set(fixture, "frame", "7");
  check_refused(fixture, DEBYE_ERROR_VALUE, "frame", "7");
}

static void
test_no_charges(void)
{
  Fixture fixture = {0};
  g_autoptr(GError) error = NULL;
  set_up_with(&fixture, "two.xyz", "2\n\nC 0 0 0\nO 0 0 1.2\n");
  g_assert_null(run(&fixture, NULL, &error));
  g_assert_error(error, DEBYE_ERROR, DEBYE_ERROR_MISSING);
  tear_down(&fixture, NULL);
}

/* How many there was room for is said. */
static void
test_no_room(Fixture *fixture, gconstpointer data)
{
  (void)data;
  g_autoptr(GError) error = NULL;
  set(fixture, "count", "400,400");
  set(fixture, "ion-distance", "12");
  g_assert_null(run(fixture, NULL, &error));
  g_assert_error(error, DEBYE_ERROR, DEBYE_ERROR_VALUE);
  g_assert_nonnull(strstr(error->message, "of 800 ions"));
}

typedef struct {
  volatile bool cancel;
  double at;
} Stopper;

static void
stop_at(double fraction, const char *message, gpointer data)
{
  Stopper *stopper = data;
  (void)message;
  if (fraction >= stopper->at)
    stopper->cancel = true;
}

/* Stopped on the way what is placed is kept; stopped before, it is said. */
static void
test_stop(Fixture *fixture, gconstpointer data)
{
  (void)data;
  g_autoptr(GError) error = NULL;
  Stopper stopper = {.at = 0.85};
  const DebyeRunCallbacks callbacks = {.cancel = &stopper.cancel, .progress = stop_at, .data = &stopper};
  set(fixture, "count", "40,40");
  set(fixture, "ion-distance", "3");
  g_autoptr(DebyeResult) result = run(fixture, &callbacks, &error);
  g_assert_no_error(error);
  g_assert_true(debye_result_is_partial(result));
  g_autoptr(DebyeTable) table = g_list_model_get_item(debye_result_get_tables(result), 0);
  g_assert_cmpuint(debye_table_get_n_rows(table), >=, 16);
  g_assert_cmpuint(debye_table_get_n_rows(table), <, 80);
  g_assert_null(run(fixture, &callbacks, &error));
  g_assert_error(error, DEBYE_ERROR, DEBYE_ERROR_STOPPED);
}

#define ADD(name, function) g_test_add("/ions/" name, Fixture, NULL, set_up, function, tear_down)

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  ADD("neutralises", test_neutralises);
  ADD("map", test_map);
  ADD("divalent", test_divalent);
  ADD("concentration", test_concentration);
  ADD("estimate", test_estimate);
  ADD("refusals", test_refusals);
  ADD("no-room", test_no_room);
  ADD("stop", test_stop);
  g_test_add_func("/ions/no-charges", test_no_charges);
  return g_test_run();
}
