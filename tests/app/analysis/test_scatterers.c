/* SPDX-License-Identifier: MIT */
/* What scatters how strongly, and along which vectors: cases with a known answer. */
#include <math.h>

#include "data/settings/request.h"
#include "app/analysis/scattering/system/scatterers.h"
#include "app/analysis/scattering/system/scattering_settings.h"
#include "app/analysis/scattering/system/scattering_solvent.h"
#include "app/analysis/scattering/system/scattering_vectors.h"
#include "data/tables/elements.h"
#include "data/files/error.h"

#define B_H (-3.7390)
#define B_D 6.671
#define B_O 5.803

/* --- Weights --- */

/* Two waters, the second a heavy one by its atoms' names, with TIP4P's massless site, and a sodium ion. */
static DebyeTopology *
make_topology(void)
{
  static const struct {
    const char *name, *residue;
    int number;
    double charge;
  } atoms[] = {{"OW", "SOL", 8, -0.8}, {"HW1", "SOL", 1, 0.4}, {"HW2", "SOL", 1, 0.4}, {"MW", "SOL", 0, 0.0},
               {"O", "DOD", 8, -0.8},  {"D1", "DOD", 1, 0.4},  {"1D2", "DOD", 1, 0.4}, {"NA", "NA", 11, 1.0}};
  g_autoptr(DebyeTopologyBuilder) builder = debye_topology_builder_new();
  for (gsize i = 0; i < G_N_ELEMENTS(atoms); i++) {
    DebyeAtom atom = DEBYE_ATOM_INIT;
    atom.name = atoms[i].name;
    atom.atomic_number = atoms[i].number;
    atom.charge = atoms[i].charge;
    debye_topology_builder_set_residue(builder, atoms[i].residue, -1,
                                       i < 4   ? 1
                                       : i < 7 ? 2
                                               : 3,
                                       0, "", -1, "", -1);
    debye_topology_builder_add_atom(builder, &atom);
  }
  return debye_topology_builder_finish(builder);
}

static DebyeRequest *
make_request(const char *const *values)
{
  DebyeRequest *request = debye_request_new(&debye_scattering_settings);
  for (; values[0] != NULL; values += 2) {
    g_autoptr(GError) error = NULL;
    debye_request_set(request, values[0], values[1], &error);
    g_assert_no_error(error);
  }
  return request;
}

static gboolean
take_scatterers(DebyeScatterers *scatterers, DebyeTopology *topology, const DebyeFrame *frame,
                DebyeRequest *request, double q_max, const char **key, GError **error)
{
  DebyeScatteringSettings settings;
  debye_request_fill(request, &settings);
  return debye_scatterers_init(scatterers, topology, frame, &settings, q_max, key, error);
}

#define REQUEST(...) make_request((const char *const[]){__VA_ARGS__, NULL})

static const DebyeScatterer *
find_species(const DebyeScatterers *scatterers, const char *name, guint *number)
{
  for (*number = 0; *number < scatterers->species->len; (*number)++)
    if (g_str_equal(debye_scatterers_get(scatterers, *number)->name, name))
      return debye_scatterers_get(scatterers, *number);
  g_error("no species “%s”", name);
}

static void
test_neutron_species(void)
{
  g_autoptr(DebyeTopology) topology = make_topology();
  g_autoptr(DebyeRequest) request = REQUEST("probe", "neutron");
  g_auto(DebyeScatterers) scatterers = {0};
  g_autoptr(GError) error = NULL;
  guint number;
  g_assert_true(take_scatterers(&scatterers, topology, NULL, request, 1.0, NULL, &error));
  g_assert_no_error(error);
  g_assert_cmpuint(scatterers.species->len, ==, 4);
  g_assert_cmpuint(scatterers.n_atoms, ==, 7);
  g_assert_cmpuint(scatterers.n_virtual, ==, 1);
  const DebyeScatterer *deuterium = find_species(&scatterers, "D", &number);
  g_assert_cmpuint(deuterium->atoms->len, ==, 2);
  g_assert_cmpuint(g_array_index(deuterium->atoms, guint32, 1), ==, 6);
  g_assert_cmpfloat_with_epsilon(creal(debye_scatterers_coherent(&scatterers, number, 1.0)), B_D, 1e-12);
  find_species(&scatterers, "O", &number);
  g_assert_cmpfloat_with_epsilon(creal(debye_scatterers_coherent(&scatterers, number, 3.0)), B_O, 1e-12);
}

