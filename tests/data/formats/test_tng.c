/* SPDX-License-Identifier: MIT */
/* TNG files made by hand in both byte orders, and each coding of positions packed here and read back. */
#include <math.h>
#include <string.h>

#include "data/trajectory/dataset.h"
#include "data/files/error.h"
#include "data/formats/tng/tng_coding.h"
#include "data/messages/message.h"
#include "data/trajectory/trajectory.h"
#include "tests/support/temporary.h"

#define N_ATOMS 7
#define N_FRAMES 4

/* --- Packing --- */

typedef struct {
  GByteArray *bytes;
  guint n_bits; /* of the last byte */
} Bits;

static void
put_bits(Bits *bits, guint32 value, guint n)
{
  for (guint k = n; k-- > 0;) {
    guint8 zero = 0;
    if (bits->n_bits % 8 == 0)
      g_byte_array_append(bits->bytes, &zero, 1);
    bits->bytes->data[bits->bytes->len - 1] |= (guint8)(((value >> k) & 1) << (7 - bits->n_bits % 8));
    bits->n_bits++;
  }
}

static guint32
to_unsigned(gint32 value)
{
  return value > 0 ? 2 * (guint32)value - 1 : 2 * (guint32)-value;
}

static void
put_stop_bits(Bits *bits, gint32 value, guint width)
{
  guint32 rest = to_unsigned(value);
  do {
    put_bits(bits, rest & ((1u << width) - 1), width);
    rest >>= width;
    put_bits(bits, rest > 0, 1);
    width = MAX(width / 2, 1);
  } while (rest > 0);
}

static void
put_triplet(Bits *bits, const gint32 *values, guint parameter, guint width_maximum)
{
  guint more = 0, width;
  for (int k = 0; k < 3; k++)
    while (more < 3 && to_unsigned(values[k]) >= 1u << (parameter + more))
      more++;
  width = more == 3 ? width_maximum : parameter + more;
  put_bits(bits, more, 2);
  for (int k = 0; k < 3; k++)
    put_bits(bits, to_unsigned(values[k]), width);
}

static void
put_word(GByteArray *bytes, guint32 value)
{
  guint32 word = GUINT32_TO_LE(value);
  g_byte_array_append(bytes, (const guint8 *)&word, sizeof word);
}

/* Small steps and large ones. */
static gint32
get_value(gsize frame, gsize i)
{
  return (gint32)(i * 731 % 97) - 48 + (gint32)(frame * (i % 5)) + (i == 4 ? 70000 : 0);
}

/* What is packed of a value: itself, or its difference from the atom or from the frame before. */
static gint32
get_packed(guint coding, gsize frame, gsize i)
{
  gint32 value = get_value(frame, i);
  if (coding == 1 || coding == 2)
    return value - get_value(frame - 1, i);
  return coding == 3 && i >= 3 ? value - get_value(frame, i - 3) : value;
}

static void
put_frames(GByteArray *bytes, guint coding, guint parameter, gsize first, gsize end)
{
  g_autoptr(GByteArray) packed = g_byte_array_new();
  Bits bits = {.bytes = packed};
  if (coding != 1)
    put_bits(&bits, 1u << 20, 32); /* the largest value: 21 bits */
  for (gsize frame = first; frame < end; frame++)
    for (gsize i = 0; i < 3 * N_ATOMS; i++) {
      gint32 triplet[3];
      for (gsize k = 0; k < 3; k++)
        triplet[k] = get_packed(coding, frame, i / 3 * 3 + k);
      if (coding == 1)
        put_stop_bits(&bits, triplet[i % 3], parameter);
      else if (i % 3 == 0)
        put_triplet(&bits, triplet, parameter, 21);
    }
  put_word(bytes, packed->len);
  g_byte_array_append(bytes, packed->data, packed->len);
}

static GByteArray *
pack(guint first_coding, guint coding, guint parameter)
{
  GByteArray *bytes = g_byte_array_new();
  const guint32 head[9] = {0x50474e54, N_ATOMS,  N_FRAMES, first_coding, parameter, coding,
                           parameter,  1u << 30, 0}; /* a precision of 0.25 */
  for (gsize k = 0; k < G_N_ELEMENTS(head); k++)
    put_word(bytes, head[k]);
  put_frames(bytes, first_coding, parameter, 0, 1);
  put_frames(bytes, coding, parameter, 1, N_FRAMES);
  return bytes;
}

