/* SPDX-License-Identifier: MIT */
/* GROMACS' GRO: frames of a title, a number of atoms, the atoms and a box. Lengths are in nm; the width of a
 * coordinate follows from the distance between the decimal points, as GROMACS itself reads it. */
#include <math.h>
#include <string.h>

#include "data/files/error.h"
#include "data/formats/text_blocks.h"
#include "data/formats/text_frames.h"
#include "data/messages/message.h"

#define IDENTITY_COLUMNS 20
/* Identity and three coordinates of one digit each: no atom takes less. */
#define LEAST_BYTES_OF_ATOM 26
#define NM 10.0 /* in Å */

/* The distance between the decimal points of x and y; 0 where there is none. */
static gsize
find_width(const char *line, gsize length)
{
  if (length <= IDENTITY_COLUMNS)
    return 0;
  const char *end = line + length;
  const char *first = memchr(line + IDENTITY_COLUMNS, '.', length - IDENTITY_COLUMNS);
  const char *second = first != NULL ? memchr(first + 1, '.', (gsize)(end - first - 1)) : NULL;
  return second != NULL ? (gsize)(second - first) : 0;
}

static DebyeTextField
get_column(const char *line, gsize length, gsize width, gsize i)
{
  return debye_text_columns(line, length, IDENTITY_COLUMNS + width * i, IDENTITY_COLUMNS + width * (i + 1));
}

static int
probe(const guint8 *bytes, gsize n)
{
  DebyeTextHead head = debye_text_head(bytes, n);
  const char *line;
  gsize length;
  gint64 count;
  if (!debye_text_head_next(&head, &line, &length) || !debye_text_head_next(&head, &line, &length) ||
      !debye_text_to_int(line, length, &count) || count == 0)
    return 0;
  if (!debye_text_head_next(&head, &line, &length))
    return 10;
  gsize width = find_width(line, length);
  if (length <= IDENTITY_COLUMNS)
    return 0;
  for (gsize i = 0; width > 0 && i < 3; i++)
    if (!debye_text_is_number(get_column(line, length, width, i)))
      return 15;
  return width > 0 ? 90 : 15;
}

/* --- Walking from frame to frame --- */

typedef struct {
  guint64 offset;
  gsize n_atoms;
  double time;
  gint64 step;
} FrameHead;

static gboolean
read_count(DebyeLineReader *lines, gsize *n_atoms, GError **error)
{
  return debye_text_require_count(lines, debye_text_line(lines), "atoms", LEAST_BYTES_OF_ATOM, n_atoms,
                                  error);
}

/* The title and the count; blank lines at the end of a file are no frame. FALSE without an error at the end. */
static gboolean
read_head(DebyeLineReader *lines, FrameHead *head, GError **error)
{
  head->time = NAN;
  head->step = -1;
  if (!debye_line_reader_next(lines, error))
    return FALSE;
  gboolean has_title = !debye_text_line_is_blank(lines);
  head->offset = lines->offset;
  debye_text_find_time(lines->text, lines->length, &head->time, &head->step);
  do {
    if (has_title ? !debye_text_require_line(lines, "the number of atoms", error)
                  : !debye_line_reader_next(lines, error))
      return FALSE;
  } while (!has_title && debye_text_line_is_blank(lines));
  return read_count(lines, &head->n_atoms, error);
}

#define MAX_BOX_FIELDS 10 /* one more than any box has */

static gboolean
has_two_points(DebyeTextField field)
{
  const char *point = memchr(field.text, '.', field.length);
  return point != NULL && memchr(point + 1, '.', (gsize)(field.text + field.length - point - 1)) != NULL;
}

/* Numbers that leave no blank between them. GROMACS writes all with as many decimals, which the last one, behind
 * which nothing stands, shows. The number of fields; 0 where the line can't be cut so. */
