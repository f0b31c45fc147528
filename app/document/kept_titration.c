/* SPDX-License-Identifier: MIT */
/* Implementation of kept_titration.h. */
#include "kept_titration.h"

#include <math.h>

#include "data/files/error.h"
#include "json_reader.h"

/* Of shares and charges in the text. */
#define DIGITS 1e6
/* More of either isn't this program's. */
#define MOST_SITES 10000
#define MOST_PH 10000

/* --- Saving --- */

/* One of so many that stand `stride` apart. */
static void
insert_numbers(GVariantDict *dict, const char *key, const double *values, gsize n, gsize stride)
{
  GVariantBuilder builder;
  g_variant_builder_init(&builder, G_VARIANT_TYPE("av"));
  for (gsize k = 0; k < n; k++)
    g_variant_builder_add(&builder, "v", g_variant_new_double(round(values[k * stride] * DIGITS) / DIGITS));
  g_variant_dict_insert_value(dict, key, g_variant_builder_end(&builder));
}

/* JSON has no number that isn't one: what is out of reach has no member. */
static void
insert_number(GVariantDict *dict, const char *key, double value)
{
  if (!isnan(value))
    g_variant_dict_insert(dict, key, "d", value);
}

static GVariant *
save_state(const DebyeTitrationResult *titration, const DebyeTitrationState *state, gsize index)
{
  const DebyeTitrationCurves *curves = titration->curves;
  GVariantDict dict;
  g_variant_dict_init(&dict, NULL);
  g_variant_dict_insert(&dict, "name", "s", state->name);
  g_variant_dict_insert(&dict, "protons", "d", state->protons);
  g_variant_dict_insert(&dict, "energy", "d", titration->model->energy[index]);
  insert_numbers(&dict, "occupancy", curves->occupancy + index, curves->n_ph, curves->n_states);
  if (!curves->is_exact)
    insert_numbers(&dict, "error", curves->error + index, curves->n_ph, curves->n_states);
  return g_variant_dict_end(&dict);
}

static GVariant *
save_site(const DebyeTitrationResult *titration, guint i)
{
  const DebyeTitrationSite *site = g_ptr_array_index(titration->sites->sites, i);
  const DebyeTitrationCurves *curves = titration->curves;
  const DebyeTitrationMidpoint *midpoint = &curves->midpoints[i];
  const char insertion[2] = {site->insertion_code, '\0'};
  GVariantBuilder states;
  GVariantDict dict;
  g_variant_builder_init(&states, G_VARIANT_TYPE("av"));
  for (guint s = 0; s < site->n_states; s++)
    g_variant_builder_add(&states, "v",
                          save_state(titration, &site->states[s], titration->model->first[i] + s));
  g_variant_dict_init(&dict, NULL);
  g_variant_dict_insert(&dict, "residue", "s", site->residue);
  g_variant_dict_insert(&dict, "chain", "s", site->chain);
  g_variant_dict_insert(&dict, "family", "s", site->family);
  g_variant_dict_insert(&dict, "place", "x", (gint64)site->place);
  g_variant_dict_insert(&dict, "number", "x", (gint64)site->number);
  g_variant_dict_insert(&dict, "insertion", "s", insertion);
  insert_number(&dict, "pka", site->pka);
  insert_number(&dict, "half", midpoint->half);
  insert_number(&dict, "half-error", midpoint->half_error);
  insert_number(&dict, "hill", midpoint->hill);
  insert_number(&dict, "hill-error", midpoint->hill_error);
  insert_numbers(&dict, "protons", curves->protonated + i, curves->n_ph, curves->n_sites);
  if (!curves->is_exact)
    insert_numbers(&dict, "error", curves->protonated_error + i, curves->n_ph, curves->n_sites);
  g_variant_dict_insert_value(&dict, "states", g_variant_builder_end(&states));
  return g_variant_dict_end(&dict);
}

GVariant *
debye_kept_titration_save(const DebyeTitrationResult *titration)
{
  const DebyeTitrationCurves *curves = titration->curves;
  GVariantBuilder sites;
  GVariantDict dict;
  g_variant_builder_init(&sites, G_VARIANT_TYPE("av"));
  for (guint i = 0; i < titration->sites->sites->len; i++)
    g_variant_builder_add(&sites, "v", save_site(titration, i));
  g_variant_dict_init(&dict, NULL);
  g_variant_dict_insert(&dict, "exact", "b", curves->is_exact);
  insert_number(&dict, "isoelectric", curves->isoelectric);
  insert_numbers(&dict, "ph", curves->ph, curves->n_ph, 1);
  insert_numbers(&dict, "charge", curves->charge, curves->n_ph, 1);
  g_variant_dict_insert_value(&dict, "sites", g_variant_builder_end(&sites));
  return g_variant_dict_end(&dict);
}

/* --- Loading --- */

