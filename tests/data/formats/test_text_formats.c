/* SPDX-License-Identifier: MIT */
/* PDB, PQR, GRO, PSF and XYZ from small texts: each oddity of real files once, what is written read again,
 * and which files belong together. Needs no reference data. */
#include "data/trajectory/dataset.h"
#include "data/files/error.h"
#include "data/files/replace_file.h"
#include "data/trajectory/format_list.h"

#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

/* --- Files for a test --- */

typedef struct {
  char *folder;
  GPtrArray *paths; /* of all files, to remove them */
} Fixture;

static void
set_up(Fixture *fixture, gconstpointer data)
{
  (void)data;
  fixture->folder = g_dir_make_tmp("debye-text-XXXXXX", NULL);
  fixture->paths = g_ptr_array_new_with_free_func(g_free);
  g_assert_nonnull(fixture->folder);
}

static void
tear_down(Fixture *fixture, gconstpointer data)
{
  (void)data;
  for (guint i = 0; i < fixture->paths->len; i++)
    g_remove(g_ptr_array_index(fixture->paths, i));
  g_rmdir(fixture->folder);
  g_ptr_array_unref(fixture->paths);
  g_free(fixture->folder);
}

static const char *
make_path(Fixture *fixture, const char *name)
{
  char *path = g_build_filename(fixture->folder, name, NULL);
  g_ptr_array_add(fixture->paths, path);
  return path;
}

static const char *
write_text(Fixture *fixture, const char *name, const char *text)
{
  const char *path = make_path(fixture, name);
  g_autoptr(GError) error = NULL;
  g_file_set_contents(path, text, -1, &error);
  g_assert_no_error(error);
  return path;
}

static DebyeDataset *
open_one(const char *path, GError **error)
{
  const char *paths[] = {path, NULL};
  return debye_dataset_open(paths, NULL, NULL, error);
}

static DebyeDataset *
open_text(Fixture *fixture, const char *name, const char *text)
{
  g_autoptr(GError) error = NULL;
  DebyeDataset *dataset = open_one(write_text(fixture, name, text), &error);
  g_assert_no_error(error);
  return dataset;
}

static void
assert_fails(Fixture *fixture, const char *name, const char *text, int code, const char *sentence)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(DebyeDataset) dataset = open_one(write_text(fixture, name, text), &error);
  g_assert_null(dataset);
  g_assert_error(error, DEBYE_ERROR, code);
  g_assert_cmpstr(error->message, ==, sentence);
}

static DebyeFrame *
read_frame(DebyeDataset *dataset, gsize number)
{
  g_autoptr(GError) error = NULL;
  DebyeTrajectory *trajectory = debye_dataset_get_trajectory(dataset);
  g_autoptr(DebyeTrajectoryReader) reader = debye_trajectory_reader_new(trajectory, &error);
  g_assert_no_error(error);
  g_autoptr(DebyeFrame) frame = debye_frame_new(debye_trajectory_get_n_atoms(trajectory));
  debye_trajectory_reader_read(reader, number, frame, &error);
  g_assert_no_error(error);
  return g_steal_pointer(&frame);
}

static const char *
get_name(DebyeTopology *topology, gsize atom)
{
  return debye_string_pool_get(debye_topology_get_string_pool(topology),
                               debye_topology_get_names(topology)[atom]);
}

static const DebyeResidue *
get_residue(DebyeTopology *topology, gsize atom)
{
  return &debye_topology_get_residue_table(topology)[debye_topology_get_residues(topology)[atom]];
}

static gboolean
has_warning(DebyeDataset *dataset, const char *text)
{
  for (const char *const *warning = debye_dataset_get_warnings(dataset); *warning != NULL; warning++)
    if (strstr(*warning, text) != NULL)
      return TRUE;
  return FALSE;
}

/* --- PDB --- */

static const char pdb_models[] =
    "TITLE     two models t= 1.5\n"
    "CRYST1   30.000   40.000   50.000  90.00  90.00  90.00 P 1           1\n"
    "MODEL        1\n"
    "ATOM      1  CA  ALA B  -5A     -1.000   2.000   3.500  0.50 12.25      SEGA C  \n"
    "HETATM    2 CA    CA B 900      11.000-112.000  13.000  1.00  0.00          CA2+\n"
    "ENDMDL\n"
    "CRYST1   31.000   40.000   50.000  90.00  90.00  90.00 P 1           1\n"
    "MODEL        2\n"
    "ATOM      1  CA  ALA B  -5A     -2.000   2.000   3.500  0.50 12.25      SEGA C  \n"
    "HETATM    2 CA    CA B 900      12.000-112.000  13.000  1.00  0.00          CA2+\n"
    "ENDMDL\n"
    "CONECT    1    2\n"
    "END\n";

static void
test_pdb(Fixture *fixture, gconstpointer data)
{
  (void)data;
  g_autoptr(DebyeDataset) dataset = open_text(fixture, "a.pdb", pdb_models);
  DebyeTopology *topology = debye_dataset_get_topology(dataset);
  const DebyeStringPool *pool = debye_topology_get_string_pool(topology);
  static const guint8 elements[] = {6, 20};
  g_assert_cmpmem(debye_topology_get_elements(topology), 2, elements, 2);
  g_assert_cmpstr(debye_topology_get_title(topology), ==, "two models t= 1.5");
  g_assert_null(debye_topology_get_charges(topology));
  g_assert_cmpfloat(debye_topology_get_b_factors(topology)[0], ==, 12.25F);
  g_assert_cmpfloat(debye_topology_get_occupancies(topology)[0], ==, 0.5F);
  const DebyeResidue *residue = get_residue(topology, 0);
  g_assert_cmpint(residue->number, ==, -5);
  g_assert_cmpint(residue->insertion_code, ==, 'A');
  g_assert_cmpstr(debye_string_pool_get(pool, residue->chain), ==, "B");
  g_assert_cmpstr(debye_string_pool_get(pool, residue->segment), ==, "SEGA");
  gsize n_bonds;
  debye_topology_get_bonds(topology, &n_bonds);
  g_assert_cmpuint(n_bonds, ==, 1);

  g_assert_cmpuint(debye_trajectory_get_n_frames(debye_dataset_get_trajectory(dataset)), ==, 2);
  g_autoptr(DebyeFrame) first = read_frame(dataset, 0);
  g_autoptr(DebyeFrame) second = read_frame(dataset, 1);
  g_assert_cmpfloat(first->x[0], ==, -1.0F);
  g_assert_cmpfloat(first->y[1], ==, -112.0F);
  g_assert_cmpfloat(first->cell.a.x, ==, 30.0);
  g_assert_cmpfloat(first->time, ==, 1.5);
  g_assert_cmpfloat(second->x[1], ==, 12.0F);
  g_assert_cmpfloat(second->cell.a.x, ==, 31.0);
}