static void
check_coding(guint first_coding, guint coding, guint parameter)
{
  g_autoptr(GByteArray) bytes = pack(first_coding, coding, parameter);
  g_autofree char *fault = NULL;
  float x[N_ATOMS], y[N_ATOMS], z[N_ATOMS];
  g_autoptr(DebyeTngDecoder) decoder =
      debye_tng_decoder_new(DEBYE_TNG_OF_POSITIONS, bytes->data, bytes->len, N_ATOMS, &fault);
  g_assert_cmpstr(fault, ==, NULL);
  g_assert_cmpuint(debye_tng_decoder_get_n_frames(decoder), ==, N_FRAMES);
  for (gsize frame = 0; frame < N_FRAMES; frame++) {
    g_assert_cmpstr(debye_tng_decoder_next(decoder, 2.0f, x, y, z), ==, NULL);
    for (gsize i = 0; i < N_ATOMS; i++) {
      g_assert_cmpfloat(x[i], ==, 0.5f * (float)get_value(frame, 3 * i));
      g_assert_cmpfloat(y[i], ==, 0.5f * (float)get_value(frame, 3 * i + 1));
      g_assert_cmpfloat(z[i], ==, 0.5f * (float)get_value(frame, 3 * i + 2));
    }
  }
}

static void
test_codings(void)
{
  for (guint parameter = 1; parameter < 12; parameter++) {
    check_coding(7, 1, parameter);
    check_coding(3, 2, parameter);
    check_coding(3, 3, parameter);
    check_coding(7, 7, parameter);
  }
}

/* Wherever the bits end, a fault and no crash. */
static void
test_cut(void)
{
  g_autoptr(GByteArray) bytes = pack(3, 1, 4);
  for (gsize n = 0; n < bytes->len; n++) {
    g_autofree char *fault = NULL;
    float x[N_ATOMS], y[N_ATOMS], z[N_ATOMS];
    g_autofree guint8 *part = g_memdup2(bytes->data, n + 1);
    g_autoptr(DebyeTngDecoder) decoder =
        debye_tng_decoder_new(DEBYE_TNG_OF_POSITIONS, part, n, N_ATOMS, &fault);
    gboolean is_good = decoder != NULL;
    for (gsize frame = 0; frame < N_FRAMES && is_good; frame++)
      is_good = debye_tng_decoder_next(decoder, 1.0f, x, y, z) == NULL;
    g_assert_false(is_good);
  }
}

static void
test_unknown_coding(void)
{
  g_autoptr(GByteArray) bytes = pack(7, 7, 4);
  g_autofree char *fault = NULL;
  bytes->data[12] = 4;
  g_assert_null(debye_tng_decoder_new(DEBYE_TNG_OF_POSITIONS, bytes->data, bytes->len, N_ATOMS, &fault));
  g_autofree char *words = debye_message_english(fault);
  g_assert_cmpstr(words, ==, "expected a coding of TNG's, found number 4");
}

/* --- Files --- */

static void
put_long(GByteArray *bytes, guint64 value, gboolean is_big_endian)
{
  guint64 word = is_big_endian ? GUINT64_TO_BE(value) : GUINT64_TO_LE(value);
  g_byte_array_append(bytes, (const guint8 *)&word, sizeof word);
}

static void
put_double(GByteArray *bytes, double value, gboolean is_big_endian)
{
  guint64 word;
  memcpy(&word, &value, sizeof word);
  put_long(bytes, word, is_big_endian);
}

static void
put_block(GByteArray *file, guint64 id, const char *name, const GByteArray *contents, gboolean is_big_endian)
{
  static const guint8 checksum[16] = {0};
  gsize length = strlen(name) + 1;
  put_long(file, 40 + length + 8, is_big_endian);
  put_long(file, contents->len, is_big_endian);
  put_long(file, id, is_big_endian);
  g_byte_array_append(file, checksum, sizeof checksum);
  g_byte_array_append(file, (const guint8 *)name, (guint)length);
  put_long(file, 4, is_big_endian);
  g_byte_array_append(file, contents->data, contents->len);
}

static void
put_general(GByteArray *file, gboolean is_big_endian)
{
  static const guint8 nothing[18] = {0}; /* texts, the time, whether the number of atoms varies */
  g_autoptr(GByteArray) contents = g_byte_array_new();
  g_byte_array_append(contents, nothing, sizeof nothing);
  for (int k = 0; k < 5; k++)
    put_long(contents, 1, is_big_endian);
  put_long(contents, (guint64)-10, is_big_endian); /* ångström */
  put_block(file, 0, "GENERAL INFO", contents, is_big_endian);
}

