/* SPDX-License-Identifier: MIT */
/* Files by place and by line, packings undone, numbers from text. */
#include <bzlib.h>
#include <locale.h>
#include <lzma.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <glib/gstdio.h>

#include "data/files/error.h"
#include "data/files/input_view.h"
#include "tests/support/temporary.h"

static DebyeInput *
open_bytes(const DebyeTemporaryFolder *folder, const char *name, gconstpointer bytes, gsize n)
{
  g_autoptr(GError) error = NULL;
  g_autofree char *path = debye_temporary_write(folder, name, bytes, n);
  DebyeInput *input = debye_input_open(path, &error);
  g_assert_no_error(error);
  return input;
}

/* Bytes that tell their place. */
static guint8 *
make_bytes(gsize n)
{
  guint8 *bytes = g_malloc(n);
  for (gsize i = 0; i < n; i++)
    bytes[i] = (guint8)(i * 2654435761u >> 24);
  return bytes;
}

static void
test_read_anywhere(void)
{
  g_autoptr(DebyeTemporaryFolder) folder = debye_temporary_folder_new();
  g_autoptr(GError) error = NULL;
  g_autoptr(GRand) random = g_rand_new_with_seed(1);
  const gsize n = 3000000;
  g_autofree guint8 *bytes = make_bytes(n);
  g_autofree guint8 *buffer = g_malloc(n);
  g_autoptr(DebyeInput) input = open_bytes(folder, "bytes", bytes, n);
  g_assert_cmpuint(debye_input_get_size(input), ==, n);
  gsize offset = 0;
  for (int k = 0; k < 3000; k++) {
    /* Jumps, and stretches that go on where the last one ended; short and beyond the window. */
    gsize length = (gsize)g_rand_int_range(random, 0, k % 50 == 0 ? 1500000 : 9000);
    if (k % 3 == 0 || offset + length > n)
      offset = (gsize)g_rand_int_range(random, 0, (gint32)(n - length));
    g_assert_true(debye_input_read(input, offset, buffer, length, &error));
    g_assert_cmpmem(buffer, length, bytes + offset, length);
    offset += length;
  }
  g_assert_cmpint(debye_input_read_some(input, n - 5, buffer, 100, &error), ==, 5);
  g_assert_cmpint(debye_input_read_some(input, n + 5, buffer, 100, &error), ==, 0);
  g_assert_cmpint(debye_input_read_some(input, G_MAXUINT64 - 5, buffer, 100, &error), ==, 0);
  g_assert_false(debye_input_read(input, n - 5, buffer, 6, &error));
  g_assert_error(error, DEBYE_ERROR, DEBYE_ERROR_TRUNCATED);
}

static void
check_parts(DebyeInput *input, const guint8 *bytes, gsize offset, gsize n)
{
  g_autoptr(GError) error = NULL;
  g_autofree guint8 *first = g_malloc(n), *third = g_malloc(n);
  guint8 marker[4];
  const DebyeInputPart parts[3] = {{first, n}, {marker, 4}, {third, n}};
  g_assert_true(debye_input_read_parts(input, offset, parts, 3, &error));
  g_assert_cmpmem(first, n, bytes + offset, n);
  g_assert_cmpmem(marker, 4, bytes + offset + n, 4);
  g_assert_cmpmem(third, n, bytes + offset + n + 4, n);
}

static void
test_read_parts(void)
{
  g_autoptr(DebyeTemporaryFolder) folder = debye_temporary_folder_new();
  g_autoptr(GError) error = NULL;
  const gsize n = 200000;
  g_autofree guint8 *bytes = make_bytes(n);
  g_autoptr(DebyeInput) input = open_bytes(folder, "bytes", bytes, n);
  check_parts(input, bytes, 7, 100);
  check_parts(input, bytes, 7, 50000);
  g_autofree guint8 *buffer = g_malloc(n);
  const DebyeInputPart beyond = {buffer, 60000};
  g_assert_false(debye_input_read_parts(input, n - 59999, &beyond, 1, &error));
  g_assert_error(error, DEBYE_ERROR, DEBYE_ERROR_TRUNCATED);
}

