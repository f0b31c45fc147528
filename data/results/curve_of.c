/* SPDX-License-Identifier: MIT */
/* Implementation of curve_of.h. Names alone said it before files stored it: here alone they still do. */
#include "curve_of.h"

#include <string.h>

static gboolean
has_curve(GListModel *curves, const char *name)
{
  for (guint i = 0; i < g_list_model_get_n_items(curves); i++) {
    g_autoptr(DebyeCurve) curve = g_list_model_get_item(curves, i);
    if (g_str_equal(debye_curve_get_name(curve), name))
      return TRUE;
  }
  return FALSE;
}

const char *
debye_curve_of_find(GListModel *curves, DebyeCurve *curve)
{
  const char *of = debye_curve_get_of(curve);
  return of != NULL && has_curve(curves, of) ? of : debye_curve_get_name(curve);
}

/* A name that goes on from another's: "OW-OW coordination" of "OW-OW". One that goes on with a dash is of more atoms, an
 * angle's beside a distance's. NULL: it goes on from none. */
static const char *
guess(GListModel *curves, const char *name)
{
  for (guint i = 0; i < g_list_model_get_n_items(curves); i++) {
    g_autoptr(DebyeCurve) curve = g_list_model_get_item(curves, i);
    const char *base = debye_curve_get_name(curve);
    const gsize length = strlen(base);
    if (g_str_has_prefix(name, base) && name[length] == ' ' && !g_str_has_prefix(name + length, " - "))
      return base; /* the list keeps it */
  }
  return NULL;
}

const char *
debye_curve_of_write(GListModel *curves, DebyeCurve *curve)
{
  const char *name = debye_curve_get_name(curve), *of = debye_curve_of_find(curves, curve);
  const char *guessed = guess(curves, name);
  return g_str_equal(of, guessed != NULL ? guessed : name) ? NULL : of != name ? of : "";
}

static gboolean
is_between_words(char letter)
{
  return letter == '\0' || letter == ' ' || letter == ',';
}

/* The symbol of its quantity is in the name, as a whole word: the name of a run may have the letter of a time in it. */
static gboolean
guess_naming(DebyeCurve *curve)
{
  const char *name = debye_curve_get_name(curve), *label = debye_curve_get_y_quantity(curve)->label;
  const gsize length = strcspn(label, ",");
  g_autofree char *symbol = g_strndup(label, length);
  for (const char *at = strstr(name, symbol); at != NULL && length > 0; at = strstr(at + 1, symbol))
    if ((at == name || is_between_words(at[-1])) && is_between_words(at[length]))
      return TRUE;
  return length == 0;
}

const char *
debye_curve_of_write_naming(DebyeCurve *curve)
{
  const gboolean names = debye_curve_names_quantity(curve);
  return names == guess_naming(curve) ? NULL : names ? "yes" : "";
}

void
debye_curve_of_read(GListModel *curves)
{
  for (guint i = 0; i < g_list_model_get_n_items(curves); i++) {
    g_autoptr(DebyeCurve) curve = g_list_model_get_item(curves, i);
    const char *of = debye_curve_get_of(curve);
    if (of == NULL)
      debye_curve_set_of(curve, guess(curves, debye_curve_get_name(curve)));
    else if (*of == '\0')
      debye_curve_set_of(curve, NULL);
    if (debye_array_get_content(curve)->attributes[DEBYE_ARRAY_NAMING] == NULL)
      debye_curve_set_names_quantity(curve, guess_naming(curve));
  }
}
