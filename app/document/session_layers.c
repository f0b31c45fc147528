/* SPDX-License-Identifier: MIT */
/* Saves and loads the layers of a session's scenes; called by session_scene.c. */
#include "session_layers.h"

#include "app/scene/layer_aside.h"
#include "app/scene/layer_role.h"
#include "data/messages/message.h"
#include "data/files/error.h"
#include "data/selection/selection.h"
#include "json_reader.h"
#include "render/layers/layer_kinds.h"
#include "render/layers/measurement_layer.h"

#define NUMBER_KEY "name_number"
/* What a layer was read from, so that members which this version doesn't know are written again. */
#define ENTRY_KEY "debye-session-entry"
#define MAX_LAYERS 1000

/* --- Maps by number --- */

static gboolean
find_in_list(GListModel *fields, DebyeField *field, guint *number)
{
  for (*number = 0; *number < g_list_model_get_n_items(fields); (*number)++) {
    g_autoptr(DebyeField) candidate = g_list_model_get_item(fields, *number);
    if (candidate == field)
      return TRUE;
  }
  return FALSE;
}

/* The numbers of a field's map in `maps`, and of the field in that. */
static gboolean
find_field(GPtrArray *maps, DebyeField *field, guint *map, guint *number)
{
  for (*map = 0; field != NULL && *map < maps->len; (*map)++) {
    GObject *candidate = maps->pdata[*map];
    *number = 0;
    if (candidate == (GObject *)field)
      return TRUE;
    if (candidate != NULL && DEBYE_IS_RESULT(candidate) &&
        find_in_list(debye_result_get_fields(DEBYE_RESULT(candidate)), field, number))
      return TRUE;
  }
  return FALSE;
}

/* NULL where there is none. (transfer full) */
static DebyeField *
get_field(GPtrArray *maps, gint64 map, gint64 number)
{
  GObject *candidate = map >= 0 && map < maps->len ? maps->pdata[map] : NULL;
  if (candidate == NULL || number < 0 || number > G_MAXUINT)
    return NULL;
  if (DEBYE_IS_FIELD(candidate))
    return number == 0 ? DEBYE_FIELD(g_object_ref(candidate)) : NULL;
  return g_list_model_get_item(debye_result_get_fields(DEBYE_RESULT(candidate)), (guint)number);
}

static GVariant *
save_field(guint map, guint number)
{
  GVariantDict dict;
  g_variant_dict_init(&dict, NULL);
  g_variant_dict_insert(&dict, "map", "x", (gint64)map);
  g_variant_dict_insert(&dict, "number", "x", (gint64)number);
  return g_variant_dict_end(&dict);
}

static DebyeField *
load_field(GVariant *entry, const char *key, const DebyeSessionSource *source)
{
  g_autoptr(GVariant) place = debye_json_get(entry, key, G_VARIANT_TYPE_VARDICT);
  return place != NULL ? get_field(source->maps, debye_json_get_integer(place, "map", -1),
                                   debye_json_get_integer(place, "number", 0))
                       : NULL;
}

/* --- Properties --- */

/* One of a kind's settings in a session that was written before each kind of layer named its own. */
static void
rename_setting(GVariantDict *dict, const DebyeLayerSetting *setting)
{
  g_autoptr(GVariant) value = g_variant_dict_lookup_value(dict, setting->earlier, NULL);
  if (value == NULL)
    return;
  g_variant_dict_remove(dict, setting->earlier);
  if (!g_variant_dict_contains(dict, setting->property))
    g_variant_dict_insert_value(dict, setting->property, value);
}