/* VMD ends frames with END alone, and CRYST1 stands once. */
static void
test_pdb_ends(Fixture *fixture, gconstpointer data)
{
  (void)data;
  g_autoptr(DebyeDataset) dataset =
      open_text(fixture, "a.pdb",
                "CRYST1   30.000   40.000   50.000  90.00  90.00  90.00 P 1           1\n"
                "ATOM      1  N   ALA     1       1.000   2.000   3.000  1.00  0.00\nEND\n"
                "ATOM      1  N   ALA     1       4.000   2.000   3.000  1.00  0.00\nEND\n");
  g_autoptr(DebyeFrame) second = read_frame(dataset, 1);
  g_assert_cmpfloat(second->x[0], ==, 4.0F);
  g_assert_true(second->has_cell);
}

#define MODEL(x) "MODEL\nATOM      1  N   ALA     1       " x ".000   2.000   3.000  1.00  0.00\nENDMDL\n"
#define FRAME(x) "ATOM      1  N   ALA     1       " x ".000   2.000   3.000  1.00  0.00\nEND\n"
#define CELL(a) "CRYST1   " a ".000   40.000   50.000  90.00  90.00  90.00 P 1           1\n"

/* The lengths a of all frames, 0 for none. */
static void
assert_cells(Fixture *fixture, const char *text, gsize n, const double *expected, gsize n_warnings)
{
  g_autoptr(DebyeDataset) dataset = open_text(fixture, "cells.pdb", text);
  g_assert_cmpuint(debye_trajectory_get_n_frames(debye_dataset_get_trajectory(dataset)), ==, n);
  for (gsize i = 0; i < n; i++) {
    /* Backwards: no frame leans on the one before. */
    g_autoptr(DebyeFrame) frame = read_frame(dataset, n - 1 - i);
    g_assert_cmpfloat(frame->cell.a.x, ==, expected[n - 1 - i]);
    g_assert_cmpfloat(frame->x[0], ==, (float)(n - i));
  }
  g_assert_cmpuint(g_strv_length((char **)debye_dataset_get_warnings(dataset)), ==, n_warnings);
}

/* Cells that stand before their models, within them, or behind them. */
static void
test_pdb_cells(Fixture *fixture, gconstpointer data)
{
  (void)data;
  static const double own[] = {31.0, 32.0, 33.0}, shared[] = {31.0, 31.0, 31.0}, late[] = {31.0, 31.0, 33.0};
  assert_cells(fixture, CELL("31") MODEL("1") CELL("32") MODEL("2") CELL("33") MODEL("3") "END\n", 3, own, 0);
  assert_cells(fixture, MODEL("1") CELL("31") MODEL("2") CELL("32") MODEL("3") CELL("33") "END\n", 3, own, 0);
  assert_cells(fixture, FRAME("1") CELL("31") FRAME("2") CELL("32") FRAME("3") CELL("33"), 3, own, 0);
  assert_cells(fixture, MODEL("1") CELL("31") MODEL("2") MODEL("3") CELL("33") "END\n", 3, late, 0);
  assert_cells(fixture, CELL("31") MODEL("1") MODEL("2") MODEL("3") "END\n", 3, shared, 0);
  assert_cells(fixture, "MODEL\n" CELL("31") FRAME("1") "MODEL\n" CELL("32") FRAME("2"), 2, own, 0);
  /* Behind the atoms of a model, and no record at its end. */
  assert_cells(fixture,
               "MODEL 1\nATOM      1  N   ALA     1       1.000   2.000   3.000\nTER\n" CELL(
                   "31") "ENDMDL\n"
                         "MODEL 2\nATOM      1  N   ALA     1       2.000   2.000   3.000\nTER\n" CELL(
                             "32") "ENDMDL\n",
               2, own, 0);
  assert_cells(fixture,
               CELL("31") "MODEL 1\nATOM      1  N   ALA     1       1.000   2.000   3.000\n" CELL(
                   "32") "MODEL 2\nATOM      1  N   ALA     1       2.000   2.000   3.000\n",
               2, own, 0);
  /* One cell too many: the last is nobody's. */
  assert_cells(fixture, CELL("31") MODEL("1") CELL("32") MODEL("2") CELL("33") "END\n", 2, own, 1);
}

/* Residues of which a second part stands elsewhere, and water whose numbers began again. */
static void
test_pdb_residues(Fixture *fixture, gconstpointer data)
{
  (void)data;
  g_autoptr(DebyeDataset) dataset =
      open_text(fixture, "a.pdb",
                "ATOM      1  N   SER A  12       1.000   2.000   3.000  1.00  0.00           N\n"
                "ATOM      2  OG ASER A  12       1.000   2.000   3.000  0.50  0.00           O\n"
                "ATOM      3  N   GLY A  13       1.000   2.000   3.000  1.00  0.00           N\n"
                "ATOM      4  OW  HOH A  14       1.000   2.000   3.000  1.00  0.00           O\n"
                "ATOM      5  OG BSER A  12       1.000   2.000   3.000  0.50  0.00           O\n"
                "ATOM      6  H   SER A  12       1.000   2.000   3.000  1.00  0.00           H\n"
                "ATOM      7  OW  HOH A  14       1.000   2.000   3.000  1.00  0.00           O\n"
                "ATOM      8  N   SER B  12       1.000   2.000   3.000  1.00  0.00           N\n");
  static const guint32 residues[] = {0, 0, 1, 2, 0, 0, 3, 4};
  DebyeTopology *topology = debye_dataset_get_topology(dataset);
  g_assert_cmpuint(debye_topology_get_n_residues(topology), ==, 5);
  g_assert_cmpmem(debye_topology_get_residues(topology), sizeof residues, residues, sizeof residues);
}

