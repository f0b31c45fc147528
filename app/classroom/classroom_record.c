/* SPDX-License-Identifier: MIT */
/* What the classroom has measured so far (classroom.h); filled by its jobs, shown by window_classroom.c. */
#include "classroom_record.h"

#include <glib/gi18n.h>

G_DEFINE_FINAL_TYPE(DebyeClassroomRecord, debye_classroom_record, G_TYPE_OBJECT)

DebyeClassroomRecord *
debye_classroom_record_new(const char *subject)
{
  DebyeClassroomRecord *self = g_object_new(DEBYE_TYPE_CLASSROOM_RECORD, NULL);
  self->subject = g_strdup(subject);
  return self;
}

static void
append_all(GArray *to, const GArray *from)
{
  g_array_append_vals(to, from->data, from->len);
}

DebyeClassroomRecord *
debye_classroom_record_copy(DebyeClassroomRecord *self)
{
  DebyeClassroomRecord *copy = debye_classroom_record_new(self->subject);
  copy->verdict = g_strdup(self->verdict);
  copy->verdict_line = self->verdict_line;
  g_set_object(&copy->design, self->design);
  copy->design_kept = self->design_kept != NULL ? g_variant_ref(self->design_kept) : NULL;
  copy->is_found = self->is_found;
  append_all(copy->devices, self->devices);
  append_all(copy->steps, self->steps);
  append_all(copy->counts, self->counts);
  append_all(copy->times, self->times);
  append_all(copy->dealings, self->dealings);
  append_all(copy->slices, self->slices);
  copy->thread_rate = self->thread_rate;
  copy->is_threads = self->is_threads;
  copy->n_slices = self->n_slices;
  copy->choice = self->choice;
  append_all(copy->bins, self->bins);
  append_all(copy->bins_with, self->bins_with);
  copy->born = self->born;
  copy->batch = self->batch;
  copy->batch_gpu = self->batch_gpu;
  copy->batch_gpu_memory = self->batch_gpu_memory;
  copy->born_energy = self->born_energy;
  append_all(copy->within, self->within);
  append_all(copy->born_potential, self->born_potential);
  append_all(copy->born_energies, self->born_energies);
  for (guint i = 0; i < self->curves->len; i++)
    g_ptr_array_add(copy->curves, g_object_ref(g_ptr_array_index(self->curves, i)));
  for (guint i = 0; i < self->parts->len; i++)
    g_ptr_array_add(copy->parts, g_object_ref(g_ptr_array_index(self->parts, i)));
  for (guint i = 0; i < self->remarks->len; i++)
    g_ptr_array_add(copy->remarks, g_strdup(self->remarks->pdata[i]));
  return copy;
}

static gboolean
has_device(const DebyeClassroomRecord *self, const char *id)
{
  for (guint i = 0; i < self->devices->len; i++)
    if (g_str_equal(g_array_index(self->devices, DebyeClassroomDevice, i).id, id))
      return TRUE;
  return FALSE;
}

DebyeClassroomRecord *
debye_classroom_record_join(DebyeClassroomRecord *ladder, DebyeClassroomRecord *ours)
{
  if (ladder == NULL)
    return debye_classroom_record_copy(ours);
  DebyeClassroomRecord *both = debye_classroom_record_copy(ladder);
  for (guint i = 0; i < ours->devices->len; i++) {
    const DebyeClassroomDevice *device = &g_array_index(ours->devices, DebyeClassroomDevice, i);
    if (!has_device(both, device->id))
      g_array_append_vals(both->devices, device, 1);
  }
  append_all(both->steps, ours->steps);
  for (guint i = 0; i < ours->remarks->len; i++)
    g_ptr_array_add(both->remarks, g_strdup(ours->remarks->pdata[i]));
  return both;
}

char *
debye_classroom_record_name_device(DebyeClassroomRecord *self, const char *id)
{
  const char *name = id;
  guint n_alike = 0;
  for (guint i = 0; i < self->devices->len; i++) {
    const DebyeClassroomDevice *device = &g_array_index(self->devices, DebyeClassroomDevice, i);
    if (g_str_equal(device->id, id))
      name = device->name;
  }
  for (guint i = 0; i < self->devices->len; i++)
    n_alike += g_str_equal(g_array_index(self->devices, DebyeClassroomDevice, i).name, name);
  return n_alike > 1 ? g_strdup_printf("%s (%s)", name, id) : g_strdup(name);
}

/* Number: among those of its kind, from 1. */
static const DebyeLadderVariant *
find_variant(const DebyeLadderVariant *variants, gsize n, const char *id, guint *number)
{
  for (gsize i = 0; i < n; i++) {
    if (g_str_equal(variants[i].id, id) && !variants[i].is_legacy) {
      *number = 0;
      for (gsize k = 0; k <= i; k++)
        *number += variants[k].kind == variants[i].kind && !variants[k].is_legacy;
      return &variants[i];
    }
  }
  return NULL;
}

gboolean
debye_classroom_step_set_variant(DebyeClassroomStep *step, gboolean is_gpu, const char *id)
{
  guint number = 0;
  const DebyeLadderVariant *variant =
      is_gpu ? find_variant(debye_ladder_cuda_variants, DEBYE_LADDER_N_CUDA, id, &number)
             : find_variant(debye_ladder_cpu_variants, DEBYE_LADDER_N_CPU, id, &number);
  if (variant == NULL)
    return FALSE;
  step->id = variant->id;
  step->title = variant->title;
  step->lesson = variant->lesson;
  step->source = variant->source;
  step->lecture = variant->lecture;
  step->number = number;
  step->kind = variant->kind;
  step->is_race = variant->is_race;
  step->is_gpu = is_gpu;
  return TRUE;
}

