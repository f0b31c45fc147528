/* SPDX-License-Identifier: MIT */
/* The layer of a molecule's surface: from a frame's atoms to its mesh, and what the colours mean. */
#include "molecular_surface_layer.h"

#include <glib/gi18n.h>

#include "color_map_choice.h"
#include "render/mesh/mesh_coarse.h"
#include "render/mesh/molecular_surface.h"
#include "molecule_colors.h"

/* A hundred million atoms' surface is coarse rather than larger than this: 256 MiB. */
#define MAX_POINTS ((gsize)1 << 26)
#define WATER_RADIUS 1.4 /* Å */

struct _DebyeMolecularSurfaceLayer {
  DebyeMoleculeMeshLayer parent;
  int kind;
  double probe;
  double sample_distance;
};

/* KIND and the radius of the probe in use, 0 where it doesn't count, follow from properties. */
enum { RESOLUTION, KIND, EFFECTIVE_PROBE };

static const DebyeChoice kinds[] = {
    {"gaussian", N_("Gaussian"), "level 1 of a sum of Gaussians around the atoms: smooth"},
    {"excluded", N_("Solvent-excluded"), "volume that a rolling probe can't reach"},
    {"vdw", N_("van der Waals"), "union of the atoms' spheres"},
    {"accessible", N_("Solvent-accessible"), "surface traced by the probe's centre"},
    {NULL, NULL, NULL},
};

static const DebyeLayerSetting settings[] = {
    {.option = {.key = "molecular-surface",
                .kind = DEBYE_SETTING_BOOLEAN,
                .initial = "false",
                .help = "molecular surface of the drawn atoms, or of the solute, coloured by --surface-color "
                        "or --color"},
     .adds = TRUE},
    {.property = "kind",
     .label = N_("Kind"),
     .name = N_("Kind of surface"),
     .choices = kinds,
     .type = G_TYPE_INT,
     .member = G_STRUCT_OFFSET(DebyeMolecularSurfaceLayer, kind),
     .range = {DEBYE_MESH_SURFACE_GAUSSIAN, DEBYE_MESH_SURFACE_ACCESSIBLE, DEBYE_MESH_SURFACE_GAUSSIAN},
     .option = {.key = "surface-kind",
                .label = "Kind of surface",
                .initial = "gaussian",
                .help = "kind of the molecular surface"}},
    {.property = "color-field",
     .label = N_("Colour by"),
     .option = {.key = "surface-color",
                .label = "Surface colour",
                .kind = DEBYE_SETTING_TEXT,
                .help =
                    "map file whose values colour the surfaces; diverging colours are symmetric about 0"}},
    {.property = "coloring",
     .label = N_("Colour by"),
     .choices = debye_molecule_colorings,
     .option = {.key = "color"}},
    {.property = "color", .label = N_("Colour"), .name = N_("Colour of the surface")},
    {.property = "minimum",
     .label = N_("Limits"),
     .option = {.key = "surface-limits",
                .label = "Surface limits",
                .kind = DEBYE_SETTING_TEXT,
                .help =
                    "limits of the colours of surfaces and slices, in the map's unit: LOW,HIGH; default: by "
                    "the values"}},
    {DEBYE_COLOR_MAP_SETTING, .option = {.key = "color-map"}},
    {.property = "sample-distance",
     .label = N_("Distance outside"),
     .name = N_("Distance from the surface at which the map is read, in ångström"),
     .tooltip =
         N_("Publications show the potential 1.4 Å outside the surface, at the centre of a water molecule"),
     .unit = "Å",
     .high = 5.0,
     .type = G_TYPE_DOUBLE,
     .member = G_STRUCT_OFFSET(DebyeMolecularSurfaceLayer, sample_distance),
     .range = {0.0, 20.0, 0.0},
     .option = {.key = "surface-distance",
                .label = "Distance outside",
                .minimum = 0.0,
                .maximum = 20.0,
                .initial = "0",
                .help = "distance outside the molecular surface at which the map of its colours is read; "
                        "publications use 1.4"}},
    {.property = "choice", .label = N_("Atoms"), .name = N_("Atoms of this layer")},
    {.property = "resolution",
     .label = N_("Resolution"),
     .name = N_("Resolution in ångström"),
     .unit = "Å",
     .low = 0.5,
     .high = 4.0,
     .range = {0.01, 100.0, 0.9},
     .option = {.key = "resolution",
                .minimum = 0.3,
                .maximum = 20.0,
                .initial = "0.9",
                .help = "resolution of the molecular surface: a Gaussian one closes narrower crevices; the "
                        "others have a grid of half of it, down to a quarter for small molecules"},
     .earlier = "detail"},
    {.property = "probe",
     .label = N_("Probe radius"),
     .name = N_("Probe radius in ångström"),
     .unit = "Å",
     .low = 0.5,
     .high = 3.0,
     .needs = "kind",
     .needed = 1u << DEBYE_MESH_SURFACE_EXCLUDED | 1u << DEBYE_MESH_SURFACE_ACCESSIBLE,
     .type = G_TYPE_DOUBLE,
     .member = G_STRUCT_OFFSET(DebyeMolecularSurfaceLayer, probe),
     .range = {0.1, 10.0, WATER_RADIUS},
     .option = {.key = "probe",
                .label = "Probe",
                .minimum = 0.1,
                .maximum = 10.0,
                .initial = "1.4",
                .help = "probe radius of a solvent-excluded or solvent-accessible surface"}},
    {.property = "opacity",
     .label = N_("Opacity"),
     .option = {.key = "opacity",
                .minimum = 0.01,
                .maximum = 1.0,
                .initial = "0.55",
                .help = "opacity of surfaces; if given, also of slices. Slices and surfaces in the colours "
                        "of a map are opaque unless it is given"}},
    {DEBYE_LAYER_LEGEND_SETTING},
    {DEBYE_LAYER_CUT_SETTING},
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
                                      .resolution = request->parameters[RESOLUTION],
                                      .longest_edge = request->longest_edge};
}

