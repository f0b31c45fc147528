/* SPDX-License-Identifier: MIT */
/* A dataset after it was opened: frames that come, elements that are chosen. */
#include "data/trajectory/dataset.h"
#include "data/selection/element_choice.h"
#include "data/files/error.h"
#include "tests/support/count_down.h"
#include "tests/support/temporary.h"
#include "data/trajectory/format_list.h"

#include <stdio.h>
#include <string.h>

/* CA of a calcium ion and of an alanine, a name that tells nothing, and a water. */
static const char structure[] = "chemistry\n    6\n"
                                "    1ALA     CA    1   0.000   0.000   0.000\n"
                                "    2CAL    CAL    2   1.000   0.000   0.000\n"
                                "    3BEA     Q9    3   2.000   0.000   0.000\n"
                                "    4SOL     OW    4   3.000   0.000   0.000\n"
                                "    4SOL    HW1    5   3.100   0.000   0.000\n"
                                "    4SOL    HW2    6   3.000   0.100   0.000\n"
                                "   5.00000   5.00000   5.00000\n";

static DebyeDataset *
open_files(const char *first, const char *second)
{
  g_autoptr(GError) error = NULL;
  DebyeDataset *dataset = debye_dataset_open((const char *[]){first, second, NULL}, NULL, NULL, &error);
  g_assert_no_error(error);
  return dataset;
}

static guint8
element_of(DebyeDataset *dataset, gsize atom)
{
  return debye_topology_get_elements(debye_dataset_get_topology(dataset))[atom];
}

static gboolean
warns_of_elements(DebyeDataset *dataset)
{
  for (const char *const *text = debye_dataset_get_warnings(dataset); *text != NULL; text++)
    if (strstr(*text, "unknown") != NULL)
      return TRUE;
  return FALSE;
}

static void
test_choices(void)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(DebyeTemporaryFolder) folder = debye_temporary_folder_new();
  g_autofree char *path = debye_temporary_write(folder, "a.gro", structure, strlen(structure));
  g_autoptr(DebyeDataset) dataset = open_files(path, NULL);
  g_assert_cmpuint(element_of(dataset, 0), ==, 6);
  g_assert_cmpuint(element_of(dataset, 1), ==, 20);
  g_assert_cmpuint(element_of(dataset, 2), ==, 0);
  g_assert_true(warns_of_elements(dataset));

  const char *const choices[] = {"Q9=Zn", "resname SOL and name HW1=D", "CAL=none", NULL};
  g_autoptr(DebyeDataset) chosen = debye_dataset_with_elements(dataset, choices, &error);
  g_assert_no_error(error);
  DebyeTopology *topology = debye_dataset_get_topology(chosen);
  g_assert_cmpuint(element_of(chosen, 0), ==, 6);
  g_assert_cmpuint(element_of(chosen, 1), ==, 0);
  g_assert_cmpuint(element_of(chosen, 2), ==, 30);
  g_assert_cmpuint(element_of(chosen, 4), ==, 1);
  g_assert_cmpuint(debye_topology_get_element_sources(topology)[2], ==, DEBYE_ELEMENT_CHOSEN);
  g_assert_cmpuint(debye_topology_get_element_sources(topology)[5], ==, DEBYE_ELEMENT_FROM_NAME);
  /* The file gives no masses: they are the new elements'. */
  g_assert_cmpfloat_with_epsilon(debye_topology_get_masses(topology)[2], 65.38, 1e-3);
  g_assert_cmpfloat(debye_topology_get_masses(topology)[1], ==, 0.0F);
  g_assert_false(warns_of_elements(chosen));
  g_assert_cmpstr(debye_dataset_get_element_choices(chosen)[0], ==, "Q9=Zn");

  /* Choices are of the files, not of what was chosen before. */
  g_autoptr(DebyeDataset) again = debye_dataset_with_elements(chosen, (const char *[]){NULL}, &error);
  g_assert_no_error(error);
  g_assert_cmpuint(element_of(again, 1), ==, 20);
  g_assert_true(warns_of_elements(again));
}

static void
test_refused_choices(void)
{
  static const char *const refused[][2] = {
      {"Q9", "ATOMS=SYMBOL"},
      {"=Zn", "ATOMS=SYMBOL"},
      {"Q9=Qq", "symbol"},
      {"Q8=Zn", "that are there"},
      {"name =Zn", "element: "},
      {"resname XXX and all=Zn", "that are there"},
      {"within 3 of name CAL=Zn", "element: "},
  };
  g_autoptr(DebyeTemporaryFolder) folder = debye_temporary_folder_new();
  g_autofree char *path = debye_temporary_write(folder, "a.gro", structure, strlen(structure));
  g_autoptr(DebyeDataset) dataset = open_files(path, NULL);
  for (gsize k = 0; k < G_N_ELEMENTS(refused); k++) {
    g_autoptr(GError) error = NULL;
    g_assert_null(debye_dataset_with_elements(dataset, (const char *[]){refused[k][0], NULL}, &error));
    g_assert_nonnull(error);
    if (strstr(error->message, refused[k][1]) == NULL)
      g_error("“%s” is refused with “%s”", refused[k][0], error->message);
  }
}