/* The properties of an entry by the names of today; NULL: it has none. */
static GVariant *
get_properties(GVariant *entry, const DebyeLayerKind *kind)
{
  g_autoptr(GVariant) saved = debye_json_get(entry, "properties", G_VARIANT_TYPE_VARDICT);
  GVariantDict dict;
  if (saved == NULL)
    return NULL;
  g_variant_dict_init(&dict, saved);
  for (gsize i = 0; i < kind->n_settings; i++)
    if (kind->settings[i].earlier != NULL)
      rename_setting(&dict, &kind->settings[i]);
  for (const char *const *gone = kind->gone; gone != NULL && *gone != NULL; gone++)
    g_variant_dict_remove(&dict, *gone);
  return g_variant_ref_sink(g_variant_dict_end(&dict));
}

static GVariant *
save_value(const GValue *value)
{
  switch (G_VALUE_TYPE(value)) {
  case G_TYPE_BOOLEAN:
    return g_variant_new_boolean(g_value_get_boolean(value));
  case G_TYPE_INT:
    return g_variant_new_int64(g_value_get_int(value));
  case G_TYPE_UINT:
    return g_variant_new_int64(g_value_get_uint(value));
  case G_TYPE_DOUBLE:
    return g_variant_new_double(g_value_get_double(value));
  case G_TYPE_STRING:
    return g_variant_new_string(g_value_get_string(value) != NULL ? g_value_get_string(value) : "");
  default:
    return NULL;
  }
}

static void
save_property(DebyeLayer *layer, const GParamSpec *spec, GPtrArray *maps, GVariantDict *into)
{
  g_auto(GValue) value = G_VALUE_INIT;
  guint map, number;
  if (!debye_layer_keeps(layer, spec))
    return;
  g_value_init(&value, spec->value_type);
  if (!debye_layer_aside_get(layer, spec->name, &value))
    g_object_get_property(G_OBJECT(layer), spec->name, &value);
  GVariant *saved = NULL;
  if (spec->value_type != DEBYE_TYPE_FIELD)
    saved = save_value(&value);
  else if (find_field(maps, g_value_get_object(&value), &map, &number))
    saved = save_field(map, number);
  if (saved != NULL)
    g_variant_dict_insert_value(into, spec->name, saved);
  else
    g_variant_dict_remove(into, spec->name);
}

static GVariant *
save_properties(DebyeLayer *layer, GVariant *earlier, GPtrArray *maps)
{
  guint n_specs;
  g_autofree GParamSpec **specs = g_object_class_list_properties(G_OBJECT_GET_CLASS(layer), &n_specs);
  GVariantDict dict;
  g_variant_dict_init(&dict, earlier);
  for (guint i = 0; i < n_specs; i++)
    save_property(layer, specs[i], maps, &dict);
  return g_variant_dict_end(&dict);
}

static gboolean
load_value(GVariant *saved, GValue *value)
{
  double number = 0.0;
  gboolean is_number = debye_json_to_number(saved, &number);
  if (G_VALUE_HOLDS_BOOLEAN(value) && g_variant_is_of_type(saved, G_VARIANT_TYPE_BOOLEAN))
    g_value_set_boolean(value, g_variant_get_boolean(saved));
  else if (G_VALUE_HOLDS_STRING(value) && g_variant_is_of_type(saved, G_VARIANT_TYPE_STRING))
    g_value_set_string(value, g_variant_get_string(saved, NULL));
  else if (G_VALUE_HOLDS_INT(value) && is_number)
    g_value_set_int(value, (int)CLAMP(number, G_MININT, G_MAXINT));
  else if (G_VALUE_HOLDS_UINT(value) && is_number)
    g_value_set_uint(value, (guint)CLAMP(number, 0.0, G_MAXUINT));
  else if (G_VALUE_HOLDS_DOUBLE(value) && is_number)
    g_value_set_double(value, number);
  else
    return FALSE;
  return TRUE;
}

