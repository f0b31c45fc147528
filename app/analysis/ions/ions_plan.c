/* SPDX-License-Identifier: MIT */
/* Plans a placement of ions from a request; called by ions_analysis.c and ions_run.c. */
#include "ions_plan.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "data/files/error.h"

#define PER_CUBIC_ANGSTROM 6.02214076e-4 /* particles in an Å³ at 1 mol/L */
#define MAX_IONS 1000000

void
debye_ions_plan_clear(gpointer own)
{
  DebyeIonsPlan *plan = own;
  g_free(plan->frames);
  debye_map_plan_clear(&plan->map);
}

/* --- The map before the first ion --- */

/* What the map's table has and the ions' lacks stands at the map's defaults, but for superposing: there is one frame. */
static void
fill_settings(DebyeIonsPlan *plan, DebyeRequest *request)
{
  DebyeIonsSettings *settings = &plan->settings;
  g_autoptr(DebyeRequest) defaults = debye_request_new(&debye_map_settings);
  debye_request_fill(defaults, &settings->map);
  debye_request_fill(request, settings);
  plan->frames = g_strdup_printf("%" G_GINT64_FORMAT ":%" G_GINT64_FORMAT, settings->frame, settings->frame);
  settings->map.frames = plan->frames;
  settings->map.superposing.superpose = DEBYE_SUPERPOSE_NONE;
  settings->map.superposing.has_superpose = TRUE;
}

/* The map's table calls the frame by the plural. */
static const char *
own_key(const char *key)
{
  return g_strcmp0(key, "frames") == 0 ? "frame" : key;
}

static gboolean
is_one_cell(const DebyePotentialSettings *potential)
{
  const DebyeVec3 edges[3] = {potential->cell.a, potential->cell.b, potential->cell.c};
  if (potential->periodic != DEBYE_PERIODIC_ALL)
    return FALSE;
  for (int axis = 0; axis < 3; axis++) {
    DebyeVec3 span = debye_vec3_scale(potential->grid.step[axis], (double)potential->grid.shape[axis]);
    if (debye_vec3_length(debye_vec3_subtract(span, edges[axis])) > 1e-9 * debye_vec3_length(edges[axis]))
      return FALSE;
  }
  return TRUE;
}

static gboolean
plan_map(DebyeIonsPlan *plan, DebyeDataset *dataset, const char **key, GError **error)
{
  gboolean is_planned = debye_map_plan_init(&plan->map, dataset, &plan->settings.map, key, error);
  *key = own_key(*key);
  plan->has_unit_map =
      is_planned && plan->map.potential.method != DEBYE_POTENTIAL_DIRECT && is_one_cell(&plan->map.potential);
  return is_planned;
}

/* --- Which ions, and how many --- */

static gboolean
check_names(const DebyeIonKind *kind, DebyeIonNames names, const char **key, GError **error)
{
  if (kind == NULL || debye_ion_kind_get_name(kind, names)->residue != NULL)
    return TRUE;
  *key = "names";
  return debye_error_set_about(error, DEBYE_ERROR_VALUE, "Names",
                               "CHARMM's water and ions have no %s, expected AMBER's names for it",
                               kind->key);
}

static gboolean
parse_number(const char **text, gsize *number)
{
  char *end = NULL;
  *text += strspn(*text, " ");
  if (!g_ascii_isdigit(**text))
    return FALSE;
  errno = 0;
  guint64 value = g_ascii_strtoull(*text, &end, 10);
  *text = end + strspn(end, " ");
  *number = (gsize)value;
  return errno == 0 && value <= MAX_IONS;
}

static gboolean
parse_count(DebyeIonsPlan *plan, const char *text, const char **key, GError **error)
{
  const char *at = text;
  gboolean is_pair = parse_number(&at, &plan->n_cations) && *at++ == ',' &&
                     parse_number(&at, &plan->n_anions) && *at == '\0';
  if (is_pair)
    return TRUE;
  *key = "count";
  return debye_error_set_about(error, DEBYE_ERROR_VALUE, "Number of ions",
                               "expected two whole numbers up to %d, cations and anions, such as 12,8, found "
                               "“%s”",
                               MAX_IONS, text);
}

static gboolean
check_kinds(const DebyeIonsPlan *plan, const char **key, GError **error)
{
  const char *missing = NULL;
  if (plan->cation == NULL && (plan->n_cations > 0 || plan->concentration > 0.0 || plan->anion == NULL))
    missing = "cation";
  else if (plan->anion == NULL && (plan->n_anions > 0 || plan->concentration > 0.0))
    missing = "anion";
  if (missing == NULL)
    return TRUE;
  *key = missing;
  return debye_error_set_about(error, DEBYE_ERROR_VALUE, g_str_equal(missing, "cation") ? "Cation" : "Anion",
                               "ions are to be placed, but none is chosen. Choose an ion");
}