/* What a kind says of its atoms chooses just these. */
static void
test_kinds(void)
{
  static const char text[] = "two kinds of CA\n    3\n"
                             "    1ALA     CA    1   0.000   0.000   0.000\n"
                             "    2CA      CA    2   1.000   0.000   0.000\n"
                             "    3SOL     OW    3   3.000   0.000   0.000\n"
                             "   5.00000   5.00000   5.00000\n";
  g_autoptr(GError) error = NULL;
  g_autoptr(DebyeTemporaryFolder) folder = debye_temporary_folder_new();
  g_autofree char *path = debye_temporary_write(folder, "a.gro", text, strlen(text));
  g_autoptr(DebyeDataset) dataset = open_files(path, NULL);
  g_autoptr(GPtrArray) kinds = debye_element_kinds_new(debye_dataset_get_topology(dataset));
  g_assert_cmpuint(kinds->len, ==, 3);
  const DebyeElementKind *carbon = kinds->pdata[0], *calcium = kinds->pdata[1], *oxygen = kinds->pdata[2];
  g_assert_cmpuint(carbon->element, ==, 6);
  g_assert_cmpuint(calcium->element, ==, 20);
  g_assert_cmpstr(oxygen->atoms, ==, "OW");
  g_autofree char *choice = g_strconcat(calcium->atoms, "=Mg", NULL);
  g_autoptr(DebyeDataset) chosen =
      debye_dataset_with_elements(dataset, (const char *[]){choice, NULL}, &error);
  g_assert_no_error(error);
  g_assert_cmpuint(element_of(chosen, 0), ==, 6);
  g_assert_cmpuint(element_of(chosen, 1), ==, 12);
}

typedef struct {
  gsize n_calls;
  double last, furthest;
} Watch;

static gboolean
watch(double fraction, gpointer data)
{
  Watch *seen = data;
  seen->n_calls++;
  seen->last = fraction;
  seen->furthest = MAX(seen->furthest, fraction);
  g_assert_cmpfloat(fraction, >=, seen->furthest);
  return TRUE;
}

static char *
pack(const char *path)
{
  g_autoptr(GError) error = NULL;
  g_autofree char *packed = g_strconcat(path, ".gz", NULL);
  g_autoptr(GFile) from = g_file_new_for_path(path), to = g_file_new_for_path(packed);
  g_autoptr(GConverter) gzip = G_CONVERTER(g_zlib_compressor_new(G_ZLIB_COMPRESSOR_FORMAT_GZIP, 1));
  g_autoptr(GInputStream) plain = G_INPUT_STREAM(g_file_read(from, NULL, &error));
  g_autoptr(GOutputStream) file = G_OUTPUT_STREAM(g_file_create(to, G_FILE_CREATE_NONE, NULL, &error));
  g_autoptr(GOutputStream) stream = g_converter_output_stream_new(file, gzip);
  g_assert_cmpint(g_output_stream_splice(stream, plain, G_OUTPUT_STREAM_SPLICE_CLOSE_TARGET, NULL, &error), >,
                  0);
  g_assert_no_error(error);
  return g_steal_pointer(&packed);
}

static char *
write_waters(const DebyeTemporaryFolder *folder, guint n)
{
  g_autoptr(GString) text = g_string_new(NULL);
  g_string_printf(text, "water\n%u\n", n);
  for (guint i = 0; i < n; i++)
    g_string_append_printf(text, "%5uSOL     OW%5u   0.000   0.000%4u.000\n", i, i, i);
  g_string_append(text, "5 5 5\n");
  return debye_temporary_write(folder, "a.gro", text->str, text->len);
}

/* What is packed, and what isn't, comes nearer and nearer to its end. */
static void
test_progress(void)
{
  const guint n_atoms = 3000;
  g_autoptr(DebyeTemporaryFolder) folder = debye_temporary_folder_new();
  g_autofree char *gro = write_waters(folder, n_atoms), *run = g_build_filename(folder, "run.xtc", NULL);
  debye_temporary_write_trajectory(&debye_format_xtc, run, n_atoms, 100);
  g_autofree char *packed_gro = pack(gro), *packed_run = pack(run);
  const char *const files[][3] = {
      {gro, run}, {gro, packed_run}, {packed_gro, packed_run}, {packed_run}, {packed_gro}};
  for (gsize i = 0; i < G_N_ELEMENTS(files); i++) {
    g_autoptr(GError) error = NULL;
    Watch seen = {0};
    g_autoptr(DebyeDataset) dataset = debye_dataset_open(files[i], watch, &seen, &error);
    g_assert_no_error(error);
    g_assert_cmpuint(seen.n_calls, >, 5);
    g_assert_cmpfloat(seen.last, ==, 1.0);
  }
}

