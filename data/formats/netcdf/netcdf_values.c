/* SPDX-License-Identifier: MIT */
/* Converts big-endian values of NetCDF files to numbers; called by format_netcdf.c and netcdf_amber.c. */
#include "netcdf_values.h"

#include <string.h>

#include "data/files/widest_vectors.h"
#include "data/files/xdr.h"

static double
get_double(DebyeNetcdfType type, const guint8 *bytes)
{
  switch (type) {
  case DEBYE_NETCDF_FLOAT:
    return (double)debye_xdr_get_float(bytes);
  case DEBYE_NETCDF_DOUBLE:
    return debye_xdr_get_double(bytes);
  case DEBYE_NETCDF_INT:
    return debye_xdr_get_int32(bytes);
  case DEBYE_NETCDF_UINT:
    return debye_xdr_get_uint32(bytes);
  case DEBYE_NETCDF_INT64:
    return (double)(gint64)debye_xdr_get_uint64(bytes);
  case DEBYE_NETCDF_UINT64:
    return (double)debye_xdr_get_uint64(bytes);
  case DEBYE_NETCDF_SHORT:
    return (gint16)(bytes[0] << 8 | bytes[1]);
  case DEBYE_NETCDF_USHORT:
    return bytes[0] << 8 | bytes[1];
  case DEBYE_NETCDF_BYTE:
    return (gint8)bytes[0];
  default:
    return bytes[0];
  }
}

void
debye_netcdf_get_doubles(DebyeNetcdfType type, const guint8 *bytes, gsize n, double scale, double *values)
{
  gsize width = debye_netcdf_type_width(type);
  for (gsize i = 0; i < n; i++)
    values[i] = get_double(type, bytes + i * width) * scale;
}

/* 1: NaN or infinity, whose exponent is all ones. */
static inline guint32
take_float(const guint8 *bytes, float *value)
{
  const guint32 exponent = 0x7f800000u;
  guint32 word = debye_xdr_get_uint32(bytes);
  memcpy(value, &word, sizeof word);
  return (word & exponent) == exponent;
}

/* Whether all are finite is seen on the way: looking at large frames once more costs half as much again. */
DEBYE_WIDEST_VECTORS static gboolean
get_floats(const guint8 *restrict bytes, gsize n, float *restrict x, float *restrict y, float *restrict z)
{
  guint32 bad = 0;
  for (gsize i = 0; i < n; i++, bytes += 12) {
    bad |= take_float(bytes, &x[i]);
    bad |= take_float(bytes + 4, &y[i]);
    bad |= take_float(bytes + 8, &z[i]);
  }
  return bad == 0;
}

gboolean
debye_netcdf_get_vectors(DebyeNetcdfType type, const guint8 *bytes, gsize n, double scale, float *x, float *y,
                         float *z)
{
  gsize width = debye_netcdf_type_width(type);
  if (type == DEBYE_NETCDF_FLOAT && scale == 1.0)
    return get_floats(bytes, n, x, y, z);
  for (gsize i = 0; i < n; i++, bytes += 3 * width) {
    x[i] = (float)(get_double(type, bytes) * scale);
    y[i] = (float)(get_double(type, bytes + width) * scale);
    z[i] = (float)(get_double(type, bytes + 2 * width) * scale);
  }
  return FALSE;
}
