/* SPDX-License-Identifier: MIT */
/* Curves that are another quantity of the same thing: n(r) of the pair whose g(r) is another curve of the result. */
#pragma once

#include "curve.h"

/* The name of the curve among these that this one is another quantity of; its own name: of none. */
const char *debye_curve_of_find(GListModel *curves, DebyeCurve *curve);

/* For files of results. What stands beside a curve there; NULL: nothing, its name says as much; "": it is of none, though its
 * name looks like that. */
const char *debye_curve_of_write(GListModel *curves, DebyeCurve *curve);
/* Likewise whether the name says which quantity it is. */
const char *debye_curve_of_write_naming(DebyeCurve *curve);
/* Of all that were read. */
void debye_curve_of_read(GListModel *curves);