/* Serials and residue numbers that outgrow their columns. */
static void
test_pdb_overflow(Fixture *fixture, gconstpointer data)
{
  (void)data;
  g_autoptr(DebyeDataset) dataset =
      open_text(fixture, "a.pdb",
                "ATOM  99999  OW  SOL  9999       1.000   2.000   3.000  1.00  0.00\n"
                "ATOM  A0000  OW  SOL  A000       1.000   2.000   3.000  1.00  0.00\n"
                "ATOM  *****  OW  SOL  ****       1.000   2.000   3.000  1.00  0.00\n"
                "ATOM  *****  HW1 SOL  ****       1.000   2.000   3.000  1.00  0.00\n"
                "ATOM  *****  OW  SOL  ****       1.000   2.000   3.000  1.00  0.00\n"
                "ATOM  186a5  OW  SOL  2713       1.000   2.000   3.000  1.00  0.00\n"
                "ATOM  186a6  OW  SOL 123456      1.000   2.000   3.000  1.00  0.00\n"
                "CONECTA0000186a5\n");
  DebyeTopology *topology = debye_dataset_get_topology(dataset);
  static const gint32 serials[] = {99999, 100000, 100001, 100002, 100003, 100005, 100006};
  g_assert_cmpmem(debye_topology_get_serials(topology), sizeof serials, serials, sizeof serials);
  g_assert_cmpint(get_residue(topology, 0)->number, ==, 9999);
  g_assert_cmpint(get_residue(topology, 1)->number, ==, 10000);
  g_assert_cmpint(get_residue(topology, 3)->number, ==, 10001);
  g_assert_cmpint(get_residue(topology, 4)->number, ==, 10002);
  g_assert_cmpuint(debye_topology_get_n_residues(topology), ==, 6);
  gsize n_bonds;
  const DebyeBond *bonds = debye_topology_get_bonds(topology, &n_bonds);
  g_assert_cmpuint(n_bonds, ==, 1);
  g_assert_cmpuint(bonds[0].i, ==, 1);
  g_assert_cmpuint(bonds[0].j, ==, 5);
}

static void
test_pdb_errors(Fixture *fixture, gconstpointer data)
{
  (void)data;
  assert_fails(fixture, "a.pdb", "ATOM      1  N   ALA     1       1,000   2.000   3.000  1.00  0.00\n",
               DEBYE_ERROR_SYNTAX, "a.pdb: line 1: expected a number for x, found “1,000”");
  /* Lines are counted from the start of the file, also in a later frame. */
  g_autofree char *text =
      g_strdup("MODEL 1\nATOM      1  N   ALA     1       1.000   2.000   3.000\nENDMDL\n"
               "MODEL 2\nATOM      1  N   ALA     1       1.000 *******   3.000\nENDMDL\n");
  g_autoptr(DebyeDataset) dataset = open_text(fixture, "b.pdb", text);
  g_autoptr(GError) error = NULL;
  g_autoptr(DebyeTrajectoryReader) reader =
      debye_trajectory_reader_new(debye_dataset_get_trajectory(dataset), &error);
  g_autoptr(DebyeFrame) frame = debye_frame_new(1);
  g_assert_false(debye_trajectory_reader_read(reader, 1, frame, &error));
  g_assert_cmpstr(error->message, ==, "b.pdb: line 5: expected a number for y, found “*******”");
}

/* --- PQR --- */

static void
test_pqr(Fixture *fixture, gconstpointer data)
{
  (void)data;
  g_autoptr(DebyeDataset) dataset =
      open_text(fixture, "a.pqr",
                "REMARK   1 words\n"
                "ATOM 1 N ALA A 36B 1.0 2.0 3.0 -0.3 1.85\n"
                "ATOM 2 CA ALA B37 1.5 -2.5 3.0 0.1 2.275 C\n"
                "HETATM123456 NA NA 2 1e1 0 0 1.0 1.4\n"
                "ATOM      4  N   GLY     5    -111.921-226.307-310.410 -0.3000 1.8500\n");
  DebyeTopology *topology = debye_dataset_get_topology(dataset);
  static const guint8 elements[] = {7, 6, 11, 7};
  g_assert_cmpmem(debye_topology_get_elements(topology), 4, elements, 4);
  g_assert_cmpfloat(debye_topology_get_radii(topology)[1], ==, 2.275F);
  g_assert_cmpint(get_residue(topology, 0)->insertion_code, ==, 'B');
  g_assert_cmpint(get_residue(topology, 1)->number, ==, 37);
  g_assert_cmpint(debye_topology_get_serials(topology)[2], ==, 123456);
  g_assert_true(has_warning(dataset, "the total charge, 0.5000 e, is not an integer"));
  g_autoptr(DebyeFrame) frame = read_frame(dataset, 0);
  g_assert_cmpfloat(frame->x[2], ==, 10.0F);
  g_assert_cmpfloat(frame->y[3], ==, -226.307F);
  assert_fails(fixture, "b.pqr", "ATOM 1 N ALA A 1 1.0 2.0 3.0 -0.3 -1.85\n", DEBYE_ERROR_VALUE,
               "b.pqr: line 1: expected a finite charge and a radius of 0 or more, found “-0.3” and “-1.85”");
}

/* --- GRO --- */

