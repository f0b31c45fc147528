/* SPDX-License-Identifier: MIT */
/* Draws the legend of a molecule's colours; called by the layers of atoms, cartoons and surfaces. */
#include "molecule_legend.h"

#include <glib/gi18n.h>

#include "data/tables/elements.h"
#include "layer_title.h"
#include "overlay_text.h"
#include "shown_atoms.h"

#define MAX_LISTED 14

static char *
chain_name(DebyeTopology *topology, const DebyeResidue *residue)
{
  const DebyeStringPool *pool = debye_topology_get_string_pool(topology);
  const char *chain = debye_string_pool_get(pool, residue->chain);
  const char *segment = debye_string_pool_get(pool, residue->segment);
  if (*chain)
    return g_strdup_printf(_("chain %s"), chain);
  return *segment ? g_strdup_printf(_("segment %s"), segment) : NULL;
}

void
debye_molecule_legend_add(GArray *entries, guint32 color, char *name)
{
  for (guint i = 0; i < entries->len; i++)
    if (g_str_equal(g_array_index(entries, DebyeLegendEntry, i).name, name)) {
      g_free(name);
      return;
    }
  const DebyeLegendEntry entry = {color, name};
  g_array_append_val(entries, entry);
}

/* --- Of what is shown alone --- */

/* By atomic number, as a table has them. */
static void
list_elements(const DebyeShownAtoms *shown, GArray *entries)
{
  const DebyeAtomSet set = debye_shown_atoms_get(shown);
  const guint8 *elements = debye_topology_get_elements(shown->topology);
  gboolean there[256] = {FALSE};
  for (gsize i = 0; i < set.n_atoms; i++)
    there[elements[set.atoms ? set.atoms[i] : i]] = TRUE;
  for (guint number = 1; number < G_N_ELEMENTS(there); number++)
    if (there[number]) {
      const DebyeElement *element = debye_element_get((guint8)number);
      debye_molecule_legend_add(entries, element->color, g_strdup(element->symbol));
    }
}

static char *
describe_name(const char *name)
{
  const gboolean is_number = *name != '\0' && strspn(name, "0123456789") == strlen(name);
  return is_number ? g_strdup_printf(_("type %s"), name) : g_strdup(name);
}

/* No convention says which colour an unknown kind has. A colour belongs to the place among all names of the file. */
static void
list_unknown_names(const DebyeShownAtoms *shown, GArray *entries)
{
  const DebyeAtomSet set = debye_shown_atoms_get(shown);
  const DebyeStringPool *pool = debye_topology_get_string_pool(shown->topology);
  const guint32 *of_atoms = debye_topology_get_names(shown->topology);
  g_autoptr(GArray) names = debye_molecule_list_unknown_names(shown->topology);
  g_autoptr(GHashTable) there = g_hash_table_new(NULL, NULL);
  for (gsize i = 0; names != NULL && i < set.n_atoms; i++)
    g_hash_table_add(there, GUINT_TO_POINTER(of_atoms[set.atoms ? set.atoms[i] : i]));
  for (guint i = 0; names != NULL && i < names->len && entries->len < MAX_LISTED; i++) {
    const guint32 code = g_array_index(names, guint32, i);
    const char *name = debye_string_pool_get(pool, code);
    if (*name != '\0' && g_hash_table_contains(there, GUINT_TO_POINTER(code)))
      debye_molecule_legend_add(entries, debye_molecule_chain_color(i), describe_name(name));
  }
}

static char *
describe_residue(DebyeTopology *topology, const DebyeResidue *residue, guint32 *color)
{
  const char *name = debye_string_pool_get(debye_topology_get_string_pool(topology), residue->name);
  const char *label = debye_molecule_find_residue_class(name, color);
  return g_strdup(label ? _(label) : name);
}

/* The residues of the atoms that are shown, or their chains. */
static void
list_residues(const DebyeShownAtoms *shown, gboolean by_chain, GArray *entries)
{
  const DebyeAtomSet set = debye_shown_atoms_get(shown);
  const guint32 *residues = debye_topology_get_residues(shown->topology);
  const DebyeResidue *table = debye_topology_get_residue_table(shown->topology);
  guint n_chains;
  g_autofree guint *chains = debye_molecule_number_chains(shown->topology, &n_chains);
  guint32 last = G_MAXUINT32;
  for (gsize i = 0; i < set.n_atoms && entries->len < MAX_LISTED; i++) {
    const guint32 residue = residues[set.atoms ? set.atoms[i] : i];
    guint32 color = debye_molecule_chain_color(chains[residue]);
    char *name = residue == last ? NULL
                 : by_chain      ? chain_name(shown->topology, &table[residue])
                                 : describe_residue(shown->topology, &table[residue], &color);
    last = residue;
    if (name)
      debye_molecule_legend_add(entries, color, name);
  }
}

