/* SPDX-License-Identifier: MIT */
/* Rows of data sets against the library's own reading, over layouts, filters, indices and types; then chunks
 * that are not what their shape says, which the library would read beyond. */
#include <math.h>
#include <string.h>

#include "data/files/error.h"
#include "data/h5/h5_rows.h"
#include "tests/support/temporary.h"

#define N_FRAMES 7
#define N_ATOMS 5
#define N_VALUES (N_FRAMES * N_ATOMS * 3)

static const hsize_t shape[] = {N_FRAMES, N_ATOMS, 3};

typedef enum { PLAIN, DEFLATE, SHUFFLED, CHECKED, ALL, EDGES_PLAIN, N_PACKINGS } Packing;

/* A new file, whose path stays the caller's. */
static hid_t
create_file(const char *path, H5F_libver_t version)
{
  g_auto(DebyeH5Properties) access = H5Pcreate(H5P_FILE_ACCESS);
  g_assert_cmpint(H5Pset_libver_bounds(access, version, H5F_LIBVER_LATEST), >=, 0);
  hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, access);
  g_assert_cmpint(file, >=, 0);
  return file;
}

static hid_t
describe_packing(Packing packing, const hsize_t *chunk)
{
  hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
  if (chunk == NULL)
    return creation;
  g_assert_cmpint(H5Pset_chunk(creation, 3, chunk), >=, 0);
  if (packing == SHUFFLED || packing == ALL)
    g_assert_cmpint(H5Pset_shuffle(creation), >=, 0);
  if (packing != PLAIN && packing != CHECKED)
    g_assert_cmpint(H5Pset_deflate(creation, 4), >=, 0);
  if (packing == CHECKED || packing == ALL)
    g_assert_cmpint(H5Pset_fletcher32(creation), >=, 0);
  if (packing == EDGES_PLAIN)
    g_assert_cmpint(H5Pset_chunk_opts(creation, H5D_CHUNK_DONT_FILTER_PARTIAL_CHUNKS), >=, 0);
  return creation;
}

static hid_t
create_dataset(hid_t file, const char *name, hid_t type, Packing packing, const hsize_t *chunk,
               gboolean grows)
{
  const hsize_t most[] = {H5S_UNLIMITED, N_ATOMS, 3};
  g_auto(DebyeH5Properties) creation = describe_packing(packing, chunk);
  g_auto(DebyeH5Space) space =
      H5Screate_simple(3, shape, chunk != NULL && (grows || chunk[0] > N_FRAMES) ? most : NULL);
  hid_t dataset = H5Dcreate2(file, name, type, space, H5P_DEFAULT, creation, H5P_DEFAULT);
  g_assert_cmpint(dataset, >=, 0);
  return dataset;
}

static void
write_values(hid_t dataset)
{
  double values[N_VALUES];
  for (int i = 0; i < N_VALUES; i++)
    values[i] = i * 3 % 101 - 40;
  g_assert_cmpint(H5Dwrite(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values), >=, 0);
}

/* Every stretch of rows, as the library reads all of them. */
static void
check_rows(hid_t dataset, hid_t type)
{
  gsize width = H5Tget_size(type), row = N_ATOMS * 3 * width;
  g_autofree guint8 *expected = g_malloc(N_VALUES * width), *found = g_malloc(N_VALUES * width + 8);
  g_autoptr(GError) error = NULL;
  g_assert_cmpint(H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, expected), >=, 0);
  g_autoptr(DebyeH5Rows) rows = debye_h5_rows_new(dataset, type, &error);
  g_assert_no_error(error);
  for (hsize_t first = 0; first <= N_FRAMES; first++)
    for (hsize_t n = 0; first + n <= N_FRAMES; n++) {
      memset(found, 0x5a, N_VALUES * width + 8);
      g_assert_true(debye_h5_rows_read(rows, first, n, found, &error));
      g_assert_no_error(error);
      g_assert_cmpmem(found, n * row, expected + first * row, n * row);
      for (gsize i = n * row; i < N_VALUES * width + 8; i++)
        g_assert_cmpuint(found[i], ==, 0x5a);
    }
}

