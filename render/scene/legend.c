/* SPDX-License-Identifier: MIT */
/* Draws a picture's legends for overlay.c; an entry is a legend and the layers that share it. */
#include "legend.h"

#include <math.h>

#include "render/layers/clip_layer.h"
#include "render/layers/layer.h"
#include "render/layers/layer_title.h"
#include "render/layers/molecular_surface_layer.h"
#include "render/layers/overlay_text.h"
#include "render/layers/shown_atoms.h"

#define GAP 7.0
#define HEADING_GAP 2.0
#define WIDEST_NOTE 15.0 /* times its height */

typedef struct {
  DebyeLayer *layer; /* whose legend it is: the first of those that share it */
  char *key;         /* NULL: shared with no other */
  GString *heading;
} Entry;

static void
entry_free(gpointer data)
{
  Entry *entry = data;
  g_object_unref(entry->layer);
  g_free(entry->key);
  g_string_free(entry->heading, TRUE);
  g_free(entry);
}

static Entry *
entry_new(DebyeLayer *layer, char *key)
{
  g_autofree char *title = debye_layer_title(layer);
  Entry *entry = g_new0(Entry, 1);
  entry->layer = g_object_ref(layer);
  entry->key = key;
  entry->heading = g_string_new(title);
  return entry;
}

/* Two molecules are both called “Atoms”: then the file tells them apart. */
static void
tell_apart(GPtrArray *entries)
{
  for (guint i = 0; i < entries->len; i++) {
    Entry *entry = g_ptr_array_index(entries, i);
    const char *source = debye_layer_get_source(entry->layer);
    g_autofree char *title = debye_layer_title(entry->layer);
    gboolean alike = FALSE;
    for (guint j = 0; j < entries->len; j++) {
      g_autofree char *other = debye_layer_title(((Entry *)g_ptr_array_index(entries, j))->layer);
      alike |= j != i && g_str_equal(title, other);
    }
    if (alike && source != NULL)
      g_string_append_printf(entry->heading, " · %s", source);
  }
}

static void
measure(const Entry *entry, const double text_color[4], double *width, double *height)
{
  *width = *height = 0.0;
  DEBYE_LAYER_GET_CLASS(entry->layer)->draw_legend(entry->layer, NULL, text_color, width, height);
}

static Entry *
find_shared(GPtrArray *entries, const char *key)
{
  for (guint i = 0; i < entries->len && key != NULL; i++)
    if (g_strcmp0(((Entry *)g_ptr_array_index(entries, i))->key, key) == 0)
      return g_ptr_array_index(entries, i);
  return NULL;
}

static void
add(GPtrArray *entries, DebyeLayer *layer, const double text_color[4])
{
  DebyeLayerClass *class = DEBYE_LAYER_GET_CLASS(layer);
  if (!class->draw_legend || !debye_layer_get_visible(layer) ||
      debye_layer_get_legend(layer) == DEBYE_LEGEND_HIDDEN)
    return;
  g_autofree char *key = class->get_legend_key ? class->get_legend_key(layer) : NULL;
  Entry *shared = find_shared(entries, key);
  if (shared != NULL) {
    g_autofree char *title = debye_layer_title(layer);
    if (!g_str_equal(shared->heading->str, title))
      g_string_append_printf(shared->heading, ", %s", title);
    return;
  }
  double width, height;
  Entry *entry = entry_new(layer, g_steal_pointer(&key));
  measure(entry, text_color, &width, &height);
  if (height > 0.0)
    g_ptr_array_add(entries, entry);
  else
    entry_free(entry);
}

/* A surface of the electrostatic potential has a copy of the topology, with other radii. */
static gboolean
are_of_one_molecule(DebyeLayer *one, DebyeLayer *other)
{
  DebyeTopology *first = debye_layer_get_shown(one)->topology;
  DebyeTopology *second = debye_layer_get_shown(other)->topology;
  return first == second || (debye_topology_get_n_atoms(first) == debye_topology_get_n_atoms(second) &&
                             g_strcmp0(debye_layer_get_source(one), debye_layer_get_source(other)) == 0);
}

