/* SPDX-License-Identifier: MIT */
/* debye-cli info: describes what files contain; listed by command_list.c. */
#include <stdio.h>

#include "app/analysis/driver/common_settings.h"
#include "cli_work.h"
#include "command.h"
#include "data/molecule/altloc.h"
#include "data/molecule/bonds.h"
#include "data/selection/element_choice.h"
#include "data/tables/elements.h"
#include "data/files/error.h"
#include "data/trajectory/frame_stream.h"
#include "data/selection/selection.h"
#include "info_result.h"
#include "info_times.h"
#include "info_session.h"
#include "interrupt.h"
#include "app/document/json_writer.h"
#include "app/document/session.h"

static const DebyeSetting settings[] = {
    {DEBYE_SETTING_SELECT_ROW("atoms to tell of")},
    DEBYE_SETTING_ELEMENT_ENTRY,
    DEBYE_SETTING_ALTLOC_ENTRY_FROM("all"),
    DEBYE_SETTING_CELL_ENTRY,
    {.key = "check",
     .label = "Check",
     .kind = DEBYE_SETTING_BOOLEAN,
     .initial = "false",
     .help =
         "reads every frame and tells which hold coordinates that are no numbers; otherwise frames are read "
         "for a second at most"},
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

/* What was found in the frames that were read. */
typedef struct {
  gboolean is_told; /* --check, coordinates that are no numbers, or frames that were not read */
  gsize n_checked, n_bad_frames, n_bad, first_frame, first_atom;
} Check;

/* What is told, gathered once for both faces. */
typedef struct {
  DebyeDataset *dataset;
  DebyeTopology *topology;     /* of the chosen atoms */
  DebyeTrajectory *trajectory; /* or NULL */
  gsize n_frames;
  gboolean has_cell, has_times;
  double lengths[3], angles[3];
  double first, last, step; /* ps; the step NAN: uneven */
  gsize counts[DEBYE_N_ELEMENTS];
  gboolean has_bonds; /* they were looked for */
  DebyeBondSources bonds;
  Check check;
  GStrv warnings;                       /* the dataset's, and of frames */
  gsize sources[DEBYE_ELEMENT_SOURCES]; /* how many atoms' elements come from where */
} Info;

/* Kinds of atoms whose elements were decided from names or types, as many as a screen takes. */
#define KINDS_SHOWN 12

/* By DebyeElementSource, in JSON. */
static const char *const element_sources[] = {
    [DEBYE_ELEMENT_FROM_FILE] = "file",  [DEBYE_ELEMENT_FROM_MASS] = "mass",
    [DEBYE_ELEMENT_FROM_TYPE] = "type",  [DEBYE_ELEMENT_FROM_NAME] = "name",
    [DEBYE_ELEMENT_UNKNOWN] = "unknown", [DEBYE_ELEMENT_CHOSEN] = "chosen",
};

static void
info_clear(Info *info)
{
  g_clear_object(&info->topology);
  g_strfreev(info->warnings);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Info, info_clear)

static gboolean
choose_atoms(Info *info, const char *text, const DebyeFrame *frame, GError **error)
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
count_elements(Info *info)
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
find_bonds(Info *info, const DebyeFrame *frame, gboolean is_asked)
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

static void
note_frame(Check *check, const DebyeFrame *frame)
{
  /* Atoms that aren't in a frame need no coordinates there. */
  const gsize n_bad = frame->n_bad - MIN(frame->n_bad, 3 * frame->n_absent);
  check->n_checked++;
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
is_in_budget(const Info *info, gint64 elapsed)
{
  double expected = (double)elapsed * (double)info->n_frames / (double)info->check.n_checked;
  return elapsed < CHECK_BUDGET && (elapsed < CHECK_TRIAL || expected < (double)CHECK_BUDGET);
}

/* All frames, or what there is time for. FALSE with the error of a frame that can't be read. */
static gboolean
read_frames(Info *info, DebyeArguments *arguments, gboolean all, GError **error)
{
  const DebyeFrameRange range = {.first = 0, .last = info->n_frames - 1, .step = 1};
  const gint64 start = g_get_monotonic_time();
  g_autoptr(DebyeFrameStream) stream = debye_frame_stream_new(info->trajectory, range, 0, error);
  g_autoptr(GError) problem = NULL;
  DebyeCliProgress progress;
  if (stream == NULL)
    return FALSE;
  debye_cli_progress_init(&progress, arguments, "checking");
  while (!debye_interrupt_came()) {
    g_autoptr(DebyeFrame) frame = debye_frame_stream_next(stream, &problem);
    if (frame == NULL)
      break;
    note_frame(&info->check, frame);
    debye_cli_progress_update(&progress, (double)info->check.n_checked / (double)info->n_frames, NULL);
    if (!all && !is_in_budget(info, g_get_monotonic_time() - start))
      break;
  }
  debye_cli_progress_end(&progress);
  if (problem == NULL)
    return TRUE;
  g_propagate_error(error, g_steal_pointer(&problem));
  return FALSE;
}

/* Of the first frame the dataset has warned. */
static char *
describe_bad_frames(const Check *check)
{
  if (check->n_bad_frames == 0 || (check->n_bad_frames == 1 && check->first_frame == 0))
    return NULL;
  return g_strdup_printf("%" G_GSIZE_FORMAT " coordinates are no numbers, in %" G_GSIZE_FORMAT
                         " frames; the first is atom %" G_GSIZE_FORMAT " of frame %" G_GSIZE_FORMAT,
                         check->n_bad, check->n_bad_frames, check->first_atom, check->first_frame);
}

/* A frame that can't be read is an error where all are asked for, and else a warning. */
static gboolean
check_frames(Info *info, DebyeArguments *arguments, gboolean is_asked, GError **error)
{
  g_autoptr(GStrvBuilder) all = g_strv_builder_new();
  g_autoptr(GStrvBuilder) found = g_strv_builder_new();
  g_autoptr(GError) problem = NULL;
  Check *check = &info->check;
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
  g_auto(GStrv) own = g_strv_builder_end(found);
  g_strv_builder_addv(all, (const char **)debye_dataset_get_warnings(info->dataset));
  g_strv_builder_addv(all, (const char **)own);
  info->warnings = g_strv_builder_end(all);
  return debye_cli_warn(arguments, (const char *const *)own, error);
}

static gboolean
gather(Info *info, DebyeRequest *request, GError **error)
{
  g_autoptr(DebyeFrame) frame = NULL;
  info->trajectory = debye_dataset_get_trajectory(info->dataset);
  if (info->trajectory != NULL && (info->n_frames = debye_trajectory_get_n_frames(info->trajectory)) > 0) {
    frame = debye_cli_read_frame(info->trajectory, 0, error);
    if (frame == NULL)
      return FALSE;
    info->has_cell = frame->has_cell;
    if (frame->has_cell)
      debye_cell_to_lengths_angles(&frame->cell, info->lengths, info->angles);
    info->has_times = debye_trajectory_get_times(info->trajectory, &info->first, &info->last, &info->step);
    if (info->has_times && !debye_info_times_are_even(info->trajectory, info->first, info->step))
      info->step = NAN;
  }
  if (!choose_atoms(info, debye_request_get(request, "select"), frame, error))
    return FALSE;
  count_elements(info);
  find_bonds(info, frame, debye_request_get_boolean(request, "check"));
  return TRUE;
}

/* --- JSON --- */

static void
add_cell(DebyeJson *json, const Info *info)
{
  if (!info->has_cell) {
    debye_json_null(json, "cell");
    return;
  }
  debye_json_open(json, "cell", '[');
  for (int i = 0; i < 3; i++)
    debye_json_number(json, NULL, info->lengths[i]);
  for (int i = 0; i < 3; i++)
    debye_json_number(json, NULL, info->angles[i]);
  debye_json_close(json, ']');
}

static void
add_time(DebyeJson *json, const Info *info)
{
  if (!info->has_times) {
    debye_json_null(json, "time");
    return;
  }
  debye_json_open(json, "time", '{');
  debye_json_number(json, "first", info->first);
  debye_json_number(json, "last", info->last);
  debye_json_number(json, "step", info->step);
  debye_json_close(json, '}');
}

static void
add_elements(DebyeJson *json, const Info *info)
{
  debye_json_open(json, "elements", '{');
  for (guint i = 1; i < DEBYE_N_ELEMENTS; i++)
    if (info->counts[i] > 0)
      debye_json_integer(json, debye_element_get((guint8)i)->symbol, (gint64)info->counts[i]);
  if (info->counts[0] > 0)
    debye_json_integer(json, "unknown", (gint64)info->counts[0]);
  debye_json_close(json, '}');
}

static void
add_element_sources(DebyeJson *json, const Info *info)
{
  debye_json_open(json, "element_sources", '{');
  for (gsize i = 0; i < G_N_ELEMENTS(element_sources); i++)
    if (info->sources[i] > 0)
      debye_json_integer(json, element_sources[i], (gint64)info->sources[i]);
  debye_json_close(json, '}');
}

/* All kinds but those of which the file itself says what they are. */
static void
add_element_kinds(DebyeJson *json, const Info *info)
{
  g_autoptr(GPtrArray) kinds = debye_element_kinds_new(info->topology);
  debye_json_open(json, "element_kinds", '[');
  for (guint i = 0; i < kinds->len; i++) {
    const DebyeElementKind *kind = kinds->pdata[i];
    if (kind->source == DEBYE_ELEMENT_FROM_FILE)
      continue;
    debye_json_open(json, NULL, '{');
    debye_json_string(json, "atoms", kind->atoms);
    debye_json_string(json, "element",
                      kind->element != 0 ? debye_element_get(kind->element)->symbol : "none");
    debye_json_string(json, "source", element_sources[kind->source]);
    debye_json_integer(json, "count", (gint64)kind->n_atoms);
    debye_json_close(json, '}');
  }
  debye_json_close(json, ']');
}

static void
add_bonds(DebyeJson *json, const Info *info)
{
  if (!info->has_bonds) {
    debye_json_null(json, "bonds");
    return;
  }
  debye_json_open(json, "bonds", '{');
  debye_json_integer(json, "file", (gint64)info->bonds.n_listed);
  debye_json_integer(json, "distances", (gint64)info->bonds.n_of_distances);
  debye_json_integer(json, "templates", (gint64)info->bonds.n_of_templates);
  debye_json_close(json, '}');
}

static void
add_check(DebyeJson *json, const Check *check)
{
  if (!check->is_told)
    return;
  debye_json_open(json, "check", '{');
  debye_json_integer(json, "frames", (gint64)check->n_checked);
  debye_json_integer(json, "bad_frames", (gint64)check->n_bad_frames);
  if (check->n_bad_frames > 0) {
    debye_json_integer(json, "first_frame", (gint64)check->first_frame);
    debye_json_integer(json, "first_atom", (gint64)check->first_atom);
  }
  debye_json_close(json, '}');
}

static void
print_json(const Info *info)
{
  g_auto(DebyeJson) json;
  debye_json_init(&json);
  debye_json_open(&json, NULL, '{');
  debye_json_integer(&json, "atoms", (gint64)debye_topology_get_n_atoms(info->topology));
  debye_json_integer(&json, "frames", (gint64)info->n_frames);
  add_cell(&json, info);
  add_time(&json, info);
  if (debye_topology_get_charges(info->topology) != NULL)
    debye_json_number(&json, "total_charge", debye_topology_get_total_charge(info->topology));
  else
    debye_json_null(&json, "total_charge");
  add_elements(&json, info);
  add_element_sources(&json, info);
  add_element_kinds(&json, info);
  debye_json_integer(&json, "residues", (gint64)debye_topology_get_n_residues(info->topology));
  debye_json_integer(&json, "alternates", (gint64)debye_topology_get_n_alternates(info->topology));
  add_bonds(&json, info);
  add_check(&json, &info->check);
  debye_json_strings(&json, "format", debye_dataset_get_formats(info->dataset));
  debye_json_strings(&json, "warnings", (const char *const *)info->warnings);
  debye_json_close(&json, '}');
  debye_json_print(&json);
}

/* --- For people --- */

typedef struct {
  char text[G_ASCII_DTOSTR_BUF_SIZE];
} Number;

static const char *
format_number(Number *number, const char *format, double value)
{
  return g_ascii_formatd(number->text, sizeof number->text, format, value);
}

static void
print_elements(const Info *info)
{
  printf("Elements      ");
  for (guint i = 1; i < DEBYE_N_ELEMENTS; i++)
    if (info->counts[i] > 0)
      printf("%s %" G_GSIZE_FORMAT "  ", debye_element_get((guint8)i)->symbol, info->counts[i]);
  if (info->counts[0] > 0)
    printf("unknown %" G_GSIZE_FORMAT, info->counts[0]);
  printf("\n");
}

/* Nothing is said where the file itself says what its atoms are. */
static void
print_element_sources(const Info *info)
{
  gsize n_atoms = debye_topology_get_n_atoms(info->topology);
  if (info->sources[DEBYE_ELEMENT_FROM_FILE] == n_atoms)
    return;
  printf("  decided by  ");
  for (guint i = 0; i < DEBYE_ELEMENT_SOURCES; i++)
    if (info->sources[i] > 0)
      printf("%s %" G_GSIZE_FORMAT "  ", debye_element_source_describe(i), info->sources[i]);
  printf("\n");
}

/* Those that may be wrong, with what to write after --element where they are. */
static void
print_element_kinds(const Info *info)
{
  g_autoptr(GPtrArray) kinds = debye_element_kinds_new(info->topology);
  guint n_shown = 0, n_unsure = 0;
  for (guint i = 0; i < kinds->len; i++) {
    const DebyeElementKind *kind = kinds->pdata[i];
    if (kind->source == DEBYE_ELEMENT_FROM_FILE || kind->source == DEBYE_ELEMENT_FROM_MASS)
      continue;
    if (n_unsure++ >= KINDS_SHOWN)
      continue;
    n_shown++;
    printf("    %s=%s  %" G_GSIZE_FORMAT " by %s\n", kind->atoms,
           kind->element != 0 ? debye_element_get(kind->element)->symbol : "none", kind->n_atoms,
           debye_element_source_describe(kind->source));
  }
  if (n_unsure > n_shown)
    printf("    %u kinds more; --json tells all\n", n_unsure - n_shown);
}

static void
print_bonds(const Info *info)
{
  const DebyeBondSources *bonds = &info->bonds;
  if (!info->has_bonds)
    return;
  printf("Bonds         ");
  if (bonds->n_listed > 0)
    printf("the file %" G_GSIZE_FORMAT "  ", bonds->n_listed);
  if (bonds->n_of_distances > 0 || bonds->n_listed == 0)
    printf("distances %" G_GSIZE_FORMAT "  ", bonds->n_of_distances);
  if (bonds->n_of_templates > 0)
    printf("templates %" G_GSIZE_FORMAT, bonds->n_of_templates);
  printf("\n");
  if (bonds->n_doubtful == 0)
    return;
  DebyeTopology *topology = debye_dataset_get_topology(info->dataset);
  const DebyeResidue *residue = &debye_topology_get_residue_table(topology)[bonds->first_doubtful];
  printf("  distances don't fit %" G_GSIZE_FORMAT
         " standard residue%s (the first: %s %d), whose names tell\n",
         bonds->n_doubtful, bonds->n_doubtful == 1 ? "" : "s",
         debye_string_pool_get(debye_topology_get_string_pool(topology), residue->name), residue->number);
}

/* Which of them other commands take. */
static void
print_alternates(const Info *info)
{
  const gsize n_alternates = debye_topology_get_n_alternates(info->topology);
  if (n_alternates == 0)
    return;
  g_autoptr(DebyeTopology) chosen = debye_topology_choose_altloc(info->topology, DEBYE_ALTLOC_HIGHEST);
  printf("Alternates    other commands use %" G_GSIZE_FORMAT " of these %" G_GSIZE_FORMAT
         " atoms by default (--altloc)\n",
         n_alternates - (debye_topology_get_n_atoms(chosen) - debye_topology_get_n_counted(chosen)),
         n_alternates);
}

static void
print_check(const Info *info)
{
  const Check *check = &info->check;
  gboolean is_whole = check->n_checked == info->n_frames;
  if (!check->is_told)
    return;
  printf("Checked       %" G_GSIZE_FORMAT, check->n_checked);
  if (!is_whole)
    printf(" of %" G_GSIZE_FORMAT, info->n_frames);
  printf(" frames: ");
  if (check->n_bad_frames == 0)
    printf("all coordinates are numbers");
  else
    printf("%" G_GSIZE_FORMAT " coordinates are no numbers, in %" G_GSIZE_FORMAT
           " frames; the first is atom %" G_GSIZE_FORMAT " of frame %" G_GSIZE_FORMAT,
           check->n_bad, check->n_bad_frames, check->first_atom, check->first_frame);
  printf(is_whole ? "\n" : "; --check reads all\n");
}

static void
print_table(const Info *info)
{
  const char *const *paths = debye_dataset_get_paths(info->dataset);
  const char *const *formats = debye_dataset_get_formats(info->dataset);
  Number n[6];
  for (gsize i = 0; paths[i] != NULL; i++)
    printf("File          %s (%s)\n", paths[i], formats[i]);
  printf("Atoms         %" G_GSIZE_FORMAT "\n", debye_topology_get_n_atoms(info->topology));
  printf("Residues      %" G_GSIZE_FORMAT "\n", debye_topology_get_n_residues(info->topology));
  print_alternates(info);
  print_elements(info);
  print_element_sources(info);
  print_element_kinds(info);
  if (debye_topology_get_charges(info->topology) != NULL)
    printf("Total charge  %s e\n",
           format_number(n, "%.6g", debye_charge_round(debye_topology_get_total_charge(info->topology))));
  else
    printf("Total charge  none given\n");
  print_bonds(info);
  printf("Frames        %" G_GSIZE_FORMAT "\n", info->n_frames);
  print_check(info);
  if (info->has_times && isnan(info->step))
    printf("Time          %s to %s ps, in uneven steps\n", format_number(&n[0], "%.6g", info->first),
           format_number(&n[1], "%.6g", info->last));
  else if (info->has_times)
    printf("Time          %s to %s ps, every %s ps\n", format_number(&n[0], "%.6g", info->first),
           format_number(&n[1], "%.6g", info->last), format_number(&n[2], "%.6g", info->step));
  if (info->has_cell)
    printf("Cell          %s × %s × %s Å, %s° %s° %s°\n", format_number(&n[0], "%.6g", info->lengths[0]),
           format_number(&n[1], "%.6g", info->lengths[1]), format_number(&n[2], "%.6g", info->lengths[2]),
           format_number(&n[3], "%.6g", info->angles[0]), format_number(&n[4], "%.6g", info->angles[1]),
           format_number(&n[5], "%.6g", info->angles[2]));
  else
    printf("Cell          none\n");
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
  g_auto(Info) info = {.dataset = dataset};
  DebyeRequest *request = debye_arguments_get_request(arguments);
  if (dataset == NULL || !gather(&info, request, error) ||
      !check_frames(&info, arguments, debye_request_get_boolean(request, "check"), error))
    return FALSE;
  if (debye_arguments_get_options(arguments).json)
    print_json(&info);
  else
    print_table(&info);
  return !debye_interrupt_came();
}

static const char *const examples[] = {"debye-cli info protein.psf run.dcd",
                                       "debye-cli info --json --select water system.gro",
                                       "debye-cli info potential.dx", "debye-cli info view.debye", NULL};

const DebyeCommand debye_command_info = {
    .name = "info",
    .operands = "FILE...",
    .summary = "Tells what the files hold",
    .description =
        "Atoms, residues, elements, total charge (e), frames, times (ps) and the cell of frame 0 (Å, "
        "degrees). Of a map, alone, its grid, unit and range; of a result its curves and the line that made "
        "it; of a session that the window saved its files, each ok, moved (found at another path), changed "
        "or missing, its layers, and the analyses that are filled in. "
        "With --json: {\"atoms\", \"frames\", \"cell\": [a, b, c, alpha, beta, gamma] or null, \"time\": "
        "{\"first\", \"last\", \"step\"} or null, \"total_charge\" or null, \"elements\", "
        "\"element_sources\": {\"file\", \"mass\", \"type\", \"name\", \"unknown\", \"chosen\"}, surest "
        "first, \"element_kinds\": "
        "[{\"atoms\", \"element\", \"source\", \"count\"}], \"residues\", "
        "\"bonds\": {\"file\", \"distances\", \"templates\"} or null, with --check, where coordinates are "
        "no numbers or not all frames were read \"check\": {\"frames\", \"bad_frames\", \"first_frame\", "
        "\"first_atom\"}, "
        "\"format\", \"warnings\"}; of a map or a result what the command says that makes it; of a session "
        "{\"format\", \"program\", \"files\": [{\"path\", \"state\", \"saved_path\", \"size\", \"sha256\", "
        "\"sha256_of\", \"analysis\"}], \"frame\", \"layers\": [{\"kind\", \"name\", \"visible\", "
        "\"selection\", \"source\"}], \"views\", \"analyses\": [{\"id\", \"settings\", \"command_line\"}], "
        "\"warnings\"}.",
    .examples = examples,
    .table = &table,
    .least_operands = 1,
    .max_operands = G_MAXUINT,
    .writes_no_file = TRUE,
    .run = run,
};
