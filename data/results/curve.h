/* SPDX-License-Identifier: MIT */
/* A curve: y over x with, where it is known, the standard error of y; an array over one axis. A y that is not
 * finite is a gap. */
#pragma once

#include "array.h"
#include "data/files/input.h"

/* How it is meant to be drawn. */
typedef enum {
  DEBYE_CURVE_LINE,    /* errors are a band about it */
  DEBYE_CURVE_STEPS,   /* a histogram: each value holds half-way to its neighbours */
  DEBYE_CURVE_MARKERS, /* measured points, errors as bars */
  DEBYE_CURVE_BAND,    /* only the range from y − error to y + error */
} DebyeCurveStyle;

typedef DebyeArray DebyeCurve;
G_DEFINE_AUTOPTR_CLEANUP_FUNC(DebyeCurve, g_object_unref)
#define DEBYE_TYPE_CURVE DEBYE_TYPE_ARRAY
#define DEBYE_IS_CURVE(object) debye_array_has_axes(object, 1)

/* `name` is what a legend says, e.g. "O–H"; `errors` may be NULL. The values are copied. */
DebyeCurve *debye_curve_new(const char *name, const DebyeQuantity *x, const DebyeQuantity *y,
                            DebyeCurveStyle style, gsize n, const double *x_values, const double *y_values,
                            const double *errors);
/* Shares the memory: each holds as many doubles as the others; `errors` may be NULL. */
DebyeCurve *debye_curve_new_for_bytes(const char *name, const DebyeQuantity *x, const DebyeQuantity *y,
                                      DebyeCurveStyle style, GBytes *x_values, GBytes *y_values,
                                      GBytes *errors);

#define debye_curve_get_name(curve) (debye_array_get_content(curve)->name)
/* The name before it was fitted; NULL: it was not. */
#define debye_curve_get_unfitted_name(curve) \
  (debye_array_get_content(curve)->attributes[DEBYE_ARRAY_UNFITTED])
/* The name of the curve that it is another quantity of, see curve_of.h; NULL: of none. */
#define debye_curve_get_of(curve) (debye_array_get_content(curve)->attributes[DEBYE_ARRAY_OF])
/* The maker says so before it hands the curve over. */
void debye_curve_set_of(DebyeCurve *self, const char *name);
/* Whether its name says which quantity it is, "X-rays, F(q)", so that nobody needs to add that. */
gboolean debye_curve_names_quantity(DebyeCurve *self);
void debye_curve_set_names_quantity(DebyeCurve *self, gboolean names);
#define debye_curve_get_x_quantity(curve) (&debye_array_get_content(curve)->axes[0].quantity)
#define debye_curve_get_y_quantity(curve) (&debye_array_get_content(curve)->quantity)
#define debye_curve_get_n_points(curve) debye_array_get_length(curve, 0)
#define debye_curve_get_x(curve) debye_array_get_axis(curve, 0)
#define debye_curve_get_y(curve) debye_array_get_values(curve)
#define debye_curve_get_errors(curve) debye_array_get_errors(curve) /* NULL: not known */
/* The standard deviation of x at each point, which the instrument blurs y with; NULL: not known. */
#define debye_curve_get_resolution(curve) debye_array_get_resolution(curve)
#define debye_curve_is_ordered(curve) debye_array_is_ordered(curve) /* can be searched by x */
#define debye_curve_get_warnings(curve) debye_array_get_warnings(curve)
DebyeCurveStyle debye_curve_get_style(DebyeCurve *self);

/* The same curve under another name, or drawn otherwise; shares the values. */
DebyeCurve *debye_curve_with_name(DebyeCurve *self, const char *name);
/* Under a name that says how it was fitted: it is known by the one before, too. */
DebyeCurve *debye_curve_with_fit(DebyeCurve *self, const char *name);
DebyeCurve *debye_curve_with_style(DebyeCurve *self, DebyeCurveStyle style);
/* The curve with x in another unit (nm⁻¹ to Å⁻¹); NULL where x can't be given in it. */
DebyeCurve *debye_curve_with_x_unit(DebyeCurve *self, const char *unit);
/* What its x are called and measured in, where a person knows that better than the file; no number changes. */
DebyeCurve *debye_curve_with_x_quantity(DebyeCurve *self, const char *name, const char *unit);

/* Which columns of a text file hold what, counted from 1; 0: none does. */
typedef struct {
  int x, y, error, resolution;
} DebyeCurveColumns;

/* A measured curve from a file, whose content decides how it is read: NXcanSAS and results of this program (HDF5), canSAS
 * XML, the output of GNOM (ATSAS), and any text with rows of x, y and, where there is a third column, the error of y,
 * split by commas, semicolons, tabs or blanks, with decimal points or (unless commas split the columns) commas, which
 * must not be what "1,234" leaves open in every number; comments begin with #, %, ! or //. Text before the first row of
 * numbers is a header; its last line names the columns where it has as many words: "q (1/nm), I(q), sigma". Where it
 * doesn't, a unit of q that the text around the rows mentions is x's, if it is the only one. A column that is named as
 * the resolution is read as such. A file of this program is read by the names of its columns. Further columns are left
 * out, with a warning. Lines “key: value” after the rows are notes of the program that wrote them. */
DebyeCurve *debye_curve_load(const char *path, GError **error);
/* The same with columns that a person named, of a text file. */
DebyeCurve *debye_curve_load_columns(const char *path, const DebyeCurveColumns *columns, GError **error);
/* The same where a file is large or its disk slow: `progress` is told of it and may stop it, see input.h. */
DebyeCurve *debye_curve_load_watched(const char *path, DebyeProgressFunc progress, gpointer data,
                                     GError **error);
