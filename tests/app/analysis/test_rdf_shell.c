/* SPDX-License-Identifier: MIT */
/* The pairs of a range of distances in a frame, against a look at every pair. */
#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

#include "app/analysis/pairs/rdf_settings.h"
#include "app/analysis/pairs/rdf_shell.h"
#include "data/molecule/periodic.h"

#define N_ATOMS 120
#define MOST 10000

static char *
write_file(const char *text)
{
  char *path = NULL;
  int file = g_file_open_tmp("debye-shell-XXXXXX.xyz", &path, NULL);
  g_assert_cmpint(file, >=, 0);
  g_close(file, NULL);
  g_assert_true(g_file_set_contents(path, text, -1, NULL));
  return path;
}

/* Two kinds of atoms in a skewed cell. */
static char *
write_atoms(void)
{
  g_autoptr(GString) text =
      g_string_new("120\nLattice=\"12 0 0 3 11 0 -2 4 10\" Properties=species:S:1:pos:R:3\n");
  g_autoptr(GRand) random = g_rand_new_with_seed(11);
  for (int i = 0; i < N_ATOMS; i++) {
    char places[3][G_ASCII_DTOSTR_BUF_SIZE];
    for (int k = 0; k < 3; k++)
      g_ascii_formatd(places[k], sizeof places[k], "%.6f", g_rand_double_range(random, -4.0, 14.0));
    g_string_append_printf(text, "%s %s %s %s\n", i % 3 == 0 ? "O" : "H", places[0], places[1], places[2]);
  }
  return write_file(text->str);
}

static DebyeFrame *
read_frame(DebyeDataset *dataset)
{
  DebyeFrame *frame = debye_frame_new(debye_topology_get_n_atoms(debye_dataset_get_topology(dataset)));
  g_autoptr(DebyeTrajectoryReader) reader =
      debye_trajectory_reader_new(debye_dataset_get_trajectory(dataset), NULL);
  g_assert_true(debye_trajectory_reader_read(reader, 0, frame, NULL));
  return frame;
}

/* Pairs of oxygen with hydrogen or with itself. */
static gsize
count_all(const DebyeFrame *frame, gboolean same, double from, double to)
{
  DebyePeriodic periodic;
  gsize n = 0;
  debye_periodic_init_for_frame(&periodic, frame);
  for (gsize i = 0; i < N_ATOMS; i += 3)
    for (gsize j = same ? i + 3 : 0; j < N_ATOMS; j++) {
      if ((j % 3 == 0) != same)
        continue;
      double r = debye_periodic_distance(&periodic, debye_frame_get_position(frame, i),
                                         debye_frame_get_position(frame, j));
      n += r >= from && r < to;
    }
  return n;
}

static void
check(DebyeDataset *dataset, const DebyeFrame *frame, const char *second, double from, double to)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(DebyeRequest) request = debye_request_new(&debye_rdf_settings);
  g_autofree char *pair = g_strdup_printf("element O | %s", second);
  g_autofree char *name = g_strdup_printf("element O-%s", second);
  gboolean same = g_str_equal(second, "element O");
  gsize n_pairs = 0, n_cut = 0;
  g_assert_true(debye_request_set(request, "pair", pair, NULL) &&
                debye_request_set(request, "max", "8", NULL));
  g_autoptr(DebyeRdfShell) shell = debye_rdf_shell_new(dataset, request, name, from, to, &error);
  g_assert_no_error(error);
  g_autoptr(GArray) lines = debye_rdf_shell_find(shell, frame, MOST, &n_pairs, &error);
  g_assert_no_error(error);
  g_assert_cmpuint(n_pairs, ==, count_all(frame, same, from, to));
  g_assert_cmpuint(lines->len, ==, n_pairs);
  g_assert_cmpuint(n_pairs, >, 5);
  for (guint i = 0; i < lines->len; i++) {
    const DebyeRdfLine *line = &g_array_index(lines, DebyeRdfLine, i);
    double squared = 0.0;
    for (int k = 0; k < 3; k++)
      squared += pow((double)line->to[k] - (double)line->from[k], 2);
    /* Places are floats of some 10 Å. */
    g_assert_cmpfloat(sqrt(squared), >=, from - 1e-5);
    g_assert_cmpfloat(sqrt(squared), <=, to + 1e-5);
  }
  g_autoptr(GArray) cut = debye_rdf_shell_find(shell, frame, 3, &n_cut, &error);
  g_assert_cmpuint(cut->len, ==, 3);
  g_assert_cmpuint(n_cut, ==, n_pairs);
}

static void
test_every_pair(void)
{
  g_autoptr(GError) error = NULL;
  g_autofree char *path = write_atoms();
  const char *paths[] = {path, NULL};
  g_autoptr(DebyeDataset) dataset = debye_dataset_open(paths, NULL, NULL, &error);
  g_assert_no_error(error);
  DebyeFrame *frame = read_frame(dataset);
  check(dataset, frame, "element H", 0.0, 2.5);
  check(dataset, frame, "element H", 2.0, 4.5);
  check(dataset, frame, "element O", 1.0, 7.0);

  g_autoptr(DebyeRequest) request = debye_request_new(&debye_rdf_settings);
  debye_request_set(request, "pair", "element O | element H", NULL);
  DebyeRdfShell *shell = debye_rdf_shell_new(dataset, request, "element O-element O", 0.0, 2.0, &error);
  g_assert_null(shell);
  g_assert_nonnull(strstr(error->message, "element O-element O"));
  debye_frame_unref(frame);
  g_unlink(path);
}

/* In a crystal, half a cell apart: two, four and eight images are equally near. */
static void
test_equally_near(void)
{
  g_autoptr(GError) error = NULL;
  g_autofree char *path = write_file("4\nLattice=\"6 0 0 0 6 0 0 0 6\" Properties=species:S:1:pos:R:3\n"
                                     "O 0 0 0\nH 3 0 0\nH 3 3 0\nH 3 3 3\n");
  const char *paths[] = {path, NULL};
  g_autoptr(DebyeDataset) dataset = debye_dataset_open(paths, NULL, NULL, &error);
  g_assert_no_error(error);
  DebyeFrame *frame = read_frame(dataset);
  g_autoptr(DebyeRequest) request = debye_request_new(&debye_rdf_settings);
  gsize n_pairs = 0;
  g_assert_true(debye_request_set(request, "pair", "element O | element H", NULL));
  g_autoptr(DebyeRdfShell) shell =
      debye_rdf_shell_new(dataset, request, "element O-element H", 0.0, 5.5, &error);
  g_assert_no_error(error);
  g_autoptr(GArray) lines = debye_rdf_shell_find(shell, frame, MOST, &n_pairs, &error);
  g_assert_no_error(error);
  g_assert_cmpuint(n_pairs, ==, 3);
  g_assert_cmpuint(lines->len, ==, 3);
  debye_frame_unref(frame);
  g_unlink(path);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/rdf-shell/every-pair", test_every_pair);
  g_test_add_func("/rdf-shell/equally-near", test_equally_near);
  return g_test_run();
}
