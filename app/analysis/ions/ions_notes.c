/* SPDX-License-Identifier: MIT */
/* Writes title, table and notes of placed ions; called by ions_run.c. */
#include "ions_notes.h"

#include <math.h>

#include "app/analysis/driver/potential_unit.h"
#include "app/analysis/map/map_method.h"
#include "data/messages/message.h"
#include "data/messages/decimal_text.h"

#define PER_CUBIC_ANGSTROM 6.02214076e-4 /* particles in an Å³ at 1 mol/L */
#define WHOLE 0.05                       /* e: a net charge farther from a whole number is worth a word */

/* Decimal point in every locale. */
void
debye_ions_story_clear(DebyeIonsStory *story)
{
  g_clear_pointer(&story->ions, g_array_unref);
  g_clear_pointer(&story->failures, g_ptr_array_unref);
}

void
debye_ions_story_begin(DebyeIonsStory *story, const DebyeDeviceEntry *device)
{
  if (story->ions == NULL) {
    story->ions = g_array_new(FALSE, FALSE, sizeof(DebyePlacedIon));
    story->failures = g_ptr_array_new_with_free_func(g_free);
  }
  g_array_set_size(story->ions, 0);
  story->n_cations_placed = story->n_anions_placed = 0;
  story->device = device;
}

void
debye_ions_story_add_failure(DebyeIonsStory *story, const DebyeDeviceEntry *device, const char *reason)
{
  g_ptr_array_add(story->failures,
                  debye_message_new("Device %s did not place ions: %s", device->info.id, reason));
}

/* "7 NA and 5 CL" */
static char *
describe_ions(const DebyeIonsPlan *plan, gsize n_cations, gsize n_anions)
{
  if (n_cations > 0 && n_anions > 0)
    return debye_message_new("%" G_GSIZE_FORMAT " %s and %" G_GSIZE_FORMAT " %s", n_cations,
                             plan->cation->key, n_anions, plan->anion->key);
  const gboolean is_cation = n_cations > 0;
  return n_cations + n_anions > 0
             ? debye_message_new("%" G_GSIZE_FORMAT " %s", is_cation ? n_cations : n_anions,
                                 (is_cation ? plan->cation : plan->anion)->key)
             : g_strdup("");
}

char *
debye_ions_story_make_title(const DebyeIonsStory *story, const DebyeIonsPlan *plan)
{
  g_autofree char *ions = describe_ions(plan, story->n_cations_placed, story->n_anions_placed);
  return debye_message_new("Ions: %s", ions);
}

static DebyeVec3
place_of(const DebyeIonsPlan *plan, gsize index)
{
  const DebyeGrid *grid = &plan->map.potential.grid;
  return debye_grid_point(grid, (double)(index % grid->shape[0]),
                          (double)(index / grid->shape[0] % grid->shape[1]),
                          (double)(index / grid->shape[0] / grid->shape[1]));
}

static void
add_column(DebyeTable *table, const char *name, const char *unit, gsize n, const double *values)
{
  debye_table_add_numbers(table, &(DebyeQuantity){name, NULL, unit}, n, values);
}

DebyeTable *
debye_ions_story_make_table(const DebyeIonsStory *story, const DebyeIonsPlan *plan)
{
  const gsize n = story->ions->len;
  g_autofree double *index = g_new(double, n), *x = g_new(double, n), *y = g_new(double, n);
  g_autofree double *z = g_new(double, n), *potential = g_new(double, n);
  g_autofree const char **elements = g_new0(const char *, n + 1);
  for (gsize i = 0; i < n; i++) {
    const DebyePlacedIon *ion = &g_array_index(story->ions, DebyePlacedIon, i);
    DebyeVec3 place = place_of(plan, ion->index);
    index[i] = (double)i;
    elements[i] = ion->kind->symbol;
    x[i] = place.x;
    y[i] = place.y;
    z[i] = place.z;
    potential[i] = ion->potential * plan->map.scale;
  }
  DebyeTable *table = debye_table_new(DEBYE_IONS_TABLE);
  add_column(table, "index", NULL, n, index);
  debye_table_add_texts(table, &(DebyeQuantity){"element", NULL, NULL}, elements);
  add_column(table, "x", "Å", n, x);
  add_column(table, "y", "Å", n, y);
  add_column(table, "z", "Å", n, z);
  add_column(table, "potential", debye_potential_unit_name(plan->settings.map.unit), n, potential);
  return table;
}

/* --- Notes --- */

