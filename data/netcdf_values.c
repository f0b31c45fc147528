/* SPDX-License-Identifier: MIT */
/* Big-endian values to numbers. */
#include "netcdf_values.h"

#include "widest_vectors.h"
#include "xdr.h"

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

DEBYE_WIDEST_VECTORS static void
get_floats(const guint8 *restrict bytes, gsize n, float *restrict x, float *restrict y, float *restrict z)
{
  for (gsize i = 0; i < n; i++, bytes += 12) {
    x[i] = debye_xdr_get_float(bytes);
    y[i] = debye_xdr_get_float(bytes + 4);
    z[i] = debye_xdr_get_float(bytes + 8);
  }
}

void
debye_netcdf_get_vectors(DebyeNetcdfType type, const guint8 *bytes, gsize n, double scale, float *x, float *y,
                         float *z)
{
  gsize width = debye_netcdf_type_width(type);
  if (type == DEBYE_NETCDF_FLOAT && scale == 1.0) {
    get_floats(bytes, n, x, y, z);
    return;
  }
  for (gsize i = 0; i < n; i++, bytes += 3 * width) {
    x[i] = (float)(get_double(type, bytes) * scale);
    y[i] = (float)(get_double(type, bytes + width) * scale);
    z[i] = (float)(get_double(type, bytes + 2 * width) * scale);
  }
}
