/* SPDX-License-Identifier: MIT */
/* From a frame's atoms to their surface, and what its colours mean. */
#include "molecular_surface_layer.h"

#include "molecular_surface.h"
#include "molecule_colors.h"
#include "molecule_legend.h"

#define RESOLUTION 0.9 /* Å */
/* A hundred million atoms' surface is coarse rather than larger than this: 256 MiB. */
#define MOST_POINTS ((gsize)1 << 26)

struct _DebyeMolecularSurfaceLayer {
  DebyeMoleculeMeshLayer parent;
};

G_DEFINE_FINAL_TYPE(DebyeMolecularSurfaceLayer, debye_molecular_surface_layer, DEBYE_TYPE_MOLECULE_MESH_LAYER)

/* Those that stand somewhere, as columns. */
typedef struct {
  DebyeSurfaceAtoms atoms;
  float *columns;
  guint32 *numbers;
} Chosen;

static void
chosen_init(Chosen *chosen, const DebyeMoleculeMeshRequest *request)
{
  const DebyeFrame *frame = request->frame;
  gsize room = request->n_atoms + 1, n = 0;
  float *x = chosen->columns = g_new(float, 4 * room), *y = x + room, *z = y + room, *radii = z + room;
  chosen->numbers = g_new(guint32, room);
  for (gsize i = 0; i < request->n_atoms; i++) {
    guint32 atom = request->atoms ? request->atoms[i] : (guint32)i;
    if (!isfinite(frame->x[atom]) || !isfinite(frame->y[atom]) || !isfinite(frame->z[atom]))
      continue;
    x[n] = frame->x[atom];
    y[n] = frame->y[atom];
    z[n] = frame->z[atom];
    radii[n] = debye_molecule_radius(request->topology, atom);
    chosen->numbers[n++] = atom;
  }
  chosen->atoms = (DebyeSurfaceAtoms){.n_atoms = n,
                                      .x = x,
                                      .y = y,
                                      .z = z,
                                      .radii = radii,
                                      .numbers = chosen->numbers,
                                      .resolution = request->detail};
}

static DebyeMesh *
debye_molecular_surface_layer_make_mesh(const DebyeMoleculeMeshRequest *request, GBytes **notes G_GNUC_UNUSED,
                                        GCancellable *cancellable)
{
  Chosen chosen;
  chosen_init(&chosen, request);
  DebyeMesh *mesh = debye_molecular_surface_new(&chosen.atoms, MOST_POINTS, cancellable);
  g_free(chosen.columns);
  g_free(chosen.numbers);
  return mesh;
}

static guint8 *
debye_molecular_surface_layer_make_styles(DebyeMoleculeMeshLayer *layer, int coloring, guint32 color)
{
  return debye_molecule_styles(debye_molecule_mesh_layer_get_topology(layer),
                               (DebyeMoleculeColoring)CLAMP(coloring, 0, DEBYE_COLOR_UNIFORM), color);
}

/* --- Legend --- */

static void
debye_molecular_surface_layer_draw_legend(DebyeLayer *layer, cairo_t *cr, const double ink[3], double *width,
                                          double *height)
{
  DebyeMoleculeMeshLayer *base = DEBYE_MOLECULE_MESH_LAYER(layer);
  if (debye_mesh_layer_get_color_field(DEBYE_MESH_LAYER(layer)))
    DEBYE_LAYER_CLASS(debye_molecular_surface_layer_parent_class)->draw_legend(layer, cr, ink, width, height);
  else
    debye_molecule_legend_draw(debye_molecule_mesh_layer_get_topology(base),
                               (DebyeMoleculeColoring)debye_molecule_mesh_layer_get_coloring(base), cr, ink,
                               width, height);
}

static char *
debye_molecular_surface_layer_get_legend_key(DebyeLayer *layer)
{
  DebyeMoleculeMeshLayer *base = DEBYE_MOLECULE_MESH_LAYER(layer);
  if (debye_mesh_layer_get_color_field(DEBYE_MESH_LAYER(layer)))
    return DEBYE_LAYER_CLASS(debye_molecular_surface_layer_parent_class)->get_legend_key(layer);
  return debye_molecule_legend_get_key(debye_molecule_mesh_layer_get_topology(base),
                                       (DebyeMoleculeColoring)debye_molecule_mesh_layer_get_coloring(base));
}

static void
debye_molecular_surface_layer_class_init(DebyeMolecularSurfaceLayerClass *class)
{
  DebyeLayerClass *layer_class = DEBYE_LAYER_CLASS(class);
  DebyeMoleculeMeshLayerClass *mesh_class = DEBYE_MOLECULE_MESH_LAYER_CLASS(class);
  layer_class->draw_legend = debye_molecular_surface_layer_draw_legend;
  layer_class->get_legend_key = debye_molecular_surface_layer_get_legend_key;
  mesh_class->make_mesh = debye_molecular_surface_layer_make_mesh;
  mesh_class->make_styles = debye_molecular_surface_layer_make_styles;
}

static void
debye_molecular_surface_layer_init(DebyeMolecularSurfaceLayer *self G_GNUC_UNUSED)
{
}

DebyeMolecularSurfaceLayer *
debye_molecular_surface_layer_new(DebyeTopology *topology)
{
  DebyeMolecularSurfaceLayer *self = g_object_new(DEBYE_TYPE_MOLECULAR_SURFACE_LAYER, NULL);
  debye_molecule_mesh_layer_init_for(DEBYE_MOLECULE_MESH_LAYER(self), topology, RESOLUTION, NULL);
  return self;
}