/* The file loses its end while it is open. */
static void
test_shrink(void)
{
  g_autoptr(DebyeTemporaryFolder) folder = debye_temporary_folder_new();
  g_autoptr(GError) error = NULL;
  const gsize n = 2000000;
  g_autofree guint8 *bytes = make_bytes(n);
  g_autofree guint8 *buffer = g_malloc(n);
  g_autoptr(DebyeInput) input = open_bytes(folder, "bytes", bytes, n);
  g_assert_true(debye_input_read(input, 0, buffer, 100, &error));
  g_autoptr(GFile) file = g_file_new_for_path(debye_input_get_path(input));
  g_autoptr(GFileIOStream) stream = g_file_open_readwrite(file, NULL, &error);
  g_assert_true(g_seekable_truncate(G_SEEKABLE(stream), 1000, NULL, &error));
  g_assert_false(debye_input_read(input, 500000, buffer, 100, &error));
  g_assert_error(error, DEBYE_ERROR, DEBYE_ERROR_TRUNCATED);
}

typedef GByteArray *(*CompressFunc)(gconstpointer bytes, gsize n);

static GByteArray *
compress(gconstpointer bytes, gsize n)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(GZlibCompressor) compressor = g_zlib_compressor_new(G_ZLIB_COMPRESSOR_FORMAT_GZIP, 6);
  g_autoptr(GOutputStream) memory = g_memory_output_stream_new_resizable();
  g_autoptr(GOutputStream) stream = g_converter_output_stream_new(memory, G_CONVERTER(compressor));
  g_assert_true(g_output_stream_write_all(stream, bytes, n, NULL, NULL, &error));
  g_assert_true(g_output_stream_close(stream, NULL, &error));
  g_autoptr(GBytes) made = g_memory_output_stream_steal_as_bytes(G_MEMORY_OUTPUT_STREAM(memory));
  GByteArray *array = g_byte_array_new();
  g_byte_array_append(array, g_bytes_get_data(made, NULL), (guint)g_bytes_get_size(made));
  return array;
}

static GByteArray *
compress_bzip2(gconstpointer bytes, gsize n)
{
  GByteArray *array = g_byte_array_new();
  guint length = (guint)(n + n / 100 + 600);
  g_byte_array_set_size(array, length);
  g_assert_cmpint(BZ2_bzBuffToBuffCompress((char *)array->data, &length, (char *)bytes, (guint)n, 1, 0, 0),
                  ==, BZ_OK);
  return g_byte_array_set_size(array, length);
}

static GByteArray *
compress_xz(gconstpointer bytes, gsize n)
{
  GByteArray *array = g_byte_array_new();
  gsize length = 0;
  g_byte_array_set_size(array, (guint)lzma_stream_buffer_bound(n));
  g_assert_cmpint(
      lzma_easy_buffer_encode(1, LZMA_CHECK_CRC64, NULL, bytes, n, array->data, &length, array->len), ==,
      LZMA_OK);
  return g_byte_array_set_size(array, (guint)length);
}

static const struct {
  const char *name;
  CompressFunc compress;
} packings[] = {{"gzip", compress}, {"bzip2", compress_bzip2}, {"xz", compress_xz}};

/* One stream, two, and two with `n_padding` zeros between and behind them. */
static void
check_packing(CompressFunc pack, gsize n, gsize n_padding)
{
  g_autoptr(DebyeTemporaryFolder) folder = debye_temporary_folder_new();
  g_autoptr(GError) error = NULL;
  g_autofree guint8 *bytes = make_bytes(n);
  g_autofree guint8 *buffer = g_malloc(2 * n + 1);
  g_autofree guint8 *zeros = g_malloc0(n_padding);
  g_autoptr(GByteArray) once = pack(bytes, n);
  g_autoptr(GByteArray) twice = pack(bytes, n);
  g_byte_array_append(twice, zeros, (guint)n_padding);
  g_byte_array_append(twice, once->data, once->len);
  g_byte_array_append(twice, zeros, (guint)n_padding);
  g_autoptr(DebyeInput) one = open_bytes(folder, "one.gz", once->data, once->len);
  g_assert_cmpuint(debye_input_get_size(one), ==, n);
  g_assert_cmpuint(debye_input_get_disk_size(one), ==, once->len);
  g_assert_true(debye_input_read(one, 0, buffer, n, &error));
  g_assert_cmpmem(buffer, n, bytes, n);
  g_autoptr(DebyeInput) two = open_bytes(folder, "two.gz", twice->data, twice->len);
  g_assert_cmpuint(debye_input_get_size(two), ==, 2 * n);
  g_assert_true(debye_input_read(two, n, buffer, n, &error));
  g_assert_cmpmem(buffer, n, bytes, n);
}

