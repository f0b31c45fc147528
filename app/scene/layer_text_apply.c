/* SPDX-License-Identifier: MIT */
/* What the items of a layer's line mean (layer_text.h): makes layers of them and sets their properties. */
#include "layer_text_private.h"

#include <errno.h>
#include <math.h>

#include "data/files/error.h"
#include "data/selection/selection.h"
#include "render/layers/label_layer.h"
#include "render/layers/molecular_surface_layer.h"
#include "render/scene/color_words.h"

/* --- Kinds --- */

/* Words of kinds whose keys say more than is needed. */
static const struct {
  const DebyeLayerKind *kind;
  const char *word;
} words[] = {
    {&debye_molecular_surface_layer_kind, "surface"},
};

static const char *
word_of(const DebyeLayerKind *kind)
{
  for (gsize i = 0; i < G_N_ELEMENTS(words); i++)
    if (words[i].kind == kind)
      return words[i].word;
  return kind->key;
}

/* A style of atoms; -1: none. Further choices are other kinds. */
static int
find_style(const char *word)
{
  const DebyeLayerSetting *setting = debye_layer_kind_find_setting(&debye_molecule_layer_kind, "style");
  for (int i = 0; i <= DEBYE_STYLE_LINES; i++)
    if (g_str_equal(setting->choices[i].value, word))
      return i;
  return -1;
}

/* The kind that a word names, and its style of atoms, or -1; NULL: no kind. */
static const DebyeLayerKind *
find_kind(const char *word, int *style)
{
  *style = find_style(word);
  if (*style >= 0)
    return &debye_molecule_layer_kind;
  for (gsize i = 0; i < G_N_ELEMENTS(words); i++)
    if (g_str_equal(words[i].word, word))
      return words[i].kind;
  return debye_layer_kind_find(word);
}

/* The setting that an option which adds such a layer fills; NULL: none. */
static const DebyeLayerSetting *
find_main_setting(const DebyeLayerKind *kind)
{
  for (gsize i = 0; i < kind->n_settings; i++)
    if (kind->settings[i].adds && (kind->settings[i].parse != NULL || kind->settings[i].property != NULL))
      return &kind->settings[i];
  return debye_layer_kind_find_setting(kind, "kind");
}

/* Labels beside another kind are a layer of their own. */
const DebyeLayerKind *
debye_layer_text_find_kind(const DebyeLayerText *self)
{
  int style;
  for (guint i = 0; i < self->items->len; i++) {
    const DebyeLayerKind *kind = find_kind(g_array_index(self->items, DebyeLayerTextItem, i).word, &style);
    if (kind != NULL && kind != &debye_label_layer_kind)
      return kind;
  }
  return NULL;
}

static gboolean
has_labels(const DebyeLayerText *self)
{
  for (guint i = 0; i < self->items->len; i++)
    if (g_str_equal(g_array_index(self->items, DebyeLayerTextItem, i).word, debye_label_layer_kind.key))
      return TRUE;
  return FALSE;
}

/* --- What is possible --- */

static void
append_choices(GString *list, GParamSpec *spec, const DebyeChoice *choices)
{
  for (int i = 0; choices != NULL && i <= G_PARAM_SPEC_INT(spec)->maximum && choices[i].value != NULL; i++)
    g_string_append_printf(list, "%s%s", i > 0 ? "|" : " ", choices[i].value);
}

static void
append_possible(GString *list, DebyeLayer *layer, GParamSpec *spec)
{
  const DebyeLayerSetting *setting = debye_layer_kind_find_setting(debye_layer_kind_of(layer), spec->name);
  if (!debye_layer_keeps(layer, spec))
    return;
  g_string_append_printf(list, "%s%s", list->len > 0 ? ", " : "", spec->name);
  if (G_IS_PARAM_SPEC_INT(spec) && setting != NULL)
    append_choices(list, spec, setting->choices);
}

/* The properties of a layer, with the words that they may have. */
static char *
list_possible(DebyeLayer *layer)
{
  guint n_specs;
  g_autofree GParamSpec **specs = g_object_class_list_properties(G_OBJECT_GET_CLASS(layer), &n_specs);
  GString *list = g_string_new(NULL);
  for (guint i = 0; i < n_specs; i++)
    append_possible(list, layer, specs[i]);
  return g_string_free(list, FALSE);
}

