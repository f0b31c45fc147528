/* SPDX-License-Identifier: MIT */
/* Implementation of coordinate_export.h: coordinates into other formats, frame by frame, in constant memory. */
#include "coordinate_export.h"

#include <math.h>

#include "app/analysis/driver/superpose_choice.h"
#include "app/analysis/driver/superpose_reference.h"
#include "data/files/error.h"
#include "data/files/replace_file.h"
#include "data/molecule/cell_orientation.h"
#include "data/molecule/periodic.h"
#include "data/trajectory/cell_choice.h"
#include "data/trajectory/format_list.h"
#include "data/trajectory/frame_edit.h"
#include "data/trajectory/frame_stream.h"
#include "data/trajectory/kept_frames.h"
#include "data/messages/message.h"

#define OUTSIDE 1e-3 /* Å: less is rounding */

/* One output file that is being written. */
typedef struct {
  const char *path;
  const DebyeFormat *format;
  DebyeReplaceFile *file;
  gpointer writer;
  gboolean is_turned; /* for a cell that doesn't lie along the axes */
} Output;

typedef struct {
  const DebyeCoordinateExport *job;
  DebyeRequest *request;
  DebyeCoordinateExportSettings settings;
  const char *const *inputs;
  const char *name; /* of the inputs */
  DebyeTrajectory *trajectory;
  DebyeFrameRange range;
  gsize n_frames, n_written;
  double precision; /* of XTC, steps a nanometre; 0: its own */
  gboolean follows; /* unwraps: frames that a step leaves out are read too, for they may hold a jump */
  gsize n_bad_frames, first_bad_frame; /* written with coordinates that are not numbers */
  gboolean checks_cell;                /* that was given, or that atoms were moved in */
  gsize n_outside;                     /* the most atoms of a frame that lie outside of it … */
  double farthest;                     /* … and how far, Å */
  DebyeSelection *select, *center;
  DebyeSuperposeChoice superpose;
  DebyeSuperposeReference reference;
  DebyeFrameEdit *edit;
  GArray *atoms;           /* guint32 chosen; NULL: all */
  DebyeTopology *topology; /* of what is written */
  GArray *outputs;         /* Output */
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
  debye_error_prefix(error, "--%s: ", key);
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
  for (; *paths != NULL; paths++) {
    Output output = {.path = *paths, .format = debye_format_for_writing(*paths, error)};
    if (output.format == NULL)
      return FALSE;
    g_array_append_val(export->outputs, output);
  }
  return TRUE;
}

static gboolean
check_formats(const Export *export, DebyeTopology *topology, GError **error)
{
  for (guint i = 0; i < export->outputs->len; i++) {
    const Output *output = &g_array_index(export->outputs, Output, i);
    if (export->n_frames > 1 && !(output->format->write_flags & DEBYE_WRITE_MANY))
      return debye_error_set(error, DEBYE_ERROR_VALUE,
                             "%s: %s files hold one frame, found %" G_GSIZE_FORMAT
                             " to write; choose one with --frames",
                             output->path, output->format->title, export->n_frames);
    if ((output->format->write_flags & DEBYE_WRITE_CHARGES) && output->format == &debye_format_pqr &&
        debye_topology_get_charges(topology) == NULL)
      return debye_error_set(error, DEBYE_ERROR_MISSING, "%s: a PQR file holds charges, the input has none",
                             output->path);
  }
  return TRUE;
}

static gboolean
choose_atoms(Export *export, DebyeTopology *topology, const DebyeFrame *frame, GError **error)
{
  g_autoptr(GArray) atoms = debye_selection_evaluate(export->select, topology, frame, error);
  if (atoms == NULL)
    return FALSE;
  if (atoms->len == 0)
    return debye_error_set(error, DEBYE_ERROR_SELECTION,
                           "--select: “%s” selects no atoms in frame %" G_GSIZE_FORMAT,
                           debye_selection_get_text(export->select), frame->index);
  if (atoms->len == debye_topology_get_n_atoms(topology)) {
    export->topology = g_object_ref(topology);
    return TRUE;
  }
  export->topology = debye_topology_subset(topology, (const guint32 *)atoms->data, atoms->len);
  export->atoms = g_steal_pointer(&atoms);
  return TRUE;
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
      debye_error_name_output(output->path, error);
      return FALSE;
    }
    if (export->precision > 0.0 && output->format->writer_set_precision != NULL)
      output->format->writer_set_precision(output->writer, export->precision);
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
  if (turned == NULL)
    return debye_error_set(error, DEBYE_ERROR_MEMORY, "no memory for another frame");
  output->is_turned = output->is_turned || turned != frame;
  if (output->format->write_frame(output->writer, turned, error))
    return TRUE;
  debye_error_name_output(output->path, error);
  return FALSE;
}

