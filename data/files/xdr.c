/* SPDX-License-Identifier: MIT */
/* Decodes and encodes the vectors and cells of GROMACS' binary files; used by format_xtc.c, _trr.c and
 * _tpr.c. */
#include "xdr.h"

#include "widest_vectors.h"

#define ANGSTROM_PER_NANOMETRE 10.0f

DEBYE_WIDEST_VECTORS static void
get_float_vectors(const guint8 *restrict bytes, gsize n, float *restrict x, float *restrict y,
                  float *restrict z)
{
  for (gsize i = 0; i < n; i++, bytes += 12) {
    x[i] = debye_xdr_get_float(bytes) * ANGSTROM_PER_NANOMETRE;
    y[i] = debye_xdr_get_float(bytes + 4) * ANGSTROM_PER_NANOMETRE;
    z[i] = debye_xdr_get_float(bytes + 8) * ANGSTROM_PER_NANOMETRE;
  }
}

DEBYE_WIDEST_VECTORS static void
get_double_vectors(const guint8 *restrict bytes, gsize n, float *restrict x, float *restrict y,
                   float *restrict z)
{
  for (gsize i = 0; i < n; i++, bytes += 24) {
    x[i] = (float)(debye_xdr_get_double(bytes) * (double)ANGSTROM_PER_NANOMETRE);
    y[i] = (float)(debye_xdr_get_double(bytes + 8) * (double)ANGSTROM_PER_NANOMETRE);
    z[i] = (float)(debye_xdr_get_double(bytes + 16) * (double)ANGSTROM_PER_NANOMETRE);
  }
}

void
debye_xdr_get_vectors(const guint8 *bytes, gsize n, gsize width, float *x, float *y, float *z)
{
  if (width == sizeof(double))
    get_double_vectors(bytes, n, x, y, z);
  else
    get_float_vectors(bytes, n, x, y, z);
}

guint8 *
debye_xdr_put_vectors(guint8 *bytes, gsize n, const float *x, const float *y, const float *z)
{
  for (gsize i = 0; i < n; i++) {
    bytes = debye_xdr_put_float(bytes, x[i] / ANGSTROM_PER_NANOMETRE);
    bytes = debye_xdr_put_float(bytes, y[i] / ANGSTROM_PER_NANOMETRE);
    bytes = debye_xdr_put_float(bytes, z[i] / ANGSTROM_PER_NANOMETRE);
  }
  return bytes;
}

static double
get_length(const guint8 *bytes, gsize width)
{
  double length = width == sizeof(double) ? debye_xdr_get_double(bytes) : (double)debye_xdr_get_float(bytes);
  return length * (double)ANGSTROM_PER_NANOMETRE;
}

static DebyeVec3
get_edge(const guint8 *bytes, gsize width)
{
  return debye_vec3(get_length(bytes, width), get_length(bytes + width, width),
                    get_length(bytes + 2 * width, width));
}

gboolean
debye_xdr_get_cell(const guint8 *bytes, gsize width, DebyeCell *cell)
{
  cell->a = get_edge(bytes, width);
  cell->b = get_edge(bytes + 3 * width, width);
  cell->c = get_edge(bytes + 6 * width, width);
  if (debye_cell_is_valid(cell))
    return TRUE;
  *cell = (DebyeCell){0};
  return FALSE;
}

guint8 *
debye_xdr_put_cell(guint8 *bytes, const DebyeCell *cell)
{
  static const DebyeCell none;
  const DebyeCell *from = cell ? cell : &none;
  const DebyeVec3 edges[3] = {from->a, from->b, from->c};
  for (int k = 0; k < 3; k++) {
    bytes = debye_xdr_put_float(bytes, (float)(edges[k].x / (double)ANGSTROM_PER_NANOMETRE));
    bytes = debye_xdr_put_float(bytes, (float)(edges[k].y / (double)ANGSTROM_PER_NANOMETRE));
    bytes = debye_xdr_put_float(bytes, (float)(edges[k].z / (double)ANGSTROM_PER_NANOMETRE));
  }
  return bytes;
}