static char *
list_kinds(void)
{
  GString *list = g_string_new(NULL);
  const DebyeLayerSetting *style = debye_layer_kind_find_setting(&debye_molecule_layer_kind, "style");
  for (int i = 0; i <= DEBYE_STYLE_LINES; i++)
    g_string_append_printf(list, "%s%s", i > 0 ? ", " : "", style->choices[i].value);
  for (const DebyeLayerKind *const *kind = debye_layer_kinds(); *kind != NULL; kind++)
    if ((*kind)->key != NULL && *kind != &debye_molecule_layer_kind && (*kind)->section > 0)
      g_string_append_printf(list, ", %s", word_of(*kind));
  return g_string_free(list, FALSE);
}

/* --- Values --- */

static gboolean
fail(GError **error, const char *name, const char *expected, const char *found)
{
  return debye_error_set(error, DEBYE_ERROR_SETTING, "%s: expected %s, found “%s”", name, expected,
                         found != NULL ? found : "");
}

static gboolean
set_number(DebyeLayer *layer, const GParamSpec *spec, const char *text, GError **error)
{
  const GParamSpecDouble *of = G_PARAM_SPEC_DOUBLE(spec);
  char *end;
  const double number = g_ascii_strtod(text, &end);
  if (end != text && *end == '\0' && number >= of->minimum && number <= of->maximum) {
    g_object_set(layer, spec->name, number, NULL);
    return TRUE;
  }
  g_autofree char *range = of->maximum < G_MAXDOUBLE
                               ? g_strdup_printf("a number from %g to %g", of->minimum, of->maximum)
                               : g_strdup("a number");
  return fail(error, spec->name, range, text);
}

/* By its word, or by its number where values have no words. */
static gboolean
set_integer(DebyeLayer *layer, GParamSpec *spec, const char *text, GError **error)
{
  const GParamSpecInt *of = G_PARAM_SPEC_INT(spec);
  const DebyeLayerSetting *setting = debye_layer_kind_find_setting(debye_layer_kind_of(layer), spec->name);
  const DebyeChoice *choices = setting != NULL ? setting->choices : NULL;
  gint64 number = 0;
  gboolean understood =
      choices == NULL && g_ascii_string_to_signed(text, 10, of->minimum, of->maximum, &number, NULL);
  for (int i = 0; choices != NULL && !understood && i <= of->maximum && choices[i].value != NULL; i++) {
    understood = g_str_equal(choices[i].value, text);
    number = i;
  }
  if (understood) {
    g_object_set(layer, spec->name, (int)number, NULL);
    return TRUE;
  }
  g_autoptr(GString) list = g_string_new(choices != NULL ? "one of" : NULL);
  append_choices(list, spec, choices);
  if (choices == NULL)
    g_string_append_printf(list, "a whole number from %d to %d", of->minimum, of->maximum);
  return fail(error, spec->name, list->str, text);
}

/* What is coloured so has one colour. */
static gboolean
set_color(DebyeLayer *layer, const char *name, const char *text, GError **error)
{
  guint32 color;
  if (!debye_color_parse(text, &color))
    return fail(error, name, "a colour such as #3366cc or red", text);
  g_object_set(layer, name, color, NULL);
  GParamSpec *coloring = g_object_class_find_property(G_OBJECT_GET_CLASS(layer), "coloring");
  return coloring == NULL || set_integer(layer, coloring, "uniform", error);
}

static gboolean
set_field(DebyeLayer *layer, const GParamSpec *spec, const char *path, const DebyeLayerTextContext *context,
          GError **error)
{
  if (context->load == NULL)
    return fail(error, spec->name, "no file here", path);
  g_autoptr(DebyeField) field = context->load(path, context->data, error);
  if (field != NULL)
    g_object_set(layer, spec->name, field, NULL);
  return field != NULL;
}

static gboolean
set_boolean(DebyeLayer *layer, const GParamSpec *spec, const char *text, GError **error)
{
  gboolean is_on = FALSE;
  if (!debye_setting_parse_boolean(text, &is_on))
    return fail(error, spec->name, "true or false", text);
  g_object_set(layer, spec->name, is_on, NULL);
  return TRUE;
}

