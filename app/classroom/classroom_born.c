/* SPDX-License-Identifier: MIT */
/* The job and the figures of the classroom's lesson on Born's ion; declared in classroom.h, made by window_classroom.c.
 *
 * An ion of charge e and radius R in a solvent of permittivity ε with a 1:1 salt whose ions' centers stay a = R + 2 Å away.
 * Linear Poisson-Boltzmann outside, l₀ = e²/4πε₀kT, κ² = 8π l₀ n/ε (M. Born, Z. Phys. 1 (1920) 45; P. Debye & E. Hückel,
 * Phys. Z. 24 (1923) 185):
 *
 *   φ = l₀/ε · (1/r − κ/(1 + κa))             R < r < a
 *   φ = l₀/ε · exp(−κ(r − a))/(r (1 + κa))    r > a
 *   ΔG/kT = −l₀/2 · [(1 − 1/ε)/R + κ/(ε (1 + κa))]     from vacuum */
#include <glib/gi18n.h>
#include <math.h>

#include "app/analysis/driver/device_choice.h"
#include "classroom_command.h"
#include "classroom_record.h"
#include "kernels/poisson/poisson_lanes.h"

#define TEMPERATURE 298.15
#define KILOJOULE (8.31446261815324e-3 * TEMPERATURE) /* kJ/mol of one kT */
#define NUMBER_DENSITY 6.02214076e-4                  /* 1/Å³ of 1 mol/l */
#define ION_RADIUS 2.0                                /* of the salt, Å */
/* Å. The grid's boundary takes the ion's surface for the salt's and is some percent wrong: with 18 Å the potential is within
 * 1 % to 8 Å off the ion. */
#define PADDING 18.0
#define SHOWN 10.0 /* of the potential, Å off the ion */
#define RESIDUAL 1e-6
#define MAX_CYCLES 100
#define N_OF_FORMULA 200
#define STEP_OF_RADIUS 0.5 /* of the energies in the figure, Å */

const DebyeClassroomBornChoice debye_classroom_usual_born = {
    .radius = 2.0, .strength = 0.0, .permittivity = 78.5, .spacing = 0.5};

/* --- Formula --- */

static double
screening_of(const DebyeClassroomBornChoice *choice)
{
  return 8.0 * G_PI * DEBYE_BJERRUM_VACUUM(TEMPERATURE) * NUMBER_DENSITY * choice->strength;
}

static double
kappa_of(const DebyeClassroomBornChoice *choice)
{
  return sqrt(screening_of(choice) / choice->permittivity);
}

double
debye_classroom_born_energy(const DebyeClassroomBornChoice *choice)
{
  const double kappa = kappa_of(choice), reach = choice->radius + ION_RADIUS;
  const double salt = kappa / (choice->permittivity * (1.0 + kappa * reach));
  return -0.5 * DEBYE_BJERRUM_VACUUM(TEMPERATURE) * KILOJOULE *
         ((1.0 - 1.0 / choice->permittivity) / choice->radius + salt);
}

double
debye_classroom_born_potential(const DebyeClassroomBornChoice *choice, double r)
{
  const double kappa = kappa_of(choice), reach = choice->radius + ION_RADIUS;
  const double scale = DEBYE_BJERRUM_VACUUM(TEMPERATURE) / choice->permittivity;
  return r < reach ? scale * (1.0 / r - kappa / (1.0 + kappa * reach))
                   : scale * exp(-kappa * (r - reach)) / (r * (1.0 + kappa * reach));
}

/* --- Solution --- */

typedef struct {
  DebyeDevices *devices;
  DebyeClassroomBornChoice choice;
} BornWork;

static void
born_work_free(gpointer data)
{
  BornWork *work = data;
  debye_devices_unref(work->devices);
  g_free(work);
}

static DebyePoissonMedium
medium_of(const DebyeClassroomBornChoice *choice)
{
  const double h = choice->spacing;
  const gsize n = debye_poisson_round((gsize)ceil(2.0 * (choice->radius + PADDING) / h) + 1);
  const double low = -h * (double)(n / 2);
  return (DebyePoissonMedium){.grid = {{low, low, low}, {h, h, h}, {n, n, n}},
                              .surface = DEBYE_SURFACE_VAN_DER_WAALS,
                              .solute = 1.0,
                              .solvent = choice->permittivity,
                              .length = DEBYE_BJERRUM_VACUUM(TEMPERATURE),
                              .screening = screening_of(choice),
                              .ion_radius = ION_RADIUS};
}

