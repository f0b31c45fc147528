/* SPDX-License-Identifier: MIT */
/* Puts I(q) into a result as curves and tables; called by scattering_run.c. */
#include "scattering_result.h"

#include <math.h>

#include "app/analysis/scattering/system/scattering_plan.h"
#include "data/messages/message.h"
#include "data/results/contrast.h"
#include "data/tables/elements.h"
#include "scattering_intensity.h"

/* --- What the data decided --- */

static const char *
name_orientation(const DebyeScatteringPlan *plan)
{
  switch (plan->orientation.kind) {
  case DEBYE_ORIENTATION_LATTICE:
    return plan->rows_are_vectors ? "none" : "lattice";
  case DEBYE_ORIENTATION_EXACT:
    return "exact";
  default: /* others are asked for */
    return "none";
  }
}

static guint
find_largest_shell(const DebyeScatteringPlan *plan)
{
  guint largest = 0;
  for (guint i = 0; plan->vectors.shells != NULL && i < plan->vectors.shells->len; i++)
    largest = MAX(largest, (guint)g_array_index(plan->vectors.shells, DebyeScatteringShell, i).n);
  return largest;
}

void
debye_scattering_set_effective_settings(DebyeRequest *request, const DebyeScatteringPlan *plan, double volume)
{
  if (plan->q != NULL) {
    g_autofree char *q = debye_scattering_plan_suggest_q(plan->frames.first);
    debye_request_set_effective(request, "q", q);
  }
  debye_request_set_effective(request, "orientation", name_orientation(plan));
  if (plan->orientation.kind == DEBYE_ORIENTATION_LATTICE && !plan->rows_are_vectors)
    debye_request_set_effective_number(request, "shell-vectors", find_largest_shell(plan));
  if (volume > 0.0)
    debye_request_set_effective_number(request, "volume", volume);
  debye_request_set_effective(request, "box-correction", plan->corrects_box ? "true" : "false");
}

static const DebyeQuantity wave_number = {"q", "q", "Å⁻¹"};

typedef struct {
  double *values, *errors; /* errors NULL: not known */
} Intensity;

static void
intensity_clear(Intensity *intensity)
{
  g_free(intensity->values);
  g_free(intensity->errors);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Intensity, intensity_clear)

/* A part's sum, normalised. */
static void
make_part(const DebyeScatteringFound *found, DebyeScatteringPart part, Intensity *intensity)
{
  gboolean with_errors = part != DEBYE_SCATTERING_INCOHERENT && debye_scattering_intensity_has_errors(found);
  intensity->values = g_new0(double, found->n_q);
  intensity->errors = with_errors ? g_new0(double, found->n_q) : NULL;
  debye_scattering_intensity(found, part, NAN, intensity->values, intensity->errors);
}

static void
add_curve(DebyeResult *result, const DebyeScatteringFound *found, const char *name, const double *values,
          const double *errors)
{
  DebyeQuantity quantity = debye_scattering_quantity(&found->plan);
  g_autoptr(DebyeCurve) curve =
      debye_curve_new(name, &wave_number, &quantity, DEBYE_CURVE_LINE, found->n_q, found->q, values, errors);
  debye_result_add_curve(result, curve);
}

static char *
name_pair(const DebyeScatteringPlan *plan, guint a, guint b)
{
  return g_strdup_printf("%s-%s", debye_scatterers_get(&plan->scatterers, a)->name,
                         debye_scatterers_get(&plan->scatterers, b)->name);
}

/* Adds what two species give to the partial of their parts. */
static void
add_pair(const DebyeScatteringFound *found, const double complex *weights, guint a, guint b, double *partials)
{
  const DebyeScatterers *scatterers = &found->plan.scatterers;
  const guint one = debye_scatterers_get(scatterers, a)->part,
              other = debye_scatterers_get(scatterers, b)->part;
  double *to =
      partials + debye_scattering_pair(scatterers->parts->len, MIN(one, other), MAX(one, other)) * found->n_q;
  g_autofree double *values = g_new(double, found->n_q);
  debye_scattering_sums_get_partial(found->sums, weights, a, b, values);
  for (gsize k = 0; k < found->n_q; k++)
    to[k] += values[k];
}

