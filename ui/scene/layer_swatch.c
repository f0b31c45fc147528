/* SPDX-License-Identifier: MIT */
/* The small picture of a layer's colours in its row; made by layer_row.c. */
#include "layer_swatch.h"

#include "data/tables/elements.h"
#include "data/molecule/secondary_structure.h"
#include "render/layers/cartoon_layer.h"
#include "render/plot/color_map.h"
#include "render/layers/isosurface_layer.h"
#include "render/layers/molecular_surface_layer.h"
#include "render/layers/molecule_colors.h"
#include "render/layers/molecule_layer.h"
#include "render/layers/slice_layer.h"

#define SWATCH_SIZE 16

struct _DebyeLayerSwatch {
  GtkWidget parent_instance;
  DebyeLayer *layer;
};

G_DEFINE_FINAL_TYPE(DebyeLayerSwatch, debye_layer_swatch, GTK_TYPE_WIDGET)

static void
set_color(cairo_t *cr, guint32 color)
{
  cairo_set_source_rgb(cr, (color >> 16 & 0xff) / 255.0, (color >> 8 & 0xff) / 255.0, (color & 0xff) / 255.0);
}

static void
fill_map(cairo_t *cr, const DebyeColorMap *map)
{
  cairo_pattern_t *pattern = cairo_pattern_create_linear(0.0, SWATCH_SIZE, 0.0, 0.0);
  for (int i = 0; i <= 8; i++) {
    float rgb[3];
    debye_color_map_get(map, i / 8.0, rgb);
    cairo_pattern_add_color_stop_rgb(pattern, i / 8.0, (double)rgb[0], (double)rgb[1], (double)rgb[2]);
  }
  cairo_set_source(cr, pattern);
  cairo_paint(cr);
  cairo_pattern_destroy(pattern);
}

/* Carbon, nitrogen, oxygen and sulphur stand for "by element"; other colourings by a run of hues or a map. */
static void
fill_quarters(cairo_t *cr, const guint32 colors[4])
{
  for (int i = 0; i < 4; i++) {
    set_color(cr, colors[i]);
    cairo_rectangle(cr, (i % 2) * SWATCH_SIZE / 2.0, (i / 2) * SWATCH_SIZE / 2.0, SWATCH_SIZE / 2.0,
                    SWATCH_SIZE / 2.0);
    cairo_fill(cr);
  }
}

static void
fill_coloring(cairo_t *cr, DebyeMoleculeColoring coloring)
{
  const guint32 hues[4] = {debye_molecule_chain_color(0), debye_molecule_chain_color(1),
                           debye_molecule_chain_color(2), debye_molecule_chain_color(3)};
  const guint32 elements[4] = {debye_element_get(6)->color, debye_element_get(7)->color,
                               debye_element_get(8)->color, debye_element_get(16)->color};
  switch (coloring) {
  case DEBYE_COLOR_BY_ELEMENT:
    fill_quarters(cr, elements);
    break;
  case DEBYE_COLOR_BY_CHARGE:
    fill_map(cr, debye_color_map_list()[0]);
    break;
  case DEBYE_COLOR_BY_B_FACTOR:
    fill_map(cr, debye_color_map_find("viridis") != NULL ? debye_color_map_find("viridis")
                                                         : debye_color_map_list()[0]);
    break;
  default:
    fill_quarters(cr, hues);
  }
}

/* A helix, a strand, a loop; other colourings by a run of hues. */
static void
fill_cartoon(cairo_t *cr, DebyeMoleculeMeshLayer *layer)
{
  guint32 colors[4] = {debye_molecule_chain_color(0), debye_molecule_chain_color(1),
                       debye_molecule_chain_color(2), debye_molecule_chain_color(3)};
  static const DebyeStructure structures[4] = {DEBYE_STRUCTURE_HELIX_ALPHA, DEBYE_STRUCTURE_LOOP,
                                               DEBYE_STRUCTURE_LOOP, DEBYE_STRUCTURE_STRAND};
  for (int i = 0; i < 4 && debye_molecule_mesh_layer_get_coloring(layer) == DEBYE_CARTOON_BY_STRUCTURE; i++)
    colors[i] = debye_cartoon_structure_color((guint8)structures[i], DEBYE_POLYMER_PROTEIN);
  fill_quarters(cr, colors);
}

static void
fill_color(cairo_t *cr, DebyeLayer *layer)
{
  guint color = 0;
  g_object_get(layer, "color", &color, NULL);
  set_color(cr, color);
  cairo_paint(cr);
}

static gboolean
has_one_color(DebyeLayer *layer)
{
  int coloring = -1;
  if (debye_layer_has(layer, "coloring") && debye_layer_get_color_field(layer) == NULL)
    g_object_get(layer, "coloring", &coloring, NULL);
  return coloring == (DEBYE_IS_CARTOON_LAYER(layer) ? (int)DEBYE_CARTOON_UNIFORM : (int)DEBYE_COLOR_UNIFORM);
}