static void
test_gro(Fixture *fixture, gconstpointer data)
{
  (void)data;
  g_autoptr(DebyeDataset) dataset =
      open_text(fixture, "a.gro",
                "title, t= 10.5 step= 21\n    2\n"
                "99999SOL     OW    1   0.12345   1.62400   1.67900\n"
                "    0SOL    HW1    2   0.19000   1.66100   1.74700   1.00000  -2.00000   0.50000\n"
                "1 2 3 0 0 0.5 0 0 0\n"
                "title, t= 11.5\n 2\n"
                "99999SOL     OW    1   1.126   1.624   1.679\n"
                "    0SOL    HW1    2   0.190   1.661   1.747\n"
                "   0.0 0.0 0.0\n\n");
  DebyeTopology *topology = debye_dataset_get_topology(dataset);
  g_assert_cmpuint(debye_topology_get_n_residues(topology), ==, 2);
  g_assert_cmpstr(get_name(topology, 1), ==, "HW1");
  double first, last, step;
  g_assert_true(debye_trajectory_get_times(debye_dataset_get_trajectory(dataset), &first, &last, &step));
  g_assert_cmpfloat(first, ==, 10.5);
  g_assert_cmpfloat(step, ==, 1.0);
  g_autoptr(DebyeFrame) frame = read_frame(dataset, 0);
  g_assert_cmpfloat(frame->x[0], ==, (float)(0.12345 * 10.0));
  g_assert_cmpfloat(frame->vx[0], ==, 0.0F);
  g_assert_cmpfloat(frame->vy[1], ==, -20.0F);
  g_assert_cmpint(frame->step, ==, 21);
  g_assert_cmpfloat(frame->cell.b.x, ==, 5.0);
  g_assert_cmpfloat(frame->cell.c.z, ==, 30.0);
  g_autoptr(DebyeFrame) other = read_frame(dataset, 1);
  g_assert_cmpfloat(other->x[0], ==, 11.26F);
  g_assert_null(other->vx);
  g_assert_false(other->has_cell);
}

static void
assert_box(Fixture *fixture, const char *line, double a, double b, double c, double b_x)
{
  g_autofree char *text =
      g_strdup_printf("title\n    1\n    1SOL     OW    1   0.126   1.624   1.679\n%s\n", line);
  g_autoptr(DebyeDataset) dataset = open_text(fixture, "box.gro", text);
  g_autoptr(DebyeFrame) frame = read_frame(dataset, 0);
  g_assert_true(frame->has_cell);
  g_assert_cmpfloat_with_epsilon(frame->cell.a.x, a, 1e-9 * a);
  g_assert_cmpfloat_with_epsilon(frame->cell.b.y, b, 1e-9 * b);
  g_assert_cmpfloat_with_epsilon(frame->cell.c.z, c, 1e-9 * c);
  g_assert_cmpfloat_with_epsilon(frame->cell.b.x, b_x, 1e-9 * a);
}

/* Boxes of a micrometre and more leave no blanks between their numbers. */
static void
test_gro_boxes_that_touch(Fixture *fixture, gconstpointer data)
{
  (void)data;
  assert_box(fixture, "1000.000001001.500001002.25000", 10000.0, 10015.0, 10022.5, 0.0);
  assert_box(fixture, " 999.000001001.50000   2.25000", 9990.0, 10015.0, 22.5, 0.0);
  assert_box(fixture, "40000.0000040001.0000040002.00000  ", 400000.0, 400010.0, 400020.0, 0.0);
  assert_box(fixture,
             "1000.00000 1001.000002000.00000   0.00000   0.00000-500.00000   0.00000   0.00000   0.00000",
             10000.0, 10010.0, 20000.0, -5000.0);
  assert_box(fixture, "1000.000000001001.500000001002.25000000", 10000.0, 10015.0, 10022.5, 0.0);
  assert_fails(fixture, "a.gro", "t\n1\n    1SOL     OW    1   0.126   1.624   1.679\n1000.000001000.00000\n",
               DEBYE_ERROR_SYNTAX, "a.gro: line 4: expected a box of three or nine numbers, found 2 fields");
  assert_fails(fixture, "b.gro", "t\n1\n    1SOL     OW    1   0.126   1.624   1.679\n1.0.00000 1.5\n",
               DEBYE_ERROR_SYNTAX, "b.gro: line 4: expected a number for the box, found “0000 1.5”");
}

/* Infinite occupancies are a PDB file's that doesn't know them, not a PQR file's charges. */
static void
test_pdb_without_numbers(Fixture *fixture, gconstpointer data)
{
  (void)data;
  g_autoptr(DebyeDataset) dataset = open_text(
      fixture, "a.ent", "ATOM      1  C   MOL     1       3.451   0.685   0.000   inf   inf           C  \n");
  DebyeTopology *topology = debye_dataset_get_topology(dataset);
  g_assert_null(debye_topology_get_charges(topology));
  g_assert_null(debye_topology_get_occupancies(topology));
  g_assert_null(debye_topology_get_b_factors(topology));
  g_assert_true(has_warning(
      dataset, "2 occupancies and B factors are infinite or not numbers; they are treated as missing"));
}

/* --- PSF --- */

static const char psf_text[] =
    "PSF EXT XPLOR\n\n  2 !NTITLE\n REMARKS\n REMARKS two residues\n\n  3 !NATOM\n"
    "  1 PROA 1H ALA CA CG2R61 -0.27 12.0110 0\n"
    "  2      2  ALA HA HA1    0.900000E-01   1.00800           0   0.00000     -0.3E-02\n"
    "  7 PROA 2  ALA LP LPH    1.00   0.00000  -1\n\n"
    "  2 !NBOND: bonds\n  1 2 2 3\n\n";

static void
test_psf(Fixture *fixture, gconstpointer data)
{
  (void)data;
  g_autoptr(DebyeDataset) dataset = open_text(fixture, "a.psf", psf_text);
  DebyeTopology *topology = debye_dataset_get_topology(dataset);
  static const guint8 elements[] = {6, 1, 0};
  g_assert_null(debye_dataset_get_trajectory(dataset));
  g_assert_cmpstr(debye_topology_get_title(topology), ==, "two residues");
  g_assert_cmpmem(debye_topology_get_elements(topology), 3, elements, 3);
  g_assert_cmpfloat(debye_topology_get_charges(topology)[1], ==, 0.09F);
  g_assert_cmpint(get_residue(topology, 0)->insertion_code, ==, 'H');
  g_assert_cmpint(debye_topology_get_serials(topology)[2], ==, 7);
  g_assert_cmpuint(get_residue(topology, 1)->segment, ==, 0);
  gsize n_bonds;
  debye_topology_get_bonds(topology, &n_bonds);
  g_assert_cmpuint(n_bonds, ==, 2);
  /* The lone pair is no unknown element. */
  g_assert_false(has_warning(dataset, "unknown"));
  g_assert_false(has_warning(dataset, "it lists no bonds"));
}

