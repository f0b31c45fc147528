/* SPDX-License-Identifier: MIT */
/* TPR, GROMACS' run input file, from GROMACS 4.5 (2010) on: the whole system with names, charges, masses and
 * bonds, and the coordinates and velocities that the run began with. The layout follows what GROMACS' tpxio
 * reads; what belongs to the run itself comes behind and isn't looked at. */
#include "format_tpr.h"

#include "data/files/error.h"
#include "data/formats/format.h"
#include "data/files/xdr.h"

#define TEXT "VERSION "
#define TEXT_BYTES 8
#define TEXT_AT 8 /* behind its length, twice */
#define TEXT_MAXIMUM 4096

#define VERSION_OLDEST 73 /* GROMACS 4.5 */
#define VERSION_COUPLING_STATE 79
#define VERSION_TAG 81
#define VERSION_SIZE 119
/* The generation changes when older programs could no longer read the topology. */
#define GENERATION_SIZE 27
#define GENERATION_NEWEST 29

typedef struct {
  gsize n_atoms;
  gsize n_groups; /* of temperature coupling */
  gboolean has_topology, has_coordinates, has_velocities, has_cell;
} Head;

/* Where what a frame has stands in the file. */
typedef struct {
  Head head;
  gsize real_bytes;
  guint64 cell_at, coordinates_at;
} Layout;

static int
probe(const guint8 *head, gsize n)
{
  if (n < TEXT_AT + TEXT_BYTES || debye_xdr_get_uint32(head + 4) > TEXT_MAXIMUM)
    return 0;
  return memcmp(head + TEXT_AT, TEXT, TEXT_BYTES) == 0 ? 100 : 0;
}

gboolean
debye_tpr_probe(const guint8 *head, gsize n)
{
  return probe(head, n) > 0;
}

/* --- The head: always XDR --- */

static void
check_version(DebyeTprCursor *cursor, const char *program, gint32 generation)
{
  if (cursor->version < VERSION_OLDEST)
    debye_tpr_cursor_fail(cursor, DEBYE_ERROR_UNKNOWN,
                          "expected a run input file of GROMACS 4.5 or newer (version %d), found “%s” "
                          "(version %d)",
                          VERSION_OLDEST, program, cursor->version);
  if (generation > GENERATION_NEWEST)
    debye_tpr_cursor_fail(cursor, DEBYE_ERROR_UNKNOWN,
                          "expected generation %d of run input files or older, found “%s” with generation "
                          "%d, which is newer than what is known here",
                          GENERATION_NEWEST, program, generation);
}

static void
read_versions(DebyeTprCursor *cursor, gint32 *generation)
{
  g_autofree char *program = debye_tpr_cursor_read_string(cursor);
  gint32 real_bytes = debye_tpr_cursor_read_int(cursor);
  if (real_bytes != sizeof(float) && real_bytes != sizeof(double))
    debye_tpr_cursor_fail(cursor, DEBYE_ERROR_SYNTAX, "expected reals of 4 or 8 bytes, found %d", real_bytes);
  cursor->real_bytes = real_bytes == sizeof(double) ? sizeof(double) : sizeof(float);
  cursor->version = debye_tpr_cursor_read_int(cursor);
  /* For a while the tag stood before the generation. */
  if (cursor->version >= 77 && cursor->version <= 79)
    g_free(debye_tpr_cursor_read_string(cursor));
  *generation = debye_tpr_cursor_read_int(cursor);
  if (cursor->version >= VERSION_TAG)
    g_free(debye_tpr_cursor_read_string(cursor));
  if (cursor->error == NULL)
    check_version(cursor, program, *generation);
}

static void
read_head(DebyeTprCursor *cursor, Head *head)
{
  gint32 generation;
  read_versions(cursor, &generation);
  gint32 n_atoms = debye_tpr_cursor_read_int(cursor);
  head->n_atoms = (gsize)MAX(n_atoms, 0);
  head->n_groups = debye_tpr_cursor_read_count(cursor, 4, "groups of temperature coupling");
  if (cursor->version >= VERSION_COUPLING_STATE)
    debye_tpr_cursor_skip_ints(cursor, 1);
  debye_tpr_cursor_skip_reals(cursor, 1);
  debye_tpr_cursor_skip_ints(cursor, 1); /* whether the run's parameters are there */
  head->has_topology = debye_tpr_cursor_read_int(cursor) != 0;
  head->has_coordinates = debye_tpr_cursor_read_int(cursor) != 0;
  head->has_velocities = debye_tpr_cursor_read_int(cursor) != 0;
  debye_tpr_cursor_skip_ints(cursor, 1); /* forces */
  head->has_cell = debye_tpr_cursor_read_int(cursor) != 0;
  if (cursor->version >= VERSION_SIZE && generation >= GENERATION_SIZE) {
    debye_tpr_cursor_skip(cursor, 1, sizeof(gint64)); /* the size of what follows */
    cursor->is_packed = TRUE;
  }
  if (n_atoms <= 0)
    debye_tpr_cursor_fail(cursor, DEBYE_ERROR_SYNTAX, "expected a number of atoms, found %d", n_atoms);
  if (!head->has_topology)
    debye_tpr_cursor_fail(cursor, DEBYE_ERROR_MISSING, "expected the system's topology, found none");
}

/* --- The whole --- */