static gsize
cut_touching_numbers(DebyeTextField line, DebyeTextField fields[MAX_BOX_FIELDS])
{
  const char *at = line.text, *end = line.text + line.length, *last = memrchr(at, '.', line.length);
  gsize n_decimals = last != NULL ? (gsize)(end - last - 1) : 0, n = 0;
  while (at < end && n < MAX_BOX_FIELDS) {
    while (g_ascii_isspace(*at))
      at++;
    const char *point = memchr(at, '.', (gsize)(end - at));
    if (point == NULL || (gsize)(end - point - 1) < n_decimals)
      return 0;
    fields[n].text = at;
    at = point + 1 + n_decimals;
    fields[n].length = (gsize)(at - fields[n].text);
    n++;
  }
  return n;
}

/* Boxes from 1,000 nm on fill their ten columns, larger ones go beyond them. */
static gsize
split_box(const DebyeLineReader *lines, DebyeTextField fields[MAX_BOX_FIELDS])
{
  gsize n = debye_text_split(lines->text, lines->length, fields, MAX_BOX_FIELDS);
  for (gsize i = 0; i < n; i++)
    if (has_two_points(fields[i]))
      return cut_touching_numbers(debye_text_line(lines), fields);
  return n;
}

static gboolean
read_box_numbers(const DebyeLineReader *lines, double numbers[9], GError **error)
{
  DebyeTextField fields[MAX_BOX_FIELDS];
  gsize n = split_box(lines, fields);
  if (n != 3 && n != 9)
    return debye_line_reader_set_error(
        lines, error, DEBYE_ERROR_SYNTAX,
        "expected a box of three or nine numbers, found %" G_GSIZE_FORMAT " fields", n);
  for (gsize i = 0; i < 9; i++) {
    numbers[i] = 0.0;
    if (i < n && !debye_text_require_double(lines, fields[i], "the box", &numbers[i], error))
      return FALSE;
  }
  return TRUE;
}

/* v1x v2y v3z, then v1y v1z v2x v2z v3x v3y. */
static gboolean
make_cell(const double n[9], DebyeCell *cell)
{
  cell->a = debye_vec3_scale(debye_vec3(n[0], n[3], n[4]), NM);
  cell->b = debye_vec3_scale(debye_vec3(n[5], n[1], n[6]), NM);
  cell->c = debye_vec3_scale(debye_vec3(n[7], n[8], n[2]), NM);
  if (debye_cell_is_valid(cell))
    return TRUE;
  *cell = (DebyeCell){0};
  return FALSE;
}

/* Any lines will do. */
static gpointer
skip_part(DebyeTextPart *part, gpointer data G_GNUC_UNUSED)
{
  return part;
}

/* Passes the atoms and the box. A box that is missing at the end of the file costs a warning, not the frame. */
static gboolean
skip_frame(DebyeLineReader *lines, const FrameHead *head, DebyeFrameIndex *index, DebyeProgressFunc progress,
           gpointer data, GError **error)
{
  const gsize n_skipped =
      debye_text_read_blocks(lines, head->n_atoms, &(DebyeTextPartCalls){.work = skip_part});
  if (!debye_text_skip_lines(lines, head->n_atoms - n_skipped, "an atom", progress, data, error))
    return FALSE;
  double numbers[9];
  if (debye_line_reader_next(lines, error))
    return read_box_numbers(lines, numbers, error);
  if (lines->has_failed)
    return FALSE;
  debye_frame_index_warn(index, "the file ends before its last box: there is no cell");
  return TRUE;
}

static gboolean
index_frames(DebyeInput *input, DebyeFrameIndex *index, DebyeProgressFunc progress, gpointer data,
             GError **error)
{
  g_auto(DebyeLineReader) lines;
  debye_line_reader_init(&lines, input, 0, 1);
  DebyeTextFrames frames = {0};
  FrameHead head;
  GError *problem = NULL;
  while (read_head(&lines, &head, &problem) && skip_frame(&lines, &head, index, progress, data, &problem))
    debye_text_add_frame(&frames, index, head.offset, head.n_atoms, head.time);
  return debye_text_end_frames(&frames, index, input, problem, error);
}

/* --- The topology --- */