/* What each pair of parts, or of species, adds; offsets are of the whole and belong to none. */
static void
add_partials(DebyeResult *result, DebyeTable *table, const DebyeScatteringFound *found)
{
  const DebyeScatteringPlan *plan = &found->plan;
  const GPtrArray *parts = plan->scatterers.parts;
  DebyeQuantity quantity = debye_scattering_quantity(plan);
  guint n = plan->scatterers.species->len, n_parts = parts->len;
  g_autofree double complex *weights = debye_scattering_weights(&plan->scatterers, found->q, found->n_q);
  g_autofree double *partials = g_new0(double, n_parts *(n_parts + 1) / 2 * found->n_q);
  for (guint a = 0; a < n; a++)
    for (guint b = a; b < n; b++)
      add_pair(found, weights, a, b, partials);
  for (guint a = 0; a < n_parts; a++)
    for (guint b = a; b < n_parts; b++) {
      double *values = partials + debye_scattering_pair(n_parts, a, b) * found->n_q;
      g_autofree char *name =
          g_strdup_printf("%s-%s", (const char *)parts->pdata[a], (const char *)parts->pdata[b]);
      for (gsize k = 0; k < found->n_q; k++)
        values[k] *= debye_scattering_scale(plan, DEBYE_SCATTERING_COHERENT,
                                            debye_scattering_intensity_volume(found), NAN, found->q[k])
                         .factor;
      add_curve(result, found, name, values, NULL);
      debye_table_add_numbers(table, &(DebyeQuantity){name, name, quantity.unit}, found->n_q, values);
    }
}

/* The other ways to normalise the same sum, each a quantity of its own: a person can turn from one to the
 * next without computing again. */
static void
add_other_norms(DebyeResult *result, const DebyeScatteringFound *found, DebyeScatteringPart part,
                const char *base)
{
  static const struct {
    DebyeScatteringNorm norm;
    const char *name;
    gboolean needs_volume, is_of_structure;
  } others[] = {{DEBYE_NORMALISE_ATOM, "intensity_per_atom", FALSE, FALSE},
                {DEBYE_NORMALISE_WEIGHT, "intensity_per_weight", FALSE, FALSE},
                {DEBYE_NORMALISE_ABSOLUTE, "cross_section", TRUE, FALSE},
                {DEBYE_NORMALISE_FABER_ZIMAN, "structure_factor", TRUE, TRUE}};
  for (gsize i = 0; i < G_N_ELEMENTS(others); i++) {
    if (others[i].norm == found->plan.settings.normalise ||
        (others[i].needs_volume && !(debye_scattering_intensity_volume(found) > 0.0)) ||
        (others[i].is_of_structure && !found->plan.with_coherent))
      continue;
    DebyeScatteringFound other = *found;
    other.plan.settings.normalise = others[i].norm;
    DebyeQuantity quantity = debye_scattering_quantity(&other.plan);
    DebyeScatteringPart own = others[i].is_of_structure ? DEBYE_SCATTERING_COHERENT : part;
    g_autofree char *name = g_strdup_printf("%s %s", base, others[i].name);
    g_auto(Intensity) intensity = {0};
    quantity.name = others[i].name;
    make_part(&other, own, &intensity);
    g_autoptr(DebyeCurve) curve = debye_curve_new(name, &wave_number, &quantity, DEBYE_CURVE_LINE, other.n_q,
                                                  other.q, intensity.values, intensity.errors);
    debye_result_add_curve(result, curve);
    debye_scattering_intensity_add_contrast(result, &other, own, &quantity, name);
  }
}

/* The column is there whether errors are known or not: scripts find it at its place. */
static void
add_error_column(DebyeTable *table, const DebyeScatteringFound *found, const double *errors, const char *unit)
{
  g_autofree double *unknown = g_new(double, found->n_q);
  for (gsize k = 0; k < found->n_q; k++)
    unknown[k] = NAN;
  debye_table_add_numbers(table, &(DebyeQuantity){"intensity_error", "error", unit}, found->n_q,
                          errors != NULL ? errors : unknown);
}

/* The columns that scripts rely on: q, intensity, intensity_error, then partials. Of both parts the table has
 * the sum first. */
