/* SPDX-License-Identifier: MIT */
/* Computes structure factors of counted pairs; called by rdf_result.c.
 *
 * Totals (Keen 2001): F(q) = Σ c_a c_b w_a(q) w_b(q) (A_ab(q) − 1), S(q) = 1 + F(q)/(Σ c_a w_a(q))², with w
 * the coherent neutron length or the X-ray form factor; c are fractions of the atoms whose element is known.
 * The reduced G(r) = 4πrρ Σ c_a c_b w_a w_b (g_ab − 1)/(Σ c w)² is what an experiment's transform is
 * compared with. For X-rays w is the form factor at q = 0, as if all atoms' had one shape (B. E. Warren, H.
 * Krutter & O. Morningstar, J. Am. Ceram. Soc. 19 (1936) 202). */
#include "rdf_structure.h"

#include <math.h>

#include "data/messages/message.h"
#include "data/tables/elements.h"
#include "data/tables/neutron_lengths.h"
#include "data/tables/xray_factors.h"
#include "structure_factor.h"

static const DebyeQuantity wave_number = {"q", "q", "Å⁻¹"};
static const DebyeQuantity factor = {"structure_factor", "S(q)", NULL};
static const DebyeQuantity neutron_total = {"neutron_f", "F(q), neutrons", "fm²"};
static const DebyeQuantity xray_total = {"xray_f", "F(q), X-rays", "e²"};
static const DebyeQuantity distance = {"r", "r", "Å"};
static const DebyeQuantity reduced = {"reduced_distribution", "G(r)", "Å⁻²"};

typedef struct {
  const DebyeRdfCounted *counted;
  DebyeRdfWindow window;
  gboolean is_faber_ziman;
  double volume_mean; /* 1/⟨1/V⟩, Å³ */
  double *q;
  gsize n_q;
  double **transforms; /* H_ab(q), one a pair */
} Structure;

static void
structure_clear(Structure *structure)
{
  for (guint i = 0; structure->transforms != NULL && i < structure->counted->plan->pairs->len; i++)
    g_free(structure->transforms[i]);
  g_free(structure->transforms);
  g_free(structure->q);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Structure, structure_clear)

static const DebyeRdfSelection *
get_selection(const Structure *structure, guint number)
{
  return &g_array_index(structure->counted->plan->selections, DebyeRdfSelection, number);
}

static const DebyeRdfPair *
get_pair(const Structure *structure, guint number)
{
  return &g_array_index(structure->counted->plan->pairs, DebyeRdfPair, number);
}

/* The mean over the frames, in each of which a selection may choose others. */
static double
density_of(const Structure *structure, guint selection)
{
  return structure->counted->density_sums[selection] / (double)structure->counted->n_frames;
}

/* All atoms that take part; of pairs of selections, all of the system. */
static double
total_density(const Structure *structure)
{
  const DebyeRdfPlan *plan = structure->counted->plan;
  double n = 0.0;
  if (!plan->settings.partials)
    return (double)debye_topology_get_n_counted(plan->topology) / structure->volume_mean;
  for (guint i = 0; i < plan->selections->len; i++)
    if (get_selection(structure, i)->selection == NULL)
      n += get_selection(structure, i)->atoms->len;
  return n / structure->volume_mean;
}

static void
transform_pairs(Structure *structure)
{
  const DebyeRdfPlan *plan = structure->counted->plan;
  structure->transforms = g_new0(double *, plan->pairs->len);
  for (guint i = 0; i < plan->pairs->len; i++) {
    g_autofree double *g = debye_rdf_statistic_get_g(g_ptr_array_index(structure->counted->statistics, i));
    structure->transforms[i] = g_new(double, structure->n_q);
    for (gsize k = 0; k < structure->n_q; k++)
      structure->transforms[i][k] =
          debye_structure_transform(g, plan->n_bins, plan->width, structure->q[k], structure->window);
  }
}

static void
add_curve(DebyeResult *result, const char *name, const char *of, gboolean names_quantity,
          const DebyeQuantity *y, gsize n, const double *x, const double *values,
          const DebyeQuantity *quantity)
{
  g_autoptr(DebyeCurve) curve = debye_curve_new(name, quantity, y, DEBYE_CURVE_LINE, n, x, values, NULL);
  debye_curve_set_of(curve, of);
  debye_curve_set_names_quantity(curve, names_quantity);
  debye_result_add_curve(result, curve);
}

