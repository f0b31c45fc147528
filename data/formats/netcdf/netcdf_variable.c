/* SPDX-License-Identifier: MIT */
/* A variable of a NetCDF file of either kind: its making, its end, how many values it has and how wide they are; called by
 * netcdf_file.c and by the kinds of files, netcdf_classic.c and netcdf_hdf5.c. */
#include "netcdf_file_private.h"

DebyeNetcdfVariable *
debye_netcdf_variable_new(void)
{
  DebyeNetcdfVariable *variable = g_new0(DebyeNetcdfVariable, 1);
  variable->scale_factor = 1.0;
  variable->dataset = -1;
  return variable;
}

void
debye_netcdf_variable_free(gpointer data)
{
  DebyeNetcdfVariable *variable = data;
  if (variable == NULL)
    return;
  g_free(variable->name);
  g_free(variable->units);
  g_free(variable);
}

gsize
debye_netcdf_type_width(DebyeNetcdfType type)
{
  static const guint8 widths[] = {
      [DEBYE_NETCDF_BYTE] = 1,  [DEBYE_NETCDF_CHAR] = 1,   [DEBYE_NETCDF_SHORT] = 2,
      [DEBYE_NETCDF_INT] = 4,   [DEBYE_NETCDF_FLOAT] = 4,  [DEBYE_NETCDF_DOUBLE] = 8,
      [DEBYE_NETCDF_UBYTE] = 1, [DEBYE_NETCDF_USHORT] = 2, [DEBYE_NETCDF_UINT] = 4,
      [DEBYE_NETCDF_INT64] = 8, [DEBYE_NETCDF_UINT64] = 8,
  };
  return (guint)type < G_N_ELEMENTS(widths) ? widths[type] : 0;
}

guint64
debye_netcdf_variable_row_values(const DebyeNetcdfVariable *variable)
{
  guint64 n = 1;
  for (guint k = 1; k < variable->rank; k++)
    n *= variable->shape[k];
  return n;
}

guint64
debye_netcdf_variable_all_values(const DebyeNetcdfVariable *variable)
{
  return debye_netcdf_variable_row_values(variable) * (variable->rank > 0 ? variable->shape[0] : 1);
}
