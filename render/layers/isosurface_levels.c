/* SPDX-License-Identifier: MIT */
/* Implementation of isosurface_levels.h: chooses levels for new isosurfaces, and names surfaces by their levels. */
#include "isosurface_levels.h"

#include <math.h>

#include <glib/gi18n.h>

#include "data/tables/unit_text.h"
#include "overlay_text.h"

#define LEVEL_TAIL 0.04 /* of the points lie beyond a level */
#define LEAST_TAIL \
  0.003 /* where that many have the other sign, or are nothing: a map of where few atoms were */
#define NOTHING \
  1e-4 /* of the largest value: percentiles of a map that is 0 nearly everywhere end a bin beyond 0 */
#define ALIKE 2.5        /* the ratio up to which both levels become the larger one */
#define BULKS 3.0        /* the bulk's density times this */
#define SIGMAS 4.0       /* above the bulk: some ten voxels of a hundred thousand are there by chance */
#define ONE_SIGMA 0.8413 /* of a normal distribution lies below its mean and one standard deviation */
#define CUT \
  0.02 /* of the points of the grid's faces: with more beyond a level its surface is cut open there */

static double
round_to_125(double value)
{
  if (!(value > 0.0) || !isfinite(value))
    return 1.0;
  double decade = pow(10.0, floor(log10(value)));
  double mantissa = value / decade;
  return decade * (mantissa < 1.5 ? 1.0 : mantissa < 3.5 ? 2.0 : mantissa < 7.5 ? 5.0 : 10.0);
}

/* Finer: from 1 to 2 lies all the room between a liquid's noise and its sites. */
static double
round_finely(double value)
{
  static const double mantissas[] = {1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0};
  const double decade = pow(10.0, floor(log10(value)));
  double nearest = mantissas[0];
  for (gsize i = 1; i < G_N_ELEMENTS(mantissas); i++)
    if (fabs(value - decade * mantissas[i]) < fabs(value - decade * nearest))
      nearest = mantissas[i];
  return decade * nearest;
}

/* Rounded up a level may be beyond the largest value, and nothing would be seen. */
static double
round_within(double value, double largest)
{
  const double rounded = round_to_125(value);
  return rounded <= largest ? rounded : round_to_125(0.5 * largest);
}

/* What lies beyond it in the direction of `sign` is the largest part, LEVEL_TAIL at most, that has that sign and is something
 * beside the largest value, of which a map where all else is 0 has half its level. */
static double
suggest_level(DebyeField *field, double sign, const DebyeFieldStatistics *statistics)
{
  const double largest = sign > 0.0 ? statistics->maximum : -statistics->minimum;
  gboolean is_sparse = FALSE;
  for (double tail = LEVEL_TAIL; tail >= LEAST_TAIL; tail *= 0.5) {
    const double level = debye_field_get_percentile(field, sign > 0.0 ? 1.0 - tail : tail);
    if (sign * level > NOTHING * largest)
      return sign * round_within(fabs(level), largest);
    is_sparse = is_sparse || (sign * level >= 0.0 && largest > 0.0);
  }
  return is_sparse && statistics->minimum * statistics->maximum >= 0.0 ? sign * round_to_125(0.5 * largest)
                                                                       : 0.0;
}

static gboolean
is_on_face(const DebyeGrid *grid, gsize i, gsize j, gsize k)
{
  return i == 0 || j == 0 || k == 0 || i + 1 == grid->shape[0] || j + 1 == grid->shape[1] ||
         k + 1 == grid->shape[2];
}

/* Whether the faces of the grid cut a surface at this level or its negative. */
static gboolean
is_cut(DebyeField *field, double level)
{
  const DebyeGrid *grid = debye_field_get_grid(field);
  const float *values = debye_field_get_values(field);
  gsize n_faces = 0, n_beyond = 0, index = 0;
  for (gsize k = 0; k < grid->shape[2]; k++)
    for (gsize j = 0; j < grid->shape[1]; j++)
      for (gsize i = 0; i < grid->shape[0]; i++, index++)
        if (is_on_face(grid, i, j, k)) {
          n_faces++;
          n_beyond += fabs((double)values[index]) > level;
        }
  return (double)n_beyond > CUT * (double)n_faces;
}

/* A charged molecule's potential falls off so slowly that a low level is a sheet from face to face, which hides it. */
static double
raise_until_whole(DebyeField *field, double level, double highest)
{
  while (is_cut(field, level) && round_to_125(2.0 * level) <= highest)
    level = round_to_125(2.0 * level);
  return level;
}

/* Both signs are compared at one level. Where one is far stronger, the level lies between the two: at the larger one the
 * weaker sign would not be seen, at the smaller one the stronger sign would fill the picture. */
static double
choose_common(DebyeField *field, double negative, double positive, const DebyeFieldStatistics *statistics)
{
  const double smaller = fmin(negative, positive), larger = fmax(negative, positive);
  const double common = larger <= ALIKE * smaller ? larger : round_to_125(sqrt(smaller * larger));
  const double reach = fmin(statistics->maximum, -statistics->minimum);
  return common < reach ? raise_until_whole(field, common, fmin(larger, reach)) : smaller;
}

/* Few points may have the other sign and still be what is looked for, as around the acids of a cation: it gets the level's
 * negative where it reaches that. */
static void
pair_lone(double *negative, double *positive, const DebyeFieldStatistics *statistics)
{
  if (*negative == 0.0 && *positive > 0.0 && statistics->minimum < -*positive)
    *negative = -*positive;
  else if (*positive == 0.0 && *negative < 0.0 && statistics->maximum > -*negative)
    *positive = -*negative;
}