static gboolean
set_property(DebyeLayer *layer, GParamSpec *spec, const char *text, const DebyeLayerTextContext *context,
             GError **error)
{
  if (G_IS_PARAM_SPEC_DOUBLE(spec))
    return set_number(layer, spec, text, error);
  if (G_IS_PARAM_SPEC_INT(spec))
    return set_integer(layer, spec, text, error);
  if (G_IS_PARAM_SPEC_BOOLEAN(spec))
    return set_boolean(layer, spec, text, error);
  if (G_IS_PARAM_SPEC_UINT(spec))
    return set_color(layer, spec->name, text, error);
  if (spec->value_type == DEBYE_TYPE_FIELD)
    return set_field(layer, spec, text, context, error);
  if (DEBYE_IS_LABEL_LAYER(layer) && g_str_equal(spec->name, "text") &&
      !debye_label_layer_check_text(text, error))
    return FALSE;
  g_object_set(layer, spec->name, text, NULL);
  return TRUE;
}

/* --- Items --- */

/* A property by its own name or by that of its option; “color” is a colouring, or one colour. NULL: none. */
static GParamSpec *
find_property(DebyeLayer *layer, const char *name, const char *value)
{
  const DebyeLayerKind *kind = debye_layer_kind_of(layer);
  GObjectClass *class = G_OBJECT_GET_CLASS(layer);
  guint32 color;
  GParamSpec *found = NULL;
  for (gsize i = 0; i < kind->n_settings; i++)
    if (g_strcmp0(kind->settings[i].option.key, name) == 0 && kind->settings[i].property != NULL)
      found = g_object_class_find_property(class, kind->settings[i].property);
  if (found == NULL || (g_str_equal(name, "color") && debye_color_parse(value, &color)))
    found = g_object_class_find_property(class, name);
  return found != NULL && debye_layer_keeps(layer, found) ? found : NULL;
}

/* Of the word that named the kind, or of a property whose option has a form of its own. */
static const DebyeLayerSetting *
find_form(DebyeLayer *layer, const char *name)
{
  const DebyeLayerKind *kind = debye_layer_kind_of(layer);
  const DebyeLayerSetting *of_kind = find_main_setting(kind);
  int style;
  if (find_kind(name, &style) == kind)
    return of_kind;
  for (gsize i = 0; i < kind->n_settings; i++)
    if (g_strcmp0(kind->settings[i].option.key, name) == 0 && kind->settings[i].parse != NULL)
      return &kind->settings[i];
  return NULL;
}

/* Of labels: one's own words where they are no content. */
static gboolean
is_own_text(DebyeLayer *layer, const DebyeLayerSetting *setting, const char *value)
{
  const DebyeChoice *choice = setting->choices;
  if (!DEBYE_IS_LABEL_LAYER(layer))
    return FALSE;
  while (choice->value != NULL && !g_str_equal(choice->value, value))
    choice++;
  return choice->value == NULL;
}

static gboolean
set_own_text(DebyeLayer *layer, const char *value, GError **error)
{
  if (!debye_label_layer_check_text(value, error))
    return FALSE;
  g_object_set(layer, "content", DEBYE_LABEL_TEXT, "text", value, NULL);
  return TRUE;
}

static gboolean
apply_form(DebyeLayer *layer, const DebyeLayerSetting *setting, const char *value,
           const DebyeLayerTextContext *context, GError **error)
{
  if (setting->parse != NULL)
    return setting->parse(layer, value, error);
  if (is_own_text(layer, setting, value))
    return set_own_text(layer, value, error);
  return set_property(layer, g_object_class_find_property(G_OBJECT_GET_CLASS(layer), setting->property),
                      value, context, error);
}

static gboolean
apply_value(DebyeLayer *layer, const DebyeLayerTextItem *item, const DebyeLayerTextContext *context,
            gboolean *known, GError **error)
{
  const DebyeLayerSetting *form = find_form(layer, item->word);
  GParamSpec *spec = find_property(layer, item->word, item->value);
  *known = form != NULL || spec != NULL;
  if (form != NULL)
    return apply_form(layer, form, item->value, context, error);
  return spec != NULL && set_property(layer, spec, item->value, context, error);
}

/* A value of any property with choices, a switch, a colour, an opacity. */
static gboolean
apply_choice(DebyeLayer *layer, const char *word)
{
  const DebyeLayerKind *kind = debye_layer_kind_of(layer);
  for (gsize i = 0; i < kind->n_settings; i++) {
    const DebyeLayerSetting *setting = &kind->settings[i];
    GParamSpec *spec = setting->property != NULL && setting->choices != NULL
                           ? g_object_class_find_property(G_OBJECT_GET_CLASS(layer), setting->property)
                           : NULL;
    if (spec != NULL && G_IS_PARAM_SPEC_INT(spec) && set_integer(layer, spec, word, NULL))
      return TRUE;
  }
  return FALSE;
}

