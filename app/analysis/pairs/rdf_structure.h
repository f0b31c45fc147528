/* SPDX-License-Identifier: MIT */
/* Structure factors of counted pair distributions: partial ones, and where all elements were counted the
 * totals that neutrons and X-rays see. */
#pragma once

#include "rdf_counted.h"

/* Adds curves of S(q) where they are asked for and volumes are known. */
void debye_rdf_structure_add(DebyeResult *result, const DebyeRdfCounted *counted);
