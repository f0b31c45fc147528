/* SPDX-License-Identifier: MIT */
/* Values over one, two or three axes: what curves, matrices and maps are made of, and what files of results hold.
 * Immutable once handed over; whoever makes one copies no values. */
#pragma once

#include <gio/gio.h>

#include "quantity.h"

#define DEBYE_ARRAY_AXES 3 /* at most */

/* Texts that stand beside the values in a file, by the names of debye_array_attributes. */
typedef enum {
  DEBYE_ARRAY_STYLE,    /* of a curve: how it is drawn */
  DEBYE_ARRAY_MEDIUM,   /* of a potential: what lies between its charges */
  DEBYE_ARRAY_UNFITTED, /* of a curve that was fitted, whose name says how: the name before */
  DEBYE_ARRAY_KIND,     /* of a map: what it is of, unless its name says that already */
  DEBYE_ARRAY_OF,       /* of a curve: the one that it is another quantity of, by name */
  DEBYE_ARRAY_NAMING,   /* of a curve: whether its name says which quantity it is */
  DEBYE_ARRAY_N_ATTRIBUTES
} DebyeArrayAttribute;
extern const char *const debye_array_attributes[DEBYE_ARRAY_N_ATTRIBUTES];

typedef struct {
  DebyeQuantity quantity;
  GBytes *values; /* doubles */
} DebyeAxis;

/* What an array is made of. */
typedef struct {
  const char *name; /* what a legend says; NULL: "" */
  guint n_axes;
  DebyeAxis axes[DEBYE_ARRAY_AXES]; /* the last is fastest */
  DebyeQuantity quantity;
  GBytes *values;     /* doubles, of maps floats: one for each place; not finite: not there */
  GBytes *errors;     /* doubles, as many: standard errors; NULL: not known */
  GBytes *resolution; /* of a curve: doubles, as many: standard deviations of x; NULL: not known */
  const char *attributes[DEBYE_ARRAY_N_ATTRIBUTES]; /* NULL: none */
} DebyeArrayContent;

/* Of one whose parts all are its own. */
void debye_array_content_clear(DebyeArrayContent *content);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(DebyeArrayContent, debye_array_content_clear)

#define DEBYE_TYPE_ARRAY (debye_array_get_type())
G_DECLARE_DERIVABLE_TYPE(DebyeArray, debye_array, DEBYE, ARRAY, GObject)

struct _DebyeArrayClass {
  GObjectClass parent_class;
};

/* Texts are copied and made valid UTF-8, bytes shared. */
DebyeArray *debye_array_new(const DebyeArrayContent *content);

/* As it was given, with nothing NULL but errors, resolution and attributes. */
const DebyeArrayContent *debye_array_get_content(DebyeArray *self);
gsize debye_array_get_length(DebyeArray *self, guint axis);
gsize debye_array_get_n_values(DebyeArray *self);
const double *debye_array_get_axis(DebyeArray *self, guint axis);
const double *debye_array_get_values(DebyeArray *self);     /* not of a map */
const double *debye_array_get_errors(DebyeArray *self);     /* NULL: not known */
const double *debye_array_get_resolution(DebyeArray *self); /* NULL: not known */
/* Whether each value of the first axis is at least the one before it, and finite: it can be searched. */
gboolean debye_array_is_ordered(DebyeArray *self);

/* Of anything: whether it is an array over so many axes. */
gboolean debye_array_has_axes(gpointer object, guint n_axes);

/* What a reader wants said about it, one sentence each; NULL-terminated, never NULL. */
const char *const *debye_array_get_warnings(DebyeArray *self);
