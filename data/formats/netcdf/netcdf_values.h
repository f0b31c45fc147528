/* SPDX-License-Identifier: MIT */
/* Values as NetCDF files have them, big-endian, to numbers. */
#pragma once

#include "netcdf_file.h"

/* `n` values times `scale`. */
void debye_netcdf_get_doubles(DebyeNetcdfType type, const guint8 *bytes, gsize n, double scale,
                              double *values);
/* `n` vectors of three floats or doubles, times `scale`, in three arrays. Floats with a scale of 1 are kept
 * to the last bit. TRUE where all are finite for certain, else debye_frame_check has to tell. */
gboolean debye_netcdf_get_vectors(DebyeNetcdfType type, const guint8 *bytes, gsize n, double scale, float *x,
                                  float *y, float *z);
