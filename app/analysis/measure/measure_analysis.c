/* SPDX-License-Identifier: MIT */
/* Distances, angles and dihedrals over time: their analysis, listed in analysis_list.h. */
#include <math.h>
#include <string.h>

#include "app/analysis/driver/analysis.h"
#include "app/analysis/driver/frame_choice.h"
#include "app/analysis/driver/frame_run.h"
#include "data/files/error.h"
#include "data/messages/message.h"
#include "data/molecule/atom_name.h"
#include "data/molecule/topology.h"
#include "measure_settings.h"

/* --- Names --- */

static gboolean
has_several_chains(DebyeTopology *topology)
{
  const DebyeResidue *table = debye_topology_get_residue_table(topology);
  for (gsize i = 1; i < debye_topology_get_n_residues(topology); i++)
    if (table[i].chain != table[0].chain)
      return TRUE;
  return FALSE;
}

static void
append_atom(GString *text, DebyeTopology *topology, guint32 atom, gboolean with_chain, gboolean with_index)
{
  const DebyeResidue *residue =
      &debye_topology_get_residue_table(topology)[debye_topology_get_residues(topology)[atom]];
  const DebyeStringPool *pool = debye_topology_get_string_pool(topology);
  const char *chain = debye_string_pool_get(pool, residue->chain);
  const char *residue_name = debye_string_pool_get(pool, residue->name);
  g_autofree char *name = debye_atom_name(topology, atom);
  if (with_chain && chain != NULL && *chain != '\0')
    g_string_append_printf(text, "%s:", chain);
  g_string_append(text, name);
  if (with_index || residue_name == NULL || *residue_name == '\0')
    g_string_append_printf(text, "#%u", atom);
}

static char *
name_measurement(DebyeTopology *topology, const DebyeMeasurement *measurement, gboolean with_indices)
{
  GString *text = g_string_new(NULL);
  gboolean with_chain = has_several_chains(topology);
  for (gsize i = 0; i < measurement->n_atoms; i++) {
    g_string_append(text, i > 0 ? " - " : "");
    append_atom(text, topology, measurement->atoms[i], with_chain, with_indices);
  }
  return g_string_free(text, FALSE);
}

static gboolean
has_twin(char **names, gsize n_names, gsize index)
{
  for (gsize i = 0; i < n_names; i++)
    if (i != index && strcmp(names[i], names[index]) == 0)
      return TRUE;
  return FALSE;
}

/* "GLY12 CA - ASP34 OD1", with the chain before the residue where there are several, "A:GLY12 CA". Atoms
 * without a residue, and those of measurements that others are called like, have their indices: "C#3", "SOL1
 * OW#3 - SOL1 OW#6". `measurements` are DebyeMeasurement. */
static char **
name_measurements(DebyeTopology *topology, const GArray *measurements)
{
  g_auto(GStrv) plain = g_new0(char *, measurements->len + 1);
  char **names = g_new0(char *, measurements->len + 1);
  for (guint i = 0; i < measurements->len; i++)
    plain[i] = name_measurement(topology, &g_array_index(measurements, DebyeMeasurement, i), FALSE);
  for (guint i = 0; i < measurements->len; i++)
    names[i] = name_measurement(topology, &g_array_index(measurements, DebyeMeasurement, i),
                                has_twin(plain, measurements->len, i));
  return names;
}

static const DebyeQuantity time_quantity = {"time", "t", "ps"}, frame_quantity = {"frame", "frame", NULL};

/* By the number of atoms. */
static const DebyeQuantity quantities[] = {
    [2] = {"distance", "d", "Å"}, [3] = {"angle", "θ", "°"}, [4] = {"dihedral", "φ", "°"}};

typedef struct {
  DebyeMeasureSettings settings;
  DebyeFrameChoice frames;
  GArray *measurements; /* DebyeMeasurement */
} Plan;

/* Each frame has its place, whichever process measures it. */
typedef struct {
  const Plan *plan;
  const DebyeRunInput *input;
  gsize n_frames;
  double *memory;          /* of the arrays: 0 where a frame wasn't measured */
  double *times, *numbers; /* of each frame */
  double *values;          /* [measurement·n_frames + frame] */
  guint64 *is_measured;
} Run;

static void
run_clear(Run *run)
{
  g_clear_pointer(&run->memory, g_free);
  g_clear_pointer(&run->is_measured, g_free);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Run, run_clear)