static void
test_packings(void)
{
  for (gsize k = 0; k < G_N_ELEMENTS(packings); k++) {
    g_test_message("%s", packings[k].name);
    check_packing(packings[k].compress, 300000, 0);
    check_packing(packings[k].compress, 1, 0);
  }
  /* The ends of streams at any place of the buffer that is read into. */
  for (gsize n = 65400; n < 65600; n += 7)
    check_packing(compress_xz, n, 4 * (n % 20));
  check_packing(compress_xz, 1000, 200000);
}

/* bzip2 begins with letters, as a text may. */
static void
test_text_is_not_bzip2(void)
{
  g_autoptr(DebyeTemporaryFolder) folder = debye_temporary_folder_new();
  g_autoptr(DebyeInput) input = open_bytes(folder, "a", "BZh9 is a title", 15);
  g_assert_cmpuint(debye_input_get_size(input), ==, 15);
  g_autoptr(GByteArray) empty = compress_bzip2("", 0);
  g_autoptr(DebyeInput) nothing = open_bytes(folder, "empty", empty->data, empty->len);
  g_assert_cmpuint(debye_input_get_size(nothing), ==, 0);
}

/* Unpacked once for both, and anew where nobody has it open, or where it is another file by now. */
static void
test_shared_gzip(void)
{
  g_autoptr(DebyeTemporaryFolder) folder = debye_temporary_folder_new();
  g_autoptr(GByteArray) packed = compress("first", 5), other = compress("other one", 9);
  g_autofree char *path = debye_temporary_write(folder, "shared.gz", packed->data, packed->len);
  char bytes[9];
  DebyeInput *one = debye_input_open(path, NULL);
  g_autoptr(DebyeInput) two = debye_input_open(path, NULL);
  g_assert_cmpint(debye_input_get_descriptor(one), ==, debye_input_get_descriptor(two));
  g_assert_cmpfloat(debye_input_get_unpacked_part(one), ==, 0.5);
  g_assert_cmpfloat(debye_input_get_unpacked_part(two), ==, 0.0);
  debye_input_close(one);
  g_assert_true(debye_input_read(two, 0, bytes, 5, NULL));
  g_assert_cmpmem(bytes, 5, "first", 5);
  g_free(debye_temporary_write(folder, "shared.gz", other->data, other->len));
  g_autoptr(DebyeInput) three = debye_input_open(path, NULL);
  g_assert_cmpuint(debye_input_get_size(three), ==, 9);
  g_assert_true(debye_input_read(three, 0, bytes, 9, NULL));
  g_assert_cmpmem(bytes, 9, "other one", 9);
}

static void
assert_not_opened(const DebyeTemporaryFolder *folder, gconstpointer bytes, gsize n, int code)
{
  g_autoptr(GError) error = NULL;
  g_autofree char *path = debye_temporary_write(folder, "broken.gz", bytes, n);
  g_assert_null(debye_input_open(path, &error));
  g_assert_error(error, DEBYE_ERROR, code);
  g_assert_true(g_str_has_prefix(error->message, "broken.gz: "));
}

/* Cut anywhere, even of its last byte, and changed. */
static void
check_broken_packing(CompressFunc pack)
{
  g_autoptr(DebyeTemporaryFolder) folder = debye_temporary_folder_new();
  const gsize n = 300000;
  g_autofree guint8 *bytes = make_bytes(n);
  g_autoptr(GByteArray) good = pack(bytes, n);
  assert_not_opened(folder, good->data, 20, DEBYE_ERROR_TRUNCATED);
  assert_not_opened(folder, good->data, good->len / 2, DEBYE_ERROR_TRUNCATED);
  assert_not_opened(folder, good->data, good->len - 1, DEBYE_ERROR_TRUNCATED);
  g_autoptr(GByteArray) twice = pack(bytes, n);
  g_byte_array_append(twice, good->data, good->len / 2);
  assert_not_opened(folder, twice->data, twice->len, DEBYE_ERROR_TRUNCATED);
  memset(good->data + 1000, 0x55, 1000);
  assert_not_opened(folder, good->data, good->len, DEBYE_ERROR_SYNTAX);
}

