/* SPDX-License-Identifier: MIT */
/* The layer of a distance, an angle or a dihedral: its value and its dashes in the frame that is shown. */
#include "measurement_layer.h"

#include <glib/gi18n.h>

#include "data/molecule/atom_name.h"

#define DASH_RADIUS 0.06
#define DASH_PERIOD 0.5
#define SIDES 8
/* Å: arms of the mark of an atom that is alone. */
#define MARK_REACH 1.0
#define COLOR 0xd55e00 /* Okabe and Ito's vermillion: apart from the elements on light and dark */

struct _DebyeMeasurementLayer {
  DebyeMoleculeMeshLayer parent;
  DebyeLabel label;
};

enum { THICKNESS }; /* the number of the parameter */
static const DebyeLayerSetting settings[] = {
    {.property = "thickness", .range = {0.01, 100.0, 1.0}, .earlier = "detail"},
};

G_DEFINE_FINAL_TYPE(DebyeMeasurementLayer, debye_measurement_layer, DEBYE_TYPE_MOLECULE_MESH_LAYER)

/* A cross in space, which stands out of sticks and small balls. */
static void
add_mark(DebyeMeshBuilder *builder, DebyeVec3 place, double radius, guint32 atom)
{
  static const DebyeVec3 arms[] = {{MARK_REACH, 0.0, 0.0}, {0.0, MARK_REACH, 0.0}, {0.0, 0.0, MARK_REACH}};
  for (gsize i = 0; i < G_N_ELEMENTS(arms); i++)
    debye_mesh_builder_add_rod(builder, debye_vec3_subtract(place, arms[i]), debye_vec3_add(place, arms[i]),
                               radius, SIDES, atom);
}

static DebyeMesh *
debye_measurement_layer_make_mesh(const DebyeMoleculeMeshRequest *request, GBytes **notes G_GNUC_UNUSED,
                                  GCancellable *cancellable G_GNUC_UNUSED)
{
  DebyePeriodic periodic;
  DebyeVec3 places[DEBYE_MAX_MEASURED];
  DebyeMeshBuilder builder;
  debye_periodic_init_for_frame(&periodic, request->frame);
  debye_mesh_builder_init(&builder);
  /* Before atoms are chosen there is nothing to measure, however few the molecule has. */
  if (request->atoms && request->n_atoms >= 1 && request->n_atoms <= DEBYE_MAX_MEASURED) {
    debye_measure_places(&periodic, request->frame, request->atoms, request->n_atoms, places);
    if (request->n_atoms == 1)
      add_mark(&builder, places[0], DASH_RADIUS * request->parameters[THICKNESS], request->atoms[0]);
    for (gsize i = 0; i + 1 < request->n_atoms; i++)
      debye_mesh_builder_add_dashes(&builder, places[i], places[i + 1],
                                    DASH_RADIUS * request->parameters[THICKNESS], DASH_PERIOD, SIDES,
                                    request->atoms[i]);
  }
  return debye_mesh_builder_finish(&builder);
}

/* --- The value --- */

double
debye_measurement_layer_get_value(DebyeMeasurementLayer *self)
{
  const DebyeShownAtoms *shown = debye_layer_get_shown(DEBYE_LAYER(self));
  const DebyeAtomSet set = debye_shown_atoms_get(shown);
  DebyePeriodic periodic;
  if (!shown->frame || !set.atoms || set.n_atoms < 2 || set.n_atoms > DEBYE_MAX_MEASURED)
    return (double)NAN;
  debye_periodic_init_for_frame(&periodic, shown->frame);
  return debye_measure(&periodic, shown->frame, set.atoms, set.n_atoms);
}

char *
debye_measurement_layer_get_text(DebyeMeasurementLayer *self)
{
  char digits[G_ASCII_DTOSTR_BUF_SIZE];
  double value = debye_measurement_layer_get_value(self);
  gboolean is_distance = debye_shown_atoms_get(debye_layer_get_shown(DEBYE_LAYER(self))).n_atoms == 2;
  if (isnan(value))
    return g_strdup("");
  g_ascii_formatd(digits, sizeof digits, is_distance ? "%.2f" : "%.1f", fabs(value));
  return g_strconcat(value < 0.0 ? "−" : "", digits, is_distance ? " Å" : "°", NULL);
}

