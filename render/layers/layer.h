/* SPDX-License-Identifier: MIT */
/* One thing that is drawn: atoms, an isosurface, a slice, the box. A layer holds what to draw (on the main
 * thread, no GL needed) and, apart from it, what it made in the current GL context, which can be lost and
 * rebuilt at any time.
 *
 * Properties, for rows to bind to: "visible" boolean, "name" string, "opacity" double 0 … 1, "legend" int
 * (DebyeLegendShown), "cut" boolean (the clipping plane cuts it). Signals:
 * "changed": draw again; "edit" (name of a property): a person is about to change it. */
#pragma once

#include <cairo.h>
#include <epoxy/gl.h>
#include <glib-object.h>

#include "layer_kind.h"
#include "render/gl/gl_program.h"
#include "render/gl/seen_blocks.h"
#include "share.h"

#define DEBYE_TYPE_LAYER (debye_layer_get_type())
G_DECLARE_DERIVABLE_TYPE(DebyeLayer, debye_layer, DEBYE, LAYER, GObject)

/* The passes of a picture, in order. */
typedef enum {
  DEBYE_PASS_OPAQUE,
  DEBYE_PASS_TRANSPARENT, /* several times, a depth layer each: see renderer.c */
  DEBYE_PASS_OVERLAY,     /* text and scale, in pixels */
} DebyePass;

/* What the limits of a layer's colours are. */
typedef enum {
  DEBYE_LIMITS_UNKNOWN, /* they wait for the values that they shall follow, or there are none */
  DEBYE_LIMITS_FOLLOW,  /* those of the values */
  DEBYE_LIMITS_SET,
} DebyeLimitsState;
/* Whether a layer has a legend of its colours: the values of "legend". */
typedef enum {
  DEBYE_LEGEND_USUAL, /* of values and chains: colours that nobody knows by heart */
  DEBYE_LEGEND_SHOWN, /* of elements, types of residues, structure and one colour, too */
  DEBYE_LEGEND_HIDDEN,
} DebyeLegendShown;

typedef struct _DebyeScene DebyeScene;
typedef struct _DebyeShownAtoms DebyeShownAtoms; /* shown_atoms.h */

/* What a layer gets to draw with. */
typedef struct {
  mat4 view, projection;
  int width, height; /* pixels */
  float scale;       /* device pixels a logical pixel: line widths, text */
  gboolean coarse;   /* the picture must be quick: fewer triangles will do */
  DebyeShare share;  /* of the layer's primitives; from 0: what can't be divided is drawn, too */
  float background[3];
  float depth_cue;           /* 0 … 1 */
  float view_near, view_far; /* Å, for depth cueing */
  gboolean orthographic;
  float pixels_per_angstrom; /* at unit distance; orthographic: anywhere */
  DebyeSeenBlocks *seen;     /* whom to ask which blocks to draw; NULL: all */
  const char *options;       /* of every program in this pass: see gl_program.h */
  DebyePrograms *programs;
} DebyeDrawContext;

/* The nearest thing under the pointer. */
typedef struct {
  DebyeLayer *layer; /* borrowed; NULL: nothing */
  gint64 atom;       /* −1: none */
  DebyeVec3 point;   /* Å */
  double value;      /* of a field there; NAN: none */
  double depth;      /* along the ray: smaller is nearer */
} DebyePick;

/* A text at a place of the scene, drawn over the picture. */
typedef struct {
  char *text;
  DebyeVec3 place;     /* Å */
  gboolean has_leader; /* stands aside, with a line to its place */
} DebyeLabel;

