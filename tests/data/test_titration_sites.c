/* SPDX-License-Identifier: MIT */
/* Sites of a structure and their states: how many, their charges and energies, and where protons that turn or leave are. */
#include <math.h>
#include <string.h>

#include "data/files/error.h"
#include "data/prepare/prepare.h"
#include "data/prepare/titration_sites.h"
#include "tests/support/text_file.h"

/* A piece of lysozyme (4LZT). */
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

/* Of trypsin inhibitor (4PTI): two pieces that a disulfide joins. */
static const char bridge[] =
    "ATOM     98  N   PRO A  13      12.235  12.905  15.210  1.00 16.20           N\n"
    "ATOM     99  CA  PRO A  13      11.516  11.958  16.067  1.00 16.32           C\n"
    "ATOM    100  C   PRO A  13      10.094  12.319  16.468  1.00 12.33           C\n"
    "ATOM    101  O   PRO A  13       9.440  11.442  17.052  1.00 18.86           O\n"
    "ATOM    102  CB  PRO A  13      12.272  11.936  17.370  1.00 17.84           C\n"
    "ATOM    103  CG  PRO A  13      13.164  13.172  17.399  1.00 15.31           C\n"
    "ATOM    104  CD  PRO A  13      13.281  13.627  15.925  1.00 15.86           C\n"
    "ATOM    105  N   CYS A  14       9.629  13.519  16.214  1.00 13.35           N\n"
    "ATOM    106  CA  CYS A  14       8.290  13.980  16.616  1.00 12.04           C\n"
    "ATOM    107  C   CYS A  14       7.268  13.720  15.515  1.00 13.32           C\n"
    "ATOM    108  O   CYS A  14       7.672  13.397  14.387  1.00 13.30           O\n"
    "ATOM    109  CB  CYS A  14       8.279  15.441  16.967  1.00  7.04           C\n"
    "ATOM    110  SG  CYS A  14       9.221  15.735  18.490  1.00 11.46           S\n"
    "ATOM    111  N   LYS A  15       6.027  13.680  15.869  1.00  9.45           N\n"
    "ATOM    112  CA  LYS A  15       5.005  13.220  14.945  1.00 19.55           C\n"
    "ATOM    113  C   LYS A  15       3.964  14.283  14.630  1.00 14.91           C\n"
    "ATOM    114  O   LYS A  15       2.777  13.949  14.377  1.00 23.09           O\n"
    "ATOM    115  CB  LYS A  15       4.310  11.998  15.592  1.00 21.75           C\n"
    "ATOM    116  CG  LYS A  15       5.273  10.848  15.913  1.00 32.27           C\n"
    "ATOM    117  CD  LYS A  15       5.781  10.034  14.702  1.00 32.10           C\n"
    "ATOM    118  CE  LYS A  15       6.855   9.016  15.126  1.00  0.00           C\n"
    "ATOM    119  NZ  LYS A  15       7.357   8.291  13.953  1.00  0.00           N\n"
    "ATOM    293  N   GLY B  37       8.385  18.202  13.646  1.00  6.75           N\n"
    "ATOM    294  CA  GLY B  37       8.275  19.366  14.533  1.00  7.09           C\n"
    "ATOM    295  C   GLY B  37       9.338  19.430  15.620  1.00 10.82           C\n"
    "ATOM    296  O   GLY B  37       9.309  20.380  16.415  1.00 14.39           O\n"
    "ATOM    297  N   CYS B  38      10.317  18.555  15.610  1.00 10.99           N\n"
    "ATOM    298  CA  CYS B  38      11.453  18.707  16.541  1.00  6.52           C\n"
    "ATOM    299  C   CYS B  38      12.763  18.232  15.950  1.00  8.51           C\n"
    "ATOM    300  O   CYS B  38      12.753  17.224  15.201  1.00 10.70           O\n"
    "ATOM    301  CB  CYS B  38      11.179  18.055  17.937  1.00  8.56           C\n"
    "ATOM    302  SG  CYS B  38      11.154  16.283  17.922  1.00 11.70           S\n"
    "ATOM    303  N   ARG B  39      13.828  18.788  16.529  1.00 12.08           N\n"
    "ATOM    304  CA  ARG B  39      15.222  18.387  16.262  1.00 11.96           C\n"
    "ATOM    305  C   ARG B  39      15.644  18.605  14.798  1.00 12.54           C\n"
    "ATOM    306  O   ARG B  39      16.306  17.708  14.224  1.00 12.66           O\n"
    "ATOM    307  CB  ARG B  39      15.486  16.941  16.719  1.00  9.59           C\n"
    "ATOM    308  CG  ARG B  39      14.949  16.624  18.147  1.00 12.04           C\n"
    "ATOM    309  CD  ARG B  39      15.484  17.593  19.195  1.00 12.01           C\n"
    "ATOM    310  NE  ARG B  39      15.081  17.068  20.497  1.00 10.34           N\n"
    "ATOM    311  CZ  ARG B  39      15.268  17.831  21.574  1.00 11.83           C\n"
    "ATOM    312  NH1 ARG B  39      15.870  19.020  21.453  1.00 11.53           N\n"
    "ATOM    313  NH2 ARG B  39      14.930  17.321  22.753  1.00 10.10           N\n"
    "END\n";

