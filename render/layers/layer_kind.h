/* SPDX-License-Identifier: MIT */
/* What a kind of layer is, written once, beside the layer: its key in sessions, its title, what its layers are
 * made of, and a table of what can be set of them. The rows of the window, its menu "Add layer", the names of
 * undo steps, the options of debye-cli render (and so the keys of scene files) and what sessions know of a
 * layer all come from it. Texts are English, translated where they are shown. */
#pragma once

#include "camera.h"
#include "data/molecule/frame.h"
#include "data/molecule/topology.h"
#include "data/results/field.h"
#include "data/settings/setting.h"

typedef struct _DebyeLayer DebyeLayer; /* layer.h */

typedef enum {
  DEBYE_LAYER_NEEDS_NOTHING,
  DEBYE_LAYER_NEEDS_ATOMS,
  DEBYE_LAYER_NEEDS_MEASURED_ATOMS, /* two to four, in their order */
  DEBYE_LAYER_NEEDS_FRAMES,         /* several, to be of use */
  DEBYE_LAYER_NEEDS_CELL,
  DEBYE_LAYER_NEEDS_MAP,
  DEBYE_LAYER_NEEDS_LINES,
} DebyeLayerNeeds;

/* What one layer is made of; each only where its kind needs it. Nothing of it changes any more, so it may go
 * to another thread. */
typedef struct {
  DebyeTopology *topology;
  DebyeFrame *frame;
  guint32 *atoms; /* NULL: all */
  gsize n_atoms;
  char *selection; /* the text that chose them; NULL: none */
  DebyeField *field;
  DebyeCell cell;
  DebyeVec3 cell_origin;
  float *line_ends; /* of lines, see pair_layer.h */
  gsize n_lines;
} DebyeLayerContents;

void debye_layer_contents_clear(DebyeLayerContents *contents);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(DebyeLayerContents, debye_layer_contents_clear)

/* The selection of what a new layer is mostly for. */
#define DEBYE_LAYER_SOLUTE "not (water or ion)"
/* Without cryoprotectants, precipitants and buffers as well: data/molecule/solute.h. */
#define DEBYE_LAYER_BARE_SOLUTE "solute"

/* One thing that can be set of a layer. The type of the property decides the control: a slider for a double, a
 * drop down for an int with choices, a spin button for one without, a switch, an entry for a text or for atoms
 * ("choice"), a button for a colour (uint); a uint that can only be read is a number of atoms, to be shown.
 * "color-field" stands for the choice among colourings and maps, "minimum" for both limits of the colours. */
typedef struct {
  const char *property;       /* NULL: an option alone */
  const char *label;          /* of its row and of undo; NULL: it has no row */
  const char *name;           /* for who hears the window; NULL: the label */
  const char *tooltip;        /* NULL: none */
  const char *unit;           /* NULL: none */
  double low, high;           /* ends of a slider; both 0: those of the property */
  const DebyeChoice *choices; /* in the order of the property's values; further ones aren't values of it */
  const char *needs;          /* a property without which it counts for nothing; NULL: it always counts */
  guint needed; /* of that property's choices, a bit for each with which it counts; 0: all but the first */
  const char *shown_with; /* a boolean property without which it has no row; NULL: it always has */
  const char *earlier;    /* its property's name in sessions of the first versions; NULL: the same */
  /* The property is made from here: a double, int or boolean in this member of the layer's struct; or, without a
   * type, a number that the mesh of a DebyeMoleculeMeshLayer depends on. All 0: the class makes the property. */
  GType type;
  gsize member;
  struct {
    double minimum, maximum, initial;
  } range;
  /* Ends and unit of a slider that depend on the layer's map; NULL: those above. */
  void (*get_range)(DebyeLayer *layer, double *low, double *high, const char **unit);

  /* Of debye-cli render; without a key: none. Label, unit and choices are those above, or the kind's title, unless it
   * has its own. Kinds may share one: what the first of them says counts, others give its key alone and take it where it is
   * given. */
  DebyeSetting option;
  gboolean adds; /* given (or true), the option adds a layer, or one for each of its values */
  /* Takes the option's text where its form is its own. FALSE with DEBYE_ERROR_SETTING, beginning with
   * "expected"; or with another error where the text is understood. NULL: it is a value of the property. */
  gboolean (*parse)(DebyeLayer *layer, const char *text, GError **error);
} DebyeLayerSetting;

typedef struct {
  const char *key;   /* in sessions; the window's action is add-KEY; NULL: not kept, nor added by hand */
  const char *title; /* in the menu; the name of a new layer */
  guint section;     /* of the menu "Add layer", from 1; 0: it is not there */
  DebyeLayerNeeds needs;
  const char *atoms;       /* the selection that a new layer shows; NULL: all */
  const char *other_atoms; /* the selection in its place where that chooses none; NULL: there is no other */
  gboolean may_show_none;  /* where these choose none; FALSE: then all */
  const char *const *gone; /* properties that sessions of the first versions have, NULL-terminated; or NULL */
  const DebyeLayerSetting *settings;
  gsize n_settings;
  gpointer (*create)(const DebyeLayerContents *contents);
  /* Makes a layer that a person adds look as it should; `camera` is where it is seen from, `map` the newest
   * one, NULL: none. FALSE: there is nothing to be seen of it. NULL: as it was created. */
  gboolean (*begin)(DebyeLayer *layer, const DebyeCamera *camera, DebyeField *map);
  /* The name that follows from what it shows. NULL: the title. */
  char *(*get_name)(DebyeLayer *layer);
  /* Whether a layer of a session from before layers knew whether they have names of their own has one of get_name(), perhaps as
   * earlier versions wrote it. NULL: as it is written now. */
  gboolean (*had_name)(DebyeLayer *layer);
  /* The name in the user's language where that is made of what the layer shows. NULL: its words are translated. */
  char *(*get_title)(DebyeLayer *layer);
} DebyeLayerKind;

const DebyeLayerSetting *debye_layer_kind_find_setting(const DebyeLayerKind *kind, const char *property);
/* What a property of a layer is called, for undo; NULL: nothing. */
const char *debye_layer_kind_get_label(const DebyeLayerKind *kind, const char *property);
