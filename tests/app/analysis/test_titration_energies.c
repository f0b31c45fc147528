/* SPDX-License-Identifier: MIT */
/* Energies of sites in a sphere of low permittivity against the series of Kirkwood and of Tanford, what of them is held,
 * a model compound alone, that two sites feel each other alike, and how far the solvent reaches them. */
#include <math.h>

#include "app/analysis/titration/titration_access.h"
#include "app/analysis/titration/titration_energies.h"
#include "data/files/error.h"
#include "kernels/cpu/backend_cpu.h"
#include "kernels/poisson/poisson_medium.h"

#define TEMPERATURE 298.15
#define INSIDE 4.0
#define OUTSIDE 80.0
#define RADIUS 8.0   /* Å, of the sphere */
#define COMPOUND 2.0 /* Å, of the model compound */
#define TERMS 60

static const DebyeTitrationMedium rigid = {
    .solute = INSIDE, .solvent = OUTSIDE, .temperature = TEMPERATURE, .spacing = 0.5, .held = 1.0};

typedef struct {
  DebyeTitrationSites *sites;
  DebyeTitrationModel *model;
  DebyeTitrationSolved solved;
} Solved;

static void
add_atom(DebyeTitrationSites *sites, DebyeVec3 position, double radius)
{
  const float values[] = {(float)position.x, (float)position.y, (float)position.z, (float)radius, 0.0f};
  GArray *const arrays[] = {sites->x, sites->y, sites->z, sites->radii, sites->charges};
  for (gsize k = 0; k < G_N_ELEMENTS(arrays); k++)
    g_array_append_val(arrays[k], values[k]);
}

static void
free_site(gpointer data)
{
  DebyeTitrationSite *site = data;
  g_array_unref(site->atoms);
  g_array_unref(site->model);
  for (guint s = 0; s < site->n_states; s++)
    g_free(site->states[s].charges);
  g_free(site);
}

/* One atom, without a charge or with −1. */
static void
add_site(DebyeTitrationSites *sites, DebyeVec3 position)
{
  const guint32 atom = sites->x->len;
  DebyeTitrationSite *site = g_new0(DebyeTitrationSite, 1);
  site->atoms = g_array_new(FALSE, FALSE, sizeof(guint32));
  site->model = g_array_new(FALSE, FALSE, sizeof(guint32));
  g_array_append_val(site->atoms, atom);
  g_array_append_val(site->model, atom);
  site->place = atom + 1;
  site->n_states = 2;
  site->states[0] = (DebyeTitrationState){.protons = 1.0, .charges = g_new0(double, 1)};
  site->states[1] = (DebyeTitrationState){.charges = g_new0(double, 1)};
  site->states[1].charges[0] = -1.0;
  add_atom(sites, position, COMPOUND);
  g_ptr_array_add(sites->sites, site);
}

static DebyeTitrationSites *
make_sites(void)
{
  DebyeTitrationSites *sites = g_new0(DebyeTitrationSites, 1);
  GArray **const arrays[] = {&sites->x, &sites->y, &sites->z, &sites->radii, &sites->charges};
  for (gsize k = 0; k < G_N_ELEMENTS(arrays); k++)
    *arrays[k] = g_array_new(FALSE, FALSE, sizeof(float));
  sites->sites = g_ptr_array_new_with_free_func(free_site);
  return sites;
}

static Solved
solve_sites(DebyeTitrationSites *sites, const DebyeTitrationMedium *medium, GError **error)
{
  Solved solved = {.sites = sites};
  DebyeRegistry *registry = debye_registry_new(&debye_backend_cpu, NULL);
  const DebyeDeviceEntry *devices[DEBYE_MAX_DEVICES];
  const DebyeLaneSettings lanes = {.device = "cpu"};
  const gsize n_devices = debye_device_choose(registry, &lanes, devices, error);
  const DebyeTitrationEnergySettings settings = {
      .medium = *medium, .devices = devices, .n_devices = n_devices};
  solved.model = debye_titration_energies_compute(solved.sites, &settings, &solved.solved, error);
  debye_registry_free(registry);
  return solved;
}