/* At the oxygen of threonine, in place of its proton. */
static const char linked[] =
    "HETATM  501  C1  LIG A 101       8.023   3.155  31.865  1.00  0.00           C\n"
    "HETATM  502  C2  LIG A 101       8.995   2.170  32.520  1.00  0.00           C\n"
    "END\n";

/* At the sulfur of cysteine 14. */
static const char zinc[] = "HETATM  501 ZN    ZN A 101      10.600  15.735  20.300  1.00  0.00          ZN\n"
                           "END\n";

static DebyePrepareSettings
get_settings(void)
{
  return (DebyePrepareSettings){
      .states = {.titrate = DEBYE_TITRATE_MODEL, .ph = 7.0, .table = DEBYE_CHARGE_TABLE_PARSE}};
}

static DebyePrepared *
prepare(const char *text, const DebyePrepareSettings *settings)
{
  g_autoptr(DebyeTemporaryFolder) folder = debye_temporary_folder_new();
  g_autoptr(DebyeDataset) dataset = text_file_open(folder, "peptide.pdb", text);
  g_autoptr(DebyeFrame) frame = text_file_read(dataset, 0);
  g_autoptr(GError) error = NULL;
  DebyePrepared *prepared = debye_prepare(debye_dataset_get_topology(dataset), frame, settings, &error);
  g_assert_no_error(error);
  return prepared;
}

static DebyeTitrationSites *
make_sites_of(const char *text, const DebyePrepareSettings *settings)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(DebyePrepared) prepared = prepare(text, settings);
  DebyeTitrationSites *sites = debye_titration_sites_new(prepared, settings, &error);
  g_assert_no_error(error);
  return sites;
}

static DebyeTitrationSites *
make_sites(const char *text)
{
  const DebyePrepareSettings settings = get_settings();
  return make_sites_of(text, &settings);
}

/* "NTR 51, THR 51 …" */
static void
check_list(const DebyeTitrationSites *sites, const char *expected)
{
  g_autoptr(GString) list = g_string_new(NULL);
  for (guint i = 0; i < sites->sites->len; i++)
    g_string_append_printf(list, "%s%s", i > 0 ? ", " : "",
                           ((const DebyeTitrationSite *)g_ptr_array_index(sites->sites, i))->residue);
  g_assert_cmpstr(list->str, ==, expected);
}

/* e, with all protons: below all pK. */
static void
check_charge(const DebyeTitrationSites *sites, double expected)
{
  double charge = 0.0;
  for (guint k = 0; k < sites->charges->len; k++)
    charge += (double)g_array_index(sites->charges, float, k);
  for (guint i = 0; i < sites->sites->len; i++)
    charge += 1.0 - ((const DebyeTitrationSite *)g_ptr_array_index(sites->sites, i))->states[0].protons -
              (isnan(((const DebyeTitrationSite *)g_ptr_array_index(sites->sites, i))->pka) ? 1.0 : 0.0);
  g_assert_cmpfloat_with_epsilon(charge, expected, 1e-4);
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
  g_autoptr(DebyeTitrationSites) sites = make_sites(peptide);
  check_site(sites, "ASP", 4);
  check_site(sites, "TYR", 2);
}

static void
test_hydroxyl(void)
{
  g_autoptr(DebyeTitrationSites) sites = make_sites(peptide);
  const DebyeTitrationSite *site = find_site(sites, "THR");
  g_assert_true(isnan(site->pka));
  g_assert_cmpuint(site->n_states, ==, 3);
  check_places(sites, site, 3);
  for (guint s = 0; s < 3; s++) {
    g_assert_cmpfloat_with_epsilon(sum(site, s), sum(site, 0), 1e-6);
    g_assert_cmpfloat(site->states[s].energy, ==, 0.0);
  }
}

static void
test_disulfide(void)
{
  g_autoptr(DebyeTitrationSites) sites = make_sites(bridge);
  check_list(sites, "NTR 13, LYS 15, CTR 15, NTR 37, ARG 39, CTR 39");
  check_charge(sites, 4.0);
}

