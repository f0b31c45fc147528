/* SPDX-License-Identifier: MIT */
/* Results there and back; files that are not what they seem to be. */
#include <math.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>

#include <glib/gstdio.h>

#include "data/files/error.h"
#include "data/results/field_load.h"
#include "data/h5/h5.h"
#include "data/messages/message.h"
#include "map_support.h"
#include "tests/support/count_down.h"

/* SHA-256 of "abc", FIPS 180-2 appendix B.1. */
#define SHA256_ABC "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"

static const char *
sentence_of(DebyeResult *result, guint i)
{
  return ((const DebyeNote *)g_ptr_array_index(debye_result_get_notes(result), i))->sentence;
}

/* What other languages are made of is kept, too. */
static void
assert_same_messages(DebyeResult *again, DebyeResult *result)
{
  GPtrArray *notes = debye_result_get_notes(again), *expected = debye_result_get_notes(result);
  for (guint i = 0; i < expected->len; i++)
    g_assert_cmpstr(((const DebyeNote *)notes->pdata[i])->message, ==,
                    ((const DebyeNote *)expected->pdata[i])->message);
  g_autoptr(DebyeField) field = g_list_model_get_item(debye_result_get_fields(again), 0);
  g_autoptr(DebyeField) other = g_list_model_get_item(debye_result_get_fields(result), 0);
  g_assert_cmpstr(debye_field_get_medium_message(field), ==, debye_field_get_medium_message(other));
  g_assert_cmpstr(debye_result_get_title_message(again), ==, debye_result_get_title_message(result));
}

static void
assert_note(const char *sentence, const char *kind, const char *about, DebyeNoteKind expected,
            const char *expected_about, const char *text)
{
  g_autoptr(DebyeNote) note = debye_note_load(sentence, kind, about);
  g_assert_cmpint(note->kind, ==, expected);
  g_assert_cmpstr(note->about, ==, expected_about);
  g_assert_cmpstr(note->text, ==, text);
  g_assert_cmpstr(note->sentence, ==, sentence);
}

/* Of files with kinds the words do not matter; of files before them the beginning is all there is. */
static void
test_notes(void)
{
  assert_note("Frames: all", "device", "H200", DEBYE_NOTE_DEVICE, "H200", "Frames: all");
  assert_note("Warning: late", "warning", "", DEBYE_NOTE_WARNING, NULL, "late");
  assert_note("Frames: all", "of a newer version", "", DEBYE_NOTE_PLAIN, NULL, "Frames: all");
  assert_note("Warning: late", NULL, NULL, DEBYE_NOTE_WARNING, NULL, "late");
  assert_note("Frames: all", NULL, NULL, DEBYE_NOTE_FRAMES, NULL, "Frames: all");
  assert_note("Frames: 0, 1 of 1 used", NULL, NULL, DEBYE_NOTE_STRUCTURE, NULL, "Frames: 0, 1 of 1 used");
  assert_note("Frames: 0, 1 of 1 used", "frames", "", DEBYE_NOTE_STRUCTURE, NULL, "Frames: 0, 1 of 1 used");
  assert_note("Frames: 0, 1 of 21 used", "frames", "", DEBYE_NOTE_FRAMES, NULL, "Frames: 0, 1 of 21 used");
  assert_note("g(r): by volume", NULL, NULL, DEBYE_NOTE_CAPTION, "g(r)", "g(r): by volume");
  assert_note("Device cuda:0 (H200 (PCIe)): 3 slabs", NULL, NULL, DEBYE_NOTE_DEVICE, "H200 (PCIe)",
              "Device cuda:0 (H200 (PCIe)): 3 slabs");
  assert_note("Frames were centred", NULL, NULL, DEBYE_NOTE_PLAIN, NULL, "Frames were centred");
}

static char *folder;

static char *
path_of(const char *name)
{
  return g_build_filename(folder, name, NULL);
}