static void
add_charges(const DebyeIonsStory *story, const DebyeIonsPlan *plan, DebyeResult *result)
{
  DebyeDecimalText charge, left;
  const double net = plan->map.net_charge;
  const double placed = (plan->cation != NULL ? plan->cation->charge : 0) * (double)story->n_cations_placed +
                        (plan->anion != NULL ? plan->anion->charge : 0) * (double)story->n_anions_placed;
  debye_result_add_note(result, "Atoms: “%s”, %u of %" G_GSIZE_FORMAT ", net charge %s e, with the ions %s e",
                        plan->settings.map.select, plan->map.atoms->len,
                        debye_topology_get_n_atoms(plan->map.topology),
                        debye_decimal_text_format(&charge, "%+.4g", debye_charge_round(net)),
                        debye_decimal_text_format(&left, "%+.4g", debye_charge_round(net + placed)));
  if (plan->neutralise && fabs(net - rint(net)) > WHOLE)
    debye_result_add_note_of(
        result, DEBYE_NOTE_WARNING, NULL,
        "the atoms' net charge of %s e is not a whole number; the ions cancel the nearest one",
        debye_decimal_text_format(&charge, "%+.4g", net));
}

/* Water and ions that are there already count for nothing; what charge they have is said. */
static void
add_left_out(const DebyeIonsPlan *plan, DebyeResult *result)
{
  DebyeDecimalText charge;
  const gsize n_left = debye_topology_get_n_counted(plan->map.topology) - plan->map.atoms->len;
  const double left = debye_topology_get_total_charge(plan->map.topology) - plan->map.net_charge;
  if (n_left == 0)
    return;
  if (fabs(left) > WHOLE)
    debye_result_add_note_of(
        result, DEBYE_NOTE_WARNING, NULL,
        "%" G_GSIZE_FORMAT
        " atoms were not chosen: ions may lie on them, and their net charge of %s e is not counted",
        n_left, debye_decimal_text_format(&charge, "%+.4g", left));
  else
    debye_result_add_note(result, "%" G_GSIZE_FORMAT " atoms were not chosen: ions may lie on them", n_left);
}

static const char *
explain_own_potential(const DebyeIonsPlan *plan)
{
  if (plan->has_unit_map)
    return N_("by the same method as the atoms', all images counted; a cell's net charge has a uniform "
              "background");
  if (plan->map.potential.periodic == DEBYE_PERIODIC_NONE)
    return N_("q/r, open boundary");
  return N_("q/r of its nearest image");
}

static void
add_volume(const DebyeIonsStory *story, DebyeResult *result)
{
  DebyeDecimalText volume, cations, anions;
  const double liters = PER_CUBIC_ANGSTROM * story->open_volume;
  debye_result_add_note(result,
                        "Open to ions before the first: %s Å³ (grid points far enough from the atoms, each "
                        "with its share of the volume); %s mol/L of cations and %s mol/L of anions in it",
                        debye_decimal_text_format(&volume, "%.0f", story->open_volume),
                        debye_decimal_text_format(&cations, "%.4g", (double)story->n_cations_placed / liters),
                        debye_decimal_text_format(&anions, "%.4g", (double)story->n_anions_placed / liters));
}

static void
add_placing(const DebyeIonsStory *story, const DebyeIonsPlan *plan, DebyeResult *result)
{
  DebyeDecimalText distance, between;
  g_autofree char *wanted = describe_ions(plan, story->n_cations, story->n_anions);
  debye_result_add_note(result,
                        "Ions: %u of %s, one after the other, cations where the potential is lowest and "
                        "anions where it is highest, %s Å or more from the atoms and %s Å from each other",
                        story->ions->len, wanted,
                        debye_decimal_text_format(&distance, "%g", plan->settings.distance),
                        debye_decimal_text_format(&between, "%g", plan->settings.ion_distance));
  debye_result_add_note(result, "Each ion's own potential was added before the next: %s",
                        explain_own_potential(plan));
  if (!plan->has_unit_map && plan->map.potential.method == DEBYE_POTENTIAL_EWALD)
    debye_result_add_note_of(
        result, DEBYE_NOTE_WARNING, NULL,
        "the grid is not one cell: ions count by their nearest image only, atoms by all images");
}

void
debye_ions_story_add_notes(const DebyeIonsStory *story, const DebyeIonsPlan *plan, DebyeResult *result)
{
  g_autofree char *method = debye_map_method_describe(&plan->map.potential);
  add_charges(story, plan, result);
  debye_charge_choice_add_notes(&plan->map.charges, plan->map.atoms, result);
  add_left_out(plan, result);
  add_placing(story, plan, result);
  add_volume(story, result);
  g_autofree char *medium = debye_medium_describe(plan->settings.map.permittivity);
  debye_result_add_note(result, "Method: %s", method);
  debye_result_add_note_of(result, DEBYE_NOTE_CAPTION, NULL, "Medium: %s", medium);
  debye_result_add_note(result, "Ions were placed on %s (%s)", story->device->info.id,
                        story->device->info.name);
  for (guint i = 0; i < story->failures->len; i++)
    debye_result_add_note(result, "%s", (const char *)story->failures->pdata[i]);
}
