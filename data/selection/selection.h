/* SPDX-License-Identifier: MIT */
/* The selection language: what people know from VMD and MDAnalysis. See selection_parser.c for the grammar. */
#pragma once

#include "data/molecule/frame.h"
#include "data/molecule/topology.h"

typedef struct _DebyeSelection DebyeSelection;

/* Immutable once parsed. Errors are DEBYE_ERROR_SELECTION and show the column with a caret line; `column`,
 * where not NULL, gets the 0-based place in characters. An empty text means "all". */
DebyeSelection *debye_selection_parse(const char *text, guint *column, GError **error);
DebyeSelection *debye_selection_ref(DebyeSelection *selection);
void debye_selection_unref(DebyeSelection *selection);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(DebyeSelection, debye_selection_unref)

const char *debye_selection_get_text(const DebyeSelection *selection);
/* TRUE where positions decide (within, x < 5 …): evaluate again for each frame. */
gboolean debye_selection_is_dynamic(const DebyeSelection *selection);

/* The selection with each bare name written out: "OW or CA" is "name OW or name CA" if atoms
 * have these names. A bare name means the atoms' names if one fits, else elements, else
 * residue names, else types. NULL: there is none to write out. */
char *debye_selection_spell_out(const DebyeSelection *selection, DebyeTopology *topology);

/* Atom indices, ascending. `frame` may be NULL when the selection isn't dynamic; with one, its cell makes
 * distances periodic. Never NULL but on error; an empty result is not an error. */
GArray *debye_selection_evaluate(const DebyeSelection *selection, DebyeTopology *topology,
                                 const DebyeFrame *frame, GError **error); /* (element-type guint32) */

/* Words that may follow at the end of `text`, for completion: keywords, and the names, residues, chains … of
 * the topology. NULL-terminated, to be freed. */
char **debye_selection_complete(const char *text, DebyeTopology *topology);