static Solved
solve(const DebyeVec3 *places, gsize n, gboolean has_sphere)
{
  g_autoptr(GError) error = NULL;
  DebyeTitrationSites *sites = make_sites();
  if (has_sphere)
    add_atom(sites, debye_vec3(0.0, 0.0, 0.0), RADIUS);
  for (gsize i = 0; i < n; i++)
    add_site(sites, places[i]);
  const Solved solved = solve_sites(sites, &rigid, &error);
  g_assert_no_error(error);
  return solved;
}

static void
clear(Solved *solved)
{
  debye_titration_model_free(solved->model);
  debye_titration_sites_free(solved->sites);
}

/* J. G. Kirkwood, J. Chem. Phys. 2 (1934) 351, without salt: the reaction potential of a unit charge at another, kT/e. */
static double
get_reaction(DebyeVec3 one, DebyeVec3 other)
{
  const double a = debye_vec3_length(one), b = debye_vec3_length(other);
  const double cosine = a > 0.0 && b > 0.0 ? debye_vec3_dot(one, other) / (a * b) : 1.0;
  double sum = 0.0, power = 1.0 / RADIUS, before = 1.0, legendre = 1.0;
  for (int n = 0; n < TERMS; n++) {
    sum += (n + 1) * (INSIDE - OUTSIDE) / (INSIDE * (n * INSIDE + (n + 1) * OUTSIDE)) * power * legendre;
    power *= a * b / (RADIUS * RADIUS);
    const double next = ((2 * n + 1) * cosine * legendre - n * before) / (n + 1);
    before = legendre;
    legendre = next;
  }
  return sum * DEBYE_BJERRUM_VACUUM(TEMPERATURE);
}

/* kT, of one charge in the sphere less that in its compound. */
static double
get_shift(DebyeVec3 place)
{
  const double born = DEBYE_BJERRUM_VACUUM(TEMPERATURE) * (1.0 / OUTSIDE - 1.0 / INSIDE) / COMPOUND;
  return 0.5 * (get_reaction(place, place) - born);
}

/* kT, of two unit charges in the sphere. */
static double
get_pair(DebyeVec3 one, DebyeVec3 other)
{
  const double distance = debye_vec3_length(debye_vec3_subtract(one, other));
  return DEBYE_BJERRUM_VACUUM(TEMPERATURE) / (INSIDE * distance) + get_reaction(one, other);
}

static void
test_sphere(void)
{
  const DebyeVec3 places[] = {debye_vec3(0.3, 0.1, -0.2), debye_vec3(2.1, -3.3, 2.4),
                              debye_vec3(-1.2, 0.4, 4.8)};
  Solved solved = solve(places, G_N_ELEMENTS(places), TRUE);
  const gsize n = solved.model->n_states;
  for (gsize i = 0; i < G_N_ELEMENTS(places); i++) {
    const double shift = get_shift(places[i]);
    /* 0.03 pK of shifts by some 12: half a per cent. */
    g_assert_cmpfloat_with_epsilon(solved.model->energy[2 * i + 1], shift, 0.03 * G_LN10);
    for (gsize j = 0; j < i; j++) {
      g_assert_cmpfloat_with_epsilon(solved.model->interaction[(2 * i + 1) * n + 2 * j + 1],
                                     get_pair(places[i], places[j]), 0.02 * G_LN10);
    }
  }
  /* Of interactions by 20 kT and more. */
  g_assert_cmpfloat(solved.solved.asymmetry, <, 0.002 * solved.model->interaction[1 * n + 3]);
  g_assert_cmpfloat(solved.solved.residual, <=, 1e-5);
  g_assert_cmpuint(solved.solved.n_solutions, ==, 4 * G_N_ELEMENTS(places));
  clear(&solved);
}

/* Of a permanent charge and of another residue's site so much is felt as is held; its own
 * reaction field and what is of the same residue are felt whole. */
