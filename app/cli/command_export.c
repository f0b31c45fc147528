/* SPDX-License-Identifier: MIT */
/* debye-cli export: coordinates into other formats, frame by frame, in constant memory. */
#include <math.h>
#include <string.h>

#include "app/analysis/driver/common_settings.h"
#include "app/analysis/driver/superpose_choice.h"
#include "app/analysis/driver/superpose_reference.h"
#include "cli_work.h"
#include "command.h"
#include "data/molecule/cell_orientation.h"
#include "data/files/error.h"
#include "data/trajectory/frame_edit.h"
#include "data/trajectory/frame_stream.h"
#include "data/files/replace_file.h"
#include "interrupt.h"
#include "app/document/json_writer.h"
#include "data/trajectory/format_list.h"

typedef struct {
  const char *frames, *select, *center;
  gboolean wrap, unwrap, whole;
  double precision; /* NAN: not set */
  DebyeSuperposeSettings superposing;
} Settings;

static const DebyeSetting settings[] = {
    DEBYE_SETTING_FRAMES_ENTRY(Settings,
                               "frames to write, 0-based, the last included, negative from the end"),
    DEBYE_SETTING_SELECT_ENTRY(Settings, "atoms to write, chosen in the first written frame"),
    DEBYE_SETTING_ELEMENT_ENTRY,
    DEBYE_SETTING_DATASET_ENTRIES,
    {.key = "wrap",
     DEBYE_SETTING_MEMBER(Settings, wrap),
     .label = "Wrap",
     .kind = DEBYE_SETTING_BOOLEAN,
     .initial = "false",
     .help = "whole molecules into the cell"},
    {.key = "unwrap",
     DEBYE_SETTING_MEMBER(Settings, unwrap),
     .label = "Unwrap",
     .kind = DEBYE_SETTING_BOOLEAN,
     .initial = "false",
     .help = "molecules followed through the cell from the first written frame on, through the frames a step "
             "leaves out too; not together with --wrap"},
    {.key = "whole",
     DEBYE_SETTING_MEMBER(Settings, whole),
     .label = "Whole",
     .kind = DEBYE_SETTING_BOOLEAN,
     .initial = "false",
     .help =
         "molecules that the cell cuts are made whole where their first atoms are; --wrap and --unwrap do "
         "it, too"},
    {.key = "precision",
     DEBYE_SETTING_MEMBER(Settings, precision),
     .label = "Precision",
     .kind = DEBYE_SETTING_NUMBER,
     .minimum = 1.0,
     .maximum = 1e6,
     .help = "steps a nanometre that the coordinates of an XTC file are rounded to; unset: 1000"},
    {.key = "superpose",
     DEBYE_SETTING_SUPERPOSE_MEMBER(Settings),
     .label = "Superpose",
     .kind = DEBYE_SETTING_SELECTION,
     .help = "atoms to superpose on the reference in each frame; “solute”: polymers and what is bound to "
             "them"},
    DEBYE_SETTING_SUPERPOSE_WEIGHTS_ENTRY(Settings),
    DEBYE_SETTING_REFERENCE_ENTRY(Settings),
    {.key = "center",
     DEBYE_SETTING_MEMBER(Settings, center),
     .label = "Centre",
     .kind = DEBYE_SETTING_SELECTION,
     .help = "atoms whose centre goes to the middle of the cell, or to the origin without one"},
};

static const DebyeSettingTable table = {
    .id = "export",
    .title = "Export coordinates",
    .question = "Which frames and atoms go into which file?",
    .settings = settings,
    .n_settings = G_N_ELEMENTS(settings),
};

/* One output in the making. */
typedef struct {
  const char *path;
  const DebyeFormat *format;
  DebyeReplaceFile *file;
  gpointer writer;
  gboolean is_turned; /* for a cell that doesn't lie along the axes */
} Output;

typedef struct {
  DebyeRequest *request;
  Settings settings;
  const char *const *inputs;
  const char *name; /* of the inputs */
  DebyeTrajectory *trajectory;
  DebyeFrameRange range;
  gsize n_frames, n_written;
  double precision; /* of XTC, steps a nanometre; 0: its own */
  gboolean follows; /* unwraps: frames that a step leaves out are read too, for they may hold a jump */
  gsize n_bad_frames, first_bad_frame; /* written with coordinates that are no numbers */
  DebyeSelection *select, *center;
  DebyeSuperposeChoice superpose;
  DebyeSuperposeReference reference;
  DebyeFrameEdit *edit;
  GArray *atoms;           /* guint32 chosen; NULL: all */
  DebyeTopology *topology; /* of what is written */
  GArray *outputs;         /* Output */
  char *warning;           /* of frames written with coordinates that are no numbers; or NULL */
} Export;

