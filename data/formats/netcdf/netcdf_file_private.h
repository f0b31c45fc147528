/* SPDX-License-Identifier: MIT */
/* What netcdf_file.c, netcdf_variable.c and the two kinds of NetCDF files share. */
#pragma once

#include "netcdf_file.h"

struct _DebyeNetcdfFile {
  GPtrArray *variables; /* DebyeNetcdfVariable */
  char *conventions;
  char *warning;
  gint64 hdf5; /* the file of HDF5; below 0: a classic one */
};

/* netcdf_variable.c */

DebyeNetcdfVariable *debye_netcdf_variable_new(void);
void debye_netcdf_variable_free(gpointer variable);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(DebyeNetcdfVariable, debye_netcdf_variable_free)

/* netcdf_classic.c */

/* Fills all but `hdf5`. */
gboolean debye_netcdf_classic_read_header(DebyeNetcdfFile *file, DebyeInput *input, GError **error);

/* netcdf_hdf5.c */

gboolean debye_netcdf_hdf5_open(DebyeNetcdfFile *file, DebyeInput *input, GError **error);
void debye_netcdf_hdf5_close(DebyeNetcdfFile *file);
/* NULL: none. */
DebyeNetcdfVariable *debye_netcdf_hdf5_open_variable(DebyeNetcdfFile *file, const DebyeInput *input,
                                                     const char *name);
gboolean debye_netcdf_hdf5_read(const DebyeNetcdfVariable *variable, const DebyeInput *input, gint64 row,
                                guint64 first, guint64 n, gpointer bytes, GError **error);
