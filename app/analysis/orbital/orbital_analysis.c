/* SPDX-License-Identifier: MIT */
/* Maps of orbitals and densities as an analysis, listed in analysis_list.h. */
#include <math.h>

#include "app/analysis/driver/device_choice.h"
#include "kernels/chunk_threads.h"
#include "kernels/orbital/orbital_potential.h"
#include "orbital_run.h"

#define SCORE_PER_TERM 4.0       /* Coulomb pairs that a term of a primitive at a point takes as long as */
#define SECONDS_PER_PRODUCT 5e-9 /* of all primitives with all, on a core, at a point */
#define NEAR 0.15                /* of a molecule's primitives those that reach a point, about */

static double
count_functions(const DebyeOrbitalPlan *plan)
{
  double n = 0.0;
  for (guint i = 0; i < plan->maps->len; i++) {
    const DebyeOrbitalMapKind kind = g_array_index(plan->maps, DebyeOrbitalMap, i).kind;
    for (guint k = 0; k < plan->wave->orbitals->len && kind != DEBYE_ORBITAL_MAP_POTENTIAL; k++)
      if (kind != DEBYE_ORBITAL_MAP_ORBITAL && debye_orbital_plan_get_weight(plan, kind, k) != 0.0)
        n += kind == DEBYE_ORBITAL_MAP_LAPLACIAN ? 5.0 : 1.0;
    n += kind == DEBYE_ORBITAL_MAP_ORBITAL ? 1.0 : 0.0;
  }
  return n;
}

static gboolean
estimate(gpointer own, const DebyePlan *of G_GNUC_UNUSED, const DebyeRegistry *registry,
         DebyeEstimate *result, GError **error)
{
  const DebyeOrbitalPlan *plan = own;
  const DebyeDeviceEntry *devices[DEBYE_MAX_DEVICES];
  DebyeDeviceEntry processor;
  const gsize n_devices = debye_device_find(registry, &plan->settings.lanes, &processor, devices, error);
  if (n_devices == 0)
    return FALSE;
  const double n_points =
      plan->points != NULL ? (double)plan->points->len : (double)debye_grid_n_points(&plan->grid);
  const double terms = count_functions(plan) * n_points * plan->wave->exponents->len;
  result->seconds = terms * NEAR * SCORE_PER_TERM / devices[0]->info.score;
  if (plan->settings.potential)
    result->seconds +=
        n_points * pow(plan->wave->exponents->len, 2.0) * SECONDS_PER_PRODUCT / debye_chunk_threads_count();
  result->host_bytes = (guint64)(n_points * sizeof(float) * (plan->maps->len + 1.0));
  if (plan->settings.potential)
    result->host_bytes += debye_orbital_potential_most_bytes(&plan->basis);
  result->device_bytes = debye_device_is_cpu(devices[0]) ? 0 : (guint64)(n_points * sizeof(float));
  debye_device_choice_describe(devices, 1, result);
  return TRUE;
}

static const char *const examples[] = {
    "debye-cli orbital --orbital homo --orbital lumo -o frontier.h5 water.molden",
    "debye-cli orbital --density --spacing 0.1 -o density.cube benzene.fchk",
    "debye-cli orbital --density --potential -o potential.h5 water.molden",
    "debye-cli orbital --orbital homo --density --at points.txt -o values.csv water.molden",
    NULL,
};

static const DebyeAnalysisCommand command = {
    .operands = "FILE",
    .summary = "Computes orbitals and electron densities of a wave function",
    .description =
        "Reads a Molden file or a formatted checkpoint of Gaussian and computes the chosen orbitals (in "
        "bohr^-3/2), the electron density, the spin density (in electrons/bohr³), the density's Laplacian "
        "(in electrons/bohr⁵) and the electrostatic potential of nuclei and electrons (in hartree/e) on a "
        "grid around the nuclei, or at the points of --at. Gaussians from s to i may be Cartesian or pure; "
        "the normalisation of the program that wrote the file is found from the norms of the orbitals and "
        "reported.\n\nWrites .h5 (all maps, the list of orbitals and how they were made: see rerun); the "
        "first map alone as .dx, .cube and .ccp4; as .csv the values of --at, else the list of orbitals with "
        "energies and occupations.",
    .examples = examples,
    .can_share = TRUE,
};

const DebyeAnalysis debye_analysis_orbital = {
    .table = &debye_orbital_settings,
    .command = &command,
    .plan_size = sizeof(DebyeOrbitalPlan),
    .plan = debye_orbital_plan_init,
    .plan_clear = debye_orbital_plan_clear,
    .estimate = estimate,
    .run = debye_orbital_run,
};