/* Every occurrence; free with g_free. */
static char *
replace(const char *text, const char *old, const char *other)
{
  g_auto(GStrv) parts = g_strsplit(text, old, -1);
  g_assert_nonnull(parts[1]);
  return g_strjoinv(other, parts);
}

/* Where the chain goes on in the file both ends are charged, and stay so. */
static void
test_break(void)
{
  g_autofree char *text = replace(bridge, " B  3", " A  3");
  g_autoptr(DebyeTitrationSites) sites = make_sites(text);
  check_list(sites, "NTR 13, LYS 15, ARG 39, CTR 39");
  check_charge(sites, 3.0);
}

static void
test_metal(void)
{
  g_autofree char *text = g_strndup(bridge, (gsize)(strstr(bridge, "ATOM    293") - bridge));
  g_autofree char *free = g_strconcat(text, "END\n", NULL), *held = g_strconcat(text, zinc, NULL);
  DebyePrepareSettings settings = get_settings();
  settings.states.table = DEBYE_CHARGE_TABLE_AMBER; /* PARSE has no zinc */
  g_autoptr(DebyeTitrationSites) sites = make_sites_of(free, &settings);
  g_autoptr(DebyeTitrationSites) others = make_sites_of(held, &settings);
  check_list(sites, "NTR 13, CYS 14, LYS 15, CTR 15");
  check_charge(sites, 2.0);
  check_list(others, "NTR 13, LYS 15, CTR 15");
  check_charge(others, 3.0); /* a thiolate, and zinc's two */
}

static void
test_caps(void)
{
  DebyePrepareSettings settings = get_settings();
  settings.states.termini = DEBYE_TERMINI_CAPPED;
  g_autoptr(DebyeTitrationSites) sites = make_sites_of(peptide, &settings);
  check_list(sites, "THR 51, ASP 52, TYR 53");
  check_charge(sites, 0.0);
}

/* It ends no chain, and its neighbours stay whose they are. Its own charge is that of a carboxylate. */
static void
test_modified(void)
{
  const DebyePrepareState chosen = {.chain = "A", .number = 53, .state = "TYR"};
  DebyePrepareSettings settings = get_settings();
  g_autofree char *text = replace(peptide, "ASP", "UNK");
  g_autoptr(DebyeTitrationSites) sites = make_sites_of(text, &settings);
  check_list(sites, "NTR 51, THR 51, TYR 53, CTR 53");
  check_charge(sites, 0.0);
  settings.states.termini = DEBYE_TERMINI_CAPPED;
  g_autoptr(DebyeTitrationSites) capped = make_sites_of(text, &settings);
  check_list(capped, "THR 51, TYR 53");
  check_charge(capped, -1.0);
  settings.states.states = &chosen;
  settings.states.n_states = 1;
  g_autoptr(DebyeTitrationSites) rest = make_sites_of(text, &settings);
  check_list(rest, "THR 51");
  check_charge(rest, -1.0);
}

/* An amide that a person turned is turned once. */
static void
test_turned(void)
{
  const DebyePrepareState chosen[] = {{.chain = "A", .number = 52, .state = "ASN turned"},
                                      {.chain = "A", .name = "CTR", .number = 53, .state = "capped"}};
  DebyePrepareSettings settings = get_settings();
  g_autofree char *named = replace(peptide, "OD2 ASP", "ND2 ASP"), *renamed = replace(named, "ASP", "ASN");
  g_autofree char *text = replace(renamed, "14.87           O", "14.87           N");
  settings.states.states = chosen;
  settings.states.n_states = G_N_ELEMENTS(chosen);
  g_autoptr(DebyePrepared) prepared = prepare(text, &settings);
  g_autoptr(DebyeTitrationSites) sites = make_sites_of(text, &settings);
  check_list(sites, "NTR 51, THR 51, TYR 53");
  check_charge(sites, 1.0);
  const guint32 first = debye_topology_get_residue_table(prepared->topology)[1].first_atom;
  for (guint32 i = 0; i < 8; i++) /* heavy atoms */
    g_assert_cmpfloat(g_array_index(sites->x, float, first + i), ==, prepared->frame->x[first + i]);
}

static void
test_linked(void)
{
  g_autofree char *text = replace(peptide, "END\n", linked);
  g_autoptr(DebyeTitrationSites) sites = make_sites(text);
  check_list(sites, "NTR 51, ASP 52, TYR 53, CTR 53");
  check_charge(sites, 1.0);
}

