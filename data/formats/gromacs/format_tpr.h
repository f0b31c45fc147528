/* SPDX-License-Identifier: MIT */
/* What a run input file tells beside its topology and coordinates; called by data/forcefield. */
#pragma once

#include "tpr_system.h"

/* Whether a file begins as one; `n` bytes of its head. */
#define DEBYE_TPR_HEAD_BYTES 16
gboolean debye_tpr_probe(const guint8 *head, gsize n);
/* As debye_tpr_system_list_types(). */
gboolean debye_tpr_read_types(DebyeInput *input, DebyeTprTypeFunc func, gpointer data, GError **error);