/* The cell, its relative form and its velocity; then one real for each group of temperature coupling. */
static DebyeTprSystem *
read_all(DebyeTprCursor *cursor, Layout *layout, GError **error)
{
  read_head(cursor, &layout->head);
  layout->real_bytes = cursor->real_bytes;
  layout->cell_at = cursor->at;
  if (layout->head.has_cell)
    debye_tpr_cursor_skip_reals(cursor, 27);
  debye_tpr_cursor_skip_reals(cursor, layout->head.n_groups);
  if (!debye_tpr_cursor_check(cursor, error))
    return NULL;
  g_autoptr(DebyeTprSystem) system = debye_tpr_system_read(cursor, layout->head.n_atoms, error);
  layout->coordinates_at = cursor->at;
  return g_steal_pointer(&system);
}

static gboolean
read_topology(DebyeInput *input, DebyeTopologyBuilder *builder, GError **error)
{
  g_auto(DebyeTprCursor) cursor = {.input = input, .end = debye_input_get_size(input)};
  Layout layout = {0};
  g_autoptr(DebyeTprSystem) system = read_all(&cursor, &layout, error);
  return system != NULL && debye_tpr_system_build(system, input, builder, error);
}

gboolean
debye_tpr_read_types(DebyeInput *input, DebyeTprTypeFunc func, gpointer data, GError **error)
{
  g_auto(DebyeTprCursor) cursor = {.input = input, .end = debye_input_get_size(input)};
  Layout layout = {0};
  g_autoptr(DebyeTprSystem) system = read_all(&cursor, &layout, error);
  return system != NULL && debye_tpr_system_list_types(system, input, func, data, error);
}

static gboolean
find_layout(DebyeInput *input, Layout *layout, GError **error)
{
  g_auto(DebyeTprCursor) cursor = {.input = input, .end = debye_input_get_size(input)};
  g_autoptr(DebyeTprSystem) system = read_all(&cursor, layout, error);
  if (system == NULL)
    return FALSE;
  if (!layout->head.has_coordinates)
    return debye_input_set_error(input, error, DEBYE_ERROR_MISSING,
                                 "expected coordinates in the run input file, found none");
  debye_tpr_cursor_skip_reals(&cursor, 3 * (guint64)layout->head.n_atoms);
  if (layout->head.has_velocities)
    debye_tpr_cursor_skip_reals(&cursor, 3 * (guint64)layout->head.n_atoms);
  return debye_tpr_cursor_check(&cursor, error);
}

static gboolean
index_frames(DebyeInput *input, DebyeFrameIndex *index, G_GNUC_UNUSED DebyeProgressFunc progress,
             G_GNUC_UNUSED gpointer data, GError **error)
{
  Layout layout = {0};
  if (!find_layout(input, &layout, error))
    return FALSE;
  index->n_atoms = layout.head.n_atoms;
  g_array_append_val(index->offsets, layout.coordinates_at);
  return TRUE;
}

static gpointer
reader_new(DebyeInput *input, const DebyeFrameIndex *index, GError **error)
{
  g_autofree Layout *layout = g_new0(Layout, 1);
  if (!find_layout(input, layout, error))
    return NULL;
  if (layout->head.n_atoms == index->n_atoms)
    return g_steal_pointer(&layout);
  return debye_null(debye_input_set_changed(input, error));
}

static gboolean
read_vectors(DebyeInput *input, const Layout *layout, guint64 offset, float *x, float *y, float *z,
             GError **error)
{
  gsize n = layout->head.n_atoms;
  g_autofree guint8 *bytes = g_try_malloc_n(n, 3 * layout->real_bytes);
  if (bytes == NULL)
    return debye_error_set_memory(error, debye_input_get_name(input), n, "atoms");
  if (!debye_input_read(input, offset, bytes, 3 * layout->real_bytes * n, error))
    return FALSE;
  debye_xdr_get_vectors(bytes, n, layout->real_bytes, x, y, z);
  return TRUE;
}

static gboolean
read_velocities(DebyeInput *input, const Layout *layout, DebyeFrame *frame, GError **error)
{
  guint64 coordinate_bytes = 3 * (guint64)layout->real_bytes * layout->head.n_atoms;
  if (!debye_frame_add_velocities(frame))
    return debye_error_set_memory(error, debye_input_get_name(input), frame->n_atoms, "velocities");
  return read_vectors(input, layout, layout->coordinates_at + coordinate_bytes, frame->vx, frame->vy,
                      frame->vz, error);
}

static gboolean
read_cell(DebyeInput *input, const Layout *layout, DebyeFrame *frame, GError **error)
{
  guint8 bytes[9 * sizeof(double)];
  if (!layout->head.has_cell)
    return TRUE;
  if (!debye_input_read(input, layout->cell_at, bytes, 9 * layout->real_bytes, error))
    return FALSE;
  frame->has_cell = debye_xdr_get_cell(bytes, layout->real_bytes, &frame->cell);
  return TRUE;
}

static gboolean
read_frame(gpointer data, DebyeInput *input, G_GNUC_UNUSED const DebyeFrameIndex *index,
           G_GNUC_UNUSED gsize frame_number, DebyeFrame *frame, GError **error)
{
  const Layout *layout = data;
  debye_frame_forget(frame);
  if (!read_cell(input, layout, frame, error) ||
      !read_vectors(input, layout, layout->coordinates_at, frame->x, frame->y, frame->z, error) ||
      (layout->head.has_velocities && !read_velocities(input, layout, frame, error)))
    return FALSE;
  debye_frame_check(frame);
  return TRUE;
}

const DebyeFormat debye_format_tpr = {
    .name = "tpr",
    .title = "GROMACS run input",
    .suffixes = (const char *const[]){"tpr", NULL},
    .probe = probe,
    .is_run_input = TRUE,
    .read_topology = read_topology,
    .index_frames = index_frames,
    .reader_new = reader_new,
    .read_frame = read_frame,
    .reader_free = g_free,
};
