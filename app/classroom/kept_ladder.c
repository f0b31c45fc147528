/* SPDX-License-Identifier: MIT */
/* Implementation of kept_ladder.h. */
#include "kept_ladder.h"

#include <math.h>

#include "app/document/json_reader.h"
#include "classroom_record.h"
#include "kept_counts.h"

#define MAX_DEVICES 64
#define MAX_ROWS 1000
#define MAX_LETTERS 80  /* of a device's name and id */
#define MAX_LESSON 1000 /* letters that say what a kernel of the class is */
#define MAX_GUESS 1e6
#define MAX_SLICES 100000
#define N_OF_SLICE 5 /* numbers of one: run, slice, device, begin, end */
#define N_OF_RUN 6   /* devices, slices, seconds, rate, watts, error */

typedef struct {
  const char *key;
  gsize offset;
} Member;

#define NUMBER(member)                                   \
  {                                                      \
#member, G_STRUCT_OFFSET(DebyeClassroomStep, member) \
  }
#define RESOURCE(member)                                   \
  {                                                        \
#member, G_STRUCT_OFFSET(DebyeLadderResources, member) \
  }
#define LIMIT(member)                                   \
  {                                                     \
#member, G_STRUCT_OFFSET(DebyeLadderLimits, member) \
  }

/* double, none below 0; what isn't finite has no member. */
static const Member step_numbers[] = {NUMBER(rate),
                                      NUMBER(operations),
                                      NUMBER(share),
                                      NUMBER(error),
                                      NUMBER(intensity),
                                      NUMBER(seconds),
                                      NUMBER(overflow),
                                      NUMBER(kernel_seconds),
                                      NUMBER(overflow_seconds),
                                      NUMBER(spread),
                                      NUMBER(reciprocal_roof),
                                      NUMBER(watts),
                                      NUMBER(clock),
                                      NUMBER(first_launch),
                                      NUMBER(copy_in),
                                      NUMBER(copy_out),
                                      NUMBER(whole)};
static const Member limits[] = {LIMIT(operations), LIMIT(reciprocal_roots), LIMIT(bandwidth)};
/* int */
static const Member resources[] = {RESOURCE(block), RESOURCE(registers), RESOURCE(blocks),
                                   RESOURCE(shared_bytes), RESOURCE(local_bytes)};

/* --- Saving --- */

static void
insert_numbers(GVariantDict *dict, const Member *members, gsize n, gconstpointer structure)
{
  for (gsize i = 0; i < n; i++) {
    const double value = G_STRUCT_MEMBER(const double, structure, members[i].offset);
    if (isfinite(value))
      g_variant_dict_insert(dict, members[i].key, "d", value);
  }
}

static GVariant *
save_device(const DebyeClassroomDevice *device)
{
  GVariantDict dict;
  g_variant_dict_init(&dict, NULL);
  g_variant_dict_insert(&dict, "id", "s", device->id);
  g_variant_dict_insert(&dict, "name", "s", device->name);
  insert_numbers(&dict, limits, G_N_ELEMENTS(limits), &device->limits);
  return g_variant_dict_end(&dict);
}

static GVariant *
save_resources(const DebyeLadderResources *found)
{
  GVariantDict dict;
  g_variant_dict_init(&dict, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS(resources); i++)
    g_variant_dict_insert(&dict, resources[i].key, "x",
                          (gint64)G_STRUCT_MEMBER(const int, found, resources[i].offset));
  g_variant_dict_insert(&dict, "occupancy", "d", (double)found->occupancy);
  return g_variant_dict_end(&dict);
}

/* `count`: its own; NULL: it counts nothing. */
static GVariant *
save_step(const DebyeClassroomStep *step, const DebyeClassroomCount *count)
{
  GVariantDict dict;
  g_variant_dict_init(&dict, NULL);
  if (step->id != NULL) {
    g_variant_dict_insert(&dict, "variant", "s", step->id);
  } else {
    g_variant_dict_insert(&dict, "lesson", "s", step->lesson);
    g_variant_dict_insert(&dict, "kind", "x", (gint64)step->kind);
  }
  g_variant_dict_insert(&dict, "device", "s", step->device);
  g_variant_dict_insert(&dict, "gpu", "b", step->is_gpu);
  g_variant_dict_insert(&dict, "recorded", "b", step->is_recorded);
  insert_numbers(&dict, step_numbers, G_N_ELEMENTS(step_numbers), step);
  if (step->resources.block > 0)
    g_variant_dict_insert_value(&dict, "resources", save_resources(&step->resources));
  if (count != NULL)
    debye_kept_count_save(count, &dict);
  return g_variant_dict_end(&dict);
}

