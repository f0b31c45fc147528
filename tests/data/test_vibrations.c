/* SPDX-License-Identifier: MIT */
/* Normal modes of small texts: water's stretches and bend in both formats, with displacements that follow the mode; what
 * is wrong in a file. Needs no reference data. */
#include <math.h>
#include <string.h>

#include "data/files/error.h"
#include "data/formats/quantum/quantum_files.h"
#include "data/trajectory/dataset.h"
#include "data/trajectory/kept_frames.h"
#include "tests/support/temporary.h"

/* Water in the plane x = 0; the modes of a central field with heavy oxygen: each hydrogen along its bond, alike or opposite, or
 * at right angles to it. Bonds of 1.8 bohr are at ±(sin, −cos) of half the angle, 0.8 and 0.6. */
#define ATOMS "[Molden Format]\n[Atoms] AU\nO 1 8 0 0 0\nH 2 1 0 1.44 -1.08\nH 3 1 0 -1.44 -1.08\n"
#define FREQUENCIES "[FREQ]\n -250.5\n 1600.25\n 3700\n"
#define BEND "vibration 1\n 0 0 0.1\n 0 -0.3 -0.4\n 0 0.3 -0.4\n"
#define SYMMETRIC "vibration 2\n 0 0 0\n 0 0.4 -0.3\n 0 -0.4 -0.3\n"
#define ANTISYMMETRIC " Vibration 3\n 0 0 0\n 0 0.4D+00 -0.3\n 0 0.4 0.3\n"
#define MODES "[FR-NORM-COORD]\n" BEND SYMMETRIC ANTISYMMETRIC

static DebyeTemporaryFolder *folder;

static DebyeVibrations *
read_text(const char *text, GError **error)
{
  g_autofree char *path = debye_temporary_write(folder, "a.molden", text, strlen(text));
  return debye_vibrations_load(path, error);
}

static DebyeVibrations *
read_good(const char *text)
{
  g_autoptr(GError) error = NULL;
  DebyeVibrations *vibrations = read_text(text, &error);
  g_assert_no_error(error);
  return vibrations;
}

static const DebyeVibration *
mode_of(const DebyeVibrations *vibrations, guint mode)
{
  return &g_array_index(vibrations->modes, DebyeVibration, mode);
}

static double
bond_length(const DebyeFrame *frame, gsize hydrogen)
{
  return hypot(hypot(frame->x[hydrogen] - frame->x[0], frame->y[hydrogen] - frame->y[0]),
               frame->z[hydrogen] - frame->z[0]);
}

/* Both bonds together, one against the other; the atom that moves farthest by the amplitude. */
static void
check_water(const DebyeVibrations *water)
{
  const double length = 1.8 * DEBYE_BOHR, amplitude = 0.2;
  g_autoptr(DebyeFrame) frame = debye_frame_new(3);
  g_assert_cmpuint(water->n_atoms, ==, 3);
  g_assert_cmpuint(water->modes->len, ==, 3);
  g_assert_cmpfloat(mode_of(water, 0)->frequency, ==, -250.5);
  g_assert_cmpfloat(mode_of(water, 2)->frequency, ==, 3700.0);
  for (int quarter = 0; quarter < 24; quarter++) {
    const double phase = 2.0 * G_PI * quarter / 24.0, shift = amplitude * sin(phase);
    debye_vibrations_fill_frame(water, 1, amplitude, phase, frame);
    g_assert_cmpfloat_with_epsilon(bond_length(frame, 1), length + shift, 1e-6);
    g_assert_cmpfloat_with_epsilon(bond_length(frame, 2), length + shift, 1e-6);
    debye_vibrations_fill_frame(water, 2, amplitude, phase, frame);
    g_assert_cmpfloat_with_epsilon(bond_length(frame, 1), length + shift, 1e-6);
    g_assert_cmpfloat_with_epsilon(bond_length(frame, 2), length - shift, 1e-6);
    /* 0.5 is how far a hydrogen moves in the file, 0.1 the oxygen. */
    debye_vibrations_fill_frame(water, 0, amplitude, phase, frame);
    g_assert_cmpfloat_with_epsilon(frame->z[0], 0.2 * shift, 1e-6);
    g_assert_cmpfloat_with_epsilon(frame->y[1], 1.44 * DEBYE_BOHR - 0.6 * shift, 1e-6);
    g_assert_cmpfloat_with_epsilon(frame->z[2], -1.08 * DEBYE_BOHR - 0.8 * shift, 1e-6);
    g_assert_cmpfloat(frame->x[1], ==, 0.0f);
  }
}

