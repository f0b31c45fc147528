/* SPDX-License-Identifier: MIT */
/* Sites of a structure and their states: how many, their charges and energies, and where protons that turn or leave are. */
#include <math.h>
#include <string.h>

#include "data/prepare/prepare.h"
#include "data/prepare/titration_sites.h"
#include "tests/support/text_file.h"

/* Of lysozyme (4LZT). */
static const char peptide[] =
    "ATOM    400  N   THR A  51       5.600   4.933  33.022  1.00  6.33           N\n"
    "ATOM    401  CA  THR A  51       5.920   5.022  31.612  1.00  6.11           C\n"
    "ATOM    402  C   THR A  51       4.992   6.064  30.989  1.00  5.53           C\n"
    "ATOM    403  O   THR A  51       3.836   6.152  31.347  1.00  6.46           O\n"
    "ATOM    404  CB  THR A  51       5.778   3.667  30.946  1.00  7.11           C\n"
    "ATOM    405  OG1 THR A  51       6.687   2.746  31.559  1.00  8.84           O\n"
    "ATOM    406  CG2 THR A  51       6.067   3.661  29.462  1.00  8.01           C\n"
    "ATOM    407  N   ASP A  52       5.550   6.804  30.040  1.00  5.90           N\n"
    "ATOM    408  CA  ASP A  52       4.782   7.757  29.245  1.00  5.99           C\n"
    "ATOM    409  C   ASP A  52       4.506   7.140  27.896  1.00  5.75           C\n"
    "ATOM    410  O   ASP A  52       5.412   6.624  27.231  1.00  7.31           O\n"
    "ATOM    411  CB  ASP A  52       5.586   9.049  29.057  1.00  7.12           C\n"
    "ATOM    412  CG  ASP A  52       6.036   9.658  30.341  1.00  8.99           C\n"
    "ATOM    413  OD1 ASP A  52       5.270   9.748  31.264  1.00 13.05           O\n"
    "ATOM    414  OD2 ASP A  52       7.258  10.003  30.381  1.00 14.87           O\n"
    "ATOM    415  N   TYR A  53       3.236   7.187  27.460  1.00  5.62           N\n"
    "ATOM    416  CA  TYR A  53       2.779   6.458  26.298  1.00  5.88           C\n"
    "ATOM    417  C   TYR A  53       2.187   7.348  25.219  1.00  5.48           C\n"
    "ATOM    418  O   TYR A  53       1.285   8.139  25.464  1.00  6.35           O\n"
    "ATOM    419  CB  TYR A  53       1.680   5.461  26.703  1.00  6.85           C\n"
    "ATOM    420  CG  TYR A  53       2.145   4.327  27.584  1.00  6.53           C\n"
    "ATOM    421  CD1 TYR A  53       2.582   3.157  27.008  1.00  8.88           C\n"
    "ATOM    422  CD2 TYR A  53       2.133   4.389  28.950  1.00  6.35           C\n"
    "ATOM    423  CE1 TYR A  53       3.004   2.066  27.746  1.00  8.62           C\n"
    "ATOM    424  CE2 TYR A  53       2.548   3.314  29.711  1.00  6.53           C\n"
    "ATOM    425  CZ  TYR A  53       2.976   2.164  29.123  1.00  7.16           C\n"
    "ATOM    426  OH  TYR A  53       3.421   1.064  29.848  1.00  8.47           O\n"
    "END\n";

static DebyeTitrationSites *
make_sites(void)
{
  const DebyePrepareSettings settings = {
      .states = {.titrate = DEBYE_TITRATE_MODEL, .ph = 7.0, .table = DEBYE_CHARGE_TABLE_PARSE}};
  g_autoptr(DebyeTemporaryFolder) folder = debye_temporary_folder_new();
  g_autoptr(DebyeDataset) dataset = text_file_open(folder, "peptide.pdb", peptide);
  g_autoptr(DebyeFrame) frame = text_file_read(dataset, 0);
  g_autoptr(GError) error = NULL;
  g_autoptr(DebyePrepared) prepared =
      debye_prepare(debye_dataset_get_topology(dataset), frame, &settings, &error);
  g_assert_no_error(error);
  DebyeTitrationSites *sites = debye_titration_sites_new(prepared, &settings, &error);
  g_assert_no_error(error);
  return sites;
}