static gboolean
require_atom_line(const DebyeLineReader *lines, GError **error)
{
  if (lines->length > IDENTITY_COLUMNS && memchr(lines->text, '\t', IDENTITY_COLUMNS) == NULL)
    return TRUE;
  return debye_line_reader_set_error(lines, error, DEBYE_ERROR_SYNTAX,
                                     "expected an atom in GRO's columns, found a line of %" G_GSIZE_FORMAT
                                     " characters%s",
                                     lines->length, lines->length > IDENTITY_COLUMNS ? " with tabs" : "");
}

static gboolean
require_width(const DebyeLineReader *lines, gsize *width, GError **error)
{
  *width = find_width(lines->text, lines->length);
  if (*width > 0)
    return TRUE;
  return debye_line_reader_set_error(
      lines, error, DEBYE_ERROR_SYNTAX,
      "expected coordinates with decimal points, found none from column 21 on");
}

static gboolean
add_atom(const DebyeLineReader *lines, DebyeTopologyBuilder *builder, GError **error)
{
  if (!require_atom_line(lines, error))
    return FALSE;
  DebyeTextField number_field = debye_text_columns(lines->text, lines->length, 0, 5);
  DebyeTextField residue = debye_text_columns(lines->text, lines->length, 5, 10);
  DebyeTextField name = debye_text_columns(lines->text, lines->length, 10, 15);
  DebyeTextField serial_field = debye_text_columns(lines->text, lines->length, 15, 20);
  gint64 number = 0, serial;
  if (number_field.length > 0 && !debye_text_to_int(number_field.text, number_field.length, &number)) {
    g_autofree char *found = debye_text_quote(number_field);
    return debye_line_reader_set_error(lines, error, DEBYE_ERROR_SYNTAX,
                                       "expected a residue's number, found %s", found);
  }
  debye_topology_builder_set_residue(builder, residue.text, (gssize)residue.length, (gint32)number, '\0',
                                     NULL, 0, NULL, 0);
  DebyeAtom atom = DEBYE_ATOM_INIT;
  atom.name = name.text;
  atom.name_length = (gssize)name.length;
  if (debye_text_to_int(serial_field.text, serial_field.length, &serial))
    atom.serial = (gint32)serial;
  debye_topology_builder_add_atom(builder, &atom);
  return TRUE;
}

static gpointer
read_part_of_topology(DebyeTextPart *part, gpointer data G_GNUC_UNUSED)
{
  g_autoptr(DebyeTopologyBuilder) builder = debye_topology_builder_new();
  for (gsize i = 0; i < part->n; i++, debye_text_part_next(part))
    if (!add_atom(&part->line, builder, NULL))
      return NULL;
  return g_steal_pointer(&builder);
}

static void
take_part_of_topology(gpointer result, gpointer data)
{
  debye_topology_builder_append(data, result);
  debye_topology_builder_free(result);
}

static gboolean
read_topology(DebyeInput *input, DebyeTopologyBuilder *builder, GError **error)
{
  g_auto(DebyeLineReader) lines;
  debye_line_reader_init(&lines, input, 0, 1);
  if (!debye_text_require_line(&lines, "a title", error))
    return FALSE;
  debye_topology_builder_set_title(builder, lines.text, (gssize)lines.length);
  gsize n_atoms;
  if (!debye_text_require_line(&lines, "the number of atoms", error) || !read_count(&lines, &n_atoms, error))
    return FALSE;
  const DebyeTextPartCalls calls = {read_part_of_topology, take_part_of_topology,
                                    (GDestroyNotify)debye_topology_builder_free, builder};
  for (gsize i = 0; i < n_atoms; i++) {
    gsize width;
    if (!debye_text_require_line(&lines, "an atom", error) || !add_atom(&lines, builder, error) ||
        (i == 0 && !require_width(&lines, &width, error)))
      return FALSE;
    if (i == 0)
      i += debye_text_read_blocks(&lines, n_atoms - 1, &calls);
  }
  return TRUE;
}

/* --- Coordinates --- */