static gboolean
apply_word(DebyeLayer *layer, const char *word, gboolean *known, GError **error)
{
  GParamSpec *spec = g_object_class_find_property(G_OBJECT_GET_CLASS(layer), word);
  guint32 color;
  char *end;
  const double number = g_ascii_strtod(word, &end);
  int style;
  *known = TRUE;
  if (apply_choice(layer, word) || find_kind(word, &style) == debye_layer_kind_of(layer))
    return TRUE;
  if (spec != NULL && G_IS_PARAM_SPEC_BOOLEAN(spec) && debye_layer_keeps(layer, spec))
    return set_boolean(layer, spec, "true", error);
  if (g_str_equal(word, "hidden") || g_str_equal(word, "uncut")) {
    g_object_set(layer, g_str_equal(word, "hidden") ? "visible" : "cut", FALSE, NULL);
    return TRUE;
  }
  if (end != word && *end == '\0' && isfinite(number))
    return set_number(layer, g_object_class_find_property(G_OBJECT_GET_CLASS(layer), "opacity"), word, error);
  *known = debye_color_parse(word, &color) &&
           g_object_class_find_property(G_OBJECT_GET_CLASS(layer), "color") != NULL;
  return *known && set_color(layer, "color", word, error);
}

static gboolean
apply_item(DebyeLayer *layer, const DebyeLayerTextItem *item, const DebyeLayerTextContext *context,
           gboolean *known, GError **error)
{
  return item->value != NULL ? apply_value(layer, item, context, known, error)
                             : apply_word(layer, item->word, known, error);
}

static gboolean
refuse(const DebyeLayerText *self, DebyeLayer *layer, const DebyeLayerTextItem *item, GError **error)
{
  const DebyeLayerKind *kind = debye_layer_kind_of(layer);
  g_autofree char *possible = list_possible(layer);
  return debye_error_set(error, DEBYE_ERROR_SETTING,
                         "“%s”: layers of kind “%s” have no %s “%s”; possible: %s", self->text, word_of(kind),
                         item->value != NULL ? "property" : "property or value", item->word, possible);
}

/* What labels beside another kind have as well, as they are one line. */
static gboolean
is_of_all_layers(const DebyeLayerTextItem *item)
{
  static const char *const shared_words[] = {"hidden", "uncut", NULL};
  static const char *const properties[] = {"opacity", "visible", "cut", NULL};
  char *end;
  if (item->value != NULL)
    return g_strv_contains(properties, item->word);
  g_ascii_strtod(item->word, &end);
  return g_strv_contains(shared_words, item->word) || (end != item->word && *end == '\0');
}

/* Twice, as one value may be refused until another has been set: a lower limit above the upper one. What no layer of
 * the text knows is a mistake. */
static gboolean
apply_items(const DebyeLayerText *self, GPtrArray *layers, const DebyeLayerTextContext *context,
            GError **error)
{
  for (guint i = 0; i < 2 * self->items->len; i++) {
    const DebyeLayerTextItem *item = &g_array_index(self->items, DebyeLayerTextItem, i % self->items->len);
    const gboolean is_of_all = is_of_all_layers(item);
    gboolean is_known = FALSE;
    for (guint j = 0; j < layers->len && (!is_known || is_of_all); j++) {
      gboolean known = FALSE;
      g_autoptr(GError) reason = NULL;
      const gboolean is_applied = apply_item(layers->pdata[j], item, context, &known, &reason);
      is_known = is_known || known;
      if (is_applied || !known)
        continue;
      g_propagate_error(error, g_steal_pointer(&reason));
      debye_error_prefix(error, "“%s”: ", self->text);
      return FALSE;
    }
    if (!is_known)
      return refuse(self, layers->pdata[0], item, error);
  }
  return TRUE;
}

gboolean
debye_layer_text_apply(const DebyeLayerText *self, DebyeLayer *layer, const DebyeLayerTextContext *context,
                       GError **error)
{
  g_autoptr(GPtrArray) layers = g_ptr_array_new();
  g_ptr_array_add(layers, layer);
  return apply_items(self, layers, context, error);
}

/* --- Layers --- */

