/* SPDX-License-Identifier: MIT */
/* A titration as a session keeps it, so that nothing is solved when it is opened: its sites and curves, without the charges and
 * the energies between sites, of which they came. Called by preparation.c. */
#pragma once

#include "app/analysis/titration/titration_run.h"

/* (transfer floating) */
GVariant *debye_kept_titration_save(const DebyeTitrationResult *titration);
/* The same, shares to six digits. NULL with an error where something is missing or isn't possible. */
DebyeTitrationResult *debye_kept_titration_load(GVariant *saved, GError **error);