static gboolean
read_velocity(const DebyeLineReader *lines, gsize width, DebyeFrame *frame, gsize atom, GError **error)
{
  /* Velocities may stand in some lines only; the others rest. */
  if (get_column(lines->text, lines->length, width, 3).length == 0)
    return TRUE;
  if (frame->vx == NULL) {
    if (!debye_frame_add_velocities(frame))
      return debye_error_set_memory(error, debye_input_get_name(lines->input), frame->n_atoms, "velocities");
    memset(frame->vx, 0, frame->n_atoms * sizeof(float));
    memset(frame->vy, 0, frame->n_atoms * sizeof(float));
    memset(frame->vz, 0, frame->n_atoms * sizeof(float));
  }
  float *const velocity[] = {frame->vx, frame->vy, frame->vz};
  for (gsize i = 0; i < 3; i++) {
    double value;
    DebyeTextField field = get_column(lines->text, lines->length, width, 3 + i);
    if (!debye_text_require_double(lines, field, "a velocity", &value, error))
      return FALSE;
    velocity[i][atom] = (float)(value * NM);
  }
  return TRUE;
}

static gboolean
read_atom(const DebyeLineReader *lines, gsize *width, DebyeFrame *frame, gsize atom, GError **error)
{
  static const char *const axes[] = {"x", "y", "z"};
  if (!require_atom_line(lines, error))
    return FALSE;
  if (*width == 0 && !require_width(lines, width, error))
    return FALSE;
  float *const position[] = {frame->x, frame->y, frame->z};
  for (gsize i = 0; i < 3; i++) {
    double value;
    if (!debye_text_require_double(lines, get_column(lines->text, lines->length, *width, i), axes[i], &value,
                                   error))
      return FALSE;
    position[i][atom] = (float)(value * NM);
  }
  return read_velocity(lines, *width, frame, atom, error);
}

typedef struct {
  DebyeFrame *frame;
  gsize width;
} PartOfFrame;

/* Of the atoms behind the first one, which has shown whether there are velocities. */
static gpointer
read_part_of_frame(DebyeTextPart *part, gpointer data)
{
  PartOfFrame *target = data;
  const gboolean may_have_velocities = target->frame->vx != NULL;
  for (gsize i = 0; i < part->n; i++, debye_text_part_next(part))
    if ((!may_have_velocities &&
         get_column(part->line.text, part->line.length, target->width, 3).length > 0) ||
        !read_atom(&part->line, &target->width, target->frame, 1 + part->first + i, NULL))
      return NULL;
  return target;
}

static gboolean
parse_frame(DebyeLineReader *lines, gpointer state, DebyeFrame *frame, GError **error)
{
  (void)state;
  FrameHead head;
  gsize width = 0;
  double numbers[9];
  if (!read_head(lines, &head, error) ||
      !debye_text_require_n_atoms(lines, frame->n_atoms, head.n_atoms, error))
    return FALSE;
  frame->time = head.time;
  frame->step = head.step;
  for (gsize i = 0; i < head.n_atoms; i++) {
    if (!debye_text_require_line(lines, "an atom", error) || !read_atom(lines, &width, frame, i, error))
      return FALSE;
    if (i == 0) {
      PartOfFrame rest = {frame, width};
      i += debye_text_read_blocks(lines, head.n_atoms - 1,
                                  &(DebyeTextPartCalls){read_part_of_frame, .data = &rest});
    }
  }
  /* A box that is missing at the end was warned of when the frames were looked up. */
  if (!debye_line_reader_next(lines, NULL))
    return TRUE;
  if (!read_box_numbers(lines, numbers, error))
    return FALSE;
  frame->has_cell = make_cell(numbers, &frame->cell);
  return TRUE;
}

DEBYE_TEXT_READ_FRAME(parse_frame)

/* --- Writing: columns that every program reads, three decimals in nm, four for velocities --- */

static gpointer
writer_new(GOutputStream *stream, DebyeTopology *topology, gsize n_atoms, gsize n_frames, GError **error)
{
  return debye_text_output_new(stream, topology, n_atoms, n_frames,
                               N_("GRO files need the names of the atoms they hold"), error);
}

