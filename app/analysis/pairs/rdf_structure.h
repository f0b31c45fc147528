/* SPDX-License-Identifier: MIT */
/* Structure factors of counted pair distributions: partial ones, and where all elements were counted the
 * totals that neutrons and X-rays see. */
#pragma once

#include "rdf_run.h"

G_BEGIN_DECLS

/* Adds curves of S(q) where the request wants them and volumes are known. */
void debye_rdf_structure_add(DebyeResult *result, const DebyeRdfCounted *counted, DebyeRequest *request);
/* Whether the request's range of q is one; NULL is fine. */
gboolean debye_rdf_structure_check(DebyeRequest *request, GError **error);

G_END_DECLS