static DebyeResult *
make_result(gboolean skew)
{
  g_autoptr(DebyeRequest) request = debye_request_new(&map_support_table);
  debye_request_set(request, "spacing", "0.25", NULL);
  debye_request_set(request, "select", "name CA or resname \"grün\"", NULL);
  DebyeResult *result = debye_result_new(request, "Electrostatic potential");
  g_autoptr(DebyeField) field = map_support_make_field(skew), other = map_support_make_field(!skew);
  g_autofree char *medium = debye_message_new("no continuum solvent, ε = %s", "1");
  debye_field_set_medium(field, medium);
  debye_result_add_field(result, field);
  debye_result_add_field(result, other);
  g_autofree char *input = map_support_write(folder, "in put.pqr", "abc", -1);
  const char *const inputs[] = {input, NULL};
  debye_result_set_inputs(result, inputs);
  debye_result_add_note(result, "device: %d core", 1);
  debye_result_add_note(result, "CUDA: no driver");
  debye_result_set_partial(result, TRUE);
  debye_result_set_wall_time(result, 1.25);
  return result;
}

static void
save(DebyeResult *result, const char *path)
{
  GError *error = NULL;
  g_assert_true(debye_result_save(result, path, "debye-cli map --spacing 0.25", &error));
  g_assert_no_error(error);
}

static void
assert_second_like(DebyeResult *again, DebyeResult *result)
{
  for (guint i = 0; i < 2; i++) {
    g_autoptr(DebyeField) field = g_list_model_get_item(debye_result_get_fields(again), i);
    g_autoptr(DebyeField) expected = g_list_model_get_item(debye_result_get_fields(result), i);
    map_support_assert_same_values(field, expected);
    map_support_assert_same_grid(field, expected, 0.0);
    g_assert_cmpstr(debye_field_get_unit(field), ==, "kT/e");
    g_assert_cmpstr(debye_field_get_name(field), ==, "potential");
    g_assert_cmpstr(debye_field_get_medium(field), ==, i == 0 ? "no continuum solvent, ε = 1" : NULL);
  }
}

static void
test_whole(void)
{
  g_autofree char *path = path_of("result.h5");
  for (int skew = 0; skew < 2; skew++) {
    GError *error = NULL;
    g_autoptr(DebyeResult) result = make_result(skew);
    save(result, path);
    g_autoptr(DebyeResult) again = debye_result_load(path, map_support_find_table, &error);
    g_assert_no_error(error);
    g_assert_cmpuint(g_list_model_get_n_items(debye_result_get_fields(again)), ==, 2);
    assert_second_like(again, result);
    g_assert_cmpstr(debye_result_get_title(again), ==, "Electrostatic potential");
    g_assert_cmpstr(debye_result_get_command(again), ==, "debye-cli map --spacing 0.25");
    g_assert_cmpstr(sentence_of(again, 0), ==, "device: 1 core");
    g_assert_cmpstr(sentence_of(again, 1), ==, "CUDA: no driver");
    g_assert_cmpuint(debye_result_get_notes(again)->len, ==, 2);
    assert_same_messages(again, result);
    g_assert_true(debye_result_is_partial(again));
    g_assert_cmpfloat(debye_result_get_wall_time(again), ==, 1.25);
    g_assert_cmpstr(debye_result_get_inputs(again)[0], ==, debye_result_get_inputs(result)[0]);
    g_autoptr(GPtrArray) records = debye_result_get_input_records(again, NULL, NULL);
    const DebyeInputRecord *record = records->pdata[0];
    g_assert_cmpuint(records->len, ==, 1);
    g_assert_cmpuint(record->size, ==, 3);
    g_assert_cmpstr(record->sha256, ==, SHA256_ABC);
  }
}

/* An input that has gone since keeps no result from being saved. */
static void
test_gone_input(void)
{
  g_autofree char *path = path_of("gone.h5"), *input = path_of("in put.pqr");
  g_autoptr(GError) error = NULL;
  g_autoptr(DebyeResult) result = make_result(FALSE);
  g_assert_cmpint(g_remove(input), ==, 0);
  save(result, path);
  g_autoptr(DebyeResult) again = debye_result_load(path, map_support_find_table, &error);
  g_assert_no_error(error);
  g_autoptr(GPtrArray) records = debye_result_get_input_records(again, NULL, NULL);
  const DebyeInputRecord *record = records->pdata[0];
  g_assert_cmpstr(record->path, ==, input);
  g_assert_cmpstr(record->sha256, ==, "");
}

typedef struct {
  guint n_calls, n_wanted;
  double last;
} Watcher;

static gboolean
watch(double fraction, gpointer data)
{
  Watcher *watcher = data;
  g_assert_cmpfloat(fraction, >=, watcher->last);
  watcher->last = fraction;
  return ++watcher->n_calls <= watcher->n_wanted;
}

