/* SPDX-License-Identifier: MIT */
/* Descriptions of groups and data sets that are whole are taken, however the format lets them be written, and
 * each kind of damage that the library would read beyond its memory for is refused first. */
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "data/files/error.h"
#include "data/h5/h5.h"
#include "tests/support/temporary.h"

/* Enough for B-trees of more than one level, and for links and attributes outside the header. */
#define N_GROUPS 700
#define N_ATTRIBUTES 60
#define N_INDEXED 6
#define MARK "unterminated"
#define FILL "FILLEDUP"

typedef struct {
  const char *label;
  H5F_libver_t version;
  hsize_t user_block;
  gsize address_bytes, length_bytes;
  gboolean is_ordered;
} Kind;

static const Kind kinds[] = {{"oldest", H5F_LIBVER_EARLIEST, 0, 8, 8, FALSE},
                             {"oldest, user block", H5F_LIBVER_EARLIEST, 1024, 8, 8, FALSE},
                             {"oldest, narrow", H5F_LIBVER_EARLIEST, 0, 4, 4, FALSE},
                             {"1.8", H5F_LIBVER_V18, 0, 8, 8, FALSE},
                             {"1.8, ordered", H5F_LIBVER_V18, 512, 8, 4, TRUE},
                             {"latest", H5F_LIBVER_LATEST, 0, 8, 8, FALSE},
                             {"latest, ordered", H5F_LIBVER_LATEST, 0, 4, 8, TRUE}};

/* --- Files --- */

static hid_t
create_file(const char *path, const Kind *kind)
{
  g_auto(DebyeH5Properties) access = H5Pcreate(H5P_FILE_ACCESS), creation = H5Pcreate(H5P_FILE_CREATE);
  g_assert_cmpint(H5Pset_libver_bounds(access, kind->version, H5F_LIBVER_LATEST), >=, 0);
  g_assert_cmpint(H5Pset_userblock(creation, kind->user_block), >=, 0);
  g_assert_cmpint(H5Pset_sizes(creation, kind->address_bytes, kind->length_bytes), >=, 0);
  if (kind->is_ordered)
    g_assert_cmpint(H5Pset_link_creation_order(creation, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED), >=,
                    0);
  hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, creation, access);
  g_assert_cmpint(file, >=, 0);
  return file;
}

