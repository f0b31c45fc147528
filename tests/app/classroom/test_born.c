/* SPDX-License-Identifier: MIT */
/* The class room's ion: the equation's solution against the formulas of Born and of Debye and Hückel. */
#include <math.h>
#include <string.h>

#include "app/classroom/classroom.h"
#include "app/classroom/classroom_command.h"
#include "kernels/cpu/backend_cpu.h"

static void
check_ion(const DebyeRegistry *registry, DebyeClassroomBornChoice choice, double tolerance)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(GArray) points = g_array_new(FALSE, FALSE, sizeof(DebyeClassroomPoint));
  double energy = 0.0;
  g_assert_true(debye_classroom_solve_born(registry, &choice, NULL, &energy, points, &error));
  g_assert_no_error(error);
  const double formula = debye_classroom_born_energy(&choice);
  /* What the reaction field promises at 0.5 Å, and the boundary's Debye-Hückel sum, which has R for R + 2 Å. */
  g_assert_cmpfloat_with_epsilon(energy, formula, 0.001 * fabs(formula));
  g_assert_cmpuint(points->len, >=, 20);
  for (guint i = 0; i < points->len; i++) {
    const DebyeClassroomPoint *point = &g_array_index(points, DebyeClassroomPoint, i);
    if (point->x >= choice.radius + 2.0 && point->x <= choice.radius + 8.0)
      g_assert_cmpfloat_with_epsilon(point->y, debye_classroom_born_potential(&choice, point->x),
                                     tolerance * point->y);
  }
}

static void
test_grid(void)
{
  DebyeRegistry *registry = debye_registry_new(&debye_backend_cpu, NULL);
  /* From 2 Å off the surface on the potential's root mean square errs by less
   * than 0.5 %, along an axis of the grid by 0.6 %. */
  check_ion(registry, debye_classroom_usual_born, 0.007);
  /* The grid's boundary adds as much where the potential reaches far (classroom_born.c). */
  const DebyeClassroomBornChoice salty = {
      .radius = 3.0, .strength = 0.15, .permittivity = 78.5, .spacing = 0.5};
  check_ion(registry, salty, 0.01);
  /* The salt begins at whole grid points, up to half a spacing too near or too far, and 1/κ is 1.5 Å here: 1.1 %. */
  const DebyeClassroomBornChoice short_reach = {
      .radius = 1.5, .strength = 1.0, .permittivity = 20.0, .spacing = 0.4};
  check_ion(registry, short_reach, 0.02);
  debye_registry_free(registry);
}

/* e²/(8πε₀) is 694.677 kJ/mol·Å; 1/κ in 0.1 mol/l of a 1:1 salt in water is 9.6 Å. */
static void
test_formula(void)
{
  DebyeClassroomBornChoice choice = debye_classroom_usual_born;
  g_assert_cmpfloat_with_epsilon(debye_classroom_born_energy(&choice), -694.677 / 2.0 * (1.0 - 1.0 / 78.5),
                                 0.05);
  choice.strength = 0.1;
  const double ratio =
      debye_classroom_born_potential(&choice, 30.0) / debye_classroom_born_potential(&choice, 20.0);
  g_assert_cmpfloat_with_epsilon(-10.0 / log(ratio * 30.0 / 20.0), 9.6, 0.05);
  /* Continuous where the salt begins. */
  g_assert_cmpfloat_with_epsilon(debye_classroom_born_potential(&choice, 4.0 - 1e-9),
                                 debye_classroom_born_potential(&choice, 4.0 + 1e-9), 1e-6);
  /* No solvent, no energy. */
  choice = (DebyeClassroomBornChoice){.radius = 2.0, .permittivity = 1.0};
  g_assert_cmpfloat(debye_classroom_born_energy(&choice), ==, 0.0);
}

/* What the first part of the command prints, without the file that it goes to: rows of two numbers. */
static char **
print_formula(const char *command)
{
  const char *end = strstr(command, " > formula.dat && ");
  g_assert_nonnull(end);
  g_autofree char *part = g_strndup(command, (gsize)(end - command));
  const char *arguments[] = {"sh", "-c", part, NULL};
  char *text = NULL;
  int status = -1;
  g_assert_true(g_spawn_sync(NULL, (char **)arguments, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, &text, NULL,
                             &status, NULL));
  g_assert_cmpint(status, ==, 0);
  char **rows = g_strsplit(g_strchomp(text), "\n", -1);
  g_free(text);
  return rows;
}

/* The formula's curve in a figure is what the lesson draws. */
static void
check_formula(const char *command, const DebyeClassroomBornChoice *choice, gboolean is_energy)
{
  g_auto(GStrv) rows = print_formula(command);
  g_assert_cmpuint(g_strv_length(rows), ==, 201);
  for (gsize i = 0; rows[i] != NULL; i++) {
    DebyeClassroomBornChoice other = *choice;
    char *rest;
    other.radius = g_ascii_strtod(rows[i], &rest);
    const double expected =
        is_energy ? debye_classroom_born_energy(&other)
                  : debye_classroom_born_potential(choice, choice->radius + g_ascii_strtod(rows[i], NULL));
    /* awk prints six figures. */
    g_assert_cmpfloat_with_epsilon(g_ascii_strtod(rest, NULL), expected, 2e-5 * fabs(expected));
  }
}

/* The potential of the chosen ion along x; the energies of all radii of the figure; the formula beside both. */
static void
test_command(void)
{
  const DebyeClassroomBornChoice choice = {
      .radius = 2.5, .strength = 0.15, .permittivity = 78.5, .spacing = 0.5};
  g_autofree char *potential = debye_classroom_write_born_potential(&choice),
                  *energies = debye_classroom_write_born_energies(&choice);
  check_formula(potential, &choice, FALSE);
  check_formula(energies, &choice, TRUE);
  g_assert_nonnull(strstr(potential, " && echo 'ATOM 1 I ION 1 0 0 0 1 2.5' > ion.pqr && debye-cli map "));
  g_assert_nonnull(
      strstr(potential, " --permittivity 78.5 --ionic-strength 0.15 --ion-radius 2 --spacing 0.5 "));
  g_assert_nonnull(strstr(potential, " --line-from 2.5,0,0 --line-to 12.5,0,0 --measured formula.dat "));
  g_assert_nonnull(strstr(energies, " && for r in 1 1.5 2 2.5 3 3.5 4 4.5 5; do echo "));
  g_assert_nonnull(strstr(energies, " --energies "));
  g_assert_nonnull(strstr(energies, " -o born.svg formula.dat+grid.dat"));
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/born/formula", test_formula);
  g_test_add_func("/born/command", test_command);
  g_test_add_func("/born/grid", test_grid);
  return g_test_run();
}
