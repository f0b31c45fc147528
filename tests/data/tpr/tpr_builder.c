/* SPDX-License-Identifier: MIT */
/* Writes GROMACS' run input files in memory, in both encodings and precisions. */
#include "tpr_builder.h"

#include <string.h>

#include "data/files/xdr.h"

#define LISTS_OF_VERSION_83 86 /* GROMACS 4.6's kinds of interactions */
#define LISTS_OF_VERSION_127 94

/* What GROMACS numbers these in the two versions. */
typedef struct {
  int n_lists, bond, settle, site;
} Kinds;

typedef struct {
  GByteArray *bytes;
  gint32 version;
  gboolean is_double, is_packed;
  Kinds kinds;
  gint32 n_waters;
} File;

static void
put_int(File *file, gint32 value)
{
  guint8 bytes[4];
  debye_xdr_put_int32(bytes, value);
  g_byte_array_append(file->bytes, bytes, sizeof bytes);
}

static void
put_ints(File *file, gsize n, const gint32 *values)
{
  for (gsize k = 0; k < n; k++)
    put_int(file, values[k]);
}

static void
put_zeros(File *file, gsize n)
{
  for (gsize k = 0; k < n; k++)
    put_int(file, 0);
}

static void
put_double(File *file, double value)
{
  guint8 bytes[8];
  guint64 word;
  memcpy(&word, &value, sizeof word);
  debye_xdr_put_uint64(bytes, word);
  g_byte_array_append(file->bytes, bytes, sizeof bytes);
}

static void
put_real(File *file, double value)
{
  guint8 bytes[4];
  if (file->is_double) {
    put_double(file, value);
    return;
  }
  debye_xdr_put_float(bytes, (float)value);
  g_byte_array_append(file->bytes, bytes, sizeof bytes);
}

static void
put_small(File *file, guint32 value, gsize n_bytes)
{
  guint8 bytes[4];
  debye_xdr_put_uint32(bytes, value);
  gsize n = file->is_packed ? n_bytes : 4;
  g_byte_array_append(file->bytes, bytes + 4 - n, (guint)n);
}

static void
put_text(File *file, const char *text)
{
  gsize length = strlen(text);
  if (file->is_packed) {
    put_zeros(file, 1);
    put_int(file, (gint32)length);
  } else {
    put_int(file, (gint32)length + 1);
    put_int(file, (gint32)length);
  }
  g_byte_array_append(file->bytes, (const guint8 *)text, (guint)length);
  while (!file->is_packed && file->bytes->len % 4 != 0)
    g_byte_array_append(file->bytes, (const guint8 *)"", 1);
}

static void
put_head(File *file, gint32 n_atoms)
{
  put_text(file, "VERSION of a test");
  put_ints(file, 3, (gint32[]){file->is_double ? 8 : 4, file->version, file->version >= 119 ? 28 : 24});
  put_text(file, "release");
  put_ints(file, 3, (gint32[]){n_atoms, 2, 0}); /* two coupling groups */
  put_real(file, 0.0);
  put_ints(file, 6, (gint32[]){1, 1, 1, 1, 0, 1});
  if (file->version < 119)
    return;
  put_zeros(file, 2);
  file->is_packed = TRUE;
}

enum { OW, HW, MW, SOL, C1, C2, OPLS, ALA, GLY, PROTEIN, TITLE };
static const char *const texts[] = {
    "OW", "HW", "MW", "SOL", "C1", "C2", "opls_00", "ALA", "GLY", "Protein_chain_B", "The title"};

static void
put_atom(File *file, double mass, double charge, gint32 particle, gint32 residue, gint32 atomic_number)
{
  put_real(file, mass);
  put_real(file, charge);
  put_real(file, mass);
  put_real(file, charge);
  put_small(file, 0, 2);
  put_small(file, 0, 2);
  put_ints(file, 3, (gint32[]){particle, residue, atomic_number});
}

static void
put_residue(File *file, gint32 name, gint32 number, char code)
{
  put_ints(file, 2, (gint32[]){name, number});
  put_small(file, (guint8)code, 1);
}

/* Up to three lists that aren't empty. */
static void
put_lists(File *file, const int *kinds, const gsize *sizes, const gint32 *const *lists, gsize n)
{
  for (int k = 0; k < file->kinds.n_lists; k++) {
    gsize found = 0;
    while (found < n && kinds[found] != k)
      found++;
    put_int(file, found < n ? (gint32)sizes[found] : 0);
    if (found < n)
      put_ints(file, sizes[found], lists[found]);
  }
}

/* One charge group, and each atom excludes itself. */
static void
put_groups(File *file, gint32 n_atoms)
{
  put_ints(file, 3, (gint32[]){1, 0, n_atoms});
  put_ints(file, 2, (gint32[]){n_atoms, n_atoms});
  for (gint32 i = 0; i <= n_atoms; i++)
    put_int(file, i);
  for (gint32 i = 0; i < n_atoms; i++)
    put_int(file, i);
}