/* What people draw of some quantities: an orbital's lobes, the density that is a molecule's shape (Bader et
 * al., J. Am. Chem. Soc. 109, 7968 (1987)). 0: there is no custom. */
static double
find_customary_level(DebyeFieldKind kind)
{
  static const double levels[DEBYE_FIELD_N_KINDS] = {
      [DEBYE_FIELD_ORBITAL] = 0.05,
      [DEBYE_FIELD_ELECTRON_DENSITY] = 0.002,
      [DEBYE_FIELD_SPIN_DENSITY] = 0.002,
      [DEBYE_FIELD_ELECTRONS] = 0.002,
  };
  return levels[kind];
}

static gboolean
is_density_of_atoms(DebyeFieldKind kind)
{
  return kind == DEBYE_FIELD_DENSITY || kind == DEBYE_FIELD_OCCUPANCY || kind == DEBYE_FIELD_RELATIVE_DENSITY;
}

/* Where a liquid fills the box, sites are where it is denser than in bulk: hydration sites are usually drawn at two to
 * three times that. With few frames the bulk's voxels scatter so far that such a level would draw their noise. The median is
 * the bulk's value, and what five in six voxels are below lies a standard deviation above it. 0: there is no bulk, or
 * nothing stands out of it. */
static double
find_level_above_bulk(DebyeField *field, const DebyeFieldStatistics *statistics)
{
  const double bulk = debye_field_get_percentile(field, 0.5);
  const double noise = debye_field_get_percentile(field, ONE_SIGMA) - bulk;
  if (!is_density_of_atoms(debye_field_get_kind(field)) || statistics->minimum < 0.0 ||
      bulk <= NOTHING * statistics->maximum)
    return 0.0;
  const double level = round_finely(fmax(BULKS * bulk, bulk + SIGMAS * noise));
  return level < statistics->maximum ? level : 0.0;
}

void
debye_isosurface_suggest_levels(DebyeField *field, double *negative, double *positive)
{
  const double custom = find_customary_level(debye_field_get_kind(field));
  DebyeFieldStatistics statistics;
  debye_field_get_statistics(field, &statistics);
  if (custom > 0.0 && fmax(statistics.maximum, -statistics.minimum) > custom) {
    *positive = statistics.maximum > custom ? custom : 0.0;
    *negative = statistics.minimum < -custom ? -custom : 0.0;
    return;
  }
  /* Low values are of interest; what is high are walls. */
  if (debye_field_get_kind(field) == DEBYE_FIELD_FREE_ENERGY) {
    const double level = debye_field_get_percentile(field, LEVEL_TAIL);
    *negative = level < 0.0 ? -round_to_125(-level) : 0.0;
    *positive = level > 0.0 ? round_to_125(level) : 0.0;
    return;
  }
  const double above_bulk = find_level_above_bulk(field, &statistics);
  if (above_bulk > 0.0) {
    *positive = above_bulk;
    *negative = 0.0;
    return;
  }
  *negative = suggest_level(field, -1.0, &statistics);
  *positive = suggest_level(field, 1.0, &statistics);
  pair_lone(negative, positive, &statistics);
  if (*negative < 0.0 && *positive > 0.0) {
    *positive = choose_common(field, -*negative, *positive, &statistics);
    *negative = -*positive;
  }
}

/* --- Names --- */

static const char *const named = N_("Surface at %s");

static char *
write_value(double level, const char *format, const char *plus, DebyeField *field)
{
  char number[G_ASCII_DTOSTR_BUF_SIZE];
  g_ascii_formatd(number, sizeof number, format, level);
  return g_strconcat(plus, number, " ", debye_field_get_unit(field), NULL);
}

static char *
write_name(const char *value)
{
  GString *name = g_string_new(named);
  g_string_replace(name, "%s", value, 1);
  return g_string_free(name, FALSE);
}

const char *
debye_isosurface_level_plus(double level, DebyeField *field)
{
  DebyeFieldStatistics statistics = {.minimum = -1.0};
  if (field != NULL)
    debye_field_get_statistics(field, &statistics);
  return level > 0.0 && statistics.minimum < 0.0 ? "+" : "";
}

char *
debye_isosurface_level_name(double level, DebyeField *field)
{
  g_autofree char *value = write_value(level, "%.4g", debye_isosurface_level_plus(level, field), field);
  return write_name(value);
}

gboolean
debye_isosurface_level_was_name(const char *name, double level, DebyeField *field)
{
  static const struct {
    const char *format, *plus;
  } forms[] = {{"%.4g", ""}, {"%.4g", "+"}, {"%g", ""}, {"%g", "+"}};
  /* Earlier versions wrote true minus signs too. */
  g_autoptr(GString) written = g_string_new(name);
  g_string_replace(written, "−", "-", 0);
  for (gsize i = 0; i < G_N_ELEMENTS(forms); i++) {
    g_autofree char *value = write_value(level, forms[i].format, forms[i].plus, field);
    g_autofree char *form = write_name(value);
    if (g_str_equal(written->str, form))
      return TRUE;
  }
  return FALSE;
}

char *
debye_isosurface_level_title(double level, DebyeField *field)
{
  g_autofree char *value = write_value(level, "%.4g", debye_isosurface_level_plus(level, field), field);
  g_autofree char *written = debye_unit_to_text(value);
  g_autofree char *rest = debye_overlay_text_raise_power(written);
  /* Names of files have a hyphen for the minus. */
  g_autofree char *shown = rest[0] == '-' ? g_strconcat("−", rest + 1, NULL) : g_strdup(rest);
  return g_strdup_printf(_(named), shown);
}
