/* SPDX-License-Identifier: MIT */
/* debye-cli info: describes what files contain; listed by command_list.c. */

#include "app/analysis/driver/common_settings.h"
#include "app/analysis/orbital/orbital_browser.h"
#include "cli_work.h"
#include "arguments.h"
#include "data/molecule/bonds.h"
#include "data/formats/quantum/quantum_files.h"
#include "data/trajectory/frame_stream.h"
#include "data/trajectory/kept_frames.h"
#include "data/selection/selection.h"
#include "info_report.h"
#include "interrupt.h"
#include "app/document/session.h"

#define N_FIRST 4   /* what a written-out beginning shows */
#define N_SPREAD 12 /* two pieces that were joined have other steps */

/* A part of the step, and what single precision leaves of the time. */
#define UNEVEN 1e-3
#define ROUNDED 2.5e-7

typedef struct {
  const char *select;
  gboolean check;
} Settings;

static const DebyeSetting settings[] = {
    DEBYE_SETTING_SELECT_ENTRY(Settings, "atoms to report"),
    DEBYE_SETTING_ELEMENT_ENTRY,
    DEBYE_SETTING_ALTLOC_ENTRY_FROM("all"),
    DEBYE_SETTING_CELL_ENTRY,
    DEBYE_SETTING_LENGTH_UNIT_ENTRY,
    {.key = "check",
     DEBYE_SETTING_MEMBER(Settings, check),
     .label = "Check",
     .kind = DEBYE_SETTING_BOOLEAN,
     .initial = "false",
     .help = "read every frame and report those with invalid coordinates; otherwise frames are read for at "
             "most one second"},
};

static const DebyeSettingTable table = {
    .id = "info",
    .title = "Information",
    .question = "What do the files hold?",
    .settings = settings,
    .n_settings = G_N_ELEMENTS(settings),
};

/* Bonds of larger systems are looked for with --check only: they would take most of the time. */
#define BONDS_AT_ONCE 1000000

/* Without --check frames are read for so long, in µs, and given up once it is seen that they take longer. */
#define CHECK_BUDGET G_USEC_PER_SEC
#define CHECK_TRIAL (G_USEC_PER_SEC / 5)