static void
site_free(gpointer data)
{
  DebyeTitrationSite *site = data;
  g_free(site->residue);
  g_free(site->chain);
  g_free(site);
}

static gboolean
take_numbers(GVariant *object, const char *key, double *values, gsize n, gsize stride)
{
  g_autofree double *list = g_new(double, n);
  if (!debye_json_get_numbers(object, key, list, n))
    return FALSE;
  for (gsize k = 0; k < n; k++)
    values[k * stride] = list[k];
  return TRUE;
}

static double
get_number(GVariant *object, const char *key)
{
  double value;
  return debye_json_get_number(object, key, &value) ? value : NAN;
}

/* Children of an array, unboxed. (transfer full) */
static GVariant *
get_child(GVariant *list, gsize i)
{
  g_autoptr(GVariant) boxed = g_variant_get_child_value(list, i);
  return g_variant_get_variant(boxed);
}

/* A text that stays, as those of tables do. */
static const char *
get_name(GVariant *object, const char *key)
{
  g_autofree char *text = debye_json_get_text(object, key);
  return text != NULL ? g_intern_string(text) : NULL;
}

static DebyeTitrationSite *
load_site(GVariant *saved)
{
  DebyeTitrationSite *site = g_new0(DebyeTitrationSite, 1);
  g_autoptr(GVariant) states = debye_json_get(saved, "states", G_VARIANT_TYPE("av"));
  g_autofree char *insertion = debye_json_get_text(saved, "insertion");
  site->residue = debye_json_get_text(saved, "residue");
  site->chain = debye_json_get_text(saved, "chain");
  site->family = get_name(saved, "family");
  site->place = (guint32)CLAMP(debye_json_get_integer(saved, "place", 0), 0, G_MAXUINT32);
  site->number = (gint32)debye_json_get_integer(saved, "number", 0);
  site->insertion_code = insertion != NULL ? *insertion : '\0';
  site->pka = get_number(saved, "pka");
  site->n_states = states != NULL ? (guint)MIN(g_variant_n_children(states), DEBYE_TITRATION_STATES + 1) : 0;
  gboolean is_whole = site->residue != NULL && site->chain != NULL && site->family != NULL &&
                      site->n_states >= 2 && site->n_states <= DEBYE_TITRATION_STATES;
  guint n_protonated = 0;
  for (guint s = 0; is_whole && s < site->n_states; s++) {
    g_autoptr(GVariant) state = get_child(states, s);
    site->states[s].name = get_name(state, "name");
    site->states[s].protons = get_number(state, "protons");
    site->states[s].energy = get_number(state, "energy");
    n_protonated += site->states[s].protons == 1.0;
    is_whole = site->states[s].name != NULL && !isnan(site->states[s].energy) &&
               (site->states[s].protons == 1.0 || site->states[s].protons == 0.0);
  }
  /* At each pH one of both kinds is asked for. */
  is_whole = is_whole && (isnan(site->pka) || (n_protonated > 0 && n_protonated < site->n_states));
  if (is_whole)
    return site;
  site_free(site);
  return NULL;
}

static DebyeTitrationSites *
load_sites(GVariant *list)
{
  g_autoptr(GPtrArray) rows = g_ptr_array_new_with_free_func(site_free);
  const gsize n = g_variant_n_children(list);
  for (gsize i = 0; i < n; i++) {
    g_autoptr(GVariant) saved = get_child(list, i);
    DebyeTitrationSite *site = n <= MOST_SITES ? load_site(saved) : NULL;
    if (site == NULL)
      return NULL;
    g_ptr_array_add(rows, site);
  }
  DebyeTitrationSites *sites = g_new0(DebyeTitrationSites, 1);
  GArray **const arrays[] = {&sites->x, &sites->y, &sites->z, &sites->radii, &sites->charges};
  for (gsize k = 0; k < G_N_ELEMENTS(arrays); k++)
    *arrays[k] = g_array_new(FALSE, FALSE, sizeof(float));
  sites->sites = g_steal_pointer(&rows);
  return sites;
}

/* Without the energies between sites, which nothing asks for once there are curves. */
static DebyeTitrationModel *
make_model(const DebyeTitrationSites *sites)
{
  DebyeTitrationModel *model = g_new0(DebyeTitrationModel, 1);
  const guint n = sites->sites->len;
  model->n_sites = n;
  model->first = g_new0(guint, n + 1);
  model->protons = g_new0(double, (gsize)n *DEBYE_TITRATION_STATES + 1);
  model->energy = g_new0(double, (gsize)n *DEBYE_TITRATION_STATES + 1);
  for (guint i = 0; i < n; i++) {
    const DebyeTitrationSite *site = g_ptr_array_index(sites->sites, i);
    for (guint s = 0; s < site->n_states; s++) {
      model->protons[model->first[i] + s] = site->states[s].protons;
      model->energy[model->first[i] + s] = site->states[s].energy;
    }
    model->first[i + 1] = model->first[i] + site->n_states;
  }
  model->n_states = model->first[n];
  return model;
}

