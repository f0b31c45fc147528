/* SPDX-License-Identifier: MIT */
/* The base class of cartoons and molecular surfaces: meshes from frames, and colours of vertices from
 * atoms. */
#include "molecule_mesh_layer.h"

#include <string.h>

#include "data/work/worker.h"
#include "molecule_legend.h"
#include "shown_atoms.h"

#define PLAIN_COLOR 0xb8c0cc

typedef struct {
  DebyeShownAtoms shown;
  int coloring;
  guint32 color;
  double parameters[DEBYE_MOLECULE_MESH_PARAMETERS];
  gconstpointer shared;
  GBytes *styles;      /* NULL: to be made */
  DebyeWorker *worker; /* NULL: not needed yet */
  gboolean due;        /* something changed while nothing was seen */
} DebyeMoleculeMeshLayerPrivate;

G_DEFINE_ABSTRACT_TYPE_WITH_PRIVATE(DebyeMoleculeMeshLayer, debye_molecule_mesh_layer, DEBYE_TYPE_MESH_LAYER)

enum {
  PROP_COLORING = 1,
  PROP_COLOR,
  PROP_CHOICE,           /* and others, of shown_atoms.h */
  PROP_PARAMETERS = 1000 /* and on; subclasses count their own from 1 */
};

/* What waits for the thread: a request, and what keeps it alive. */
typedef struct {
  DebyeMoleculeMeshRequest request;
  DebyeMoleculeMeshLayerClass *class;
  guint32 *atoms;
  DebyeField *coloring;
  double sample_distance; /* of its values from the surface, Å */
  GBytes *styles;         /* NULL: they follow the notes */
} Job;

typedef struct {
  DebyeMesh *mesh;
  GBytes *notes;
  GBytes *styles; /* of the colours; NULL: there are none */
  guint8 *colors;
} Result;

static DebyeMoleculeMeshLayerPrivate *
private_of(gpointer layer)
{
  return debye_molecule_mesh_layer_get_instance_private(layer);
}

/* --- On the thread --- */

static void
result_free(gpointer data)
{
  Result *result = data;
  debye_mesh_free(result->mesh);
  g_clear_pointer(&result->notes, g_bytes_unref);
  g_clear_pointer(&result->styles, g_bytes_unref);
  g_free(result->colors);
  g_free(result);
}

static gpointer
work(gpointer data, gpointer *state G_GNUC_UNUSED, GCancellable *cancellable)
{
  Job *job = data;
  Result *result = g_new0(Result, 1);
  result->mesh = job->class->make_mesh(&job->request, &result->notes, cancellable);
  if (!result->mesh) {
    result_free(result);
    return NULL;
  }
  if (job->coloring)
    debye_mesh_sample(result->mesh, job->coloring, job->sample_distance);
  if (job->styles && result->mesh->atoms) {
    result->styles = g_bytes_ref(job->styles);
    result->colors = debye_mesh_mix_colors(result->mesh, g_bytes_get_data(job->styles, NULL));
  }
  return result;
}

static void
job_free(gpointer data)
{
  Job *job = data;
  g_object_unref(job->request.topology);
  debye_frame_unref(job->request.frame);
  g_clear_object(&job->coloring);
  g_clear_pointer(&job->styles, g_bytes_unref);
  g_free(job->atoms);
  g_free(job);
}

static const DebyeWork meshing = {.name = "debye-atoms",
                                  .niceness = DEBYE_MESH_NICENESS,
                                  .work = work,
                                  .free_request = job_free,
                                  .free_result = result_free};

/* --- On the main thread --- */

static GBytes *
get_styles(DebyeMoleculeMeshLayer *self)
{
  DebyeMoleculeMeshLayerPrivate *private = private_of(self);
  if (!private->styles) {
    guint8 *styles = DEBYE_MOLECULE_MESH_LAYER_GET_CLASS(self)->make_styles(self);
    private->styles = g_bytes_new_take(styles, 4 * debye_topology_get_n_atoms(private->shown.topology));
  }
  return private->styles;
}

static void
color_vertices(DebyeMoleculeMeshLayer *self)
{
  const DebyeMesh *mesh = debye_mesh_layer_get_mesh(DEBYE_MESH_LAYER(self));
  if (!mesh || !mesh->atoms)
    return;
  const guint8 *styles = g_bytes_get_data(get_styles(self), NULL);
  debye_mesh_layer_take_colors(DEBYE_MESH_LAYER(self), debye_mesh_mix_colors(mesh, styles));
}

