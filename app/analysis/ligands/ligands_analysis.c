/* SPDX-License-Identifier: MIT */
/* Implicit ligand sampling as an analysis, listed in analysis_list.h: its plan, estimate and run. */
#include <math.h>

#include "app/analysis/density/density_statistic.h"
#include "app/analysis/driver/analysis.h"
#include "app/analysis/driver/device_choice.h"
#include "app/analysis/driver/frame_run.h"
#include "data/files/error.h"
#include "data/molecule/periodic.h"
#include "kernels/ligand/ligand_lanes.h"
#include "ligands_plan.h"
#include "ligands_result.h"

/* Frames of a batch for each device: each takes a while, and Stop keeps whole ones. */
#define FRAMES_AT_ONCE 2

typedef struct {
  const DebyeRunInput *input;
  DebyeLigandsPlan *plan;
  DebyeFrameEdit *edit; /* NULL: frames stay where they are */
  DebyeSharing *sharing;
  DebyeLaneTotals lanes;
  DebyeDensityStatistic statistic;
  gsize max_batch;
  float *places;  /* x, y, z of the atoms, frame by frame */
  float *charges; /* of the atoms; NULL: they don't count */
  float *means;
  double *values; /* of one frame */
  DebyeLigandFrame *frames;
} LigandsRun;