static void
test_broken_packings(void)
{
  for (gsize k = 0; k < G_N_ELEMENTS(packings); k++) {
    g_test_message("%s", packings[k].name);
    check_broken_packing(packings[k].compress);
  }
}

/* A damaged header of a later stream is not the end of the file. */
static void
test_behind_xz(void)
{
  g_autoptr(DebyeTemporaryFolder) folder = debye_temporary_folder_new();
  g_autofree guint8 *bytes = make_bytes(1000);
  g_autoptr(GByteArray) packed = compress_xz(bytes, 1000);
  const guint length = packed->len;
  g_byte_array_append(packed, packed->data, length);
  packed->data[length] ^= 1;
  assert_not_opened(folder, packed->data, packed->len, DEBYE_ERROR_SYNTAX);
}

/* A header that asks for 1.5 GiB: refused before any of it is taken. */
static void
test_memory_of_xz(void)
{
  g_autoptr(DebyeTemporaryFolder) folder = debye_temporary_folder_new();
  g_autofree guint8 *bytes = make_bytes(1000);
  g_autoptr(GByteArray) packed = compress_xz(bytes, 1000);
  /* The block's header, behind the stream's: its length in words, flags, sizes, the filter with its dictionary,
   * zeros, checksum. */
  guint8 *header = packed->data + 12;
  gsize n = 4u * (header[0] + 1u), at = 2;
  while (header[at] != LZMA_FILTER_LZMA2 || header[at + 1] != 1)
    g_assert_cmpuint(++at, <, n - 6);
  header[at + 2] = 37;
  guint32 checksum = GUINT32_TO_LE(lzma_crc32(header, n - 4, 0));
  memcpy(header + n - 4, &checksum, 4);
  assert_not_opened(folder, packed->data, packed->len, DEBYE_ERROR_LIMIT);
}

/* 150 MB of zeros in at most 150 kB: more than text can be compressed. */
static void
test_bombs(void)
{
  g_autoptr(DebyeTemporaryFolder) folder = debye_temporary_folder_new();
  const gsize n = 150u << 20;
  g_autofree guint8 *zeros = g_malloc0(n);
  for (gsize k = 0; k < G_N_ELEMENTS(packings); k++) {
    g_autoptr(GByteArray) bomb = packings[k].compress(zeros, n);
    g_assert_cmpuint(bomb->len, <, 160000);
    assert_not_opened(folder, bomb->data, bomb->len, DEBYE_ERROR_LIMIT);
  }
}

static void
test_not_a_file(void)
{
  g_autoptr(DebyeTemporaryFolder) folder = debye_temporary_folder_new();
  g_autoptr(GError) error = NULL;
  g_autofree char *missing = g_build_filename(folder, "missing.dcd", NULL);
  g_assert_null(debye_input_open(folder, &error));
  g_assert_error(error, DEBYE_ERROR, DEBYE_ERROR_OPEN);
  g_clear_error(&error);
  g_assert_null(debye_input_open(missing, &error));
  g_assert_error(error, DEBYE_ERROR, DEBYE_ERROR_OPEN);
  g_assert_true(g_str_has_prefix(error->message, "missing.dcd: "));
}

/* The lines of a text, joined by '|'. */
static char *
read_lines(const DebyeTemporaryFolder *folder, const char *text, gsize n, guint64 offset)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(DebyeInput) input = open_bytes(folder, "lines", text, n);
  g_auto(DebyeLineReader) reader;
  g_autoptr(GString) joined = g_string_new(NULL);
  debye_line_reader_init(&reader, input, offset, 1);
  guint64 next = reader.next_offset;
  for (guint64 number = 1; debye_line_reader_next(&reader, &error); number++) {
    g_assert_cmpuint(reader.number, ==, number);
    g_assert_true(number == 1 || reader.offset == next);
    g_assert_cmpint(reader.text[reader.length], ==, '\0');
    next = reader.next_offset;
    g_string_append_printf(joined, "%s|", reader.text);
  }
  g_assert_no_error(error);
  g_assert_cmpuint(next, ==, MAX(n, offset));
  return g_string_free(g_steal_pointer(&joined), FALSE);
}