static void
add_partials(DebyeResult *result, const Structure *structure)
{
  g_autofree double *values = g_new(double, structure->n_q);
  for (guint i = 0; i < structure->counted->plan->pairs->len; i++) {
    const DebyeRdfPair *pair = get_pair(structure, i);
    double density = structure->is_faber_ziman
                         ? total_density(structure)
                         : sqrt(density_of(structure, pair->a) * density_of(structure, pair->b));
    double limit = structure->is_faber_ziman || pair->a == pair->b ? 1.0 : 0.0;
    for (gsize k = 0; k < structure->n_q; k++)
      values[k] = limit + density * structure->transforms[i][k];
    g_autofree char *name = g_strdup_printf("%s structure factor", pair->name);
    add_curve(result, name, pair->name, FALSE, &factor, structure->n_q, structure->q, values, &wave_number);
  }
}

/* --- Totals --- */

typedef enum { NEUTRONS, XRAYS } Probe;

/* What an atom of the selection weighs; FALSE where no table has its element. */
static gboolean
get_weight(const DebyeRdfSelection *selection, Probe probe, double q, double *weight)
{
  const DebyeNeutronLength *length = debye_neutron_length_get(selection->element, 0);
  const DebyeXrayFactor *xray =
      debye_xray_factor_get(DEBYE_XRAY_WAASMAIER_KIRFEL, DEBYE_XRAY_HYDROGEN_FREE, selection->element, 0);
  if (probe == NEUTRONS && length != NULL)
    *weight = length->coherent;
  else if (probe == XRAYS && xray != NULL)
    *weight = debye_xray_factor_at(xray, q);
  else
    return FALSE;
  return TRUE;
}

/* Σ c_a w_a at q; FALSE where an element has no weight. Atoms of no element weigh nothing and are not
 * counted. */
static gboolean
mean_weight(const Structure *structure, Probe probe, double q, double *mean, double *n_atoms)
{
  const GArray *selections = structure->counted->plan->selections;
  double sum = 0.0, n = 0.0;
  for (guint i = 0; i < selections->len; i++) {
    const DebyeRdfSelection *selection = get_selection(structure, i);
    double weight;
    if (selection->element == 0)
      continue;
    if (!get_weight(selection, probe, q, &weight))
      return FALSE;
    sum += weight * selection->atoms->len;
    n += selection->atoms->len;
  }
  *mean = n > 0.0 ? sum / n : 0.0;
  *n_atoms = n;
  return n > 0.0;
}

/* c_a c_b w_a w_b of a pair, twice where a ≠ b: both orders. */
static double
pair_weight(const Structure *structure, const DebyeRdfPair *pair, Probe probe, double q, double n_atoms)
{
  const DebyeRdfSelection *a = get_selection(structure, pair->a), *b = get_selection(structure, pair->b);
  double first = 0.0, second = 0.0;
  if (a->element == 0 || b->element == 0 || !get_weight(a, probe, q, &first) ||
      !get_weight(b, probe, q, &second))
    return 0.0;
  double product = first * second * (a->atoms->len / n_atoms) * (b->atoms->len / n_atoms);
  return pair->a == pair->b ? product : 2.0 * product;
}

static void
add_total(DebyeResult *result, const Structure *structure, Probe probe)
{
  g_autofree double *f = g_new(double, structure->n_q);
  g_autofree double *s = g_new(double, structure->n_q);
  for (gsize k = 0; k < structure->n_q; k++) {
    double mean, n_atoms;
    if (!mean_weight(structure, probe, structure->q[k], &mean, &n_atoms))
      return;
    f[k] = 0.0;
    for (guint i = 0; i < structure->counted->plan->pairs->len; i++)
      f[k] += pair_weight(structure, get_pair(structure, i), probe, structure->q[k], n_atoms) * n_atoms /
              structure->volume_mean * structure->transforms[i][k];
    s[k] = mean != 0.0 ? 1.0 + f[k] / (mean * mean) : NAN;
  }
  gboolean is_neutrons = probe == NEUTRONS;
  add_curve(result, is_neutrons ? N_("Neutrons, total") : N_("X-rays, total"), NULL, FALSE, &factor,
            structure->n_q, structure->q, s, &wave_number);
  add_curve(result, is_neutrons ? "Neutrons, F(q)" : "X-rays, F(q)", NULL, TRUE,
            is_neutrons ? &neutron_total : &xray_total, structure->n_q, structure->q, f, &wave_number);
}

static void
add_reduced(DebyeResult *result, const Structure *structure, Probe probe)
{
  const DebyeRdfPlan *plan = structure->counted->plan;
  double mean, n_atoms;
  if (!mean_weight(structure, probe, 0.0, &mean, &n_atoms) || mean == 0.0)
    return;
  g_autofree double *r = g_new(double, plan->n_bins);
  g_autofree double *values = g_new0(double, plan->n_bins);
  for (gsize k = 0; k < plan->n_bins; k++)
    r[k] = plan->width * ((double)k + 0.5);
  for (guint i = 0; i < plan->pairs->len; i++) {
    g_autofree double *g = debye_rdf_statistic_get_g(g_ptr_array_index(structure->counted->statistics, i));
    double weight = pair_weight(structure, get_pair(structure, i), probe, 0.0, n_atoms) / (mean * mean);
    for (gsize k = 0; k < plan->n_bins; k++)
      values[k] += 4.0 * G_PI * r[k] * n_atoms / structure->volume_mean * weight * (g[k] - 1.0);
  }
  add_curve(result, probe == NEUTRONS ? "Neutrons, G(r)" : "X-rays, G(r)", NULL, TRUE, &reduced, plan->n_bins,
            r, values, &distance);
}

