/* SPDX-License-Identifier: MIT */
/* Implementation of sweep_file.h. */
#include "sweep_file.h"

#include <math.h>

#include "app/document/json_reader.h"
#include "app/document/json_writer.h"
#include "data/files/error.h"
#include "data/files/provenance.h"

#define LABEL "Continue"
#define VERSION 2

struct _DebyeSweepFile {
  char *path;
  DebyeSweepFileJob job;
  GPtrArray *inputs; /* DebyeInputRecord */
  GArray *points;    /* DebyeBenchResult */
  gint64 written_at; /* µs, monotonic; 0: not yet */
  gboolean is_changed;
};

/* Of a point what is a number. */
#define OF_RESULT(key, member)                     \
  {                                                \
    key, G_STRUCT_OFFSET(DebyeBenchResult, member) \
  }
static const struct {
  const char *key;
  gsize offset;
} numbers[] = {
    OF_RESULT("seconds", seconds),
    OF_RESULT("seconds_least", fastest),
    OF_RESULT("seconds_most", slowest),
    OF_RESULT("seconds_median", median),
    OF_RESULT("repeats", n_repeats),
    OF_RESULT("whole", whole),
    OF_RESULT("evaluations", evaluations),
    OF_RESULT("evals_per_second", rate),
    OF_RESULT("error", error),
    OF_RESULT("flops_per_second", operations),
    OF_RESULT("flops_per_byte", intensity),
    OF_RESULT("overflow_share", overflow),
    OF_RESULT("kernel_seconds", kernel_seconds),
    OF_RESULT("overflow_seconds", overflow_seconds),
    OF_RESULT("copy_in_seconds", times.copy_in),
    OF_RESULT("copy_out_seconds", times.copy_out),
    OF_RESULT("first_launch_seconds", times.first_launch),
    OF_RESULT("watts", power.watts),
    OF_RESULT("clock_megahertz", power.clock),
};

/* Of a GPU's kernel what is a whole number. */
#define OF_KERNEL(key, member)                         \
  {                                                    \
    key, G_STRUCT_OFFSET(DebyeLadderResources, member) \
  }
static const struct {
  const char *key;
  gsize offset;
} resources[] = {
    OF_KERNEL("threads_per_block", block),          OF_KERNEL("registers_per_thread", registers),
    OF_KERNEL("blocks_per_multiprocessor", blocks), OF_KERNEL("shared_bytes", shared_bytes),
    OF_KERNEL("local_bytes", local_bytes),
};

static void
clear_point(gpointer point)
{
  debye_bench_result_clear(point);
}

void
debye_sweep_file_free(DebyeSweepFile *self)
{
  g_free(self->path);
  g_clear_pointer(&self->inputs, g_ptr_array_unref);
  g_array_unref(self->points);
  g_free(self);
}

/* --- Writing --- */

static gboolean
is_of_no_account(const char *key)
{
  static const char *const keys[] = {"continue", "save-every", NULL};
  return g_strv_contains(keys, key);
}

static void
write_job(const DebyeSweepFile *self, DebyeJson *json)
{
  const DebyeSettingTable *table = debye_request_get_table(self->job.request);
  debye_json_open(json, "settings", '{');
  for (gsize i = 0; i < table->n_settings; i++)
    if (!is_of_no_account(table->settings[i].key))
      debye_json_string(json, table->settings[i].key,
                        debye_request_get(self->job.request, table->settings[i].key));
  debye_json_close(json, '}');
  debye_json_open(json, "inputs", '[');
  for (guint i = 0; i < self->inputs->len; i++)
    debye_json_string(json, NULL, ((const DebyeInputRecord *)self->inputs->pdata[i])->sha256);
  debye_json_close(json, ']');
  debye_json_open(json, "devices", '[');
  for (gsize i = 0; i < self->job.n_devices; i++)
    debye_json_string(json, NULL, self->job.devices[i]->info.name);
  debye_json_close(json, ']');
  debye_json_string(json, "host", debye_provenance_get_host());
  debye_json_string(json, "debye", debye_provenance_get_version());
  debye_json_integer(json, "processes", self->job.n_processes);
  debye_json_integer(json, "threads", self->job.n_threads);
}

