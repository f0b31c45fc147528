/* SPDX-License-Identifier: MIT */
/* What tells results from one another, for a legend: the settings that differ between their requests. */
#pragma once

#include "data/results/result.h"

/* A text for each of `results` (of DebyeResult), in their order: the name that a person gave it; else, where their
 * analyses or their files differ these, then the settings that do, "Frames 25:50, T = 350 K"; the name of the last file
 * where nothing is to be said, and a number where that says the same of several. Results stand newest first, numbers
 * begin with the oldest. Pairs of atoms are no part of it: the curves are named after them. Free with g_strfreev. */
char **debye_result_labels(GPtrArray *results);
