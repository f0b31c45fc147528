/* SPDX-License-Identifier: MIT */
/* Implementation of titration_output.h. */
#include "titration_output.h"

#include "data/messages/message.h"

static const DebyeQuantity ph_quantity = {"ph", "pH", NULL};
static const DebyeQuantity protons_quantity = {"protons", N_("protons"), NULL};
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

/* Columns of numbers, one a site. */
enum { MODEL, INTRINSIC, HALF, HALF_ERROR, HILL, HILL_ERROR, ACCESS, N_COLUMNS };

static DebyeTable *
make_sites(const DebyeTitrationResult *self)
{
  static const DebyeQuantity quantities[N_COLUMNS] = {{"pka_model", "pka_model", NULL},
                                                      {"pk_intrinsic", "pk_intrinsic", NULL},
                                                      {"pk_half", "pk_half", NULL},
                                                      {"pk_half_error", "pk_half_error", NULL},
                                                      {"hill", "hill", NULL},
                                                      {"hill_error", "hill_error", NULL},
                                                      {"accessible", "accessible", NULL}};
  DebyeTable *table = debye_table_new("sites");
  const guint n_all = self->sites->sites->len;
  g_autofree double *columns = g_new(double, N_COLUMNS *n_all + 1);
  g_auto(GStrv) names = g_new0(char *, n_all + 1);
  guint n = 0;
  for (guint i = 0; i < n_all; i++) {
    const DebyeTitrationSite *site = g_ptr_array_index(self->sites->sites, i);
    const DebyeTitrationMidpoint *midpoint = &self->curves->midpoints[i];
    if (isnan(site->pka))
      continue;
    names[n] = name_site(site);
    columns[MODEL * n_all + n] = site->pka;
    columns[INTRINSIC * n_all + n] = debye_titration_model_get_intrinsic(self->model, i);
    columns[HALF * n_all + n] = midpoint->half;
    columns[HALF_ERROR * n_all + n] = midpoint->half_error;
    columns[HILL * n_all + n] = midpoint->hill;
    columns[HILL_ERROR * n_all + n] = midpoint->hill_error;
    columns[ACCESS * n_all + n] = self->access[i];
    n++;
  }
  for (guint k = 0; k < N_COLUMNS; k++)
    debye_table_add_numbers(table, &quantities[k], n, columns + k * n_all);
  debye_table_add_texts(table, &(DebyeQuantity){"site", "site", NULL}, (const char *const *)names);
  return table;
}

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
  g_autoptr(DebyeTable) sites = make_sites(self);
  add_curves(result, self, table);
  debye_result_add_table(result, table);
  debye_result_add_table(result, sites);
  add_notes(result, self);
  return result;
}