static GVariant *
save_time(const DebyeClassroomTime *time)
{
  GVariantDict dict;
  g_variant_dict_init(&dict, NULL);
  g_variant_dict_insert(&dict, "method", "s", debye_potential_method_name(time->method));
  g_variant_dict_insert(&dict, "device", "s", time->device);
  g_variant_dict_insert(&dict, "volume", "d", time->volume);
  g_variant_dict_insert(&dict, "seconds", "d", time->seconds);
  return g_variant_dict_end(&dict);
}

static void
add_number(GVariantBuilder *builder, double value)
{
  g_variant_builder_add(builder, "v", g_variant_new_double(value));
}

/* Slices that were dealt, as plain lists of numbers. */
static void
insert_dealings(GVariantDict *dict, DebyeClassroomRecord *record)
{
  GVariantBuilder runs, slices;
  g_variant_builder_init(&runs, G_VARIANT_TYPE("av"));
  g_variant_builder_init(&slices, G_VARIANT_TYPE("av"));
  for (guint i = 0; i < record->dealings->len; i++) {
    const DebyeBenchDealRun *run = &g_array_index(record->dealings, DebyeBenchDealRun, i);
    const double numbers[N_OF_RUN] = {run->n_devices, run->n_slices, run->seconds,
                                      run->rate,      run->watts,    run->error};
    for (gsize k = 0; k < N_OF_RUN; k++)
      add_number(&runs, isfinite(numbers[k]) ? numbers[k] : 0.0);
  }
  for (guint i = 0; i < record->slices->len; i++) {
    const DebyeBenchDealSlice *slice = &g_array_index(record->slices, DebyeBenchDealSlice, i);
    const double numbers[N_OF_SLICE] = {slice->run, slice->slice, slice->device, slice->begin, slice->end};
    for (gsize k = 0; k < N_OF_SLICE; k++)
      add_number(&slices, numbers[k]);
  }
  g_variant_dict_insert_value(dict, "dealings", g_variant_builder_end(&runs));
  g_variant_dict_insert_value(dict, "slices", g_variant_builder_end(&slices));
  g_variant_dict_insert(dict, "thread-rate", "d", record->thread_rate);
  g_variant_dict_insert(dict, "threads", "b", record->is_threads);
}

GVariant *
debye_kept_ladder_save(DebyeClassroomRecord *record)
{
  GVariantBuilder devices, steps, times;
  GVariantDict dict;
  g_variant_builder_init(&devices, G_VARIANT_TYPE("av"));
  g_variant_builder_init(&steps, G_VARIANT_TYPE("av"));
  g_variant_builder_init(&times, G_VARIANT_TYPE("av"));
  for (guint i = 0; i < record->devices->len; i++)
    g_variant_builder_add(&devices, "v",
                          save_device(&g_array_index(record->devices, DebyeClassroomDevice, i)));
  for (guint i = 0; i < record->steps->len; i++)
    g_variant_builder_add(
        &steps, "v",
        save_step(&g_array_index(record->steps, DebyeClassroomStep, i),
                  i < record->counts->len ? &g_array_index(record->counts, DebyeClassroomCount, i) : NULL));
  for (guint i = 0; i < record->times->len; i++)
    g_variant_builder_add(&times, "v", save_time(&g_array_index(record->times, DebyeClassroomTime, i)));
  g_variant_dict_init(&dict, NULL);
  g_variant_dict_insert(&dict, "subject", "s", record->subject);
  g_variant_dict_insert_value(&dict, "devices", g_variant_builder_end(&devices));
  g_variant_dict_insert_value(&dict, "steps", g_variant_builder_end(&steps));
  g_variant_dict_insert_value(&dict, "times", g_variant_builder_end(&times));
  if (record->dealings->len > 0)
    insert_dealings(&dict, record);
  return g_variant_dict_end(&dict);
}