static gboolean
choose_ions(DebyeIonsPlan *plan, const char **key, GError **error)
{
  const DebyeIonsSettings *settings = &plan->settings;
  const char *count = settings->count;
  plan->cation = debye_ion_kind_find(debye_cation_choices[settings->cation].value);
  plan->anion = debye_ion_kind_find(debye_anion_choices[settings->anion].value);
  plan->concentration = isnan(settings->concentration) ? 0.0 : settings->concentration;
  if (count != NULL && plan->concentration > 0.0) {
    *key = "concentration";
    return debye_error_set_about(error, DEBYE_ERROR_VALUE, "Concentration",
                                 "expected either a number of ions or a concentration, found both");
  }
  if (count != NULL && !parse_count(plan, count, key, error))
    return FALSE;
  plan->neutralise =
      settings->has_neutralise ? settings->neutralise : count == NULL && !(plan->concentration > 0.0);
  return check_names(plan->cation, settings->names, key, error) &&
         check_names(plan->anion, settings->names, key, error) && check_kinds(plan, key, error);
}

/* The fewest ions of charge `own` that, with ions of charge `other` where there are such, cancel `charge`. */
static gboolean
find_counterions(gint64 charge, gint64 own, gint64 other, gsize *n_own, gsize *n_other)
{
  for (gint64 more = 0; more <= MAX(other, 1); more++) {
    gint64 n = (charge + own - 1) / own + more, rest = n * own - charge;
    if (rest == 0 || (other > 0 && rest % other == 0)) {
      *n_own += (gsize)n;
      *n_other += rest == 0 ? 0 : (gsize)(rest / other);
      return TRUE;
    }
  }
  return FALSE;
}

static gboolean
add_neutralising(const DebyeIonsPlan *plan, gsize *n_cations, gsize *n_anions, GError **error)
{
  const gint64 plus = plan->cation != NULL ? plan->cation->charge : 0;
  const gint64 minus = plan->anion != NULL ? -plan->anion->charge : 0;
  const gint64 charge =
      (gint64)llround(plan->map.net_charge) + (gint64)*n_cations * plus - (gint64)*n_anions * minus;
  const DebyeIonKind *counterion = charge < 0 ? plan->cation : plan->anion;
  if (charge == 0)
    return TRUE;
  if (counterion == NULL)
    return debye_error_set_about(error, DEBYE_ERROR_VALUE, "Neutralise",
                                 "a net charge of %+" G_GINT64_FORMAT " e needs %s, but none is chosen",
                                 charge, charge < 0 ? "cations" : "anions");
  gboolean is_found = charge < 0 ? find_counterions(-charge, plus, minus, n_cations, n_anions)
                                 : find_counterions(charge, minus, plus, n_anions, n_cations);
  return is_found || debye_error_set_about(
                         error, DEBYE_ERROR_VALUE, "Neutralise",
                         "a net charge of %+" G_GINT64_FORMAT
                         " e can't be neutralised by %s (%+d e) alone, expected %s as well or another ion",
                         charge, counterion->key, counterion->charge, charge < 0 ? "an anion" : "a cation");
}

/* As many units of the salt as the volume holds, each neutral. */
static void
add_concentration(const DebyeIonsPlan *plan, double open_volume, gsize *n_cations, gsize *n_anions)
{
  const double units = rint(plan->concentration * PER_CUBIC_ANGSTROM * open_volume);
  const int plus = plan->cation->charge, minus = -plan->anion->charge;
  const int common = plus % minus == 0 ? minus : (minus % plus == 0 ? plus : 1);
  const gsize n = (gsize)CLAMP(units, 0.0, (double)MAX_IONS);
  *n_cations += n * (gsize)(minus / common);
  *n_anions += n * (gsize)(plus / common);
}

gboolean
debye_ions_plan_count(const DebyeIonsPlan *plan, double open_volume, gsize *n_cations, gsize *n_anions,
                      const char **key, GError **error)
{
  const char *ignored;
  key = key != NULL ? key : &ignored;
  *n_cations = plan->n_cations;
  *n_anions = plan->n_anions;
  *key = "neutralise";
  if (plan->concentration > 0.0)
    add_concentration(plan, open_volume, n_cations, n_anions);
  if (plan->neutralise && !add_neutralising(plan, n_cations, n_anions, error))
    return FALSE;
  if (*n_cations + *n_anions > 0) {
    *key = NULL;
    return TRUE;
  }
  *key = plan->concentration > 0.0 ? "concentration" : "count";
  if (plan->concentration > 0.0)
    return debye_error_set_about(
        error, DEBYE_ERROR_VALUE, "Concentration",
        "the open volume of %.0f Å³ holds no ion at this concentration. Give a higher one", open_volume);
  return debye_error_set_about(error, DEBYE_ERROR_VALUE, "Number of ions", "%s",
                               plan->neutralise
                                   ? "the atoms are neutral and need none. Give a number or a concentration"
                                   : "expected at least one ion, found none");
}

gboolean
debye_ions_plan_init(DebyeIonsPlan *plan, DebyeDataset *dataset, DebyeRequest *request, const char **key,
                     GError **error)
{
  gsize n_cations, n_anions;
  *key = NULL;
  fill_settings(plan, request);
  /* The map is planned in any case: a form shows its spacing beside what is wrong with the ions. */
  if (!choose_ions(plan, key, error)) {
    const char *map_key;
    plan_map(plan, dataset, &map_key, NULL);
    return FALSE;
  }
  if (!plan_map(plan, dataset, key, error))
    return FALSE;
  /* How many a concentration makes is known when the open volume is. */
  return plan->concentration > 0.0 || debye_ions_plan_count(plan, 0.0, &n_cations, &n_anions, key, error);
}