/* --- Planning --- */

static gboolean
plan_measurements(gpointer own, DebyePlan *of, GError **error)
{
  Plan *plan = own;
  debye_request_fill(of->request, &plan->settings);
  of->key = "atoms";
  plan->measurements = debye_measure_parse(
      plan->settings.atoms, debye_topology_get_n_atoms(debye_dataset_get_topology(of->dataset)), error);
  return plan->measurements != NULL &&
         debye_frame_choice_init(&plan->frames, of->dataset, plan->settings.frames, &of->key, error);
}

static void
clear(gpointer own)
{
  Plan *plan = own;
  debye_frame_choice_clear(&plan->frames);
  g_clear_pointer(&plan->measurements, g_array_unref);
}

static gboolean
estimate(gpointer own, const DebyePlan *of G_GNUC_UNUSED, const DebyeRegistry *registry G_GNUC_UNUSED,
         DebyeEstimate *result, GError **error G_GNUC_UNUSED)
{
  const Plan *plan = own;
  result->seconds = DEBYE_READ_SECONDS * (double)plan->frames.n_frames * (double)plan->frames.first->n_atoms;
  result->is_of_runs = TRUE;
  result->host_bytes = plan->frames.n_frames * (plan->measurements->len + 3) * sizeof(double);
  result->devices = g_strdup(N_("1 core"));
  return TRUE;
}

/* --- Running --- */

/* Atoms that stand nowhere are gaps in the curve, and the frame's other atoms don't matter. */
static gboolean
any_frame(const DebyeFrame *frame G_GNUC_UNUSED, gpointer own G_GNUC_UNUSED)
{
  return TRUE;
}

static void
measure_frame(Run *run, const DebyeFrame *frame)
{
  const gsize place = debye_frame_choice_get_place(&run->plan->frames, frame);
  DebyePeriodic periodic;
  debye_periodic_init_for_frame(&periodic, frame);
  run->is_measured[place] = 1;
  run->times[place] = frame->time;
  run->numbers[place] = (double)frame->index;
  for (guint i = 0; i < run->plan->measurements->len; i++) {
    const DebyeMeasurement *measurement = &g_array_index(run->plan->measurements, DebyeMeasurement, i);
    run->values[i * run->n_frames + place] =
        debye_measure(&periodic, frame, measurement->atoms, measurement->n_atoms);
  }
}

static gboolean
measure_batch(DebyeFrameRun *frames, gpointer own, GError **error G_GNUC_UNUSED)
{
  for (guint i = 0; i < frames->batch->len; i++, frames->n_done++)
    measure_frame(own, g_ptr_array_index(frames->batch, i));
  debye_frame_run_report(frames, (double)frames->n_done);
  return TRUE;
}

static void
list_state(gpointer own, DebyeFrameState *state)
{
  Run *run = own;
  debye_frame_state_add_counts(state, "measured", DEBYE_STATE_SUM, run->is_measured, run->n_frames);
  debye_frame_state_add(state, "times", DEBYE_STATE_SUM, run->times, run->n_frames);
  debye_frame_state_add(state, "numbers", DEBYE_STATE_SUM, run->numbers, run->n_frames);
  debye_frame_state_add(state, "values", DEBYE_STATE_SUM, run->values,
                        run->plan->measurements->len * run->n_frames);
}

/* Over time where every frame has one, else over the frames' numbers. */
static gboolean
has_times(const Run *run)
{
  for (gsize i = 0; i < run->n_frames; i++)
    if (run->is_measured[i] && !isfinite(run->times[i]))
      return FALSE;
  return TRUE;
}

/* Those of the frames that were measured. */
static GArray *
collect(const Run *run, const double *values)
{
  GArray *found = g_array_new(FALSE, FALSE, sizeof *values);
  for (gsize i = 0; i < run->n_frames; i++)
    if (run->is_measured[i])
      g_array_append_val(found, values[i]);
  return found;
}