/* From the ion outwards along x. */
static void
take_potential(const DebyeClassroomBornChoice *choice, const DebyeSurfaceGrid *grid, const float *map,
               GArray *points)
{
  const gsize n = grid->shape[0], middle = n / 2 + n * (n / 2 + n * (n / 2));
  for (gsize i = 0; i < n - n / 2; i++) {
    const DebyeClassroomPoint point = {choice->spacing * (double)i, (double)map[middle + i]};
    if (point.x >= choice->radius && point.x <= choice->radius + SHOWN)
      g_array_append_val(points, point);
  }
}

gboolean
debye_classroom_solve_born(const DebyeRegistry *registry, const DebyeClassroomBornChoice *choice,
                           const volatile bool *cancel, double *energy, GArray *points, GError **error)
{
  const DebyeDeviceEntry *devices[DEBYE_MAX_DEVICES];
  const DebyePoissonLanesSettings settings = {.medium = medium_of(choice),
                                              .goal = {.tolerance = RESIDUAL, .max_cycles = MAX_CYCLES}};
  const float center = 0.0f, charge = 1.0f, radius = (float)choice->radius;
  const DebyeSpheres sphere = {&center, &center, &center, &radius, 1};
  const gsize *shape = settings.medium.grid.shape;
  g_autofree float *map = g_new(float, shape[0] * shape[1] * shape[2]);
  DebyeSharing *share = NULL;
  DebyePoissonReport report;
  DebyeStatus status = {0};
  double field = 0.0;
  const gsize n = debye_registry_choose(registry, "auto", devices, DEBYE_MAX_DEVICES, &status);
  DebyeStatusCode code =
      n > 0 ? debye_poisson_lanes_create(&settings, devices, n, &share, &status) : status.code;
  if (code == DEBYE_STATUS_OK)
    code = debye_poisson_lanes_execute(share, &sphere, &charge, map, &field, &report, cancel, &status);
  g_clear_pointer(&share, debye_sharing_free);
  if (code != DEBYE_STATUS_OK) {
    debye_device_set_error(error, &status);
    return FALSE;
  }
  *energy = 0.5 * field * KILOJOULE;
  if (points != NULL)
    take_potential(choice, &settings.medium.grid, map, points);
  return TRUE;
}

/* The energies of other radii with all else the same. */
static gboolean
solve_radii(DebyeJob *job, const DebyeRegistry *registry, DebyeClassroomRecord *record, GError **error)
{
  const double first = DEBYE_CLASSROOM_LEAST_RADIUS, last = DEBYE_CLASSROOM_LAST_RADIUS;
  DebyeClassroomBornChoice choice = record->born;
  for (choice.radius = first; choice.radius <= last; choice.radius += STEP_OF_RADIUS) {
    DebyeClassroomPoint point = {.x = choice.radius};
    debye_job_set_progress(job, (choice.radius - first) / (last - first + STEP_OF_RADIUS));
    if (!debye_classroom_solve_born(registry, &choice, debye_job_get_cancel_flag(job), &point.y, NULL, error))
      return FALSE;
    g_array_append_val(record->born_energies, point);
  }
  return TRUE;
}

static gpointer
run_born(DebyeJob *job, gpointer data, GError **error)
{
  const BornWork *work = data;
  g_autoptr(DebyeClassroomRecord) record =
      debye_classroom_record_new(_("An ion of charge +e at 298.15 K; the salt's ions stay 2 Å away from it"));
  g_autoptr(GError) problem = NULL;
  record->born = work->choice;
  debye_job_set_message(job, _("Solving for an ion"));
  const DebyeRegistry *registry = debye_devices_wait(work->devices);
  gboolean is_done = debye_classroom_solve_born(registry, &work->choice, debye_job_get_cancel_flag(job),
                                                &record->born_energy, record->born_potential, &problem);
  if (is_done) {
    g_autoptr(DebyeClassroomRecord) copy = debye_classroom_record_copy(record);
    debye_job_publish(job, copy);
    is_done = solve_radii(job, registry, record, &problem);
  }
  if (is_done)
    return g_steal_pointer(&record);
  if (!*debye_job_get_cancel_flag(job))
    g_propagate_error(error, g_steal_pointer(&problem));
  return NULL;
}