static void
add_intensities(DebyeResult *result, const DebyeScatteringFound *found)
{
  static const char *const names[] = {N_("coherent"), N_("incoherent"), N_("total")};
  const DebyeScatteringPlan *plan = &found->plan;
  DebyeQuantity quantity = debye_scattering_quantity(plan);
  const DebyeScatteringPart first = plan->settings.kind;
  g_autoptr(DebyeTable) table = debye_table_new("intensity");
  g_auto(Intensity) whole = {0};
  make_part(found, first, &whole);
  debye_table_add_numbers(table, &wave_number, found->n_q, found->q);
  debye_table_add_numbers(table, &quantity, found->n_q, whole.values);
  add_error_column(table, found, whole.errors, quantity.unit);
  add_curve(result, found, names[first], whole.values, whole.errors);
  debye_scattering_intensity_add_contrast(result, found, first, &quantity, names[first]);
  for (DebyeScatteringPart part = 0; first == DEBYE_SCATTERING_TOTAL && part < first; part++) {
    g_auto(Intensity) intensity = {0};
    make_part(found, part, &intensity);
    add_curve(result, found, names[part], intensity.values, intensity.errors);
    debye_scattering_intensity_add_contrast(result, found, part, &quantity, names[part]);
    debye_table_add_numbers(table, &(DebyeQuantity){names[part], names[part], quantity.unit}, found->n_q,
                            intensity.values);
  }
  if (plan->settings.atoms.partials && plan->with_coherent)
    add_partials(result, table, found);
  add_other_norms(result, found, first, names[first]);
  debye_result_add_table(result, table);
}

/* ⟨A_a A_b*⟩/N of the pairs of species, real parts: Σ w_a w_b of them is I(q)/N for real weights. */
static void
add_products(DebyeResult *result, const DebyeScatteringFound *found)
{
  const DebyeScatteringPlan *plan = &found->plan;
  guint n = plan->scatterers.species->len;
  g_autoptr(DebyeTable) table = debye_table_new("products");
  g_autofree double *values = g_new(double, found->n_q);
  debye_table_add_numbers(table, &wave_number, found->n_q, found->q);
  for (guint a = 0; a < n; a++)
    for (guint b = a; b < n; b++) {
      g_autofree char *name = name_pair(plan, a, b);
      for (gsize k = 0; k < found->n_q; k++)
        values[k] = creal(debye_scattering_sums_get_product(found->sums, debye_scattering_pair(n, a, b), k)) /
                    (double)plan->scatterers.n_atoms;
      debye_table_add_numbers(table, &(DebyeQuantity){name, name, NULL}, found->n_q, values);
    }
  debye_result_add_table(result, table);
}

/* --- The table of weights --- */

/* A member of DebyeScatterer, or what a function says of it. */
typedef struct {
  const char *name, *label, *unit;
  gsize member;
  double (*get)(const DebyeScatterer *scatterer);
} WeightColumn;

static double
get_number(const DebyeScatterer *scatterer)
{
  return (double)scatterer->atoms->len;
}

static double
get_forward_factor(const DebyeScatterer *scatterer)
{
  return debye_xray_factor_at(scatterer->factor, 0.0);
}

static double
get_weight(const WeightColumn *column, const DebyeScatterer *scatterer)
{
  return column->get != NULL ? column->get(scatterer) : G_STRUCT_MEMBER(double, scatterer, column->member);
}

static void
add_weight_columns(DebyeTable *table, const DebyeScatterers *scatterers, const WeightColumn *columns,
                   gsize n_columns)
{
  guint n = scatterers->species->len;
  g_autofree double *values = g_new(double, n);
  for (gsize c = 0; c < n_columns; c++) {
    for (guint s = 0; s < n; s++)
      values[s] = get_weight(&columns[c], debye_scatterers_get(scatterers, s));
    debye_table_add_numbers(table, &(DebyeQuantity){columns[c].name, columns[c].label, columns[c].unit}, n,
                            values);
  }
}

