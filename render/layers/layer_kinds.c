/* SPDX-License-Identifier: MIT */
/* The list of kinds of layers, and what is done with every kind alike; used wherever layers are listed, made,
 * saved or set. */
#include "layer_kinds.h"

#include <stdlib.h>
#include <string.h>

#include "mesh_layer.h"
#include "shown_atoms.h"

/* In the order of menus. Each is debye_NAME_layer_kind of its NAME_layer.c. */
#define DEBYE_LAYER_KINDS(X) \
  X(molecule)                \
  X(cartoon)                 \
  X(molecular_surface)       \
  X(isosurface)              \
  X(slice)                   \
  X(box)                     \
  X(hydrogen_bond)           \
  X(bin)                     \
  X(label)                   \
  X(clip)                    \
  X(alignment)               \
  X(measurement)             \
  X(pair)

#define DEBYE_LAYER_KIND_DECLARE(name) extern const DebyeLayerKind debye_##name##_layer_kind;
#define DEBYE_LAYER_KIND_ADDRESS(name) &debye_##name##_layer_kind,

DEBYE_LAYER_KINDS(DEBYE_LAYER_KIND_DECLARE)

static const DebyeLayerKind *const built_in[] = {DEBYE_LAYER_KINDS(DEBYE_LAYER_KIND_ADDRESS) NULL};

/* NULL until a test adds a kind. */
static GPtrArray *with_registered;

const DebyeLayerKind *const *
debye_layer_kinds(void)
{
  return with_registered ? (const DebyeLayerKind *const *)with_registered->pdata : built_in;
}

void
debye_layer_kind_register(const DebyeLayerKind *kind)
{
  if (!with_registered) {
    with_registered = g_ptr_array_new();
    for (gsize i = 0; i < G_N_ELEMENTS(built_in); i++)
      g_ptr_array_add(with_registered, (gpointer)built_in[i]);
  }
  g_ptr_array_insert(with_registered, (int)with_registered->len - 1, (gpointer)kind);
}

const DebyeLayerKind *
debye_layer_kind_of(DebyeLayer *layer)
{
  return DEBYE_LAYER_GET_CLASS(layer)->kind;
}

const DebyeLayerKind *
debye_layer_kind_find(const char *key)
{
  const DebyeLayerKind *const *kind = debye_layer_kinds();
  while (*kind && (!key || g_strcmp0((*kind)->key, key) != 0))
    kind++;
  return *kind;
}

static gboolean
is_of_atoms(const DebyeLayerKind *kind)
{
  return kind->needs == DEBYE_LAYER_NEEDS_ATOMS || kind->needs == DEBYE_LAYER_NEEDS_MEASURED_ATOMS;
}

DebyeLayer *
debye_layer_kind_create(const DebyeLayerKind *kind, const DebyeLayerContents *contents)
{
  DebyeLayer *layer = kind->create(contents);
  if (is_of_atoms(kind) && (contents->atoms || contents->selection))
    debye_layer_choose(layer, contents->selection, contents->atoms, contents->n_atoms);
  if (is_of_atoms(kind) && contents->frame)
    debye_layer_show_frame(layer, contents->frame);
  return layer;
}

/* Never NULL, which would mean all. */
static guint32 *
copy_atoms(const guint32 *atoms, gsize n_atoms)
{
  guint32 *copy = g_new(guint32, n_atoms + 1);
  memcpy(copy, atoms, n_atoms * sizeof *copy);
  return copy;
}

static void
take_shown(DebyeLayerContents *contents, const DebyeShownAtoms *shown)
{
  const DebyeAtomSet set = debye_shown_atoms_get(shown);
  contents->topology = g_object_ref(shown->topology);
  contents->frame = shown->frame ? debye_frame_ref(shown->frame) : NULL;
  contents->n_atoms = set.n_atoms;
  contents->atoms = set.atoms ? copy_atoms(set.atoms, set.n_atoms) : NULL;
  contents->selection = g_strdup(shown->selection);
}

void
debye_layer_contents_init(DebyeLayerContents *contents, DebyeLayer *layer)
{
  DebyeLayerClass *class = DEBYE_LAYER_GET_CLASS(layer);
  const DebyeShownAtoms *shown = debye_layer_get_shown(layer);
  *contents = (DebyeLayerContents){.field = debye_layer_get_field(layer)};
  if (contents->field)
    g_object_ref(contents->field);
  if (shown)
    take_shown(contents, shown);
  if (class->get_contents)
    class->get_contents(layer, contents);
}

/* Limits of colours that no map gives would count as set by hand. */
static gboolean
is_idle(DebyeLayer *layer, const GParamSpec *spec)
{
  return (g_str_equal(spec->name, "minimum") || g_str_equal(spec->name, "maximum")) &&
         DEBYE_IS_MESH_LAYER(layer) && !debye_mesh_layer_get_color_field(DEBYE_MESH_LAYER(layer));
}

/* Of layers that have no limits at all. */
static gboolean
is_without_limits(DebyeLayer *layer, const GParamSpec *spec)
{
  return g_str_equal(spec->name, "shares-limits") && !debye_layer_has(layer, "minimum");
}

/* A choice of atoms is no value of its own: the atoms are contents, the selection is kept as text. */
gboolean
debye_layer_keeps(DebyeLayer *layer, const GParamSpec *spec)
{
  return (spec->flags & G_PARAM_READWRITE) == G_PARAM_READWRITE &&
         (spec->flags & G_PARAM_CONSTRUCT_ONLY) == 0 && spec->value_type != G_TYPE_VARIANT &&
         !is_idle(layer, spec) && !is_without_limits(layer, spec);
}

static gboolean
is_taken(GListModel *others, DebyeLayer *layer, const char *name)
{
  for (guint i = 0; i < g_list_model_get_n_items(others); i++) {
    g_autoptr(DebyeLayer) other = g_list_model_get_item(others, i);
    if (other != layer && g_strcmp0(debye_layer_get_name(other), name) == 0 &&
        g_strcmp0(debye_layer_get_source(other), debye_layer_get_source(layer)) == 0)
      return TRUE;
  }
  return FALSE;
}

/* Names with a level or a distance change with it. */
void
debye_layer_kind_tell_apart(DebyeLayer *layer, GListModel *others)
{
  const DebyeLayerKind *kind = debye_layer_kind_of(layer);
  if (kind == NULL || kind->get_name != NULL || debye_layer_get_name_number(layer) == 0)
    return;
  for (guint number = debye_layer_get_name_number(layer);
       is_taken(others, layer, debye_layer_get_name(layer)); number++)
    debye_layer_set_kind_name(layer, kind->title, number);
}

/* 2 of "Slice 2"; 0: it is no such name. */
static guint
find_number(const char *name, const char *title)
{
  const char *digits = g_str_has_prefix(name, title) ? name + strlen(title) : "";
  return *digits == ' ' && digits[1 + strspn(digits + 1, "0123456789")] == '\0'
             ? (guint)strtoul(digits + 1, NULL, 10)
             : 0;
}

void
debye_layer_kind_recognise_name(DebyeLayer *layer)
{
  const DebyeLayerKind *kind = debye_layer_kind_of(layer);
  g_autofree char *made = kind->get_name != NULL ? kind->get_name(layer) : NULL;
  const char *name = debye_layer_get_name(layer);
  const guint number = find_number(name, kind->title);
  if (kind->had_name != NULL ? kind->had_name(layer) : g_str_equal(name, made != NULL ? made : kind->title))
    debye_layer_set_name_number(layer, 1);
  else if (kind->get_name == NULL && number > 1)
    debye_layer_set_name_number(layer, number);
}