static void
load_property(DebyeLayer *layer, GParamSpec *spec, GVariant *saved, const DebyeSessionSource *source)
{
  g_auto(GValue) value = G_VALUE_INIT;
  g_autoptr(GVariant) member = debye_json_get(saved, spec->name, NULL);
  if (member == NULL || (spec->flags & G_PARAM_WRITABLE) == 0 || (spec->flags & G_PARAM_CONSTRUCT_ONLY) != 0)
    return;
  g_value_init(&value, spec->value_type);
  if (spec->value_type == DEBYE_TYPE_FIELD)
    g_value_take_object(&value, load_field(saved, spec->name, source));
  else if (!load_value(member, &value))
    return;
  g_param_value_validate(spec, &value);
  g_object_set_property(G_OBJECT(layer), spec->name, &value);
}

/* Twice, as one value may be refused until another has been set: a lower limit above the upper one. */
static void
load_properties(DebyeLayer *layer, const DebyeLayerKind *kind, GVariant *entry,
                const DebyeSessionSource *source)
{
  guint n_specs;
  g_autofree GParamSpec **specs = g_object_class_list_properties(G_OBJECT_GET_CLASS(layer), &n_specs);
  g_autoptr(GVariant) saved = get_properties(entry, kind);
  for (guint i = 0; saved != NULL && i < 2 * n_specs; i++)
    load_property(layer, specs[i % n_specs], saved, source);
  /* Layers of sessions from before limits were shared keep their own. */
  g_autoptr(GVariant) shares = saved != NULL ? debye_json_get(saved, "shares-limits", NULL) : NULL;
  if (shares == NULL)
    debye_layer_set_shares_limits(layer, FALSE);
}

/* --- Atoms --- */

static GVariant *
save_atoms(const DebyeLayerContents *contents)
{
  GVariantBuilder builder;
  g_variant_builder_init(&builder, G_VARIANT_TYPE("av"));
  for (gsize i = 0; i < contents->n_atoms; i++)
    g_variant_builder_add(&builder, "v", g_variant_new_int64(contents->atoms[i]));
  return g_variant_builder_end(&builder);
}

/* Two to four different atoms of the topology, in their order; NULL with an error. */
static GArray *
load_measured_atoms(GVariant *entry, DebyeTopology *topology, GError **error)
{
  g_autoptr(GArray) atoms = g_array_new(FALSE, FALSE, sizeof(guint32));
  g_autoptr(GVariant) list = debye_json_get(entry, "atoms", G_VARIANT_TYPE("av"));
  gsize n_listed = list != NULL ? g_variant_n_children(list) : 0;
  for (gsize i = 0; i < MIN(n_listed, DEBYE_MAX_MEASURED); i++) {
    g_autoptr(GVariant) boxed = g_variant_get_child_value(list, i);
    g_autoptr(GVariant) value = g_variant_get_variant(boxed);
    double number = -1.0;
    if (debye_json_to_number(value, &number) && number >= 0.0 &&
        number < (double)debye_topology_get_n_atoms(topology)) {
      guint32 atom = (guint32)number;
      g_array_append_val(atoms, atom);
    }
  }
  if (atoms->len >= 2 && atoms->len == n_listed)
    return g_steal_pointer(&atoms);
  debye_error_set(error, DEBYE_ERROR_VALUE, "expected 2 to %d atoms of the molecule", DEBYE_MAX_MEASURED);
  return NULL;
}

/* NULL without an error: all. */
static GArray *
load_selected_atoms(const char *text, const DebyeSessionSource *source, GError **error)
{
  if (text == NULL)
    return NULL;
  g_autoptr(DebyeSelection) selection = debye_selection_parse(text, NULL, error);
  return selection != NULL ? debye_selection_evaluate(selection, source->topology, source->frame, error)
                           : NULL;
}

/* --- Saving --- */

/* FALSE of what is not kept: a map that is not there any more, the first atom of a measurement that has no
 * second yet. `map` and `number` are those of the layer's map. */
