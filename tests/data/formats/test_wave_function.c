/* SPDX-License-Identifier: MIT */
/* Wave functions of small texts: each oddity of Molden files once, formatted checkpoints, what is wrong in a file with
 * its line, and the ways to normalise that norms tell apart. Needs no reference data. */
#include <math.h>
#include <string.h>

#include "data/files/error.h"
#include "data/formats/quantum/quantum_files.h"
#include "tests/support/temporary.h"
#include "tests/support/text_file.h"

#define ATOMS "[Molden Format]\n[Atoms] AU\nH 1 1 0 0 0\nHe 2 2 0 0 1.5\n"
#define S_OF(weight) "1 0\ns 1 1.0\n 0.8 " weight "\n\n"
/* A p along z on the second atom. */
#define P_OF(weight) "2 0\np 1 1.0\n 1.1 " weight "\n\n"
#define ORBITALS                                                                                            \
  "[MO]\nSym= a1\nEne= -0.5\nSpin= Alpha\nOccup= 2.0\n1 1.0\nEne= 0.25\nOccup= 0.0\nSpin= Beta\nSym= b\n4 " \
  "1.0\n"

static DebyeTemporaryFolder *folder;

static DebyeWaveFunction *
read_text(const char *text, GError **error)
{
  g_autofree char *path = debye_temporary_write(folder, "a.molden", text, strlen(text));
  return debye_wave_function_load(path, error);
}

static DebyeWaveFunction *
read_good(const char *text)
{
  g_autoptr(GError) error = NULL;
  DebyeWaveFunction *wave = read_text(text, &error);
  g_assert_no_error(error);
  return wave;
}

static const DebyeWaveOrbital *
orbital_of(const DebyeWaveFunction *wave, guint number)
{
  return &g_array_index(wave->orbitals, DebyeWaveOrbital, number);
}

static void
test_molden(void)
{
  g_autoptr(DebyeWaveFunction) wave = read_good(ATOMS "[GTO]\n" S_OF("1.0") P_OF("1.0") ORBITALS);
  g_autofree double *row = g_new(double, wave->n_cartesian);
  g_assert_cmpuint(wave->atoms->len, ==, 2);
  g_assert_cmpuint(wave->n_functions, ==, 4);
  g_assert_cmpuint(wave->orbitals->len, ==, 2);
  g_assert_cmpfloat(orbital_of(wave, 0)->energy, ==, -0.5);
  g_assert_cmpfloat(orbital_of(wave, 0)->occupation, ==, 2.0);
  g_assert_cmpstr(orbital_of(wave, 0)->symmetry, ==, "a1");
  g_assert_true(orbital_of(wave, 1)->is_beta);
  g_assert_cmpuint(wave->remarks->len, ==, 0);
  g_assert_cmpfloat(fabs(wave->worst_norm - 1.0), <, 1e-12);
  debye_wave_function_get_cartesian(wave, 1, row);
  g_assert_cmpfloat(row[0], ==, 0.0);
  g_assert_cmpfloat(row[3], ==, 1.0);
  g_assert_cmpfloat_with_epsilon(g_array_index(wave->weights, double, 0), pow(1.6 / G_PI, 0.75), 1e-14);
}

/* Keys in any case and order, numbers as Fortran has them, sections that nobody asked for, Å, sp shells. */
static void
test_oddities(void)
{
  g_autoptr(DebyeWaveFunction) wave = read_good("\n [MOLDEN FORMAT]\r\n[Title]\n\n  by hand\n[FREQ]\n 1.0 = "
                                                "2\n[ATOMS] (Angs)\n h 1 1 0.0D+00 0 0.529177210903\n"
                                                "[N_Atoms]\n1\n[gto]\n  1 0\n sp 2 1.00\n 1.2D+00 0.0 "
                                                "1.0D0\n 4.0d-01 1.0 0.0\n\n[mo]\n Occup=   1\n Ene= -1\n"
                                                "  1   1.0\n  4   0.0\n");
  g_assert_cmpstr(wave->title, ==, "by hand");
  g_assert_cmpuint(wave->shells->len, ==, 2);
  g_assert_cmpuint(wave->n_functions, ==, 4);
  g_assert_cmpfloat_with_epsilon(g_array_index(wave->atoms, DebyeWaveAtom, 0).position[2], 1.0, 1e-12);
  g_assert_cmpuint(g_array_index(wave->shells, DebyeWaveShell, 1).l, ==, 1);
}