/* Whether the surface is of the layer's molecule and shows all of its atoms. */
static gboolean
includes_atoms(DebyeLayer *surface, DebyeLayer *atoms)
{
  const DebyeShownAtoms *around = debye_layer_get_shown(surface), *within = debye_layer_get_shown(atoms);
  const DebyeAtomSet all = debye_shown_atoms_get(around), some = debye_shown_atoms_get(within);
  if (!are_of_one_molecule(surface, atoms))
    return FALSE;
  /* NULL: every atom of the molecule. */
  if (all.atoms == NULL || some.atoms == NULL)
    return all.n_atoms >= some.n_atoms;
  gsize k = 0;
  for (gsize i = 0; i < some.n_atoms; i++) {
    while (k < all.n_atoms && all.atoms[k] < some.atoms[i])
      k++;
    if (k == all.n_atoms || all.atoms[k] != some.atoms[i])
      return FALSE;
  }
  return TRUE;
}

/* Whether nobody sees the atoms or the cartoon, for the surface around them. A
 * plane that cuts the surface shows what is within. */
static gboolean
is_covered(GListModel *layers, DebyeLayer *atoms)
{
  gboolean is_within = FALSE;
  if (debye_layer_get_shown(atoms) == NULL || DEBYE_IS_MOLECULAR_SURFACE_LAYER(atoms))
    return FALSE;
  for (guint i = 0; i < g_list_model_get_n_items(layers); i++) {
    g_autoptr(DebyeLayer) layer = g_list_model_get_item(layers, i);
    if (!debye_layer_get_visible(layer))
      continue;
    if (DEBYE_IS_CLIP_LAYER(layer))
      return FALSE;
    is_within |= DEBYE_IS_MOLECULAR_SURFACE_LAYER(layer) && debye_layer_get_opacity(layer) >= 1.0 &&
                 includes_atoms(layer, atoms);
  }
  return is_within;
}

static GPtrArray *
collect(GListModel *layers, const double text_color[4])
{
  GPtrArray *entries = g_ptr_array_new_with_free_func(entry_free);
  for (guint i = 0; i < g_list_model_get_n_items(layers); i++) {
    g_autoptr(DebyeLayer) layer = g_list_model_get_item(layers, i);
    if (debye_layer_get_legend(layer) == DEBYE_LEGEND_SHOWN || !is_covered(layers, layer))
      add(entries, layer, text_color);
  }
  tell_apart(entries);
  return entries;
}

/* A scale or a list, of several lines: a single line, a surface's level, names itself. */
static gboolean
is_tall(const Entry *entry, const double text_color[4])
{
  double width, height, line_width, line_height;
  measure(entry, text_color, &width, &height);
  debye_overlay_text_measure("0", &line_width, &line_height);
  return height > 1.5 * line_height;
}

static gboolean
needs_headings(GPtrArray *entries, const double text_color[4])
{
  guint n_tall = 0;
  for (guint i = 0; i < entries->len; i++)
    n_tall += is_tall(g_ptr_array_index(entries, i), text_color);
  return n_tall > 1;
}

/* Below what has been drawn already, which it adds to. */
static void
draw_line(const char *line, cairo_t *cr, const double text_color[4], double *width, double *height)
{
  double w, h;
  debye_overlay_text_measure(line, &w, &h);
  if (cr)
    debye_overlay_text_draw(cr, line, 1.0, *height, 0.0, 0.0, text_color);
  *width = fmax(*width, w + 2.0);
  *height += h;
}