static gboolean
is_kept(const DebyeLayerKind *kind, const DebyeLayerContents *contents, GPtrArray *maps, guint *map,
        guint *number)
{
  if (kind->needs == DEBYE_LAYER_NEEDS_MEASURED_ATOMS)
    return contents->n_atoms > 1;
  return kind->needs != DEBYE_LAYER_NEEDS_MAP || find_field(maps, contents->field, map, number);
}

static GVariant *
save_layer(DebyeLayer *layer, GPtrArray *maps)
{
  const DebyeLayerKind *kind = debye_layer_kind_of(layer);
  g_auto(DebyeLayerContents) contents = {0};
  guint map, number;
  if (kind == NULL || kind->key == NULL)
    return NULL;
  debye_layer_contents_init(&contents, layer);
  if (!is_kept(kind, &contents, maps, &map, &number))
    return NULL;
  GVariant *entry = g_object_get_data(G_OBJECT(layer), ENTRY_KEY);
  g_autoptr(GVariant) earlier = get_properties(entry, kind);
  const char *source = debye_layer_get_source(layer), *role = debye_layer_role_save(layer);
  GVariantDict dict;
  g_variant_dict_init(&dict, entry);
  g_variant_dict_remove(&dict, "selection");
  g_variant_dict_insert(&dict, "kind", "s", kind->key);
  g_variant_dict_insert_value(&dict, "properties", save_properties(layer, earlier, maps));
  g_variant_dict_insert(&dict, NUMBER_KEY, "x", (gint64)debye_layer_get_name_number(layer));
  if (source != NULL)
    g_variant_dict_insert(&dict, "source", "s", source);
  if (role != NULL)
    g_variant_dict_insert(&dict, "role", "s", role);
  if (kind->needs == DEBYE_LAYER_NEEDS_MAP)
    g_variant_dict_insert_value(&dict, "field", save_field(map, number));
  if (kind->needs == DEBYE_LAYER_NEEDS_MEASURED_ATOMS)
    g_variant_dict_insert_value(&dict, "atoms", save_atoms(&contents));
  else if (contents.selection != NULL)
    g_variant_dict_insert(&dict, "selection", "s", contents.selection);
  return g_variant_dict_end(&dict);
}

GVariant *
debye_session_layers_save(GPtrArray *layers, GPtrArray *maps)
{
  GVariantBuilder builder;
  g_variant_builder_init(&builder, G_VARIANT_TYPE("av"));
  for (guint i = 0; i < layers->len; i++) {
    GVariant *entry = save_layer(layers->pdata[i], maps);
    if (entry != NULL)
      g_variant_builder_add(&builder, "v", entry);
  }
  return g_variant_builder_end(&builder);
}

/* --- Loading --- */

/* Why a layer of this kind can't be made; NULL: it can. */
static const char *
find_lack(const DebyeLayerKind *kind, const DebyeSessionSource *source, DebyeField *field)
{
  gboolean needs_molecule = kind->needs == DEBYE_LAYER_NEEDS_ATOMS ||
                            kind->needs == DEBYE_LAYER_NEEDS_MEASURED_ATOMS ||
                            kind->needs == DEBYE_LAYER_NEEDS_CELL;
  if (needs_molecule && (source->topology == NULL || source->frame == NULL))
    return "there are no atoms with coordinates";
  if (kind->needs == DEBYE_LAYER_NEEDS_CELL && !source->frame->has_cell)
    return "the first frame has no cell";
  if (kind->needs == DEBYE_LAYER_NEEDS_MAP && field == NULL)
    return "its map is not there";
  return NULL;
}