static void
assert_lines(const char *text, const char *expected)
{
  g_autoptr(DebyeTemporaryFolder) folder = debye_temporary_folder_new();
  g_autofree char *lines = read_lines(folder, text, strlen(text), 0);
  g_assert_cmpstr(lines, ==, expected);
}

static void
test_line_ends(void)
{
  assert_lines("", "");
  assert_lines("one", "one|");
  assert_lines("one\ntwo\n", "one|two|");
  assert_lines("one\r\ntwo\r\n", "one|two|");
  assert_lines("one\rtwo\r", "one|two|");
  assert_lines("one\r\rthree\n\r\nfive", "one||three||five|");
  assert_lines("\xEF\xBB\xBFone\n", "one|");
  assert_lines("\n", "|");
}

/* Lines of every length around the buffer's own sizes, with each kind of end. */
static void
test_line_lengths(void)
{
  static const char *const ends[] = {"\n", "\r\n", "\r"};
  g_autoptr(DebyeTemporaryFolder) folder = debye_temporary_folder_new();
  for (gsize length = 65530; length < 65540; length++) {
    for (gsize k = 0; k < G_N_ELEMENTS(ends); k++) {
      g_autofree char *line = g_strnfill(length, 'x');
      g_autofree char *text = g_strconcat(line, ends[k], "end", ends[k], NULL);
      g_autofree char *lines = read_lines(folder, text, strlen(text), 0);
      g_autofree char *expected = g_strconcat(line, "|end|", NULL);
      g_assert_cmpstr(lines, ==, expected);
    }
  }
}

static void
test_long_line(void)
{
  g_autoptr(DebyeTemporaryFolder) folder = debye_temporary_folder_new();
  g_autofree char *line = g_strnfill(3 * DEBYE_LINE_LIMIT + 17, 'x');
  g_autofree char *text = g_strconcat("first\n", line, "\r\nlast", NULL);
  g_autofree char *lines = read_lines(folder, text, strlen(text), 0);
  line[DEBYE_LINE_LIMIT] = '\0';
  g_autofree char *expected = g_strconcat("first|", line, "|last|", NULL);
  g_assert_cmpstr(lines, ==, expected);
  g_autofree char *rest = read_lines(folder, text, strlen(text), strlen(text) - 4);
  g_assert_cmpstr(rest, ==, "last|");
}

static void
assert_number(const char *text, double expected)
{
  double value = 0.0;
  g_assert_true(debye_text_to_double(text, strlen(text), &value));
  if (isnan(expected))
    g_assert_true(isnan(value));
  else
    g_assert_cmpfloat(value, ==, expected);
}

static void
test_numbers(void)
{
  static const char *const wrong[] = {"",   " ",   "-",  ".",    "1,5",   "1.5x",   "1 5",   "0x10",
                                      "1e", "1e+", "e5", "1e5.", "1e1e1", "nan(1)", "1.5.2", "--1"};
  /* As an interface with a German desktop has it: the answers may not change. */
  setlocale(LC_ALL, "de_DE.UTF-8");
  assert_number("1.5", 1.5);
  assert_number("  -0.25\t", -0.25);
  assert_number(".5", 0.5);
  assert_number("5.", 5.0);
  assert_number("+7", 7.0);
  assert_number("1e3", 1000.0);
  assert_number("1.5D+02", 150.0);
  assert_number("3.14159265358979312", 3.14159265358979312);
  assert_number("0.1", 0.1);
  assert_number("123456789012345678", 123456789012345678.0);
  assert_number("1e400", (double)INFINITY);
  assert_number("1e-400", 0.0);
  assert_number("-2.5d-3", -0.0025);
  assert_number("1.E2", 100.0);
  assert_number("1e+22", 1e22);
  assert_number("1e23", 1e23);
  /* The middle of two doubles, and just beside it: 2^53 + 1. */
  assert_number("9007199254740993", 9007199254740992.0);
  assert_number("9007199254740993.001", 9007199254740994.0);
  assert_number("0.00000000000000000000000000000000000012345", 1.2345e-37);
  assert_number("nan", (double)NAN);
  assert_number("-inf", -(double)INFINITY);
  for (gsize k = 0; k < G_N_ELEMENTS(wrong); k++) {
    double value;
    g_assert_false(debye_text_to_double(wrong[k], strlen(wrong[k]), &value));
  }
  setlocale(LC_ALL, "C");
}