GVariant *
debye_kept_steps_save(const DebyeClassroomSteps *self)
{
  GVariantBuilder guesses;
  GVariantDict dict;
  g_variant_builder_init(&guesses, G_VARIANT_TYPE("av"));
  for (guint i = 0; i < self->guesses->len; i++)
    g_variant_builder_add(&guesses, "v", g_variant_new_double(g_array_index(self->guesses, double, i)));
  g_variant_dict_init(&dict, NULL);
  g_variant_dict_insert_value(&dict, "measured", debye_kept_ladder_save(self->record));
  g_variant_dict_insert_value(&dict, "guesses", g_variant_builder_end(&guesses));
  return g_variant_dict_end(&dict);
}

/* --- Loading --- */

/* 0 where it is missing; FALSE where it is below. */
static gboolean
take_numbers(GVariant *object, const Member *members, gsize n, gpointer structure)
{
  for (gsize i = 0; i < n; i++) {
    double value = 0.0;
    debye_json_get_number(object, members[i].key, &value);
    if (!(value >= 0.0) || !isfinite(value))
      return FALSE;
    G_STRUCT_MEMBER(double, structure, members[i].offset) = value;
  }
  return TRUE;
}

static gboolean
get_flag(GVariant *object, const char *key)
{
  g_autoptr(GVariant) flag = debye_json_get(object, key, G_VARIANT_TYPE_BOOLEAN);
  return flag != NULL && g_variant_get_boolean(flag);
}

/* A text that stays, as those of devices do; NULL: it isn't one of theirs. */
static const char *
get_name(GVariant *object, const char *key)
{
  g_autofree char *text = debye_json_get_text(object, key);
  return text != NULL && *text != '\0' && g_utf8_strlen(text, -1) <= MAX_LETTERS ? g_intern_string(text)
                                                                                 : NULL;
}

static const DebyeClassroomDevice *
find_device(DebyeClassroomRecord *self, GVariant *row)
{
  const char *id = get_name(row, "device");
  for (guint i = 0; id != NULL && i < self->devices->len; i++)
    if (g_array_index(self->devices, DebyeClassroomDevice, i).id == id)
      return &g_array_index(self->devices, DebyeClassroomDevice, i);
  return NULL;
}

/* Without these there is no roof to draw. */
static gboolean
has_limits(const DebyeClassroomDevice *device)
{
  return device->limits.operations > 0.0 && device->limits.bandwidth > 0.0;
}

static gboolean
load_device(DebyeClassroomRecord *self, GVariant *saved)
{
  DebyeClassroomDevice device = {.id = get_name(saved, "id"), .name = get_name(saved, "name")};
  if (device.id == NULL || device.name == NULL || self->devices->len >= MAX_DEVICES ||
      !take_numbers(saved, limits, G_N_ELEMENTS(limits), &device.limits))
    return FALSE;
  g_array_append_val(self->devices, device);
  return TRUE;
}

static void
load_resources(GVariant *saved, DebyeLadderResources *found)
{
  double occupancy = 0.0;
  for (gsize i = 0; i < G_N_ELEMENTS(resources); i++)
    G_STRUCT_MEMBER(int, found, resources[i].offset) =
        (int)CLAMP(debye_json_get_integer(saved, resources[i].key, 0), 0, G_MAXINT);
  debye_json_get_number(saved, "occupancy", &occupancy);
  found->occupancy = (float)(occupancy >= 0.0 && occupancy <= 1.0 ? occupancy : 0.0);
}

static gboolean
load_count(DebyeClassroomRecord *self, const DebyeClassroomStep *step, GVariant *saved)
{
  DebyeClassroomCount count = {
      .title = step->title, .device = step->device, .counts = {.is_race = step->is_race}};
  if (!debye_kept_count_load(&count, saved))
    return FALSE;
  g_array_append_val(self->counts, count);
  return TRUE;
}

/* What it is a step of: a variant, or alone the class's own kernel. */
static gboolean
load_variant(const DebyeClassroomRecord *self, GVariant *saved, DebyeClassroomStep *step)
{
  g_autofree char *id = debye_json_get_text(saved, "variant"), *lesson = debye_json_get_text(saved, "lesson");
  const gint64 kind = debye_json_get_integer(saved, "kind", -1);
  if (id != NULL)
    return debye_classroom_step_set_variant(step, get_flag(saved, "gpu"), id);
  if (lesson == NULL || g_utf8_strlen(lesson, -1) > MAX_LESSON || kind < 0 || kind >= DEBYE_LADDER_N_KINDS ||
      self->steps->len > 0)
    return FALSE;
  debye_classroom_step_set_ours(step, (DebyeLadderKind)kind, get_flag(saved, "gpu"), lesson);
  return TRUE;
}