/* As Molpro lays a file out: its variables first, numbers with D, symmetries as 1.1, and Cartesian functions throughout, each
 * of norm 1, of which a pure d(z²) is zz − (xx + yy)/2. It keeps to the definition, so there is nothing to remark. */
static void
test_molpro(void)
{
  const double alpha[2] = {1.5, 0.3}, weight[2] = {0.6, 0.5};
  const double across = pow(2.0 * sqrt(alpha[0] * alpha[1]) / (alpha[0] + alpha[1]), 3.5);
  const double norm =
      sqrt(weight[0] * weight[0] + weight[1] * weight[1] + 2.0 * weight[0] * weight[1] * across);
  g_autofree char *text = g_strdup_printf(
      "[Molden Format]\n[Molpro variables]\n_NUMVAR=  785.0000000000000\n_AVOGAD= 0.6022136736000000E+24\n"
      "[Atoms] Angs\nNe    1   10         0.0000000000        0.0000000000        0.0000000000\n[GTO]\n  1 "
      "0\n"
      " s    1  1.00\n  0.8000000000D+00  0.1000000000D+01\n d    2  1.00\n  0.1500000000D+01  %.12fD+00\n"
      "  0.3000000000D+00  %.12fD+00\n\n\n[MO]\n Sym=      1.1\n Ene=     -15.5450\n Spin= Alpha\n"
      " Occup=    2.000000\n1 0.0\n2 -0.5\n3 -0.5\n4 1.0\n5 0.0\n6 0.0\n7 0.0\n",
      weight[0] / norm, weight[1] / norm);
  g_autoptr(DebyeWaveFunction) wave = read_good(text);
  g_assert_cmpuint(wave->n_functions, ==, 7);
  g_assert_cmpstr(orbital_of(wave, 0)->symmetry, ==, "1.1");
  g_assert_cmpuint(wave->remarks->len, ==, 0);
  g_assert_cmpfloat(fabs(wave->worst_norm - 1.0), <, 1e-9);
}

/* The overlap of two normalised s Gaussians at one position. */
static double
overlap(double alpha, double beta)
{
  return pow(2.0 * sqrt(alpha * beta) / (alpha + beta), 1.5);
}

/* A contraction and a diffuse function, whose coefficients hold what normalises primitives: only the overlap of the two
 * tells that from a contraction that is not normalised. */
static void
test_raw_coefficients(void)
{
  const double alpha[2] = {1.5, 0.3}, weight[2] = {0.6, 0.5}, diffuse = 0.1;
  double self = 0.0, across = 0.0;
  for (int i = 0; i < 2; i++) {
    across += weight[i] * overlap(alpha[i], diffuse);
    for (int j = 0; j < 2; j++)
      self += weight[i] * weight[j] * overlap(alpha[i], alpha[j]);
  }
  const double coefficient = 1.0 / sqrt(2.0 + 2.0 * across / sqrt(self));
  g_autofree char *text = g_strdup_printf(
      ATOMS
      "[GTO]\n1 0\ns 2 1.0\n 1.5 %.12f\n 0.3 %.12f\ns 1 1.0\n 0.1 %.12f\n\n[MO]\nEne= 1\n1 %.12f\n2 %.12f\n",
      weight[0] * pow(2.0 * alpha[0] / G_PI, 0.75), weight[1] * pow(2.0 * alpha[1] / G_PI, 0.75),
      pow(2.0 * diffuse / G_PI, 0.75), coefficient, coefficient);
  g_autoptr(DebyeWaveFunction) wave = read_good(text);
  g_assert_cmpuint(wave->remarks->len, ==, 1);
  g_assert_nonnull(strstr(g_ptr_array_index(wave->remarks, 0), "include the normalisation"));
  g_assert_cmpfloat(fabs(wave->worst_norm - 1.0), <, 1e-9);
}