/* As programs write that know no bonds; anything else behind the atoms is an error. */
static void
test_psf_without_bonds(Fixture *fixture, gconstpointer data)
{
  (void)data;
  g_autofree char *atoms = g_strndup(psf_text, (gsize)(strstr(psf_text, "  2 !NBOND") - psf_text));
  g_autofree char *wrong = g_strconcat(atoms, "  2 !NTHETA: angles\n", NULL);
  g_autoptr(DebyeDataset) dataset = open_text(fixture, "a.psf", atoms);
  gsize n_bonds;
  debye_topology_get_bonds(debye_dataset_get_topology(dataset), &n_bonds);
  g_assert_cmpuint(n_bonds, ==, 0);
  g_assert_cmpuint(debye_topology_get_n_atoms(debye_dataset_get_topology(dataset)), ==, 3);
  g_assert_true(has_warning(dataset, "a.psf: the file ends behind its atoms: it lists no bonds"));
  assert_fails(
      fixture, "b.psf", wrong, DEBYE_ERROR_SYNTAX,
      "b.psf: line 12: expected !NBOND after the atoms that !NATOM counts, found “2 !NTHETA: angles”");
}

/* --- XYZ --- */

static void
test_xyz(Fixture *fixture, gconstpointer data)
{
  (void)data;
  g_autoptr(DebyeDataset) dataset = open_text(
      fixture, "a.xyz",
      "2\nLattice=\"10 0 0 1 10 0 0 0 10\" Properties=id:I:1:pos:R:3:species:S:1:charge:R:1 pbc=\"T T T\"\n"
      "7 1.0 2.0 3.0 CA 2.0\n8 1.5d0 2.0 3.0 Cl -1.0\n\n"
      "2\nLattice={10 10 10} pbc=\"F F F\"\nCa 4 5 6\nCl 0 0 0");
  DebyeTopology *topology = debye_dataset_get_topology(dataset);
  static const guint8 elements[] = {20, 17};
  g_assert_cmpmem(debye_topology_get_elements(topology), 2, elements, 2);
  g_assert_cmpfloat(debye_topology_get_total_charge(topology), ==, 1.0);
  g_autoptr(DebyeFrame) first = read_frame(dataset, 0);
  g_autoptr(DebyeFrame) second = read_frame(dataset, 1);
  g_assert_cmpfloat(first->x[1], ==, 1.5F);
  g_assert_cmpfloat(first->cell.b.x, ==, 1.0);
  g_assert_cmpfloat(second->z[0], ==, 6.0F);
  g_assert_false(second->has_cell);
  /* One name that is no symbol shows that all are names. */
  g_autoptr(DebyeDataset) names = open_text(fixture, "b.xyz", "3\nVMD\nCA 0 0 0\nHB1 0 0 0\nNA 1 1 1\n");
  g_assert_cmpuint(debye_topology_get_elements(debye_dataset_get_topology(names))[0], ==, 6);
  assert_fails(fixture, "c.xyz", "1\nProperties=species:S:1:pos:R:2\nC 0 0 0\n", DEBYE_ERROR_SYNTAX,
               "c.xyz: line 2: expected name:kind:count with species and pos in Properties, found "
               "“species:S:1:pos:R:2”");
}

/* The k-th atom of a label in one frame is the k-th in all. */
static void
test_xyz_changing(Fixture *fixture, gconstpointer data)
{
  (void)data;
  g_autoptr(DebyeDataset) dataset = open_text(fixture, "a.xyz",
                                              "3\none\nO 1 0 0\nH 2 0 0\nH 3 0 0\n"
                                              "1\ntwo\nH 4 0 0\n"
                                              "5\nthree\nH 5 0 0\nO 6 0 0\nC 7 0 0\nH 8 0 0\nH 9 0 0\n"
                                              "3\nfour\nH 10 0 0\nH 11 0 0\nO 12 0 0\n");
  static const guint8 elements[] = {8, 1, 1, 6, 1};
  static const float x[4][5] = {{1, 2, 3, 0, 0}, {0, 4, 0, 0, 0}, {6, 5, 8, 7, 9}, {12, 10, 11, 0, 0}};
  DebyeTopology *topology = debye_dataset_get_topology(dataset);
  g_assert_cmpuint(debye_topology_get_n_atoms(topology), ==, 5);
  g_assert_cmpmem(debye_topology_get_elements(topology), 5, elements, 5);
  g_assert_true(has_warning(
      dataset, "a.xyz: frames have 1 to 5 of 5 atoms: those that a frame lacks have no coordinates"));
  g_assert_cmpuint(debye_trajectory_get_n_frames(debye_dataset_get_trajectory(dataset)), ==, 4);
  for (gsize number = 4; number-- > 0;) {
    g_autoptr(DebyeFrame) frame = read_frame(dataset, number);
    gsize n_absent = 0;
    for (gsize i = 0; i < 5; i++) {
      n_absent += x[number][i] == 0.0F;
      g_assert_true(x[number][i] == 0.0F ? isnan(frame->x[i]) : frame->x[i] == x[number][i]);
    }
    g_assert_cmpuint(frame->n_absent, ==, n_absent);
  }
  /* Where the first frame has all of them; and by numbers in place of symbols. */
  g_autoptr(DebyeDataset) going = open_text(fixture, "b.xyz", "2\n\n6 1 0 0\n8 2 0 0\n1\n\n8 3 0 0\n");
  g_autoptr(DebyeFrame) left = read_frame(going, 1);
  g_assert_true(isnan(left->x[0]) && left->x[1] == 3.0F && left->n_absent == 1);
  /* A row that is none: what can't be counted is left out. */
  g_autoptr(DebyeDataset) odd = open_text(fixture, "c.xyz", "1\n\nC 1 0 0\n2\n\nC 1 0 0\nC\n1\n\nC 2 0 0\n");
  g_assert_true(has_warning(odd, "1 of 3 frames are left out"));
  g_assert_true(has_warning(odd, "line 7: "));
  g_assert_cmpuint(debye_trajectory_get_n_frames(debye_dataset_get_trajectory(odd)), ==, 2);
}

