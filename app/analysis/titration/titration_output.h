/* SPDX-License-Identifier: MIT */
/* A titration as a result: curves over pH of each site and of the total charge, and tables of both, for files, plots and
 * the window. Called by debye-cli prepare. */
#pragma once

#include "titration_run.h"

/* The first table has pH, then one column a site (protons); the second the sites. */
DebyeResult *debye_titration_result_to_result(const DebyeTitrationResult *self, DebyeRequest *request);