static void
fill(cairo_t *cr, DebyeLayer *layer, const GdkRGBA *text_color)
{
  if (has_one_color(layer)) {
    fill_color(cr, layer);
  } else if (DEBYE_IS_MOLECULE_LAYER(layer)) {
    fill_coloring(cr, debye_molecule_layer_get_coloring(DEBYE_MOLECULE_LAYER(layer)));
  } else if (DEBYE_IS_MESH_LAYER(layer) &&
             debye_mesh_layer_get_color_field(DEBYE_MESH_LAYER(layer)) != NULL) {
    fill_map(cr, debye_mesh_layer_get_color_map(DEBYE_MESH_LAYER(layer)));
  } else if (DEBYE_IS_CARTOON_LAYER(layer)) {
    fill_cartoon(cr, DEBYE_MOLECULE_MESH_LAYER(layer));
  } else if (DEBYE_IS_MOLECULAR_SURFACE_LAYER(layer)) {
    fill_coloring(
        cr, (DebyeMoleculeColoring)debye_molecule_mesh_layer_get_coloring(DEBYE_MOLECULE_MESH_LAYER(layer)));
  } else if (DEBYE_IS_ISOSURFACE_LAYER(layer) || DEBYE_IS_MOLECULE_MESH_LAYER(layer)) {
    fill_color(cr, layer);
  } else if (DEBYE_IS_SLICE_LAYER(layer)) {
    fill_map(cr, debye_slice_layer_get_color_map(DEBYE_SLICE_LAYER(layer)));
  } else {
    gdk_cairo_set_source_rgba(cr, text_color);
    cairo_set_line_width(cr, 3.0);
    cairo_rectangle(cr, 0.0, 0.0, SWATCH_SIZE, SWATCH_SIZE);
    cairo_stroke(cr);
  }
}

static void
debye_layer_swatch_snapshot(GtkWidget *widget, GtkSnapshot *snapshot)
{
  DebyeLayerSwatch *self = DEBYE_LAYER_SWATCH(widget);
  int width = gtk_widget_get_width(widget), height = gtk_widget_get_height(widget);
  GskRoundedRect frame;
  GdkRGBA text_color;
  gtk_style_context_get_color(gtk_widget_get_style_context(widget), &text_color);
  gsk_rounded_rect_init_from_rect(
      &frame,
      &GRAPHENE_RECT_INIT((width - SWATCH_SIZE) / 2, (height - SWATCH_SIZE) / 2, SWATCH_SIZE, SWATCH_SIZE),
      4);
  gtk_snapshot_push_rounded_clip(snapshot, &frame);
  cairo_t *cr = gtk_snapshot_append_cairo(snapshot, &frame.bounds);
  cairo_translate(cr, frame.bounds.origin.x, frame.bounds.origin.y);
  fill(cr, self->layer, &text_color);
  cairo_destroy(cr);
  gtk_snapshot_pop(snapshot);
}

static void
debye_layer_swatch_measure(GtkWidget *widget G_GNUC_UNUSED, GtkOrientation orientation G_GNUC_UNUSED,
                           int for_size G_GNUC_UNUSED, int *minimum, int *natural, int *minimum_baseline,
                           int *natural_baseline)
{
  *minimum = *natural = SWATCH_SIZE;
  *minimum_baseline = *natural_baseline = -1;
}

GtkWidget *
debye_layer_swatch_new(DebyeLayer *layer)
{
  DebyeLayerSwatch *self = g_object_new(DEBYE_TYPE_LAYER_SWATCH, NULL);
  self->layer = g_object_ref(layer);
  g_signal_connect_object(layer, "changed", G_CALLBACK(gtk_widget_queue_draw), self, G_CONNECT_SWAPPED);
  return GTK_WIDGET(self);
}

static void
debye_layer_swatch_dispose(GObject *object)
{
  g_clear_object(&DEBYE_LAYER_SWATCH(object)->layer);
  G_OBJECT_CLASS(debye_layer_swatch_parent_class)->dispose(object);
}

static void
debye_layer_swatch_class_init(DebyeLayerSwatchClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS(class);
  G_OBJECT_CLASS(class)->dispose = debye_layer_swatch_dispose;
  widget_class->snapshot = debye_layer_swatch_snapshot;
  widget_class->measure = debye_layer_swatch_measure;
  gtk_widget_class_set_accessible_role(widget_class, GTK_ACCESSIBLE_ROLE_PRESENTATION);
}

static void
debye_layer_swatch_init(DebyeLayerSwatch *self G_GNUC_UNUSED)
{
}
