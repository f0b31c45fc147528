/* SPDX-License-Identifier: MIT */
/* The table of coordinates: its header, its digits, and that they are the same in every locale. */
#include "data/trajectory/format_list.h"
#include "data/molecule/periodic.h"
#include "small_system.h"

#include <locale.h>
#include <string.h>

static char *
write_some(DebyeTopology *topology, const DebyeFrame *frame, gsize n_written, gsize n_frames,
           const char *const *remarks)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(GOutputStream) stream = g_memory_output_stream_new_resizable();
  gpointer writer = debye_format_csv.writer_new(stream, topology, frame->n_atoms, n_frames, &error);
  g_assert_no_error(error);
  debye_format_csv.writer_set_remarks(writer, remarks);
  for (gsize k = 0; k < n_written; k++) {
    g_autoptr(DebyeFrame) copy = debye_frame_copy(frame);
    copy->index = 10 * k;
    g_assert_true(debye_format_csv.write_frame(writer, copy, &error));
  }
  g_assert_true(debye_format_csv.writer_finish(writer, &error));
  g_assert_no_error(error);
  const char *text = g_memory_output_stream_get_data(G_MEMORY_OUTPUT_STREAM(stream));
  return g_strndup(text, g_memory_output_stream_get_data_size(G_MEMORY_OUTPUT_STREAM(stream)));
}

static char *
write_frames(DebyeTopology *topology, const DebyeFrame *frame, gsize n_frames)
{
  const char *const none[] = {NULL};
  return write_some(topology, frame, n_frames, n_frames, none);
}

static DebyeFrame *
make_frame(void)
{
  double positions[][3] = {{0.5, -1.25, 100}, {0.1, 0, 0}};
  return small_frame_new(positions, 2);
}

static void
test_one_frame(void)
{
  const char *elements[] = {"Na", "X"};
  g_autoptr(DebyeTopology) topology = small_topology_of_elements(elements, 2, FALSE);
  g_autoptr(DebyeFrame) frame = make_frame();
  g_autofree char *text = write_frames(topology, frame, 1);
  g_assert_cmpstr(text, ==,
                  "# content: coordinates\n# atoms: 2\n# state: whole  \n# frames_written: 1\n"
                  "# unit: angstrom\n# index: 0-based\n"
                  "index,element,x,y,z\n"
                  "0,Na,0.5,-1.25,100\n"
                  "1,,0.10000000149011612,0,0\n");
}

static void
test_several_frames_without_topology(void)
{
  g_autoptr(DebyeFrame) frame = make_frame();
  g_autofree char *text = write_frames(NULL, frame, 2);
  g_assert_nonnull(strstr(text, "# state: whole  \n# frames_written: 2\n"));
  g_assert_nonnull(strstr(text, "frame,index,element,x,y,z\n0,0,,0.5,-1.25,100\n"));
  g_assert_nonnull(strstr(text, "\n10,1,,0.10000000149011612,0,0\n"));
}

/* The head doesn't claim more than there is, whatever was announced. */
static void
test_partial(void)
{
  const char *const remarks[] = {"analysis: export", "select: name\nO", NULL};
  g_autoptr(DebyeFrame) frame = make_frame();
  g_autofree char *text = write_some(NULL, frame, 2, 12345, remarks),
                  *empty = write_some(NULL, frame, 0, 3, remarks);
  g_assert_cmpstr(text, ==,
                  "# analysis: export\n# select: name O\n# content: coordinates\n# atoms: 2\n"
                  "# state: partial\n# frames_written: 2    \n# unit: angstrom\n# index: 0-based\n"
                  "frame,index,element,x,y,z\n"
                  "0,0,,0.5,-1.25,100\n0,1,,0.10000000149011612,0,0\n"
                  "10,0,,0.5,-1.25,100\n10,1,,0.10000000149011612,0,0\n");
  g_assert_nonnull(strstr(empty, "# state: partial\n# frames_written: 0\n"));
}

/* Each float is read back to the same bits. */
static void
test_round_trip(void)
{
  enum { N = 500 };
  g_autoptr(GRand) random = g_rand_new_with_seed(9);
  g_autoptr(DebyeFrame) frame = debye_frame_new(N);
  for (gsize i = 0; i < N; i++) {
    double scale = pow(10.0, g_rand_double_range(random, -6, 6));
    debye_frame_set_position(frame, i, debye_vec3(scale, -scale / 3, scale * G_PI));
  }
  g_autofree char *text = write_frames(NULL, frame, 1);
  const char *row = strstr(text, "z\n") + 2;
  for (gsize i = 0; i < N; i++, row = strchr(row, '\n') + 1) {
    g_auto(GStrv) cells = g_strsplit(row, ",", 5);
    g_assert_cmpfloat((float)g_ascii_strtod(cells[2], NULL), ==, frame->x[i]);
    g_assert_cmpfloat((float)g_ascii_strtod(cells[3], NULL), ==, frame->y[i]);
    g_assert_cmpfloat((float)g_ascii_strtod(cells[4], NULL), ==, frame->z[i]);
  }
}

static void
test_is_only_written(void)
{
  g_assert_null(debye_format_csv.probe);
  g_assert_null(debye_format_csv.index_frames);
}

int
main(int argc, char **argv)
{
  setlocale(LC_ALL, "");
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/format-csv/one-frame", test_one_frame);
  g_test_add_func("/format-csv/several-frames-without-topology", test_several_frames_without_topology);
  g_test_add_func("/format-csv/partial", test_partial);
  g_test_add_func("/format-csv/round-trip", test_round_trip);
  g_test_add_func("/format-csv/is-only-written", test_is_only_written);
  return g_test_run();
}
