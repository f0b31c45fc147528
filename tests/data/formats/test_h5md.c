/* SPDX-License-Identifier: MIT */
/* H5MD in the shapes that programs give it, units, ids, groups; files that try to be too large or to lead
 * elsewhere; and what is written, read again. */
#include "data/files/error.h"
#include "h5_builder.h"
#include "tests/support/count_down.h"
#include "tests/support/text_file.h"
#include "data/trajectory/format_list.h"

#include <math.h>
#include <string.h>

#include <glib/gstdio.h>

static DebyeDataset *
open_file(const char *path, GError **error)
{
  const char *paths[] = {path, NULL};
  return debye_dataset_open(paths, NULL, NULL, error);
}

static DebyeDataset *
open_built(H5Builder *builder)
{
  g_autoptr(GError) error = NULL;
  h5_builder_finish(builder);
  DebyeDataset *dataset = open_file(builder->path, &error);
  g_assert_no_error(error);
  return dataset;
}

static void
assert_refused(H5Builder *builder, int code, const char *sentence)
{
  g_autoptr(GError) error = NULL;
  h5_builder_finish(builder);
  g_autoptr(DebyeDataset) dataset = open_file(builder->path, &error);
  g_assert_null(dataset);
  g_assert_nonnull(error);
  g_assert_cmpstr(error->message, ==, sentence);
  g_assert_error(error, DEBYE_ERROR, code);
}

