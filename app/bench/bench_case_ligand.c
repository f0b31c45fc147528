/* SPDX-License-Identifier: MIT */
/* Ligand sampling of one frame, on the first of the devices, for bench_case.c. */
#include "bench_case.h"

#include "app/analysis/driver/device_choice.h"
#include "bench_ligand.h"

typedef struct {
  const DebyeBenchCase *asked;
  DebyeBenchLigand *subject;
  const DebyeLigandKernel *kernel;
  DebyeKernelPlan *plan;
  float *means;
} Sampling;

static void
close_sampling(gpointer opened)
{
  Sampling *self = opened;
  if (self->plan != NULL)
    self->kernel->head.destroy(self->plan);
  debye_bench_ligand_free(self->subject);
  g_free(self->means);
  g_free(self);
}

static DebyeStatusCode
plan(Sampling *self, DebyeStatus *status)
{
  const DebyeStatusCode code = self->kernel->head.create(self->asked->devices[0]->device,
                                                         &self->subject->settings, &self->plan, status);
  return code == DEBYE_STATUS_OK ? self->kernel->set_frame(self->plan, &self->subject->frame, status) : code;
}

static gpointer
open_sampling(const DebyeBenchCase *asked, GError **error)
{
  Sampling *self = g_new0(Sampling, 1);
  DebyeStatus status = {0};
  self->asked = asked;
  self->kernel = asked->devices[0]->backend->ligand;
  self->subject = debye_bench_ligand_new(asked->sizes[DEBYE_BENCH_POINTS]);
  self->means = g_new0(float, debye_grid_n_points(&self->subject->settings.grid));
  if (debye_device_check(plan(self, &status), &status, error))
    return self;
  close_sampling(self);
  return NULL;
}

static gboolean
run_sampling(gpointer opened, GError **error)
{
  Sampling *self = opened;
  DebyeStatus status = {0};
  return debye_device_check(self->kernel->execute(self->plan, 0,
                                                  debye_ligand_n_tiles(&self->subject->settings, 2),
                                                  self->means, self->asked->repeats.cancel, &status),
                            &status, error);
}

static gboolean
finish_sampling(gpointer opened, DebyeBenchResult *result, GError **error G_GNUC_UNUSED)
{
  const Sampling *self = opened;
  result->evaluations = debye_bench_ligand_count(self->subject, &self->subject->settings.grid);
  result->error = debye_bench_ligand_find_error(self->subject, &self->subject->settings.grid, self->means);
  return TRUE;
}

const DebyeBenchFamily debye_bench_ligands = {open_sampling, run_sampling, finish_sampling, close_sampling};
