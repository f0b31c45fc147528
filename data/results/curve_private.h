/* SPDX-License-Identifier: MIT */
/* For readers of curves. Private to this folder. */
#pragma once

#include "curve.h"

G_BEGIN_DECLS

void debye_curve_warn(DebyeCurve *self, const char *format, ...) G_GNUC_PRINTF(2, 3);

G_END_DECLS