/* Of one whose xy has another norm than xx, or whose d has another one than s. */
static void
test_normalisations(void)
{
  static const struct {
    const char *basis, *orbital, *remark;
  } cases[] = {
      /* d: 1/√3 of xx where all have xy's norm. */
      {"[GTO]\n1 0\nd 1 1.0\n 0.9 1.0\n", "1 0.5773502691896258\n[MO]\nEne= 1\n4 1.0\n", "as CFOUR"},
      {"[GTO]\n1 0\nd 1 1.0\n 0.9 1.0\n", "1 1.0\n[MO]\nEne= 1\n4 1.7320508075688772\n", "Psi4 up to"},
      {"[GTO]\n1 0\nd 1 1.0\n 0.9 1.0\n", "1 0.5773502691896258\n[MO]\nEne= 1\n4 0.5773502691896258\n",
       "Turbomole"},
      {"[GTO]\n1 0\ns 2 1.0\n 0.9 1.0\n0.2 1.0\n", "1 1.0\n", "not normalised"},
  };
  for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
    g_autofree char *text =
        g_strconcat(ATOMS, cases[i].basis, "[MO]\nEne= 0\nOccup= 2\n", cases[i].orbital, NULL);
    g_autoptr(DebyeWaveFunction) wave = read_good(text);
    g_assert_cmpuint(wave->remarks->len, ==, 1);
    g_assert_nonnull(strstr(g_ptr_array_index(wave->remarks, 0), cases[i].remark));
    g_assert_cmpfloat(fabs(wave->worst_norm - 1.0), <, 1e-5);
  }
}

/* A norm that nothing explains is told, and the definition is followed. */
static void
test_unknown_norm(void)
{
  g_autoptr(DebyeWaveFunction) wave = read_good(ATOMS "[GTO]\n" S_OF("1.0") "[MO]\nEne= 0\n1 1.3\n");
  g_assert_cmpuint(wave->remarks->len, ==, 0);
  g_assert_cmpfloat_with_epsilon(wave->worst_norm, 1.69, 1e-9);
}

static const char checkpoint[] =
    "Water\nSP        RHF                                                         STO-3G\n"
    "Number of alpha electrons                  I                1\n"
    "Number of beta electrons                   I                1\n"
    "Atomic numbers                             I   N=           1\n           2\n"
    "Nuclear charges                            R   N=           1\n  2.00000000E+00\n"
    "Current cartesian coordinates              R   N=           3\n  0.0 0.0 1.0\n"
    "Shell types                                I   N=           1\n          -1\n"
    "Number of primitives per shell             I   N=           1\n           1\n"
    "Shell to atom map                          I   N=           1\n           1\n"
    "Primitive exponents                        R   N=           1\n  1.5\n"
    "Contraction coefficients                   R   N=           1\n  1.0\n"
    "P(S=P) Contraction coefficients            R   N=           1\n  1.0\n"
    "Alpha Orbital Energies                     R   N=           2\n -0.9 0.4\n"
    "Alpha MO coefficients                      R   N=           8\n  1.0 0.0 0.0 0.0 0.0\n 0.0 0.0 1.0\n";

static void
test_checkpoint(void)
{
  g_autoptr(DebyeWaveFunction) wave = read_good(checkpoint);
  g_assert_cmpuint(wave->orbitals->len, ==, 2);
  g_assert_cmpfloat(orbital_of(wave, 0)->occupation, ==, 2.0);
  g_assert_cmpfloat(orbital_of(wave, 1)->occupation, ==, 0.0);
  g_assert_cmpfloat(orbital_of(wave, 1)->energy, ==, 0.4);
  g_assert_cmpfloat(fabs(wave->worst_norm - 1.0), <, 1e-12);
}