static DebyeLayer *
create_layer(const DebyeLayerKind *kind, GVariant *entry, const DebyeSessionSource *source, GError **error)
{
  g_autoptr(DebyeField) field = load_field(entry, "field", source);
  g_autofree char *selection = debye_json_get_text(entry, "selection");
  const char *lack = find_lack(kind, source, field);
  g_autoptr(GArray) atoms = NULL;
  if (lack != NULL) {
    debye_error_set(error, DEBYE_ERROR_MISSING, "%s", lack);
    return NULL;
  }
  g_autoptr(GError) reason = NULL;
  if (kind->needs == DEBYE_LAYER_NEEDS_MEASURED_ATOMS)
    atoms = load_measured_atoms(entry, source->topology, &reason);
  else if (kind->needs == DEBYE_LAYER_NEEDS_ATOMS)
    atoms = load_selected_atoms(selection, source, &reason);
  if (reason != NULL) {
    g_propagate_error(error, g_steal_pointer(&reason));
    return NULL;
  }
  /* An empty array may have no memory, and NULL would mean all. */
  static guint32 none[1];
  DebyeLayerContents contents = {.topology = source->topology,
                                 .frame = source->frame,
                                 .atoms = atoms != NULL ? none : NULL,
                                 .n_atoms = atoms != NULL ? atoms->len : 0,
                                 .selection = selection,
                                 .field = field};
  if (contents.n_atoms > 0)
    contents.atoms = (guint32 *)(gpointer)atoms->data;
  if (kind->needs == DEBYE_LAYER_NEEDS_CELL) {
    contents.cell = source->frame->cell;
    contents.cell_origin = source->frame->cell_origin;
  }
  return debye_layer_kind_create(kind, &contents);
}

static DebyeLayer *
load_layer(GVariant *entry, const DebyeSessionSource *source, GError **error)
{
  g_autofree char *name = debye_json_get_text(entry, "kind");
  g_autofree char *origin = debye_json_get_text(entry, "source");
  g_autofree char *role = debye_json_get_text(entry, "role");
  const DebyeLayerKind *kind = debye_layer_kind_find(name);
  if (kind == NULL) {
    debye_error_set(error, DEBYE_ERROR_UNKNOWN, "this version knows no layers of kind “%s”",
                    name != NULL ? name : "");
    return NULL;
  }
  DebyeLayer *layer = create_layer(kind, entry, source, error);
  if (layer == NULL)
    return NULL;
  debye_layer_set_source(layer, origin);
  load_properties(layer, kind, entry, source);
  const gint64 number = debye_json_get_integer(entry, NUMBER_KEY, -1);
  if (number >= 0)
    debye_layer_set_name_number(layer, (guint)MIN(number, G_MAXINT));
  else
    debye_layer_kind_recognise_name(layer);
  debye_layer_role_load(layer, role);
  g_object_set_data_full(G_OBJECT(layer), ENTRY_KEY, g_variant_ref(entry), (GDestroyNotify)g_variant_unref);
  return layer;
}

static char *
name_of(GVariant *entry, gsize number)
{
  g_autoptr(GVariant) properties = debye_json_get(entry, "properties", G_VARIANT_TYPE_VARDICT);
  char *name = debye_json_get_text(properties, "name");
  return name != NULL ? name : g_strdup_printf("Layer %" G_GSIZE_FORMAT, number);
}

GPtrArray *
debye_session_layers_load(GVariant *list, const DebyeSessionSource *source, GPtrArray *warnings)
{
  GPtrArray *layers = g_ptr_array_new_with_free_func(g_object_unref);
  gsize n_entries =
      list != NULL && g_variant_is_of_type(list, G_VARIANT_TYPE("av")) ? g_variant_n_children(list) : 0;
  for (gsize i = 0; i < MIN(n_entries, MAX_LAYERS); i++) {
    g_autoptr(GVariant) boxed = g_variant_get_child_value(list, i);
    g_autoptr(GVariant) entry = g_variant_get_variant(boxed);
    g_autoptr(GError) error = NULL;
    DebyeLayer *layer = load_layer(entry, source, &error);
    g_autofree char *name = layer == NULL ? name_of(entry, i) : NULL;
    if (layer != NULL)
      g_ptr_array_add(layers, layer);
    else
      g_ptr_array_add(warnings, debye_say("%s is left out: %s", name, error->message));
  }
  return layers;
}