/* Four sites. */
static void
put_water(File *file)
{
  put_ints(file, 3, (gint32[]){SOL, 4, 1});
  put_atom(file, 16.0, 0.0, 0, 0, 8);
  put_atom(file, 1.008, 0.5, 0, 0, 1);
  put_atom(file, 1.008, 0.5, 0, 0, 1);
  put_atom(file, 0.0, -1.0, 4, 0, 0);
  put_ints(file, 12, (gint32[]){OW, HW, HW, MW, OPLS, OPLS, OPLS, OPLS, OPLS, OPLS, OPLS, OPLS});
  put_residue(file, SOL, 2, ' ');
  put_lists(file, (int[]){file->kinds.settle, file->kinds.site}, (gsize[]){4, 5},
            (const gint32 *[]){(gint32[]){2, 0, 1, 2}, (gint32[]){3, 3, 0, 1, 2}}, 2);
  put_groups(file, 4);
}

/* Two residues of two carbons. */
static void
put_chain(File *file)
{
  put_ints(file, 3, (gint32[]){PROTEIN, 4, 2});
  for (gint32 i = 0; i < 4; i++)
    put_atom(file, 12.011, i % 2 == 0 ? 0.25 : -0.25, 0, i / 2, 6);
  put_ints(file, 12, (gint32[]){C1, C2, C1, C2, OPLS, OPLS, OPLS, OPLS, OPLS, OPLS, OPLS, OPLS});
  put_residue(file, ALA, 41, ' ');
  put_residue(file, GLY, 41, 'A');
  put_lists(file, (int[]){file->kinds.bond}, (gsize[]){9},
            (const gint32 *[]){(gint32[]){1, 0, 1, 1, 3, 2, 1, 1, 2}}, 1);
  put_groups(file, 4);
}

/* A Lennard-Jones set, a bond's, a rigid water's, a site's. */
static void
put_parameters(File *file, int lennard_jones)
{
  const gint32 kinds[4] = {lennard_jones, file->kinds.bond, file->kinds.settle, file->kinds.site};
  put_ints(file, 2, (gint32[]){1, 4});
  put_ints(file, 4, kinds);
  put_double(file, 12.0);
  put_real(file, 0.5);
  put_real(file, TPR_C6);
  put_real(file, TPR_C12);
  for (int k = 0; k < 4 + 2 + 2; k++)
    put_real(file, 1e3 * k);
}

static void
put_blocks(File *file)
{
  put_ints(file, 6, (gint32[]){2, 0, 1, 4, 0, 1}); /* one held where a restraint is */
  for (int k = 0; k < 3; k++)
    put_real(file, 0.1);
  put_ints(file, 5, (gint32[]){1, file->n_waters, 4, 0, 0});
  put_int(file, TPR_N_ATOMS);
}

/* A bond from the chain's last atom to the first water, in files that can have one. */
static void
put_between(File *file)
{
  if (file->version < 103)
    return;
  put_small(file, 1, 1);
  put_lists(file, (int[]){file->kinds.bond}, (gsize[]){3}, (const gint32 *[]){(gint32[]){1, 3, 4}}, 1);
}

/* Atom types, a CMAP grid of two by two, groups. */
static void
put_rest(File *file)
{
  put_int(file, 1);
  for (int k = 0; k < 5 && file->version < 113; k++)
    put_real(file, 0.0);
  put_int(file, 6);
  put_ints(file, 2, (gint32[]){1, 2});
  for (int k = 0; k < 16; k++)
    put_real(file, 0.5);
  for (int k = 0; k < 10; k++)
    put_ints(file, 2, (gint32[]){1, 0});
  put_ints(file, 3, (gint32[]){2, TITLE, SOL});
  put_int(file, 3);
  for (guint32 k = 0; k < 3; k++)
    put_small(file, k, 1);
  put_zeros(file, 9);
  if (file->version >= 120)
    put_ints(file, 3, (gint32[]){0, 1, 4});
}

double
tpr_get_coordinate(int k)
{
  return 0.125 * (k % 17) - 0.5;
}

static void
put_frame(File *file)
{
  for (int k = 0; k < 3 * TPR_N_ATOMS; k++)
    put_real(file, tpr_get_coordinate(k));
  for (int k = 0; k < 3 * TPR_N_ATOMS; k++)
    put_real(file, 0.25 * k);
}

GByteArray *
tpr_make_file_of(gint32 version, gboolean is_double, gint32 n_waters, int kind)
{
  /* GROMACS numbers them in the order of its list of that time. */
  static const Kinds kinds[2] = {{LISTS_OF_VERSION_83, 0, 59, 61}, {LISTS_OF_VERSION_127, 0, 64, 68}};
  gboolean is_new = version >= 119;
  File file = {.bytes = g_byte_array_new(),
               .version = version,
               .is_double = is_double,
               .kinds = kinds[is_new],
               .n_waters = n_waters};
  put_head(&file, TPR_N_ATOMS);
  for (int k = 0; k < 27; k++)
    put_real(&file, k < 9 && k % 4 == 0 ? 3.0 + k : 0.0);
  put_real(&file, 0.0);
  put_real(&file, 0.0);
  put_int(&file, G_N_ELEMENTS(texts));
  for (gsize k = 0; k < G_N_ELEMENTS(texts); k++)
    put_text(&file, texts[k]);
  put_int(&file, TITLE);
  put_parameters(&file, kind);
  put_int(&file, 2);
  put_chain(&file);
  put_water(&file);
  put_blocks(&file);
  put_between(&file);
  put_rest(&file);
  put_frame(&file);
  return file.bytes;
}

GByteArray *
tpr_make_file(gint32 version, gboolean is_double, gint32 n_waters)
{
  return tpr_make_file_of(version, is_double, n_waters, version >= 119 ? 37 : 34);
}
