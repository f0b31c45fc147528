/* SPDX-License-Identifier: MIT */
/* The layer of labels: texts at the atoms of a frame. */
#include "label_layer.h"

#include <glib/gi18n.h>
#include <string.h>

#include "data/files/error.h"
#include "data/molecule/periodic.h"
#include "layer.h"
#include "shown_atoms.h"

struct _DebyeLabelLayer {
  DebyeLayer parent;
  DebyeShownAtoms shown; /* those that are chosen: never all */
  int content;
  char *text; /* one's own */
  gboolean leaders;
  GArray *labels;  /* DebyeLabel */
  GArray *holders; /* guint32: the atom of each label */
  gboolean is_old; /* the labels are not those of the atoms */
};

G_DEFINE_FINAL_TYPE(DebyeLabelLayer, debye_label_layer, DEBYE_TYPE_LAYER)

enum { PROP_CHOICE = 1, PROP_TEXT, PROP_HAS_OWN_TEXT };

/* What stands for something of the residue in one's own text. */
static const char *const placeholders[] = {"{residue}", "{number}", "{chain}", "{atom}"};

static void
label_clear(gpointer data)
{
  g_free(((DebyeLabel *)data)->text);
}

static const char *
code_text(DebyeLabelLayer *self, guint32 code)
{
  return debye_string_pool_get(debye_topology_get_string_pool(self->shown.topology), code);
}

static const DebyeResidue *
residue_of(DebyeLabelLayer *self, guint32 atom)
{
  return &debye_topology_get_residue_table(
      self->shown.topology)[debye_topology_get_residues(self->shown.topology)[atom]];
}

static gboolean
has_placeholder(const DebyeLabelLayer *self)
{
  for (gsize i = 0; i < G_N_ELEMENTS(placeholders); i++)
    if (strstr(self->text, placeholders[i]))
      return TRUE;
  return FALSE;
}

static char *
fill_placeholders(DebyeLabelLayer *self, guint32 atom)
{
  const DebyeResidue *residue = residue_of(self, atom);
  GString *text = g_string_new(self->text);
  g_autofree char *number = g_strdup_printf("%d", residue->number);
  const char *const values[] = {code_text(self, residue->name), number, code_text(self, residue->chain),
                                code_text(self, debye_topology_get_names(self->shown.topology)[atom])};
  for (gsize i = 0; i < G_N_ELEMENTS(placeholders); i++)
    g_string_replace(text, placeholders[i], values[i], 0);
  return g_string_free(text, FALSE);
}

static char *
text_of(DebyeLabelLayer *self, guint32 atom)
{
  const DebyeResidue *residue = residue_of(self, atom);
  if (self->content == DEBYE_LABEL_TEXT)
    return fill_placeholders(self, atom);
  if (self->content == DEBYE_LABEL_INDEX)
    return g_strdup_printf("%u", atom);
  if (self->content == DEBYE_LABEL_ATOM)
    return g_strdup(code_text(self, debye_topology_get_names(self->shown.topology)[atom]));
  char insertion[2] = {residue->insertion_code, '\0'};
  return g_strdup_printf("%s %d%s", code_text(self, residue->name), residue->number, insertion);
}

static gboolean
is_trace(DebyeLabelLayer *self, guint32 atom)
{
  const char *name = code_text(self, debye_topology_get_names(self->shown.topology)[atom]);
  return strcmp(name, "CA") == 0 || strcmp(name, "C3'") == 0;
}

/* Of a residue's chosen atoms the trace, or the first. `next` gets the first atom of another residue. */
static guint32
choose_holder(DebyeLabelLayer *self, guint first, guint *next)
{
  const guint32 *residues = debye_topology_get_residues(self->shown.topology);
  guint32 holder = g_array_index(self->shown.chosen, guint32, first), residue = residues[holder];
  for (*next = first; *next < self->shown.chosen->len; (*next)++) {
    guint32 atom = g_array_index(self->shown.chosen, guint32, *next);
    if (residues[atom] != residue)
      break;
    if (is_trace(self, atom))
      holder = atom;
  }
  return holder;
}