static void
note_bad_frame(Export *export, DebyeFrame *frame)
{
  debye_frame_check(frame);
  if (frame->n_bad > 0 && export->n_bad_frames++ == 0)
    export->first_bad_frame = frame->index;
}

/* How far beyond the cell along the edge that it sticks out most, in Å; 0: inside. */
static double
distance_outside(const DebyePeriodic *periodic, DebyeVec3 position)
{
  const DebyeVec3 fraction = debye_periodic_to_fraction(periodic, position);
  const double fractions[3] = {fraction.x, fraction.y, fraction.z};
  double farthest = 0.0;
  for (int i = 0; i < 3; i++)
    farthest =
        fmax(farthest, fmax(-fractions[i], fractions[i] - 1.0) * debye_vec3_length(periodic->vector[i]));
  return farthest;
}

static void
note_outside(Export *export, const DebyeFrame *frame)
{
  DebyePeriodic periodic;
  gsize n_outside = 0;
  debye_periodic_init_for_frame(&periodic, frame);
  for (gsize i = 0; export->checks_cell && periodic.is_periodic && i < frame->n_atoms; i++) {
    const double outside = distance_outside(&periodic, debye_frame_get_position(frame, i));
    n_outside += outside > OUTSIDE;
    export->farthest = fmax(export->farthest, outside);
  }
  export->n_outside = MAX(export->n_outside, n_outside);
}

