/* SPDX-License-Identifier: MIT */
/* For makers of arrays in this folder, before they hand them over. */
#pragma once

#include "array.h"

DebyeArray *debye_array_new_of_type(GType type, const DebyeArrayContent *content);
void debye_array_set_attribute(DebyeArray *self, DebyeArrayAttribute attribute, const char *text);
/* Of all axes. */
void debye_array_set_axis_unit(DebyeArray *self, const char *unit);
/* As many values as the first axis has; copied. */
void debye_array_set_resolution(DebyeArray *self, const double *values);
void debye_array_warn(DebyeArray *self, const char *format, ...) G_GNUC_PRINTF(2, 3);
