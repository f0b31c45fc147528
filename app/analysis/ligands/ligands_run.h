/* SPDX-License-Identifier: MIT */
/* The run of ligand sampling over its frames. */
#pragma once

#include "app/analysis/driver/analysis.h"
#include "ligands_plan.h"

G_BEGIN_DECLS

DebyeResult *debye_ligands_run(DebyeLigandsPlan *plan, const DebyeRunInput *input, GError **error);

G_END_DECLS