static void
test_molden(void)
{
  g_autoptr(DebyeVibrations) water = read_good(ATOMS FREQUENCIES MODES);
  check_water(water);
  g_assert_true(isnan(mode_of(water, 0)->intensity));
  g_autoptr(DebyeVibrations) with_more =
      read_good(ATOMS "[INT]\n 1.5 9\n 60\n 5\n" MODES FREQUENCIES
                      "[FR-COORD]\nO 0 0 0\nH 0 1.44 -1.08\nH 0 -1.44 -1.08\n[N_FREQ]\n3\n");
  check_water(with_more);
  g_assert_cmpfloat(mode_of(with_more, 1)->intensity, ==, 60.0);
}

/* [FR-COORD] says where the modes' atoms are: here at right angles to [Atoms]. */
static void
test_other_orientation(void)
{
  g_autoptr(DebyeVibrations) water =
      read_good("[Molden Format]\n[Atoms] Angs\nO 1 8 9 9 9\nH 2 1 9 9 8\nH 3 1 9 8 9\n" FREQUENCIES
                "[FR-COORD]\nO 0 0 0\nH 0 1.44 -1.08\nH 0 -1.44 -1.08\n" MODES);
  check_water(water);
}

/* Some programs write translations and rotations as modes without displacements. */
static void
test_modes_at_rest(void)
{
  g_autoptr(DebyeVibrations) water =
      read_good(ATOMS "[FREQ]\n0\n 3700\n[FR-NORM-COORD]\nvibration 1\n0 0 0\n0 0 0\n0 0 0\n" SYMMETRIC);
  g_assert_cmpuint(water->modes->len, ==, 1);
  g_assert_cmpuint(mode_of(water, 0)->number, ==, 2);
}

/* Files of frequencies alone, as they are written, have no [Atoms]. */
static void
test_structure(void)
{
  g_autoptr(GError) error = NULL;
  static const char text[] =
      "[MOLDEN FORMAT]\n" FREQUENCIES "[FR-COORD]\nO 0 0 0\nh 0 1.44 -1.08\nH 0 -1.44 -1.08\n" MODES;
  g_autofree char *path = debye_temporary_write(folder, "modes.molden", text, strlen(text));
  g_autoptr(DebyeVibrations) water = debye_vibrations_load(path, &error);
  g_assert_no_error(error);
  check_water(water);
  g_autoptr(DebyeDataset) dataset = debye_dataset_open((const char *[]){path, NULL}, NULL, NULL, &error);
  g_assert_no_error(error);
  g_assert_cmpint(debye_topology_get_elements(debye_dataset_get_topology(dataset))[1], ==, 1);
  g_autoptr(DebyeFrame) frame = debye_trajectory_get_frame(debye_dataset_get_trajectory(dataset), 0, &error);
  g_assert_no_error(error);
  g_assert_cmpfloat_with_epsilon(bond_length(frame, 1), 1.8 * DEBYE_BOHR, 1e-6);
  g_assert_null(debye_wave_function_load(path, &error));
  g_assert_error(error, DEBYE_ERROR, DEBYE_ERROR_MISSING);
}

/* --- Formatted checkpoints --- */