static void
list_one_color(DebyeLayer *layer, GArray *entries)
{
  guint color = 0;
  char *title = debye_layer_title(layer);
  g_object_get(layer, "color", &color, NULL);
  if (*title != '\0')
    debye_molecule_legend_add(entries, color, title);
  else
    g_free(title);
}

static void
clear_entry(gpointer entry)
{
  g_free(((DebyeLegendEntry *)entry)->name);
}

GArray *
debye_molecule_legend_new_list(void)
{
  GArray *entries = g_array_new(FALSE, FALSE, sizeof(DebyeLegendEntry));
  g_array_set_clear_func(entries, clear_entry);
  return entries;
}

static GArray *
list_colors(DebyeLayer *layer, DebyeMoleculeColoring coloring)
{
  GArray *entries = debye_molecule_legend_new_list();
  const DebyeShownAtoms *shown = debye_layer_get_shown(layer);
  if (coloring == DEBYE_COLOR_BY_ELEMENT)
    list_unknown_names(shown, entries);
  if (coloring == DEBYE_COLOR_BY_CHAIN)
    list_residues(shown, TRUE, entries);
  else if (debye_layer_get_legend(layer) != DEBYE_LEGEND_SHOWN)
    return entries;
  else if (coloring == DEBYE_COLOR_BY_ELEMENT)
    list_elements(shown, entries);
  else if (coloring == DEBYE_COLOR_BY_RESIDUE)
    list_residues(shown, FALSE, entries);
  else if (coloring == DEBYE_COLOR_UNIFORM)
    list_one_color(layer, entries);
  return entries;
}

void
debye_molecule_legend_add_swatch(const float rgb[3], const char *name, cairo_t *cr,
                                 const double text_color[4], double *width, double *height)
{
  double w, h;
  if (cr) {
    cairo_save(cr);
    cairo_translate(cr, 0.0, *height);
  }
  debye_overlay_text_swatch(cr, rgb, 1.0, name, text_color, &w, &h);
  if (cr)
    cairo_restore(cr);
  *width = fmax(*width, w);
  *height += h + 2.0;
}

void
debye_molecule_legend_draw_list(GArray *entries, cairo_t *cr, const double text_color[4], double *width,
                                double *height)
{
  *width = *height = 0.0;
  for (guint i = 0; i < entries->len; i++) {
    const DebyeLegendEntry *entry = &g_array_index(entries, DebyeLegendEntry, i);
    const float rgb[3] = {(float)(entry->color >> 16 & 255) / 255.0f,
                          (float)(entry->color >> 8 & 255) / 255.0f, (float)(entry->color & 255) / 255.0f};
    debye_molecule_legend_add_swatch(rgb, entry->name, cr, text_color, width, height);
  }
}

static char *
get_list_key(GArray *entries)
{
  GString *key = g_string_new("list");
  for (guint i = 0; i < entries->len; i++) {
    const DebyeLegendEntry *entry = &g_array_index(entries, DebyeLegendEntry, i);
    g_string_append_printf(key, " %06x %s", entry->color, entry->name);
  }
  return g_string_free(key, FALSE);
}

/* B factors are shown from end to end; charges of more than one e are not. */
static void
find_cuts(DebyeTopology *topology, DebyeMoleculeColoring coloring, DebyeColorBar *bar)
{
  const float *charges = debye_topology_get_charges(topology);
  for (gsize i = 0; coloring == DEBYE_COLOR_BY_CHARGE && i < debye_topology_get_n_atoms(topology); i++) {
    bar->is_cut_below |= (double)charges[i] < bar->minimum;
    bar->is_cut_above |= (double)charges[i] > bar->maximum;
  }
}

void
debye_molecule_legend_draw(DebyeLayer *layer, DebyeMoleculeColoring coloring, const DebyeColorMap *chosen,
                           cairo_t *cr, const double text_color[4], double *width, double *height)
{
  DebyeTopology *topology = debye_layer_get_shown(layer)->topology;
  DebyeColorBar bar = {.opacity = 1.0, .is_level = debye_layer_has_level_bars(layer)};
  if (debye_molecule_color_scale(topology, coloring, chosen, &bar.map, &bar.minimum, &bar.maximum,
                                 &bar.title)) {
    find_cuts(topology, coloring, &bar);
    debye_overlay_text_color_bar(cr, &bar, text_color, width, height);
    return;
  }
  g_autoptr(GArray) entries = list_colors(layer, coloring);
  debye_molecule_legend_draw_list(entries, cr, text_color, width, height);
}

char *
debye_molecule_legend_get_key(DebyeLayer *layer, DebyeMoleculeColoring coloring, const DebyeColorMap *chosen)
{
  DebyeTopology *topology = debye_layer_get_shown(layer)->topology;
  g_autoptr(GArray) entries = list_colors(layer, coloring);
  if (entries->len > 0)
    return get_list_key(entries);
  return g_strdup_printf("molecule %p %d %p", (const void *)debye_topology_get_residue_table(topology),
                         (int)coloring, (const void *)chosen);
}