static void
write_limits(const GArray *limits, DebyeJson *json)
{
  debye_json_open(json, "limits", '[');
  for (guint i = 0; i < limits->len; i++) {
    const DebyeBenchLimits *found = &g_array_index(limits, DebyeBenchLimits, i);
    debye_json_open(json, NULL, '{');
    debye_json_string(json, "device", found->device->info.id);
    debye_json_number(json, "flops_per_second", found->limits.operations);
    debye_json_number(json, "reciprocal_roots_per_second", found->limits.reciprocal_roots);
    debye_json_number(json, "bytes_per_second", found->limits.bandwidth);
    debye_json_close(json, '}');
  }
  debye_json_close(json, ']');
}

static void
write_point(const DebyeBenchResult *point, DebyeJson *json)
{
  debye_json_open(json, NULL, '{');
  debye_json_string(json, "variant", point->variant);
  debye_json_string(json, "device", point->device);
  for (gsize i = 0; i < G_N_ELEMENTS(numbers); i++)
    debye_json_number(json, numbers[i].key, G_STRUCT_MEMBER(double, point, numbers[i].offset));
  for (gsize i = 0; i < G_N_ELEMENTS(resources); i++)
    debye_json_integer(json, resources[i].key, G_STRUCT_MEMBER(int, &point->resources, resources[i].offset));
  debye_json_number(json, "occupancy", (double)point->resources.occupancy);
  debye_json_close(json, '}');
}

gboolean
debye_sweep_file_finish(DebyeSweepFile *self, const GArray *limits, GError **error)
{
  if (!self->is_changed)
    return TRUE;
  g_auto(DebyeJson) json = debye_json_begin();
  debye_json_integer(&json, "sweep", VERSION);
  write_job(self, &json);
  write_limits(limits, &json);
  debye_json_open(&json, "points", '[');
  for (guint i = 0; i < self->points->len; i++)
    write_point(&g_array_index(self->points, DebyeBenchResult, i), &json);
  debye_json_close(&json, ']');
  debye_json_close(&json, '}');
  if (!g_file_set_contents(self->path, json.text->str, (gssize)json.text->len, error)) {
    debye_error_name_setting(error, LABEL);
    return FALSE;
  }
  self->is_changed = FALSE;
  self->written_at = g_get_monotonic_time();
  return TRUE;
}

gboolean
debye_sweep_file_add(DebyeSweepFile *self, const DebyeBenchResult *result, const GArray *limits,
                     GError **error)
{
  const DebyeBenchResult point = debye_bench_result_copy(result);
  g_array_append_val(self->points, point);
  self->is_changed = TRUE;
  const double passed = (double)(g_get_monotonic_time() - self->written_at) / G_USEC_PER_SEC;
  return (self->written_at > 0 && passed < self->job.save_every) ||
         debye_sweep_file_finish(self, limits, error);
}

/* --- Whether it is the same job --- */

static gboolean
check_settings(const DebyeSweepFile *self, GVariant *settings, const char *name, GError **error)
{
  const DebyeSettingTable *table = debye_request_get_table(self->job.request);
  for (gsize i = 0; i < table->n_settings; i++) {
    const char *key = table->settings[i].key, *asked = debye_request_get(self->job.request, key);
    g_autofree char *found = debye_json_get_text(settings, key);
    if (is_of_no_account(key) || g_strcmp0(asked, found) == 0)
      continue;
    return debye_error_set_about(error, DEBYE_ERROR_MISMATCH, LABEL,
                                 "%s: is the result of another job: expected --%s “%s”, found “%s”", name,
                                 key, asked != NULL ? asked : "", found != NULL ? found : "");
  }
  return TRUE;
}

/* Of a list of texts one; NULL: there is none. */
static char *
get_text(GVariant *list, gsize index)
{
  if (index >= g_variant_n_children(list))
    return NULL;
  g_autoptr(GVariant) boxed = g_variant_get_child_value(list, index), one = g_variant_get_variant(boxed);
  return g_variant_is_of_type(one, G_VARIANT_TYPE_STRING) ? g_variant_dup_string(one, NULL) : NULL;
}