static void
test_structures(void)
{
  g_autoptr(DebyeDataset) molden = text_file_open(folder, "b.molden", ATOMS);
  g_autoptr(DebyeDataset) fchk = text_file_open(folder, "b.fchk", checkpoint);
  g_autoptr(DebyeFrame) frame = text_file_read(molden, 0);
  g_autoptr(DebyeFrame) other = text_file_read(fchk, 0);
  g_assert_cmpuint(debye_topology_get_elements(debye_dataset_get_topology(molden))[1], ==, 2);
  text_file_assert_position(frame, 1, 0.0, 0.0, 1.5 * DEBYE_BOHR);
  text_file_assert_position(other, 0, 0.0, 0.0, DEBYE_BOHR);
}

/* Two atoms; as Gaussian and others write a map, and one with several orbitals. */
#define CUBE(n_atoms, n_points)                                                                 \
  "Title\nwritten by hand\n " n_atoms " 0 0 0\n " n_points " 0.5 0 0\n 1 0 0.5 0\n 1 0 0 0.5\n" \
  " 8 8.0 0 0 0\n 0 0.0 0 0 1.5\n"

static void
test_cube_structures(void)
{
  static const struct {
    const char *text;
    double unit; /* Å */
  } cases[] = {{CUBE("2", "1") " 0.25\n", DEBYE_BOHR},
               {CUBE("2", "-1") " 0.25\n", 1.0},
               {CUBE("-2", "1") " 2 4 5\n 0.25 0.5\n", DEBYE_BOHR}};
  for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
    g_autoptr(DebyeDataset) cube = text_file_open(folder, "c.cube", cases[i].text);
    g_autoptr(DebyeFrame) frame = text_file_read(cube, 0);
    DebyeTopology *topology = debye_dataset_get_topology(cube);
    g_assert_cmpuint(debye_topology_get_n_atoms(topology), ==, 2);
    g_assert_cmpuint(debye_topology_get_elements(topology)[0], ==, 8);
    g_assert_cmpuint(debye_topology_get_elements(topology)[1], ==, 0);
    text_file_assert_position(frame, 1, 0.0, 0.0, 1.5 * cases[i].unit);
  }
}

/* More atoms than the file has lines for, and rows that are none. */
static void
test_broken_cubes(void)
{
  static const struct {
    const char *text, *sentence;
  } cases[] = {
      {CUBE("3", "1"),
       "d.cube: line 8: expected an atom (its number, charge and position), found the end of the file"},
      {CUBE("9000000000000000000", "1"),
       "d.cube: line 8: expected an atom (its number, charge and position), found the end of the file"},
      {CUBE("3", "1") " 1 1.0 0 0 inf\n",
       "d.cube: line 9: expected an atom (its number, charge and position), found “1 1.0 0 0 inf”"},
  };
  for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
    g_autoptr(GError) error = NULL;
    g_autofree char *path = debye_temporary_write(folder, "d.cube", cases[i].text, strlen(cases[i].text));
    g_assert_null(debye_dataset_open((const char *const[]){path, NULL}, NULL, NULL, &error));
    g_assert_nonnull(error);
    g_assert_cmpstr(strstr(error->message, "d.cube"), ==, cases[i].sentence);
  }
}