/* Half exchanged: the mean length, and the incoherence of the mixture beside that of its parts. */
static void
test_exchange(void)
{
  g_autoptr(DebyeTopology) topology = make_topology();
  g_autoptr(DebyeRequest) request = REQUEST("select", "resname SOL", "exchange", "resname SOL=0.5");
  g_auto(DebyeScatterers) scatterers = {0};
  g_autoptr(GError) error = NULL;
  guint number;
  g_assert_true(take_scatterers(&scatterers, topology, NULL, request, 1.0, NULL, &error));
  g_assert_no_error(error);
  find_species(&scatterers, "H (50 % D)", &number);
  g_assert_cmpfloat_with_epsilon(creal(debye_scatterers_coherent(&scatterers, number, 1.0)),
                                 0.5 * (B_H + B_D), 1e-12);
  double own = 0.5 * 100.0 * (80.26 + 2.05) / (4.0 * G_PI), mixing = 0.25 * (B_D - B_H) * (B_D - B_H);
  g_assert_cmpfloat_with_epsilon(debye_scatterers_incoherent(&scatterers, number), own + mixing, 1e-9);
  /* The same atoms at other fractions. */
  g_assert_cmpfloat_with_epsilon(creal(debye_scatterers_exchanged_coherent(&scatterers, number, 1.0, 1.0)),
                                 B_D, 1e-12);
  g_assert_cmpfloat_with_epsilon(debye_scatterers_exchanged_incoherent(&scatterers, number, 0.0),
                                 100.0 * 80.26 / (4.0 * G_PI), 1e-9);
}

/* At q = 0 an atom has as many electrons as its number, an ion as its charge leaves. */
static void
test_xray_species(void)
{
  g_autoptr(DebyeTopology) topology = make_topology();
  g_autoptr(DebyeRequest) request = REQUEST("probe", "xray", "ionic", "true");
  g_auto(DebyeScatterers) scatterers = {0};
  g_autoptr(GError) error = NULL;
  guint number;
  g_assert_true(take_scatterers(&scatterers, topology, NULL, request, 1.0, NULL, &error));
  g_assert_no_error(error);
  find_species(&scatterers, "Na1+", &number);
  g_assert_cmpfloat_with_epsilon(creal(debye_scatterers_coherent(&scatterers, number, 0.0)), 10.0, 0.01);
  find_species(&scatterers, "O", &number);
  g_assert_cmpfloat_with_epsilon(creal(debye_scatterers_coherent(&scatterers, number, 0.0)), 8.0, 0.01);
  g_assert_cmpfloat(debye_scatterers_incoherent(&scatterers, number), ==, 0.0);
}

/* Water in water: at q = 0 the displaced solvent weighs ρ·V, farther out less by its Gaussian. */
static void
test_solvent(void)
{
  g_autoptr(DebyeTopology) topology = make_topology();
  g_autoptr(DebyeRequest) request = REQUEST("solvent", "d2o", "displaced", "table");
  g_auto(DebyeScatterers) scatterers = {0};
  g_autoptr(GError) error = NULL;
  guint number;
  g_assert_true(take_scatterers(&scatterers, topology, NULL, request, 1.0, NULL, &error));
  g_assert_no_error(error);
  find_species(&scatterers, "O", &number);
  /* Heavy water's 6.4·10⁻⁶ Å⁻² is 0.64 fm/Å³: the density is known to a few per cent by heart only. */
  g_assert_cmpfloat_with_epsilon(scatterers.solvent, 0.64, 0.01);
  double decay = exp(-cbrt(9.13 * 9.13) * 4.0 / (4.0 * G_PI));
  g_assert_cmpfloat_with_epsilon(creal(debye_scatterers_coherent(&scatterers, number, 0.0)),
                                 B_O - scatterers.solvent * 9.13, 1e-9);
  g_assert_cmpfloat_with_epsilon(creal(debye_scatterers_coherent(&scatterers, number, 2.0)),
                                 B_O - scatterers.solvent * 9.13 * decay, 1e-9);
}

/* Eight atoms far apart: of chosen ones alone. */
static DebyeFrame *
make_frame(double edge)
{
  DebyeFrame *frame = debye_frame_new(8);
  for (gsize i = 0; i < 8; i++) {
    frame->x[i] = (float)i;
    frame->y[i] = frame->z[i] = 0.0f;
  }
  frame->has_cell = TRUE;
  frame->cell = (DebyeCell){.a = {edge, 0.0, 0.0}, .b = {0.0, edge, 0.0}, .c = {0.0, 0.0, edge}};
  return frame;
}