static gboolean
check_inputs(const DebyeSweepFile *self, GVariant *inputs, const char *name, GError **error)
{
  const guint n = (guint)g_variant_n_children(inputs);
  if (n != self->inputs->len)
    return debye_error_set_about(error, DEBYE_ERROR_MISMATCH, LABEL,
                                 "%s: is the result of another job: expected %u input files, found %u", name,
                                 self->inputs->len, n);
  for (guint i = 0; i < n; i++) {
    const DebyeInputRecord *now = self->inputs->pdata[i];
    g_autofree char *then = get_text(inputs, i);
    if (g_strcmp0(now->sha256, then) == 0)
      continue;
    g_autofree char *input = debye_error_name_file(now->path);
    return debye_error_set_about(error, DEBYE_ERROR_MISMATCH, LABEL,
                                 "%s: is the result of another job: its input file %u is not %s as it is now",
                                 name, i + 1, input);
  }
  return TRUE;
}

static gboolean
check_machine(const char *here, const char *there, const char *name, GError **error)
{
  return g_strcmp0(here, there) == 0 ||
         debye_error_set_about(error, DEBYE_ERROR_MISMATCH, LABEL,
                               "%s: was measured on another machine: expected “%s”, found “%s”", name,
                               here != NULL ? here : "", there != NULL ? there : "");
}

/* Times of two machines make no curve, and machines of a cluster have devices of the same names. */
static gboolean
check_devices(const DebyeSweepFile *self, GVariant *devices, const char *name, GError **error)
{
  for (gsize i = 0; i < MAX(self->job.n_devices, g_variant_n_children(devices)); i++) {
    const char *here = i < self->job.n_devices ? self->job.devices[i]->info.name : NULL;
    g_autofree char *there = get_text(devices, i);
    if (!check_machine(here, there, name, error))
      return FALSE;
  }
  return TRUE;
}

/* What measured it: the machine, how much of it, and the program. */
static gboolean
check_run(const DebyeSweepFile *self, GVariant *root, const char *name, GError **error)
{
  g_autofree char *host = debye_json_get_text(root, "host"), *version = debye_json_get_text(root, "debye");
  const gint64 n_processes = debye_json_get_integer(root, "processes", 0),
               n_threads = debye_json_get_integer(root, "threads", 0);
  if (!check_machine(debye_provenance_get_host(), host, name, error))
    return FALSE;
  if (g_strcmp0(debye_provenance_get_version(), version) != 0)
    debye_error_set_about(error, DEBYE_ERROR_MISMATCH, LABEL,
                          "%s: was measured by another version of Debye: expected “%s”, found “%s”", name,
                          debye_provenance_get_version(), version != NULL ? version : "");
  else if (n_processes != self->job.n_processes)
    debye_error_set_about(
        error, DEBYE_ERROR_MISMATCH, LABEL,
        "%s: was measured by another number of processes: expected %u, found %" G_GINT64_FORMAT, name,
        self->job.n_processes, n_processes);
  else if (n_threads != self->job.n_threads)
    debye_error_set_about(
        error, DEBYE_ERROR_MISMATCH, LABEL,
        "%s: was measured with another number of threads: expected %u, found %" G_GINT64_FORMAT, name,
        self->job.n_threads, n_threads);
  else
    return TRUE;
  return FALSE;
}

/* --- Reading --- */

static double
get_number(GVariant *object, const char *key)
{
  double value = NAN; /* as null is read */
  debye_json_get_number(object, key, &value);
  return value;
}

static gboolean
read_point(DebyeSweepFile *self, GVariant *object)
{
  DebyeBenchResult point = {.variant = debye_json_get_text(object, "variant"),
                            .device = debye_json_get_text(object, "device")};
  for (gsize i = 0; i < G_N_ELEMENTS(numbers); i++)
    G_STRUCT_MEMBER(double, &point, numbers[i].offset) = get_number(object, numbers[i].key);
  for (gsize i = 0; i < G_N_ELEMENTS(resources); i++)
    G_STRUCT_MEMBER(int, &point.resources, resources[i].offset) =
        (int)CLAMP(debye_json_get_integer(object, resources[i].key, 0), 0, G_MAXINT);
  point.resources.occupancy = (float)get_number(object, "occupancy");
  g_array_append_val(self->points, point);
  return point.variant != NULL && point.device != NULL;
}