static gboolean
fill_site(DebyeTitrationCurves *curves, const DebyeTitrationModel *model, GVariant *saved, guint i)
{
  g_autoptr(GVariant) states = debye_json_get(saved, "states", G_VARIANT_TYPE("av"));
  const gboolean has_errors = !curves->is_exact;
  gboolean is_whole = take_numbers(saved, "protons", curves->protonated + i, curves->n_ph, curves->n_sites) &&
                      (!has_errors || take_numbers(saved, "error", curves->protonated_error + i, curves->n_ph,
                                                   curves->n_sites));
  for (guint s = model->first[i]; is_whole && s < model->first[i + 1]; s++) {
    g_autoptr(GVariant) state = get_child(states, s - model->first[i]);
    is_whole =
        take_numbers(state, "occupancy", curves->occupancy + s, curves->n_ph, curves->n_states) &&
        (!has_errors || take_numbers(state, "error", curves->error + s, curves->n_ph, curves->n_states));
  }
  curves->midpoints[i] = (DebyeTitrationMidpoint){.half = get_number(saved, "half"),
                                                  .half_error = get_number(saved, "half-error"),
                                                  .hill = get_number(saved, "hill"),
                                                  .hill_error = get_number(saved, "hill-error")};
  return is_whole;
}

static gboolean
is_rising(const double *ph, gsize n)
{
  for (gsize k = 1; k < n; k++)
    if (!(ph[k] > ph[k - 1]))
      return FALSE;
  return TRUE;
}

/* Room for as many values as the text can have, no more. */
static DebyeTitrationCurves *
load_curves(GVariant *saved, GVariant *sites, const DebyeTitrationModel *model, gsize n_ph)
{
  g_autoptr(DebyeTitrationCurves) curves = g_new0(DebyeTitrationCurves, 1);
  g_autoptr(GVariant) exact = debye_json_get(saved, "exact", G_VARIANT_TYPE_BOOLEAN);
  curves->is_exact = exact != NULL && g_variant_get_boolean(exact);
  curves->n_sites = model->n_sites;
  curves->n_states = model->n_states;
  curves->n_ph = n_ph;
  curves->ph = g_new0(double, n_ph);
  curves->charge = g_new0(double, n_ph);
  curves->occupancy = g_try_new0(double, n_ph * curves->n_states + 1);
  curves->error = g_try_new0(double, n_ph * curves->n_states + 1);
  curves->protonated = g_try_new0(double, n_ph * curves->n_sites + 1);
  curves->protonated_error = g_try_new0(double, n_ph * curves->n_sites + 1);
  curves->midpoints = g_new0(DebyeTitrationMidpoint, curves->n_sites + 1);
  curves->isoelectric = get_number(saved, "isoelectric");
  if (curves->occupancy == NULL || curves->error == NULL || curves->protonated == NULL ||
      curves->protonated_error == NULL || !take_numbers(saved, "ph", curves->ph, n_ph, 1) ||
      !take_numbers(saved, "charge", curves->charge, n_ph, 1) || !is_rising(curves->ph, n_ph))
    return NULL;
  for (guint i = 0; i < curves->n_sites; i++) {
    g_autoptr(GVariant) site = get_child(sites, i);
    if (!fill_site(curves, model, site, i))
      return NULL;
  }
  return g_steal_pointer(&curves);
}

/* 0: so many can't be. */
static gsize
count_ph(GVariant *saved)
{
  g_autoptr(GVariant) ph = debye_json_get(saved, "ph", G_VARIANT_TYPE("av"));
  const gsize n = ph != NULL ? g_variant_n_children(ph) : 0;
  return n >= 2 && n <= MOST_PH ? n : 0;
}

DebyeTitrationResult *
debye_kept_titration_load(GVariant *saved, GError **error)
{
  g_autoptr(DebyeTitrationResult) self = g_atomic_rc_box_new0(DebyeTitrationResult);
  g_autoptr(GVariant) list = debye_json_get(saved, "sites", G_VARIANT_TYPE("av"));
  const gsize n_ph = count_ph(saved);
  self->sites = list != NULL && n_ph > 0 ? load_sites(list) : NULL;
  self->model = self->sites != NULL ? make_model(self->sites) : NULL;
  self->curves = self->model != NULL ? load_curves(saved, list, self->model, n_ph) : NULL;
  if (self->curves != NULL)
    return g_steal_pointer(&self);
  debye_error_set(error, DEBYE_ERROR_VALUE,
                  "the session's titration by Poisson–Boltzmann is damaged. Open the structure itself and "
                  "prepare it again");
  return NULL;
}
