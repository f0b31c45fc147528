/* SPDX-License-Identifier: MIT */
/* What the text formats (PDB, PQR, GRO, PSF, XYZ) share: looking at the first lines, fields of a line as
 * numbers with an error that names the line, frames by their offset, fixed-point numbers for writing. */
#pragma once

#include "format.h"
#include "text_writer.h"

G_BEGIN_DECLS

/* The lines of a file's first bytes, for probes. A last line that may go on beyond them
 * is left out, unless it is very long. */
typedef struct {
  const char *at, *end;
  gboolean ends_with_file;
} DebyeTextHead;

DebyeTextHead debye_text_head(const guint8 *head, gsize n);
gboolean debye_text_head_next(DebyeTextHead *head, const char **line, gsize *length);

/* A piece of text from a line: not NUL-terminated. */
typedef struct {
  const char *text;
  gsize length;
} DebyeTextField;

/* The columns first … last-1 (0-based), as far as the line has them, without blanks at both ends. */
DebyeTextField debye_text_columns(const char *line, gsize length, gsize first, gsize last);
/* Blanks-separated fields of a line, at most `capacity`; the number of them. */
gsize debye_text_split(const char *line, gsize length, DebyeTextField *fields, gsize capacity);
gboolean debye_text_field_is(DebyeTextField field, const char *text);
gboolean debye_text_is_number(DebyeTextField field);

/* The field as a number, or an error of the current line: expected a number for WHAT, found “…”. */
gboolean debye_text_require_double(const DebyeLineReader *lines, DebyeTextField field, const char *what,
                                   double *value, GError **error);
gboolean debye_text_require_int(const DebyeLineReader *lines, DebyeTextField field, const char *what,
                                gint64 *value, GError **error);
/* The field as a number of `what`, or an error of the current line. A number that the rest of the file can't
 * hold, where each takes `least_bytes`, is refused before anything is allocated for it. */
gboolean debye_text_require_count(const DebyeLineReader *lines, DebyeTextField field, const char *what,
                                  gsize least_bytes, gsize *count, GError **error);
/* The whole current line, without blanks at both ends. */
DebyeTextField debye_text_line(const DebyeLineReader *lines);
gboolean debye_text_line_is_blank(const DebyeLineReader *lines);
/* expected WHAT, found the end of the file */
void debye_text_set_truncated(const DebyeLineReader *lines, GError **error, const char *what);
/* The next line, or an error: expected WHAT, found the end of the file. */
gboolean debye_text_require_line(DebyeLineReader *lines, const char *what, GError **error);
/* A field as it may stand in a message: valid, short, one line. */
char *debye_text_quote(DebyeTextField field);

/* Now and then: how far the reader is. FALSE with G_IO_ERROR_CANCELLED when the caller doesn't want more. */
gboolean debye_text_report(const DebyeLineReader *lines, DebyeProgressFunc progress, gpointer data,
                           GError **error);

/* Passes `n` lines, each a WHAT, with reports. */
gboolean debye_text_skip_lines(DebyeLineReader *lines, gsize n, const char *what, DebyeProgressFunc progress,
                               gpointer data, GError **error);
/* A frame that has another number of atoms than its trajectory is an error of the current line. */
gboolean debye_text_require_n_atoms(const DebyeLineReader *lines, gsize expected, gsize found,
                                    GError **error);

/* For formats whose frames need nothing from one another: a reader without state, freed by g_free. */
gpointer debye_text_reader_new(DebyeInput *input, const DebyeFrameIndex *index, GError **error);

/* Reads one frame with `parse`, whose reader stands at the frame's first line. Lines are only counted, from
 * the start of the file, when there is an error to tell. */
typedef gboolean (*DebyeTextFrameFunc)(DebyeLineReader *lines, gpointer state, DebyeFrame *frame,
                                       GError **error);
gboolean debye_text_read_frame(DebyeInput *input, const DebyeFrameIndex *index, gsize frame_number,
                               DebyeTextFrameFunc parse, gpointer state, DebyeFrame *frame, GError **error);

/* "t= 12.5 step= 3" in a title, as GROMACS writes it. Values not found stay as they are. */
void debye_text_find_time(const char *line, gsize length, double *time, gint64 *step);

/* Frames as an index is made: those with the first one's number of atoms are taken, others counted. */
typedef struct {
  gsize n_frames, n_others, first_other, first_other_atoms;
  double first_time, last_time; /* of the frames that are used */
} DebyeTextFrames;

void debye_text_add_frame(DebyeTextFrames *frames, DebyeFrameIndex *index, guint64 offset, gsize n_atoms,
                          double time);
/* What stands in the file after the whole frames: an error with none, a warning otherwise. Takes `problem`.
 */
gboolean debye_text_end_frames(DebyeTextFrames *frames, DebyeFrameIndex *index, DebyeInput *input,
                               GError *problem, GError **error);

/* %width.decimals f with a dot in every locale. FALSE where the number doesn't fit or is none. */
gboolean debye_text_put_fixed(DebyeTextWriter *writer, double value, int width, int decimals);
/* Left- or right-justified (width < 0: left), cut to the width. */
void debye_text_put_padded(DebyeTextWriter *writer, const char *text, int width);
/* For formats whose frames have a line of remarks: room in the first one's, blanks that are made into
 * ` partial="12 of 4000 frames"` where the file ends before the frames that were announced. */
void debye_text_put_room(DebyeTextWriter *writer, gsize n_frames);
gboolean debye_text_finish_frames(DebyeTextWriter *writer, gsize n_written, gsize n_frames, GError **error);
void debye_text_put_formatted(DebyeTextWriter *writer, const char *format, ...) G_GNUC_PRINTF(2, 3);

G_END_DECLS