static void
test_broken(void)
{
  static const struct {
    const char *text, *sentence;
  } cases[] = {
      {ATOMS "[GTO]\n" S_OF("1.0"),
       "a.molden: expected orbitals, found none. Have the program write its orbitals as well"},
      {ATOMS,
       "a.molden: expected a basis of Gaussians, found none. Have the program write its orbitals as well"},
      {"[Molden Format]\n[Atoms] AU\nH 1 1 0 0\n",
       "a.molden: line 3: expected an atom (symbol, number, atomic number, x, y, z), found “H 1 1 0 0”"},
      {"[Molden Format]\n[Atoms] AU\nH 1 999 0 0 0\n",
       "a.molden: line 3: expected an atomic number from 0 to 118, found “H 1 999 0 0 0”"},
      {ATOMS "[GTO]\n1 0\nq 1 1.0\n", "a.molden: line 7: expected a shell (s, p, sp, d, f, g, h or i) and "
                                      "its number of primitives, found “q 1 1.0”"},
      {ATOMS "[GTO]\ns 1 1.0\n",
       "a.molden: line 6: expected an atom's number before its shells, found “s 1 1.0”"},
      {ATOMS "[GTO]\n1 0\ns 1 1.0\n -0.5 1.0\n",
       "a.molden: line 8: expected an exponent above 0 and a finite coefficient, found “-0.5 1.0”"},
      {ATOMS "[GTO]\n7 0\ns 1 1.0\n 0.5 1.0\n" ORBITALS,
       "a.molden: expected shells of the 2 atoms in [Atoms], found some of atom 7"},
      {ATOMS "[GTO]\n" S_OF("1.0") ORBITALS, "a.molden: expected coefficients of the 1 functions in [GTO], "
                                             "found one of function 4. Check the marks [5D], [7F], "
                                             "[9G] for spherical functions"},
      {ATOMS "[GTO]\n" S_OF("1.0") "[MO]\n1 x\n", "a.molden: line 11: expected an orbital's coefficient (the "
                                                  "number of the function and a number), found “1 x”"},
      {ATOMS "[STO]\n", "a.molden: line 5: expected a basis of Gaussians, found Slater functions ([STO]), "
                        "which are not read. Have the "
                        "program write Gaussians ([GTO])"},
      {ATOMS "[GTO]\n1 0\nh 1 1.0\n 0.5 1.0\n" ORBITALS,
       "a.molden: expected Cartesian functions up to g, found h. Have the program write pure ones, marked "
       "[9G] or [11H]"},
      {"Nothing\nof\nall that\n",
       "a.molden: expected a Molden file or a formatted checkpoint of Gaussian, found neither"},
  };
  for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
    g_autoptr(GError) error = NULL;
    g_assert_null(read_text(cases[i].text, &error));
    g_assert_nonnull(error);
    const char *found = strstr(error->message, "a.molden");
    g_assert_cmpstr(found, ==, cases[i].sentence);
  }
}

/* Cut at each byte it is an error or less of a wave function, and nothing else. */
static void
test_cut(void)
{
  static const char *const texts[] = {checkpoint, ATOMS "[GTO]\n" S_OF("1.0") P_OF("1.0") ORBITALS};
  for (gsize i = 0; i < G_N_ELEMENTS(texts); i++)
    for (gsize n = 1; n < strlen(texts[i]); n += 3) {
      g_autoptr(GError) error = NULL;
      g_autofree char *text = g_strndup(texts[i], n);
      g_autoptr(DebyeWaveFunction) wave = read_text(text, &error);
      g_assert_true((wave == NULL) == (error != NULL));
    }
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  folder = debye_temporary_folder_new();
  g_test_add_func("/wave-function/molden", test_molden);
  g_test_add_func("/wave-function/cube/structures", test_cube_structures);
  g_test_add_func("/wave-function/cube/broken", test_broken_cubes);
  g_test_add_func("/wave-function/oddities", test_oddities);
  g_test_add_func("/wave-function/molpro", test_molpro);
  g_test_add_func("/wave-function/normalisations", test_normalisations);
  g_test_add_func("/wave-function/raw-coefficients", test_raw_coefficients);
  g_test_add_func("/wave-function/unknown-norm", test_unknown_norm);
  g_test_add_func("/wave-function/checkpoint", test_checkpoint);
  g_test_add_func("/wave-function/structures", test_structures);
  g_test_add_func("/wave-function/broken", test_broken);
  g_test_add_func("/wave-function/cut", test_cut);
  const int status = g_test_run();
  debye_temporary_folder_free(folder);
  return status;
}
