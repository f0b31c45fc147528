/* SPDX-License-Identifier: MIT */
/* Under de_DE, where the C library reads and writes a comma: every writer makes the same bytes as in C, every
 * reader finds the same numbers in them. */
#include <locale.h>
#include <string.h>

#include "data/files/error.h"
#include "data/trajectory/format_list.h"
#include "map_support.h"
#include "tests/support/temporary.h"

static char *folder;

typedef gboolean (*Writer)(GOutputStream *stream, gconstpointer what);

static GBytes *
write_in(const char *locale, Writer writer, gconstpointer what)
{
  g_autoptr(GOutputStream) stream = g_memory_output_stream_new_resizable();
  g_assert_nonnull(setlocale(LC_ALL, locale));
  g_assert_true(writer(stream, what));
  setlocale(LC_ALL, "de_DE.UTF-8");
  g_output_stream_close(stream, NULL, NULL);
  return g_memory_output_stream_steal_as_bytes(G_MEMORY_OUTPUT_STREAM(stream));
}

static GBytes *
assert_same_bytes(Writer writer, gconstpointer what)
{
  g_autoptr(GBytes) plain = write_in("C", writer, what);
  GBytes *german = write_in("de_DE.UTF-8", writer, what);
  g_assert_cmpmem(g_bytes_get_data(german, NULL), g_bytes_get_size(german), g_bytes_get_data(plain, NULL),
                  g_bytes_get_size(plain));
  g_assert_cmpuint(g_bytes_get_size(german), >, 0);
  return german;
}

static gboolean
write_dx(GOutputStream *stream, gconstpointer what)
{
  return debye_field_save_dx((DebyeField *)what, stream, NULL);
}

static gboolean
write_cube(GOutputStream *stream, gconstpointer what)
{
  return debye_field_save_cube((DebyeField *)what, NULL, NULL, stream, NULL);
}

static gboolean
write_ccp4(GOutputStream *stream, gconstpointer what)
{
  return debye_field_save_ccp4((DebyeField *)what, stream, NULL);
}

static gboolean
write_csv(GOutputStream *stream, gconstpointer what)
{
  return debye_field_save_csv((DebyeField *)what, NULL, stream, NULL);
}

static void
test_is_german(void)
{
  char text[16];
  g_snprintf(text, sizeof text, "%.1f", 1.5);
  g_assert_cmpstr(text, ==, "1,5");
}

static void
test_maps(void)
{
  static const Writer writers[] = {write_dx, write_cube, write_ccp4};
  for (int skew = 0; skew < 2; skew++) {
    g_autoptr(DebyeField) field = map_support_make_field(skew);
    g_autoptr(GBytes) csv = assert_same_bytes(write_csv, field);
    g_assert_cmpuint(g_bytes_get_size(csv), >, 1000);
    for (gsize i = 0; i < G_N_ELEMENTS(writers); i++) {
      GError *error = NULL;
      g_autoptr(GBytes) bytes = assert_same_bytes(writers[i], field);
      g_autofree char *path =
          map_support_write(folder, "map", g_bytes_get_data(bytes, NULL), (gssize)g_bytes_get_size(bytes));
      g_autoptr(DebyeField) again = debye_field_load(path, &error);
      g_assert_no_error(error);
      map_support_assert_same_grid(again, field, 2e-6);
      /* A cube keeps six digits. */
      if (writers[i] != write_cube)
        map_support_assert_same_values(again, field);
    }
  }
}

static void
test_result(void)
{
  GError *error = NULL;
  g_autofree char *path = g_build_filename(folder, "result.h5", NULL);
  g_autoptr(DebyeRequest) request = debye_request_new(&map_support_table);
  g_autoptr(DebyeResult) result = debye_result_new(request, "");
  g_autoptr(DebyeField) field = map_support_make_field(TRUE);
  debye_request_set(request, "spacing", "0.25", NULL);
  debye_result_add_field(result, field);
  debye_result_set_wall_time(result, 1.5);
  debye_result_save(result, path, NULL, &error);
  g_assert_no_error(error);
  g_autoptr(DebyeResult) again = debye_result_load(path, map_support_find_table, &error);
  g_assert_no_error(error);
  g_assert_cmpfloat(debye_result_get_wall_time(again), ==, 1.5);
  g_assert_cmpfloat(debye_request_get_number(debye_result_get_request(again), "spacing"), ==, 0.25);
}