/* Two frames, 10 and 13, with positions in doubles and one box. */
static void
put_set(GByteArray *file, gboolean is_big_endian)
{
  static const guint8 positions_head[3] = {3, 3, 1}, box_head[3] = {3, 1, 0};
  g_autoptr(GByteArray) set = g_byte_array_new();
  g_autoptr(GByteArray) positions = g_byte_array_new();
  g_autoptr(GByteArray) box = g_byte_array_new();
  put_long(set, 10, is_big_endian);
  put_long(set, 5, is_big_endian);
  for (int k = 0; k < 6; k++)
    put_long(set, (guint64)-1, is_big_endian);
  put_double(set, 2e-12, is_big_endian);
  put_double(set, 1e-13, is_big_endian);
  g_byte_array_append(positions, positions_head, sizeof positions_head);
  const guint64 head[6] = {3, 0, 10, 3, 0, N_ATOMS};
  for (int k = 0; k < 6; k++)
    put_long(positions, head[k], is_big_endian);
  for (int k = 0; k < 2 * 3 * N_ATOMS; k++)
    put_double(positions, 0.25 * k, is_big_endian);
  g_byte_array_append(box, box_head, sizeof box_head);
  put_long(box, 9, is_big_endian);
  put_long(box, 0, is_big_endian);
  for (int k = 0; k < 9 * 5; k++)
    put_double(box, k % 9 % 4 == 0 ? 20.0 + k / 9 : 0.0, is_big_endian);
  put_block(file, 2, "TRAJECTORY FRAME SET", set, is_big_endian);
  put_block(file, 0x10000000, "BOX SHAPE", box, is_big_endian);
  put_block(file, 0x10000001, "POSITIONS", positions, is_big_endian);
}

static void
check_file(gboolean is_big_endian)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(GByteArray) file = g_byte_array_new();
  g_autoptr(DebyeTemporaryFolder) folder = debye_temporary_folder_new();
  put_general(file, is_big_endian);
  put_set(file, is_big_endian);
  g_autofree char *path = debye_temporary_write(folder, "run.tng", file->data, file->len);
  g_autoptr(DebyeTrajectory) trajectory =
      debye_trajectory_open((const char *[]){path, NULL}, NULL, NULL, NULL, &error);
  g_assert_no_error(error);
  g_assert_cmpuint(debye_trajectory_get_n_frames(trajectory), ==, 2);
  g_autoptr(DebyeTrajectoryReader) reader = debye_trajectory_reader_new(trajectory, &error);
  g_autoptr(DebyeFrame) frame = debye_frame_new(N_ATOMS);
  for (gsize k = 2; k-- > 0;) {
    g_assert_true(debye_trajectory_reader_read(reader, k, frame, &error));
    g_assert_cmpint(frame->step, ==, k == 0 ? 10 : 13);
    g_assert_cmpfloat_with_epsilon(frame->time, k == 0 ? 2.0 : 2.3, 1e-9);
    g_assert_cmpfloat_with_epsilon(frame->y[2], 0.25 * (double)(3 * N_ATOMS * k + 7), 1e-6);
    g_assert_cmpfloat_with_epsilon(frame->cell.b.y, k == 0 ? 20.0 : 23.0, 1e-9);
  }
}

static void
test_files(void)
{
  check_file(FALSE);
  check_file(TRUE);
}