/* Counts have the places of their steps: after a step without any no other has any. */
static gboolean
load_step(DebyeClassroomRecord *self, GVariant *saved)
{
  g_autoptr(GVariant) found = debye_json_get(saved, "resources", G_VARIANT_TYPE_VARDICT),
                      counts = debye_json_get(saved, "counts", G_VARIANT_TYPE("av"));
  const DebyeClassroomDevice *device = find_device(self, saved);
  DebyeClassroomStep step = {.is_recorded = get_flag(saved, "recorded")};
  double error;
  if (device == NULL || !has_limits(device) || self->steps->len >= MAX_ROWS ||
      !load_variant(self, saved, &step) ||
      !take_numbers(saved, step_numbers, G_N_ELEMENTS(step_numbers), &step) || !(step.rate > 0.0))
    return FALSE;
  step.device = device->id;
  if (!debye_json_get_number(saved, "error", &error))
    step.error = NAN;
  if (found != NULL)
    load_resources(found, &step.resources);
  if (counts != NULL && (self->counts->len != self->steps->len || !load_count(self, &step, saved)))
    return FALSE;
  g_array_append_val(self->steps, step);
  return TRUE;
}

static gboolean
load_method(GVariant *saved, DebyePotentialMethod *method)
{
  g_autofree char *name = debye_json_get_text(saved, "method");
  for (int i = 0; i < DEBYE_POTENTIAL_N_METHODS; i++) {
    *method = (DebyePotentialMethod)i;
    if (g_strcmp0(name, debye_potential_method_name(*method)) == 0)
      return TRUE;
  }
  return FALSE;
}

static gboolean
load_time(DebyeClassroomRecord *self, GVariant *saved)
{
  const DebyeClassroomDevice *device = find_device(self, saved);
  DebyeClassroomTime time = {0};
  if (device == NULL || self->times->len >= MAX_ROWS || !load_method(saved, &time.method) ||
      !debye_json_get_number(saved, "volume", &time.volume) ||
      !debye_json_get_number(saved, "seconds", &time.seconds) || !(time.volume > 0.0) ||
      !(time.seconds > 0.0))
    return FALSE;
  time.device = device->id;
  g_array_append_val(self->times, time);
  return TRUE;
}

static gboolean
load_all(DebyeClassroomRecord *self, GVariant *saved, const char *key,
         gboolean (*load)(DebyeClassroomRecord *self, GVariant *one))
{
  g_autoptr(GVariant) list = debye_json_get(saved, key, G_VARIANT_TYPE("av"));
  for (gsize i = 0; list != NULL && i < g_variant_n_children(list); i++) {
    g_autoptr(GVariant) boxed = g_variant_get_child_value(list, i), one = g_variant_get_variant(boxed);
    if (!g_variant_is_of_type(one, G_VARIANT_TYPE_VARDICT) || !load(self, one))
      return FALSE;
  }
  return list != NULL;
}

/* A list of so many numbers each, none below 0; NULL: it isn't one. *n: how many there are. (transfer full) */
static double *
load_numbers(GVariant *saved, const char *key, gsize n_each, gsize most, gsize *n)
{
  g_autoptr(GVariant) list = debye_json_get(saved, key, G_VARIANT_TYPE("av"));
  const gsize n_numbers = list != NULL ? g_variant_n_children(list) : 0;
  if (n_numbers == 0 || n_numbers % n_each != 0 || n_numbers / n_each > most)
    return NULL;
  g_autofree double *numbers = g_new(double, n_numbers);
  if (!debye_json_get_numbers(saved, key, numbers, n_numbers))
    return NULL;
  for (gsize i = 0; i < n_numbers; i++)
    if (!(numbers[i] >= 0.0) || !isfinite(numbers[i]))
      return NULL;
  *n = n_numbers / n_each;
  return g_steal_pointer(&numbers);
}

static gboolean
load_run(DebyeClassroomRecord *self, const double *numbers)
{
  if (!(numbers[0] >= 1.0 && numbers[0] <= self->devices->len && numbers[1] >= 1.0 &&
        numbers[1] <= MAX_SLICES && numbers[2] > 0.0 && numbers[3] > 0.0))
    return FALSE;
  const DebyeBenchDealRun run = {.n_devices = (guint)numbers[0],
                                 .n_slices = (guint)numbers[1],
                                 .seconds = numbers[2],
                                 .rate = numbers[3],
                                 .watts = numbers[4],
                                 .error = numbers[5]};
  self->n_slices = run.n_slices;
  g_array_append_val(self->dealings, run);
  return TRUE;
}