/* A second time a molecule has another charge: what it had depended on what isn't there. */
static void
test_changed_charge(void)
{
  const DebyePrepareSettings settings = get_settings();
  g_autofree char *text = replace(peptide, "END\n", linked);
  g_autoptr(DebyePrepared) prepared = prepare(text, &settings);
  g_autoptr(GError) error = NULL;
  const gsize n = debye_topology_get_n_atoms(prepared->topology);
  g_autofree float *charges = g_memdup2(debye_topology_get_charges(prepared->topology), n * sizeof(float));
  charges[n - 1] += 1.0f;
  DebyeTopology *changed = debye_topology_with_charges(prepared->topology, charges);
  g_object_unref(prepared->topology);
  prepared->topology = changed;
  g_assert_null(debye_titration_sites_new(prepared, &settings, &error));
  g_assert_error(error, DEBYE_ERROR, DEBYE_ERROR_VALUE);
  g_assert_cmpstr(error->message, ==,
                  "residue LIG 101: its charge depends on atoms outside the protein, which titration does "
                  "not count. Choose the atoms to keep without it, or states by model values");
}

/* Two chains of one number after another, 40 Å apart. */
static char *
make_nameless(void)
{
  g_autofree char *one = replace(peptide, " A  5", "    5");
  g_autoptr(GString) text = g_string_new_len(one, (gssize)(strlen(one) - strlen("END\n")));
  g_auto(GStrv) lines = g_strsplit(one, "\n", -1);
  for (guint k = 0; lines[k] != NULL; k++) {
    if (!g_str_has_prefix(lines[k], "ATOM"))
      continue;
    g_autofree char *x = g_strndup(lines[k] + 30, 8);
    g_string_append_printf(text, "%.30s%8.3f%s\n", lines[k], g_ascii_strtod(x, NULL) + 40.0, lines[k] + 38);
  }
  g_string_append(text, "END\n");
  return g_string_free(g_steal_pointer(&text), FALSE);
}

static void
test_nameless_chains(void)
{
  g_autofree char *text = make_nameless();
  g_autoptr(DebyeTitrationSites) sites = make_sites(text);
  check_list(sites, "NTR 51, THR 51, ASP 52, TYR 53, CTR 53, NTR 51, THR 51, ASP 52, TYR 53, CTR 53");
  check_charge(sites, 2.0);
  for (guint i = 0; i < 10; i++) {
    static const guint32 places[] = {1, 1, 2, 3, 3};
    const DebyeTitrationSite *site = g_ptr_array_index(sites->sites, i);
    g_assert_cmpuint(site->place, ==, places[i % 5] + (i < 5 ? 0 : 3));
  }
}

/* Results of one chain must not be used for another one. */
static void
test_nameless_results(void)
{
  const DebyePrepareTitrated titrated[] = {
      {.chain = "", .family = "ASP", .number = 52, .place = 2, .state = "ASP", .half = 3.0},
      {.chain = "", .family = "ASP", .number = 52, .place = 5, .state = "ASH", .half = 8.0}};
  DebyePrepareSettings settings = get_settings();
  settings.states.titrate = DEBYE_TITRATE_PB;
  settings.states.titrated = titrated;
  settings.states.n_titrated = G_N_ELEMENTS(titrated);
  g_autofree char *text = make_nameless();
  g_autoptr(DebyePrepared) prepared = prepare(text, &settings);
  guint n = 0;
  for (guint k = 0; k < prepared->decisions->len; k++) {
    const DebyePrepareDecision *decision = g_ptr_array_index(prepared->decisions, k);
    if (strcmp(decision->residue, "ASP 52") != 0)
      continue;
    g_assert_cmpstr(decision->state, ==, titrated[n].state);
    g_assert_cmpfloat(decision->pk_half, ==, titrated[n].half);
    n++;
  }
  g_assert_cmpuint(n, ==, 2);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/titration-sites/acids", test_acids);
  g_test_add_func("/titration-sites/hydroxyl", test_hydroxyl);
  g_test_add_func("/titration-sites/disulfide", test_disulfide);
  g_test_add_func("/titration-sites/break", test_break);
  g_test_add_func("/titration-sites/metal", test_metal);
  g_test_add_func("/titration-sites/caps", test_caps);
  g_test_add_func("/titration-sites/modified", test_modified);
  g_test_add_func("/titration-sites/turned", test_turned);
  g_test_add_func("/titration-sites/linked", test_linked);
  g_test_add_func("/titration-sites/changed-charge", test_changed_charge);
  g_test_add_func("/titration-sites/nameless-chains", test_nameless_chains);
  g_test_add_func("/titration-sites/nameless-results", test_nameless_results);
  return g_test_run();
}