#define FCHK                                                                      \
  "water\nFreq      RHF                                                       \n" \
  "Atomic numbers                             I   N=           3\n 8 1 1\n"       \
  "Current cartesian coordinates              R   N=           9\n"               \
  " 0. 0. 0. 0. 1.44\n -1.08 0. -1.44 -1.08\n"
#define N_MODES "Number of Normal Modes                     I                3\n"
#define VALUES                                                      \
  "Vib-E2                                     R   N=          12\n" \
  " -250.5 1600.25 3700. 1.1 1.2\n 1.3 2.1 2.2 2.3 31. 32. 33.\n"
#define FCHK_MODES                                                     \
  "Vib-Modes                                  R   N=          27\n"    \
  " 0. 0. 0.1 0. -0.3\n -0.4 0. 0.3 -0.4\n 0. 0. 0. 0. 0.4\n -0.3 0. " \
  "-0.4 -0.3\n 0. 0. 0. 0. 0.4\n -0.3 0. 0.4 0.3\n"

static void
test_fchk(void)
{
  g_autoptr(DebyeVibrations) water = read_good(FCHK N_MODES VALUES FCHK_MODES);
  check_water(water);
  g_assert_cmpfloat(mode_of(water, 1)->reduced_mass, ==, 1.2);
  g_assert_cmpfloat(mode_of(water, 2)->intensity, ==, 33.0);
}

/* --- What is wrong --- */

static void
assert_fails(const char *text, int code, const char *sentence)
{
  g_autoptr(GError) error = NULL;
  g_assert_null(read_text(text, &error));
  g_assert_error(error, DEBYE_ERROR, code);
  g_assert_cmpstr(error->message, ==, sentence);
}

static void
test_no_modes(void)
{
  g_autoptr(GError) error = NULL;
  g_assert_null(read_text(ATOMS, &error));
  g_assert_null(read_text(FCHK, &error));
  g_assert_null(read_text("1\n\nH 0 0 0\n", &error));
  g_assert_no_error(error);
}

static void
test_refusals(void)
{
  assert_fails(ATOMS FREQUENCIES, DEBYE_ERROR_MISSING,
               "a.molden: expected modes in [FR-NORM-COORD] beside [FREQ], found none");
  assert_fails(ATOMS MODES, DEBYE_ERROR_MISSING,
               "a.molden: expected modes in [FREQ] beside [FR-NORM-COORD], found none");
  assert_fails(ATOMS FREQUENCIES "[FR-NORM-COORD]\n" BEND SYMMETRIC, DEBYE_ERROR_MISMATCH,
               "a.molden: expected a mode for each of the 3 frequencies in [FREQ], found 2");
  assert_fails(ATOMS FREQUENCIES "[FR-NORM-COORD]\n" BEND SYMMETRIC "vibration 3\n0 0 0\n0 1 0\n",
               DEBYE_ERROR_MISMATCH, "a.molden: mode 3: expected displacements of 3 atoms, found 2");
  assert_fails(ATOMS FREQUENCIES "[FR-COORD]\nO 0 0 0\n" MODES, DEBYE_ERROR_MISMATCH,
               "a.molden: expected the 3 atoms of [Atoms] in [FR-COORD], found 1");
  assert_fails(ATOMS "[FREQ]\nmany\n" MODES, DEBYE_ERROR_SYNTAX,
               "a.molden: line 7: expected a number for a frequency, found “many”");
  assert_fails(ATOMS "[FREQ]\ninf\n" MODES, DEBYE_ERROR_VALUE, "a.molden: line 7: expected finite numbers");
  assert_fails(ATOMS FREQUENCIES "[FR-NORM-COORD]\n0 0 1\n", DEBYE_ERROR_SYNTAX,
               "a.molden: line 11: expected “vibration” and its number before displacements");
}

