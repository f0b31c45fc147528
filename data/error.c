/* SPDX-License-Identifier: MIT */
/* The one error domain of the data layer. */
#include "error.h"

G_DEFINE_QUARK(debye - error - quark, debye_error)