/* The short way and the long way agree to the last bit on what structure files hold. */
static void
test_numbers_are_nearest(void)
{
  g_autoptr(GRand) random = g_rand_new_with_seed(2);
  for (int k = 0; k < 100000; k++) {
    char text[64];
    double number = g_rand_double_range(random, -9999.0, 9999.0), value;
    g_ascii_formatd(text, sizeof text, k % 2 ? "%.3f" : "%.8f", number);
    g_assert_true(debye_text_to_double(text, strlen(text), &value));
    g_assert_cmpfloat(value, ==, g_ascii_strtod(text, NULL));
  }
}

/* As programs write what they mean to the last bit, and digits at random: a number in 2,000 of these lies so
 * near the middle of two doubles that 64 bits don't decide. */
static void
test_long_numbers_are_nearest(void)
{
  static const char *const formats[] = {"%.6g", "%.15g", "%.16e", "%.17g", "%.19g"};
  g_autoptr(GRand) random = g_rand_new_with_seed(3);
  for (int k = 0; k < 200000; k++) {
    char text[64];
    double number = g_rand_double_range(random, -1.0, 1.0), value;
    number *= pow(10.0, g_rand_int_range(random, -12, 12));
    g_ascii_formatd(text, sizeof text, formats[k % (int)G_N_ELEMENTS(formats)], number);
    g_assert_true(debye_text_to_double(text, strlen(text), &value));
    g_assert_cmpfloat(value, ==, g_ascii_strtod(text, NULL));
    g_snprintf(text, sizeof text, "%u%08u%u.e%d", g_rand_int_range(random, 1, 100),
               g_rand_int(random) % 100000000u, g_rand_int(random), g_rand_int_range(random, -40, 30));
    g_assert_true(debye_text_to_double(text, strlen(text), &value));
    g_assert_cmpfloat(value, ==, g_ascii_strtod(text, NULL));
  }
}

/* --- Without a copy --- */

#define VIEWED ((gsize)3000000)

static guint64
sum_bytes(const guint8 *bytes, gsize n)
{
  guint64 sum = 0;
  for (gsize i = 0; i < n; i++)
    sum += bytes[i];
  return sum;
}

static void
test_view(void)
{
  g_autoptr(DebyeTemporaryFolder) folder = debye_temporary_folder_new();
  g_autoptr(GError) error = NULL;
  g_autofree guint8 *bytes = make_bytes(VIEWED);
  g_autoptr(DebyeInput) input = open_bytes(folder, "view", bytes, VIEWED);
  const gsize offsets[] = {0, 1, 4095, 4096, 123457};
  DebyeInputView view, second;
  for (gsize i = 0; i < G_N_ELEMENTS(offsets); i++) {
    gsize n = VIEWED - offsets[i];
    g_assert_true(debye_input_view_open(&view, input, offsets[i], n));
    g_assert_false(debye_input_view_open(&second, input, 0, VIEWED));
    g_assert_cmpmem(view.bytes, view.n, bytes + offsets[i], n);
    g_assert_true(debye_input_view_close(&view, &error));
    g_assert_no_error(error);
  }
  g_assert_false(debye_input_view_open(&view, input, 1, VIEWED));
  g_assert_false(debye_input_view_open(&view, input, G_MAXUINT64 - 2, VIEWED));
  g_assert_false(debye_input_view_open(&view, input, 0, DEBYE_INPUT_VIEW_MINIMUM - 1));
}