static void
ligands_run_clear(LigandsRun *run)
{
  g_clear_pointer(&run->edit, debye_frame_edit_free);
  g_clear_pointer(&run->sharing, debye_sharing_free);
  debye_density_statistic_clear(&run->statistic);
  g_free(run->places);
  g_free(run->charges);
  g_free(run->means);
  g_free(run->values);
  g_free(run->frames);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(LigandsRun, ligands_run_clear)

static gboolean
is_usable(const DebyeFrame *frame, gpointer own)
{
  const GArray *atoms = ((const LigandsRun *)own)->plan->atoms;
  for (guint i = 0; i < atoms->len; i++)
    if (!debye_vec3_is_finite(debye_frame_get_position(frame, g_array_index(atoms, guint32, i))))
      return FALSE;
  return TRUE;
}

static DebyeFrame *
take(DebyeFrameRun *frames G_GNUC_UNUSED, const DebyeFrame *frame, gpointer own, GError **error)
{
  LigandsRun *run = own;
  if (run->plan->is_periodic && !(frame->has_cell && debye_cell_is_valid(&frame->cell))) {
    debye_error_set_about(error, DEBYE_ERROR_MISSING, "Frames",
                          "frame %" G_GSIZE_FORMAT " has no cell with a volume, frame %" G_GSIZE_FORMAT
                          " has one: expected one in every frame",
                          frame->index, run->plan->frames.first->index);
    return NULL;
  }
  if (run->edit == NULL)
    return debye_frame_ref((DebyeFrame *)frame);
  g_autoptr(DebyeFrame) moved = debye_frame_copy(frame);
  if (moved == NULL) {
    debye_error_set_memory(error, NULL, frame->n_atoms, "atoms of one more frame");
    return NULL;
  }
  return debye_frame_edit_apply(run->edit, moved, error) ? g_steal_pointer(&moved) : NULL;
}

static void
set_frame(LigandsRun *run, const DebyeFrame *frame, gsize number)
{
  const GArray *atoms = run->plan->atoms;
  float *x = run->places + 3 * number * atoms->len, *y = x + atoms->len, *z = y + atoms->len;
  for (guint i = 0; i < atoms->len; i++) {
    const guint32 atom = g_array_index(atoms, guint32, i);
    x[i] = frame->x[atom];
    y[i] = frame->y[atom];
    z[i] = frame->z[atom];
  }
  run->frames[number] = (DebyeLigandFrame){.x = x,
                                           .y = y,
                                           .z = z,
                                           .n = atoms->len,
                                           .types = (const uint32_t *)run->plan->types->data,
                                           .charges = run->charges,
                                           .cell = run->plan->is_periodic ? &frame->cell : NULL};
}

static gboolean
compute(DebyeFrameRun *frames, gpointer own, GError **error)
{
  LigandsRun *run = own;
  const guint n = frames->batch->len;
  const gsize n_voxels = run->statistic.n;
  const DebyeLaneReport *reports = NULL;
  DebyeStatus status = {0};
  for (guint i = 0; i < n; i++)
    set_frame(run, g_ptr_array_index(frames->batch, i), i);
  const DebyeStatusCode code =
      debye_ligand_lanes_execute(run->sharing, run->frames, n, run->means, debye_frame_run_get_cancel(frames),
                                 debye_frame_run_report_batch, frames, &status);
  const gsize n_reports = debye_sharing_get_reports(run->sharing, &reports);
  debye_lane_totals_add(&run->lanes, reports, n_reports);
  if (code != DEBYE_STATUS_OK && code != DEBYE_STATUS_CANCELLED)
    debye_device_set_error(error, &status);
  if (code != DEBYE_STATUS_OK)
    return FALSE;
  for (guint i = 0; i < n; i++) {
    for (gsize k = 0; k < n_voxels; k++)
      run->values[k] = (double)run->means[i * n_voxels + k];
    debye_density_statistic_add(&run->statistic, run->values, 1);
  }
  frames->n_done += n;
  return TRUE;
}

static void
reach(gpointer own, gsize place)
{
  debye_density_statistic_reach(&((LigandsRun *)own)->statistic, place);
}

static void
list_state(gpointer own, DebyeFrameState *state)
{
  debye_density_statistic_list_state(&((LigandsRun *)own)->statistic, state);
}

static DebyeResult *
make_result(DebyeFrameRun *frames, gpointer own)
{
  LigandsRun *run = own;
  if (frames->n_done == 0)
    return NULL;
  DebyeResult *result = debye_ligands_result_new(run->input, run->plan, &run->statistic);
  debye_frame_run_add_left_out_note(frames, result);
  debye_lane_totals_add_notes(&run->lanes, run->input->registry, "layers of voxels", result);
  return result;
}

static const DebyeFrameRunClass frames_class = {
    .usable = is_usable,
    .take = take,
    .compute = compute,
    .reach = reach,
    .list_state = list_state,
    .make_result = make_result,
};

static gboolean
set_memory_error(GError **error)
{
  return debye_error_set_about(error, DEBYE_ERROR_MEMORY, "Grid spacing", "no memory for so many voxels");
}

static gboolean
prepare_arrays(LigandsRun *run, gsize n_devices, GError **error)
{
  const DebyeLigandsPlan *plan = run->plan;
  const gsize n = debye_grid_n_points(&plan->kernel.grid), n_atoms = plan->atoms->len;
  run->max_batch = CLAMP(FRAMES_AT_ONCE * n_devices, 1, MAX(plan->frames.n_frames, 1));
  run->places = g_try_new(float, 3 * run->max_batch * n_atoms);
  run->means = g_try_new(float, run->max_batch *n);
  run->values = g_try_new(double, n);
  run->frames = g_new0(DebyeLigandFrame, run->max_batch);
  if (run->places == NULL || run->means == NULL || run->values == NULL ||
      !debye_density_statistic_init(&run->statistic, n, plan->blocks))
    return set_memory_error(error);
  if (plan->kernel.charges == NULL)
    return TRUE;
  const float *charges = debye_topology_get_charges(plan->topology);
  run->charges = g_new(float, n_atoms);
  for (gsize i = 0; i < n_atoms; i++)
    run->charges[i] = charges[g_array_index(plan->atoms, guint32, i)];
  return TRUE;
}

static gboolean
prepare(LigandsRun *run, GError **error)
{
  const DebyeLigandsPlan *plan = run->plan;
  const DebyeDeviceEntry *devices[DEBYE_MAX_DEVICES];
  const DebyeLigandLanesSettings settings = {.ligand = plan->kernel, .memory_limit = plan->memory_limit};
  DebyeStatus status = {0};
  const gsize n_devices = debye_device_choose(run->input->registry, &plan->options.lanes, devices, error);
  if (n_devices == 0)
    return FALSE;
  if (debye_ligand_lanes_create(&settings, devices, n_devices, &run->sharing, &status) != DEBYE_STATUS_OK)
    return debye_device_set_error(error, &status);
  if (plan->superpose.selection != NULL) {
    run->edit = debye_ligands_plan_new_edit(plan, error);
    if (run->edit == NULL)
      return FALSE;
  }
  return prepare_arrays(run, n_devices, error);
}

static DebyeResult *
run_ligands(gpointer own, const DebyeRunInput *input, GError **error)
{
  DebyeLigandsPlan *plan = own;
  g_auto(LigandsRun) run = {.input = input, .plan = plan};
  g_auto(DebyeFrameRun) frames = {.class = &frames_class,
                                  .own = &run,
                                  .input = input,
                                  .frames = &plan->frames,
                                  .blocks = plan->blocks,
                                  .lanes = &run.lanes,
                                  .job = &plan->options.job,
                                  .first_batch = 1,
                                  .start = g_get_monotonic_time()};
  if (!prepare(&run, error))
    return NULL;
  frames.max_batch = run.max_batch;
  DebyeResult *result = debye_frame_run_execute(&frames, error);
  if (result != NULL)
    debye_ligands_result_add_cavities(result, plan);
  return result;
}

/* --- As an analysis --- */

static gboolean
plan_ligands(gpointer own, DebyePlan *plan, GError **error)
{
  return debye_ligands_plan_init(own, plan->dataset, plan->request, &plan->key, error);
}

static gboolean
estimate(gpointer own, const DebyePlan *of G_GNUC_UNUSED, const DebyeRegistry *registry,
         DebyeEstimate *result, GError **error)
{
  const DebyeLigandsPlan *plan = own;
  const DebyeDeviceEntry *devices[DEBYE_MAX_DEVICES];
  DebyeDeviceEntry processor;
  const gsize n_devices = debye_device_find(registry, &plan->options.lanes, &processor, devices, error);
  double speed = 0.0;
  if (n_devices == 0)
    return FALSE;
  for (gsize i = 0; i < n_devices; i++)
    speed += devices[i]->info.score / DEBYE_LIGAND_SAMPLE_COST;
  const double samples = pow((double)plan->kernel.subsamples, 3.0) * (double)plan->kernel.n_orientations;
  const double voxels = (double)debye_grid_n_points(&plan->kernel.grid);
  result->seconds = speed > 0.0 ? samples * voxels * (double)plan->frames.n_frames / speed : INFINITY;
  result->is_of_runs = TRUE; /* the cost of a sample is that of whole runs */
  result->host_bytes = plan->host_bytes;
  debye_device_choice_describe(devices, n_devices, result);
  return TRUE;
}

static const char *const examples[] = {
    "debye-cli ligands --force-field table -o xenon.dx system.psf run.xtc",
    "debye-cli ligands --ligand o2 --parameters par_all36_prot.prm --parameters toppar_water_ions.str -o "
    "oxygen.h5 system.psf run.xtc",
    "debye-cli ligands --ligand co2 --charges file -o co2.h5 system.prmtop run.nc",
    NULL,
};

static const DebyeAnalysisCommand command = {
    .summary = "Maps the free energy of a gas or small ligand",
    .description =
        "Puts a small rigid ligand into each voxel of a grid, at several points and in several orientations, "
        "and averages exp(-E/kT) over them and over all frames (implicit ligand sampling). The map is the "
        "free energy of moving the ligand there from vacuum. The files must have been simulated without the "
        "ligand. Blocks of successive frames give the standard error.\n\nWrites .h5 (everything, with how it "
        "was made: see rerun), .dx, .cube, .ccp4 and .csv. With --cavities also tables of the cavities with "
        "their barriers to bulk (which .csv has then) and of the paths, and maps to draw these.",
    .examples = examples,
    .can_share = TRUE,
};

const DebyeAnalysis debye_analysis_ligands = {
    .table = &debye_ligands_settings,
    .command = &command,
    .plan_size = sizeof(DebyeLigandsPlan),
    .plan = plan_ligands,
    .plan_clear = debye_ligands_plan_clear,
    .estimate = estimate,
    .run = run_ligands,
};