/* What the atoms of each element weighed in the totals; of an element that a table lacks a gap. */
static void
add_weights(DebyeResult *result, const GArray *selections)
{
  guint n = selections->len;
  g_autofree const char **elements = g_new0(const char *, n + 1);
  g_autofree const char **sources = g_new0(const char *, n + 1);
  g_autofree double *numbers = g_new(double, n);
  g_autofree double *lengths = g_new(double, n);
  g_autofree double *factors = g_new(double, n);
  g_autofree char *source =
      g_strdup_printf("%s; %s", DEBYE_NEUTRON_LENGTHS_SOURCE,
                      debye_xray_table_get_source(DEBYE_XRAY_WAASMAIER_KIRFEL, DEBYE_XRAY_HYDROGEN_FREE));
  for (guint i = 0; i < n; i++) {
    const DebyeRdfSelection *selection = &g_array_index(selections, DebyeRdfSelection, i);
    elements[i] = debye_element_get(selection->element)->symbol;
    sources[i] = source;
    numbers[i] = selection->atoms->len;
    lengths[i] = factors[i] = NAN;
    get_weight(selection, NEUTRONS, 0.0, &lengths[i]);
    get_weight(selection, XRAYS, 0.0, &factors[i]);
  }
  g_autoptr(DebyeTable) table = debye_table_new(DEBYE_TABLE_OF_WEIGHTS);
  debye_table_add_texts(table, &(DebyeQuantity){"element", "element", NULL}, elements);
  debye_table_add_numbers(table, &(DebyeQuantity){"number", "atoms", NULL}, n, numbers);
  debye_table_add_numbers(table, &(DebyeQuantity){"b_coherent", "b", "fm"}, n, lengths);
  debye_table_add_numbers(table, &(DebyeQuantity){"f_forward", "f(0)", "electrons"}, n, factors);
  debye_table_add_texts(table, &(DebyeQuantity){"source", "source", NULL}, sources);
  debye_result_add_table(result, table);
}

/* Totals need every pair of elements once and no others. */
static gboolean
has_all_elements(const DebyeRdfPlan *plan)
{
  guint n = plan->selections->len;
  if (!plan->settings.partials || plan->pairs->len != n * (n + 1) / 2)
    return FALSE;
  for (guint i = 0; i < n; i++)
    if (g_array_index(plan->selections, DebyeRdfSelection, i).selection != NULL)
      return FALSE;
  return TRUE;
}

void
debye_rdf_structure_add(DebyeResult *result, const DebyeRdfCounted *counted)
{
  const DebyeRdfSettings *settings = &counted->plan->settings;
  const char *range = settings->structure_factor;
  if (range == NULL || *range == '\0')
    return;
  if (!(counted->density_sum > 0.0)) {
    debye_result_add_note_of(result, DEBYE_NOTE_WARNING, NULL,
                             "S(q) is not known: without a cell there is no mean density");
    return;
  }
  g_auto(Structure) structure = {
      .counted = counted,
      .window = settings->window,
      .is_faber_ziman = settings->convention == DEBYE_STRUCTURE_FABER_ZIMAN,
      .volume_mean = (double)counted->n_frames / counted->density_sum,
  };
  structure.q = debye_structure_parse_range("Structure factor", range, &structure.n_q, NULL);
  if (structure.q == NULL)
    return;
  transform_pairs(&structure);
  add_partials(result, &structure);
  char most[G_ASCII_DTOSTR_BUF_SIZE];
  debye_result_add_note_of(result, DEBYE_NOTE_CAPTION, "S(q)",
                           "S(q): %s convention, sine transform of g(r) up to R = %s Å, window: %s",
                           structure.is_faber_ziman ? "Faber-Ziman" : "Ashcroft-Langreth",
                           g_ascii_formatd(most, sizeof most, "%g", counted->plan->r_max),
                           settings->window == DEBYE_WINDOW_LORCH ? "Lorch" : "none");
  if (!has_all_elements(counted->plan))
    return;
  add_total(result, &structure, NEUTRONS);
  add_total(result, &structure, XRAYS);
  add_reduced(result, &structure, NEUTRONS);
  add_reduced(result, &structure, XRAYS);
  add_weights(result, counted->plan->selections);
}