static void
take_result(DebyeMoleculeMeshLayer *self)
{
  DebyeMoleculeMeshLayerPrivate *private = private_of(self);
  DebyeMoleculeMeshLayerClass *class = DEBYE_MOLECULE_MESH_LAYER_GET_CLASS(self);
  Result *result = debye_worker_take(private->worker);
  if (!result)
    return;
  if (class->take_notes) {
    class->take_notes(self, result->notes);
    g_clear_pointer(&private->styles, g_bytes_unref);
  }
  debye_mesh_layer_take_mesh(DEBYE_MESH_LAYER(self), g_steal_pointer(&result->mesh));
  /* Other colours may have been chosen meanwhile. */
  if (result->colors && result->styles == private->styles)
    debye_mesh_layer_take_colors(DEBYE_MESH_LAYER(self), g_steal_pointer(&result->colors));
  else
    color_vertices(self);
  result_free(result);
  debye_layer_changed(DEBYE_LAYER(self));
}

static gboolean
on_meshed(gpointer data)
{
  take_result(data);
  return G_SOURCE_CONTINUE;
}

/* Never NULL, which would mean all, where there are none. */
static guint32 *
copy_atoms(const DebyeAtomSet *set)
{
  guint32 *copy = set->atoms ? g_new(guint32, set->n_atoms + 1) : NULL;
  if (set->atoms && set->n_atoms > 0)
    memcpy(copy, set->atoms, set->n_atoms * sizeof *copy);
  return copy;
}

static void
debye_molecule_mesh_layer_join(DebyeLayer *layer)
{
  DebyeMoleculeMeshLayerPrivate *private = private_of(DEBYE_MOLECULE_MESH_LAYER(layer));
  if (private->worker && debye_layer_has_joined(layer))
    debye_worker_listen(private->worker);
}

static void
remesh(DebyeMeshLayer *layer)
{
  DebyeMoleculeMeshLayerPrivate *private = private_of(layer);
  DebyeField *coloring = debye_mesh_layer_get_color_field(layer);
  private->due = private->shown.frame && !debye_layer_get_visible(DEBYE_LAYER(layer));
  if (!private->shown.frame || private->due)
    return;
  if (!private->worker)
  private->worker = debye_worker_new(&meshing, on_meshed, layer);
  debye_molecule_mesh_layer_join(DEBYE_LAYER(layer));
  DebyeAtomSet shown = debye_shown_atoms_get(&private->shown);
  Job *job = g_new0(Job, 1);
  job->class = DEBYE_MOLECULE_MESH_LAYER_GET_CLASS(layer);
  job->coloring = coloring ? g_object_ref(coloring) : NULL;
  job->sample_distance = debye_mesh_layer_get_sample_distance(layer);
  job->styles = job->class->take_notes ? NULL : g_bytes_ref(get_styles(DEBYE_MOLECULE_MESH_LAYER(layer)));
  job->atoms = copy_atoms(&shown);
  job->request = (DebyeMoleculeMeshRequest){.topology = g_object_ref(private->shown.topology),
                                            .frame = debye_frame_ref(private->shown.frame),
                                            .atoms = job->atoms,
                                            .n_atoms = shown.n_atoms,
                                            .longest_edge = debye_mesh_layer_get_longest_edge(layer),
                                            .shared = private->shared};
  memcpy(job->request.parameters, private->parameters, sizeof private->parameters);
  debye_worker_request(private->worker, job);
}

static void
on_visible(DebyeMoleculeMeshLayer *self)
{
  if (private_of(self)->due)
    remesh(DEBYE_MESH_LAYER(self));
}

static void
debye_molecule_mesh_layer_settle(DebyeLayer *layer)
{
  DebyeMoleculeMeshLayerPrivate *private = private_of(layer);
  if (!private->worker)
    return;
  debye_worker_wait(private->worker);
  take_result(DEBYE_MOLECULE_MESH_LAYER(layer));
}

/* Atoms stand in for a mesh that is still being made, or a first view would look at nothing. */
static gboolean
debye_molecule_mesh_layer_bound_unmade(DebyeMeshLayer *layer, DebyeVec3 *low, DebyeVec3 *high)
{
  return debye_shown_atoms_get_bounds(&private_of(layer)->shown, low, high);
}

/* --- Colours of atoms --- */