static DebyeMesh *
debye_molecular_surface_layer_make_mesh(const DebyeMoleculeMeshRequest *request, GBytes **notes G_GNUC_UNUSED,
                                        GCancellable *cancellable)
{
  Chosen chosen;
  chosen_init(&chosen, request);
  const DebyeMeshSurface kind = (DebyeMeshSurface)request->parameters[KIND];
  DebyeMesh *mesh = kind == DEBYE_MESH_SURFACE_GAUSSIAN
                        ? debye_molecular_surface_new(&chosen.atoms, MAX_POINTS, cancellable)
                        : debye_sphere_surface_new(&chosen.atoms, kind, request->parameters[EFFECTIVE_PROBE],
                                                   MAX_POINTS, cancellable);
  g_free(chosen.columns);
  g_free(chosen.numbers);
  if (mesh)
    debye_mesh_coarsen(mesh, DEBYE_COARSE_TRIANGLES);
  return mesh;
}

static DebyeMoleculeColoring
debye_molecular_surface_layer_get_atom_coloring(int coloring)
{
  return (DebyeMoleculeColoring)CLAMP(coloring, 0, DEBYE_COLOR_UNIFORM);
}

/* --- The object --- */

static void
debye_molecular_surface_layer_setting_changed(DebyeLayer *layer)
{
  DebyeMolecularSurfaceLayer *self = DEBYE_MOLECULAR_SURFACE_LAYER(layer);
  const gboolean has_probe =
      self->kind == DEBYE_MESH_SURFACE_EXCLUDED || self->kind == DEBYE_MESH_SURFACE_ACCESSIBLE;
  debye_molecule_mesh_layer_set_parameter(DEBYE_MOLECULE_MESH_LAYER(self), KIND, self->kind);
  debye_molecule_mesh_layer_set_parameter(DEBYE_MOLECULE_MESH_LAYER(self), EFFECTIVE_PROBE,
                                          has_probe ? self->probe : 0.0);
  debye_mesh_layer_set_sample_distance(DEBYE_MESH_LAYER(self), self->sample_distance);
}

static void
debye_molecular_surface_layer_class_init(DebyeMolecularSurfaceLayerClass *class)
{
  DebyeMoleculeMeshLayerClass *mesh_class = DEBYE_MOLECULE_MESH_LAYER_CLASS(class);
  DEBYE_LAYER_CLASS(class)->setting_changed = debye_molecular_surface_layer_setting_changed;
  debye_molecule_mesh_layer_class_install(mesh_class, &debye_molecular_surface_layer_kind);
  mesh_class->make_mesh = debye_molecular_surface_layer_make_mesh;
  mesh_class->get_atom_coloring = debye_molecular_surface_layer_get_atom_coloring;
}

static void
debye_molecular_surface_layer_init(DebyeMolecularSurfaceLayer *self G_GNUC_UNUSED)
{
}

DebyeMolecularSurfaceLayer *
debye_molecular_surface_layer_new(DebyeTopology *topology)
{
  DebyeMolecularSurfaceLayer *self = g_object_new(DEBYE_TYPE_MOLECULAR_SURFACE_LAYER, NULL);
  debye_molecule_mesh_layer_init_for(DEBYE_MOLECULE_MESH_LAYER(self), topology, NULL);
  return self;
}

/* In one colour: elements speckle a surface, and hide its shape. */
static gpointer
create(const DebyeLayerContents *contents)
{
  DebyeMolecularSurfaceLayer *layer = debye_molecular_surface_layer_new(contents->topology);
  debye_molecule_mesh_layer_set_coloring(DEBYE_MOLECULE_MESH_LAYER(layer), DEBYE_COLOR_UNIFORM);
  return layer;
}

/* In the colours of the newest map, if there is one: that is what such a surface is mostly for. */
static gboolean
begin(DebyeLayer *layer, const DebyeCamera *camera G_GNUC_UNUSED, DebyeField *map)
{
  debye_mesh_layer_set_color_field(DEBYE_MESH_LAYER(layer), map);
  return TRUE;
}

static const char *const gone[] = {"angle", NULL};

const DebyeLayerKind debye_molecular_surface_layer_kind = {
    .key = "molecular-surface",
    .title = N_("Molecular surface"),
    .section = 1,
    .needs = DEBYE_LAYER_NEEDS_ATOMS,
    .atoms = DEBYE_LAYER_BARE_SOLUTE,
    .other_atoms = DEBYE_LAYER_SOLUTE,
    .gone = gone,
    .settings = settings,
    .n_settings = G_N_ELEMENTS(settings),
    .create = create,
    .begin = begin,
};
