/* SPDX-License-Identifier: MIT */
/* The job of the classroom's lesson on orientations: intensity from more and more of them beside the exact
 * average; declared in classroom.h, made by window_classroom.c. */
#include "app/analysis/analysis_list.h"

#include <glib/gi18n.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "classroom_record.h"

#define MAX_ATOMS 5000 /* 12 million pairs in the exact average */

static const char *const orientations[] = {"exact",     "sphere:1",   "sphere:6",
                                           "sphere:30", "sphere:150", "sphere:750"};

#define DIRECTIONS "sphere:"

guint
debye_classroom_count_directions(guint number)
{
  g_return_val_if_fail(number > 0 && number < G_N_ELEMENTS(orientations), 0);
  return (guint)atoi(orientations[number] + strlen(DIRECTIONS));
}

double
debye_classroom_find_deviation(DebyeCurve *curve, DebyeCurve *exact, double q_max)
{
  const double *q = debye_curve_get_x(curve), *found = debye_curve_get_y(curve),
               *average = debye_curve_get_y(exact);
  const gsize n = MIN(debye_curve_get_n_points(curve), debye_curve_get_n_points(exact));
  double sum = 0.0;
  gsize n_points = 0;
  for (gsize i = 0; i < n; i++)
    if (q[i] <= q_max && average[i] > 0.0) {
      sum += pow(found[i] / average[i] - 1.0, 2.0);
      n_points++;
    }
  return n_points > 0 ? sqrt(sum / (double)n_points) : NAN;
}

typedef struct {
  DebyeDevices *devices;
  DebyeDataset *dataset;
} OrientationWork;

static void
orientation_work_free(gpointer data)
{
  OrientationWork *work = data;
  debye_devices_unref(work->devices);
  g_object_unref(work->dataset);
  g_free(work);
}

static DebyeRequest *
ask(DebyeDataset *dataset, const char *orientation, GError **error)
{
  g_autoptr(DebyeRequest) request = debye_request_new(debye_analysis_scattering.table);
  const gsize n_atoms = debye_topology_get_n_atoms(debye_dataset_get_topology(dataset));
  g_autofree char *select = g_strdup_printf("index < %d", MAX_ATOMS);
  gboolean ok = debye_request_set(request, "orientation", orientation, error) &&
                debye_request_set(request, "q", "0.05:3:0.025", error) &&
                debye_request_set(request, "frames", "0", error) &&
                debye_request_set(request, "box-correction", "false", error) &&
                (n_atoms <= MAX_ATOMS || debye_request_set(request, "select", select, error));
  return ok ? g_steal_pointer(&request) : NULL;
}

/* Of the first frame as an open system: what a cell adds is another lesson. */
static DebyeCurve *
compute(const OrientationWork *work, const char *orientation, const DebyeRunCallbacks *callbacks,
        GError **error)
{
  g_autoptr(DebyeRequest) request = ask(work->dataset, orientation, error);
  if (request == NULL)
    return NULL;
  g_autoptr(DebyePlan) plan = debye_plan_new(&debye_analysis_scattering, work->dataset, request);
  g_autoptr(DebyeResult) result =
      debye_plan_run(plan, debye_devices_wait(work->devices), callbacks, NULL, error);
  if (result == NULL || debye_result_is_partial(result))
    return NULL;
  g_autoptr(DebyeCurve) curve = g_list_model_get_item(debye_result_get_curves(result), 0);
  g_autofree char *name = g_str_equal(orientation, "exact")
                              ? g_strdup(_("exact average"))
                              : g_strdup_printf(_("directions: %s"), orientation + strlen(DIRECTIONS));
  return curve != NULL ? debye_curve_with_name(curve, name) : NULL;
}

static gpointer
run_orientations(DebyeJob *job, gpointer data, GError **error)
{
  const volatile bool *cancel = debye_job_get_cancel_flag(job);
  const DebyeRunCallbacks callbacks = {.cancel = cancel};
  g_autoptr(DebyeClassroomRecord) record = debye_classroom_record_new(
      _("I(q) of the first frame, at most 5000 atoms, from directions spread over a sphere"));
  for (gsize i = 0; i < G_N_ELEMENTS(orientations) && !*cancel; i++) {
    g_autoptr(GError) problem = NULL;
    debye_job_set_message(job, "%s", orientations[i]);
    DebyeCurve *curve = compute(data, orientations[i], &callbacks, &problem);
    if (curve == NULL && problem != NULL && !*cancel) {
      g_propagate_error(error, g_steal_pointer(&problem));
      return NULL;
    }
    if (curve == NULL)
      break;
    g_ptr_array_add(record->curves, curve);
    g_autoptr(DebyeClassroomRecord) copy = debye_classroom_record_copy(record);
    debye_job_publish(job, copy);
    debye_job_set_progress(job, (double)(i + 1) / G_N_ELEMENTS(orientations));
  }
  return g_steal_pointer(&record);
}

DebyeJob *
debye_classroom_orientation_job_new(DebyeDevices *devices, DebyeDataset *dataset)
{
  OrientationWork *work = g_new0(OrientationWork, 1);
  work->devices = debye_devices_ref(devices);
  work->dataset = g_object_ref(dataset);
  return debye_job_new(_("More and more orientations"), run_orientations, work, orientation_work_free);
}