static DebyeMoleculeColoring
get_atom_coloring(gpointer layer)
{
  DebyeMoleculeMeshLayerClass *class = DEBYE_MOLECULE_MESH_LAYER_GET_CLASS(layer);
  return class->get_atom_coloring ? class->get_atom_coloring(private_of(layer)->coloring)
                                  : DEBYE_COLOR_UNIFORM;
}

static guint8 *
debye_molecule_mesh_layer_make_styles(DebyeMoleculeMeshLayer *layer)
{
  const DebyeMoleculeMeshLayerPrivate *private = private_of(layer);
  return debye_molecule_styles(private->shown.topology, get_atom_coloring(layer), private->color,
                               debye_mesh_layer_get_chosen_map(DEBYE_MESH_LAYER(layer)));
}

static const char *
debye_molecule_mesh_layer_find_coloring_lack(DebyeLayer *layer, int coloring)
{
  DebyeMoleculeMeshLayerClass *class = DEBYE_MOLECULE_MESH_LAYER_GET_CLASS(layer);
  return class->get_atom_coloring ? debye_molecule_find_coloring_lack(private_of(layer)->shown.topology,
                                                                      class->get_atom_coloring(coloring))
                                  : NULL;
}

static gboolean
debye_molecule_mesh_layer_has_scale(DebyeMeshLayer *layer)
{
  const DebyeMoleculeColoring coloring = get_atom_coloring(layer);
  return coloring == DEBYE_COLOR_BY_CHARGE || coloring == DEBYE_COLOR_BY_B_FACTOR;
}

/* Colours of atoms, not of a map, are explained. */
static gboolean
explains_atoms(DebyeLayer *layer)
{
  return DEBYE_MOLECULE_MESH_LAYER_GET_CLASS(layer)->get_atom_coloring &&
         !debye_mesh_layer_get_color_field(DEBYE_MESH_LAYER(layer));
}

static void
debye_molecule_mesh_layer_draw_legend(DebyeLayer *layer, cairo_t *cr, const double text_color[4],
                                      double *width, double *height)
{
  if (explains_atoms(layer))
    debye_molecule_legend_draw(layer, get_atom_coloring(layer),
                               debye_mesh_layer_get_chosen_map(DEBYE_MESH_LAYER(layer)), cr, text_color,
                               width, height);
  else
    DEBYE_LAYER_CLASS(debye_molecule_mesh_layer_parent_class)
        ->draw_legend(layer, cr, text_color, width, height);
}

static char *
debye_molecule_mesh_layer_get_legend_key(DebyeLayer *layer)
{
  return explains_atoms(layer)
             ? debye_molecule_legend_get_key(layer, get_atom_coloring(layer),
                                             debye_mesh_layer_get_chosen_map(DEBYE_MESH_LAYER(layer)))
             : DEBYE_LAYER_CLASS(debye_molecule_mesh_layer_parent_class)->get_legend_key(layer);
}

/* --- The object --- */

static DebyeShownAtoms *
debye_molecule_mesh_layer_get_shown(DebyeLayer *layer)
{
  return &private_of(layer)->shown;
}

static void
debye_molecule_mesh_layer_show_frame(DebyeLayer *layer, DebyeFrame *frame)
{
  if (!debye_shown_atoms_set_frame(&private_of(layer)->shown, frame))
    return;
  remesh(DEBYE_MESH_LAYER(layer));
  g_object_notify(G_OBJECT(layer), "frame");
}

static void
colors_changed(DebyeMoleculeMeshLayer *self, const char *property)
{
  g_clear_pointer(&private_of(self)->styles, g_bytes_unref);
  color_vertices(self);
  g_object_notify(G_OBJECT(self), property);
  g_object_notify(G_OBJECT(self), "has-color-scale");
  debye_layer_changed(DEBYE_LAYER(self));
}

/* The mesh layer tells of the property. */
static void
debye_molecule_mesh_layer_color_map_changed(DebyeMeshLayer *layer)
{
  g_clear_pointer(&private_of(layer)->styles, g_bytes_unref);
  /* Atoms give no colours before there is a mesh of them. */
  if (debye_mesh_layer_get_mesh(layer))
    color_vertices(DEBYE_MOLECULE_MESH_LAYER(layer));
}

/* The number of the parameter that a property is. */
static gboolean
find_parameter(guint id, guint *number)
{
  *number = id - PROP_PARAMETERS;
  return id >= PROP_PARAMETERS && *number < DEBYE_MOLECULE_MESH_PARAMETERS;
}