static gsize
count_frames(DebyeDataset *dataset)
{
  return debye_trajectory_get_n_frames(debye_dataset_get_trajectory(dataset));
}

/* A name that is no symbol, and the first atoms, may come with a later frame. */
static void
test_xyz_late(Fixture *fixture, gconstpointer data)
{
  (void)data;
  g_autoptr(DebyeDataset) names = open_text(fixture, "a.xyz", "1\n\nCA 1 0 0\n2\n\nCA 2 0 0\nHB1 3 0 0\n");
  g_assert_cmpuint(debye_topology_get_elements(debye_dataset_get_topology(names))[0], ==, 6);
  g_autoptr(DebyeDataset) empty =
      open_text(fixture, "b.xyz", "0\nnone yet\n2\ntwo\nC 1 0 0\nO 2 0 0\n1\n\nO 3 0 0\n");
  g_assert_cmpuint(debye_topology_get_n_atoms(debye_dataset_get_topology(empty)), ==, 2);
  g_assert_cmpstr(debye_topology_get_title(debye_dataset_get_topology(empty)), ==, "two");
  g_assert_cmpuint(count_frames(empty), ==, 3);
  g_autoptr(DebyeFrame) last = read_frame(empty, 2);
  g_assert_true(isnan(last->x[0]) && last->x[1] == 3.0F);
}

static DebyeDataset *
open_beside(Fixture *fixture, const char *structure, const char *path)
{
  g_autoptr(GError) error = NULL;
  const char *paths[] = {write_text(fixture, "two.pqr", structure), path, NULL};
  DebyeDataset *dataset = debye_dataset_open(paths, NULL, NULL, &error);
  g_assert_no_error(error);
  return dataset;
}

/* Beside a structure the order of atoms is known only if the first frame has them all, and which are missing only if the
 * structure has as many as any frame. */
static void
test_xyz_changing_beside(Fixture *fixture, gconstpointer data)
{
  (void)data;
  static const char two[] = "ATOM 1 C A 1 0 0 0 0 1\nATOM 2 O A 1 1 0 0 0 1\n";
  const char *going = write_text(fixture, "a.xyz", "2\n\nC 1 0 0\nO 2 0 0\n1\n\nO 3 0 0\n");
  g_autoptr(DebyeDataset) all = open_beside(fixture, two, going);
  g_assert_cmpuint(count_frames(all), ==, 1 + 2); /* the structure's own before them */
  const char *more = write_text(fixture, "b.xyz", "2\n\nC 1 0 0\nO 2 0 0\n3\n\nO 3 0 0\nC 1 0 0\nO 1 0 0\n");
  g_autoptr(DebyeDataset) first = open_beside(fixture, two, more);
  g_assert_cmpuint(count_frames(first), ==, 1 + 1);
  g_assert_true(has_warning(first, "1 of 2 frames are left out"));
}

/* A file that ends inside a frame keeps the whole ones. */
static void
test_truncated(Fixture *fixture, gconstpointer data)
{
  (void)data;
  g_autoptr(DebyeDataset) dataset = open_text(fixture, "a.xyz", "1\n\nC 0 0 0\n1\n\nC 1 0 0\n1\n\n");
  g_assert_cmpuint(debye_trajectory_get_n_frames(debye_dataset_get_trajectory(dataset)), ==, 2);
  g_assert_true(has_warning(
      dataset, "a.xyz: line 8: expected an atom, found the end of the file; the 2 frames before"));
}

/* --- Which format --- */

static void
assert_detected(Fixture *fixture, const char *name, const char *text, const char *format)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(DebyeInput) input = debye_input_open(write_text(fixture, name, text), &error);
  g_assert_no_error(error);
  const DebyeFormat *found = debye_format_detect(input, &error);
  if (format == NULL) {
    g_assert_error(error, DEBYE_ERROR, DEBYE_ERROR_UNKNOWN);
    return;
  }
  g_assert_no_error(error);
  g_assert_cmpstr(found->name, ==, format);
}

static void
test_detection(Fixture *fixture, gconstpointer data)
{
  (void)data;
  static const char gro[] = "title\n 1\n    1SOL     OW    1   0.126   1.624   1.679\n 1 1 1\n";
  assert_detected(fixture, "a.pdb", gro, "gro");
  assert_detected(fixture, "b.gro", "1\ncomment\nC 0.0 0.0 0.0\n", "xyz");
  assert_detected(fixture, "c.xyz", psf_text, "psf");
  assert_detected(fixture, "d.dat", pdb_models, "pdb");
  assert_detected(fixture, "e.pdb", "ATOM      1  C1  TARG     1       0.000   0.000   0.000 -0.137 1.880\n",
                  "pqr");
  /* Only remarks: the name decides. */
  assert_detected(fixture, "f.pqr", "REMARK   1 words\n", "pqr");
  assert_detected(fixture, "g.ent", "REMARK   1 words\n", "pdb");
  assert_detected(fixture, "h.pdb", "", NULL);
  assert_detected(fixture, "i.pdb", "Dear all,\nthis is a letter.\n", NULL);

  g_autoptr(GError) error = NULL;
  g_assert_true(debye_format_for_writing("run.PDB", &error) == &debye_format_pdb);
  g_assert_null(debye_format_for_writing("run.doc", &error));
  g_assert_nonnull(strstr(error->message, ".trr, .nc, .cif, .h5md")); /* endings, not the formats' names */
  g_assert_error(error, DEBYE_ERROR, DEBYE_ERROR_WRITE);
}

/* --- Writing and reading again --- */

