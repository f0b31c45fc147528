/* SPDX-License-Identifier: MIT */
/* GRO files whose atoms several threads read: the same atoms, residues and coordinates as line by line, whatever
 * ends the lines and wherever one differs, and errors at their line. */
#include "data/files/error.h"
#include "data/trajectory/dataset.h"

#include <glib/gstdio.h>

#define N_RESIDUES 100200 /* more than five digits number */
#define N_PER_RESIDUE 3
#define N_ATOMS (N_RESIDUES * N_PER_RESIDUE)

static const char *const names[N_PER_RESIDUE] = {"OW", "HW1", "HW2"};

typedef struct {
  const char *end;
  gboolean has_velocities;
  gsize odd_atom; /* has `odd_line` instead; N_ATOMS: none */
  const char *odd_line;
} Form;

static char *folder;

static void
write_file(const char *path, const Form *form)
{
  g_autoptr(GString) text = g_string_new(NULL);
  g_autoptr(GError) error = NULL;
  g_string_append_printf(text, "water%s%d%s", form->end, N_ATOMS, form->end);
  for (gsize i = 0; i < N_ATOMS; i++) {
    const gsize residue = i / N_PER_RESIDUE;
    if (i == form->odd_atom)
      g_string_append(text, form->odd_line);
    else
      g_string_append_printf(text, "%5u%-5s%5s%5u%8.3f%8.3f%8.3f", (guint)((residue + 1) % 100000), "SOL",
                             names[i % N_PER_RESIDUE], (guint)((i + 1) % 100000), (double)(i % 1000) * 0.001,
                             (double)(i / 1000) * 0.01, -0.5);
    if (form->has_velocities && i != form->odd_atom)
      g_string_append_printf(text, "%8.4f%8.4f%8.4f", 0.1, (double)(i % 7), -0.2);
    g_string_append(text, form->end);
  }
  g_string_append_printf(text, "   9.0 9.0 9.0%s", form->end);
  g_file_set_contents(path, text->str, (gssize)text->len, &error);
  g_assert_no_error(error);
}

static DebyeDataset *
open_form(const Form *form, GError **error)
{
  g_autofree char *path = g_build_filename(folder, "large.gro", NULL);
  write_file(path, form);
  DebyeDataset *dataset = debye_dataset_open((const char *[]){path, NULL}, NULL, NULL, error);
  return dataset;
}

static void
assert_names(DebyeTopology *topology)
{
  const DebyeStringPool *pool = debye_topology_get_string_pool(topology);
  const guint32 *residues = debye_topology_get_residues(topology);
  g_assert_cmpuint(debye_topology_get_n_atoms(topology), ==, N_ATOMS);
  g_assert_cmpuint(debye_topology_get_n_residues(topology), ==, N_RESIDUES);
  for (gsize i = 0; i < N_ATOMS; i++) {
    const DebyeResidue *residue = &debye_topology_get_residue_table(topology)[residues[i]];
    g_assert_cmpstr(debye_string_pool_get(pool, debye_topology_get_names(topology)[i]), ==,
                    names[i % N_PER_RESIDUE]);
    g_assert_cmpuint(residues[i], ==, i / N_PER_RESIDUE);
    g_assert_cmpuint(residue->first_atom, ==, i / N_PER_RESIDUE * N_PER_RESIDUE);
    g_assert_cmpuint(residue->n_atoms, ==, N_PER_RESIDUE);
    g_assert_cmpint(residue->number, ==, (gint32)((residues[i] + 1) % 100000));
    g_assert_cmpuint(debye_topology_get_elements(topology)[i], ==, i % N_PER_RESIDUE == 0 ? 8 : 1);
  }
}

static void
assert_coordinates(DebyeDataset *dataset, const Form *form)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(DebyeTrajectoryReader) reader =
      debye_trajectory_reader_new(debye_dataset_get_trajectory(dataset), &error);
  g_autoptr(DebyeFrame) frame = debye_frame_new(N_ATOMS);
  g_assert_no_error(error);
  g_assert_true(debye_trajectory_reader_read(reader, 0, frame, &error));
  g_assert_cmpint(frame->vx != NULL, ==, form->has_velocities);
  for (gsize i = 0; i < N_ATOMS; i++) {
    /* Half of the last decimal's rounding to a float. */
    g_assert_cmpfloat_with_epsilon(frame->x[i], (double)(i % 1000) * 0.01, 1e-6);
    g_assert_cmpfloat_with_epsilon(frame->y[i], (double)(i / 1000) * 0.1, 4e-6);
    g_assert_cmpfloat_with_epsilon(frame->z[i], -5.0, 1e-6);
    if (form->has_velocities)
      g_assert_cmpfloat_with_epsilon(frame->vy[i], i == form->odd_atom ? 0.0 : (double)(i % 7) * 10.0, 1e-5);
  }
}

static void
test_read(gconstpointer data)
{
  const Form *form = data;
  g_autoptr(GError) error = NULL;
  g_autoptr(DebyeDataset) dataset = open_form(form, &error);
  g_assert_no_error(error);
  assert_names(debye_dataset_get_topology(dataset));
  assert_coordinates(dataset, form);
}

static void
test_refused(gconstpointer data)
{
  const Form *form = data;
  g_autoptr(GError) error = NULL;
  g_autoptr(DebyeDataset) dataset = open_form(form, &error);
  g_autofree char *place = g_strdup_printf(": line %" G_GSIZE_FORMAT ": ", form->odd_atom + 3);
  g_assert_null(dataset);
  g_assert_error(error, DEBYE_ERROR, DEBYE_ERROR_SYNTAX);
  if (strstr(error->message, place) == NULL)
    g_error("expected%s in “%s”", place, error->message);
}

int
main(int argc, char **argv)
{
  static const Form plain = {"\n", FALSE, N_ATOMS, NULL}, returns = {"\r\n", FALSE, N_ATOMS, NULL},
                    moving = {"\n", TRUE, N_ATOMS, NULL},
                    /* Atom 150,000: residue 50,001, its first atom. */
      longer = {"\n", FALSE, 150000, "50001SOL     OW50001   0.000   1.500  -0.500    "},
                    shorter = {"\n", TRUE, 150000, "50001SOL     OW50001   0.000   1.500  -0.500"},
                    bad_number = {"\n", FALSE, 290000, "9x667SOL    HW290001   0.000   2.900  -0.500"},
                    bad_coordinate = {"\n", FALSE, 290000, "96667SOL    HW290001   0.000   2.x00  -0.500"},
                    cut = {"\n", FALSE, 290000, "96667SOL"};
  g_test_init(&argc, &argv, NULL);
  folder = g_dir_make_tmp("debye-large-gro-XXXXXX", NULL);
  g_test_add_data_func("/large-gro/plain", &plain, test_read);
  g_test_add_data_func("/large-gro/carriage-returns", &returns, test_read);
  g_test_add_data_func("/large-gro/velocities", &moving, test_read);
  g_test_add_data_func("/large-gro/a-longer-line", &longer, test_read);
  g_test_add_data_func("/large-gro/one-atom-without-velocity", &shorter, test_read);
  g_test_add_data_func("/large-gro/bad-number", &bad_number, test_refused);
  g_test_add_data_func("/large-gro/bad-coordinate", &bad_coordinate, test_refused);
  g_test_add_data_func("/large-gro/cut-line", &cut, test_refused);
  int status = g_test_run();
  g_autofree char *path = g_build_filename(folder, "large.gro", NULL);
  g_remove(path);
  g_rmdir(folder);
  g_free(folder);
  return status;
}