void
debye_classroom_step_set_ours(DebyeClassroomStep *step, DebyeLadderKind kind, gboolean is_gpu,
                              const char *lesson)
{
  step->title = N_("Ours, of the class");
  step->lesson = g_intern_string(lesson);
  step->kind = kind;
  step->is_gpu = is_gpu;
}

double
debye_classroom_step_find_reciprocal_roof(const DebyeClassroomStep *step, const DebyeLadderLimits *limits,
                                          double operations)
{
  const gboolean has_roots = step->kind == DEBYE_LADDER_MAP || step->kind == DEBYE_LADDER_CUTOFF;
  return has_roots ? limits->reciprocal_roots * operations : 0.0;
}

gboolean
debye_classroom_record_add_result(DebyeClassroomRecord *self, const DebyeBenchLimits *limits,
                                  const DebyeBenchResult *result)
{
  const char *device = limits->device->info.id;
  DebyeClassroomStep step = {
      .device = g_intern_string(device),
      .rate = result->rate,
      .operations = result->operations,
      .share = result->share,
      .error = result->error,
      .intensity = result->intensity,
      .seconds = result->seconds,
      .whole = result->whole,
      .resources = result->resources,
      .first_launch = result->times.first_launch,
      .copy_in = result->times.copy_in,
      .copy_out = result->times.copy_out,
      .watts = result->power.watts,
      .clock = result->power.clock,
      .spread = result->fastest > 0.0 ? result->slowest / result->fastest - 1.0 : 0.0,
      .overflow = result->overflow,
      .kernel_seconds = result->kernel_seconds,
      .overflow_seconds = result->overflow_seconds,
  };
  if (!debye_classroom_step_set_variant(&step, !g_str_equal(device, DEBYE_BACKEND_CPU), result->variant))
    return FALSE;
  step.reciprocal_roof =
      debye_classroom_step_find_reciprocal_roof(&step, &limits->limits, result->operations / result->rate);
  g_array_append_val(self->steps, step);
  return TRUE;
}

static void
debye_classroom_record_finalize(GObject *object)
{
  DebyeClassroomRecord *self = DEBYE_CLASSROOM_RECORD(object);
  g_free(self->subject);
  g_clear_pointer(&self->design_kept, g_variant_unref);
  g_free(self->verdict);
  g_clear_object(&self->design);
  g_array_unref(self->devices);
  g_array_unref(self->steps);
  g_array_unref(self->counts);
  g_array_unref(self->times);
  g_array_unref(self->dealings);
  g_array_unref(self->slices);
  g_array_unref(self->bins);
  g_array_unref(self->bins_with);
  g_array_unref(self->within);
  g_array_unref(self->born_potential);
  g_array_unref(self->born_energies);
  g_ptr_array_unref(self->curves);
  g_ptr_array_unref(self->parts);
  g_ptr_array_unref(self->remarks);
  G_OBJECT_CLASS(debye_classroom_record_parent_class)->finalize(object);
}

static void
debye_classroom_record_class_init(DebyeClassroomRecordClass *class)
{
  G_OBJECT_CLASS(class)->finalize = debye_classroom_record_finalize;
}

static void
debye_classroom_record_init(DebyeClassroomRecord *self)
{
  self->devices = g_array_new(FALSE, TRUE, sizeof(DebyeClassroomDevice));
  self->steps = g_array_new(FALSE, TRUE, sizeof(DebyeClassroomStep));
  self->counts = g_array_new(FALSE, TRUE, sizeof(DebyeClassroomCount));
  self->times = g_array_new(FALSE, TRUE, sizeof(DebyeClassroomTime));
  self->dealings = g_array_new(FALSE, TRUE, sizeof(DebyeBenchDealRun));
  self->slices = g_array_new(FALSE, TRUE, sizeof(DebyeBenchDealSlice));
  self->bins = g_array_new(FALSE, TRUE, sizeof(DebyeClassroomBins));
  self->bins_with = g_array_new(FALSE, TRUE, sizeof(guint64));
  self->within = g_array_new(FALSE, TRUE, sizeof(DebyeClassroomPoint));
  self->born_potential = g_array_new(FALSE, TRUE, sizeof(DebyeClassroomPoint));
  self->born_energies = g_array_new(FALSE, TRUE, sizeof(DebyeClassroomPoint));
  self->curves = g_ptr_array_new_with_free_func(g_object_unref);
  self->parts = g_ptr_array_new_with_free_func(g_object_unref);
  self->remarks = g_ptr_array_new_with_free_func(g_free);
}

/* --- Curves --- */

DebyeCurve *
debye_classroom_record_new_curve(const char *name, const DebyeQuantity *x, const DebyeQuantity *y,
                                 DebyeCurveStyle style, const GArray *points, double unit)
{
  g_autofree double *xs = g_new(double, points->len + 1), *ys = g_new(double, points->len + 1);
  for (guint i = 0; i < points->len; i++) {
    xs[i] = g_array_index(points, DebyeClassroomPoint, i).x;
    ys[i] = g_array_index(points, DebyeClassroomPoint, i).y / unit;
  }
  return debye_curve_new(name, x, y, style, points->len, xs, ys, NULL);
}
