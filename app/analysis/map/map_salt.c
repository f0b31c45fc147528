/* SPDX-License-Identifier: MIT */
/* Implementation of map_salt.h. */
#include "map_salt.h"

#include <math.h>
#include <string.h>

#include "data/files/error.h"
#include "data/files/input.h"
#include "data/settings/setting.h"

#define MAX_VALENCE 10.0
#define MAX_CONCENTRATION 20.0
#define MAX_RADIUS 20.0
/* Of the charges' sum against that of their amounts: what decimals round. */
#define NEUTRAL 1e-10

static gboolean
read_ion(const char *text, DebyeMapSalt *salt)
{
  g_auto(GStrv) words = g_strsplit(text, ",", -1);
  double values[3];
  if (g_strv_length(words) != G_N_ELEMENTS(values))
    return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS(values); i++) {
    const char *word = g_strstrip(words[i]);
    if (!debye_text_to_double(word, strlen(word), &values[i]) || !isfinite(values[i]))
      return FALSE;
  }
  if (values[0] == 0.0 || fabs(values[0]) > MAX_VALENCE || !(values[1] > 0.0) ||
      values[1] > MAX_CONCENTRATION || values[2] < 0.0 || values[2] > MAX_RADIUS)
    return FALSE;
  salt->valence[salt->n_ions] = values[0];
  salt->concentration[salt->n_ions++] = values[1];
  salt->radius = MAX(salt->radius, values[2]);
  return TRUE;
}

static gboolean
is_neutral(const DebyeMapSalt *salt)
{
  double charge = 0.0, amount = 0.0;
  for (guint i = 0; i < salt->n_ions; i++) {
    charge += salt->valence[i] * salt->concentration[i];
    amount += fabs(salt->valence[i]) * salt->concentration[i];
  }
  return fabs(charge) <= NEUTRAL * amount;
}

gboolean
debye_map_salt_read(const char *text, DebyeMapSalt *salt, GError **error)
{
  g_auto(GStrv) ions = debye_setting_split_values(text);
  *salt = (DebyeMapSalt){.n_ions = 0};
  for (char **ion = ions; ion != NULL && *ion != NULL; ion++) {
    if (salt->n_ions == DEBYE_POISSON_MAX_IONS)
      return debye_error_set_about(error, DEBYE_ERROR_VALUE, "Ions",
                                   "at most %d kinds are possible, found %u", DEBYE_POISSON_MAX_IONS,
                                   g_strv_length(ions));
    if (read_ion(*ion, salt))
      continue;
    return debye_error_set_about(error, DEBYE_ERROR_VALUE, "Ions",
                                 "expected VALENCE,MOL_PER_LITRE,RADIUS such as 2,0.05,2, found “%s”", *ion);
  }
  return is_neutral(salt) ||
         debye_error_set_about(
             error, DEBYE_ERROR_VALUE, "Ions",
             "the solution isn't neutral; expected valences times concentrations to add up to 0");
}

double
debye_map_salt_strength(const DebyeMapSalt *salt)
{
  double sum = 0.0;
  for (guint i = 0; i < salt->n_ions; i++)
    sum += 0.5 * salt->valence[i] * salt->valence[i] * salt->concentration[i];
  return sum;
}

DebyePoissonSalt
debye_map_salt_shares(const DebyeMapSalt *salt)
{
  const double whole = 2.0 * debye_map_salt_strength(salt);
  DebyePoissonSalt shares = {2, {1.0, -1.0}, {0.5, 0.5}};
  if (salt->n_ions > 0)
    shares.n_ions = salt->n_ions;
  for (guint i = 0; i < salt->n_ions; i++) {
    shares.valence[i] = salt->valence[i];
    shares.share[i] = salt->valence[i] * salt->valence[i] * salt->concentration[i] / whole;
  }
  return shares;
}