static void
export_clear(Export *export)
{
  for (guint i = 0; export->outputs != NULL && i < export->outputs->len; i++) {
    Output *output = &g_array_index(export->outputs, Output, i);
    if (output->writer != NULL)
      output->format->writer_finish(output->writer, NULL);
    g_clear_pointer(&output->file, debye_replace_file_abandon);
  }
  g_clear_pointer(&export->outputs, g_array_unref);
  g_clear_pointer(&export->select, debye_selection_unref);
  debye_superpose_choice_clear(&export->superpose);
  g_clear_pointer(&export->reference.frame, debye_frame_unref);
  g_clear_pointer(&export->center, debye_selection_unref);
  g_clear_pointer(&export->edit, debye_frame_edit_free);
  g_clear_pointer(&export->atoms, g_array_unref);
  g_clear_object(&export->topology);
  g_clear_pointer(&export->warning, g_free);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Export, export_clear)

static gboolean
parse_selection(const char *text, const char *key, DebyeSelection **selection, GError **error)
{
  if (text == NULL)
    return TRUE;
  *selection = debye_selection_parse(text, NULL, error);
  if (*selection != NULL)
    return TRUE;
  g_prefix_error(error, "--%s: ", key);
  return FALSE;
}

static gboolean
parse_selections(Export *export, GError **error)
{
  return parse_selection(export->settings.select, "select", &export->select, error) &&
         parse_selection(export->settings.center, "center", &export->center, error);
}

static gboolean
add_outputs(Export *export, const char *const *paths, GError **error)
{
  export->outputs = g_array_new(FALSE, TRUE, sizeof(Output));
  if (*paths == NULL) {
    g_set_error_literal(error, DEBYE_USAGE_ERROR, 0,
                        "export: expected --output FILE (.xyz, .pdb, .pqr, .gro, .dcd, .xtc, .trr, .nc, "
                        ".h5md or .csv), found none");
    return FALSE;
  }
  for (; *paths != NULL; paths++) {
    g_autoptr(GError) problem = NULL;
    Output output = {.path = *paths, .format = debye_format_for_writing(*paths, &problem)};
    if (output.format == NULL) {
      g_set_error_literal(error, DEBYE_USAGE_ERROR, 0, problem->message);
      return FALSE;
    }
    g_array_append_val(export->outputs, output);
  }
  return TRUE;
}

static gboolean
check_formats(const Export *export, DebyeTopology *topology, GError **error)
{
  for (guint i = 0; i < export->outputs->len; i++) {
    const Output *output = &g_array_index(export->outputs, Output, i);
    if (export->n_frames > 1 && !(output->format->write_flags & DEBYE_WRITE_MANY)) {
      g_set_error(error, DEBYE_ERROR, DEBYE_ERROR_VALUE,
                  "%s: %s files hold one frame, found %" G_GSIZE_FORMAT " to write; choose one with --frames",
                  output->path, output->format->title, export->n_frames);
      return FALSE;
    }
    if ((output->format->write_flags & DEBYE_WRITE_CHARGES) && output->format == &debye_format_pqr &&
        debye_topology_get_charges(topology) == NULL) {
      g_set_error(error, DEBYE_ERROR, DEBYE_ERROR_MISSING, "%s: a PQR file holds charges, the input has none",
                  output->path);
      return FALSE;
    }
  }
  return TRUE;
}

static gboolean
choose_atoms(Export *export, DebyeTopology *topology, const DebyeFrame *frame, GError **error)
{
  g_autoptr(GArray) atoms = debye_selection_evaluate(export->select, topology, frame, error);
  if (atoms == NULL)
    return FALSE;
  if (atoms->len == 0) {
    g_set_error(error, DEBYE_ERROR, DEBYE_ERROR_SELECTION,
                "--select: “%s” chooses no atom in frame %" G_GSIZE_FORMAT,
                debye_selection_get_text(export->select), frame->index);
    return FALSE;
  }
  if (atoms->len == debye_topology_get_n_atoms(topology)) {
    export->topology = g_object_ref(topology);
    return TRUE;
  }
  export->topology = debye_topology_subset(topology, (const guint32 *)atoms->data, atoms->len);
  export->atoms = g_steal_pointer(&atoms);
  return TRUE;
}