/* Whenever that is, to the first frame's end. */
static void
test_stopped(void)
{
  g_autoptr(DebyeTemporaryFolder) folder = debye_temporary_folder_new();
  g_autofree char *run = g_build_filename(folder, "run.xtc", NULL);
  debye_temporary_write_trajectory(&debye_format_xtc, run, 3000, 3);
  guint n = 0;
  for (gboolean is_stopped = TRUE; is_stopped; n++) {
    guint left = n;
    g_autoptr(GError) error = NULL;
    g_autoptr(DebyeDataset) dataset =
        debye_dataset_open((const char *[]){run, NULL}, debye_count_down, &left, &error);
    is_stopped = dataset == NULL;
    g_assert_true(is_stopped == g_error_matches(error, G_IO_ERROR, G_IO_ERROR_CANCELLED));
  }
  g_assert_cmpuint(n, >, 5);
}

static void
append(const char *path, const char *bytes, gsize n)
{
  FILE *file = fopen(path, "ab");
  g_assert_nonnull(file);
  g_assert_cmpuint(fwrite(bytes, 1, n, file), ==, n);
  g_assert_cmpint(fclose(file), ==, 0);
}

/* Frames come to a dataset whose elements were chosen; half a frame is none yet, and no fault. */
static void
test_refresh(void)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(DebyeTemporaryFolder) folder = debye_temporary_folder_new();
  g_autofree char *path = debye_temporary_write(folder, "a.gro", structure, strlen(structure));
  g_autofree char *whole = g_build_filename(folder, "whole.xtc", NULL);
  g_autofree char *bytes = NULL;
  gsize n;
  debye_temporary_write_trajectory(&debye_format_xtc, whole, 6, 8);
  g_assert_true(g_file_get_contents(whole, &bytes, &n, &error));
  g_autofree char *run = debye_temporary_write(folder, "run.xtc", bytes, n / 4);
  g_autoptr(DebyeDataset) opened = open_files(path, run);
  g_autoptr(DebyeDataset) dataset =
      debye_dataset_with_elements(opened, (const char *[]){"Q9=Zn", NULL}, &error);
  g_assert_no_error(error);
  g_assert_false(debye_trajectory_has_changed(debye_dataset_get_trajectory(dataset)));
  g_autoptr(DebyeDataset) same = debye_dataset_refresh(dataset, NULL, NULL, &error);
  g_assert_true(same == dataset);

  append(run, bytes + n / 4, n / 2 - n / 4 + 7);
  g_assert_true(debye_trajectory_has_changed(debye_dataset_get_trajectory(dataset)));
  g_autoptr(DebyeDataset) longer = debye_dataset_refresh(dataset, NULL, NULL, &error);
  g_assert_no_error(error);
  g_assert_cmpuint(debye_trajectory_get_n_frames(debye_dataset_get_trajectory(longer)), ==, 4);
  g_assert_null(debye_dataset_get_warnings(longer)[0]);
  g_assert_true(debye_dataset_get_topology(longer) == debye_dataset_get_topology(dataset));
  g_assert_cmpstr(debye_dataset_get_element_choices(longer)[0], ==, "Q9=Zn");
  g_assert_cmpuint(debye_trajectory_get_n_frames(debye_dataset_get_trajectory(dataset)), ==, 2);
}

#define DUMP(step, n, atoms)                            \
  "ITEM: TIMESTEP\n" step "\nITEM: NUMBER OF ATOMS\n" n \
  "\nITEM: BOX BOUNDS pp pp pp\n0 10\n0 10\n0 10\nITEM: ATOMS id type x y z\n1 1 1 1 1\n2 1 2 2 2\n" atoms

/* An atom that comes later than the file was opened: the topology doesn't have it. */
static void
test_refresh_with_another_atom(void)
{
  static const char first[] = DUMP("0", "2", ""), second[] = DUMP("1", "3", "3 1 3 3 3\n");
  g_autoptr(GError) error = NULL;
  g_autoptr(DebyeTemporaryFolder) folder = debye_temporary_folder_new();
  g_autofree char *path = debye_temporary_write(folder, "run.lammpstrj", first, strlen(first));
  g_autoptr(DebyeDataset) dataset = debye_dataset_open((const char *[]){path, NULL}, NULL, NULL, &error);
  g_assert_no_error(error);
  append(path, second, strlen(second));
  g_assert_null(debye_dataset_refresh(dataset, NULL, NULL, &error));
  g_assert_error(error, DEBYE_ERROR, DEBYE_ERROR_MISMATCH);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_autoptr(DebyeTemporaryFolder) cache = debye_temporary_use_cache_folder();
  g_test_add_func("/dataset/element-choices", test_choices);
  g_test_add_func("/dataset/refused-element-choices", test_refused_choices);
  g_test_add_func("/dataset/element-kinds", test_kinds);
  g_test_add_func("/dataset/progress", test_progress);
  g_test_add_func("/dataset/stopped", test_stopped);
  g_test_add_func("/dataset/refresh", test_refresh);
  g_test_add_func("/dataset/refresh-with-another-atom", test_refresh_with_another_atom);
  return g_test_run();
}
