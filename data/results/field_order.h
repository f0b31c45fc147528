/* SPDX-License-Identifier: MIT */
/* Text maps list their values with z fastest, fields hold them with x fastest. Private to this folder. */
#pragma once

#include "data/files/value_scanner.h"

/* So many x planes at a time: their values fill the cache lines that both orders touch. */
#define DEBYE_SLAB_PLANES 16

/* Copies the x planes first … first + n − 1 of `values` (x fastest) to `slab` (z fastest). */
void debye_field_order_get_slab(const float *values, const gsize shape[3], gsize first, gsize n, float *slab);
/* Reads all values (z fastest) into `values` (x fastest); of `n_sets` interleaved values a point the first is
 * taken. */
gboolean debye_field_order_read(DebyeValueScanner *scanner, const gsize shape[3], gsize n_sets, float *values,
                                GError **error);