static void
write_head(const DebyeTextOutput *writer, const DebyeFrame *frame)
{
  char time[G_ASCII_DTOSTR_BUF_SIZE];
  const char *title = debye_topology_get_title(writer->topology);
  debye_text_writer_put_one_line(writer->text, title[0] != '\0' ? title : "Written by Debye");
  if (isfinite(frame->time))
    debye_text_put_formatted(writer->text, " t= %s", g_ascii_formatd(time, sizeof time, "%.5f", frame->time));
  if (frame->step >= 0)
    debye_text_put_formatted(writer->text, " step= %" G_GINT64_FORMAT, frame->step);
  if (writer->n_written == 0 && writer->n_frames > 1)
    debye_text_put_room(writer->text, writer->n_frames);
  debye_text_put_formatted(writer->text, "\n%5" G_GSIZE_FORMAT "\n", frame->n_atoms);
}

static gboolean
write_atom(const DebyeTextOutput *writer, const DebyeFrame *frame, gsize atom)
{
  DebyeTextWriter *text = writer->text;
  const DebyeStringPool *pool = debye_topology_get_string_pool(writer->topology);
  const DebyeResidue *residue = &debye_topology_get_residue_table(
      writer->topology)[debye_topology_get_residues(writer->topology)[atom]];
  const float *position[] = {frame->x, frame->y, frame->z};
  const float *velocity[] = {frame->vx, frame->vy, frame->vz};
  /* Both counters start again after 99999, as GROMACS writes them. */
  debye_text_put_formatted(text, "%5d", residue->number % 100000);
  debye_text_put_padded(text, debye_string_pool_get(pool, residue->name), -5);
  debye_text_put_padded(text, debye_string_pool_get(pool, debye_topology_get_names(writer->topology)[atom]),
                        5);
  debye_text_put_formatted(text, "%5u", (guint)((atom + 1) % 100000));
  for (int axis = 0; axis < 3; axis++)
    if (!debye_text_put_fixed(text, position[axis][atom] / NM, 8, 3))
      return FALSE;
  for (int axis = 0; frame->vx != NULL && axis < 3; axis++)
    if (!debye_text_put_fixed(text, velocity[axis][atom] / NM, 8, 4))
      return FALSE;
  debye_text_writer_put_string(text, "\n");
  return TRUE;
}

static gboolean
write_box(DebyeTextWriter *text, const DebyeFrame *frame)
{
  const DebyeCell *cell = &frame->cell;
  const double numbers[9] = {cell->a.x, cell->b.y, cell->c.z, cell->a.y, cell->a.z,
                             cell->b.x, cell->b.z, cell->c.x, cell->c.y};
  gboolean is_rectangular = TRUE;
  for (int i = 3; i < 9; i++)
    is_rectangular = is_rectangular && numbers[i] == 0.0;
  for (int i = 0; i < (is_rectangular ? 3 : 9); i++)
    if (!debye_text_put_fixed(text, frame->has_cell ? numbers[i] / NM : 0.0, 10, 5))
      return FALSE;
  debye_text_writer_put_string(text, "\n");
  return TRUE;
}

static gboolean
write_frame(gpointer data, const DebyeFrame *frame, GError **error)
{
  DebyeTextOutput *writer = data;
  gboolean fits = TRUE;
  gsize atom = 0;
  write_head(writer, frame);
  while (fits && atom < frame->n_atoms)
    fits = write_atom(writer, frame, atom++);
  if (fits && write_box(writer->text, frame)) {
    writer->n_written++;
    return TRUE;
  }
  return debye_error_set(error, DEBYE_ERROR_WRITE,
                         "frame %" G_GSIZE_FORMAT ", %s %" G_GSIZE_FORMAT ": expected numbers that fit GRO's "
                         "columns, found others",
                         frame->index, fits ? "the box after atom" : "atom", atom - 1);
}

const DebyeFormat debye_format_gro = {
    .name = "gro",
    .title = "GROMACS structure",
    .suffixes = (const char *const[]){"gro", NULL},
    .probe = probe,
    .read_topology = read_topology,
    .index_frames = index_frames,
    .reader_new = debye_text_reader_new,
    .read_frame = read_frame,
    .reader_free = g_free,
    .write_flags = DEBYE_WRITE_TOPOLOGY | DEBYE_WRITE_MANY | DEBYE_WRITE_ALIGNED,
    .writer_new = writer_new,
    .write_frame = write_frame,
    .writer_finish = debye_text_output_finish,
};