static const hsize_t chunks[][3] = {{1, N_ATOMS, 3}, {3, N_ATOMS, 3}, {2, 2, 2}, {N_FRAMES, N_ATOMS, 1},
                                    {1, 1, 1},       {9, 4, 3},       {4, 5, 2}};

/* In the oldest format chunks are found through a tree, in the newest through an index of five kinds. */
static void
test_as_the_library_reads(void)
{
  DEBYE_H5_LOCKED();
  g_autoptr(DebyeTemporaryFolder) folder = debye_temporary_folder_new();
  g_autofree char *path = g_build_filename(folder, "rows.h5", NULL);
  const hid_t stored[] = {H5T_IEEE_F32LE, H5T_IEEE_F64BE, H5T_STD_I16BE};
  for (int newest = 0; newest < 2; newest++) {
    g_auto(DebyeH5File) file = create_file(path, newest ? H5F_LIBVER_LATEST : H5F_LIBVER_EARLIEST);
    int number = 0;
    for (Packing packing = PLAIN; packing < N_PACKINGS; packing++)
      for (gsize c = 0; c <= G_N_ELEMENTS(chunks); c++, number++) {
        g_autofree char *name = g_strdup_printf("%d", number);
        g_auto(DebyeH5Dataset) dataset =
            create_dataset(file, name, stored[number % 3], packing,
                           c < G_N_ELEMENTS(chunks) ? chunks[c] : NULL, number % 2 != 0);
        write_values(dataset);
      }
    H5Fclose(file);
    file = debye_h5_open_file(path, NULL);
    g_assert_cmpint(file, >=, 0);
    for (int i = 0; i < number; i++) {
      g_autofree char *name = g_strdup_printf("%d", i);
      g_auto(DebyeH5Dataset) dataset = debye_h5_open_dataset(file, name);
      check_rows(dataset, H5T_NATIVE_FLOAT);
      check_rows(dataset, H5T_NATIVE_DOUBLE);
      check_rows(dataset, H5T_NATIVE_INT64);
    }
  }
}

/* Reading `values` must fail with this in the message. */
static void
assert_refused(const char *path, int code, const char *message)
{
  float values[N_VALUES];
  g_autoptr(GError) error = NULL;
  g_auto(DebyeH5File) file = debye_h5_open_file(path, NULL);
  g_auto(DebyeH5Dataset) dataset = debye_h5_open_dataset(file, "values");
  g_assert_cmpint(dataset, >=, 0);
  g_assert_false(debye_h5_read_values(dataset, H5T_NATIVE_FLOAT, values, N_VALUES, &error));
  g_assert_error(error, DEBYE_ERROR, code);
  g_assert_nonnull(strstr(error->message, message));
}

/* A data set of one chunk of which the file has just these bytes. */
static void
write_chunk(const char *path, Packing packing, unsigned skipped, gconstpointer bytes, gsize n)
{
  const hsize_t first[] = {0, 0, 0};
  g_auto(DebyeH5File) file = create_file(path, H5F_LIBVER_EARLIEST);
  g_auto(DebyeH5Dataset) dataset = create_dataset(file, "values", H5T_IEEE_F32LE, packing, shape, FALSE);
  if (n > 0)
    g_assert_cmpint(H5Dwrite_chunk(dataset, H5P_DEFAULT, skipped, first, n, bytes), >=, 0);
}

static gsize
deflate_bytes(gconstpointer bytes, gsize n, guint8 *packed, gsize room)
{
  g_autoptr(GZlibCompressor) compressor = g_zlib_compressor_new(G_ZLIB_COMPRESSOR_FORMAT_ZLIB, 6);
  gsize read, written;
  GConverterResult result = g_converter_convert(G_CONVERTER(compressor), bytes, n, packed, room,
                                                G_CONVERTER_INPUT_AT_END, &read, &written, NULL);
  g_assert_cmpint(result, ==, G_CONVERTER_FINISHED);
  return written;
}

