/* SPDX-License-Identifier: MIT */
/* Occupancy of voxels in some frames, on the first of the devices, for bench_case.c: with what brings frames to the device. */
#include "bench_case.h"

#include "app/analysis/driver/device_choice.h"
#include "bench_density.h"
#include "data/files/error.h"

typedef struct {
  const DebyeBenchCase *asked;
  DebyeBenchDensity *subject;
  uint32_t *counts;
  int64_t *sums;
  const DebyeDensityKernel *kernel;
  DebyeDensityFrame *frames;
  DebyeDensityView view;
  DebyeKernelPlan *plan;
} Counting;

static void
close_counting(gpointer opened)
{
  Counting *self = opened;
  if (self->plan != NULL)
    self->kernel->head.destroy(self->plan);
  g_clear_pointer(&self->subject, debye_bench_density_free);
  g_free(self->counts);
  g_free(self->sums);
  g_free(self->frames);
  g_free(self);
}

static DebyeStatusCode
plan(Counting *self, DebyeStatus *status)
{
  const DebyeDensitySettings settings = debye_ladder_density_settings(&self->subject->density);
  return self->kernel->head.create(self->asked->devices[0]->device, &settings, &self->plan, status);
}

static gpointer
open_counting(const DebyeBenchCase *asked, GError **error)
{
  Counting *self = g_new0(Counting, 1);
  DebyeStatus status = {0};
  self->asked = asked;
  self->kernel = asked->devices[0]->backend->density;
  self->subject = debye_bench_density_new(asked->sizes[DEBYE_BENCH_POINTS]);
  if (self->subject == NULL) {
    debye_error_set(error, DEBYE_ERROR_MEMORY, "bench: no memory for the map; choose fewer points");
    close_counting(self);
    return NULL;
  }
  const gsize n = debye_ladder_density_n_voxels(&self->subject->density);
  self->counts = g_new0(uint32_t, n);
  self->sums = g_new0(int64_t, n);
  self->frames = g_new0(DebyeDensityFrame, self->subject->density.n_frames);
  debye_ladder_density_set_frames(&self->subject->density, &self->view, self->frames);
  if (debye_device_check(plan(self, &status), &status, error))
    return self;
  close_counting(self);
  return NULL;
}

static gboolean
run_counting(gpointer opened, GError **error)
{
  Counting *self = opened;
  DebyeStatus status = {0};
  DebyeStatusCode code =
      self->kernel->set_frames(self->plan, self->frames, self->subject->density.n_frames, &status);
  if (code == DEBYE_STATUS_OK)
    code = self->kernel->execute(self->plan, self->asked->repeats.cancel, &status);
  if (code == DEBYE_STATUS_OK)
    code = self->kernel->fetch(self->plan, self->sums, &status);
  return debye_device_check(code, &status, error);
}

static gboolean
finish_counting(gpointer opened, DebyeBenchResult *result, GError **error G_GNUC_UNUSED)
{
  Counting *self = opened;
  for (gsize i = 0; i < debye_ladder_density_n_voxels(&self->subject->density); i++)
    self->counts[i] = (uint32_t)self->sums[i];
  result->evaluations = debye_bench_density_count(self->subject);
  result->error = debye_bench_density_find_error(self->subject, self->counts, TRUE);
  return TRUE;
}

const DebyeBenchFamily debye_bench_densities = {open_counting, run_counting, finish_counting, close_counting};