static void
test_held(void)
{
  enum { OTHER, ONE, BESIDE, N };
  const double held = 0.7, charge = 0.5;
  const DebyeVec3 places[N] = {debye_vec3(2.1, -3.3, 2.4), debye_vec3(-1.2, 0.4, 4.8),
                               debye_vec3(-3.9, 0.2, 1.3)};
  const DebyeVec3 middle = debye_vec3(0.0, 0.0, 0.0);
  DebyeTitrationMedium medium = rigid;
  DebyeTitrationSites *sites = make_sites();
  g_autoptr(GError) error = NULL;
  add_atom(sites, middle, RADIUS);
  g_array_index(sites->charges, float, 0) = (float)charge;
  for (gsize i = 0; i < N; i++)
    add_site(sites, places[i]);
  ((DebyeTitrationSite *)sites->sites->pdata[BESIDE])->place =
      ((DebyeTitrationSite *)sites->sites->pdata[ONE])->place;
  medium.held = held;
  Solved solved = solve_sites(sites, &medium, &error);
  g_assert_no_error(error);
  for (gsize i = 0; i < N; i++) {
    g_assert_cmpfloat_with_epsilon(solved.model->energy[2 * i + 1],
                                   get_shift(places[i]) - held * charge * get_pair(places[i], middle),
                                   0.03 * G_LN10);
    for (gsize j = 0; j < i; j++)
      g_assert_cmpfloat_with_epsilon(
          solved.model->interaction[(2 * i + 1) * solved.model->n_states + 2 * j + 1],
          (j == OTHER ? held : 1.0) * get_pair(places[i], places[j]), 0.02 * G_LN10);
  }
  clear(&solved);
}

/* Alone it is its own model compound, wherever it is on the grid. */
static void
test_compound(void)
{
  for (int k = 0; k < 3; k++) {
    const DebyeVec3 place = debye_vec3(0.37 * k, -0.21 * k, 0.13 * k);
    Solved solved = solve(&place, 1, FALSE);
    g_assert_cmpfloat_with_epsilon(solved.model->energy[1], 0.0, 0.01 * G_LN10);
    g_assert_cmpfloat(solved.model->energy[0], ==, 0.0);
    clear(&solved);
  }
}

static void
test_nothing(void)
{
  Solved solved = solve(NULL, 0, TRUE);
  g_assert_cmpuint(solved.model->n_states, ==, 0);
  clear(&solved);
}

/* Sites that touch, in the sphere and alone: of two spheres of radius R the part (1 + d/2R)/2 of each is outside the other. */
static void
test_access(void)
{
  enum { TOUCHING, TOUCHED, WITHIN, ALONE, N };
  const double distance = 4.0, reach = COMPOUND + 1.4;
  const DebyeVec3 places[N] = {debye_vec3(40.0, 0.0, 0.0), debye_vec3(40.0, distance, 0.0),
                               debye_vec3(1.0, 2.0, -1.0), debye_vec3(-40.0, 0.0, 0.0)};
  const double part = 0.5 * (1.0 + 0.5 * distance / reach);
  const double expected[N] = {part, part, 0.0, 1.0};
  g_autoptr(GError) error = NULL;
  g_autoptr(DebyeTitrationSites) sites = make_sites();
  add_atom(sites, debye_vec3(0.0, 0.0, 0.0), RADIUS);
  for (gsize i = 0; i < N; i++)
    add_site(sites, places[i]);
  g_autofree double *access = debye_titration_access_measure(sites, &error);
  g_assert_no_error(error);
  for (gsize i = 0; i < N; i++)
    g_assert_cmpfloat_with_epsilon(access[i], expected[i], 1e-6);
}

/* Petabytes: the error is about the titration, whose grid nobody chose. */
static void
test_memory(void)
{
  DebyeTitrationMedium medium = rigid;
  DebyeTitrationSites *sites = make_sites();
  g_autoptr(GError) error = NULL;
  add_site(sites, debye_vec3(0.0, 0.0, 0.0));
  medium.spacing = 1e-4;
  Solved solved = solve_sites(sites, &medium, &error);
  g_assert_error(error, DEBYE_ERROR, DEBYE_ERROR_MEMORY);
  g_assert_true(g_str_has_prefix(error->message, "titration: no memory for a map of "));
  g_assert_null(solved.model);
  debye_titration_sites_free(solved.sites);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/titration-energies/sphere", test_sphere);
  g_test_add_func("/titration-energies/held", test_held);
  g_test_add_func("/titration-energies/compound", test_compound);
  g_test_add_func("/titration-energies/nothing", test_nothing);
  g_test_add_func("/titration-energies/memory", test_memory);
  g_test_add_func("/titration-energies/access", test_access);
  return g_test_run();
}
