/* SPDX-License-Identifier: MIT */
/* The records of a PDB file, which PQR files are made of too: what a line is, where models begin and end, the
 * cell. */
#pragma once

#include "data/formats/text_frames.h"

typedef enum {
  DEBYE_PDB_OTHER,
  DEBYE_PDB_ATOM, /* and HETATM */
  DEBYE_PDB_MODEL,
  DEBYE_PDB_END_OF_MODEL, /* ENDMDL and END: VMD ends each frame with END alone */
  DEBYE_PDB_CELL,
  DEBYE_PDB_CONNECT,
  DEBYE_PDB_TERMINATOR,
  DEBYE_PDB_TITLE,
} DebyePdbRecord;

DebyePdbRecord debye_pdb_get_record(const char *line, gsize length);

gboolean debye_pdb_index_frames(DebyeInput *input, DebyeFrameIndex *index, DebyeProgressFunc progress,
                                gpointer data, GError **error);

/* Coordinates of one atom line. */
typedef gboolean (*DebyePdbAtomFunc)(const DebyeLineReader *lines, double position[3], GError **error);

typedef struct _DebyePdbReader DebyePdbReader;
DebyePdbReader *debye_pdb_reader_new(DebyeInput *input, const DebyeFrameIndex *index,
                                     DebyePdbAtomFunc read_atom, GError **error);
gboolean debye_pdb_reader_read(gpointer reader, DebyeInput *input, const DebyeFrameIndex *index,
                               gsize frame_number, DebyeFrame *frame, GError **error);

/* Numbers that a five- (serials) or four-character (residues) column can't hold: hybrid-36, and the
 * hexadecimal of VMD. */
gboolean debye_pdb_decode_hybrid36(DebyeTextField field, int width, gint64 *value);
void debye_pdb_encode_hybrid36(gint64 value, int width, char text[8]);