static const DebyeTitrationSite *
find_site(const DebyeTitrationSites *sites, const char *family)
{
  for (guint i = 0; i < sites->sites->len; i++) {
    const DebyeTitrationSite *site = g_ptr_array_index(sites->sites, i);
    if (strcmp(site->family, family) == 0)
      return site;
  }
  g_error("no site of %s", family);
}

static double
sum(const DebyeTitrationSite *site, guint state)
{
  double charge = 0.0;
  for (guint i = 0; i < site->atoms->len; i++)
    charge += site->states[state].charges[i];
  return charge;
}

/* Å */
static double
get_distance(const DebyeTitrationSites *sites, guint32 a, guint32 b)
{
  const double x = (double)(g_array_index(sites->x, float, a) - g_array_index(sites->x, float, b));
  const double y = (double)(g_array_index(sites->y, float, a) - g_array_index(sites->y, float, b));
  const double z = (double)(g_array_index(sites->z, float, a) - g_array_index(sites->z, float, b));
  return sqrt(x * x + y * y + z * z);
}

/* Places of protons have no sphere, and are in that of their oxygen. */
static void
check_places(const DebyeTitrationSites *sites, const DebyeTitrationSite *site, guint n_places)
{
  guint n = 0;
  for (guint i = 0; i < site->atoms->len; i++) {
    const guint32 atom = g_array_index(site->atoms, guint32, i);
    gboolean is_within = FALSE;
    if (g_array_index(sites->radii, float, atom) > 0.0f)
      continue;
    n++;
    for (guint k = 0; k < site->model->len; k++) {
      const guint32 other = g_array_index(site->model, guint32, k);
      is_within |= get_distance(sites, atom, other) < (double)g_array_index(sites->radii, float, other);
    }
    g_assert_true(is_within);
  }
  g_assert_cmpuint(n, ==, n_places);
}

static void
check_site(const DebyeTitrationSites *sites, const char *family, guint n_protonated)
{
  const DebyeTitrationSite *site = find_site(sites, family);
  double weight = 0.0;
  guint n = 0;
  check_places(sites, site, n_protonated);
  for (guint s = 0; s < site->n_states; s++) {
    const gboolean has = site->states[s].protons > 0.0;
    g_assert_cmpfloat_with_epsilon(sum(site, s) - sum(site, 0), has ? 0.0 : -1.0, 1e-6);
    weight += has ? exp(-site->states[s].energy) : 0.0;
    n += has;
  }
  g_assert_cmpuint(n, ==, n_protonated);
  g_assert_cmpuint(site->n_states, ==, n_protonated + 1);
  g_assert_cmpfloat_with_epsilon(log10(weight), site->pka, 1e-9);
}

static void
test_acids(void)
{
  g_autoptr(DebyeTitrationSites) sites = make_sites();
  check_site(sites, "ASP", 4);
  check_site(sites, "TYR", 2);
}

static void
test_hydroxyl(void)
{
  g_autoptr(DebyeTitrationSites) sites = make_sites();
  const DebyeTitrationSite *site = find_site(sites, "THR");
  g_assert_true(isnan(site->pka));
  g_assert_cmpuint(site->n_states, ==, 3);
  check_places(sites, site, 3);
  for (guint s = 0; s < 3; s++) {
    g_assert_cmpfloat_with_epsilon(sum(site, s), sum(site, 0), 1e-6);
    g_assert_cmpfloat(site->states[s].energy, ==, 0.0);
  }
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/titration-sites/acids", test_acids);
  g_test_add_func("/titration-sites/hydroxyl", test_hydroxyl);
  return g_test_run();
}
