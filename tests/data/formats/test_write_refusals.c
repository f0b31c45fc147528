/* SPDX-License-Identifier: MIT */
/* What a file format can't hold is refused before anything of it is written: numbers of atoms, missing names,
 * positions and cells that outgrow their columns, and frames of another system. */
#include <math.h>
#include <string.h>

#include "data/files/error.h"
#include "data/trajectory/format_list.h"
#include "data/trajectory/frame_stream.h"
#include "small_system.h"

static void
assert_refused(const GError *error, int code, const char *sentence)
{
  g_assert_error(error, DEBYE_ERROR, code);
  g_assert_cmpstr(error->message, ==, sentence);
}

/* --- Numbers of atoms, and names --- */

static void
test_beginning(void)
{
  static const struct {
    const DebyeFormat *format;
    gsize n_atoms;
    int code;
    const char *sentence;
  } cases[] = {
      {&debye_format_dcd, 0, DEBYE_ERROR_LIMIT, "DCD holds 1 to 536870911 atoms, not 0"},
      {&debye_format_trr, 0, DEBYE_ERROR_LIMIT, "TRR holds 1 to 178956970 atoms, not 0"},
      {&debye_format_trr, 178956971, DEBYE_ERROR_LIMIT, "TRR holds 1 to 178956970 atoms, not 178956971"},
      {&debye_format_xtc, 0, DEBYE_ERROR_LIMIT, "XTC holds 1 to 2147483647 atoms, not 0"},
      {&debye_format_gro, 3, DEBYE_ERROR_MISSING, "GRO files need the names of the atoms they hold"},
      {&debye_format_cif, 3, DEBYE_ERROR_MISSING, "mmCIF files need the names of the atoms they hold"},
      {&debye_format_xyz, 3, DEBYE_ERROR_MISSING, "XYZ files need the elements of the atoms they hold"},
  };
  for (gsize k = 0; k < G_N_ELEMENTS(cases); k++) {
    g_autoptr(GError) error = NULL;
    g_autoptr(GOutputStream) stream = g_memory_output_stream_new_resizable();
    g_assert_null(cases[k].format->writer_new(stream, NULL, cases[k].n_atoms, 1, &error));
    assert_refused(error, cases[k].code, cases[k].sentence);
    g_assert_cmpuint(g_memory_output_stream_get_data_size(G_MEMORY_OUTPUT_STREAM(stream)), ==, 0);
  }
}

/* --- Frames --- */

static DebyeFrame *
make_frame(double x)
{
  double positions[][3] = {{0.5, -1.25, 100}, {x, 0, 0}};
  DebyeFrame *frame = small_frame_new(positions, 2);
  frame->index = 7;
  return frame;
}

static void
assert_frame_refused(const DebyeFormat *format, const DebyeFrame *frame, const char *sentence)
{
  const char *elements[] = {"Na", "Cl"};
  g_autoptr(GError) error = NULL;
  const float charges[] = {1, -1};
  g_autoptr(DebyeTopology) plain = small_topology_of_elements(elements, 2, FALSE);
  g_autoptr(DebyeTopology) topology = debye_topology_with_charges(plain, charges);
  g_autoptr(GOutputStream) stream = g_memory_output_stream_new_resizable();
  gpointer writer = format->writer_new(stream, topology, 2, 1, &error);
  g_assert_no_error(error);
  g_assert_false(format->write_frame(writer, frame, &error));
  assert_refused(error, strstr(sentence, "the table") ? DEBYE_ERROR_MISMATCH : DEBYE_ERROR_WRITE, sentence);
  format->writer_finish(writer, NULL);
}

static void
test_frames(void)
{
  g_autoptr(DebyeFrame) far = make_frame(1e30), wide = make_frame(1.0);
  g_autoptr(DebyeFrame) three = debye_frame_new(3);
  assert_frame_refused(&debye_format_pqr, far,
                       "frame 7, atom 1: expected numbers that fit PQR's columns, found others");
  wide->has_cell = TRUE;
  wide->cell = (DebyeCell){debye_vec3(1e7, 0, 0), debye_vec3(0, 10, 0), debye_vec3(0, 0, 10)};
  assert_frame_refused(&debye_format_pdb, wide, "frame 7: expected a cell that fits CRYST1, found another");
  assert_frame_refused(&debye_format_csv, three, "the table: expected a frame of 2 atoms, found 3");
}

/* A stream that takes nothing, as a full disk: said at the first frame that can't be kept back, and at the
 * end. */
static void
test_table_on_a_full_disk(void)
{
  guint8 room[4];
  for (gsize n_atoms = 2; n_atoms <= 20000; n_atoms *= 10000) {
    g_autoptr(GError) error = NULL;
    g_autoptr(DebyeFrame) frame = debye_frame_new(n_atoms);
    g_autoptr(GOutputStream) stream = g_memory_output_stream_new(room, sizeof room, NULL, NULL);
    gpointer writer = debye_format_csv.writer_new(stream, NULL, n_atoms, 1, &error);
    g_assert_no_error(error);
    gboolean is_kept = debye_format_csv.write_frame(writer, frame, &error);
    g_assert_true(is_kept == (n_atoms == 2));
    g_assert_false(debye_format_csv.writer_finish(writer, is_kept ? &error : NULL) && is_kept);
    g_assert_error(error, G_IO_ERROR, G_IO_ERROR_NO_SPACE);
  }
}

/* --- Choices of frames, and what is done to them --- */

static void
test_no_frames(void)
{
  DebyeFrameRange range;
  g_autoptr(GError) error = NULL;
  g_assert_false(debye_frame_range_parse("0:1", 0, &range, &error));
  assert_refused(error, DEBYE_ERROR_MISSING, "frames: expected at least one, found none");
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/write-refusals/beginning", test_beginning);
  g_test_add_func("/write-refusals/frames", test_frames);
  g_test_add_func("/write-refusals/full-disk", test_table_on_a_full_disk);
  g_test_add_func("/write-refusals/no-frames", test_no_frames);
  return g_test_run();
}