static void
read_limits(const DebyeSweepFile *self, GVariant *object, GArray *limits)
{
  g_autofree char *device = debye_json_get_text(object, "device");
  const DebyeBenchLimits read = {.limits = {
                                     .operations = get_number(object, "flops_per_second"),
                                     .reciprocal_roots = get_number(object, "reciprocal_roots_per_second"),
                                     .bandwidth = get_number(object, "bytes_per_second"),
                                 }};
  for (gsize i = 0; i < self->job.n_devices; i++)
    if (g_strcmp0(self->job.devices[i]->info.id, device) == 0) {
      DebyeBenchLimits known = read;
      known.device = self->job.devices[i];
      g_array_append_val(limits, known);
    }
}

static gboolean
read_points(DebyeSweepFile *self, GVariant *points)
{
  for (gsize i = 0; i < g_variant_n_children(points); i++) {
    g_autoptr(GVariant) boxed = g_variant_get_child_value(points, i), one = g_variant_get_variant(boxed);
    if (!g_variant_is_of_type(one, G_VARIANT_TYPE_VARDICT) || !read_point(self, one))
      return FALSE;
  }
  return TRUE;
}

static gboolean
read_file(DebyeSweepFile *self, GVariant *root, GArray *limits, GError **error)
{
  g_autofree char *name = debye_error_name_file(self->path);
  g_autoptr(GVariant) settings = debye_json_get(root, "settings", G_VARIANT_TYPE_VARDICT);
  g_autoptr(GVariant) inputs = debye_json_get(root, "inputs", G_VARIANT_TYPE("av"));
  g_autoptr(GVariant) devices = debye_json_get(root, "devices", G_VARIANT_TYPE("av"));
  g_autoptr(GVariant) known = debye_json_get(root, "limits", G_VARIANT_TYPE("av"));
  g_autoptr(GVariant) points = debye_json_get(root, "points", G_VARIANT_TYPE("av"));
  if (debye_json_get_integer(root, "sweep", 0) != VERSION || settings == NULL || inputs == NULL ||
      devices == NULL || known == NULL || points == NULL || !read_points(self, points))
    return debye_error_set_about(error, DEBYE_ERROR_MISMATCH, LABEL,
                                 "%s: expected a file that bench --continue has written", name);
  if (!check_settings(self, settings, name, error) || !check_inputs(self, inputs, name, error) ||
      !check_devices(self, devices, name, error) || !check_run(self, root, name, error))
    return FALSE;
  for (gsize i = 0; i < g_variant_n_children(known); i++) {
    g_autoptr(GVariant) boxed = g_variant_get_child_value(known, i), one = g_variant_get_variant(boxed);
    if (g_variant_is_of_type(one, G_VARIANT_TYPE_VARDICT))
      read_limits(self, one, limits);
  }
  return TRUE;
}

DebyeSweepFile *
debye_sweep_file_open(const char *path, const DebyeSweepFileJob *job, GArray *limits, GError **error)
{
  g_autoptr(DebyeSweepFile) self = g_new0(DebyeSweepFile, 1);
  g_autofree char *text = NULL;
  gsize length;
  self->path = g_strdup(path);
  self->job = *job;
  self->points = g_array_new(FALSE, FALSE, sizeof(DebyeBenchResult));
  g_array_set_clear_func(self->points, clear_point);
  self->inputs = debye_provenance_record_files(job->inputs, NULL, error);
  if (self->inputs == NULL)
    return NULL;
  if (!g_file_test(path, G_FILE_TEST_EXISTS))
    return g_steal_pointer(&self);
  g_autofree char *name = debye_error_name_file(path);
  g_autoptr(GVariant) root =
      g_file_get_contents(path, &text, &length, error) ? debye_json_parse(text, length, name, error) : NULL;
  if (root == NULL) {
    debye_error_name_setting(error, LABEL);
    return NULL;
  }
  return read_file(self, root, limits, error) ? g_steal_pointer(&self) : NULL;
}

guint
debye_sweep_file_get_n_points(const DebyeSweepFile *self)
{
  return self->points->len;
}

void
debye_sweep_file_get_point(const DebyeSweepFile *self, guint index, DebyeBenchResult *result)
{
  *result = debye_bench_result_copy(&g_array_index(self->points, DebyeBenchResult, index));
}