static void
test_settings(void)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(DebyeRequest) request = debye_request_new(&map_support_table);
  g_assert_true(debye_request_set(request, "spacing", "0.25", NULL));
  g_assert_cmpfloat(debye_request_get_number(request, "spacing"), ==, 0.25);
  g_assert_false(debye_request_set(request, "spacing", "0,25", &error));
  g_assert_cmpstr(error->message, ==, "Grid spacing: expected a number from 0.05 to 5 Å, found “0,25”");
}

typedef struct {
  const DebyeFormat *format;
  DebyeTopology *topology;
  const DebyeFrame *frame;
} Coordinates;

static gboolean
write_coordinates(GOutputStream *stream, gconstpointer what)
{
  const Coordinates *c = what;
  g_autoptr(GError) error = NULL;
  gpointer writer = c->format->writer_new(stream, c->topology, c->frame->n_atoms, 1, &error);
  g_assert_no_error(error);
  return c->format->write_frame(writer, c->frame, &error) && c->format->writer_finish(writer, &error);
}

static DebyeTopology *
make_topology(gsize n_atoms)
{
  g_autoptr(DebyeTopologyBuilder) builder = debye_topology_builder_new();
  debye_topology_builder_set_residue(builder, "GLY", -1, 1, 0, "A", -1, "S", -1);
  for (gsize i = 0; i < n_atoms; i++) {
    DebyeAtom atom = DEBYE_ATOM_INIT;
    atom.name = "C";
    atom.atomic_number = 6;
    atom.mass = 12.011;
    atom.charge = 0.25;
    atom.radius = 1.5;
    debye_topology_builder_add_atom(builder, &atom);
  }
  return debye_topology_builder_finish(builder);
}

static void
assert_reads_in(const char *locale, const char *path, const DebyeFormat *format, DebyeFrame *frame)
{
  GError *error = NULL;
  g_assert_nonnull(setlocale(LC_ALL, locale));
  g_autoptr(DebyeInput) input = debye_input_open(path, &error);
  g_autoptr(DebyeFrameIndex) index = debye_frame_index_new();
  format->index_frames(input, index, NULL, NULL, &error);
  g_assert_no_error(error);
  gpointer reader = format->reader_new(input, index, &error);
  g_assert_no_error(error);
  g_assert_cmpuint(index->n_atoms, ==, frame->n_atoms);
  format->read_frame(reader, input, index, 0, frame, &error);
  g_assert_no_error(error);
  format->reader_free(reader);
  setlocale(LC_ALL, "de_DE.UTF-8");
}

/* Every format that is written; and read again, where it can be. */
static void
test_coordinates(void)
{
  const gsize n_atoms = 20;
  g_autoptr(DebyeTopology) topology = make_topology(n_atoms);
  g_autoptr(DebyeFrame) frame = debye_temporary_make_frame(n_atoms, 1);
  guint n_written = 0;
  for (const DebyeFormat *const *format = debye_format_list(); *format != NULL; format++) {
    if ((*format)->writer_new == NULL)
      continue;
    const Coordinates what = {*format, topology, frame};
    g_test_message("%s", (*format)->name);
    g_autoptr(GBytes) bytes = assert_same_bytes(write_coordinates, &what);
    n_written++;
    if ((*format)->index_frames == NULL)
      continue;
    g_autofree char *path = map_support_write(folder, "coordinates", g_bytes_get_data(bytes, NULL),
                                              (gssize)g_bytes_get_size(bytes));
    g_autoptr(DebyeFrame) german = debye_frame_new(n_atoms), plain = debye_frame_new(n_atoms);
    assert_reads_in("de_DE.UTF-8", path, *format, german);
    assert_reads_in("C", path, *format, plain);
    g_assert_cmpmem(german->x, n_atoms * sizeof(float), plain->x, n_atoms * sizeof(float));
    g_assert_cmpmem(german->z, n_atoms * sizeof(float), plain->z, n_atoms * sizeof(float));
    for (gsize i = 0; i < n_atoms; i++)
      /* GRO keeps hundredths of an ångström. */
      g_assert_cmpfloat(fabsf(german->y[i] - frame->y[i]), <=, 0.0051f);
  }
  g_assert_cmpuint(n_written, >=, 5);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  folder = map_support_make_folder();
  int status = 77;
  if (map_support_set_german(folder)) {
    g_test_add_func("/locale/is-german", test_is_german);
    g_test_add_func("/locale/maps", test_maps);
    g_test_add_func("/locale/result", test_result);
    g_test_add_func("/locale/settings", test_settings);
    g_test_add_func("/locale/coordinates", test_coordinates);
    status = g_test_run();
  }
  map_support_remove_folder(folder);
  return status;
}