/* The structure of a file without [Atoms] can't be read either. */
static void
test_broken_structure(void)
{
  g_autoptr(GError) error = NULL;
  static const char text[] = "[Molden Format]\n[FR-COORD]\nO 0 0\n";
  g_autofree char *path = debye_temporary_write(folder, "short.molden", text, strlen(text));
  g_assert_null(debye_dataset_open((const char *[]){path, NULL}, NULL, NULL, &error));
  g_assert_error(error, DEBYE_ERROR, DEBYE_ERROR_SYNTAX);
  g_assert_cmpstr(error->message, ==,
                  "short.molden: line 3: expected an atom (symbol, x, y, z), found “O 0 0”");
}

static void
test_fchk_refusals(void)
{
  static const char together[] =
      "a.molden: expected “Number of Normal Modes”, “Vib-E2” and “Vib-Modes” together, found only some of "
      "them. Have Gaussian write all of them with freq=SaveNormalModes";
  assert_fails(FCHK N_MODES VALUES, DEBYE_ERROR_MISSING, together);
  assert_fails(FCHK VALUES FCHK_MODES, DEBYE_ERROR_MISSING, together);
  assert_fails(FCHK "Number of Normal Modes                     I                4\n" VALUES FCHK_MODES,
               DEBYE_ERROR_MISMATCH, "a.molden: expected 36 numbers of “Vib-Modes”, found 27");
  assert_fails(FCHK "Number of Normal Modes                     I               13\n" VALUES FCHK_MODES,
               DEBYE_ERROR_MISMATCH, "a.molden: expected 13 numbers of “Vib-E2”, found 12");
  assert_fails(FCHK "Number of Normal Modes                     I                1\n"
                    "Vib-E2                                     R   N=           1\n inf\n"
                    "Vib-Modes                                  R   N=           9\n 0 0 1 0 0 0 0 0 0\n",
               DEBYE_ERROR_VALUE, "a.molden: expected a value that “Vib-E2” can have, found inf as number 1");
}

/* Whole periods of about 24 pictures, the last of which is one step before the first. */
static void
test_motion(void)
{
  g_auto(DebyeVibrationMotion)
      motion = {.vibrations = read_good(ATOMS FREQUENCIES MODES), .mode = 1, .amplitude = 0.2};
  static const struct {
    gsize pictures, periods;
  } counts[] = {{1, 1}, {10, 1}, {24, 1}, {35, 1}, {36, 2}, {100, 4}, {120, 5}};
  const double length = 1.8 * DEBYE_BOHR;
  for (gsize i = 0; i < G_N_ELEMENTS(counts); i++) {
    const gsize n = counts[i].pictures;
    g_assert_cmpuint(debye_vibration_count_periods(n), ==, counts[i].periods);
    for (gsize k = 0; k <= n; k++) {
      g_autoptr(DebyeFrame) frame = debye_vibration_motion_make_frame(&motion, k, n);
      const double shift = 0.2 * sin(2.0 * G_PI * (double)counts[i].periods * (double)k / (double)n);
      g_assert_cmpfloat_with_epsilon(bond_length(frame, 1), length + shift, 1e-6);
      if (k == n)
        g_assert_cmpfloat_with_epsilon(bond_length(frame, 1), length, 1e-6);
    }
  }
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  folder = debye_temporary_folder_new();
  g_test_add_func("/vibrations/molden", test_molden);
  g_test_add_func("/vibrations/other-orientation", test_other_orientation);
  g_test_add_func("/vibrations/modes-at-rest", test_modes_at_rest);
  g_test_add_func("/vibrations/structure", test_structure);
  g_test_add_func("/vibrations/fchk", test_fchk);
  g_test_add_func("/vibrations/motion", test_motion);
  g_test_add_func("/vibrations/no-modes", test_no_modes);
  g_test_add_func("/vibrations/refusals", test_refusals);
  g_test_add_func("/vibrations/broken-structure", test_broken_structure);
  g_test_add_func("/vibrations/fchk-refusals", test_fchk_refusals);
  const int failed = g_test_run();
  debye_temporary_folder_free(folder);
  return failed;
}