static void
set_precision(const Export *export, const Output *output)
{
  if (export->precision > 0.0 && output->format->writer_set_precision != NULL)
    output->format->writer_set_precision(output->writer, export->precision);
}

/* How the file is made, where it has a place to say so. */
static void
set_remarks(const Export *export, const Output *output)
{
  if (output->format->writer_set_remarks == NULL)
    return;
  g_autofree char *command = debye_request_to_command(export->request, export->inputs, output->path);
  g_auto(GStrv) remarks = debye_request_describe(export->request, command, FALSE);
  output->format->writer_set_remarks(output->writer, (const char *const *)remarks);
}

static gboolean
open_outputs(Export *export, GError **error)
{
  for (guint i = 0; i < export->outputs->len; i++) {
    Output *output = &g_array_index(export->outputs, Output, i);
    output->file = debye_replace_file_new(output->path, error);
    if (output->file == NULL)
      return FALSE;
    output->writer =
        output->format->writer_new(debye_replace_file_get_stream(output->file), export->topology,
                                   debye_topology_get_n_atoms(export->topology), export->n_frames, error);
    if (output->writer == NULL) {
      debye_cli_name_output(output->path, error);
      return FALSE;
    }
    set_precision(export, output);
    set_remarks(export, output);
  }
  return TRUE;
}

/* With its cell along the axes, where the format keeps no other. */
static gboolean
write_to(Output *output, DebyeFrame *frame, GError **error)
{
  const gboolean is_aligned = (output->format->write_flags & DEBYE_WRITE_ALIGNED) != 0;
  g_autoptr(DebyeFrame) turned = is_aligned ? debye_cell_orientation_align(frame) : debye_frame_ref(frame);
  if (turned == NULL) {
    g_set_error_literal(error, DEBYE_ERROR, DEBYE_ERROR_MEMORY, "no memory for a turned frame");
    return FALSE;
  }
  output->is_turned = output->is_turned || turned != frame;
  if (output->format->write_frame(output->writer, turned, error))
    return TRUE;
  debye_cli_name_output(output->path, error);
  return FALSE;
}

static void
note_bad_frame(Export *export, DebyeFrame *frame)
{
  debye_frame_check(frame);
  if (frame->n_bad > 0 && export->n_bad_frames++ == 0)
    export->first_bad_frame = frame->index;
}

static gboolean
write_chosen(Export *export, DebyeFrame *frame, GError **error)
{
  g_autoptr(DebyeFrame) chosen =
      export->atoms == NULL
          ? debye_frame_ref(frame)
          : debye_frame_subset(frame, (const guint32 *)export->atoms->data, export->atoms->len);
  if (chosen == NULL) {
    g_set_error_literal(error, DEBYE_ERROR, DEBYE_ERROR_MEMORY, "no memory for the chosen atoms of a frame");
    return FALSE;
  }
  for (guint i = 0; i < export->outputs->len; i++) {
    if (!write_to(&g_array_index(export->outputs, Output, i), chosen, error))
      return FALSE;
  }
  note_bad_frame(export, chosen);
  export->n_written++;
  return TRUE;
}

/* The first frame decides the atoms; the files are opened when it is known that there is something to write. */
static gboolean
take_frame(Export *export, DebyeTopology *topology, DebyeFrame *frame, GError **error)
{
  if (export->topology == NULL &&
      (!choose_atoms(export, topology, frame, error) || !open_outputs(export, error)))
    return FALSE;
  if (export->edit != NULL && !debye_frame_edit_apply(export->edit, frame, error)) {
    g_prefix_error(error, "%s: ", export->name);
    return FALSE;
  }
  gboolean is_left_out = (frame->index - export->range.first) % export->range.step != 0;
  return is_left_out || write_chosen(export, frame, error);
}

/* Every frame between the first and the last where molecules are followed. */
static DebyeFrameRange
range_to_read(const Export *export)
{
  DebyeFrameRange range = export->range;
  if (export->follows)
    range.step = 1;
  return range;
}