DebyeJob *
debye_classroom_born_job_new(DebyeDevices *devices, const DebyeClassroomBornChoice *choice)
{
  BornWork *work = g_new0(BornWork, 1);
  work->devices = debye_devices_ref(devices);
  work->choice = *choice;
  return debye_job_new(_("Born's ion"), run_born, work, born_work_free);
}

/* --- Command --- */

/* The medium as `debye-cli map` takes it, for grids of this ion. */
static void
append_medium(GString *command, const DebyeClassroomBornChoice *choice)
{
  const DebyePoissonMedium medium = medium_of(choice);
  const gsize n = medium.grid.shape[0];
  char low[G_ASCII_DTOSTR_BUF_SIZE];
  g_ascii_formatd(low, sizeof low, "%.10g", medium.grid.origin.x);
  g_string_append(command, "debye-cli map --method pb --select all --radii file --surface-kind vdw "
                           "--solute-permittivity 1 --boundary debye-huckel");
  const struct {
    const char *option;
    double value;
  } options[] = {{"--permittivity", choice->permittivity},
                 {"--ionic-strength", choice->strength},
                 {"--ion-radius", ION_RADIUS},
                 {"--spacing", choice->spacing}};
  for (gsize i = 0; i < G_N_ELEMENTS(options); i++) {
    char value[G_ASCII_DTOSTR_BUF_SIZE];
    g_string_append_printf(command, " %s %s", options[i].option,
                           g_ascii_formatd(value, sizeof value, "%g", options[i].value));
  }
  g_string_append_printf(command, " --shape %zu,%zu,%zu --origin %s,%s,%s", n, n, n, low, low, low);
}

/* One number of a program of awk. */
static void
append_constant(GString *command, const char *name, double value)
{
  char number[G_ASCII_DTOSTR_BUF_SIZE];
  g_string_append_printf(command, "%s = %s; ", name, g_ascii_formatd(number, sizeof number, "%.8g", value));
}

/* Writes formula.dat, which is drawn beside what the grid gives: `rows` is a loop of awk over r, k is κ. */
static void
append_formula(GString *command, const DebyeClassroomBornChoice *choice, double scale, const char *rows)
{
  g_string_append(command, "LC_ALL=C awk 'BEGIN {");
  append_constant(command, "R", choice->radius);
  append_constant(command, "b", ION_RADIUS);
  append_constant(command, "e", choice->permittivity);
  append_constant(command, "k", kappa_of(choice));
  append_constant(command, "s", scale);
  g_string_append_printf(command, "%s}' > formula.dat", rows);
}

char *
debye_classroom_write_born_potential(const DebyeClassroomBornChoice *choice)
{
  char radius[G_ASCII_DTOSTR_BUF_SIZE], end[G_ASCII_DTOSTR_BUF_SIZE];
  g_ascii_formatd(radius, sizeof radius, "%g", choice->radius);
  g_ascii_formatd(end, sizeof end, "%g", choice->radius + SHOWN);
  GString *command = g_string_new(NULL);
  append_formula(command, choice, DEBYE_BJERRUM_VACUUM(TEMPERATURE) / choice->permittivity,
                 "for (d = 0; d < 10.01; d += 0.05) {r = R + d; x = r - R - b; print d, s*(x < 0 ? 1/r - "
                 "k/(1 + k*(R + b)) : exp(-k*x)/(r*(1 + k*(R + b))))}");
  g_string_append_printf(command, " && echo 'ATOM 1 I ION 1 0 0 0 1 %s' > ion.pqr && ", radius);
  append_medium(command, choice);
  g_string_append_printf(command,
                         " -o ion.h5 ion.pqr && debye-cli field --line-from %s,0,0 --line-to %s,0,0 "
                         "--measured formula.dat --curve 'formula: none, dashed' -o potential.svg ion.h5",
                         radius, end);
  return g_string_free(command, FALSE);
}

