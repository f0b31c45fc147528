/* SPDX-License-Identifier: MIT */
/* The pairs of atoms that make a part of a pair distribution, found in one frame: those of a request whose
 * distance lies in a range. */
#pragma once

#include "data/trajectory/dataset.h"
#include "data/settings/request.h"

/* One pair: the line from the first atom to the nearest image of the second, Å. */
typedef struct {
  guint32 a, b;
  float from[3], to[3];
} DebyeRdfLine;

typedef struct _DebyeRdfShell DebyeRdfShell;

/* `request`: of a pair distribution; `pair`: what its result calls the pair ("A-B"); atoms at least `from`
 * and less than `to` Å apart. Reads the first frame: not for the main thread. Any thread may ask it then, one
 * at a time. */
DebyeRdfShell *debye_rdf_shell_new(DebyeDataset *dataset, DebyeRequest *request, const char *pair,
                                   double from, double to, GError **error);
void debye_rdf_shell_free(DebyeRdfShell *shell);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(DebyeRdfShell, debye_rdf_shell_free)

/* At most `max_lines` lines, in the order of the first atoms; *n_pairs is the number of all. Pairs that the
 * request excludes are left out; each pair counts once, at its nearest image. (element-type DebyeRdfLine) */
GArray *debye_rdf_shell_find(DebyeRdfShell *shell, const DebyeFrame *frame, guint max_lines, gsize *n_pairs,
                             GError **error);