static void
put_groups(hid_t file, gsize n)
{
  for (gsize i = 0; i < n; i++) {
    g_autofree char *name = g_strdup_printf("group %" G_GSIZE_FORMAT "%*s", i, (int)(i % 40), "");
    g_auto(DebyeH5Group) group = H5Gcreate2(file, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    g_assert_cmpint(group, >=, 0);
  }
}

static void
put_attributes(hid_t object, gsize n)
{
  for (gsize i = 0; i < n; i++) {
    g_autofree char *name = g_strdup_printf("attribute %" G_GSIZE_FORMAT, i);
    const double values[3] = {(double)i, 1.0, 2.0};
    const hsize_t three = 3;
    g_assert_true(debye_h5_write_doubles(object, name, values, 1, &three, NULL));
  }
}

static hid_t
make_compound(void)
{
  const hsize_t shape[] = {2, 3};
  g_auto(DebyeH5Type) array = H5Tarray_create2(H5T_STD_I16BE, 2, shape);
  g_auto(DebyeH5Type) text = H5Tcopy(H5T_C_S1);
  hid_t type = H5Tcreate(H5T_COMPOUND, 32);
  H5Tset_size(text, 5);
  H5Tinsert(type, "position in the cell", 0, H5T_IEEE_F64LE);
  H5Tinsert(type, "s", 8, text);
  H5Tinsert(type, "shape", 16, array);
  return type;
}

static hid_t
make_enumeration(void)
{
  const gint32 hydrogen = 1, oxygen = 8;
  hid_t type = H5Tenum_create(H5T_STD_I32LE);
  H5Tenum_insert(type, "hydrogen", &hydrogen);
  H5Tenum_insert(type, "O", &oxygen);
  return type;
}

static void
put_dataset(hid_t file, const char *name, hid_t type, hid_t creation)
{
  const hsize_t shape[] = {4, 2};
  g_auto(DebyeH5Space) space = H5Screate_simple(2, shape, NULL);
  g_auto(DebyeH5Dataset) dataset = H5Dcreate2(file, name, type, space, H5P_DEFAULT, creation, H5P_DEFAULT);
  g_assert_cmpint(dataset, >=, 0);
}

/* Layouts, filters, values to fill with, files outside. */
static void
put_datasets(hid_t file)
{
  const hsize_t chunk[] = {3, 2};
  const double filled_with = 7.5;
  g_auto(DebyeH5Properties) plain = H5Pcreate(H5P_DATASET_CREATE), compact = H5Pcreate(H5P_DATASET_CREATE);
  g_auto(DebyeH5Properties) chunked = H5Pcreate(H5P_DATASET_CREATE), outside = H5Pcreate(H5P_DATASET_CREATE);
  g_auto(DebyeH5Type) compound = make_compound(), enumeration = make_enumeration();
  g_auto(DebyeH5Type) variable = H5Tvlen_create(H5T_STD_I32LE), opaque = H5Tcreate(H5T_OPAQUE, 3);
  H5Pset_layout(compact, H5D_COMPACT);
  H5Pset_chunk(chunked, 2, chunk);
  H5Pset_shuffle(chunked);
  H5Pset_deflate(chunked, 1);
  H5Pset_fletcher32(chunked);
  H5Pset_fill_value(chunked, H5T_NATIVE_DOUBLE, &filled_with);
  H5Pset_external(outside, "nothing.bin", 0, H5F_UNLIMITED);
  H5Tset_tag(opaque, "a tag");
  put_dataset(file, "plain", H5T_IEEE_F32BE, plain);
  put_dataset(file, "compact", H5T_STD_U8LE, compact);
  put_dataset(file, "chunked", H5T_IEEE_F64LE, chunked);
  put_dataset(file, "outside", H5T_STD_I64LE, outside);
  put_dataset(file, "compound", compound, plain);
  put_dataset(file, "enumeration", enumeration, plain);
  put_dataset(file, "variable", variable, plain);
  put_dataset(file, "opaque", opaque, plain);
}

/* Chunks that were written, found by an array of fixed length, one that grows and a B-tree, filtered and not.
 */
static void
put_indexed(hid_t file)
{
  static const hsize_t shape[] = {6, 4}, chunk[] = {1, 2};
  static const hsize_t most[][2] = {{6, 4}, {H5S_UNLIMITED, 4}, {H5S_UNLIMITED, H5S_UNLIMITED}};
  const double values[24] = {1.0};
  for (gsize i = 0; i < N_INDEXED; i++) {
    g_autofree char *name = g_strdup_printf("indexed %" G_GSIZE_FORMAT, i);
    g_auto(DebyeH5Properties) creation = H5Pcreate(H5P_DATASET_CREATE);
    g_auto(DebyeH5Space) space = H5Screate_simple(2, shape, most[i / 2]);
    H5Pset_chunk(creation, 2, chunk);
    if (i % 2 == 1)
      H5Pset_deflate(creation, 1);
    g_auto(DebyeH5Dataset) dataset =
        H5Dcreate2(file, name, H5T_IEEE_F32LE, space, H5P_DEFAULT, creation, H5P_DEFAULT);
    g_assert_cmpint(H5Dwrite(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values), >=, 0);
  }
}

/* Of a type that stands by itself. */
static void
put_filled(hid_t file)
{
  g_auto(DebyeH5Properties) creation = H5Pcreate(H5P_DATASET_CREATE);
  g_auto(DebyeH5Type) text = H5Tcopy(H5T_C_S1);
  H5Tset_size(text, strlen(FILL));
  g_assert_cmpint(H5Pset_fill_value(creation, text, FILL), >=, 0);
  g_assert_cmpint(H5Tcommit2(file, "text", text, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), >=, 0);
  put_dataset(file, "filled", text, creation);
}

/* A type that stands by itself, used by an attribute; an attribute of nothing; links that lead elsewhere. */
static void
put_odds(hid_t file)
{
  const double value = 1.0;
  g_auto(DebyeH5Type) type = H5Tcopy(H5T_IEEE_F64LE);
  g_auto(DebyeH5Space) one = H5Screate(H5S_SCALAR), none = H5Screate(H5S_NULL);
  g_assert_cmpint(H5Tcommit2(file, "type", type, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), >=, 0);
  g_auto(DebyeH5Attribute) typed = H5Acreate2(file, "typed", type, one, H5P_DEFAULT, H5P_DEFAULT);
  g_auto(DebyeH5Attribute) empty = H5Acreate2(file, "empty", H5T_IEEE_F64LE, none, H5P_DEFAULT, H5P_DEFAULT);
  g_assert_cmpint(H5Awrite(typed, H5T_NATIVE_DOUBLE, &value), >=, 0);
  g_assert_cmpint(empty, >=, 0);
  g_assert_cmpint(H5Lcreate_soft("/group 1", file, "soft", H5P_DEFAULT, H5P_DEFAULT), >=, 0);
  g_assert_cmpint(H5Lcreate_external("other.h5", "/", file, "external", H5P_DEFAULT, H5P_DEFAULT), >=, 0);
  g_assert_cmpint(H5Oset_comment(file, "a comment"), >=, 0);
}

/* --- Whole files --- */

static void
test_whole(gconstpointer data)
{
  const Kind *kind = data;
  const char *const datasets[] = {"plain",       "compact",  "chunked", "compound",
                                  "enumeration", "variable", "opaque",  "filled"};
  g_autoptr(DebyeTemporaryFolder) folder = debye_temporary_folder_new();
  g_autofree char *path = g_build_filename(folder, "whole.h5", NULL);
  DEBYE_H5_LOCKED();
  {
    g_auto(DebyeH5File) file = create_file(path, kind);
    put_groups(file, N_GROUPS);
    put_attributes(file, N_ATTRIBUTES);
    put_datasets(file);
    put_indexed(file);
    put_filled(file);
    put_odds(file);
  }
  g_autoptr(GError) error = NULL;
  g_auto(DebyeH5File) file = debye_h5_open_file(path, &error);
  g_assert_no_error(error);
  g_auto(GStrv) names = debye_h5_list(file);
  g_assert_cmpuint(g_strv_length(names), ==, N_GROUPS + G_N_ELEMENTS(datasets) + N_INDEXED + 5);
  g_auto(DebyeH5Group) last = debye_h5_open_group(file, "group 40");
  g_assert_cmpint(last, >=, 0);
  for (gsize i = 0; i < G_N_ELEMENTS(datasets); i++) {
    g_auto(DebyeH5Dataset) dataset = debye_h5_open_dataset(file, datasets[i]);
    g_assert_cmpint(dataset, >=, 0);
  }
  for (gsize i = 0; i < N_INDEXED; i++) {
    g_autofree char *name = g_strdup_printf("indexed %" G_GSIZE_FORMAT, i);
    hsize_t shape[H5S_MAX_RANK];
    g_auto(DebyeH5Dataset) dataset = debye_h5_open_dataset(file, name);
    g_assert_cmpint(debye_h5_get_shape(dataset, G_MAXINT32, shape), ==, 2);
    g_assert_cmpuint(H5Dget_storage_size(dataset), >, 0);
  }
  double values[3];
  g_assert_true(debye_h5_read_doubles(file, "attribute 59", values, 3));
  g_assert_cmpfloat(values[0], ==, 59.0);
  g_assert_true(debye_h5_read_doubles(file, "typed", values, 1));
}

/* --- Damage --- */

/* `n` bytes at `after` bytes behind the `which`-th of a text in the file get a value. */
typedef struct {
  const char *label;
  H5F_libver_t version;
  const char *text;
  gsize which;
  gssize after;
  guint8 value;
  gsize n;
  const char *sentence;
} Damage;

#define FLOAT_BITS "\x17\x08" /* H5T_IEEE_F32: the exponent's place and length */

static const Damage damages[] = {
    {"an attribute's name without an end", H5F_LIBVER_EARLIEST, MARK, 0, sizeof MARK - 1, 'x', 4, "type 12"},
    {"an attribute's name beyond its message", H5F_LIBVER_EARLIEST, MARK, 0, -5, 0x7f, 1, "type 12"},
    {"a symbol's name beyond the heap", H5F_LIBVER_EARLIEST, "SNOD", 0, 10, 0x7f, 1, "type 17"},
    {"more symbols than a node has", H5F_LIBVER_EARLIEST, "SNOD", 0, 6, 0xff, 1, "type 17"},
    {"more children than a node has", H5F_LIBVER_EARLIEST, "TREE", 0, 6, 0xff, 1, "type 17"},
    {"a heap longer than the file", H5F_LIBVER_EARLIEST, "HEAP", 0, 12, 0x7f, 1, "type 17"},
    {"free places in a circle", H5F_LIBVER_EARLIEST, "HEAP", 0, 16, 0xf8, 1, "type 17"},
    {"a message beyond its header", H5F_LIBVER_LATEST, "OHDR", 0, 25, 0x7f, 1, "type 10"},
    {"an attribute's name beyond the heap's object", H5F_LIBVER_LATEST, "attribute 7", 0, -5, 0x7f, 1,
     "type 21"},
    {"more records than a node has", H5F_LIBVER_LATEST, "BTHD", 0, 24, 0xff, 2, "type 21 "},
    {"a part of several files", H5F_LIBVER_EARLIEST, "\211HDF", 0, 48, 0, 8, "one part of a file"},
    {"a root beyond the file's end", H5F_LIBVER_LATEST, "\211HDF", 0, 29, 0, 1, "the HDF5 object header"},
    {"wider addresses", H5F_LIBVER_EARLIEST, "\211HDF", 0, 13, 16, 1,
     "expected HDF5 addresses and lengths of at most 8 bytes, found 16 and 8"},
    {"wider lengths", H5F_LIBVER_LATEST, "\211HDF", 0, 10, 32, 1, "found 8 and 32"},
    {"a heap's longer identifiers", H5F_LIBVER_LATEST, "FRHP", 0, 5, 17, 1, "type 2 "},
    {"a shorter value to fill with", H5F_LIBVER_LATEST, FILL, 0, -4, 4, 1, "the HDF5 object header"},
    {"values to fill with of two lengths", H5F_LIBVER_EARLIEST, FILL, 1, -4, 4, 1, "with 16 bytes damaged"},
    {"a shared value to fill with", H5F_LIBVER_LATEST, FILL, 0, -7, 3, 1, "type 5 "},
    {"two datatypes", H5F_LIBVER_LATEST, FILL, 0, -10, 3, 1, "type 3 "},
    {"a heap's block that isn't there", H5F_LIBVER_LATEST, "FRHP", 0, 132, 0x7f, 4, "type 2 "},
    {"chunks filtered in an array alone", H5F_LIBVER_LATEST, "FAHD", 0, 5, 1, 1, "type 8 "},
    {"chunks not filtered in an array alone", H5F_LIBVER_LATEST, "EAHD", 1, 5, 0, 1, "type 8 "},
    {"shorter entries of an array", H5F_LIBVER_LATEST, "FAHD", 1, 6, 8, 1, "type 8 "},
    {"longer entries of an array", H5F_LIBVER_LATEST, "EAHD", 0, 6, 9, 1, "type 8 "},
    {"an array's pages", H5F_LIBVER_LATEST, "FAHD", 0, 7, 40, 1, "type 8 "},
    {"more entries than anyone visits", H5F_LIBVER_LATEST, "FAHD", 0, 8, 1, 5, "type 8 "},
    {"fewer entries than chunks", H5F_LIBVER_LATEST, "FAHD", 0, 8, 11, 1, "type 8 "},
    {"an array's blocks", H5F_LIBVER_LATEST, "EAHD", 0, 9, 0, 1, "type 8 "},
    {"more entries set than anyone visits", H5F_LIBVER_LATEST, "EAHD", 0, 44, 1, 5, "type 8 "},
    {"more records than a node has room for", H5F_LIBVER_LATEST, "BTHD", 1, 24, 1, 2, "type 8 "},
    {"a mantissa longer than its exponent counts", H5F_LIBVER_LATEST, FLOAT_BITS, 0, 1, 4, 1, "type 3 "},
    {"a float without an exponent", H5F_LIBVER_EARLIEST, FLOAT_BITS, 0, 1, 0, 1, "type 3 "},
    {"nodes of gigabytes", H5F_LIBVER_LATEST, "BTHD", 1, 6, 0x7f, 4, "type 8 "},
    {"shorter records of chunks", H5F_LIBVER_LATEST, "BTHD", 2, 10, 16, 1, "type 8 "},
};

static gsize
find_text(const char *content, gsize n, const Damage *damage)
{
  gsize length = strlen(damage->text), left = damage->which;
  for (gsize i = 0; i + length <= n; i++)
    if (memcmp(content + i, damage->text, length) == 0 && left-- == 0)
      return i;
  g_error("the file has no “%s”", damage->text);
}

static void
make_small_file(const char *path, H5F_libver_t version)
{
  const Kind kind = {"small", version, 0, 8, 8, FALSE};
  const double value = 1.0;
  g_auto(DebyeH5File) file = create_file(path, &kind);
  put_groups(file, 12);
  put_attributes(file, version == H5F_LIBVER_EARLIEST ? 2 : 12);
  g_assert_true(debye_h5_write_doubles(file, MARK "...", &value, 0, NULL, NULL));
  put_datasets(file);
  put_indexed(file);
  put_filled(file);
}

static void
test_damage(gconstpointer data)
{
  const Damage *damage = data;
  g_autoptr(GError) error = NULL;
  g_autoptr(DebyeTemporaryFolder) folder = debye_temporary_folder_new();
  g_autofree char *path = g_build_filename(folder, "damaged.h5", NULL), *content = NULL;
  gsize n;
  DEBYE_H5_LOCKED();
  make_small_file(path, damage->version);
  g_assert_true(g_file_get_contents(path, &content, &n, NULL));
  gsize place = find_text(content, n, damage) + (gsize)damage->after;
  memset(content + place, damage->value, damage->n);
  g_assert_true(g_file_set_contents(path, content, (gssize)n, NULL));
  g_assert_cmpint(debye_h5_open_file(path, &error), <, 0);
  g_assert_error(error, DEBYE_ERROR, DEBYE_ERROR_SYNTAX);
  g_assert_nonnull(strstr(error->message, ": expected "));
  if (strstr(error->message, damage->sentence) == NULL)
    g_error("expected “%s” in “%s”", damage->sentence, error->message);
}

static void
read_everything(hid_t file)
{
  g_auto(GStrv) names = debye_h5_list(file);
  for (gsize i = 0; names[i] != NULL; i++) {
    gsize n;
    double value;
    g_auto(DebyeH5Group) group = debye_h5_open_group(file, names[i]);
    if (group >= 0)
      debye_h5_read_doubles(group, MARK, &value, 1);
    g_free(debye_h5_get_numbers(file, names[i], H5T_NATIVE_DOUBLE, sizeof value, G_MAXINT32, &n));
  }
}

/* Of 16 bytes, of which 64 bits are used: not none, and no more. */
static void
test_integer(void)
{
  static const guint8 refused[] = {0, 65, 128};
  const guint8 type_bits[] = {16, 0, 0, 0, 0, 0, 64, 0}; /* size, first bit, number of bits */
  g_autoptr(DebyeTemporaryFolder) folder = debye_temporary_folder_new();
  g_autofree char *path = g_build_filename(folder, "integer.h5", NULL), *content = NULL;
  const hsize_t shape[] = {4, 2};
  gsize n;
  DEBYE_H5_LOCKED();
  {
    g_auto(DebyeH5File) file =
        create_file(path, &(Kind){.version = H5F_LIBVER_EARLIEST, .address_bytes = 8, .length_bytes = 8});
    g_auto(DebyeH5Type) type = H5Tcopy(H5T_STD_I64LE);
    g_auto(DebyeH5Space) space = H5Screate_simple(2, shape, NULL);
    H5Tset_size(type, type_bits[0]);
    H5Tset_precision(type, type_bits[6]);
    put_dataset(file, "integers", type, H5P_DEFAULT);
  }
  g_assert_true(g_file_get_contents(path, &content, &n, NULL));
  {
    g_auto(DebyeH5File) file = debye_h5_open_file(path, NULL);
    g_assert_cmpint(file, >=, 0);
  }
  guint8 *place = memmem(content, n, type_bits, sizeof type_bits);
  for (gsize i = 0; i < G_N_ELEMENTS(refused); i++) {
    g_autoptr(GError) error = NULL;
    place[6] = refused[i];
    g_autofree char *damaged = debye_temporary_write(folder, "damaged.h5", content, n);
    g_assert_cmpint(debye_h5_open_file(damaged, &error), <, 0);
    g_assert_error(error, DEBYE_ERROR, DEBYE_ERROR_SYNTAX);
  }
}

/* What a virtual data set is made of stands in a heap that isn't given to the library; what lies beside it is
 * read. */
static void
test_virtual(void)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(DebyeTemporaryFolder) folder = debye_temporary_folder_new();
  g_autofree char *path = g_build_filename(folder, "virtual.h5", NULL);
  const hsize_t shape[] = {4, 2};
  DEBYE_H5_LOCKED();
  {
    g_auto(DebyeH5File) file =
        create_file(path, &(Kind){.version = H5F_LIBVER_LATEST, .address_bytes = 8, .length_bytes = 8});
    g_auto(DebyeH5Properties) creation = H5Pcreate(H5P_DATASET_CREATE);
    g_auto(DebyeH5Space) space = H5Screate_simple(2, shape, NULL);
    g_assert_cmpint(H5Pset_virtual(creation, space, "other.h5", "/values", space), >=, 0);
    put_dataset(file, "virtual", H5T_IEEE_F32LE, creation);
    put_dataset(file, "values", H5T_IEEE_F32LE, H5P_DEFAULT);
  }
  /* What is reserved there the library doesn't look at. */
  g_autofree char *content = NULL;
  gsize n;
  g_assert_true(g_file_get_contents(path, &content, &n, NULL));
  content[find_text(content, n, &(Damage){.text = "GCOL"}) + 5] = 1;
  g_assert_true(g_file_set_contents(path, content, (gssize)n, NULL));
  g_auto(DebyeH5File) file = debye_h5_open_file(path, &error);
  g_assert_no_error(error);
  g_auto(DebyeH5Dataset) patchwork = debye_h5_open_dataset(file, "virtual");
  g_auto(DebyeH5Dataset) values = debye_h5_open_dataset(file, "values");
  g_assert_cmpint(patchwork, <, 0);
  g_assert_cmpint(values, >=, 0);
}