static void
add_curve(const Run *run, guint index, const char *name, DebyeResult *result)
{
  const DebyeMeasurement *measurement = &g_array_index(run->plan->measurements, DebyeMeasurement, index);
  const gboolean in_time = has_times(run);
  g_autoptr(GArray) over = collect(run, in_time ? run->times : run->numbers);
  g_autoptr(GArray) values = collect(run, run->values + index * run->n_frames);
  g_autoptr(DebyeCurve) curve =
      debye_curve_new(name, in_time ? &time_quantity : &frame_quantity, &quantities[measurement->n_atoms],
                      DEBYE_CURVE_LINE, values->len, (const double *)(gconstpointer)over->data,
                      (const double *)(gconstpointer)values->data, NULL);
  debye_result_add_curve(result, curve);
}

static guint
count_alike(const Run *run, gsize n_atoms)
{
  guint n = 0;
  for (guint i = 0; i < run->plan->measurements->len; i++)
    n += g_array_index(run->plan->measurements, DebyeMeasurement, i).n_atoms == n_atoms;
  return n;
}

/* A curve that is alone in its plot has no legend: the caption says what it is of. */
static void
add_note(const Run *run, guint index, const char *name, DebyeResult *result)
{
  gsize n_atoms = g_array_index(run->plan->measurements, DebyeMeasurement, index).n_atoms;
  g_autoptr(GString) said = g_string_new(name);
  g_string_replace(said, " - ", " – ", 0);
  if (count_alike(run, n_atoms) == 1)
    debye_result_add_note_of(result, DEBYE_NOTE_CAPTION, quantities[n_atoms].label, "%s: %s",
                             quantities[n_atoms].label, said->str);
}

static DebyeResult *
make_result(DebyeFrameRun *frames, gpointer own)
{
  const Run *run = own;
  if (frames->n_done == 0)
    return NULL;
  DebyeResult *result = debye_result_new(run->input->request, debye_measure_settings.title);
  g_auto(GStrv) names =
      name_measurements(debye_dataset_get_topology(run->input->dataset), run->plan->measurements);
  for (guint i = 0; i < run->plan->measurements->len; i++)
    add_curve(run, i, names[i], result);
  for (guint i = 0; i < run->plan->measurements->len; i++)
    add_note(run, i, names[i], result);
  return result;
}

static const DebyeFrameRunClass frames_class = {
    .usable = any_frame,
    .compute = measure_batch,
    .list_state = list_state,
    .make_result = make_result,
};

static gboolean
prepare(Run *run, GError **error)
{
  const gsize n = run->n_frames = run->plan->frames.n_frames;
  run->memory = g_try_new0(double, (run->plan->measurements->len + 2) * n);
  run->is_measured = g_try_new0(guint64, n);
  if (run->memory == NULL || run->is_measured == NULL)
    return debye_error_set_memory(error, NULL, n, "frames that are measured");
  run->times = run->memory;
  run->numbers = run->times + n;
  run->values = run->numbers + n;
  return TRUE;
}

static DebyeResult *
run_measure(gpointer own, const DebyeRunInput *input, GError **error)
{
  const Plan *plan = own;
  g_auto(Run) run = {.plan = plan, .input = input};
  g_auto(DebyeFrameRun) frames = {.class = &frames_class,
                                  .own = &run,
                                  .input = input,
                                  .frames = &plan->frames,
                                  .job = &plan->settings.job,
                                  .max_batch = 1};
  return prepare(&run, error) ? debye_frame_run_execute(&frames, error) : NULL;
}

static const char *const examples[] = {
    "debye-cli measure --atoms 12,250 -o distance.csv protein.psf run.dcd",
    "debye-cli measure --atoms '4,6,8,14; 6,8,14,16' -o angles.svg dipeptide.pdb run.xtc",
    NULL,
};

static const DebyeAnalysisCommand command = {
    .summary = "Measures distances, angles and dihedrals over time",
    .description = "Two atoms give their distance in Å, three the angle at the second, four the dihedral "
                   "about the middle pair: −180° to 180°, 0 for cis (IUPAC). In a periodic cell each atom is "
                   "taken at its image nearest to the atom before it.\n\nWrites .h5 (everything, with how it "
                   "was made: see rerun) and .csv, and plots as .svg, .pdf and .png.",
    .examples = examples,
    .makes_curves = TRUE,
    .can_share = TRUE,
};

const DebyeAnalysis debye_analysis_measure = {
    .table = &debye_measure_settings,
    .command = &command,
    .plan_size = sizeof(Plan),
    .plan = plan_measurements,
    .plan_clear = clear,
    .estimate = estimate,
    .run = run_measure,
};