/* An input is read through with progress, and can be stopped on the way. */
static void
test_watched_record(void)
{
  g_autofree char *path = path_of("long.bin"), *bytes = g_malloc0(1000000);
  g_autoptr(GError) error = NULL;
  Watcher all = {.n_wanted = G_MAXUINT}, some = {.n_wanted = 2};
  g_assert_true(g_file_set_contents(path, bytes, 1000000, NULL));
  g_autoptr(DebyeInputRecord) record = debye_provenance_record_file_watched(path, watch, &all, &error);
  g_assert_no_error(error);
  g_assert_cmpuint(record->size, ==, 1000000);
  g_assert_cmpstr(record->sha256, ==, "d29751f2649b32ff572b5e0a9f541ea660a50f94ff0beedfb0b692b924cc8025");
  g_assert_cmpfloat(all.last, ==, 1.0);
  g_assert_null(debye_provenance_record_file_watched(path, watch, &some, &error));
  g_assert_error(error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_cmpstr(error->message, ==, "long.bin: reading was stopped");
  g_assert_cmpuint(some.n_calls, ==, 3);
}

/* What a thread computes while a run goes on is what all get, and what a change makes of no account. */
static void
test_hashing(void)
{
  g_autofree char *path = path_of("hashed.txt"), *gone = path_of("none.txt");
  const char *const paths[] = {path, gone, NULL};
  g_autoptr(GError) error = NULL;
  Watcher all = {.n_wanted = G_MAXUINT};
  guint64 size = 0;
  /* FIPS 180-4's own example. */
  g_assert_true(g_file_set_contents(path, "abc", 3, NULL));
  g_autoptr(DebyeHashing) hashing = debye_hashing_begin(paths);
  g_autofree char *digits = debye_hashing_find(path, watch, &all, &size, &error);
  g_assert_no_error(error);
  g_assert_cmpstr(digits, ==, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  g_assert_cmpuint(size, ==, 3);
  g_assert_null(debye_hashing_find(gone, watch, &all, &size, &error));
  g_assert_no_error(error);
  g_assert_true(g_file_set_contents(path, "abcd", 4, NULL));
  g_assert_null(debye_hashing_find(path, watch, &all, &size, &error));
  g_autoptr(DebyeInputRecord) record = debye_provenance_record_file(path, NULL, &error);
  g_assert_no_error(error);
  g_assert_cmpstr(record->sha256, ==, "88d4266fd4e6338d13b845fcf289579d209c897823b9217da3e161936f031589");
}

/* A copy of a result is as old as the result, of the version that made it, and has its name. */
static void
test_origin(void)
{
  g_autofree char *path = path_of("origin.h5"), *copy = path_of("copy.h5");
  g_autoptr(GDateTime) begin = g_date_time_new_now_utc();
  g_autoptr(GDateTime) made = g_date_time_new_utc(2026, 7, 14, 9, 5, 30.25);
  g_autoptr(DebyeResult) result = make_result(FALSE);
  g_assert_cmpint(g_date_time_compare(debye_result_get_created(result), begin), >=, 0);
  g_assert_cmpstr(debye_result_get_version(result), ==, debye_provenance_get_version());
  debye_result_set_origin(result, made, "0.0.7");
  debye_result_set_name(result, "Lösung A");
  save(result, path);
  g_autoptr(DebyeResult) loaded = debye_result_load(path, map_support_find_table, NULL);
  save(loaded, copy);
  g_autoptr(DebyeResult) again = debye_result_load(copy, map_support_find_table, NULL);
  g_assert_cmpint(g_date_time_compare(debye_result_get_created(again), made), ==, 0);
  g_assert_cmpstr(debye_result_get_version(again), ==, "0.0.7");
  g_autofree char *name = debye_result_dup_name(again);
  g_assert_cmpstr(name, ==, "Lösung A");
}

/* What a file is, before it is read: a result of ours, a map, or none of both. */
static void
test_kinds(void)
{
  static const char xyz[] = "4\nbonds\n6 0 0 0\n1 1 0 0\n1 0 1 0\n1 0 0 1\n";
  static const struct {
    const char *name;
    DebyeMapFileKind kind;
  } saved[] = {
      {"kind.h5", DEBYE_MAP_FILE_RESULT},
      {"kind.dx", DEBYE_MAP_FILE_PLAIN},
      {"kind.cube", DEBYE_MAP_FILE_PLAIN},
      {"kind.ccp4", DEBYE_MAP_FILE_PLAIN},
  };
  g_autoptr(DebyeResult) result = make_result(FALSE);
  for (gsize i = 0; i < G_N_ELEMENTS(saved); i++) {
    g_autofree char *path = path_of(saved[i].name);
    save(result, path);
    g_assert_cmpint(debye_field_probe(path), ==, saved[i].kind);
  }
  g_autofree char *numbers = map_support_write(folder, "numbers.xyz", xyz, -1);
  g_assert_cmpint(debye_field_probe(numbers), ==, DEBYE_MAP_FILE_NONE);
  g_autofree char *cut = map_support_write(folder, "cut.h5", "\x89HDF\r\n\x1a\n", 8);
  g_assert_cmpint(debye_field_probe(cut), ==, DEBYE_MAP_FILE_NONE);
  g_assert_cmpint(debye_field_probe("/nowhere"), ==, DEBYE_MAP_FILE_NONE);
}

static void
test_request(void)
{
  GError *error = NULL;
  g_auto(GStrv) inputs = NULL;
  g_autofree char *path = path_of("request.h5");
  g_autoptr(DebyeResult) result = make_result(FALSE);
  save(result, path);
  g_autoptr(DebyeRequest) request = debye_result_load_request(path, map_support_find_table, &inputs, &error);
  g_assert_no_error(error);
  g_assert_cmpstr(inputs[0], ==, debye_result_get_inputs(result)[0]);
  for (gsize i = 0; i < map_support_table.n_settings; i++) {
    const char *key = map_support_table.settings[i].key;
    g_assert_cmpstr(debye_request_get(request, key), ==,
                    debye_request_get(debye_result_get_request(result), key));
  }
}

static void
test_default_field(void)
{
  g_autofree char *path = path_of("field.h5");
  g_autoptr(DebyeResult) result = make_result(TRUE);
  save(result, path);
  GError *error = NULL;
  g_autoptr(DebyeField) field = debye_field_load(path, &error);
  g_assert_no_error(error);
  g_autoptr(DebyeField) expected = map_support_make_field(TRUE);
  map_support_assert_same_values(field, expected);
}

static void
test_endings(void)
{
  static const char *const names[] = {"out.dx", "out.ccp4", "out.mrc", "out.DX"};
  g_autoptr(DebyeResult) result = make_result(FALSE);
  g_autoptr(DebyeField) expected = map_support_make_field(FALSE);
  for (gsize i = 0; i < G_N_ELEMENTS(names); i++) {
    g_autofree char *path = path_of(names[i]);
    save(result, path);
    g_autoptr(DebyeField) field = debye_field_load(path, NULL);
    map_support_assert_same_values(field, expected);
  }
  g_autofree char *cube = path_of("out.cube"), *csv = path_of("out.csv"), *text = NULL;
  save(result, cube);
  save(result, csv);
  g_assert_true(g_file_get_contents(csv, &text, NULL, NULL));
  g_assert_nonnull(strstr(text, "# spacing: 0.25 Å\n"));
  g_assert_nonnull(strstr(text, "# state: partial\n"));
  g_assert_nonnull(strstr(text, "# command_line: debye-cli map --spacing 0.25\n"));
  g_assert_nonnull(strstr(text, "# unit: kT/e\nx,y,z,potential\n-3.25,0.3333333333333333,12.5,"));
  g_assert_null(strstr(text, "cutoff"));
}

static void
assert_not_saved(DebyeResult *result, const char *name, int code, const char *part)
{
  g_autoptr(GError) error = NULL;
  g_autofree char *path = path_of(name);
  g_assert_false(debye_result_save(result, path, NULL, &error));
  g_assert_error(error, DEBYE_ERROR, code);
  if (strstr(error->message, part) == NULL)
    g_error("“%s” lacks “%s”", error->message, part);
}

static void
test_not_saved(void)
{
  g_autoptr(DebyeResult) result = make_result(FALSE);
  assert_not_saved(result, "out.txt", DEBYE_ERROR_WRITE, "expected a name that ends in");
  assert_not_saved(result, "no/out.h5", DEBYE_ERROR_WRITE, "there is no folder");
  g_autoptr(DebyeResult) empty = debye_result_new(debye_result_get_request(result), "");
  assert_not_saved(empty, "out.h5", DEBYE_ERROR_MISSING, "holds no values");
}

/* Less room than the file needs: an error, and the old file stands. The library must then be as good as
 * before. */
static void
test_full_disk(void)
{
  static const char *const names[] = {"full.h5", "full.dx", "full.ccp4"};
  struct rlimit before, small;
  signal(SIGXFSZ, SIG_IGN);
  getrlimit(RLIMIT_FSIZE, &before);
  for (gsize i = 0; i < G_N_ELEMENTS(names); i++) {
    g_autofree char *path = map_support_write(folder, names[i], "old", -1), *text = NULL;
    g_autoptr(DebyeResult) result = make_result(FALSE);
    g_autoptr(GError) error = NULL;
    small = before;
    small.rlim_cur = 6000;
    setrlimit(RLIMIT_FSIZE, &small);
    gboolean done = debye_result_save(result, path, NULL, &error);
    setrlimit(RLIMIT_FSIZE, &before);
    g_assert_false(done);
    g_assert_error(error, DEBYE_ERROR, DEBYE_ERROR_WRITE);
    g_test_message("%s", error->message);
    g_assert_true(g_file_get_contents(path, &text, NULL, NULL));
    g_assert_cmpstr(text, ==, "old");
  }
  test_whole();
}

/* Each change makes one thing of a good file hostile. */
typedef void (*Spoil)(hid_t file);

static void
drop(hid_t file, const char *path)
{
  g_assert_cmpint(H5Ldelete(file, path, H5P_DEFAULT), >=, 0);
}

static void
make_external_link(hid_t file)
{
  drop(file, "/entry/data/potential");
  H5Lcreate_external("/etc/passwd", "/", file, "/entry/data/potential", H5P_DEFAULT, H5P_DEFAULT);
}

static void
make_soft_link(hid_t file)
{
  drop(file, "/entry/data/potential");
  H5Lcreate_soft("/nowhere", file, "/entry/data/potential", H5P_DEFAULT, H5P_DEFAULT);
}

static void
put_potential(hid_t file, hid_t type, int rank, const hsize_t *shape, hid_t properties)
{
  drop(file, "/entry/data/potential");
  g_auto(DebyeH5Space) space = H5Screate_simple(rank, shape, NULL);
  g_auto(DebyeH5Dataset) dataset =
      H5Dcreate2(file, "/entry/data/potential", type, space, H5P_DEFAULT, properties, H5P_DEFAULT);
  g_assert_cmpint(dataset, >=, 0);
}

/* A terabyte that no byte of the file stands for. */
static void
make_huge(hid_t file)
{
  const hsize_t shape[] = {8192, 8192, 4096}, chunk[] = {1, 64, 64};
  g_auto(DebyeH5Properties) properties = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_chunk(properties, 3, chunk);
  H5Pset_deflate(properties, 1);
  put_potential(file, H5T_NATIVE_FLOAT, 3, shape, properties);
}

static void
make_overflowing(hid_t file)
{
  const hsize_t shape[] = {1ull << 31, 1ull << 31, 4};
  const hsize_t chunk[] = {1, 64, 4};
  g_auto(DebyeH5Properties) properties = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_chunk(properties, 3, chunk);
  put_potential(file, H5T_NATIVE_FLOAT, 3, shape, properties);
}

static void
make_external_storage(hid_t file)
{
  const hsize_t shape[] = {2, 2, 2};
  g_auto(DebyeH5Properties) properties = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_external(properties, "/etc/passwd", 0, 32);
  put_potential(file, H5T_NATIVE_FLOAT, 3, shape, properties);
}

static void
make_text(hid_t file)
{
  const hsize_t shape[] = {2, 2, 2};
  put_potential(file, H5T_C_S1, 3, shape, H5P_DEFAULT);
}

static void
make_flat(hid_t file)
{
  const hsize_t shape[] = {8};
  put_potential(file, H5T_NATIVE_FLOAT, 1, shape, H5P_DEFAULT);
}

static void
make_signal_number(hid_t file)
{
  const double value = 1.0;
  H5Adelete_by_name(file, "/entry/data", "signal", H5P_DEFAULT);
  g_auto(DebyeH5Group) group = H5Gopen2(file, "/entry/data", H5P_DEFAULT);
  debye_h5_write_doubles(group, "signal", &value, 0, NULL, NULL);
}

static void
make_singular(hid_t file)
{
  const hsize_t shape[] = {3, 3};
  const double steps[9] = {1, 0, 0, 1, 0, 0, 0, 0, NAN};
  H5Adelete_by_name(file, "/entry/data", "steps", H5P_DEFAULT);
  g_auto(DebyeH5Group) group = H5Gopen2(file, "/entry/data", H5P_DEFAULT);
  debye_h5_write_doubles(group, "steps", steps, 2, shape, NULL);
}

static void
make_entry_missing(hid_t file)
{
  drop(file, "/entry");
}

static void
test_hostile(void)
{
  static const Spoil spoils[] = {make_external_link,    make_soft_link,    make_huge, make_overflowing,
                                 make_external_storage, make_text,         make_flat, make_signal_number,
                                 make_singular,         make_entry_missing};
  g_autofree char *path = path_of("hostile.h5");
  for (gsize i = 0; i < G_N_ELEMENTS(spoils); i++) {
    g_autoptr(GError) error = NULL;
    g_autoptr(DebyeResult) result = make_result(FALSE);
    save(result, path);
    {
      DEBYE_H5_LOCKED();
      g_auto(DebyeH5File) file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
      spoils[i](file);
    }
    g_assert_null(debye_result_load(path, map_support_find_table, &error));
    g_assert_nonnull(error);
    g_test_message("%s", error->message);
    g_assert_true(error->domain == DEBYE_ERROR && g_str_has_prefix(error->message, "hostile.h5: "));
    g_clear_error(&error);
    g_assert_null(debye_field_load(path, &error));
    g_assert_nonnull(error);
  }
}

static void
edit_request(const char *path, const char *key, const char *value)
{
  DEBYE_H5_LOCKED();
  g_auto(DebyeH5File) file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
  g_auto(DebyeH5Group) group = H5Gopen2(file, "/entry/request", H5P_DEFAULT);
  if (debye_h5_has_attribute(group, key))
    H5Adelete(group, key);
  g_assert_true(debye_h5_write_string(group, key, value, NULL));
}

/* A setting that this version doesn't know can't be recomputed, but its map can be looked at. */
static void
test_unknown_setting(void)
{
  g_autoptr(GError) error = NULL;
  g_autofree char *path = path_of("newer.h5");
  g_autoptr(DebyeResult) result = make_result(FALSE);
  save(result, path);
  edit_request(path, "warp", "9");
  g_assert_null(debye_result_load_request(path, map_support_find_table, NULL, &error));
  g_assert_error(error, DEBYE_ERROR, DEBYE_ERROR_VALUE);
  g_clear_error(&error);
  g_autoptr(DebyeResult) again = debye_result_load(path, map_support_find_table, &error);
  g_assert_no_error(error);
  g_assert_nonnull(strstr(sentence_of(again, 2), "warp"));
  edit_request(path, "analysis", "weather");
  g_assert_null(debye_result_load(path, map_support_find_table, &error));
  g_assert_error(error, DEBYE_ERROR, DEBYE_ERROR_UNKNOWN);
}

/* A map of another program: axes in place of our attributes. */
static void
test_foreign(void)
{
  g_autofree char *path = path_of("foreign.h5");
  g_autoptr(DebyeResult) result = make_result(FALSE);
  save(result, path);
  {
    DEBYE_H5_LOCKED();
    g_auto(DebyeH5File) file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
    H5Adelete_by_name(file, "/entry/data", "origin", H5P_DEFAULT);
    H5Adelete_by_name(file, "/entry/data", "steps", H5P_DEFAULT);
  }
  GError *error = NULL;
  g_autoptr(DebyeField) field = debye_field_load(path, &error);
  g_assert_no_error(error);
  g_autoptr(DebyeField) expected = map_support_make_field(FALSE);
  map_support_assert_same_values(field, expected);
  map_support_assert_same_grid(field, expected, 1e-12);
}

/* What compresses best is still less than what a file of its size may hold; what is largest isn't compressed.
 */
static void
test_sizes(void)
{
  const DebyeGrid grids[] = {{.step = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, .shape = {200, 100, 60}},
                             {.step = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, .shape = {600, 1, 30000}}};
  g_autofree char *path = path_of("sizes.h5");
  for (gsize i = 0; i < G_N_ELEMENTS(grids); i++) {
    GError *error = NULL;
    g_autoptr(DebyeRequest) request = debye_request_new(&map_support_table);
    g_autoptr(DebyeResult) result = debye_result_new(request, "");
    g_autoptr(DebyeField) field =
        debye_field_new_take("flat", &grids[i], g_new0(float, debye_grid_n_points(&grids[i])), "V");
    debye_result_add_field(result, field);
    save(result, path);
    g_autoptr(DebyeField) again = debye_field_load(path, &error);
    g_assert_no_error(error);
    map_support_assert_same_values(again, field);
  }
}

/* More than the 64 KiB that an attribute of the oldest format can have. */
static void
test_long_text(void)
{
  g_autofree char *path = path_of("long.h5"), *text = g_strnfill(200000, 'x');
  g_autoptr(DebyeResult) result = make_result(FALSE);
  GError *error = NULL;
  debye_request_set(debye_result_get_request(result), "remark", text, NULL);
  save(result, path);
  g_autoptr(DebyeRequest) request = debye_result_load_request(path, map_support_find_table, NULL, &error);
  g_assert_no_error(error);
  g_assert_cmpstr(debye_request_get(request, "remark"), ==, text);
}

/* Any byte of the metadata changed, and any end cut off: an answer or an error, never a crash. */
static void
test_damaged(void)
{
  gsize length;
  g_autofree char *path = path_of("good.h5"), *bytes = NULL;
  g_autoptr(DebyeResult) result = make_result(FALSE);
  g_autoptr(GRand) random = g_rand_new_with_seed(5);
  guint n_errors = 0;
  save(result, path);
  g_assert_true(g_file_get_contents(path, &bytes, &length, NULL));
  for (int i = 0; i < 300; i++) {
    g_autoptr(GError) error = NULL;
    gsize cut = i % 3 == 0 ? (gsize)g_rand_int_range(random, 0, (int)length) : length;
    gsize at = (gsize)g_rand_int_range(random, 0, 4096);
    char kept = bytes[at];
    bytes[at] = (char)g_rand_int(random);
    g_autofree char *damaged = map_support_write(folder, "damaged.h5", bytes, (gssize)cut);
    bytes[at] = kept;
    g_autoptr(DebyeResult) again = debye_result_load(damaged, map_support_find_table, &error);
    g_assert_true((again == NULL) == (error != NULL));
    n_errors += error != NULL;
  }
  g_assert_cmpuint(n_errors, >=, 100);
}

/* Loading ends wherever it is stopped. */
static void
test_stopped(void)
{
  g_autofree char *path = path_of("stopped.h5");
  g_autoptr(DebyeResult) result = make_result(FALSE);
  save(result, path);
  guint n = 0;
  for (gboolean is_stopped = TRUE; is_stopped; n++) {
    guint left = n;
    g_autoptr(GError) error = NULL;
    g_autoptr(DebyeResult) loaded =
        debye_result_load_watched(path, map_support_find_table, debye_count_down, &left, &error);
    is_stopped = loaded == NULL;
    g_assert_true(is_stopped == g_error_matches(error, G_IO_ERROR, G_IO_ERROR_CANCELLED));
  }
  g_assert_cmpuint(n, >, 1);
}

/* Nothing is left open behind a load or a save, whatever became of it. */
static void
test_all_closed(void)
{
  DEBYE_H5_LOCKED();
  g_assert_cmpint(H5Fget_obj_count((hid_t)H5F_OBJ_ALL, H5F_OBJ_ALL), ==, 0);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  folder = map_support_make_folder();
  g_test_add_func("/result/notes", test_notes);
  g_test_add_func("/result/whole", test_whole);
  g_test_add_func("/result/origin", test_origin);
  g_test_add_func("/result/gone-input", test_gone_input);
  g_test_add_func("/result/watched-record", test_watched_record);
  g_test_add_func("/result/hashing", test_hashing);
  g_test_add_func("/result/kinds", test_kinds);
  g_test_add_func("/result/request", test_request);
  g_test_add_func("/result/default-field", test_default_field);
  g_test_add_func("/result/endings", test_endings);
  g_test_add_func("/result/not-saved", test_not_saved);
  g_test_add_func("/result/full-disk", test_full_disk);
  g_test_add_func("/result/hostile", test_hostile);
  g_test_add_func("/result/unknown-setting", test_unknown_setting);
  g_test_add_func("/result/foreign", test_foreign);
  g_test_add_func("/result/long-text", test_long_text);
  g_test_add_func("/result/sizes", test_sizes);
  g_test_add_func("/result/damaged", test_damaged);
  g_test_add_func("/result/stopped", test_stopped);
  g_test_add_func("/result/all-closed", test_all_closed);
  int status = g_test_run();
  map_support_remove_folder(folder);
  return status;
}