/* NULL without an error: those that a new layer of its kind shows. */
static GArray *
choose_atoms(const DebyeLayerText *self, const DebyeLayerTextContext *context, GError **error)
{
  if (self->subject == NULL)
    return NULL;
  g_autoptr(DebyeSelection) selection = debye_selection_parse(self->subject, NULL, error);
  g_autoptr(GArray) atoms = selection != NULL ? debye_selection_evaluate(selection, context->source.topology,
                                                                         context->source.frame, error)
                                              : NULL;
  if (atoms != NULL && atoms->len == 0)
    debye_error_set(error, DEBYE_ERROR_SELECTION, "“%s” selects no atoms", self->subject);
  return atoms != NULL && atoms->len > 0 ? g_steal_pointer(&atoms) : NULL;
}

static gboolean
needs_atoms(const DebyeLayerKind *kind)
{
  return kind->needs == DEBYE_LAYER_NEEDS_ATOMS;
}

static gboolean
check_kind(const DebyeLayerText *self, const DebyeLayerKind *kind, const DebyeLayerTextContext *context,
           GError **error)
{
  const char *lack = NULL;
  if (kind->needs == DEBYE_LAYER_NEEDS_MEASURED_ATOMS || kind->needs == DEBYE_LAYER_NEEDS_LINES)
    lack = "layers of this kind cannot be written as text";
  else if (needs_atoms(kind) && (context->source.topology == NULL || context->source.frame == NULL))
    lack = "there are no atoms with coordinates";
  else if (kind->needs == DEBYE_LAYER_NEEDS_CELL &&
           (context->source.frame == NULL || !context->source.frame->has_cell))
    lack = "the first frame that is drawn has no cell";
  else if (kind->needs == DEBYE_LAYER_NEEDS_MAP && context->source.map == NULL)
    lack = "there is no map; name one by --map";
  else if (!needs_atoms(kind) && self->subject != NULL)
    lack = "this kind of layer has no atoms: leave out what stands before the colon";
  if (lack != NULL)
    debye_error_set(error, DEBYE_ERROR_MISSING, "“%s”: %s", self->text, lack);
  return lack == NULL;
}

static gboolean
add_layer(const DebyeLayerText *self, const DebyeLayerKind *kind, const DebyeLayerTextContext *context,
          GPtrArray *layers, GError **error)
{
  g_autoptr(GError) reason = NULL;
  if (!check_kind(self, kind, context, error))
    return FALSE;
  g_autoptr(GArray) atoms = choose_atoms(self, context, &reason);
  if (reason != NULL) {
    g_propagate_error(error, g_steal_pointer(&reason));
    debye_error_prefix(error, "“%s”: ", self->text);
    return FALSE;
  }
  DebyeLayer *layer = debye_scene_builder_layer(kind, &context->source,
                                                atoms != NULL ? (const guint32 *)(gpointer)atoms->data : NULL,
                                                atoms != NULL ? atoms->len : 0);
  if (self->subject != NULL)
    debye_layer_set_selection(layer, self->subject);
  g_ptr_array_add(layers, layer);
  return TRUE;
}

static void
name_layers(GPtrArray *layers, const DebyeLayerText *self)
{
  for (guint i = 0; i < layers->len; i++) {
    DebyeLayer *layer = layers->pdata[i];
    const gboolean is_named = debye_layer_kind_of(layer)->get_name != NULL;
    if (is_named)
      debye_scene_builder_name(layer);
    else if (debye_layer_get_name_number(layer) == 1 && self->subject != NULL)
      debye_layer_set_name(layer, self->subject);
  }
}

GPtrArray *
debye_layer_text_build(const DebyeLayerText *self, const DebyeLayerTextContext *context, GError **error)
{
  g_autoptr(GPtrArray) layers = g_ptr_array_new_with_free_func(g_object_unref);
  const DebyeLayerKind *kind = debye_layer_text_find_kind(self);
  if (kind == NULL && !has_labels(self)) {
    g_autofree char *kinds = list_kinds();
    debye_error_set(error, DEBYE_ERROR_SETTING,
                    "“%s”: expected a style or a kind of layer, found none; possible: %s", self->text, kinds);
    return NULL;
  }
  if ((kind != NULL && !add_layer(self, kind, context, layers, error)) ||
      (has_labels(self) && !add_layer(self, &debye_label_layer_kind, context, layers, error)) ||
      !apply_items(self, layers, context, error))
    return NULL;
  name_layers(layers, self);
  return g_steal_pointer(&layers);
}