/* Two frames of two particles: 1 2 3 … 12. */
static const float twelve[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
static const hsize_t two_by_two[] = {2, 2, 3};
#define GROUP "/particles/all/"
#define NO_POSITIONS "expected positions of particles in /particles, found none that the file can hold"

static void
put_positions(H5Builder *builder, const char *unit)
{
  h5_builder_put_floats(builder, GROUP "position/value", 3, two_by_two, twelve);
  if (unit != NULL)
    h5_builder_mark(builder, GROUP "position/value", "unit", unit);
}

/* --- Shapes --- */

/* As GROMACS writes: nm, ps, edges of each frame; in both versions of headers and kinds of strings. */
static void
test_usual(gconstpointer folder)
{
  for (int version = H5_BUILDER_OLDEST; version <= H5_BUILDER_LATEST; version++) {
    static const char *const periodic[] = {"periodic", "periodic", "periodic"};
    static const double edges[] = {1, 2, 3, 4, 5, 6}, times[] = {500, 1500};
    static const gint64 steps[] = {10, 30};
    const hsize_t shape[] = {2, 3};
    g_auto(H5Builder) builder = h5_builder_new(folder, "a.h5md", version);
    put_positions(&builder, "nm");
    h5_builder_put_floats(&builder, GROUP "velocity/value", 3, two_by_two, twelve);
    h5_builder_mark_fixed(&builder, GROUP "velocity/value", "unit", "nm ps-1");
    h5_builder_put(&builder, GROUP "position/step", H5T_STD_I64LE, H5T_NATIVE_INT64, 1, shape, steps);
    h5_builder_put(&builder, GROUP "position/time", H5T_IEEE_F64BE, H5T_NATIVE_DOUBLE, 1, shape, times);
    h5_builder_mark(&builder, GROUP "position/time", "unit", "fs");
    h5_builder_put(&builder, GROUP "box/edges/value", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, 2, shape, edges);
    h5_builder_mark_many(&builder, GROUP "box", "boundary", periodic, 3);
    g_autoptr(DebyeDataset) dataset = open_built(&builder);
    g_autoptr(DebyeFrame) frame = text_file_read(dataset, 1);
    text_file_assert_position(frame, 1, 100.0, 110.0, 120.0);
    g_assert_cmpfloat_with_epsilon((double)frame->vx[1], 100.0, 1e-5);
    g_assert_cmpfloat_with_epsilon(frame->time, 1.5, 1e-12);
    g_assert_cmpint(frame->step, ==, 30);
    text_file_assert_vector(frame->cell.b, 0.0, 50.0, 0.0);
  }
}

/* Fixed in time, without a group around it; the box as one data set of three vectors. */
static void
test_fixed(gconstpointer folder)
{
  static const double edges[] = {10, 0, 0, 1, 11, 0, 2, 3, 12};
  const hsize_t shape[] = {4, 3}, edge_shape[] = {3, 3};
  g_auto(H5Builder) builder = h5_builder_new(folder, "a.h5md", H5_BUILDER_LATEST);
  h5_builder_put_floats(&builder, GROUP "position", 2, shape, twelve);
  h5_builder_mark(&builder, GROUP "position", "unit", "Angstrom");
  h5_builder_put(&builder, GROUP "box/edges", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, 2, edge_shape, edges);
  g_autoptr(DebyeDataset) dataset = open_built(&builder);
  g_assert_cmpuint(debye_trajectory_get_n_frames(debye_dataset_get_trajectory(dataset)), ==, 1);
  g_autoptr(DebyeFrame) frame = text_file_read(dataset, 0);
  text_file_assert_position(frame, 3, 10.0, 11.0, 12.0);
  text_file_assert_vector(frame->cell.c, 2.0, 3.0, 12.0);
  g_assert_true(isnan(frame->time));
}

/* Step and time as intervals with an offset; no box along any axis; two dimensions. */
static void
test_intervals(gconstpointer folder)
{
  static const char *const none[] = {"none", "none", "none"};
  const hsize_t shape[] = {3, 2, 2};
  const double interval = 0.5, offset = 10.0, edges[3] = {5, 5, 5};
  const gint64 step = 100;
  const hsize_t three = 3;
  g_auto(H5Builder) builder = h5_builder_new(folder, "a.h5md", H5_BUILDER_OLDEST);
  h5_builder_put_floats(&builder, GROUP "position/value", 3, shape, twelve);
  h5_builder_put(&builder, GROUP "position/time", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, 0, NULL, &interval);
  h5_builder_mark_numbers(&builder, GROUP "position/time", "offset", &offset, 1);
  h5_builder_put(&builder, GROUP "position/step", H5T_STD_I64LE, H5T_NATIVE_INT64, 0, NULL, &step);
  h5_builder_put(&builder, GROUP "box/edges", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, 1, &three, edges);
  h5_builder_mark_many(&builder, GROUP "box", "boundary", none, 3);
  g_autoptr(DebyeDataset) dataset = open_built(&builder);
  g_autoptr(DebyeFrame) frame = text_file_read(dataset, 2);
  text_file_assert_position(frame, 1, 11.0, 12.0, 0.0);
  g_assert_cmpfloat(frame->time, ==, 11.0);
  g_assert_cmpint(frame->step, ==, 200);
  g_assert_false(frame->has_cell);
  g_assert_true(
      text_file_has_warning(dataset, "the file doesn't state the unit of the positions: assuming Å"));
}

/* A box that was written less often than the positions is that of the last step before. */
static void
test_sparse_box(gconstpointer folder)
{
  float positions[5 * 3] = {0};
  static const gint64 steps[] = {0, 10, 20, 30, 40}, box_steps[] = {0, 25};
  static const double edges[] = {1, 1, 1, 2, 2, 2};
  static const double expected[] = {1.0, 1.0, 1.0, 2.0, 2.0};
  const hsize_t shape[] = {5, 1, 3}, box_shape[] = {2, 3};
  g_auto(H5Builder) builder = h5_builder_new(folder, "a.h5md", H5_BUILDER_OLDEST);
  h5_builder_put_floats(&builder, GROUP "position/value", 3, shape, positions);
  h5_builder_mark(&builder, GROUP "position/value", "unit", "Å");
  h5_builder_put(&builder, GROUP "position/step", H5T_STD_I32LE, H5T_NATIVE_INT64, 1, shape, steps);
  h5_builder_put(&builder, GROUP "box/edges/value", H5T_IEEE_F32LE, H5T_NATIVE_DOUBLE, 2, box_shape, edges);
  h5_builder_put(&builder, GROUP "box/edges/step", H5T_STD_I32LE, H5T_NATIVE_INT64, 1, box_shape, box_steps);
  g_autoptr(DebyeDataset) dataset = open_built(&builder);
  for (gsize k = 0; k < 5; k++) {
    g_autoptr(DebyeFrame) frame = text_file_read(dataset, k);
    g_assert_cmpfloat(frame->cell.a.x, ==, expected[k]);
  }
}

/* Chunks across frames, atoms and axes, packed, in doubles of the other byte order: every frame, forwards and
 * back. */
static void
test_chunks(gconstpointer folder)
{
  enum { FRAMES = 301, ATOMS = 7 };
  const hsize_t shape[] = {FRAMES, ATOMS, 3}, chunk[] = {64, 4, 2};
  g_autofree double *values = g_new(double, FRAMES *ATOMS * 3);
  for (gsize i = 0; i < FRAMES * ATOMS * 3; i++)
    values[i] = 0.25 * (double)i;
  g_auto(H5Builder) builder = h5_builder_new(folder, "a.h5md", H5_BUILDER_LATEST);
  h5_builder_put_packed(&builder, GROUP "position/value", H5T_IEEE_F64BE, H5T_NATIVE_DOUBLE, 3, shape, chunk,
                        values);
  h5_builder_mark(&builder, GROUP "position/value", "units", "angstroms");
  g_autoptr(DebyeDataset) dataset = open_built(&builder);
  g_autoptr(GError) error = NULL;
  g_autoptr(DebyeTrajectoryReader) reader =
      debye_trajectory_reader_new(debye_dataset_get_trajectory(dataset), &error);
  g_autoptr(DebyeFrame) frame = debye_frame_new(ATOMS);
  for (gsize i = 0; i < 2 * FRAMES; i++) {
    gsize k = i < FRAMES ? i : 2 * FRAMES - 1 - i;
    g_assert_true(debye_trajectory_reader_read(reader, k, frame, &error));
    for (gsize atom = 0; atom < ATOMS; atom++)
      g_assert_cmpfloat((double)frame->y[atom], ==, 0.25 * (double)(3 * (k * ATOMS + atom) + 1));
  }
  g_assert_cmpuint(text_file_count_warnings(dataset), ==, 1); /* unknown elements */
}

/* --- Ids and groups --- */

static void
put_ids(H5Builder *builder, const gint64 *ids)
{
  const hsize_t shape[] = {2, 4};
  const float positions[] = {1, 1, 1, 2, 2, 2, 3, 3, 3, 0, 0, 0, 0, 0, 0, 3, 3, 3, 1, 1, 1, 2, 2, 2};
  const hsize_t position_shape[] = {2, 4, 3};
  const gint64 species[] = {10, 20, 30, 0, 0, 30, 10, 20};
  h5_builder_put_floats(builder, GROUP "position/value", 3, position_shape, positions);
  h5_builder_mark(builder, GROUP "position/value", "unit", "Angstrom");
  h5_builder_put(builder, GROUP "id/value", H5T_STD_I64LE, H5T_NATIVE_INT64, 2, shape, ids);
  h5_builder_put(builder, GROUP "species/value", H5T_STD_I64LE, H5T_NATIVE_INT64, 2, shape, species);
}

/* Rows that change places and are empty in part: atoms stand in the order of their ids. */
static void
test_ids(gconstpointer folder)
{
  static const gint64 ids[] = {30, 10, 20, -1, -1, 20, 30, 10};
  g_auto(H5Builder) builder = h5_builder_new(folder, "a.h5md", H5_BUILDER_OLDEST);
  put_ids(&builder, ids);
  g_autoptr(DebyeDataset) dataset = open_built(&builder);
  g_assert_cmpuint(debye_topology_get_n_atoms(debye_dataset_get_topology(dataset)), ==, 3);
  g_assert_cmpint(debye_topology_get_serials(debye_dataset_get_topology(dataset))[2], ==, 30);
  /* Ids 10, 20, 30 are of species 20, 30, 10: calcium, zinc, neon. */
  g_assert_cmpstr(text_file_get_name(dataset, 0), ==, "Ca");
  g_assert_cmpstr(text_file_get_name(dataset, 2), ==, "Ne");
  for (gsize k = 0; k < 2; k++) {
    g_autoptr(DebyeFrame) frame = text_file_read(dataset, k);
    text_file_assert_position(frame, 0, 2.0, 2.0, 2.0);
    text_file_assert_position(frame, 1, 3.0, 3.0, 3.0);
    text_file_assert_position(frame, 2, 1.0, 1.0, 1.0);
  }
}

static void
test_wrong_ids(gconstpointer folder)
{
  static const gint64 twice[] = {30, 30, 20, -1, -1, 20, 30, 10},
                      changed[] = {30, 10, 20, -1, -1, 20, 30, 11};
  g_auto(H5Builder) first = h5_builder_new(folder, "a.h5md", H5_BUILDER_OLDEST);
  put_ids(&first, twice);
  assert_refused(&first, DEBYE_ERROR_VALUE,
                 "a.h5md: group “all”: expected an id for each particle, found 30 twice");
  g_auto(H5Builder) second = h5_builder_new(folder, "b.h5md", H5_BUILDER_OLDEST);
  put_ids(&second, changed);
  g_autoptr(DebyeDataset) dataset = open_built(&second);
  text_file_assert_frame_fails(
      dataset, 1, DEBYE_ERROR_MISMATCH,
      "b.h5md: frame 1: expected the 3 particles of frame 0 in group “all”, found 2 of them");
}

/* Parts of the system one behind the other, a selection and one of other times left out. */
static void
test_groups(gconstpointer folder)
{
  static const float other[] = {21, 22, 23, 24, 25, 26}, part[] = {4, 5, 6, 10, 11, 12};
  const hsize_t single[] = {2, 1, 3}, one_frame[] = {1, 2, 3};
  g_auto(H5Builder) builder = h5_builder_new(folder, "a.h5md", H5_BUILDER_OLDEST);
  h5_builder_put_floats(&builder, "/particles/solvent/position/value", 3, two_by_two, twelve);
  h5_builder_put_floats(&builder, "/particles/ion/position/value", 3, single, other);
  h5_builder_put_floats(&builder, "/particles/some/position/value", 3, single, part);
  h5_builder_put_floats(&builder, "/particles/start/position/value", 3, one_frame, other);
  h5_builder_add_group(&builder, "/particles/empty");
  g_autoptr(DebyeDataset) dataset = open_built(&builder);
  DebyeTopology *topology = debye_dataset_get_topology(dataset);
  const DebyeStringPool *pool = debye_topology_get_string_pool(topology);
  g_assert_cmpuint(debye_topology_get_n_atoms(topology), ==, 3);
  g_assert_cmpstr(debye_string_pool_get(pool, text_file_get_residue(dataset, 0)->segment), ==, "ion");
  g_assert_cmpstr(debye_string_pool_get(pool, text_file_get_residue(dataset, 2)->segment), ==, "solvent");
  g_autoptr(DebyeFrame) frame = text_file_read(dataset, 1);
  text_file_assert_position(frame, 0, 24.0, 25.0, 26.0);
  text_file_assert_position(frame, 2, 10.0, 11.0, 12.0);
  g_assert_true(
      text_file_has_warning(dataset, "particle group “some” is a part of “solvent” and is left out"));
  g_assert_true(text_file_has_warning(dataset, "particle group “start” has 1 frames where “solvent” has 2"));
}

/* --- Particles --- */

static void
test_enumeration(gconstpointer folder)
{
  static const gint8 carbon = 0, oxygen = 5, kinds[] = {5, 0};
  static const double charges[] = {1.602176634e-19, -1.602176634e-19};
  static const int bonds[] = {1, 0, -1, -1};
  const hsize_t two = 2, bond_shape[] = {2, 2};
  g_auto(H5Builder) builder = h5_builder_new(folder, "a.h5md", H5_BUILDER_OLDEST);
  put_positions(&builder, "pm");
  hid_t type = H5Tenum_create(H5T_STD_I8LE);
  H5Tenum_insert(type, "C", &carbon);
  H5Tenum_insert(type, "O", &oxygen);
  h5_builder_put(&builder, GROUP "species", type, type, 1, &two, kinds);
  H5Tclose(type);
  h5_builder_put(&builder, GROUP "charge", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, 1, &two, charges);
  h5_builder_mark(&builder, GROUP "charge", "unit", "C");
  h5_builder_put(&builder, "/connectivity/bonds", H5T_STD_I32LE, H5T_NATIVE_INT, 2, bond_shape, bonds);
  g_autoptr(DebyeDataset) dataset = open_built(&builder);
  DebyeTopology *topology = debye_dataset_get_topology(dataset);
  gsize n_bonds;
  debye_topology_get_bonds(topology, &n_bonds);
  g_assert_cmpuint(n_bonds, ==, 1);
  g_assert_cmpuint(debye_topology_get_elements(topology)[0], ==, 8);
  g_assert_cmpstr(text_file_get_name(dataset, 1), ==, "C");
  g_assert_cmpfloat_with_epsilon((double)debye_topology_get_charges(topology)[1], -1.0, 1e-6);
  g_autoptr(DebyeFrame) frame = text_file_read(dataset, 0);
  text_file_assert_position(frame, 0, 0.01, 0.02, 0.03);
}

/* Types 1 and 2 may be anything; masses say what. */
static void
test_types(gconstpointer folder)
{
  static const int kinds[] = {1, 2};
  static const double masses[] = {15.999, 1.008};
  const hsize_t two = 2;
  g_auto(H5Builder) builder = h5_builder_new(folder, "a.h5md", H5_BUILDER_OLDEST);
  put_positions(&builder, "sigma");
  h5_builder_put(&builder, GROUP "species", H5T_STD_I32LE, H5T_NATIVE_INT, 1, &two, kinds);
  h5_builder_put(&builder, GROUP "mass", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, 1, &two, masses);
  h5_builder_mark(&builder, GROUP "mass", "unit", "g mol-1");
  g_autoptr(DebyeDataset) dataset = open_built(&builder);
  g_assert_cmpstr(text_file_get_type(dataset, 1), ==, "2");
  g_assert_cmpuint(debye_topology_get_elements(debye_dataset_get_topology(dataset))[0], ==, 8);
  g_assert_true(text_file_has_warning(dataset, "the unit “sigma” of the positions is not known: assuming Å"));
}

/* --- What a file may not do --- */

static void
test_links(gconstpointer folder)
{
  g_auto(H5Builder) target = h5_builder_new(folder, "target.h5md", H5_BUILDER_OLDEST);
  put_positions(&target, "nm");
  h5_builder_finish(&target);
  for (int kind = 0; kind < 3; kind++) {
    g_auto(H5Builder) builder = h5_builder_new(folder, "a.h5md", H5_BUILDER_OLDEST);
    h5_builder_add_group(&builder, "/particles");
    if (kind == 0)
      g_assert_cmpint(H5Lcreate_external(target.path, "/particles/all", builder.file, "/particles/all",
                                         H5P_DEFAULT, H5P_DEFAULT),
                      >=, 0);
    else if (kind == 1)
      g_assert_cmpint(H5Lcreate_soft("/elsewhere", builder.file, "/particles/all", H5P_DEFAULT, H5P_DEFAULT),
                      >=, 0);
    else
      g_assert_cmpint(
          H5Lcreate_hard(builder.file, "/", builder.file, "/particles/all", H5P_DEFAULT, H5P_DEFAULT), >=, 0);
    assert_refused(&builder, DEBYE_ERROR_MISSING, "a.h5md: " NO_POSITIONS);
  }
}

typedef enum {
  OUTSIDE,
  VIRTUAL,
  EMPTY,
  WIDE_CHUNK,
  N_TRICKS,
} Trick;

static void
make_trick(H5Builder *builder, Trick trick, const char *outside)
{
  DEBYE_H5_LOCKED();
  hsize_t shape[] = {2, 2, 3}, large[] = {1000000, 1000000, 3}, wide[] = {60, 25000, 3};
  const hsize_t growing[] = {H5S_UNLIMITED, H5S_UNLIMITED, H5S_UNLIMITED};
  g_auto(DebyeH5Properties) creation = H5Pcreate(H5P_DATASET_CREATE);
  g_auto(DebyeH5Properties) links = H5Pcreate(H5P_LINK_CREATE);
  g_auto(DebyeH5Space) space =
      H5Screate_simple(3, trick == EMPTY ? large : shape, trick == WIDE_CHUNK ? growing : NULL);
  H5Pset_create_intermediate_group(links, 1);
  if (trick == OUTSIDE)
    H5Pset_external(creation, outside, 0, H5F_UNLIMITED);
  else if (trick == VIRTUAL)
    H5Pset_virtual(creation, space, outside, GROUP "position/value", space);
  else if (trick == WIDE_CHUNK) {
    H5Pset_chunk(creation, 3, wide);
    H5Pset_deflate(creation, 9);
  } else
    H5Pset_chunk(creation, 3, shape);
  g_auto(DebyeH5Dataset) dataset =
      H5Dcreate2(builder->file, GROUP "position/value", H5T_IEEE_F32LE, space, links, creation, H5P_DEFAULT);
  g_assert_cmpint(dataset, >=, 0);
  if (trick == WIDE_CHUNK)
    g_assert_cmpint(H5Dwrite(dataset, H5T_NATIVE_FLOAT, H5S_ALL, H5S_ALL, H5P_DEFAULT, twelve), >=, 0);
}

/* Values in another file, in a patchwork of others, of a size that nothing fills, in a chunk of 18 MB, where 16 MiB are free. */
static void
test_tricks(gconstpointer folder)
{
  g_auto(H5Builder) target = h5_builder_new(folder, "target.h5md", H5_BUILDER_OLDEST);
  put_positions(&target, "nm");
  h5_builder_finish(&target);
  for (Trick trick = OUTSIDE; trick < N_TRICKS; trick++) {
    g_auto(H5Builder) builder = h5_builder_new(folder, "a.h5md", H5_BUILDER_LATEST);
    make_trick(&builder, trick, target.path);
    assert_refused(&builder, DEBYE_ERROR_MISSING, "a.h5md: " NO_POSITIONS);
  }
}

static void
test_no_particles(gconstpointer folder)
{
  const hsize_t none[] = {2, 0, 3};
  g_auto(H5Builder) builder = h5_builder_new(folder, "none.h5md", H5_BUILDER_LATEST);
  h5_builder_put_floats(&builder, GROUP "position/value", 3, none, twelve);
  assert_refused(&builder, DEBYE_ERROR_MISSING, "none.h5md: " NO_POSITIONS);
}

static void
test_not_h5md(gconstpointer folder)
{
  g_autoptr(GError) error = NULL;
  g_auto(H5Builder) builder = h5_builder_new(folder, "result.h5", H5_BUILDER_LATEST);
  h5_builder_add_group(&builder, "/entry/data");
  h5_builder_finish(&builder);
  g_autoptr(DebyeDataset) dataset = open_file(builder.path, &error);
  g_assert_null(dataset);
  g_assert_error(error, DEBYE_ERROR, DEBYE_ERROR_UNKNOWN);
  g_assert_true(g_str_has_prefix(error->message, "result.h5: the HDF5 content is of no known format"));
}

/* Stopped while it is looked at, from one end to the other, a file isn't one of no known format. */
static void
test_stopped(gconstpointer folder)
{
  const hsize_t shape[] = {1 << 16};
  g_autofree float *zeros = g_new0(float, shape[0]);
  g_auto(H5Builder) builder = h5_builder_new(folder, "stopped.h5", H5_BUILDER_LATEST);
  for (guint i = 0; i < 20; i++) {
    g_autofree char *name = g_strdup_printf("/zeros %u", i);
    h5_builder_put_floats(&builder, name, 1, shape, zeros);
  }
  h5_builder_finish(&builder);
  guint n = 0;
  for (gboolean is_stopped = TRUE; is_stopped; n++) {
    guint left = n;
    g_autoptr(GError) error = NULL;
    g_autoptr(DebyeInput) input = debye_input_open_watched(builder.path, debye_count_down, &left, NULL);
    g_assert_null(debye_format_detect(input, &error));
    is_stopped = g_error_matches(error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
    g_assert_true(is_stopped || g_error_matches(error, DEBYE_ERROR, DEBYE_ERROR_UNKNOWN));
  }
  g_assert_cmpuint(n, >, 2);
}

/* gzip around HDF5 is undone before. */
static void
test_compressed(gconstpointer folder)
{
  g_autoptr(GError) error = NULL;
  g_auto(H5Builder) builder = h5_builder_new(folder, "a.h5md", H5_BUILDER_LATEST);
  put_positions(&builder, "nm");
  h5_builder_finish(&builder);
  g_autofree char *packed = g_build_filename(folder, "packed.h5md.gz", NULL);
  g_autoptr(GFile) from = g_file_new_for_path(builder.path);
  g_autoptr(GFile) to = g_file_new_for_path(packed);
  g_autoptr(GFileInputStream) input = g_file_read(from, NULL, &error);
  g_autoptr(GFileOutputStream) output = g_file_replace(to, NULL, FALSE, G_FILE_CREATE_NONE, NULL, &error);
  g_autoptr(GConverter) gzip = G_CONVERTER(g_zlib_compressor_new(G_ZLIB_COMPRESSOR_FORMAT_GZIP, 6));
  g_autoptr(GOutputStream) stream = g_converter_output_stream_new(G_OUTPUT_STREAM(output), gzip);
  g_output_stream_splice(stream, G_INPUT_STREAM(input), G_OUTPUT_STREAM_SPLICE_CLOSE_TARGET, NULL, &error);
  g_assert_no_error(error);
  g_autoptr(DebyeDataset) dataset = open_file(packed, &error);
  g_assert_no_error(error);
  g_autoptr(DebyeFrame) frame = text_file_read(dataset, 0);
  text_file_assert_position(frame, 0, 10.0, 20.0, 30.0);
}

/* --- Writing --- */

static DebyeFrame *
make_frame(gsize n_atoms, guint32 seed, gboolean has_velocities)
{
  DebyeFrame *frame = debye_temporary_make_frame(n_atoms, seed);
  if (!has_velocities)
    return frame;
  g_assert_true(debye_frame_add_velocities(frame));
  for (gsize i = 0; i < n_atoms; i++) {
    frame->vx[i] = (float)i + 0.5F;
    frame->vy[i] = -(float)seed;
    frame->vz[i] = 0.125F;
  }
  return frame;
}

static void
write_file(const char *path, gsize n_atoms, gsize n_announced, gsize n_frames, gboolean has_velocities)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(GFile) file = g_file_new_for_path(path);
  g_autoptr(GFileOutputStream) stream = g_file_replace(file, NULL, FALSE, G_FILE_CREATE_NONE, NULL, &error);
  gpointer writer = debye_format_h5md.writer_new(G_OUTPUT_STREAM(stream), NULL, n_atoms, n_announced, &error);
  g_assert_no_error(error);
  for (gsize k = 0; k < n_frames; k++) {
    g_autoptr(DebyeFrame) frame = make_frame(n_atoms, (guint32)k, has_velocities);
    debye_format_h5md.write_frame(writer, frame, &error);
    g_assert_no_error(error);
  }
  debye_format_h5md.writer_finish(writer, &error);
  g_assert_no_error(error);
  g_output_stream_close(G_OUTPUT_STREAM(stream), NULL, &error);
  g_assert_no_error(error);
}

static void
assert_same_frame(const DebyeFrame *a, const DebyeFrame *b)
{
  gsize n = a->n_atoms * sizeof(float);
  g_assert_cmpmem(a->x, n, b->x, n);
  g_assert_cmpmem(a->y, n, b->y, n);
  g_assert_cmpmem(a->z, n, b->z, n);
  g_assert_cmpmem(&a->cell, sizeof a->cell, &b->cell, sizeof b->cell);
  g_assert_cmpfloat(a->time, ==, b->time);
  g_assert_cmpint(a->step, ==, b->step);
  g_assert_true((a->vx == NULL) == (b->vx == NULL));
  if (a->vx != NULL) {
    g_assert_cmpmem(a->vx, n, b->vx, n);
    g_assert_cmpmem(a->vy, n, b->vy, n);
    g_assert_cmpmem(a->vz, n, b->vz, n);
  }
}

/* To the last bit, with and without velocities, and with fewer frames than were announced. */
static void
test_round_trip(gconstpointer folder)
{
  static const gsize written[] = {5, 5, 3};
  g_autofree char *path = g_build_filename(folder, "written.h5md", NULL);
  for (gsize i = 0; i < G_N_ELEMENTS(written); i++) {
    g_autoptr(GError) error = NULL;
    gboolean has_velocities = i > 0;
    write_file(path, 37, 5, written[i], has_velocities);
    g_autoptr(DebyeDataset) dataset = open_file(path, &error);
    g_assert_no_error(error);
    g_assert_cmpuint(debye_trajectory_get_n_frames(debye_dataset_get_trajectory(dataset)), ==, written[i]);
    for (gsize k = 0; k < written[i]; k++) {
      g_autoptr(DebyeFrame) expected = make_frame(37, (guint32)k, has_velocities);
      g_autoptr(DebyeFrame) frame = text_file_read(dataset, k);
      assert_same_frame(expected, frame);
    }
  }
}

static DebyeTopology *
make_topology(void)
{
  static const char *const names[] = {"C'", "O5*", "EP"};
  static const double charges[] = {0.5, -0.25, -0.25};
  g_autoptr(DebyeTopologyBuilder) builder = debye_topology_builder_new();
  /* The first residue goes on behind the second. */
  for (gsize i = 0; i < 3; i++) {
    DebyeAtom atom = DEBYE_ATOM_INIT;
    if (i < 2) {
      debye_topology_builder_set_residue(builder, i == 0 ? "ONE" : "TWO", -1, i == 0 ? -3 : 7,
                                         i == 0 ? 'B' : '\0', i == 0 ? "A" : "", -1, "", 0);
      debye_topology_builder_new_residue(builder);
    } else
      debye_topology_builder_return_to_residue(builder, 0);
    atom.radius = 1.5 - 0.5 * (double)i;
    atom.name = names[i];
    atom.atomic_number = i == 0 ? 6 : i == 1 ? 8 : 0;
    atom.charge = charges[i];
    debye_topology_builder_add_atom(builder, &atom);
  }
  debye_topology_builder_add_bond(builder, 0, 1);
  return debye_topology_builder_finish(builder);
}

static void
assert_same_names(DebyeTopology *one, DebyeTopology *other)
{
  const DebyeStringPool *a = debye_topology_get_string_pool(one), *b = debye_topology_get_string_pool(other);
  const DebyeResidue *expected = debye_topology_get_residue_table(one),
                     *found = debye_topology_get_residue_table(other);
  for (gsize i = 0; i < debye_topology_get_n_atoms(one); i++)
    g_assert_cmpstr(debye_string_pool_get(b, debye_topology_get_names(other)[i]), ==,
                    debye_string_pool_get(a, debye_topology_get_names(one)[i]));
  g_assert_cmpuint(debye_topology_get_n_residues(other), ==, debye_topology_get_n_residues(one));
  for (gsize r = 0; r < debye_topology_get_n_residues(one); r++) {
    g_assert_cmpint(found[r].number, ==, expected[r].number);
    g_assert_cmpint(found[r].insertion_code, ==, expected[r].insertion_code);
    g_assert_cmpstr(debye_string_pool_get(b, found[r].name), ==, debye_string_pool_get(a, expected[r].name));
    g_assert_cmpstr(debye_string_pool_get(b, found[r].chain), ==,
                    debye_string_pool_get(a, expected[r].chain));
  }
}

static void
test_written_topology(gconstpointer folder)
{
  g_autoptr(GError) error = NULL;
  g_autofree char *path = g_build_filename(folder, "topology.h5md", NULL);
  g_autoptr(GFile) file = g_file_new_for_path(path);
  g_autoptr(GFileOutputStream) stream = g_file_replace(file, NULL, FALSE, G_FILE_CREATE_NONE, NULL, &error);
  g_autoptr(DebyeTopology) topology = make_topology();
  g_autoptr(DebyeFrame) frame = debye_frame_new(3);
  gpointer writer = debye_format_h5md.writer_new(G_OUTPUT_STREAM(stream), topology, 3, 1, &error);
  g_assert_true(debye_format_h5md.write_frame(writer, frame, &error));
  g_assert_true(debye_format_h5md.writer_finish(writer, &error));
  g_assert_true(g_output_stream_close(G_OUTPUT_STREAM(stream), NULL, &error));
  g_autoptr(DebyeDataset) dataset = open_file(path, &error);
  g_assert_no_error(error);
  DebyeTopology *read = debye_dataset_get_topology(dataset);
  gsize n_bonds;
  const DebyeBond *bonds = debye_topology_get_bonds(read, &n_bonds);
  g_assert_cmpuint(n_bonds, ==, 1);
  g_assert_cmpuint(bonds[0].j, ==, 1);
  g_assert_cmpmem(debye_topology_get_elements(read), 3, debye_topology_get_elements(topology), 3);
  g_assert_cmpmem(debye_topology_get_charges(read), 12, debye_topology_get_charges(topology), 12);
  g_assert_cmpmem(debye_topology_get_radii(read), 12, debye_topology_get_radii(topology), 12);
  g_assert_cmpmem(debye_topology_get_residues(read), 12, debye_topology_get_residues(topology), 12);
  assert_same_names(topology, read);
  g_autoptr(DebyeFrame) first = text_file_read(dataset, 0);
  g_assert_false(first->has_cell);
  g_assert_true(isnan(first->time));
}

static void
test_writing_mistakes(gconstpointer folder)
{
  g_autoptr(GError) error = NULL;
  g_autofree char *path = g_build_filename(folder, "mistakes.h5md", NULL);
  g_autoptr(GFile) file = g_file_new_for_path(path);
  g_autoptr(GFileOutputStream) stream = g_file_replace(file, NULL, FALSE, G_FILE_CREATE_NONE, NULL, &error);
  g_autoptr(DebyeFrame) frame = debye_temporary_make_frame(4, 1);
  gpointer writer = debye_format_h5md.writer_new(G_OUTPUT_STREAM(stream), NULL, 4, 1, &error);
  g_assert_true(debye_format_h5md.write_frame(writer, frame, &error));
  g_assert_false(debye_format_h5md.write_frame(writer, frame, &error));
  g_assert_error(error, DEBYE_ERROR, DEBYE_ERROR_WRITE);
  g_clear_error(&error);
  debye_format_h5md.writer_finish(writer, NULL);

  g_autoptr(DebyeTopology) topology = make_topology();
  g_assert_null(debye_format_h5md.writer_new(G_OUTPUT_STREAM(stream), topology, 4, 1, &error));
  g_assert_error(error, DEBYE_ERROR, DEBYE_ERROR_MISMATCH);
  g_clear_error(&error);
  g_autoptr(GOutputStream) memory = g_memory_output_stream_new_resizable();
  g_autoptr(GConverter) gzip = G_CONVERTER(g_zlib_compressor_new(G_ZLIB_COMPRESSOR_FORMAT_GZIP, 1));
  g_autoptr(GOutputStream) pipe = g_converter_output_stream_new(memory, gzip);
  g_assert_null(debye_format_h5md.writer_new(pipe, NULL, 4, 1, &error));
  g_assert_error(error, DEBYE_ERROR, DEBYE_ERROR_WRITE);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_autoptr(DebyeTemporaryFolder) folder = debye_temporary_folder_new();
  g_test_add_data_func("/h5md/usual", folder, test_usual);
  g_test_add_data_func("/h5md/fixed", folder, test_fixed);
  g_test_add_data_func("/h5md/intervals", folder, test_intervals);
  g_test_add_data_func("/h5md/sparse-box", folder, test_sparse_box);
  g_test_add_data_func("/h5md/chunks", folder, test_chunks);
  g_test_add_data_func("/h5md/ids", folder, test_ids);
  g_test_add_data_func("/h5md/wrong-ids", folder, test_wrong_ids);
  g_test_add_data_func("/h5md/groups", folder, test_groups);
  g_test_add_data_func("/h5md/enumeration", folder, test_enumeration);
  g_test_add_data_func("/h5md/types", folder, test_types);
  g_test_add_data_func("/h5md/links", folder, test_links);
  g_test_add_data_func("/h5md/tricks", folder, test_tricks);
  g_test_add_data_func("/h5md/no-particles", folder, test_no_particles);
  g_test_add_data_func("/h5md/not-h5md", folder, test_not_h5md);
  g_test_add_data_func("/h5md/stopped", folder, test_stopped);
  g_test_add_data_func("/h5md/compressed", folder, test_compressed);
  g_test_add_data_func("/h5md/round-trip", folder, test_round_trip);
  g_test_add_data_func("/h5md/written-topology", folder, test_written_topology);
  g_test_add_data_func("/h5md/writing-mistakes", folder, test_writing_mistakes);
  return g_test_run();
}
