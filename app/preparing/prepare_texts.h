/* SPDX-License-Identifier: MIT */
/* What the page that prepares structures says of a file and of what was decided. Translated; free with g_free. */
#pragma once

#include "app/document/preparation.h"

/* "46 amino acids · 20 waters", and on a line of its own what it lacks. */
char *debye_prepare_texts_facts(const DebyePrepareSurvey *survey);
/* What will be done; residues that the table doesn't know are left out unless `has_keep`. */
char *debye_prepare_texts_plan(const DebyePrepareSurvey *survey, gboolean has_keep);
/* "No hydrogens and no charges": the offer. */
char *debye_prepare_texts_lack(const DebyePrepareSurvey *survey);
/* Where a prepared structure comes from. */
char *debye_prepare_texts_origin(DebyePreparation *preparation);
/* (element-type DebyeDecisionItem) */
GPtrArray *debye_prepare_texts_list(DebyePreparation *preparation);