static void
debye_molecule_mesh_layer_get_property(GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  DebyeMoleculeMeshLayerPrivate *private = private_of(object);
  guint parameter;
  switch (id) {
  case PROP_COLORING:
    g_value_set_int(value, private->coloring);
    break;
  case PROP_COLOR:
    g_value_set_uint(value, private->color);
    break;
  default:
    if (find_parameter(id, &parameter))
      g_value_set_double(value, private->parameters[parameter]);
    else if (!debye_shown_atoms_get_property(&private->shown, PROP_CHOICE, id, value))
      debye_layer_get_member(object, id, value, pspec);
  }
}

static void
set_color(DebyeMoleculeMeshLayer *self, guint32 color)
{
  DebyeMoleculeMeshLayerPrivate *private = private_of(self);
  if (private->color == color)
    return;
  private->color = color;
  colors_changed(self, "color");
}

static void
set_choice(DebyeMoleculeMeshLayer *self, GVariant *choice)
{
  debye_shown_atoms_set_choice(&private_of(self)->shown, choice);
  remesh(DEBYE_MESH_LAYER(self));
  g_object_notify(G_OBJECT(self), "n-shown");
  debye_layer_changed(DEBYE_LAYER(self));
  g_object_notify(G_OBJECT(self), "choice");
}

static void
debye_molecule_mesh_layer_set_property(GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  DebyeMoleculeMeshLayer *self = DEBYE_MOLECULE_MESH_LAYER(object);
  guint parameter;
  switch (id) {
  case PROP_COLORING:
    debye_molecule_mesh_layer_set_coloring(self, g_value_get_int(value));
    break;
  case PROP_COLOR:
    set_color(self, g_value_get_uint(value));
    break;
  case PROP_CHOICE:
    set_choice(self, g_value_get_variant(value));
    break;
  default:
    if (!find_parameter(id, &parameter))
      debye_layer_set_member(object, id, value, pspec);
    else if (debye_layer_take_double(DEBYE_LAYER(self), &private_of(self)->parameters[parameter],
                                     g_value_get_double(value), pspec->name))
      remesh(DEBYE_MESH_LAYER(self));
  }
}

static void
debye_molecule_mesh_layer_dispose(GObject *object)
{
  debye_molecule_mesh_layer_stop(DEBYE_MOLECULE_MESH_LAYER(object));
  G_OBJECT_CLASS(debye_molecule_mesh_layer_parent_class)->dispose(object);
}

static void
debye_molecule_mesh_layer_finalize(GObject *object)
{
  DebyeMoleculeMeshLayerPrivate *private = private_of(object);
  debye_shown_atoms_clear(&private->shown);
  g_clear_pointer(&private->styles, g_bytes_unref);
  G_OBJECT_CLASS(debye_molecule_mesh_layer_parent_class)->finalize(object);
}

static void
install_properties(GObjectClass *class)
{
  const GParamFlags flags = G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY;
  g_object_class_install_property(class, PROP_COLORING,
                                  g_param_spec_int("coloring", NULL, NULL, 0, G_MAXINT, 0, flags));
  g_object_class_install_property(class, PROP_COLOR,
                                  g_param_spec_uint("color", NULL, NULL, 0, 0xffffff, PLAIN_COLOR, flags));
  debye_shown_atoms_install_properties(class, PROP_CHOICE);
}

static void
debye_molecule_mesh_layer_class_init(DebyeMoleculeMeshLayerClass *class)
{
  GObjectClass *object_class = G_OBJECT_CLASS(class);
  DebyeLayerClass *layer_class = DEBYE_LAYER_CLASS(class);
  object_class->get_property = debye_molecule_mesh_layer_get_property;
  object_class->set_property = debye_molecule_mesh_layer_set_property;
  object_class->dispose = debye_molecule_mesh_layer_dispose;
  object_class->finalize = debye_molecule_mesh_layer_finalize;
  layer_class->find_coloring_lack = debye_molecule_mesh_layer_find_coloring_lack;
  layer_class->draw_legend = debye_molecule_mesh_layer_draw_legend;
  layer_class->get_legend_key = debye_molecule_mesh_layer_get_legend_key;
  layer_class->join = debye_molecule_mesh_layer_join;
  layer_class->settle = debye_molecule_mesh_layer_settle;
  layer_class->get_shown = debye_molecule_mesh_layer_get_shown;
  layer_class->show_frame = debye_molecule_mesh_layer_show_frame;
  DEBYE_MESH_LAYER_CLASS(class)->color_map_changed = debye_molecule_mesh_layer_color_map_changed;
  DEBYE_MESH_LAYER_CLASS(class)->bound_unmade = debye_molecule_mesh_layer_bound_unmade;
  DEBYE_MESH_LAYER_CLASS(class)->has_scale = debye_molecule_mesh_layer_has_scale;
  class->make_styles = debye_molecule_mesh_layer_make_styles;
  DEBYE_MESH_LAYER_CLASS(class)->remesh = remesh;
  install_properties(object_class);
}