/* One's own text names all that is chosen, unless it has something of each residue. */
static gboolean
is_of_all(const DebyeLabelLayer *self)
{
  return self->content == DEBYE_LABEL_TEXT && !has_placeholder(self);
}

static void
make_labels(DebyeLabelLayer *self)
{
  g_array_set_size(self->labels, 0);
  g_array_set_size(self->holders, 0);
  self->is_old = FALSE;
  if (is_of_all(self)) {
    guint next;
    const guint32 holder = choose_holder(self, 0, &next);
    DebyeLabel label = {.text = g_strdup(self->text)};
    g_array_append_val(self->labels, label);
    if (next == self->shown.chosen->len && is_trace(self, holder))
      g_array_append_val(self->holders, holder);
    return;
  }
  for (guint i = 0, next; i < self->shown.chosen->len && self->labels->len < DEBYE_MAX_LABELS; i = next) {
    guint32 holder = g_array_index(self->shown.chosen, guint32, i);
    next = i + 1;
    if (self->content == DEBYE_LABEL_RESIDUE || self->content == DEBYE_LABEL_TEXT)
      holder = choose_holder(self, i, &next);
    DebyeLabel label = {.text = text_of(self, holder)};
    g_array_append_val(self->labels, label);
    g_array_append_val(self->holders, holder);
  }
}

/* In the middle of what is chosen, unless that is one residue of a chain, whose middle lies beside the cartoon. */
static DebyeVec3
find_middle(const DebyeLabelLayer *self)
{
  DebyeVec3 sum = {0.0, 0.0, 0.0};
  const guint n = self->shown.chosen->len;
  for (guint i = 0; i < n; i++)
    sum = debye_vec3_add(
        sum, debye_frame_get_position(self->shown.frame, g_array_index(self->shown.chosen, guint32, i)));
  return debye_vec3_scale(sum, 1.0 / n);
}

static DebyeVec3
place_of(const DebyeLabelLayer *self, guint number)
{
  return number < self->holders->len
             ? debye_frame_get_position(self->shown.frame, g_array_index(self->holders, guint32, number))
             : find_middle(self);
}

static const DebyeLabel *
debye_label_layer_get_labels(DebyeLayer *layer, gsize *n_labels)
{
  DebyeLabelLayer *self = DEBYE_LABEL_LAYER(layer);
  *n_labels = 0;
  if (!self->shown.frame || self->shown.chosen->len == 0)
    return NULL;
  if (self->is_old)
    make_labels(self);
  for (guint i = 0; i < self->labels->len; i++) {
    DebyeLabel *label = &g_array_index(self->labels, DebyeLabel, i);
    label->place = place_of(self, i);
    label->has_leader = self->leaders;
  }
  *n_labels = self->labels->len;
  return (const DebyeLabel *)(gpointer)self->labels->data;
}

static void
debye_label_layer_change(DebyeLayer *layer)
{
  DEBYE_LABEL_LAYER(layer)->is_old = TRUE;
  g_object_notify(G_OBJECT(layer), "has-own-text");
  debye_layer_changed(layer);
}

static void
set_text(DebyeLabelLayer *self, const char *text)
{
  if (g_strcmp0(self->text, text) == 0)
    return;
  g_free(self->text);
  self->text = g_strdup(text ? text : "");
  debye_label_layer_change(DEBYE_LAYER(self));
  g_object_notify(G_OBJECT(self), "text");
}

/* No atoms where others would show all. */
static void
set_choice(DebyeLabelLayer *self, GVariant *choice)
{
  static const guint32 none[1];
  gsize n_atoms;
  const guint32 *atoms = debye_atom_choice_get_atoms(choice, &n_atoms);
  debye_shown_atoms_set_selection(&self->shown, debye_atom_choice_get_selection(choice));
  debye_shown_atoms_set(&self->shown, atoms ? atoms : none, n_atoms);
  debye_label_layer_change(DEBYE_LAYER(self));
  g_object_notify(G_OBJECT(self), "choice");
}