static void
info_clear(DebyeInfo *info)
{
  g_clear_object(&info->topology);
  g_clear_pointer(&info->vibrations, debye_vibrations_unref);
  g_strfreev(info->warnings);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(DebyeInfo, info_clear)

static gboolean
choose_atoms(DebyeInfo *info, const char *text, const DebyeFrame *frame, GError **error)
{
  DebyeTopology *whole = debye_dataset_get_topology(info->dataset);
  g_autoptr(DebyeSelection) selection = debye_selection_parse(text, NULL, error);
  if (selection == NULL)
    return FALSE;
  g_autoptr(GArray) atoms = debye_selection_evaluate(selection, whole, frame, error);
  if (atoms == NULL)
    return FALSE;
  if (atoms->len == debye_topology_get_n_atoms(whole))
    info->topology = g_object_ref(whole);
  else
    info->topology = debye_topology_subset(whole, (const guint32 *)atoms->data, atoms->len);
  return TRUE;
}

static void
count_elements(DebyeInfo *info)
{
  const guint8 *elements = debye_topology_get_elements(info->topology);
  const guint8 *sources = debye_topology_get_element_sources(info->topology);
  for (gsize i = 0; i < debye_topology_get_n_atoms(info->topology); i++) {
    info->counts[elements[i]]++;
    info->sources[sources[i]]++;
  }
}

/* Of the whole system: what is chosen may end within a molecule. */
static void
find_bonds(DebyeInfo *info, const DebyeFrame *frame, gboolean is_asked)
{
  DebyeTopology *topology = debye_dataset_get_topology(info->dataset);
  gsize n_listed;
  debye_topology_get_bonds(topology, &n_listed);
  info->has_bonds =
      frame != NULL && (is_asked || n_listed > 0 || debye_topology_get_n_atoms(topology) <= BONDS_AT_ONCE);
  if (!info->has_bonds)
    return;
  g_autoptr(DebyeTopology) bonded = debye_topology_with_found_bonds(topology, frame, &info->bonds);
}

/* Whether a frame stands where the others' step puts it. */
static gboolean
is_in_step(const DebyeInfo *info, const DebyeFrame *frame)
{
  const double expected = info->first + (double)frame->index * info->step;
  return !(fabs(frame->time - expected) > UNEVEN * fabs(info->step) + ROUNDED * fabs(expected));
}

static void
note_frame(DebyeInfo *info, const DebyeFrame *frame)
{
  DebyeInfoCheck *check = &info->check;
  /* Atoms that aren't in a frame need no coordinates there. */
  const gsize n_bad = frame->n_bad - MIN(frame->n_bad, 3 * frame->n_absent);
  check->n_checked++;
  check->has_uneven_times |= info->has_times && !is_in_step(info, frame);
  if (n_bad == 0)
    return;
  check->n_bad += n_bad;
  if (check->n_bad_frames++ > 0)
    return;
  check->first_frame = frame->index;
  check->first_atom = frame->first_bad_atom;
}

/* Whether the frames that were read in so many µs let expect all of them in time. */
static gboolean
is_in_budget(const DebyeInfo *info, gint64 elapsed)
{
  double expected = (double)elapsed * (double)info->n_frames / (double)info->check.n_checked;
  return elapsed < CHECK_BUDGET && (elapsed < CHECK_TRIAL || expected < (double)CHECK_BUDGET);
}

/* All frames, or what there is time for. FALSE with the error of a frame that can't be read. */
static gboolean
read_frames(DebyeInfo *info, DebyeArguments *arguments, gboolean all, GError **error)
{
  const DebyeFrameRange range = {.first = 0, .last = info->n_frames - 1, .step = 1};
  const gint64 start = g_get_monotonic_time();
  g_autoptr(DebyeFrameStream) stream = debye_frame_stream_new(info->trajectory, range, 0, 0);
  g_autoptr(GError) problem = NULL;
  DebyeCliProgress progress;
  debye_cli_progress_init(&progress, arguments, "checking");
  const DebyeStage before = debye_stages_enter(debye_arguments_get_stages(arguments), DEBYE_STAGE_READ);
  while (!debye_interrupt_came()) {
    g_autoptr(DebyeFrame) frame = debye_frame_stream_next(stream, &problem);
    if (frame == NULL)
      break;
    note_frame(info, frame);
    debye_cli_progress_update((double)info->check.n_checked / (double)info->n_frames, NULL, &progress);
    if (!all && !is_in_budget(info, g_get_monotonic_time() - start))
      break;
  }
  debye_cli_progress_end(&progress);
  debye_stages_enter(debye_arguments_get_stages(arguments), before);
  if (problem == NULL)
    return TRUE;
  g_propagate_error(error, g_steal_pointer(&problem));
  return FALSE;
}

/* Of the first frame the dataset has warned. */
static char *
describe_bad_frames(const DebyeInfoCheck *check)
{
  if (check->n_bad_frames == 0 || (check->n_bad_frames == 1 && check->first_frame == 0))
    return NULL;
  return g_strdup_printf("%" G_GSIZE_FORMAT " coordinates are not numbers, in %" G_GSIZE_FORMAT
                         " frames; the first is atom %" G_GSIZE_FORMAT " of frame %" G_GSIZE_FORMAT,
                         check->n_bad, check->n_bad_frames, check->first_atom, check->first_frame);
}

/* Modes that can't be read are a warning: the structure can. */
static void
find_vibrations(DebyeInfo *info, GStrvBuilder *found)
{
  g_autoptr(GError) problem = NULL;
  const gsize n_atoms = debye_topology_get_n_atoms(debye_dataset_get_topology(info->dataset));
  if (!debye_orbital_browser_is_likely(info->dataset))
    return;
  info->vibrations = debye_vibrations_find(debye_dataset_get_paths(info->dataset), n_atoms, &problem);
  if (problem != NULL)
    g_strv_builder_add(found, problem->message);
}

/* A frame that can't be read is an error where all are asked for, and else a warning. */
static gboolean
check_frames(DebyeInfo *info, DebyeArguments *arguments, gboolean is_asked, GError **error)
{
  g_autoptr(GStrvBuilder) all = g_strv_builder_new();
  g_autoptr(GStrvBuilder) found = g_strv_builder_new();
  g_autoptr(GError) problem = NULL;
  DebyeInfoCheck *check = &info->check;
  if (info->n_frames > (is_asked ? 0 : 1) && !read_frames(info, arguments, is_asked, &problem) && is_asked) {
    g_propagate_error(error, g_steal_pointer(&problem));
    return FALSE;
  }
  gboolean is_whole = check->n_checked == info->n_frames || info->n_frames == 1;
  check->is_told = is_asked ? info->n_frames > 0 : check->n_bad_frames > 0 || !is_whole;
  g_autofree char *bad = describe_bad_frames(check);
  if (bad != NULL)
    g_strv_builder_add(found, bad);
  if (problem != NULL)
    g_strv_builder_add(found, problem->message);
  find_vibrations(info, found);
  g_auto(GStrv) own = g_strv_builder_end(found);
  g_strv_builder_addv(all, (const char **)debye_dataset_get_warnings(info->dataset));
  g_strv_builder_addv(all, (const char **)own);
  info->warnings = g_strv_builder_end(all);
  return debye_cli_warn(arguments, (const char *const *)own, error);
}

/* Whether the frames of a trajectory stand at even times. Where not all were read it is looked at in a few frames, the first
 * ones and some spread over all. Where one can't be read TRUE: others tell that. */
static gboolean
times_are_even(const DebyeInfo *info)
{
  const gsize n = info->n_frames, n_looks = MIN(n, N_FIRST + N_SPREAD);
  if (info->check.n_checked == n || info->check.has_uneven_times)
    return !info->check.has_uneven_times;
  g_autoptr(DebyeTrajectoryReader) reader = debye_trajectory_reader_new(info->trajectory, NULL);
  g_autoptr(DebyeFrame) frame = debye_frame_new(debye_trajectory_get_n_atoms(info->trajectory));
  for (gsize i = 0; reader != NULL && frame != NULL && i < n_looks; i++) {
    const gsize number =
        n_looks == n || i < N_FIRST ? i : N_FIRST + (i - N_FIRST) * (n - 1 - N_FIRST) / (N_SPREAD - 1);
    if (!debye_trajectory_reader_read(reader, number, frame, NULL))
      return TRUE;
    if (!is_in_step(info, frame))
      return FALSE;
  }
  return TRUE;
}

static gboolean
gather(DebyeInfo *info, const Settings *asked, GError **error)
{
  g_autoptr(DebyeFrame) frame = NULL;
  info->trajectory = debye_dataset_get_trajectory(info->dataset);
  if (info->trajectory != NULL && (info->n_frames = debye_trajectory_get_n_frames(info->trajectory)) > 0) {
    frame = debye_trajectory_get_frame(info->trajectory, 0, error);
    if (frame == NULL)
      return FALSE;
    info->has_cell = frame->has_cell;
    if (frame->has_cell)
      debye_cell_to_lengths_angles(&frame->cell, info->lengths, info->angles);
    info->has_times = debye_trajectory_get_times(info->trajectory, &info->first, &info->last, &info->step);
  }
  if (!choose_atoms(info, asked->select, frame, error))
    return FALSE;
  count_elements(info);
  find_bonds(info, frame, asked->check);
  return TRUE;
}

static gboolean
run(DebyeArguments *arguments, GError **error)
{
  const char *const *paths = debye_arguments_get_files(arguments);
  for (gsize i = 0; paths[i] != NULL; i++)
    if (debye_session_is_one(paths[i]))
      return debye_info_session_tell(arguments, paths[i], error);
  DebyeCliProgress progress;
  debye_cli_progress_init(&progress, arguments, "opening");
  /* What a packed file holds is shared by all who look at it while it is open. */
  g_autoptr(DebyeInput) shared = debye_input_open_watched(paths[0], debye_cli_watch, &progress, error);
  debye_cli_progress_end(&progress);
  if (shared == NULL)
    return FALSE;
  if (paths[1] == NULL && debye_info_result_is_one(paths[0]))
    return debye_info_result_tell(arguments, paths[0], error);
  g_autoptr(DebyeDataset) dataset = debye_cli_open(arguments, paths, error);
  g_auto(DebyeInfo) info = {.dataset = dataset};
  Settings asked;
  debye_request_fill(debye_arguments_get_request(arguments), &asked);
  if (dataset == NULL || !gather(&info, &asked, error) || !check_frames(&info, arguments, asked.check, error))
    return FALSE;
  if (info.has_times && !times_are_even(&info))
    info.step = NAN;
  if (debye_arguments_get_options(arguments).json)
    debye_info_print_json(&info);
  else
    debye_info_print_table(&info);
  return !debye_interrupt_came();
}

static const char *const examples[] = {"debye-cli info protein.psf run.dcd",
                                       "debye-cli info --json --select water system.gro",
                                       "debye-cli info potential.dx", "debye-cli info view.debye", NULL};

const DebyeCommand debye_command_info = {
    .name = "info",
    .operands = "FILE...",
    .summary = "Shows what files contain",
    .description =
        "Atoms, residues, elements, total charge (e), frames, times (ps) and the cell of frame 0 (Å, "
        "degrees). For a map alone its grid, unit and range; for a result its curves and the command that "
        "made it; for a session of the window its files, each ok, moved (found at another path), changed or "
        "missing, its layers, and the settings of its analyses. With --json: {\"atoms\", \"frames\", "
        "\"cell\": [a, b, c, alpha, beta, gamma] or null, \"time\": {\"first\", \"last\", \"step\"} or null, "
        "\"total_charge\" or null, \"elements\", \"element_sources\": {\"file\", \"mass\", \"type\", "
        "\"name\", \"unknown\", \"chosen\"}, most reliable first, \"element_kinds\": [{\"atoms\", "
        "\"element\", \"source\", \"count\"}], \"residues\", \"bonds\": {\"file\", \"distances\", "
        "\"templates\"} or null, with --check, if coordinates are not numbers or not all frames were read "
        "\"check\": {\"frames\", \"bad_frames\", \"first_frame\", \"first_atom\"}, for files with normal "
        "modes \"vibrations\": "
        "[{\"number\", \"wavenumber\" (cm^-1; below 0: imaginary), \"intensity\" (km/mol) or null, "
        "\"reduced_mass\" (u) or null}], \"format\", \"warnings\"}; for a map or a result the same as from "
        "the command that makes it; of a session {\"format\", \"program\", \"files\": "
        "[{\"path\", \"state\", \"saved_path\", \"size\", \"sha256\", \"sha256_of\", \"analysis\"}], "
        "\"frame\", \"layers\": [{\"kind\", \"name\", \"visible\", \"selection\", \"source\"}], \"views\", "
        "\"analyses\": [{\"id\", \"settings\", \"command_line\"}], \"warnings\"}.",
    .examples = examples,
    .table = &table,
    .least_operands = 1,
    .max_operands = G_MAXUINT,
    .writes_no_file = TRUE,
    .run = run,
};