/* The light water is the solvent of the others: its atoms in the cell less the volumes of O, two D and Na
 * (the sphere's, as it isn't in the table). */
static void
test_solvent_of_atoms(void)
{
  g_autoptr(DebyeTopology) topology = make_topology();
  g_autoptr(DebyeFrame) frame = make_frame(10.0);
  const double sodium = (double)debye_element_get_radius(11, DEBYE_RADII_MANTINA);
  const double volume = 1000.0 - 9.13 - 2.0 * 5.15 - 4.0 / 3.0 * G_PI * sodium * sodium * sodium;
  g_autoptr(GError) error = NULL;
  guint number;
  g_autoptr(DebyeRequest) neutrons =
      REQUEST("solvent", "select:resname SOL", "select", "not resname SOL", "exchange", "resname SOL=0.25");
  g_auto(DebyeScatterers) of_neutrons = {0};
  g_assert_true(take_scatterers(&of_neutrons, topology, frame, neutrons, 2.0, NULL, &error));
  g_assert_no_error(error);
  g_assert_cmpuint(of_neutrons.n_atoms, ==, 4);
  g_assert_cmpuint(of_neutrons.solvent_atoms->n_atoms, ==, 3);
  g_assert_cmpfloat_with_epsilon(of_neutrons.solvent_volume, volume, 1e-9);
  find_species(&of_neutrons, "O", &number);
  double density = (B_O + 2.0 * (0.75 * B_H + 0.25 * B_D)) / volume;
  double decay = exp(-cbrt(9.13 * 9.13) * 4.0 / (4.0 * G_PI));
  g_assert_cmpfloat_with_epsilon(creal(debye_scatterers_coherent(&of_neutrons, number, 2.0)),
                                 B_O - density * 9.13 * decay, 1e-9);
  density = (B_O + 2.0 * B_D) / volume;
  g_assert_cmpfloat_with_epsilon(creal(debye_scatterers_exchanged_coherent(&of_neutrons, number, 0.0, 1.0)),
                                 B_O - density * 9.13, 1e-9);

  /* X-rays: the density falls off as the form factors do. */
  g_autoptr(DebyeRequest) xrays =
      REQUEST("probe", "xray", "solvent", "select:resname SOL", "select", "resname NA");
  g_auto(DebyeScatterers) of_xrays = {0};
  g_assert_true(take_scatterers(&of_xrays, topology, frame, xrays, 2.0, NULL, &error));
  g_assert_no_error(error);
  for (double q = 0.0; q <= 2.0; q += 1.0) {
    const DebyeXrayTable table = DEBYE_XRAY_WAASMAIER_KIRFEL;
    const double water =
        debye_xray_factor_at(debye_xray_factor_get(table, DEBYE_XRAY_HYDROGEN_FREE, 8, 0), q) +
        2.0 * debye_xray_factor_at(debye_xray_factor_get(table, DEBYE_XRAY_HYDROGEN_FREE, 1, 0), q);
    g_assert_cmpfloat_with_epsilon(creal(debye_scatterers_solvent_density(&of_xrays, q)), water / volume,
                                   1e-12);
  }
}

static void
test_solvent_without_room(void)
{
  static const struct {
    double edge; /* 0: no cell */
    const char *words;
  } cases[] = {
      {0.0, "Solvent: expected a cell, whose volume “resname SOL” shares with the other atoms, found none"},
      {3.0, "Solvent: expected room for “resname SOL” in a cell of 27 Å³, but the other atoms displace "}};
  for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
    g_autoptr(DebyeTopology) topology = make_topology();
    g_autoptr(DebyeFrame) frame = make_frame(cases[i].edge);
    g_autoptr(DebyeRequest) request = REQUEST("solvent", "select:resname SOL");
    g_auto(DebyeScatterers) scatterers = {0};
    g_autoptr(GError) error = NULL;
    const char *cause = NULL;
    frame->has_cell = cases[i].edge > 0.0;
    g_assert_false(take_scatterers(&scatterers, topology, frame, request, 1.0, &cause, &error));
    g_assert_true(g_str_has_prefix(error->message, cases[i].words));
    g_assert_cmpstr(cause, ==, "solvent");
  }
}