/* Of a run that was stopped, too, which is the one after the last. */
static gboolean
load_slice(DebyeClassroomRecord *self, const double *numbers)
{
  if (!(numbers[0] <= self->dealings->len && numbers[1] < self->n_slices && numbers[2] < self->devices->len &&
        numbers[4] >= numbers[3]))
    return FALSE;
  const DebyeBenchDealSlice slice = {(guint)numbers[0], (guint)numbers[1], (guint)numbers[2], numbers[3],
                                     numbers[4]};
  g_array_append_val(self->slices, slice);
  return TRUE;
}

/* TRUE as well where none were dealt. */
static gboolean
load_dealings(DebyeClassroomRecord *self, GVariant *saved)
{
  g_autoptr(GVariant) list = debye_json_get(saved, "dealings", G_VARIANT_TYPE("av"));
  gsize n_runs = 0, n_slices = 0;
  if (list == NULL)
    return TRUE;
  g_autofree double *runs = load_numbers(saved, "dealings", N_OF_RUN, DEBYE_BENCH_DEAL_MAX, &n_runs),
                    *slices = load_numbers(saved, "slices", N_OF_SLICE, MAX_SLICES, &n_slices);
  debye_json_get_number(saved, "thread-rate", &self->thread_rate);
  self->is_threads = get_flag(saved, "threads");
  for (gsize i = 0; runs != NULL && i < n_runs; i++)
    if (!load_run(self, runs + N_OF_RUN * i))
      return FALSE;
  for (gsize i = 0; runs != NULL && slices != NULL && i < n_slices; i++)
    if (!load_slice(self, slices + N_OF_SLICE * i))
      return FALSE;
  return runs != NULL && slices != NULL && self->thread_rate > 0.0 && isfinite(self->thread_rate);
}

static gboolean
is_one_family(const DebyeClassroomRecord *record)
{
  const DebyeClassroomStep *steps = (const DebyeClassroomStep *)record->steps->data;
  for (guint i = 1; i < record->steps->len; i++)
    if (steps[i].kind != steps[0].kind)
      return FALSE;
  return TRUE;
}

DebyeClassroomRecord *
debye_kept_ladder_load(GVariant *saved)
{
  g_autofree char *subject = debye_json_get_text(saved, "subject");
  g_autoptr(DebyeClassroomRecord) record = debye_classroom_record_new(subject != NULL ? subject : "");
  if (subject == NULL || !load_all(record, saved, "devices", load_device) ||
      !load_all(record, saved, "steps", load_step) || !load_all(record, saved, "times", load_time) ||
      !load_dealings(record, saved) || !is_one_family(record) ||
      !debye_kept_counts_complete(record->counts, saved))
    return NULL;
  return g_steal_pointer(&record);
}

gboolean
debye_kept_steps_load(DebyeClassroomSteps *self, GVariant *saved, DebyeLadderKind kind)
{
  g_autoptr(GVariant) measured = debye_json_get(saved, "measured", G_VARIANT_TYPE_VARDICT),
                      list = debye_json_get(saved, "guesses", G_VARIANT_TYPE("av"));
  g_autoptr(DebyeClassroomRecord) record = measured != NULL ? debye_kept_ladder_load(measured) : NULL;
  const gsize n = list != NULL ? g_variant_n_children(list) : 0;
  /* One step alone waits to be revealed. */
  if (record == NULL || record->steps->len == 0 || list == NULL || n > record->steps->len ||
      record->steps->len > n + 1 || g_array_index(record->steps, DebyeClassroomStep, 0).kind != kind ||
      g_array_index(record->steps, DebyeClassroomStep, 0).id == NULL)
    return FALSE;
  g_autofree double *guesses = g_new(double, n + 1);
  if (!debye_json_get_numbers(saved, "guesses", guesses, n))
    return FALSE;
  for (gsize i = 0; i < n; i++)
    if (!(guesses[i] >= 0.0 && guesses[i] <= MAX_GUESS))
      return FALSE;
  debye_classroom_steps_restart(self);
  debye_classroom_steps_take(self, record);
  for (gsize i = 0; i < n; i++)
    debye_classroom_steps_reveal(self, guesses[i]);
  return TRUE;
}