static void
debye_molecule_mesh_layer_init(DebyeMoleculeMeshLayer *self)
{
  DebyeMoleculeMeshLayerPrivate *private = private_of(self);
  private->color = PLAIN_COLOR;
  g_signal_connect(self, "notify::visible", G_CALLBACK(on_visible), NULL);
}

static void
install_parameter(DebyeMoleculeMeshLayerClass *class, const DebyeLayerSetting *setting)
{
  const GParamFlags flags = G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY;
  const guint number = (guint) class->n_parameters++;
  g_return_if_fail(number < DEBYE_MOLECULE_MESH_PARAMETERS);
  class->parameters[number] = setting;
  g_object_class_install_property(G_OBJECT_CLASS(class), PROP_PARAMETERS + number,
                                  g_param_spec_double(setting->property, NULL, NULL, setting->range.minimum,
                                                      setting->range.maximum, setting->range.initial, flags));
}

void
debye_molecule_mesh_layer_class_install(DebyeMoleculeMeshLayerClass *class, const DebyeLayerKind *kind)
{
  GObjectClass *object_class = G_OBJECT_CLASS(class);
  if (object_class->get_property == NULL)
    object_class->get_property = debye_molecule_mesh_layer_get_property;
  if (object_class->set_property == NULL)
    object_class->set_property = debye_molecule_mesh_layer_set_property;
  debye_layer_class_install(DEBYE_LAYER_CLASS(class), kind);
  class->n_parameters = 0;
  for (gsize i = 0; i < kind->n_settings; i++)
    if (kind->settings[i].type == G_TYPE_INVALID && kind->settings[i].range.maximum > 0.0)
      install_parameter(class, &kind->settings[i]);
}

void
debye_molecule_mesh_layer_set_parameter(DebyeMoleculeMeshLayer *self, guint number, double value)
{
  DebyeMoleculeMeshLayerPrivate *private = private_of(self);
  g_return_if_fail(number < DEBYE_MOLECULE_MESH_PARAMETERS);
  if (private->parameters[number] == value)
    return;
  private->parameters[number] = value;
  remesh(DEBYE_MESH_LAYER(self));
}

void
debye_molecule_mesh_layer_init_for(DebyeMoleculeMeshLayer *self, DebyeTopology *topology,
                                   gconstpointer shared)
{
  DebyeMoleculeMeshLayerPrivate *private = private_of(self);
  const DebyeMoleculeMeshLayerClass *class = DEBYE_MOLECULE_MESH_LAYER_GET_CLASS(self);
  for (gsize i = 0; i < class->n_parameters; i++)
  private->parameters[i] = class->parameters[i]->range.initial;
  debye_shown_atoms_init(&private->shown, topology);
  private->shared = shared;
}

void
debye_molecule_mesh_layer_stop(DebyeMoleculeMeshLayer *self)
{
  g_clear_pointer(&private_of(self)->worker, debye_worker_free);
}

DebyeTopology *
debye_molecule_mesh_layer_get_topology(DebyeMoleculeMeshLayer *self)
{
  return private_of(self)->shown.topology;
}

void
debye_molecule_mesh_layer_set_coloring(DebyeMoleculeMeshLayer *self, int coloring)
{
  DebyeMoleculeMeshLayerPrivate *private = private_of(self);
  /* The first is what a layer is made with, whatever is known of its atoms. */
  if (private->coloring == coloring ||
      (coloring != 0 && debye_layer_find_coloring_lack(DEBYE_LAYER(self), coloring)))
    return;
  private->coloring = coloring;
  colors_changed(self, "coloring");
}

int
debye_molecule_mesh_layer_get_coloring(DebyeMoleculeMeshLayer *self)
{
  return private_of(self)->coloring;
}