/* Each byte by itself: the program goes on, whatever it makes of the file. (Sanitizers look at it more
 * closely.) */
static void
test_any_byte(void)
{
  g_autoptr(DebyeTemporaryFolder) folder = debye_temporary_folder_new();
  g_autofree char *path = g_build_filename(folder, "byte.h5", NULL), *content = NULL;
  gsize n, n_refused = 0;
  DEBYE_H5_LOCKED();
  make_small_file(path, H5F_LIBVER_EARLIEST);
  g_assert_true(g_file_get_contents(path, &content, &n, NULL));
  int fd = open(path, O_WRONLY | O_CLOEXEC);
  for (gsize i = 0; i < n; i += content[i] != 0 ? 1 : 5) {
    g_autoptr(GError) error = NULL;
    char damaged = (char)~content[i];
    g_assert_cmpint(pwrite(fd, &damaged, 1, (off_t)i), ==, 1);
    g_auto(DebyeH5File) file = debye_h5_open_file(path, &error);
    g_assert_true((file < 0) == (error != NULL));
    n_refused += file < 0;
    if (file >= 0)
      read_everything(file);
    g_assert_cmpint(pwrite(fd, &content[i], 1, (off_t)i), ==, 1);
  }
  close(fd);
  g_assert_cmpuint(n_refused, >, 100);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS(kinds); i++) {
    g_autofree char *name = g_strconcat("/h5-check/whole/", kinds[i].label, NULL);
    g_test_add_data_func(name, &kinds[i], test_whole);
  }
  for (gsize i = 0; i < G_N_ELEMENTS(damages); i++) {
    g_autofree char *name = g_strconcat("/h5-check/damage/", damages[i].label, NULL);
    g_test_add_data_func(name, &damages[i], test_damage);
  }
  g_test_add_func("/h5-check/integer", test_integer);
  g_test_add_func("/h5-check/virtual", test_virtual);
  g_test_add_func("/h5-check/any-byte", test_any_byte);
  return g_test_run();
}
