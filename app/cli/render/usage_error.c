/* SPDX-License-Identifier: MIT */
/* Implementation of usage_error.h; called by all that reads a command line. */
#include "usage_error.h"

G_DEFINE_QUARK(debye_usage_error, debye_usage_error)