static void
test_plain_chunks_of_another_size(void)
{
  DEBYE_H5_LOCKED();
  static const guint8 bytes[8 * N_VALUES];
  g_autoptr(DebyeTemporaryFolder) folder = debye_temporary_folder_new();
  g_autofree char *path = g_build_filename(folder, "chunk.h5", NULL);
  write_chunk(path, DEFLATE, 1, bytes, 12);
  assert_refused(path, DEBYE_ERROR_SYNTAX, "expected a chunk of 420 bytes, found one of 12");
  write_chunk(path, DEFLATE, 1, bytes, 8 * N_VALUES);
  assert_refused(path, DEBYE_ERROR_SYNTAX, "expected a chunk of 420 bytes, found one of 840");
  write_chunk(path, DEFLATE, 0, NULL, 0);
  assert_refused(path, DEBYE_ERROR_MISSING, "expected values, found a data set that was never written");
}

static void
test_packed_chunks_of_another_size(void)
{
  DEBYE_H5_LOCKED();
  static const guint8 bytes[8 * N_VALUES];
  guint8 packed[1024];
  g_autoptr(DebyeTemporaryFolder) folder = debye_temporary_folder_new();
  g_autofree char *path = g_build_filename(folder, "chunk.h5", NULL);
  gsize n = deflate_bytes(bytes, 400, packed, sizeof packed);
  write_chunk(path, DEFLATE, 0, packed, n);
  assert_refused(path, DEBYE_ERROR_SYNTAX,
                 "the chunk at (0, 0, 0): expected a chunk of 420 bytes, found one of 400");
  n = deflate_bytes(bytes, sizeof bytes, packed, sizeof packed);
  write_chunk(path, SHUFFLED, 0, packed, n);
  assert_refused(path, DEBYE_ERROR_SYNTAX, "unpacks to ");
  n = deflate_bytes(bytes, 420, packed, sizeof packed);
  write_chunk(path, DEFLATE, 0, packed, n - 3);
  assert_refused(path, DEBYE_ERROR_SYNTAX, "found one that breaks off after ");
}

static void
test_checksums(void)
{
  DEBYE_H5_LOCKED();
  static const guint8 bytes[4 * N_VALUES + 4];
  guint8 wrong[4 * N_VALUES + 4] = {7};
  g_autoptr(DebyeTemporaryFolder) folder = debye_temporary_folder_new();
  g_autofree char *path = g_build_filename(folder, "chunk.h5", NULL);
  write_chunk(path, CHECKED, 0, wrong, sizeof wrong);
  assert_refused(path, DEBYE_ERROR_SYNTAX, "expected a chunk with the checksum 00000000, found ");
  write_chunk(path, CHECKED, 0, bytes, 3);
  assert_refused(path, DEBYE_ERROR_SYNTAX, "it is damaged");
  write_chunk(path, CHECKED, 0, bytes, sizeof bytes);
  float values[N_VALUES];
  g_auto(DebyeH5File) file = debye_h5_open_file(path, NULL);
  g_auto(DebyeH5Dataset) dataset = debye_h5_open_dataset(file, "values");
  g_assert_true(debye_h5_read_values(dataset, H5T_NATIVE_FLOAT, values, N_VALUES, NULL));
  g_assert_cmpfloat(values[N_VALUES - 1], ==, 0.0f);
  g_assert_false(debye_h5_read_values(dataset, H5T_NATIVE_FLOAT, values, N_VALUES - 1, NULL));
}

/* Text where numbers are wanted, in one piece and in chunks. */
static void
test_text_for_numbers(void)
{
  DEBYE_H5_LOCKED();
  static const char letters[N_VALUES] = "text";
  g_autoptr(DebyeTemporaryFolder) folder = debye_temporary_folder_new();
  g_autofree char *path = g_build_filename(folder, "text.h5", NULL);
  for (int k = 0; k < 2; k++) {
    {
      g_auto(DebyeH5File) file = create_file(path, H5F_LIBVER_EARLIEST);
      g_auto(DebyeH5Dataset) dataset =
          create_dataset(file, "values", H5T_C_S1, PLAIN, k == 0 ? NULL : shape, FALSE);
      g_assert_cmpint(H5Dwrite(dataset, H5T_C_S1, H5S_ALL, H5S_ALL, H5P_DEFAULT, letters), >=, 0);
    }
    assert_refused(path, DEBYE_ERROR_SYNTAX, "the values can't be read: ");
  }
}