static const char *
write_again(Fixture *fixture, const DebyeFormat *format, const char *name, DebyeDataset *dataset,
            gsize n_frames)
{
  g_autoptr(GError) error = NULL;
  const char *path = make_path(fixture, name);
  DebyeTopology *topology = debye_dataset_get_topology(dataset);
  g_autoptr(DebyeReplaceFile) file = debye_replace_file_new(path, &error);
  g_assert_no_error(error);
  gpointer writer = format->writer_new(debye_replace_file_get_stream(file), topology,
                                       debye_topology_get_n_atoms(topology), n_frames, &error);
  g_assert_no_error(error);
  for (gsize i = 0; i < n_frames; i++) {
    g_autoptr(DebyeFrame) frame = read_frame(dataset, i);
    format->write_frame(writer, frame, &error);
    g_assert_no_error(error);
  }
  format->writer_finish(writer, &error);
  g_assert_no_error(error);
  debye_replace_file_commit(g_steal_pointer(&file), &error);
  g_assert_no_error(error);
  return path;
}

static void
assert_near(const float *left, const float *right, gsize n, double tolerance)
{
  for (gsize i = 0; i < n; i++)
    g_assert_cmpfloat_with_epsilon((double)left[i], (double)right[i], tolerance);
}

/* `precision`: of the format's last decimal, Å. */
static void
assert_round_trip(Fixture *fixture, const DebyeFormat *format, const char *name, DebyeDataset *dataset,
                  gsize n_frames, double precision)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(DebyeDataset) again = open_one(write_again(fixture, format, name, dataset, n_frames), &error);
  g_assert_no_error(error);
  g_assert_cmpstr(debye_dataset_get_formats(again)[0], ==, format->name);
  DebyeTopology *left = debye_dataset_get_topology(dataset), *right = debye_dataset_get_topology(again);
  gsize n = debye_topology_get_n_atoms(left);
  g_assert_cmpuint(debye_topology_get_n_atoms(right), ==, n);
  g_assert_cmpuint(debye_trajectory_get_n_frames(debye_dataset_get_trajectory(again)), ==, n_frames);
  g_assert_cmpmem(debye_topology_get_elements(left), n, debye_topology_get_elements(right), n);
  if (format->write_flags & DEBYE_WRITE_TOPOLOGY) {
    g_assert_cmpuint(debye_topology_get_n_residues(right), ==, debye_topology_get_n_residues(left));
    for (gsize i = 0; i < n; i++)
      g_assert_cmpstr(get_name(left, i), ==, get_name(right, i));
  }
  if (format->write_flags & DEBYE_WRITE_CHARGES)
    assert_near(debye_topology_get_charges(left), debye_topology_get_charges(right), n, 1e-6);
  for (gsize k = 0; k < n_frames; k++) {
    g_autoptr(DebyeFrame) left_frame = read_frame(dataset, k);
    g_autoptr(DebyeFrame) right_frame = read_frame(again, k);
    assert_near(left_frame->x, right_frame->x, n, 0.51 * precision);
    assert_near(left_frame->y, right_frame->y, n, 0.51 * precision);
    assert_near(left_frame->z, right_frame->z, n, 0.51 * precision);
    g_assert_cmpint(right_frame->has_cell, ==, left_frame->has_cell && format != &debye_format_pqr);
    if (right_frame->has_cell)
      g_assert_cmpfloat_with_epsilon(debye_cell_volume(&right_frame->cell),
                                     debye_cell_volume(&left_frame->cell),
                                     1e-3 * fabs(debye_cell_volume(&left_frame->cell)));
  }
}

static void
test_round_trips(Fixture *fixture, gconstpointer data)
{
  (void)data;
  g_autoptr(DebyeDataset) charged = open_text(fixture, "a.pqr",
                                              "ATOM 1 N ALA A 36B -1.0 2.0 3.0 -0.3 1.85\n"
                                              "ATOM 2 HG11 VAL B 37 1.5 -2.5 3.25 0.1 2.275\n"
                                              "ATOM 3 CA VAL B 37 1.625 999.5 -99.5 -0.8 2.275\n"
                                              "HETATM 4 NA NA B 12345 10 0 0 1.0 1.4\n");
  g_autoptr(DebyeDataset) models = open_text(fixture, "b.pdb", pdb_models);
  assert_round_trip(fixture, &debye_format_pqr, "c.pqr", charged, 1, 1e-3);
  assert_round_trip(fixture, &debye_format_pdb, "d.pdb", charged, 1, 1e-3);
  assert_round_trip(fixture, &debye_format_xyz, "f.xyz", charged, 1, 1e-5);
  assert_round_trip(fixture, &debye_format_pdb, "g.pdb", models, 2, 1e-3);
  assert_round_trip(fixture, &debye_format_gro, "h.gro", models, 2, 1e-2);
}

static void
test_write_errors(Fixture *fixture, gconstpointer data)
{
  (void)data;
  g_autoptr(GError) error = NULL;
  g_autoptr(GOutputStream) stream = g_memory_output_stream_new_resizable();
  g_assert_null(debye_format_pdb.writer_new(stream, NULL, 1, 1, &error));
  g_assert_error(error, DEBYE_ERROR, DEBYE_ERROR_MISSING);
  g_clear_error(&error);
  g_autoptr(DebyeDataset) uncharged = open_text(fixture, "a.xyz", "1\n\nC 12345.678 0 0\n");
  DebyeTopology *topology = debye_dataset_get_topology(uncharged);
  g_assert_null(debye_format_pqr.writer_new(stream, topology, 1, 1, &error));
  g_assert_error(error, DEBYE_ERROR, DEBYE_ERROR_MISSING);
  g_clear_error(&error);
  g_autoptr(DebyeFrame) frame = read_frame(uncharged, 0);
  gpointer writer = debye_format_pdb.writer_new(stream, topology, 1, 1, &error);
  g_assert_false(debye_format_pdb.write_frame(writer, frame, &error));
  g_assert_error(error, DEBYE_ERROR, DEBYE_ERROR_WRITE);
  debye_format_pdb.writer_finish(writer, NULL);
}

/* --- Which files belong together --- */

