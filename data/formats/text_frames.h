/* SPDX-License-Identifier: MIT */
/* What the text formats of structures (PDB, GRO, XYZ, …) share: frames by their offset, an index as it is
 * made, the room for a remark in the first frame. */
#pragma once

#include "format.h"
#include "data/files/text_fields.h"
#include "data/files/text_writer.h"

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
/* The function read_frame of a format whose reader is the state of `parse`. */
#define DEBYE_TEXT_READ_FRAME(parse)                                                           \
  static gboolean read_frame(gpointer reader, DebyeInput *input, const DebyeFrameIndex *index, \
                             gsize frame_number, DebyeFrame *frame, GError **error)            \
  {                                                                                            \
    return debye_text_read_frame(input, index, frame_number, parse, reader, frame, error);     \
  }

/* "t= 12.5 step= 3" in a title, as GROMACS writes it. Values not found stay as they are. */
void debye_text_find_time(const char *line, gsize length, double *time, gint64 *step);

/* Frames as an index is made: those with the first one's number of atoms are taken, others counted. */
typedef struct {
  gsize n_frames, n_others, first_other, first_other_atoms;
  double first_time, last_time; /* of the frames that are used */
  GArray *offsets; /* guint64, of all frames, for formats that can use all; NULL: this one can't */
  gsize least_atoms, most_atoms;
  double very_last_time;
} DebyeTextFrames;

void debye_text_add_frame(DebyeTextFrames *frames, DebyeFrameIndex *index, guint64 offset, gsize n_atoms,
                          double time);
/* Takes all frames, whose atoms are some of `n_atoms`, instead of those with the first one's number; a warning says so. Not
 * where a structure of another file has fewer atoms, or may have them in another order: that of atoms without ids
 * (`by_order`) is known only if the first frame has all. */
void debye_text_use_all_frames(DebyeTextFrames *frames, DebyeFrameIndex *index, gsize n_atoms,
                               gboolean by_order);
/* The warning that it can't be told which atoms frames of another number have, with the reason. */
void debye_text_warn_of_odd_frames(DebyeFrameIndex *index, const GError *reason);
/* A frame's atoms have no coordinates unless some are stored: for one that lacks atoms. */
void debye_text_empty_frame(DebyeFrame *frame);
/* What stands in the file after the whole frames: an error with none, a warning otherwise. Takes `problem`. */
gboolean debye_text_end_frames(DebyeTextFrames *frames, DebyeFrameIndex *index, DebyeInput *input,
                               GError *problem, GError **error);

/* For formats whose frames have a line of remarks: room in the first one's, blanks that are made into
 * ` partial="12 of 4000 frames"` where the file ends before the frames that were announced. */
void debye_text_put_room(DebyeTextWriter *writer, gsize n_frames);

/* What writers of frames as text have. */
typedef struct {
  DebyeTextWriter *text;
  DebyeTopology *topology;
  gsize n_frames, n_written;
} DebyeTextOutput;

/* NULL with an error, the sentence `lacks_names`, without a topology of all the atoms. */
DebyeTextOutput *debye_text_output_new(GOutputStream *stream, DebyeTopology *topology, gsize n_atoms,
                                       gsize n_frames, const char *lacks_names, GError **error);
void debye_text_output_free(DebyeTextOutput *output);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(DebyeTextOutput, debye_text_output_free)
/* The function writer_finish of a format with room for that remark. */
gboolean debye_text_output_finish(gpointer output, GError **error);