/* By whole pages, which is a signal, and by the end of the last one, which is silence. */
static void
test_view_of_a_file_that_shrinks(void)
{
  g_autoptr(DebyeTemporaryFolder) folder = debye_temporary_folder_new();
  g_autofree guint8 *bytes = make_bytes(VIEWED);
  const gsize lengths[] = {0, 1, VIEWED / 2, VIEWED - 5000, VIEWED - 1};
  for (gsize i = 0; i < G_N_ELEMENTS(lengths); i++) {
    DebyeInputView view;
    g_autoptr(GError) error = NULL;
    g_autoptr(DebyeInput) input = open_bytes(folder, "shrinks", bytes, VIEWED);
    g_assert_true(debye_input_view_open(&view, input, 5, VIEWED - 5));
    g_assert_cmpint(truncate(debye_input_get_path(input), (off_t)lengths[i]), ==, 0);
    g_assert_cmpuint(sum_bytes(view.bytes, view.n), <, sum_bytes(bytes + 5, VIEWED - 5));
    g_assert_false(debye_input_view_close(&view, &error));
    g_assert_error(error, DEBYE_ERROR, DEBYE_ERROR_TRUNCATED);
    g_assert_false(debye_input_view_open(&view, input, 0, VIEWED));
  }
}

typedef struct {
  gsize n_calls;
  double last, limit;
} Watch;

static gboolean
watch(double fraction, gpointer data)
{
  Watch *seen = data;
  seen->n_calls++;
  seen->last = fraction;
  return fraction < seen->limit;
}