static gboolean
write_chosen(Export *export, DebyeFrame *frame, GError **error)
{
  g_autoptr(DebyeFrame) chosen =
      export->atoms == NULL
          ? debye_frame_ref(frame)
          : debye_frame_subset(frame, (const guint32 *)export->atoms->data, export->atoms->len);
  if (chosen == NULL)
    return debye_error_set(error, DEBYE_ERROR_MEMORY, "no memory for another frame");
  for (guint i = 0; i < export->outputs->len; i++)
    if (!write_to(&g_array_index(export->outputs, Output, i), chosen, error))
      return FALSE;
  note_bad_frame(export, chosen);
  note_outside(export, chosen);
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
    debye_error_prefix(error, "%s: ", export->name);
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
goes_on(const Export *export)
{
  return export->job->progress((double)export->n_written / (double)export->n_frames, export->job->data);
}

static gboolean
write_frames(Export *export, DebyeTopology *topology, GError **error)
{
  g_autoptr(DebyeFrameStream) stream =
      debye_frame_stream_new(export->trajectory, range_to_read(export), 0, 0);
  gboolean ok = TRUE;
  while (ok && goes_on(export)) {
    GError *problem = NULL;
    g_autoptr(DebyeFrame) frame = debye_frame_stream_next(stream, &problem);
    if (frame == NULL) {
      if (problem != NULL)
        g_propagate_error(error, problem);
      return problem == NULL;
    }
    ok = take_frame(export, topology, frame, error);
  }
  return ok;
}

G_GNUC_PRINTF(2, 3)
static void
say(const Export *export, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  g_autofree char *sentence = debye_say_valist(format, arguments);
  va_end(arguments);
  export->job->say(sentence, export->job->data);
}

static gboolean
commit(Export *export, GError **error)
{
  for (guint i = 0; i < export->outputs->len; i++) {
    Output *output = &g_array_index(export->outputs, Output, i);
    if (!output->format->writer_finish(g_steal_pointer(&output->writer), error) ||
        !debye_replace_file_commit(g_steal_pointer(&output->file), error)) {
      debye_error_name_output(output->path, error);
      return FALSE;
    }
    if (output->is_turned)
      say(export, "turned: the cell with all coordinates, because %s files keep cells along the axes",
          output->format->title);
  }
  return TRUE;
}

/* Positions stay as they are, whatever the cell. */
static void
say_outside(const Export *export)
{
  char distance[G_ASCII_DTOSTR_BUF_SIZE];
  if (export->n_outside > 0)
    say(export,
        "outside: up to %" G_GSIZE_FORMAT " of %" G_GSIZE_FORMAT
        " atoms lie outside the cell, by up to %s Å; positions are kept, wrapping puts them into it",
        export->n_outside, debye_topology_get_n_atoms(export->topology),
        g_ascii_formatd(distance, sizeof distance, "%.3g", export->farthest));
}

static gboolean
take_precision(Export *export, GError **error)
{
  gboolean is_used = isnan(export->settings.precision);
  for (guint i = 0; i < export->outputs->len && !is_used; i++)
    is_used = g_array_index(export->outputs, Output, i).format->writer_set_precision != NULL;
  if (!is_used)
    debye_error_set_about(error, DEBYE_ERROR_SETTING, "Precision",
                          "expected an output whose coordinates are rounded (.xtc), found none");
  else if (!isnan(export->settings.precision))
    export->precision = export->settings.precision;
  return is_used;
}

/* Whether the solute spans the cell is seen in the first frame. */
static gboolean
choose_superposing(Export *export, DebyeDataset *dataset, GError **error)
{
  if (!export->settings.superposing.has_superpose)
    return TRUE;
  g_autoptr(DebyeFrame) first = debye_trajectory_get_frame(export->trajectory, export->range.first, error);
  if (first == NULL)
    return FALSE;
  if (!debye_superpose_choice_init(&export->superpose, &export->settings.superposing,
                                   debye_dataset_get_topology(dataset), first, error)) {
    debye_error_prefix(error, "--superpose: ");
    return FALSE;
  }
  if (export->superpose.obstacle == NULL)
    return TRUE;
  g_autofree char *warning = debye_say("frames were not superposed: %s", export->superpose.obstacle);
  return export->job->warn(warning, export->job->data, error);
}

static gboolean
plan(Export *export, DebyeDataset *dataset, GError **error)
{
  export->inputs = debye_dataset_get_paths(dataset);
  export->name = debye_dataset_get_name(dataset);
  export->trajectory = debye_dataset_get_trajectory(dataset);
  if (export->trajectory == NULL || debye_trajectory_get_n_frames(export->trajectory) == 0)
    return debye_error_set(error, DEBYE_ERROR_MISSING, "%s: no coordinates: there is nothing to write",
                           export->name);
  if (!debye_frame_range_parse(export->settings.frames, debye_trajectory_get_n_frames(export->trajectory),
                               &export->range, error))
    return FALSE;
  export->n_frames = debye_frame_range_count(&export->range);
  export->follows = export->settings.unwrap;
  if (!choose_superposing(export, dataset, error) ||
      !debye_superpose_reference_read(dataset, export->settings.superposing.reference,
                                      export->superpose.selection, &export->reference, error))
    return FALSE;
  const DebyeFrameEditOptions options = {
      .unwrap = export->follows,
      .whole = export->settings.whole,
      .wrap = export->settings.wrap,
      .center = export->center,
      .translate = export->settings.translate,
      .superpose = export->superpose.selection,
      .by_mass = export->superpose.by_mass,
      .reference = export->reference.frame,
      .edits_reference = export->reference.is_own,
  };
  if (options.unwrap || options.whole || options.wrap || options.center != NULL ||
      options.superpose != NULL || export->settings.has_translate) {
    export->edit = debye_frame_edit_new(debye_dataset_get_topology(dataset), &options, error);
    if (export->edit == NULL)
      return FALSE;
  }
  return check_formats(export, debye_dataset_get_topology(dataset), error);
}

/* Before the files take their names: under --strict there are none. */
static gboolean
warn_of_bad_frames(const Export *export, GError **error)
{
  if (export->n_bad_frames == 0)
    return TRUE;
  g_autofree char *warning =
      debye_say("%s: coordinates are not numbers in %" G_GSIZE_FORMAT " of %" G_GSIZE_FORMAT
                " written frames; frame %" G_GSIZE_FORMAT " is the first",
                export->name, export->n_bad_frames, export->n_written, export->first_bad_frame);
  return export->job->warn(warning, export->job->data, error);
}

/* Prepares everything that needs no output file. */
static gboolean
prepare(Export *export, GError **error)
{
  export->request = export->job->request;
  debye_request_fill(export->request, &export->settings);
  if (!add_outputs(export, export->job->outputs, error) || !take_precision(export, error) ||
      !parse_selections(export, error))
    return FALSE;
  return !export->settings.wrap || !export->settings.unwrap ||
         debye_error_set_about(error, DEBYE_ERROR_SETTING, "Unwrap",
                               "expected either it or Wrap, found both");
}

gboolean
debye_coordinate_export_check(const DebyeCoordinateExport *job, GError **error)
{
  g_auto(Export) export = {.job = job};
  return prepare(&export, error);
}

gboolean
debye_coordinate_export_run(const DebyeCoordinateExport *job, DebyeDataset *dataset,
                            DebyeCoordinateExportReport *report, GError **error)
{
  g_auto(Export) export = {.job = job};
  DebyeCellChoice cell;
  *report = (DebyeCoordinateExportReport){0};
  if (!prepare(&export, error) ||
      !debye_cell_choice_parse(debye_dataset_get_cell_choice(dataset), &cell, error))
    return FALSE;
  export.checks_cell = (cell.has_cell || export.settings.has_translate) && !export.settings.wrap;
  if (!plan(&export, dataset, error) || !write_frames(&export, debye_dataset_get_topology(dataset), error) ||
      export.n_written == 0 || !warn_of_bad_frames(&export, error) || !commit(&export, error))
    return FALSE;
  say_outside(&export);
  *report = (DebyeCoordinateExportReport){.n_frames = export.n_frames,
                                          .n_written = export.n_written,
                                          .n_atoms = debye_topology_get_n_atoms(export.topology)};
  return TRUE;
}