/* Values that are not in the file: never written, or in another one. */
static void
test_values_elsewhere(void)
{
  DEBYE_H5_LOCKED();
  g_autoptr(DebyeTemporaryFolder) folder = debye_temporary_folder_new();
  g_autofree char *path = g_build_filename(folder, "elsewhere.h5", NULL);
  {
    g_auto(DebyeH5File) file = create_file(path, H5F_LIBVER_EARLIEST);
    g_auto(DebyeH5Dataset) dataset = create_dataset(file, "values", H5T_IEEE_F32LE, PLAIN, NULL, FALSE);
  }
  assert_refused(path, DEBYE_ERROR_TRUNCATED, "expected 420 bytes of values, found 0");
  {
    g_auto(DebyeH5File) file = create_file(path, H5F_LIBVER_EARLIEST);
    g_auto(DebyeH5Properties) creation = H5Pcreate(H5P_DATASET_CREATE);
    g_auto(DebyeH5Space) space = H5Screate_simple(3, shape, NULL);
    g_assert_cmpint(H5Pset_external(creation, "values.raw", 0, H5F_UNLIMITED), >=, 0);
    g_auto(DebyeH5Dataset) dataset =
        H5Dcreate2(file, "values", H5T_IEEE_F32LE, space, H5P_DEFAULT, creation, H5P_DEFAULT);
    g_assert_cmpint(dataset, >=, 0);
  }
  assert_refused(path, DEBYE_ERROR_UNKNOWN, "expected values in the file itself, found them elsewhere");
}

/* Scattered wrong bytes: an error or numbers, never a crash (the sanitizers see the rest). */
static void
test_spoilt_files(void)
{
  DEBYE_H5_LOCKED();
  g_autofree char *content = NULL;
  gsize n, n_good = 0;
  g_autoptr(DebyeTemporaryFolder) folder = debye_temporary_folder_new();
  g_autofree char *path = g_build_filename(folder, "spoilt.h5", NULL);
  {
    g_auto(DebyeH5File) file = create_file(path, H5F_LIBVER_EARLIEST);
    g_auto(DebyeH5Dataset) dataset =
        create_dataset(file, "values", H5T_IEEE_F32LE, SHUFFLED, chunks[1], FALSE);
    write_values(dataset);
  }
  g_assert_true(g_file_get_contents(path, &content, &n, NULL));
  for (gsize at = 0; at < n; at++) {
    float values[N_VALUES];
    content[at] ^= 0x25;
    g_assert_true(g_file_set_contents_full(path, content, (gssize)n, G_FILE_SET_CONTENTS_NONE, 0600, NULL));
    content[at] ^= 0x25;
    g_auto(DebyeH5File) file = debye_h5_open_file(path, NULL);
    g_auto(DebyeH5Dataset) dataset = file >= 0 ? debye_h5_open_dataset(file, "values") : H5I_INVALID_HID;
    g_autoptr(GError) error = NULL;
    if (dataset < 0)
      continue;
    gboolean good = debye_h5_read_values(dataset, H5T_NATIVE_FLOAT, values, N_VALUES, &error);
    g_assert_true(good == (error == NULL));
    n_good += good;
  }
  g_assert_cmpuint(n_good, >, 0);
  g_assert_cmpuint(n_good, <, n);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/h5-rows/as-the-library-reads", test_as_the_library_reads);
  g_test_add_func("/h5-rows/plain-chunks-of-another-size", test_plain_chunks_of_another_size);
  g_test_add_func("/h5-rows/packed-chunks-of-another-size", test_packed_chunks_of_another_size);
  g_test_add_func("/h5-rows/checksums", test_checksums);
  g_test_add_func("/h5-rows/text-for-numbers", test_text_for_numbers);
  g_test_add_func("/h5-rows/values-elsewhere", test_values_elsewhere);
  g_test_add_func("/h5-rows/spoilt-files", test_spoilt_files);
  return g_test_run();
}
