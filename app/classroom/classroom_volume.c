/* SPDX-License-Identifier: MIT */
/* The job of the classroom's lesson on methods and volumes; declared in classroom.h, made by
 * window_classroom.c. */
#include "app/analysis/driver/device_choice.h"

#include <glib/gi18n.h>

#include "app/bench/bench_methods.h"
#include "classroom_record.h"

#define FIRST_VOLUME 1000.0 /* Å³ */
#define LAST_VOLUME 2e7     /* the map fills 100 MB */
#define GROWTH 2.0
#define LONGEST 2.0 /* s: a method that took longer is not asked for twice the volume */

static const DebyePotentialMethod methods[] = {DEBYE_POTENTIAL_DIRECT, DEBYE_POTENTIAL_CUTOFF,
                                               DEBYE_POTENTIAL_MULTILEVEL};

typedef struct {
  DebyeJob *job;
  DebyeClassroomRecord *record;
  const DebyeDeviceEntry *chosen[DEBYE_MAX_DEVICES];
  gsize n_chosen;
  gboolean has_ended[G_N_ELEMENTS(methods)];
} Growth;

static gboolean
time_methods(Growth *growth, double volume, GError **error)
{
  g_autoptr(DebyeBenchProblem) problem = debye_bench_problem_new_for_volume(volume);
  problem->cancel = debye_job_get_cancel_flag(growth->job);
  for (gsize i = 0; i < G_N_ELEMENTS(methods); i++) {
    DebyeClassroomTime time = {methods[i], volume, 0.0};
    if (growth->has_ended[i])
      continue;
    debye_job_set_message(growth->job, _("%s sum of %zu atoms at %zu points"),
                          debye_potential_method_name(methods[i]), problem->n_atoms,
                          debye_grid_n_points(&problem->grid));
    if (!debye_bench_method(problem, methods[i], growth->chosen, growth->n_chosen, &time.seconds, error))
      return FALSE;
    growth->has_ended[i] = time.seconds > LONGEST;
    g_array_append_val(growth->record->times, time);
    g_autoptr(DebyeClassroomRecord) copy = debye_classroom_record_copy(growth->record);
    debye_job_publish(growth->job, copy);
  }
  return TRUE;
}

static gboolean
has_ended(const Growth *growth)
{
  for (gsize i = 0; i < G_N_ELEMENTS(methods); i++)
    if (!growth->has_ended[i])
      return FALSE;
  return TRUE;
}

static gpointer
run_growth(DebyeJob *job, gpointer data, GError **error)
{
  Growth growth = {.job = job};
  DebyeStatus status = {0};
  g_autoptr(GError) problem = NULL;
  debye_job_set_message(job, _("Starting the devices"));
  growth.n_chosen =
      debye_registry_choose(debye_devices_wait(data), "auto", growth.chosen, DEBYE_MAX_DEVICES, &status);
  if (growth.n_chosen == 0) {
    debye_device_set_error(error, &status);
    return NULL;
  }
  g_autofree char *name = debye_device_choice_name(growth.chosen, growth.n_chosen);
  g_autofree char *subject =
      g_strdup_printf(_("Made-up charges, 0.1 a cubic ångström, a grid point each, on %s"), name);
  g_autoptr(DebyeClassroomRecord) record = growth.record = debye_classroom_record_new(subject);
  for (double volume = FIRST_VOLUME; volume <= LAST_VOLUME && !has_ended(&growth); volume *= GROWTH) {
    if (!time_methods(&growth, volume, &problem)) {
      if (*debye_job_get_cancel_flag(job))
        break;
      g_propagate_error(error, g_steal_pointer(&problem));
      return NULL;
    }
  }
  return g_steal_pointer(&record);
}

static void
unref_devices(gpointer data)
{
  debye_devices_unref(data);
}

DebyeJob *
debye_classroom_volume_job_new(DebyeDevices *devices)
{
  return debye_job_new(_("Time against volume"), run_growth, debye_devices_ref(devices), unref_devices);
}
