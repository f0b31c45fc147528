/* SPDX-License-Identifier: MIT */
/* Draws the legend of a molecule's colours; called by the layers of atoms, cartoons and surfaces. */
#include "molecule_legend.h"

#include "overlay_text.h"
#include "molecule_colors.h"

#define MAX_CHAINS_LISTED 8

static char *
chain_name(DebyeTopology *topology, const DebyeResidue *residue)
{
  const DebyeStringPool *pool = debye_topology_get_string_pool(topology);
  const char *chain = debye_string_pool_get(pool, residue->chain);
  const char *segment = debye_string_pool_get(pool, residue->segment);
  if (*chain)
    return g_strdup_printf("chain %s", chain);
  return *segment ? g_strdup_printf("segment %s", segment) : NULL;
}

static void
draw_chains(DebyeTopology *topology, cairo_t *cr, const double text_color[4], double *width, double *height)
{
  guint n_chains;
  g_autofree guint *numbers = debye_molecule_number_chains(topology, &n_chains);
  const DebyeResidue *table = debye_topology_get_residue_table(topology);
  guint next = 0;
  *width = *height = 0.0;
  for (gsize r = 0; r < debye_topology_get_n_residues(topology) && next < MAX_CHAINS_LISTED; r++) {
    g_autofree char *name = numbers[r] == next ? chain_name(topology, &table[r]) : NULL;
    next += numbers[r] == next;
    if (!name)
      continue;
    guint32 color = debye_molecule_chain_color(numbers[r]);
    float rgb[3] = {(float)(color >> 16 & 255) / 255.0f, (float)(color >> 8 & 255) / 255.0f,
                    (float)(color & 255) / 255.0f};
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
debye_molecule_legend_draw(DebyeTopology *topology, DebyeMoleculeColoring coloring,
                           const DebyeColorMap *chosen, cairo_t *cr, const double text_color[4],
                           double *width, double *height)
{
  DebyeColorBar bar = {.opacity = 1.0};
  *width = *height = 0.0;
  if (debye_molecule_color_scale(topology, coloring, chosen, &bar.map, &bar.minimum, &bar.maximum,
                                 &bar.title)) {
    find_cuts(topology, coloring, &bar);
    debye_overlay_text_color_bar(cr, &bar, text_color, width, height);
  }
  if (coloring == DEBYE_COLOR_BY_CHAIN)
    draw_chains(topology, cr, text_color, width, height);
}

char *
debye_molecule_legend_get_key(DebyeTopology *topology, DebyeMoleculeColoring coloring,
                              const DebyeColorMap *chosen)
{
  return g_strdup_printf("molecule %p %d %p", (const void *)debye_topology_get_residue_table(topology),
                         (int)coloring, (const void *)chosen);
}