/* Who doesn't know an atom doesn't know what it displaces, whether it scatters or not. */
static void
test_solvent_beside_unknown_atoms(void)
{
  g_autoptr(DebyeTopologyBuilder) builder = debye_topology_builder_new();
  for (gsize i = 0; i < 8; i++) {
    DebyeAtom atom = DEBYE_ATOM_INIT;
    atom.name = i == 7 ? "??" : "OW";
    atom.atomic_number = i == 7 ? 0 : 8;
    debye_topology_builder_set_residue(builder, i == 7 ? "UNK" : "SOL", -1, (int)i + 1, 0, "", -1, "", -1);
    debye_topology_builder_add_atom(builder, &atom);
  }
  g_autoptr(DebyeTopology) topology = debye_topology_builder_finish(builder);
  g_autoptr(DebyeFrame) frame = make_frame(10.0);
  g_autoptr(DebyeRequest) request = REQUEST("solvent", "select:resname SOL", "select", "resname SOL");
  g_auto(DebyeScatterers) scatterers = {0};
  g_autoptr(GError) error = NULL;
  g_assert_false(take_scatterers(&scatterers, topology, frame, request, 1.0, NULL, &error));
  g_assert_true(
      g_str_has_prefix(error->message, "Element: atom 8 (“??” of residue “UNK”) has no known element"));
}

static void
test_solvent_text(void)
{
  double density, light;
  g_autoptr(GError) error = NULL;
  g_assert_true(debye_solvent_parse("-0.56", FALSE, &density, NULL));
  g_assert_true(debye_solvent_parse("h2o", FALSE, &light, NULL));
  g_assert_cmpfloat_with_epsilon(density, -0.056, 1e-12);
  g_assert_cmpfloat_with_epsilon(light, density, 1e-3);
  /* Nine parts in a hundred of heavy water match nothing at all: the lengths cancel near 8 %. */
  g_assert_true(debye_solvent_parse("d2o:8", FALSE, &density, NULL));
  g_assert_cmpfloat_with_epsilon(density, 0.0, 1e-3);
  g_assert_true(debye_solvent_parse("h2o", TRUE, &density, NULL));
  g_assert_cmpfloat_with_epsilon(density, 0.334, 1e-3);
  g_assert_false(debye_solvent_parse("d2o:101", FALSE, &density, &error));
  g_assert_error(error, DEBYE_ERROR, DEBYE_ERROR_SETTING);
}

static void
check_refused(const char *key, const char *value, const char *words)
{
  g_autoptr(DebyeTopology) topology = make_topology();
  g_autoptr(DebyeRequest) request = REQUEST(key, value);
  g_auto(DebyeScatterers) scatterers = {0};
  g_autoptr(GError) error = NULL;
  const char *cause = NULL;
  g_assert_false(take_scatterers(&scatterers, topology, NULL, request, 1.0, &cause, &error));
  g_assert_nonnull(error);
  g_assert_nonnull(strstr(error->message, words));
  g_assert_cmpstr(cause, ==, key);
}

static void
test_refused(void)
{
  check_refused("select", "resname XYZ", "no atoms that scatter");
  check_refused("isotope", "all=Zz", "an element or isotope that is tabulated");
  check_refused("isotope", "resname SOL=13C", "no atoms of the element C");
  check_refused("exchange", "name OW=0.5", "no exchangeable hydrogen");
  check_refused("exchange", "resname SOL=1.5", "a number from 0 to 1");
  check_refused("exchange", "resname SOL", "SELECTION=VALUE");
  check_refused("solvent", "select:resname XYZ",
                "Solvent: the selection “resname XYZ” selects no atoms that scatter");
  check_refused("solvent", "select: ", "select:SELECTION or a scattering length density");
  check_refused("solvent", "beer", "a scattering length density");
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/scatterers/neutrons", test_neutron_species);
  g_test_add_func("/scatterers/exchange", test_exchange);
  g_test_add_func("/scatterers/x-rays", test_xray_species);
  g_test_add_func("/scatterers/solvent", test_solvent);
  g_test_add_func("/scatterers/solvent-of-atoms", test_solvent_of_atoms);
  g_test_add_func("/scatterers/solvent-without-room", test_solvent_without_room);
  g_test_add_func("/scatterers/solvent-beside-unknown-atoms", test_solvent_beside_unknown_atoms);
  g_test_add_func("/scatterers/solvent-text", test_solvent_text);
  g_test_add_func("/scatterers/refused", test_refused);
  return g_test_run();
}