static gboolean
write_frames(Export *export, DebyeArguments *arguments, DebyeTopology *topology, GError **error)
{
  g_autoptr(DebyeFrameStream) stream =
      debye_frame_stream_new(export->trajectory, range_to_read(export), 0, error);
  DebyeCliProgress progress;
  gboolean ok = stream != NULL;
  debye_cli_progress_init(&progress, arguments, "export");
  while (ok && !debye_interrupt_came()) {
    g_autoptr(GError) problem = NULL;
    g_autoptr(DebyeFrame) frame = debye_frame_stream_next(stream, &problem);
    if (frame == NULL) {
      ok = problem == NULL;
      if (problem != NULL)
        g_propagate_error(error, g_steal_pointer(&problem));
      break;
    }
    ok = take_frame(export, topology, frame, error);
    debye_cli_progress_update(&progress, (double)export->n_written / (double)export->n_frames, NULL);
  }
  debye_cli_progress_end(&progress);
  return ok;
}

static gboolean
commit(Export *export, DebyeArguments *arguments, GError **error)
{
  gboolean partial = export->n_written < export->n_frames;
  for (guint i = 0; i < export->outputs->len; i++) {
    Output *output = &g_array_index(export->outputs, Output, i);
    if (!output->format->writer_finish(g_steal_pointer(&output->writer), error) ||
        !debye_replace_file_commit(g_steal_pointer(&output->file), error)) {
      debye_cli_name_output(output->path, error);
      return FALSE;
    }
    if (partial)
      debye_cli_say(arguments, "written: %s (partial: %" G_GSIZE_FORMAT " of %" G_GSIZE_FORMAT " frames)",
                    output->path, export->n_written, export->n_frames);
    else
      debye_cli_say(arguments, "written: %s (%" G_GSIZE_FORMAT " frame%s of %" G_GSIZE_FORMAT " atoms)",
                    output->path, export->n_written, export->n_written == 1 ? "" : "s",
                    debye_topology_get_n_atoms(export->topology));
    if (output->is_turned)
      debye_cli_say(arguments,
                    "turned: the cell with all coordinates, for %s files keep cells along the axes",
                    output->format->title);
  }
  return TRUE;
}

static gboolean
take_precision(Export *export, GError **error)
{
  gboolean is_used = isnan(export->settings.precision);
  for (guint i = 0; i < export->outputs->len && !is_used; i++)
    is_used = g_array_index(export->outputs, Output, i).format->writer_set_precision != NULL;
  if (!is_used)
    g_set_error_literal(
        error, DEBYE_USAGE_ERROR, 0,
        "export: --precision: expected an output whose coordinates are rounded (.xtc), found none");
  else if (!isnan(export->settings.precision))
    export->precision = export->settings.precision;
  return is_used;
}

/* Whether the solute spans the cell is seen in the first frame. */
static gboolean
choose_superposing(Export *export, DebyeArguments *arguments, DebyeDataset *dataset, GError **error)
{
  if (!export->settings.superposing.has_superpose)
    return TRUE;
  g_autoptr(DebyeFrame) first = debye_cli_read_frame(export->trajectory, export->range.first, error);
  if (first == NULL)
    return FALSE;
  if (!debye_superpose_choice_init(&export->superpose, &export->settings.superposing,
                                   debye_dataset_get_topology(dataset), first, error)) {
    g_prefix_error(error, "--superpose: ");
    return FALSE;
  }
  if (export->superpose.obstacle == NULL)
    return TRUE;
  g_autofree char *warning = g_strdup_printf("frames were not superposed: %s", export->superpose.obstacle);
  const char *const warnings[] = {warning, NULL};
  return debye_cli_warn(arguments, warnings, error);
}

static gboolean
plan(Export *export, DebyeArguments *arguments, DebyeDataset *dataset, GError **error)
{
  export->inputs = debye_dataset_get_paths(dataset);
  export->name = debye_dataset_get_name(dataset);
  export->trajectory = debye_dataset_get_trajectory(dataset);
  if (export->trajectory == NULL || debye_trajectory_get_n_frames(export->trajectory) == 0) {
    g_set_error(error, DEBYE_ERROR, DEBYE_ERROR_MISSING, "%s: no coordinates: there is nothing to write",
                export->name);
    return FALSE;
  }
  if (!debye_frame_range_parse(export->settings.frames, debye_trajectory_get_n_frames(export->trajectory),
                               &export->range, error))
    return FALSE;
  export->n_frames = debye_frame_range_count(&export->range);
  if (!take_precision(export, error))
    return FALSE;
  export->follows = export->settings.unwrap;
  if (!choose_superposing(export, arguments, dataset, error) ||
      !debye_superpose_reference_read(dataset, export->settings.superposing.reference,
                                      export->superpose.selection, &export->reference, error))
    return FALSE;
  const DebyeFrameEditOptions options = {
      .unwrap = export->follows,
      .whole = export->settings.whole,
      .wrap = export->settings.wrap,
      .center = export->center,
      .superpose = export->superpose.selection,
      .by_mass = export->superpose.by_mass,
      .reference = export->reference.frame,
      .edits_reference = export->reference.is_own,
  };
  if (options.unwrap || options.whole || options.wrap || options.center != NULL ||
      options.superpose != NULL) {
    export->edit = debye_frame_edit_new(debye_dataset_get_topology(dataset), &options, error);
    if (export->edit == NULL)
      return FALSE;
  }
  return check_formats(export, debye_dataset_get_topology(dataset), error);
}