static void
draw_entry(const Entry *entry, cairo_t *cr, const double text_color[4], double *width, double *height)
{
  double w = 0.0, h = 0.0;
  if (cr) {
    cairo_save(cr);
    cairo_translate(cr, 0.0, *height);
  }
  DEBYE_LAYER_GET_CLASS(entry->layer)->draw_legend(entry->layer, cr, text_color, &w, &h);
  if (cr)
    cairo_restore(cr);
  *width = fmax(*width, w);
  *height += h;
}

/* Each once, in the order of the layers. */
static GPtrArray *
list_notes(GListModel *layers)
{
  GPtrArray *notes = g_ptr_array_new_with_free_func(g_free);
  for (guint i = 0; i < g_list_model_get_n_items(layers); i++) {
    g_autoptr(DebyeLayer) layer = g_list_model_get_item(layers, i);
    DebyeLayerClass *class = DEBYE_LAYER_GET_CLASS(layer);
    g_autofree char *note =
        class->get_legend_note && debye_layer_get_visible(layer) ? class->get_legend_note(layer) : NULL;
    if (note != NULL && !g_ptr_array_find_with_equal_func(notes, note, g_str_equal, NULL))
      g_ptr_array_add(notes, g_steal_pointer(&note));
  }
  return notes;
}

/* A wide one is broken behind its commas: legends are narrow, or they stand over the picture. */
static void
draw_note(const char *note, cairo_t *cr, const double text_color[4], double *width, double *height)
{
  double w, h;
  debye_overlay_text_measure(note, &w, &h);
  g_auto(GStrv) lines = g_strsplit(note, ", ", w > WIDEST_NOTE * h ? -1 : 1);
  *height += GAP;
  for (char **line = lines; *line != NULL; line++) {
    g_autofree char *text = g_strconcat(*line, line[1] != NULL ? "," : NULL, NULL);
    draw_line(text, cr, text_color, width, height);
  }
}

static void
set_styles(GListModel *layers, const DebyeLook *look)
{
  for (guint i = 0; i < g_list_model_get_n_items(layers); i++) {
    g_autoptr(DebyeLayer) layer = g_list_model_get_item(layers, i);
    debye_layer_set_legend_style(layer, look->color_bar == DEBYE_BAR_HORIZONTAL, look->color_legend);
  }
}

void
debye_legend_draw(GListModel *layers, const DebyeLook *look, cairo_t *cr, const double text_color[4],
                  double *width, double *height)
{
  set_styles(layers, look);
  g_autoptr(GPtrArray) entries = collect(layers, text_color);
  gboolean headings = needs_headings(entries, text_color);
  *width = *height = 0.0;
  for (guint i = 0; i < entries->len; i++) {
    const Entry *entry = g_ptr_array_index(entries, i);
    *height += i > 0 ? GAP : 0.0;
    if (headings && is_tall(entry, text_color)) {
      draw_line(entry->heading->str, cr, text_color, width, height);
      *height += HEADING_GAP;
    }
    draw_entry(entry, cr, text_color, width, height);
  }
  g_autoptr(GPtrArray) notes = list_notes(layers);
  for (guint i = 0; i < notes->len && look->legend_notes; i++)
    draw_note(notes->pdata[i], cr, text_color, width, height);
}

double
debye_legend_get_share(GListModel *layers, const DebyeLook *look, double width, double height)
{
  const double any_color[4] = {0.0, 0.0, 0.0, 1.0};
  const double unit = look->font_size > 0.0 ? look->font_size / DEBYE_OVERLAY_FONT_SIZE : 1.0;
  double w = 0.0, h = 0.0;
  if (look->legend)
    debye_legend_draw(layers, look, NULL, any_color, &w, &h);
  const double shrunk =
      CLAMP((height / unit - 2.0 * DEBYE_LEGEND_RIM) / fmax(h, 1.0), DEBYE_LEGEND_LEAST_SHARE, 1.0);
  return w > 0.0 ? (shrunk * w + DEBYE_LEGEND_RIM) * unit / width : 0.0;
}
