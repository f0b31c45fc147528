/* SPDX-License-Identifier: MIT */
/* Implementation of titration_output.h. */
#include "titration_output.h"

#include "data/messages/message.h"

static const DebyeQuantity ph_quantity = {DEBYE_PH, "pH", NULL};
static const DebyeQuantity protons_quantity = {DEBYE_PROTONS, N_("protons"), NULL};
static const DebyeQuantity charge_quantity = {"charge", N_("charge"), "e"};

static char *
name_site(const DebyeTitrationSite *site)
{
  return *site->chain != '\0' ? g_strdup_printf("%s %s", site->chain, site->residue)
                              : g_strdup(site->residue);
}

/* A site's row of what is kept by pH. */
static double *
take_column(const DebyeTitrationCurves *curves, const double *values, gsize site)
{
  double *column = g_new(double, curves->n_ph);
  for (gsize k = 0; k < curves->n_ph; k++)
    column[k] = values[k * curves->n_sites + site];
  return column;
}

static void
add_curves(DebyeResult *result, const DebyeTitrationResult *self, DebyeTable *table)
{
  const DebyeTitrationCurves *curves = self->curves;
  debye_table_add_numbers(table, &ph_quantity, curves->n_ph, curves->ph);
  g_autoptr(DebyeCurve) charge =
      debye_curve_new(N_("total charge"), &ph_quantity, &charge_quantity, DEBYE_CURVE_LINE, curves->n_ph,
                      curves->ph, curves->charge, NULL);
  debye_curve_set_names_quantity(charge, TRUE);
  debye_result_add_curve(result, charge);
  for (guint i = 0; i < self->sites->sites->len; i++) {
    const DebyeTitrationSite *site = g_ptr_array_index(self->sites->sites, i);
    if (isnan(site->pka)) /* takes up none */
      continue;
    g_autofree char *name = name_site(site);
    g_autofree double *values = take_column(curves, curves->protonated, i);
    g_autofree double *errors = take_column(curves, curves->protonated_error, i);
    g_autoptr(DebyeCurve) curve =
        debye_curve_new(name, &ph_quantity, &protons_quantity, DEBYE_CURVE_LINE, curves->n_ph, curves->ph,
                        values, curves->is_exact ? NULL : errors);
    debye_result_add_curve(result, curve);
    debye_table_add_numbers(table, &(DebyeQuantity){name, name, NULL}, curves->n_ph, values);
  }
}

/* --- The table of sites --- */

/* Columns of numbers, one a site. */
enum { MODEL, INTRINSIC, HALF, HALF_ERROR, SHIFT, HILL, HILL_ERROR, ACCESS, CHARGE, N_COLUMNS };

static const DebyeQuantity columns[N_COLUMNS] = {{"pka_model", N_("model pKa"), NULL},
                                                 {"pk_intrinsic", N_("intrinsic pKa"), NULL},
                                                 {"pk_half", "pK½", NULL},
                                                 {"pk_half_error", N_("error"), NULL},
                                                 {"shift", N_("shift"), NULL},
                                                 {"hill", N_("Hill coefficient"), NULL},
                                                 {"hill_error", N_("error of Hill coefficient"), NULL},
                                                 {"accessible", N_("accessible"), NULL},
                                                 {"charge", N_("charge"), "e"}};

/* The charge of a site without its proton, in e. */
static double
get_bare_charge(const DebyeTitrationSite *site)
{
  static const char *const acids[] = {"ASP", "GLU", "CYS", "TYR", "CTR", NULL};
  return g_strv_contains(acids, site->family) ? -1.0 : 0.0;
}

static void
fill_site(const DebyeTitrationResult *self, guint i, double ph, double values[N_COLUMNS])
{
  const DebyeTitrationSite *site = g_ptr_array_index(self->sites->sites, i);
  const DebyeTitrationMidpoint *midpoint = &self->curves->midpoints[i];
  values[MODEL] = site->pka;
  values[INTRINSIC] = debye_titration_model_get_intrinsic(self->model, i);
  values[HALF] = midpoint->half;
  values[HALF_ERROR] = midpoint->half_error;
  values[SHIFT] = midpoint->half - site->pka;
  values[HILL] = midpoint->hill;
  values[HILL_ERROR] = midpoint->hill_error;
  values[ACCESS] = self->access[i];
  values[CHARGE] = get_bare_charge(site) + debye_titration_result_get_protons(self, i, ph);
}