/* Two residues in a chain, then three molecules of one atom each. */
static void
put_molecules(GByteArray *file, const char *name, gint64 bonded)
{
  static const guint8 chain[] = "A", first[] = "ALA", second[] = "GLY", ion[] = "NA", nothing[] = "";
  const guint8 *const atoms[3] = {(const guint8 *)"CA", (const guint8 *)"HA", (const guint8 *)name};
  g_autoptr(GByteArray) contents = g_byte_array_new();
  const guint64 head[] = {2, 1}, molecule[] = {1, 1, 1, 2, 4};
  for (gsize k = 0; k < 2; k++)
    put_long(contents, head[k], FALSE);
  g_byte_array_append(contents, first, sizeof first);
  for (gsize k = 0; k < 5; k++)
    put_long(contents, molecule[k], FALSE);
  put_long(contents, 1, FALSE);
  g_byte_array_append(contents, chain, sizeof chain);
  put_long(contents, 2, FALSE);
  for (guint residue = 0; residue < 2; residue++) {
    put_long(contents, 7 + residue, FALSE);
    g_byte_array_append(contents, residue == 0 ? first : second, sizeof first);
    put_long(contents, residue == 0 ? 3 : 1, FALSE);
    for (guint i = 0; i < (residue == 0 ? 3u : 1u); i++) {
      put_long(contents, i, FALSE);
      g_byte_array_append(contents, atoms[i], (guint)strlen((const char *)atoms[i]) + 1);
      g_byte_array_append(contents, nothing, sizeof nothing);
    }
  }
  const guint64 bonds[] = {2, 0, 1, 0, (guint64)bonded}, ions[] = {2, 1, 3, 1, 1, 1, 0};
  for (gsize k = 0; k < 5; k++)
    put_long(contents, bonds[k], FALSE);
  put_long(contents, ions[0], FALSE);
  g_byte_array_append(contents, ion, sizeof ion);
  for (gsize k = 1; k < G_N_ELEMENTS(ions); k++)
    put_long(contents, ions[k], FALSE);
  g_byte_array_append(contents, nothing, sizeof nothing);
  put_long(contents, 1, FALSE);
  put_long(contents, 300, FALSE);
  g_byte_array_append(contents, ion, sizeof ion);
  put_long(contents, 1, FALSE);
  put_long(contents, 0, FALSE);
  g_byte_array_append(contents, ion, sizeof ion);
  g_byte_array_append(contents, ion, sizeof ion);
  put_long(contents, 0, FALSE);
  put_block(file, 1, "MOLECULES", contents, FALSE);
}

/* One number an atom: charges or masses. */
static void
put_column(GByteArray *file, guint64 id, const double *values)
{
  static const guint8 head[2] = {3, 2};
  g_autoptr(GByteArray) contents = g_byte_array_new();
  const guint64 numbers[] = {1, 0, 0, N_ATOMS};
  g_byte_array_append(contents, head, sizeof head);
  for (gsize k = 0; k < 4; k++)
    put_long(contents, numbers[k], FALSE);
  for (gsize k = 0; k < N_ATOMS; k++)
    put_double(contents, values[k], FALSE);
  put_block(file, id, "VALUES", contents, FALSE);
}

static DebyeDataset *
open_dataset(const GByteArray *file, GError **error)
{
  g_autoptr(DebyeTemporaryFolder) folder = debye_temporary_folder_new();
  g_autofree char *path = debye_temporary_write(folder, "run.tng", file->data, file->len);
  return debye_dataset_open((const char *[]){path, NULL}, NULL, NULL, error);
}

static void
test_molecules(void)
{
  static const double charges[N_ATOMS] = {-0.5, 0.25, 0.25, -3.0, 1.0, 1.0, 1.0};
  static const double masses[N_ATOMS] = {12.011, 1.008, 14.007, 12.011, 22.99, 22.99, 22.99};
  g_autoptr(GError) error = NULL;
  g_autoptr(GByteArray) file = g_byte_array_new();
  put_general(file, FALSE);
  put_molecules(file, "N", 2);
  put_column(file, 0x10000004, charges);
  put_column(file, 0x10000010, masses);
  put_set(file, FALSE);
  g_autoptr(DebyeDataset) dataset = open_dataset(file, &error);
  g_assert_no_error(error);
  DebyeTopology *topology = debye_dataset_get_topology(dataset);
  const DebyeResidue *residues = debye_topology_get_residue_table(topology);
  const DebyeStringPool *pool = debye_topology_get_string_pool(topology);
  gsize n_bonds;
  const DebyeBond *bonds = debye_topology_get_bonds(topology, &n_bonds);
  g_assert_cmpuint(debye_topology_get_n_atoms(topology), ==, N_ATOMS);
  g_assert_cmpuint(debye_topology_get_n_residues(topology), ==, 5);
  for (gsize k = 0; k < 5; k++)
    g_assert_cmpint(residues[k].number, ==, k < 2 ? 7 + (gint32)k : 298 + (gint32)k);
  g_assert_cmpstr(debye_string_pool_get(pool, residues[0].chain), ==, "A");
  g_assert_cmpstr(debye_string_pool_get(pool, residues[4].name), ==, "NA");
  g_assert_cmpstr(debye_string_pool_get(pool, debye_topology_get_names(topology)[2]), ==, "N");
  g_assert_cmpuint(n_bonds, ==, 2);
  g_assert_cmpuint(bonds[1].j, ==, 2);
  for (gsize k = 0; k < N_ATOMS; k++) {
    g_assert_cmpfloat(debye_topology_get_charges(topology)[k], ==, (float)charges[k]);
    g_assert_cmpfloat(debye_topology_get_masses(topology)[k], ==, (float)masses[k]);
  }
  g_assert_cmpuint(debye_topology_get_elements(topology)[2], ==, 7);
}