void
debye_scattering_result_add_weights(DebyeResult *result, const DebyeScatterers *scatterers)
{
  static const WeightColumn neutron[] = {
      {"number", "atoms", NULL, 0, get_number},
      {"b_coherent", "b", "fm", offsetof(DebyeScatterer, coherent), NULL},
      {"b_coherent_imaginary", "Im b", "fm", offsetof(DebyeScatterer, coherent_imaginary), NULL},
      {"sigma_incoherent", "σ_inc", "barn", offsetof(DebyeScatterer, incoherent_section), NULL},
      {"deuterium", "fraction D", NULL, offsetof(DebyeScatterer, exchanged), NULL},
      {"displaced_volume", "V", "Å³", offsetof(DebyeScatterer, volume), NULL}};
  static const WeightColumn xray[] = {
      {"number", "atoms", NULL, 0, get_number},
      {"f_forward", "f(0)", "electrons", 0, get_forward_factor},
      {"displaced_volume", "V", "Å³", offsetof(DebyeScatterer, volume), NULL}};
  guint n = scatterers->species->len;
  g_autofree const char **names = g_new0(const char *, n + 1);
  g_autofree const char **elements = g_new0(const char *, n + 1);
  g_autofree const char **sources = g_new0(const char *, n + 1);
  for (guint s = 0; s < n; s++) {
    const DebyeScatterer *scatterer = debye_scatterers_get(scatterers, s);
    names[s] = scatterer->name;
    elements[s] = debye_element_get(scatterer->element)->symbol;
    sources[s] = scatterers->probe == DEBYE_PROBE_NEUTRON
                     ? DEBYE_NEUTRON_LENGTHS_SOURCE
                     : debye_xray_table_get_source(scatterers->xray_table, scatterers->xray_hydrogen);
  }
  g_autoptr(DebyeTable) table = debye_table_new(DEBYE_TABLE_OF_WEIGHTS);
  debye_table_add_texts(table, &(DebyeQuantity){"species", "species", NULL}, names);
  debye_table_add_texts(table, &(DebyeQuantity){"element", "element", NULL}, elements);
  if (scatterers->probe == DEBYE_PROBE_NEUTRON)
    add_weight_columns(table, scatterers, neutron, G_N_ELEMENTS(neutron));
  else
    add_weight_columns(table, scatterers, xray, G_N_ELEMENTS(xray));
  debye_table_add_texts(table, &(DebyeQuantity){"source", "source", NULL}, sources);
  debye_result_add_table(result, table);
}

/* --- Notes --- */

static void
add_solvent(DebyeResult *result, const DebyeScatterers *scatterers)
{
  char density[G_ASCII_DTOSTR_BUF_SIZE], volume[G_ASCII_DTOSTR_BUF_SIZE];
  if (!debye_scatterers_have_solvent(scatterers))
    return;
  g_ascii_formatd(density, sizeof density, "%.4g", creal(debye_scatterers_solvent_density(scatterers, 0.0)));
  const char *unit = debye_scatterers_get_unit(scatterers);
  if (scatterers->solvent_atoms == NULL)
    debye_result_add_note_of(result, DEBYE_NOTE_CAPTION, NULL,
                             "Solvent: %s %s/Å³ is subtracted for the volume that each atom displaces",
                             density, unit);
  else
    debye_result_add_note_of(
        result, DEBYE_NOTE_CAPTION, NULL,
        "Solvent: %s %s/Å³ at q = 0, of %" G_GSIZE_FORMAT
        " atoms in %s Å³ of the first frame's cell, is subtracted for the volume that each atom displaces",
        density, unit, scatterers->solvent_atoms->n_atoms,
        g_ascii_formatd(volume, sizeof volume, "%.6g", scatterers->solvent_volume));
}

static void
add_notes(DebyeResult *result, const DebyeScatteringFound *found)
{
  const DebyeScatteringPlan *plan = &found->plan;
  debye_result_add_note_of(result, DEBYE_NOTE_CAPTION, debye_scattering_quantity(plan).label, "%s: %s",
                           debye_scattering_quantity(plan).label, debye_scattering_norm_explain(plan));
  for (guint i = 0; i < plan->scatterers.notes->len; i++)
    debye_result_add_note(result, "%s", (const char *)g_ptr_array_index(plan->scatterers.notes, i));
  debye_result_copy_notes(result, plan->notes);
  add_solvent(result, &plan->scatterers);
  debye_frame_choice_add_notes(&plan->frames, found->n_frames, result);
  if (debye_scattering_intensity_has_errors(found))
    debye_result_add_note(result, "Standard errors from %" G_GSIZE_FORMAT " blocks of frames",
                          debye_scattering_sums_get_n_blocks(found->sums));
}

DebyeResult *
debye_scattering_result_new(const DebyeRunInput *input, const DebyeScatteringFound *found)
{
  gboolean is_xray = found->plan.scatterers.probe == DEBYE_PROBE_XRAY;
  g_autoptr(DebyeRequest) request = debye_request_copy(input->request);
  debye_scattering_set_effective_settings(request, &found->plan, debye_scattering_intensity_volume(found));
  DebyeResult *result = debye_result_new(request, is_xray ? "X-ray scattering" : "Neutron scattering");
  add_intensities(result, found);
  if (debye_contrast_has_series(result))
    debye_contrast_add_series(result);
  if (found->volume != NULL) {
    g_autoptr(DebyeField) field =
        debye_scattering_volume_make_field(found->volume, debye_scattering_intensity_volume(found));
    debye_result_add_field(result, field);
  }
  if (found->sums != NULL)
    add_products(result, found);
  debye_scattering_result_add_weights(result, &found->plan.scatterers);
  add_notes(result, found);
  return result;
}