static GArray *
list_titrating(const DebyeTitrationResult *self)
{
  GArray *list = g_array_new(FALSE, FALSE, sizeof(guint));
  for (guint i = 0; i < self->sites->sites->len; i++) {
    const DebyeTitrationSite *site = g_ptr_array_index(self->sites->sites, i);
    if (!isnan(site->pka))
      g_array_append_val(list, i);
  }
  return list;
}

static void
add_names(DebyeTable *table, const DebyeTitrationResult *self, const GArray *list)
{
  g_autofree const char **residues = g_new0(const char *, list->len + 1);
  g_autofree const char **chains = g_new0(const char *, list->len + 1);
  for (guint n = 0; n < list->len; n++) {
    const DebyeTitrationSite *site = g_ptr_array_index(self->sites->sites, g_array_index(list, guint, n));
    residues[n] = site->residue;
    chains[n] = site->chain;
  }
  debye_table_add_texts(table, &(DebyeQuantity){"residue", N_("residue"), NULL}, residues);
  debye_table_add_texts(table, &(DebyeQuantity){"chain", N_("chain"), NULL}, chains);
}

static DebyeTable *
make_sites(const DebyeTitrationResult *self, DebyeRequest *request)
{
  DebyeTable *table = debye_table_new(DEBYE_TABLE_OF_SITES);
  const double ph = g_ascii_strtod(debye_request_get(request, "ph"), NULL);
  g_autoptr(GArray) list = list_titrating(self);
  g_autofree double *numbers = g_new(double, (gsize)N_COLUMNS * list->len + 1);
  g_auto(GStrv) names = g_new0(char *, list->len + 1);
  for (guint n = 0; n < list->len; n++) {
    double values[N_COLUMNS];
    const guint i = g_array_index(list, guint, n);
    fill_site(self, i, ph, values);
    for (guint k = 0; k < N_COLUMNS; k++)
      numbers[(gsize)k * list->len + n] = values[k];
    names[n] = name_site(g_ptr_array_index(self->sites->sites, i));
  }
  add_names(table, self, list);
  for (guint k = 0; k < N_COLUMNS; k++)
    debye_table_add_numbers(table, &columns[k], list->len, numbers + (gsize)k * list->len);
  debye_table_add_texts(table, &(DebyeQuantity){"site", N_("site"), NULL}, (const char *const *)names);
  return table;
}

/* --- The result --- */

static const char *
format(char text[G_ASCII_DTOSTR_BUF_SIZE], const char *form, double value)
{
  return g_ascii_formatd(text, G_ASCII_DTOSTR_BUF_SIZE, form, value);
}

static void
add_notes(DebyeResult *result, const DebyeTitrationResult *self)
{
  char a[G_ASCII_DTOSTR_BUF_SIZE], b[G_ASCII_DTOSTR_BUF_SIZE];
  debye_result_add_note(result, "permittivity %s within and %s outside, PARSE's charges and radii",
                        format(a, "%g", self->medium.solute), format(b, "%g", self->medium.solvent));
  debye_result_add_note(result,
                        "interactions with other residues are scaled by %s, because the protein relaxes",
                        format(a, "%g", self->medium.held));
  debye_result_add_note(result, "%u solutions of the Poisson–Boltzmann equation, residual at most %s",
                        self->solved.n_solutions, format(a, "%.1e", self->solved.residual));
  debye_result_add_note(result, "interactions of sites are symmetric to %s kT",
                        format(a, "%.2g", self->solved.asymmetry));
  if (!isnan(self->curves->isoelectric))
    debye_result_add_note(result, "isoelectric point: pH %s", format(a, "%.2f", self->curves->isoelectric));
}

DebyeResult *
debye_titration_result_to_result(const DebyeTitrationResult *self, DebyeRequest *request)
{
  DebyeResult *result = debye_result_new(request, N_("Titration"));
  g_autoptr(DebyeTable) table = debye_table_new("titration");
  g_autoptr(DebyeTable) sites = make_sites(self, request);
  add_curves(result, self, table);
  debye_result_add_table(result, table);
  debye_result_add_table(result, sites);
  add_notes(result, self);
  return result;
}
