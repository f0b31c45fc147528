/* SPDX-License-Identifier: MIT */
/* The one error domain of the data layer. */
#include "error.h"

GQuark
debye_error_quark(void)
{
  return g_quark_from_static_string("debye-error-quark");
}