static const char pdb_of_psf[] =
    "ATOM      1  CA  ALA A   1       1.000   2.000   3.000  1.00  7.00           C\n"
    "ATOM      2  HA  ALA A   2       1.000   2.000   4.000  1.00  8.00           H\n"
    "ATOM      3  LP  ALA A   2       1.000   2.000   5.000  1.00  9.00            \n";

static void
test_dataset(Fixture *fixture, gconstpointer data)
{
  (void)data;
  g_autoptr(GError) error = NULL;
  const char *psf = write_text(fixture, "a.psf", psf_text);
  const char *pdb = write_text(fixture, "a.pdb", pdb_of_psf);
  /* In any order: the topology is the PSF's, completed from the PDB, which has the coordinates. */
  const char *orders[2][3] = {{psf, pdb, NULL}, {pdb, psf, NULL}};
  for (int i = 0; i < 2; i++) {
    g_autoptr(DebyeDataset) dataset = debye_dataset_open(orders[i], NULL, NULL, &error);
    g_assert_no_error(error);
    DebyeTopology *topology = debye_dataset_get_topology(dataset);
    g_assert_cmpfloat(debye_topology_get_charges(topology)[2], ==, 1.0F);
    g_assert_cmpfloat(debye_topology_get_b_factors(topology)[2], ==, 9.0F);
    g_autoptr(DebyeFrame) frame = read_frame(dataset, 0);
    g_assert_cmpfloat(frame->z[2], ==, 5.0F);
    g_assert_cmpstr(debye_dataset_get_formats(dataset)[i], ==, "psf");
    g_assert_cmpstr(debye_dataset_get_name(dataset), ==, i == 0 ? "a.psf + a.pdb" : "a.pdb + a.psf");
  }
  /* Frames of two structure files follow each other. */
  const char *two[] = {pdb, pdb, NULL};
  g_autoptr(DebyeDataset) repeated = debye_dataset_open(two, NULL, NULL, &error);
  g_assert_no_error(error);
  g_assert_cmpuint(debye_trajectory_get_n_frames(debye_dataset_get_trajectory(repeated)), ==, 2);
}

static void
test_dataset_errors(Fixture *fixture, gconstpointer data)
{
  (void)data;
  g_autoptr(GError) error = NULL;
  const char *psf = write_text(fixture, "a.psf", psf_text);
  const char *xyz = write_text(fixture, "a.xyz", "1\n\nC 0 0 0\n");
  const char *paths[] = {xyz, psf, NULL};
  const char *none[] = {NULL};
  g_assert_null(debye_dataset_open(paths, NULL, NULL, &error));
  g_assert_error(error, DEBYE_ERROR, DEBYE_ERROR_MISMATCH);
  g_assert_cmpstr(error->message, ==, "a.xyz: expected the 3 atoms of a.psf, found 1");
  g_clear_error(&error);
  g_assert_null(debye_dataset_open(none, NULL, NULL, &error));
  g_assert_error(error, DEBYE_ERROR, DEBYE_ERROR_MISSING);
  g_clear_error(&error);
  g_assert_null(open_one("/nonexistent/file.pdb", &error));
  g_assert_error(error, DEBYE_ERROR, DEBYE_ERROR_OPEN);
}

/* Coordinates alone have atoms without names, and say so. */
static void
test_dataset_trajectory_alone(Fixture *fixture, gconstpointer data)
{
  (void)data;
  g_autoptr(GError) error = NULL;
  g_autoptr(DebyeDataset) dataset = open_text(fixture, "a.xyz", "2\n\nC 0 0 0\nO 1 1 1\n");
  const char *dcd = write_again(fixture, &debye_format_dcd, "a.dcd", dataset, 1);
  g_autoptr(DebyeDataset) alone = open_one(dcd, &error);
  g_assert_no_error(error);
  g_assert_cmpuint(debye_topology_get_n_atoms(debye_dataset_get_topology(alone)), ==, 2);
  g_assert_true(has_warning(alone, "a.dcd has coordinates only"));
  /* With a structure, its own frame is no part of the trajectory; two trajectories follow each other. */
  const char *structure = write_text(fixture, "b.xyz", "2\n\nC 9 9 9\nO 1 1 1\n");
  const char *paths[] = {dcd, structure, dcd, NULL};
  g_autoptr(DebyeDataset) both = debye_dataset_open(paths, NULL, NULL, &error);
  g_assert_no_error(error);
  g_assert_cmpuint(debye_trajectory_get_n_frames(debye_dataset_get_trajectory(both)), ==, 2);
  g_autoptr(DebyeFrame) frame = read_frame(both, 1);
  g_assert_cmpfloat(frame->x[1], ==, 1.0F);
}

#define ADD(path, function) g_test_add(path, Fixture, NULL, set_up, function, tear_down)

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  ADD("/pdb/models", test_pdb);
  ADD("/pdb/ends", test_pdb_ends);
  ADD("/pdb/cells", test_pdb_cells);
  ADD("/pdb/residues", test_pdb_residues);
  ADD("/pdb/overflow", test_pdb_overflow);
  ADD("/pdb/errors", test_pdb_errors);
  ADD("/pdb/without-numbers", test_pdb_without_numbers);
  ADD("/pqr", test_pqr);
  ADD("/gro", test_gro);
  ADD("/gro/boxes-that-touch", test_gro_boxes_that_touch);
  ADD("/psf", test_psf);
  ADD("/psf/without-bonds", test_psf_without_bonds);
  ADD("/xyz", test_xyz);
  ADD("/xyz-changing", test_xyz_changing);
  ADD("/xyz-late", test_xyz_late);
  ADD("/xyz-changing-beside", test_xyz_changing_beside);
  ADD("/truncated", test_truncated);
  ADD("/detection", test_detection);
  ADD("/writing/round-trips", test_round_trips);
  ADD("/writing/errors", test_write_errors);
  ADD("/dataset/together", test_dataset);
  ADD("/dataset/errors", test_dataset_errors);
  ADD("/dataset/trajectory-alone", test_dataset_trajectory_alone);
  return g_test_run();
}