char *
debye_classroom_write_born_energies(const DebyeClassroomBornChoice *choice)
{
  DebyeClassroomBornChoice largest = *choice;
  GString *command = g_string_new(NULL);
  append_formula(command, choice, -0.5 * DEBYE_BJERRUM_VACUUM(TEMPERATURE) * KILOJOULE,
                 "for (r = 1; r < 5.01; r += 0.02) print r, s*((1 - 1/e)/r + k/(e*(1 + k*(r + b))))");
  g_string_append(command, " && for r in");
  for (double r = DEBYE_CLASSROOM_LEAST_RADIUS; r <= DEBYE_CLASSROOM_LAST_RADIUS; r += STEP_OF_RADIUS) {
    char radius[G_ASCII_DTOSTR_BUF_SIZE];
    g_string_append_printf(command, " %s", g_ascii_formatd(radius, sizeof radius, "%g", r));
  }
  largest.radius = DEBYE_CLASSROOM_LAST_RADIUS; /* its grid has room for all */
  g_string_append(command, "; do echo \"ATOM 1 I ION 1 0 0 0 1 $r\" > ion-$r.pqr && ");
  append_medium(command, &largest);
  g_string_append(
      command,
      " --energies --json --quiet -o ion-$r.h5 ion-$r.pqr | LC_ALL=C awk -v r=$r -F '\"solvation_kcal\": ' "
      "'{print r, 4.184*$2}'; done > grid.dat && debye-cli figure --x-label 'Radius *R* (Å)' --y-label "
      "'Solvation energy (kJ/mol)' --curve 'formula: solid, none' -o born.svg formula.dat+grid.dat");
  return g_string_free(command, FALSE);
}

/* --- Figures --- */

static void
add_curve(DebyePlot *plot, const char *name, const DebyeQuantity *x, const DebyeQuantity *y,
          DebyeCurveStyle style, const GArray *points)
{
  g_autoptr(DebyeCurve) curve = debye_classroom_record_new_curve(name, x, y, style, points, 1.0);
  debye_plot_add_curve(plot, curve, DEBYE_PLOT_Y);
}

DebyePlot *
debye_classroom_plot_born_potential(DebyeClassroomRecord *record)
{
  const DebyeClassroomBornChoice *choice = &record->born;
  const DebyeQuantity r = {"r", _("Distance from the ion"), "Å"},
                      phi = {"potential", _("Potential φ"), "kT/e"};
  g_autoptr(GArray) formula = g_array_new(FALSE, FALSE, sizeof(DebyeClassroomPoint));
  DebyePlot *plot = debye_plot_new();
  for (int i = 0; i < N_OF_FORMULA; i++) {
    DebyeClassroomPoint point = {.x = choice->radius + SHOWN * i / (N_OF_FORMULA - 1.0)};
    point.y = debye_classroom_born_potential(choice, point.x);
    g_array_append_val(formula, point);
  }
  add_curve(plot, _("formula"), &r, &phi, DEBYE_CURVE_LINE, formula);
  add_curve(plot, _("on the grid"), &r, &phi, DEBYE_CURVE_MARKERS, record->born_potential);
  if (choice->strength > 0.0)
    debye_plot_add_reference(plot, DEBYE_PLOT_X, choice->radius + ION_RADIUS, "a");
  return plot;
}

DebyePlot *
debye_classroom_plot_born_energies(DebyeClassroomRecord *record)
{
  const DebyeQuantity radius = {"radius", _("Radius R"), "Å"},
                      energy = {"energy", _("Solvation energy"), "kJ/mol"};
  g_autoptr(GArray) formula = g_array_new(FALSE, FALSE, sizeof(DebyeClassroomPoint));
  const double span = DEBYE_CLASSROOM_LAST_RADIUS - DEBYE_CLASSROOM_LEAST_RADIUS;
  DebyePlot *plot = debye_plot_new();
  DebyeClassroomBornChoice choice = record->born;
  for (int i = 0; i < N_OF_FORMULA; i++) {
    choice.radius = DEBYE_CLASSROOM_LEAST_RADIUS + span * i / (N_OF_FORMULA - 1.0);
    const DebyeClassroomPoint point = {choice.radius, debye_classroom_born_energy(&choice)};
    g_array_append_val(formula, point);
  }
  add_curve(plot, _("formula"), &radius, &energy, DEBYE_CURVE_LINE, formula);
  if (record->born_energies->len > 0)
    add_curve(plot, _("on the grid"), &radius, &energy, DEBYE_CURVE_MARKERS, record->born_energies);
  g_autofree char *mark = g_strdup_printf("%g Å", record->born.radius);
  debye_plot_add_reference(plot, DEBYE_PLOT_X, record->born.radius, mark);
  return plot;
}
