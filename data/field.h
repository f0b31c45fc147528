/* SPDX-License-Identifier: MIT */
/* A scalar field on a regular grid: a map. Immutable, float values, x fastest. */
#pragma once

#include <gio/gio.h>

#include "geometry.h"

G_BEGIN_DECLS

#define DEBYE_TYPE_FIELD (debye_field_get_type())
G_DECLARE_FINAL_TYPE(DebyeField, debye_field, DEBYE, FIELD, GObject)

/* `values` holds debye_grid_n_points(grid) floats. `unit` as it is printed: "kT/e", "V" … */
DebyeField *debye_field_new(const char *name, const DebyeGrid *grid, GBytes *values, const char *unit);
DebyeField *debye_field_new_take(const char *name, const DebyeGrid *grid, float *values, const char *unit);

const char *debye_field_get_name(DebyeField *self);
const char *debye_field_get_unit(DebyeField *self);
const DebyeGrid *debye_field_get_grid(DebyeField *self);
const float *debye_field_get_values(DebyeField *self);
/* A field whose values beyond z plane `n_planes` are not computed yet (NAN there) shows this as FALSE. */
gsize debye_field_get_n_finite(DebyeField *self);

/* Of the finite values; 0 with none. */
typedef struct {
  double minimum, maximum, mean, rms;
} DebyeFieldStatistics;
void debye_field_get_statistics(DebyeField *self, DebyeFieldStatistics *statistics);
/* The value below which `fraction` of the finite values lie (from a histogram: exact to 1/65,536 of the range). */
double debye_field_get_percentile(DebyeField *self, double fraction);
/* Trilinear, at a point in Å; NAN outside the grid. */
double debye_field_sample(DebyeField *self, DebyeVec3 point);

/* Files by ending: .dx .cube .ccp4/.mrc .h5. Read by content. */
DebyeField *debye_field_load(const char *path, GError **error);
gboolean debye_field_save_dx(DebyeField *self, GOutputStream *stream, GError **error);
gboolean debye_field_save_cube(DebyeField *self, GOutputStream *stream, GError **error);
gboolean debye_field_save_ccp4(DebyeField *self, GOutputStream *stream, GError **error);

G_END_DECLS