/* Wherever the block of molecules is spoilt there is an error or a topology. A bond to no atom is a warning.
 */
static void
test_damaged_molecules(void)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(GByteArray) file = g_byte_array_new();
  put_general(file, FALSE);
  guint first = file->len + 58;
  put_molecules(file, "N", 9);
  guint end = file->len;
  put_set(file, FALSE);
  g_autoptr(DebyeDataset) dataset = open_dataset(file, &error);
  g_assert_no_error(error);
  g_assert_nonnull(strstr(debye_dataset_get_warnings(dataset)[0], "bond"));
  for (guint at = first; at < end; at++) {
    g_autoptr(GError) fault = NULL;
    file->data[at] ^= 0xff;
    g_autoptr(DebyeDataset) spoilt = open_dataset(file, &fault);
    g_assert_true((spoilt == NULL) == (fault != NULL));
    file->data[at] ^= 0xff;
  }
}

/* The second frame of each set has them, too. */
static void
test_velocities(void)
{
  static const guint8 head[3] = {3, 3, 1};
  g_autoptr(GError) error = NULL;
  g_autoptr(GByteArray) file = g_byte_array_new();
  g_autoptr(GByteArray) velocities = g_byte_array_new();
  const guint64 numbers[6] = {3, 0, 13, 2, 0, N_ATOMS};
  put_general(file, FALSE);
  put_set(file, FALSE);
  g_byte_array_append(velocities, head, sizeof head);
  for (int k = 0; k < 6; k++)
    put_long(velocities, numbers[k], FALSE);
  for (int k = 0; k < 3 * N_ATOMS; k++)
    put_double(velocities, 0.5 * k, FALSE);
  put_block(file, 0x10000002, "VELOCITIES", velocities, FALSE);
  g_autoptr(DebyeTemporaryFolder) folder = debye_temporary_folder_new();
  g_autofree char *path = debye_temporary_write(folder, "run.tng", file->data, file->len);
  g_autoptr(DebyeTrajectory) trajectory =
      debye_trajectory_open((const char *[]){path, NULL}, NULL, NULL, NULL, &error);
  g_assert_no_error(error);
  g_autoptr(DebyeTrajectoryReader) reader = debye_trajectory_reader_new(trajectory, &error);
  g_autoptr(DebyeFrame) frame = debye_frame_new(N_ATOMS);
  for (gsize k = 0; k < 4; k++) {
    g_assert_true(debye_trajectory_reader_read(reader, k % 2, frame, &error));
    g_assert_true((frame->vx != NULL) == (k % 2 == 1));
    if (frame->vx != NULL)
      g_assert_cmpfloat(frame->vz[4], ==, 7.0f);
  }
}

/* What is wrong with a frame set, which is said with its place; `spoil` changes a good file. */
static void
assert_frame_set_refused(void (*spoil)(GByteArray *file, guint set_at), const char *sentence)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(GByteArray) file = g_byte_array_new();
  g_autoptr(DebyeTemporaryFolder) folder = debye_temporary_folder_new();
  put_general(file, FALSE);
  guint set_at = file->len;
  put_set(file, FALSE);
  spoil(file, set_at);
  g_autofree char *path = debye_temporary_write(folder, "run.tng", file->data, file->len);
  g_autoptr(DebyeTrajectory) trajectory =
      debye_trajectory_open((const char *[]){path, NULL}, NULL, NULL, NULL, &error);
  if (trajectory != NULL) {
    const char *const *warnings = debye_trajectory_get_warnings(trajectory);
    g_autoptr(DebyeTrajectoryReader) reader = debye_trajectory_reader_new(trajectory, &error);
    g_autoptr(DebyeFrame) frame = debye_frame_new(N_ATOMS);
    if (warnings[0] != NULL)
      g_set_error_literal(&error, DEBYE_ERROR, DEBYE_ERROR_SYNTAX, warnings[0]);
    else
      g_assert_false(debye_trajectory_reader_read(reader, 0, frame, &error));
  }
  g_assert_nonnull(error);
  if (strstr(error->message, sentence) == NULL)
    g_error("expected “%s” in “%s”", sentence, error->message);
}