struct _DebyeLayerClass {
  GObjectClass parent_class;
  const DebyeLayerKind *kind;
  /* All optional. draw and release run with the GL context current. */
  void (*draw)(DebyeLayer *self, const DebyeDrawContext *context, DebyePass pass);
  /* Deletes GL objects, or, where the context is gone already, forgets them. */
  void (*release)(DebyeLayer *self, gboolean context_lost);
  gboolean (*get_bounds)(DebyeLayer *self, DebyeVec3 *low, DebyeVec3 *high);
  /* Raises each support to the largest product of its direction with a point of the layer: tighter than the
   * corners of its bounds, which are taken where this is left out. */
  void (*extend_supports)(DebyeLayer *self, const DebyeVec3 *directions, double *supports);
  /* A ray from `origin` along the unit vector `direction`, Å. TRUE where hit nearer than pick->depth. */
  gboolean (*pick)(DebyeLayer *self, DebyeVec3 origin, DebyeVec3 direction, DebyePick *pick);
  /* Legend: drawn at (0, 0) in logical pixels in the given text colour (overlay_text.h); gives the size used. NULL cr: only
   * measure. */
  void (*draw_legend)(DebyeLayer *self, cairo_t *cr, const double text_color[4], double *width,
                      double *height);
  /* What the legend shows, as a text: of layers with equal keys one legend is drawn. Left out: each has its
   * own. */
  char *(*get_legend_key)(DebyeLayer *self);
  /* A line that stands once below all legends, whichever of the layers ask for it; NULL: none. Left out: none.
   */
  char *(*get_legend_note)(DebyeLayer *self);
  /* Why the layer can't be coloured by this value of "coloring": what its atoms lack, one sentence to be
   * translated where it is shown; NULL: it can. Left out: it always can. */
  const char *(*find_coloring_lack)(DebyeLayer *self, int coloring);
  /* Texts to draw; the layer's own, until it is asked again. */
  const DebyeLabel *(*get_labels)(DebyeLayer *self, gsize *n_labels);
  /* Part of a scene from now on, on this thread: what its own threads make is taken here. Before, a layer
   * that is built on another thread is that one's alone. */
  void (*join)(DebyeLayer *self);
  /* For a picture, triangles shall have edges no longer than that, Å: their makers are told, settle() waits for them.
   */
  void (*set_longest_edge)(DebyeLayer *self, double longest);
  /* Blocks until work on other threads (a mesh) is in place: for pictures made without a main loop. */
  void (*settle)(DebyeLayer *self);
  /* The atoms that are shown. */
  DebyeShownAtoms *(*get_shown)(DebyeLayer *self);
  /* Fills in references and copies of what else the layer is made of. */
  void (*get_contents)(DebyeLayer *self, DebyeLayerContents *contents);
  /* The atoms and the cell of another frame, which must not be written any more. */
  void (*show_frame)(DebyeLayer *self, DebyeFrame *frame);
  /* The map that is shown, and another in its place. */
  DebyeField *(*get_field)(DebyeLayer *self);
  void (*set_field)(DebyeLayer *self, DebyeField *field);
  /* The map that gives the colours; NULL: none does. */
  DebyeField *(*get_color_field)(DebyeLayer *self);
  /* "minimum" and "maximum" follow that map again. */
  void (*reset_limits)(DebyeLayer *self);
  /* Both are set at once; low must be less than high, or nothing is done. */
  void (*set_limits)(DebyeLayer *self, double low, double high);
  DebyeLimitsState (*get_limits_state)(DebyeLayer *self);
  /* After a property that is made from the kind's settings has changed. */
  void (*setting_changed)(DebyeLayer *self);
};

/* Rows of a kind's settings: the legend of its colours, and whether the clipping plane cuts it. */
extern const DebyeChoice debye_layer_legend_choices[];
#define DEBYE_LAYER_LEGEND_SETTING                                                  \
  .property = "legend", .label = N_("Legend"), .name = N_("Legend of the colours"), \
  .choices = debye_layer_legend_choices
#define DEBYE_LAYER_CUT_SETTING                                                   \
  .property = "cut", .label = N_("Cut"), .name = N_("Cut by the clipping plane"), \
  .tooltip = N_("Whether the clipping plane cuts this layer")

/* For a subclass's class_init: its kind, whose settings that have a member become properties. A subclass with
 * properties of its own passes these on to the two functions below. */
void debye_layer_class_install(DebyeLayerClass *class, const DebyeLayerKind *kind);
void debye_layer_get_member(GObject *object, guint id, GValue *value, GParamSpec *spec);
void debye_layer_set_member(GObject *object, guint id, const GValue *value, GParamSpec *spec);

