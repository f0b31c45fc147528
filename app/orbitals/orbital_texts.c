/* SPDX-License-Identifier: MIT */
/* Lists orbitals and words what is known of a wave function; called by orbital_page.c. */
#include "orbital_texts.h"

#include <glib/gi18n.h>
#include <math.h>

#include "data/messages/message.h"
#include "hydrogen_formula.h"
#include "ui/orbitals/orbital_item.h"
#include "ui/widgets/number_text.h"

#define DIGITS 7

/* What stands out of order in a file is sorted; equal ones stay in its order. */
static int
compare(gconstpointer a, gconstpointer b, gpointer data G_GNUC_UNUSED)
{
  const DebyeOrbitalFacts *one = debye_orbital_item_get((DebyeOrbitalItem *)a),
                          *other = debye_orbital_item_get((DebyeOrbitalItem *)b);
  if (isfinite(one->energy) && isfinite(other->energy) && one->energy != other->energy)
    return one->energy < other->energy ? 1 : -1;
  return one->number < other->number ? 1 : -1;
}

static gboolean
has_beta(const DebyeWaveFunction *wave)
{
  for (guint i = 0; i < wave->orbitals->len; i++)
    if (g_array_index(wave->orbitals, DebyeWaveOrbital, i).is_beta)
      return TRUE;
  return FALSE;
}

static DebyeFrontier
frontier_of(const DebyeOrbitalPlan *plan, guint orbital)
{
  const char *frontier = debye_orbital_plan_get_frontier(plan, orbital);
  if (frontier == NULL)
    return DEBYE_FRONTIER_NONE;
  return *frontier == 'H' ? DEBYE_FRONTIER_HOMO : DEBYE_FRONTIER_LUMO;
}

GListStore *
debye_orbital_texts_list(DebyeOrbitalBrowser *browser)
{
  const DebyeOrbitalPlan *plan = debye_orbital_browser_get_plan(browser);
  const gboolean has_spin = has_beta(plan->wave);
  GListStore *list = g_list_store_new(DEBYE_TYPE_ORBITAL_ITEM);
  for (guint i = 0; i < plan->wave->orbitals->len; i++) {
    const DebyeWaveOrbital *orbital = &g_array_index(plan->wave->orbitals, DebyeWaveOrbital, i);
    g_autofree char *symmetry = g_utf8_make_valid(orbital->symmetry, -1);
    const DebyeOrbitalFacts facts = {.number = i,
                                     .energy = orbital->energy,
                                     .occupation = orbital->occupation,
                                     .has_spin = has_spin,
                                     .is_beta = orbital->is_beta,
                                     .symmetry = g_strstrip(symmetry),
                                     .formula = debye_hydrogen_formula(plan->wave, i),
                                     .frontier = frontier_of(plan, i)};
    g_autoptr(DebyeOrbitalItem) item = debye_orbital_item_new(&facts);
    g_list_store_append(list, item);
  }
  g_list_store_sort(list, compare, NULL);
  return list;
}

char *
debye_orbital_texts_remark(DebyeOrbitalBrowser *browser)
{
  g_auto(GStrv) warnings = debye_orbital_browser_list_warnings(browser);
  g_autoptr(GString) text = g_string_new(NULL);
  for (char **warning = warnings; *warning != NULL; warning++) {
    g_autofree char *translated = debye_message_translate(*warning);
    g_autofree char *sentence = debye_sentence_case(translated);
    g_string_append_printf(text, "%s%s", text->len > 0 ? "\n" : "", sentence);
  }
  return g_string_free(g_steal_pointer(&text), FALSE);
}

char *
debye_orbital_texts_electrons(DebyeOrbitalBrowser *browser)
{
  const DebyeOrbitalPlan *plan = debye_orbital_browser_get_plan(browser);
  g_autofree char *in_norms = debye_number_sentence(plan->n_in_norms, DIGITS);
  g_autofree char *occupations = debye_number_sentence(plan->n_electrons, DIGITS);
  g_autofree char *nuclei = debye_number_sentence(plan->nuclear_charge, DIGITS);
  if (plan->homo < 0)
    return g_strdup(_("The file has no occupations"));
  return g_strdup_printf(_("∫ρ: %s electrons by the norms, %s by the occupations; nuclei %s e"), in_norms,
                         occupations, nuclei);
}