/* Plain and packed: told of what is read, and stopped for good. */
static void
test_watched(void)
{
  enum { N = 8 << 20 };
  g_autoptr(DebyeTemporaryFolder) folder = debye_temporary_folder_new();
  g_autofree guint8 *bytes = make_bytes(N);
  g_autofree char *plain = debye_temporary_write(folder, "plain", bytes, N);
  g_autoptr(GByteArray) packed = compress(bytes, N);
  g_autofree char *gzip = debye_temporary_write(folder, "packed.gz", packed->data, packed->len);
  g_autoptr(GError) error = NULL, stopped = NULL, later = NULL;
  Watch all = {.limit = 2.0}, quarter = {.limit = 0.25}, half = {.limit = 0.5};
  DebyeInput *whole = debye_input_open_watched(gzip, watch, &all, &error);
  g_assert_no_error(error);
  g_assert_cmpfloat(all.last, >, 0.3);
  g_assert_cmpfloat(all.last, <=, 0.5);
  debye_input_close(whole);
  g_assert_null(debye_input_open_watched(gzip, watch, &quarter, &error));
  g_assert_error(error, G_IO_ERROR, G_IO_ERROR_CANCELLED);

  g_autoptr(DebyeInput) input = debye_input_open_watched(plain, watch, &half, NULL);
  guint8 byte;
  g_assert_true(debye_input_read(input, 0, &byte, 1, NULL));
  g_assert_true(debye_input_read(input, N / 4, &byte, 1, NULL));
  g_assert_cmpfloat_with_epsilon(half.last, 0.25, 1e-6);
  g_assert_false(debye_input_read(input, 3 * N / 4, &byte, 1, &stopped));
  g_assert_error(stopped, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  gsize n_calls = half.n_calls;
  g_assert_false(debye_input_confirm(input, TRUE, &later));
  g_assert_error(later, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_cmpint(debye_input_read_some(input, 0, &byte, 1, NULL), ==, -1);
  g_assert_cmpuint(half.n_calls, ==, n_calls);
}

/* Cut while it was looked at, and whole again: nothing that was seen in between counts. */
static void
test_view_of_a_file_that_comes_back(void)
{
  DebyeInputView view;
  g_autoptr(GError) error = NULL;
  g_autoptr(DebyeTemporaryFolder) folder = debye_temporary_folder_new();
  g_autofree guint8 *bytes = make_bytes(VIEWED);
  g_autoptr(DebyeInput) input = open_bytes(folder, "returns", bytes, VIEWED);
  g_assert_true(debye_input_view_open(&view, input, 5, VIEWED - 5));
  g_assert_cmpint(truncate(debye_input_get_path(input), 0), ==, 0);
  g_assert_cmpuint(sum_bytes(view.bytes, view.n), <, sum_bytes(bytes + 5, VIEWED - 5));
  g_assert_cmpint(truncate(debye_input_get_path(input), VIEWED), ==, 0);
  g_assert_false(debye_input_view_close(&view, &error));
  g_assert_error(error, DEBYE_ERROR, DEBYE_ERROR_OPEN);
  g_assert_cmpstr(error->message, ==, "returns: can't be read at byte 5: the file was changed meanwhile");
}

/* A fault of the program's own is one still, whatever was viewed before. */
static void
test_other_missing_pages(void)
{
  if (g_test_subprocess()) {
    g_autoptr(DebyeTemporaryFolder) folder = debye_temporary_folder_new();
    g_autofree guint8 *bytes = make_bytes(VIEWED);
    g_autoptr(DebyeInput) input = open_bytes(folder, "other", bytes, VIEWED);
    DebyeInputView view;
    g_assert_true(debye_input_view_open(&view, input, 0, VIEWED));
    const guint8 *elsewhere = mmap(NULL, VIEWED, PROT_READ, MAP_SHARED, debye_input_get_descriptor(input), 0);
    g_assert_cmpint(truncate(debye_input_get_path(input), 0), ==, 0);
    exit((int)(sum_bytes(elsewhere, VIEWED) & 1));
  }
  g_test_trap_subprocess(NULL, 0, 0);
  g_test_trap_assert_failed();
}

static void
assert_integer(const char *text, gboolean good, gint64 expected)
{
  gint64 value = 0;
  g_assert_cmpint(debye_text_to_int(text, strlen(text), &value), ==, good);
  g_assert_cmpint(value, ==, expected);
}

static void
test_integers(void)
{
  assert_integer(" 42 ", TRUE, 42);
  assert_integer("-7", TRUE, -7);
  assert_integer("9223372036854775807", TRUE, G_MAXINT64);
  assert_integer("-9223372036854775808", TRUE, G_MININT64);
  assert_integer("9223372036854775808", FALSE, 0);
  assert_integer("99999999999999999999", FALSE, 0);
  assert_integer("1.5", FALSE, 0);
  assert_integer("", FALSE, 0);
  assert_integer("+", FALSE, 0);
}

static void
test_fields(void)
{
  const char text[] = " one\t two  three ";
  const char *cursor = text, *field;
  gsize length;
  g_autoptr(GString) joined = g_string_new(NULL);
  while (debye_text_next_field(&cursor, text + strlen(text), &field, &length)) {
    g_string_append_len(joined, field, (gssize)length);
    g_string_append_c(joined, '|');
  }
  g_assert_cmpstr(joined->str, ==, "one|two|three|");
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/input/anywhere", test_read_anywhere);
  g_test_add_func("/input/parts", test_read_parts);
  g_test_add_func("/input/shrink", test_shrink);
  g_test_add_func("/input/watched", test_watched);
  g_test_add_func("/input/view", test_view);
  g_test_add_func("/input/view/shrinks", test_view_of_a_file_that_shrinks);
  g_test_add_func("/input/view/view-of-a-file-that-comes-back", test_view_of_a_file_that_comes_back);
  g_test_add_func("/input/view/other-missing-pages", test_other_missing_pages);
  g_test_add_func("/input/packings", test_packings);
  g_test_add_func("/input/packings/text", test_text_is_not_bzip2);
  g_test_add_func("/input/gzip/shared", test_shared_gzip);
  g_test_add_func("/input/packings/broken", test_broken_packings);
  g_test_add_func("/input/packings/bomb", test_bombs);
  g_test_add_func("/input/behind-xz", test_behind_xz);
  g_test_add_func("/input/packings/memory", test_memory_of_xz);
  g_test_add_func("/input/not-a-file", test_not_a_file);
  g_test_add_func("/lines/ends", test_line_ends);
  g_test_add_func("/lines/lengths", test_line_lengths);
  g_test_add_func("/lines/long", test_long_line);
  g_test_add_func("/text/numbers", test_numbers);
  g_test_add_func("/text/nearest", test_numbers_are_nearest);
  g_test_add_func("/text/long-numbers-are-nearest", test_long_numbers_are_nearest);
  g_test_add_func("/text/integers", test_integers);
  g_test_add_func("/text/fields", test_fields);
  return g_test_run();
}