static void
debye_label_layer_get_property(GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  DebyeLabelLayer *self = DEBYE_LABEL_LAYER(object);
  if (id == PROP_CHOICE)
    g_value_set_variant(value, debye_shown_atoms_create_choice(&self->shown));
  else if (id == PROP_TEXT)
    g_value_set_string(value, self->text);
  else if (id == PROP_HAS_OWN_TEXT)
    g_value_set_boolean(value, self->content == DEBYE_LABEL_TEXT);
  else
    debye_layer_get_member(object, id, value, pspec);
}

static void
debye_label_layer_set_property(GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  DebyeLabelLayer *self = DEBYE_LABEL_LAYER(object);
  if (id == PROP_CHOICE)
    set_choice(self, g_value_get_variant(value));
  else if (id == PROP_TEXT)
    set_text(self, g_value_get_string(value));
  else
    debye_layer_set_member(object, id, value, pspec);
}

static void
debye_label_layer_finalize(GObject *object)
{
  DebyeLabelLayer *self = DEBYE_LABEL_LAYER(object);
  debye_shown_atoms_clear(&self->shown);
  g_array_unref(self->labels);
  g_array_unref(self->holders);
  g_free(self->text);
  G_OBJECT_CLASS(debye_label_layer_parent_class)->finalize(object);
}

static DebyeShownAtoms *
debye_label_layer_get_shown(DebyeLayer *layer)
{
  return &DEBYE_LABEL_LAYER(layer)->shown;
}

static void
debye_label_layer_show_frame(DebyeLayer *layer, DebyeFrame *frame)
{
  if (debye_shown_atoms_set_frame(&DEBYE_LABEL_LAYER(layer)->shown, frame))
    debye_layer_changed(layer);
}

static void
debye_label_layer_class_init(DebyeLabelLayerClass *class)
{
  GObjectClass *object_class = G_OBJECT_CLASS(class);
  object_class->get_property = debye_label_layer_get_property;
  object_class->set_property = debye_label_layer_set_property;
  object_class->finalize = debye_label_layer_finalize;
  debye_layer_class_install(DEBYE_LAYER_CLASS(class), &debye_label_layer_kind);
  DEBYE_LAYER_CLASS(class)->setting_changed = debye_label_layer_change;
  DEBYE_LAYER_CLASS(class)->get_shown = debye_label_layer_get_shown;
  DEBYE_LAYER_CLASS(class)->show_frame = debye_label_layer_show_frame;
  DEBYE_LAYER_CLASS(class)->get_labels = debye_label_layer_get_labels;
  g_object_class_install_property(object_class, PROP_CHOICE, debye_atom_choice_spec());
  g_object_class_install_property(
      object_class, PROP_TEXT,
      g_param_spec_string("text", NULL, NULL, "",
                          G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY));
  g_object_class_install_property(
      object_class, PROP_HAS_OWN_TEXT,
      g_param_spec_boolean("has-own-text", NULL, NULL, FALSE, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS));
}

static void
debye_label_layer_init(DebyeLabelLayer *self)
{
  self->shown.chosen = g_array_new(FALSE, FALSE, sizeof(guint32));
  self->holders = g_array_new(FALSE, FALSE, sizeof(guint32));
  self->text = g_strdup("");
  self->labels = g_array_new(FALSE, FALSE, sizeof(DebyeLabel));
  g_array_set_clear_func(self->labels, label_clear);
}

DebyeLabelLayer *
debye_label_layer_new(DebyeTopology *topology)
{
  DebyeLabelLayer *self = g_object_new(DEBYE_TYPE_LABEL_LAYER, NULL);
  self->shown.topology = g_object_ref(topology);
  return self;
}