/* What is said at an atom that is alone is which it is; NULL: nothing. */
static char *
write_label(DebyeMeasurementLayer *self, const DebyeShownAtoms *shown, const DebyeAtomSet *set)
{
  if (set->atoms == NULL || shown->frame == NULL)
    return NULL;
  if (set->n_atoms == 1)
    return debye_atom_name(shown->topology, set->atoms[0]);
  return isnan(debye_measurement_layer_get_value(self)) ? NULL : debye_measurement_layer_get_text(self);
}

/* In the middle of a distance, at the corner of an angle, between the middle atoms of a dihedral. */
static DebyeVec3
place_of_label(const DebyeVec3 *places, gsize n_atoms)
{
  gsize first = n_atoms <= 2 ? 0 : 1, second = n_atoms == 1 ? 0 : n_atoms == 4 ? 2 : 1;
  return debye_vec3_scale(debye_vec3_add(places[first], places[second]), 0.5);
}

static const DebyeLabel *
debye_measurement_layer_get_labels(DebyeLayer *layer, gsize *n_labels)
{
  DebyeMeasurementLayer *self = DEBYE_MEASUREMENT_LAYER(layer);
  const DebyeShownAtoms *shown = debye_layer_get_shown(layer);
  const DebyeAtomSet set = debye_shown_atoms_get(shown);
  DebyePeriodic periodic;
  DebyeVec3 places[DEBYE_MAX_MEASURED];
  *n_labels = 0;
  g_autofree char *text = write_label(self, shown, &set);
  if (text == NULL)
    return NULL;
  debye_periodic_init_for_frame(&periodic, shown->frame);
  debye_measure_places(&periodic, shown->frame, set.atoms, set.n_atoms, places);
  g_free(self->label.text);
  self->label.text = g_steal_pointer(&text);
  self->label.place = place_of_label(places, set.n_atoms);
  *n_labels = 1;
  return &self->label;
}

static void
debye_measurement_layer_finalize(GObject *object)
{
  g_free(DEBYE_MEASUREMENT_LAYER(object)->label.text);
  G_OBJECT_CLASS(debye_measurement_layer_parent_class)->finalize(object);
}

static void
debye_measurement_layer_class_init(DebyeMeasurementLayerClass *class)
{
  DebyeMoleculeMeshLayerClass *mesh_class = DEBYE_MOLECULE_MESH_LAYER_CLASS(class);
  G_OBJECT_CLASS(class)->finalize = debye_measurement_layer_finalize;
  DEBYE_LAYER_CLASS(class)->get_labels = debye_measurement_layer_get_labels;
  debye_molecule_mesh_layer_class_install(mesh_class, &debye_measurement_layer_kind);
  mesh_class->make_mesh = debye_measurement_layer_make_mesh;
}

static void
debye_measurement_layer_init(DebyeMeasurementLayer *self)
{
  g_object_set(self, "color", COLOR, NULL);
}

DebyeMeasurementLayer *
debye_measurement_layer_new(DebyeTopology *topology)
{
  DebyeMeasurementLayer *self = g_object_new(DEBYE_TYPE_MEASUREMENT_LAYER, NULL);
  debye_molecule_mesh_layer_init_for(DEBYE_MOLECULE_MESH_LAYER(self), topology, NULL);
  return self;
}

static gpointer
create(const DebyeLayerContents *contents)
{
  return debye_measurement_layer_new(contents->topology);
}

static char *
get_name(DebyeLayer *layer)
{
  static const char *const names[] = {
      [1] = N_("Picked atom"), [2] = N_("Distance"), [3] = N_("Angle"), [4] = N_("Dihedral")};
  const gsize n_atoms = debye_shown_atoms_get(debye_layer_get_shown(layer)).n_atoms;
  return g_strdup(n_atoms < G_N_ELEMENTS(names) ? names[n_atoms] : NULL);
}

static const char *const gone[] = {"angle", NULL};

const DebyeLayerKind debye_measurement_layer_kind = {
    .key = "measurement",
    .title = "Measurement",
    .needs = DEBYE_LAYER_NEEDS_MEASURED_ATOMS,
    .gone = gone,
    .settings = settings,
    .n_settings = G_N_ELEMENTS(settings),
    .create = create,
    .get_name = get_name,
};