gboolean debye_layer_get_visible(DebyeLayer *self);
void debye_layer_set_visible(DebyeLayer *self, gboolean visible);
const char *debye_layer_get_name(DebyeLayer *self);
void debye_layer_set_name(DebyeLayer *self, const char *name);
/* Instead, a name that follows from the kind or from what the layer shows; from 2 on the number stands behind it. */
void debye_layer_set_kind_name(DebyeLayer *self, const char *name, guint number);
/* That number, 1 for none; 0: the layer has a name of its own. Copies and sessions set it once the name is set. */
guint debye_layer_get_name_number(DebyeLayer *self);
void debye_layer_set_name_number(DebyeLayer *self, guint number);
/* What the layer was made of, to tell it from others: a file's name. NULL: not told. */
const char *debye_layer_get_source(DebyeLayer *self);
void debye_layer_set_source(DebyeLayer *self, const char *source);
double debye_layer_get_opacity(DebyeLayer *self);
void debye_layer_set_opacity(DebyeLayer *self, double opacity);
/* As set; of one that is left to the program, DEBYE_LEGEND_SHOWN where all colours are explained. */
DebyeLegendShown debye_layer_get_legend(DebyeLayer *self);
/* Whether colour bars of its legend lie on their sides. */
gboolean debye_layer_has_level_bars(DebyeLayer *self);
/* That, and whether colours that are known by heart are explained, too: told
 * by who draws the legend, no change of the layer. */
void debye_layer_set_legend_style(DebyeLayer *self, gboolean has_level_bars, gboolean explains_all);
gboolean debye_layer_get_cut(DebyeLayer *self);
const char *debye_layer_find_coloring_lack(DebyeLayer *self, int coloring); /* see the class */
void debye_layer_changed(DebyeLayer *self);                                 /* emits "changed" */
/* Emits "edit", for those who keep what there was: to be called by controls, before they set the property. */
void debye_layer_edit(DebyeLayer *self, const char *property);
/* By the scene, when it is added. `is_still`: no view moves it, pictures of it are made one at a time. */
void debye_layer_join(DebyeLayer *self, gboolean is_still);
gboolean debye_layer_has_joined(DebyeLayer *self);
gboolean debye_layer_is_still(DebyeLayer *self);
void debye_layer_settle(DebyeLayer *self);
void debye_layer_release(DebyeLayer *self, gboolean context_lost);
/* Molecule, frame, atoms and selection; NULL: it isn't made of atoms. (transfer none) */
const DebyeShownAtoms *debye_layer_get_shown(DebyeLayer *self);
/* The text that chose the atoms, for rows to show and for a frame that makes a new choice; NULL: all. Only kept. */
void debye_layer_set_selection(DebyeLayer *self, const char *text);
/* Atoms, ascending but for measured ones, and the selection that chose them: the property "choice". NULL: all. */
void debye_layer_choose(DebyeLayer *self, const char *selection, const guint32 *atoms, gsize n_atoms);
/* Shows another frame. FALSE: the layer has nothing to do with frames. */
gboolean debye_layer_show_frame(DebyeLayer *self, DebyeFrame *frame);
/* NULL: it shows no map. (transfer none) */
DebyeField *debye_layer_get_field(DebyeLayer *self);
void debye_layer_set_field(DebyeLayer *self, DebyeField *field);
/* NULL: no map colours it. (transfer none) */
DebyeField *debye_layer_get_color_field(DebyeLayer *self);
void debye_layer_reset_limits(DebyeLayer *self);
void debye_layer_set_limits(DebyeLayer *self, double minimum, double maximum);
DebyeLimitsState debye_layer_get_limits_state(DebyeLayer *self);
/* The property "shares-limits" boolean: TRUE unless a person wants limits for this layer alone (shared_limits.h). */
gboolean debye_layer_get_shares_limits(DebyeLayer *self);
void debye_layer_set_shares_limits(DebyeLayer *self, gboolean shares);
/* "minimum" and "maximum" stay as they are, whatever map comes: as if a person had set them. */
void debye_layer_hold_limits(DebyeLayer *self);
/* Whether the layer has a property of this name. */
gboolean debye_layer_has(DebyeLayer *self, const char *property);
gboolean debye_layer_is_transparent(DebyeLayer *self); /* drawn in DEBYE_PASS_TRANSPARENT */
gboolean debye_layer_get_bounds(DebyeLayer *self, DebyeVec3 *low, DebyeVec3 *high);

/* For subclasses: sets one of their fields, tells its property and draws again. FALSE where it had that value
 * already. */
gboolean debye_layer_take_double(DebyeLayer *self, double *field, double value, const char *property);
gboolean debye_layer_take_int(DebyeLayer *self, int *field, int value, const char *property);