/* The positions are the set's last block: a head of 58 bytes, then what the numbers are, 51, then they. */
#define POSITIONS_BYTES (58 + 51 + 8 * 2 * 3 * N_ATOMS)

static guint8 *
get_positions(GByteArray *file)
{
  return file->data + file->len - POSITIONS_BYTES;
}

static void
set_number(guint8 *at, guint64 value)
{
  guint64 word = GUINT64_TO_LE(value);
  memcpy(at, &word, sizeof word);
}

/* A packing has a precision behind its number. */
static void
set_packing(GByteArray *file, guint64 packing)
{
  g_autofree guint8 *positions = g_memdup2(get_positions(file), POSITIONS_BYTES);
  g_byte_array_set_size(file, file->len - POSITIONS_BYTES);
  set_number(positions + 8, 51 + 8 + 8 * 2 * 3 * N_ATOMS);
  set_number(positions + 58 + 11, packing);
  g_byte_array_append(file, positions, 58 + 19);
  put_double(file, 1000.0, FALSE);
  g_byte_array_append(file, positions + 58 + 19, POSITIONS_BYTES - 58 - 19);
}

static void
add_positions(GByteArray *file, G_GNUC_UNUSED guint set_at)
{
  g_autofree guint8 *positions = g_memdup2(get_positions(file), POSITIONS_BYTES);
  g_byte_array_append(file, positions, POSITIONS_BYTES);
}

static void
add_other_set(GByteArray *file, G_GNUC_UNUSED guint set_at)
{
  put_set(file, FALSE);
  set_number(get_positions(file) + 58 + 43, N_ATOMS - 1);
}

static void
pack_otherwise(GByteArray *file, G_GNUC_UNUSED guint set_at)
{
  set_packing(file, 9);
}

/* Packed ones, of which the file tells the number only; the box becomes a block of no known kind. */
static void
add_frames(GByteArray *file, guint set_at)
{
  const guint name_bytes = strlen("TRAJECTORY FRAME SET") + 1, contents_at = set_at + 40 + name_bytes + 8;
  set_number(file->data + contents_at + 8, 3u << 20);
  set_number(file->data + contents_at + 80 + 16, 0x77);
  set_packing(file, 2);
}

static void
test_wrong_frame_sets(void)
{
  assert_frame_set_refused(add_positions,
                           "expected the positions of a frame set in one block, found a second one");
  assert_frame_set_refused(add_other_set,
                           "expected positions of the same atoms in each frame set, found 6 after 7");
  assert_frame_set_refused(pack_otherwise, "in gzip's or in TNG's packing, found packing number 9");
  assert_frame_set_refused(add_frames, "expected a frame set large enough for its 1048576 frames, found ");
}

/* The whole frame set is lost with its end; what is before stays. */
static void
test_cut_file(void)
{
  g_autoptr(GByteArray) file = g_byte_array_new();
  put_general(file, FALSE);
  guint n_general = file->len;
  put_set(file, FALSE);
  guint n_set = file->len;
  put_set(file, FALSE);
  for (gsize n = n_general; n < file->len; n += 5) {
    g_autoptr(GError) error = NULL;
    g_autoptr(DebyeTemporaryFolder) folder = debye_temporary_folder_new();
    g_autofree char *path = debye_temporary_write(folder, "run.tng", file->data, n);
    g_autoptr(DebyeTrajectory) trajectory =
        debye_trajectory_open((const char *[]){path, NULL}, NULL, NULL, NULL, &error);
    g_assert_cmpint(trajectory != NULL, ==, n >= n_set);
    if (trajectory == NULL)
      g_assert_error(error, DEBYE_ERROR, DEBYE_ERROR_TRUNCATED);
    else
      g_assert_cmpuint(debye_trajectory_get_n_frames(trajectory), ==, 2);
  }
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/tng/codings", test_codings);
  g_test_add_func("/tng/coding-cut", test_cut);
  g_test_add_func("/tng/coding-unknown", test_unknown_coding);
  g_test_add_func("/tng/files", test_files);
  g_test_add_func("/tng/file-cut", test_cut_file);
  g_test_add_func("/tng/frame-sets-wrong", test_wrong_frame_sets);
  g_test_add_func("/tng/molecules", test_molecules);
  g_test_add_func("/tng/molecules-damaged", test_damaged_molecules);
  g_test_add_func("/tng/velocities", test_velocities);
  return g_test_run();
}