/* --- What can be set --- */

static const DebyeChoice contents_of_labels[] = {
    {"residue", N_("Residue"), "residue name and number, once per residue"},
    {"atom", N_("Atom name"), "atom names"},
    {"index", N_("Atom index"), "atom indices from 0"},
    {"text", N_("Own text"), "text of --label-text"},
    {NULL, NULL, NULL},
};

static gboolean
is_placeholder(const char *text, gsize length)
{
  for (gsize i = 0; i < G_N_ELEMENTS(placeholders); i++)
    if (strlen(placeholders[i]) == length && strncmp(placeholders[i], text, length) == 0)
      return TRUE;
  return FALSE;
}

gboolean
debye_label_layer_check_text(const char *text, GError **error)
{
  for (const char *open = strchr(text, '{'); open != NULL; open = strchr(open + 1, '{')) {
    const gsize n_letters = strspn(open + 1, G_CSET_a_2_z G_CSET_A_2_Z);
    if (n_letters == 0 || open[n_letters + 1] != '}' || is_placeholder(open, n_letters + 2))
      continue;
    g_autofree char *found = g_strndup(open, n_letters + 2);
    return debye_error_set(error, DEBYE_ERROR_SETTING,
                           "labels have no “%s”; possible: {residue}, {number}, {chain} and {atom}", found);
  }
  return TRUE;
}

static gboolean
parse_text(DebyeLayer *layer, const char *text, GError **error)
{
  if (!debye_label_layer_check_text(text, error))
    return FALSE;
  g_object_set(layer, "text", text, NULL);
  return TRUE;
}

static const DebyeLayerSetting settings[] = {
    {.property = "content",
     .label = N_("Text"),
     .name = N_("Text of the labels"),
     .choices = contents_of_labels,
     .type = G_TYPE_INT,
     .member = G_STRUCT_OFFSET(DebyeLabelLayer, content),
     .range = {DEBYE_LABEL_RESIDUE, DEBYE_LABEL_TEXT, DEBYE_LABEL_RESIDUE},
     .option = {.key = "labels", .label = "Labels", .help = "text beside the atoms; default: none"},
     .adds = TRUE},
    {.property = "text",
     .label = N_("Own text"),
     .tooltip = N_("One label for all atoms of the layer, or one per residue with {residue}, {number}, "
                   "{chain} or {atom}"),
     .shown_with = "has-own-text",
     .option = {.key = "label-text",
                .label = "Text of labels",
                .kind = DEBYE_SETTING_TEXT,
                .help =
                    "text for --labels text: one label in the middle of the atoms, or one per residue with "
                    "{residue}, {number}, {chain} or {atom}"},
     .parse = parse_text},
    {.property = "leaders",
     .label = N_("Leader lines"),
     .type = G_TYPE_BOOLEAN,
     .member = G_STRUCT_OFFSET(DebyeLabelLayer, leaders),
     .option = {.key = "leaders",
                .label = "Leader lines",
                .kind = DEBYE_SETTING_BOOLEAN,
                .initial = "false",
                .help = "labels beside the molecule, each with a line to its atoms"}},
    {.property = "choice",
     .label = N_("Atoms"),
     .name = N_("Atoms to label"),
     .option = {.key = "label-select",
                .label = "Atoms with labels",
                .kind = DEBYE_SETTING_SELECTION,
                .help = "atoms with labels; default: the drawn atoms, or the solute"}},
};

static gpointer
create(const DebyeLayerContents *contents)
{
  return debye_label_layer_new(contents->topology);
}

const DebyeLayerKind debye_label_layer_kind = {
    .key = "labels",
    .title = N_("Labels"),
    .section = 2,
    .needs = DEBYE_LAYER_NEEDS_ATOMS,
    .atoms = DEBYE_LAYER_SOLUTE,
    .may_show_none = TRUE,
    .settings = settings,
    .n_settings = G_N_ELEMENTS(settings),
    .create = create,
};
