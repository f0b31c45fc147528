/* SPDX-License-Identifier: MIT */
/* The job of the classroom's lesson on methods and volumes; declared in classroom.h, made by
 * window_classroom.c. */
#include "app/analysis/driver/device_choice.h"

#include <glib/gi18n.h>
#include <math.h>

#include "app/bench/bench_case.h"
#include "data/messages/message.h"
#include "classroom_record.h"

#define FIRST_VOLUME 1000.0 /* Å³ */
#define LAST_VOLUME 2e7     /* the map fills 100 MB */
#define GROWTH 2.0
#define LONGEST 2.0  /* s: a method that took longer is not asked for twice the volume */
#define SPACING 1.0  /* Å */
#define REPEATED 0.5 /* s: what is done faster is done again */
#define MAX_CHOSEN 2

static const DebyePotentialMethod methods[] = {DEBYE_POTENTIAL_DIRECT, DEBYE_POTENTIAL_CUTOFF,
                                               DEBYE_POTENTIAL_MULTILEVEL};

typedef struct {
  DebyeJob *job;
  DebyeClassroomRecord *record;
  const DebyeDeviceEntry *chosen[MAX_CHOSEN]; /* the fastest, and the processor */
  gsize n_chosen;
  gboolean has_ended[MAX_CHOSEN][G_N_ELEMENTS(methods)];
} Growth;

static gboolean
time_method(Growth *growth, double volume, gsize device, gsize method, GError **error)
{
  const DebyeDeviceEntry *const chosen = growth->chosen[device];
  DebyeBenchCase asked = {
      .kernel = debye_bench_kernel_find(debye_potential_method_name(methods[method])),
      .sizes = {[DEBYE_BENCH_ATOMS] = MAX(round(volume * DEBYE_BENCH_ATOM_DENSITY), 1.0),
                [DEBYE_BENCH_SPACING] = SPACING},
      .devices = &chosen,
      .n_devices = 1,
      .repeats = {.max_seconds = REPEATED, .cancel = debye_job_get_cancel_flag(growth->job)},
  };
  DebyeBenchResult result = {0};
  debye_job_set_message(growth->job, _("%s sum of %zu atoms on %s"),
                        debye_potential_method_name(methods[method]), (gsize)asked.sizes[DEBYE_BENCH_ATOMS],
                        chosen->info.name);
  if (!debye_bench_case_complete(&asked, error) || !debye_bench_case_run(&asked, &result, error))
    return FALSE;
  const DebyeClassroomTime time = {methods[method], chosen->info.id, volume, result.seconds};
  debye_bench_result_clear(&result);
  growth->has_ended[device][method] = time.seconds > LONGEST;
  g_array_append_val(growth->record->times, time);
  g_autoptr(DebyeClassroomRecord) copy = debye_classroom_record_copy(growth->record);
  debye_job_publish(growth->job, copy);
  return TRUE;
}

/* Each method that hasn't become too slow on each device. */
static gboolean
time_volume(Growth *growth, double volume, GError **error)
{
  for (gsize device = 0; device < growth->n_chosen; device++)
    for (gsize method = 0; method < G_N_ELEMENTS(methods); method++)
      if (!growth->has_ended[device][method] && !time_method(growth, volume, device, method, error))
        return FALSE;
  return TRUE;
}

static gboolean
has_ended(const Growth *growth)
{
  for (gsize device = 0; device < growth->n_chosen; device++)
    for (gsize method = 0; method < G_N_ELEMENTS(methods); method++)
      if (!growth->has_ended[device][method])
        return FALSE;
  return TRUE;
}

/* The fastest device and, where that is another one, the processor. */
static gboolean
choose_devices(Growth *growth, const DebyeRegistry *registry, GError **error)
{
  const DebyeDeviceEntry *all[DEBYE_MAX_DEVICES];
  DebyeStatus status = {0};
  const gsize n = debye_registry_choose(registry, "auto", all, DEBYE_MAX_DEVICES, &status);
  for (gsize i = 0; i < n && growth->n_chosen < MAX_CHOSEN; i++)
    if (i == 0 || debye_device_is_cpu(all[i]))
      growth->chosen[growth->n_chosen++] = all[i];
  if (n == 0)
    debye_device_set_error(error, &status);
  return n > 0;
}

static void
note_devices(const Growth *growth)
{
  for (gsize i = 0; i < growth->n_chosen; i++) {
    const DebyeClassroomDevice device = {.id = growth->chosen[i]->info.id,
                                         .name = growth->chosen[i]->info.name};
    g_array_append_val(growth->record->devices, device);
  }
}

static gpointer
run_growth(DebyeJob *job, gpointer data, GError **error)
{
  Growth growth = {.job = job};
  g_autoptr(GError) problem = NULL;
  debye_job_set_message(job, _("Starting the devices"));
  if (!choose_devices(&growth, debye_devices_wait(data), error))
    return NULL;
  g_autofree char *message = debye_device_choice_name(growth.chosen, growth.n_chosen);
  g_autofree char *name = debye_message_translate(message);
  g_autofree char *subject =
      g_strdup_printf(_("Made-up charges, 0.1 per cubic ångström, one grid point each, on %s"), name);
  g_autoptr(DebyeClassroomRecord) record = growth.record = debye_classroom_record_new(subject);
  note_devices(&growth);
  for (double volume = FIRST_VOLUME; volume <= LAST_VOLUME && !has_ended(&growth); volume *= GROWTH) {
    if (!time_volume(&growth, volume, &problem)) {
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
