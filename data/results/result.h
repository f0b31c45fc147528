/* SPDX-License-Identifier: MIT */
/* What an analysis made: maps, curves, values over two axes and tables, with the request and the story of how
 * it was computed, so that it can be computed again from its own file. But for its name immutable once handed over. */
#pragma once

#include "curve.h"
#include "field.h"
#include "matrix.h"
#include "note.h"
#include "data/files/hashing.h"
#include "data/files/provenance.h"
#include "data/settings/request.h"
#include "stages.h"
#include "table.h"

#define DEBYE_TYPE_RESULT (debye_result_get_type())
G_DECLARE_FINAL_TYPE(DebyeResult, debye_result, DEBYE, RESULT, GObject)

DebyeResult *debye_result_new(DebyeRequest *request, const char *title);
DebyeRequest *debye_result_get_request(DebyeResult *self);
/* `title` may be a message (data/messages/message.h). */
const char *debye_result_get_title(DebyeResult *self); /* in English */
const char *debye_result_get_title_message(DebyeResult *self);

/* A person's own name for it, which HDF5 files keep; NULL or blanks: none. On the main thread; emits "renamed". */
void debye_result_set_name(DebyeResult *self, const char *name);
char *debye_result_dup_name(DebyeResult *self); /* NULL: none; on any thread; free with g_free */

/* The maker fills it, then hands it over. The first field is the default one. */
void debye_result_add_array(DebyeResult *self, DebyeArray *array);
GListModel *debye_result_get_arrays(DebyeResult *self, guint n_axes); /* those over so many axes */
#define debye_result_add_field(result, field) debye_result_add_array(result, DEBYE_ARRAY(field))
#define debye_result_get_fields(result) debye_result_get_arrays(result, 3) /* of DebyeField */
/* The default plot of the file is the first field, else the first curve, matrix, table. Curves of one result
 * should have names of their own. The first table is what the analysis writes as CSV; without one, that is
 * made from the field, the curves or the matrix. */
#define debye_result_add_curve debye_result_add_array
#define debye_result_add_matrix debye_result_add_array
#define debye_result_get_curves(result) debye_result_get_arrays(result, 1)   /* of DebyeCurve */
#define debye_result_get_matrices(result) debye_result_get_arrays(result, 2) /* of DebyeMatrix */
void debye_result_add_table(DebyeResult *self, DebyeTable *table);
GListModel *debye_result_get_tables(DebyeResult *self); /* of DebyeTable */
/* The first of that name, which the result keeps; NULL: none. */
DebyeTable *debye_result_find_table(DebyeResult *self, const char *name);
gboolean debye_result_is_empty(DebyeResult *self); /* none of all that */

/* The molecule that its maps are of, for files that hold atoms beside a map (.cube); it isn't kept in HDF5. */
void debye_result_set_molecule(DebyeResult *self, DebyeTopology *topology, const DebyeFrame *frame);
/* NULL: none. */
DebyeTopology *debye_result_get_molecule(DebyeResult *self, const DebyeFrame **frame);

/* Provenance. */
void debye_result_set_inputs(DebyeResult *self, const char *const *paths);
const char *const *debye_result_get_inputs(DebyeResult *self);
/* Names, sizes and SHA-256 of the inputs: read through once, then kept; an input that has gone
 * has none. Saving to HDF5 needs them; an analysis that has time may ask before. A loaded
 * result gives those of its file. (element-type DebyeInputRecord) */
GPtrArray *debye_result_get_input_records(DebyeResult *self, GCancellable *cancellable, GError **error);
void debye_result_set_input_records(DebyeResult *self, GPtrArray *records);
/* Computes the SHA-256 of its inputs; kept until they are asked for. */
void debye_result_set_hashing(DebyeResult *self, DebyeHashing *hashing);
/* The same of the files that settings name, in the order of the settings: rows of q, measured curves. A file
 * that can't be read has no SHA-256. (element-type DebyeInputRecord) */
GPtrArray *debye_result_get_setting_records(DebyeResult *self);
void debye_result_set_setting_records(DebyeResult *self, GPtrArray *records);
/* A plain note: devices, lanes, why others were not used … */
void debye_result_add_note(DebyeResult *self, const char *format, ...) G_GNUC_PRINTF(2, 3);
/* One that programs look for: see note.h for `kind` and `about`. */
void debye_result_add_note_of(DebyeResult *self, DebyeNoteKind kind, const char *about, const char *format,
                              ...) G_GNUC_PRINTF(4, 5);
void debye_result_take_note(DebyeResult *self, DebyeNote *note); /* (transfer full) */
void debye_result_copy_notes(DebyeResult *self, GPtrArray *notes);
GPtrArray *debye_result_get_notes(DebyeResult *self); /* (element-type DebyeNote) (transfer none) */
void debye_result_set_partial(DebyeResult *self, gboolean partial);
gboolean debye_result_is_partial(DebyeResult *self);
void debye_result_set_wall_time(DebyeResult *self, double seconds);
double debye_result_get_wall_time(DebyeResult *self);
/* What that time went to, and what was beside it; all zero where it isn't known. */
void debye_result_set_stages(DebyeResult *self, const DebyeStages *stages);
const DebyeStages *debye_result_get_stages(DebyeResult *self);
/* When it was made and by which version of the program; one that is new is of now and of this one. NULL: the
 * file that it was loaded from doesn't say. */
void debye_result_set_origin(DebyeResult *self, GDateTime *created, const char *version);
GDateTime *debye_result_get_created(DebyeResult *self);
const char *debye_result_get_version(DebyeResult *self);
/* The command line that a loaded result was saved with; NULL: none. */
void debye_result_set_command(DebyeResult *self, const char *command);
const char *debye_result_get_command(DebyeResult *self);

/* By ending: .h5 (all of it, as NeXus NXdata), .dx .cube .ccp4/.mrc (the default field), .csv. Written beside
 * and renamed: the old file or the new one stands. `command`: the line that makes it again, or NULL. */
gboolean debye_result_save(DebyeResult *self, const char *path, const char *command, GError **error);
/* Some numbers of it, as CSV under the same header. */
gboolean debye_result_save_table(DebyeResult *self, DebyeTable *table, const char *path, const char *command,
                                 GError **error);
/* The id of the analysis that a result file is of. */
char *debye_result_load_analysis(const char *path, GError **error);
/* The request in a result file, for `rerun`; `find_table` maps an analysis id to its table. A setting that
 * this version doesn't know is an error: the result would not be the same. */
DebyeRequest *debye_result_load_request(const char *path,
                                        const DebyeSettingTable *(*find_table)(const char *id),
                                        char ***inputs, GError **error);
/* A whole result back: what it holds, request, notes, provenance. A setting that this version doesn't know
 * becomes a note. */
DebyeResult *debye_result_load(const char *path, const DebyeSettingTable *(*find_table)(const char *id),
                               GError **error);
/* The same of an analysis that is known (debye_result_load_analysis), by its table. */
DebyeResult *debye_result_load_of(const char *path, const DebyeSettingTable *table, GError **error);