/* Before the files take their names: under --strict there are none. */
static gboolean
warn_of_bad_frames(Export *export, DebyeArguments *arguments, GError **error)
{
  if (export->n_bad_frames == 0)
    return TRUE;
  export->warning =
      g_strdup_printf("%s: coordinates are no numbers in %" G_GSIZE_FORMAT " of %" G_GSIZE_FORMAT
                      " written frames; frame %" G_GSIZE_FORMAT " is the first",
                      export->name, export->n_bad_frames, export->n_written, export->first_bad_frame);
  const char *const warnings[] = {export->warning, NULL};
  return debye_cli_warn(arguments, warnings, error);
}

static void
print_json(const Export *export, const char *const *paths, const char *const *warnings)
{
  g_auto(DebyeJson) json;
  debye_json_init(&json);
  debye_json_open(&json, NULL, '{');
  debye_json_strings(&json, "outputs", paths);
  debye_json_integer(&json, "frames", (gint64) export->n_written);
  debye_json_integer(&json, "atoms", (gint64)debye_topology_get_n_atoms(export->topology));
  debye_json_boolean(&json, "partial", export->n_written < export->n_frames);
  debye_json_open(&json, "warnings", '[');
  for (; warnings != NULL && *warnings != NULL; warnings++)
    debye_json_string(&json, NULL, *warnings);
  if (export->warning != NULL)
    debye_json_string(&json, NULL, export->warning);
  debye_json_close(&json, ']');
  debye_json_close(&json, '}');
  debye_json_print(&json);
}

static gboolean
run(DebyeArguments *arguments, GError **error)
{
  g_auto(Export) export = {0};
  const char *const *paths = debye_arguments_get_list(arguments, "output");
  export.request = debye_arguments_get_request(arguments);
  debye_request_fill(export.request, &export.settings);
  if (!add_outputs(&export, paths, error) || !parse_selections(&export, error))
    return FALSE;
  if (export.settings.wrap && export.settings.unwrap) {
    g_set_error_literal(error, DEBYE_USAGE_ERROR, 0, "export: expected --wrap or --unwrap, found both");
    return FALSE;
  }
  g_autoptr(DebyeDataset) dataset = debye_cli_open(arguments, debye_arguments_get_files(arguments), error);
  if (dataset == NULL || !plan(&export, arguments, dataset, error) ||
      !write_frames(&export, arguments, debye_dataset_get_topology(dataset), error))
    return FALSE;
  if (export.n_written == 0 || !warn_of_bad_frames(&export, arguments, error) ||
      !commit(&export, arguments, error))
    return FALSE;
  if (debye_arguments_get_options(arguments).json)
    print_json(&export, paths, debye_dataset_get_warnings(dataset));
  return export.n_written == export.n_frames;
}

static const char *const examples[] = {
    "debye-cli export --frames 0:-1:10 --select protein -o protein.xtc system.psf run.dcd",
    "debye-cli export --unwrap --superpose \"protein and backbone\" -o fitted.dcd system.psf run.xtc",
    "debye-cli export --frames -1 -o last.pdb -o last.csv system.gro run.xtc",
    NULL,
};

const DebyeCommand debye_command_export = {
    .name = "export",
    .operands = "FILE...",
    .summary = "Writes coordinates in another format",
    .description =
        "The ending decides: .xyz, .pdb, .pqr, .gro, .dcd, .xtc, .trr, .nc, .h5md, .csv (index, element, x, "
        "y, z in "
        "Å). "
        "Frames "
        "are unwrapped or made whole, centred, wrapped and superposed in this order, then written one after "
        "the other, so "
        "a trajectory of any length takes little memory. The selection of --select is decided in the first "
        "written frame.",
    .examples = examples,
    .table = &table,
    .least_operands = 1,
    .max_operands = G_MAXUINT,
    .run = run,
};
