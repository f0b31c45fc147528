/* SPDX-License-Identifier: MIT */
/* NetCDF files, as far as trajectories need them: variables with their shapes, units and scale factors, and
 * their values a row at a time. The classic files (CDF-1, CDF-2 with 64-bit offsets, CDF-5 with 64-bit data)
 * are read here, after the NetCDF Classic Format Specification; NetCDF-4 is HDF5 and read through h5.h.
 * Either way values come as classic files have them: big-endian. */
#pragma once

#include "data/files/input_view.h"

/* The numbers that stand for them in classic files. */
typedef enum {
  DEBYE_NETCDF_BYTE = 1,
  DEBYE_NETCDF_CHAR,
  DEBYE_NETCDF_SHORT,
  DEBYE_NETCDF_INT,
  DEBYE_NETCDF_FLOAT,
  DEBYE_NETCDF_DOUBLE,
  DEBYE_NETCDF_UBYTE,
  DEBYE_NETCDF_USHORT,
  DEBYE_NETCDF_UINT,
  DEBYE_NETCDF_INT64,
  DEBYE_NETCDF_UINT64,
} DebyeNetcdfType;

/* Variables of more dimensions are left out. */
#define DEBYE_NETCDF_RANK 4

typedef struct {
  char *name;
  DebyeNetcdfType type;
  guint rank;
  guint64 shape[DEBYE_NETCDF_RANK]; /* of records: only those that are whole in the file */
  char *units;                      /* NULL: not given */
  double scale_factor;              /* what values are to be multiplied with; 1 where not given */
  gboolean has_records;             /* the first dimension is that which grows */
  guint64 offset, stride; /* private from here; of the first row, and from row to row, of a classic file */
  gint64 dataset;         /* of HDF5, for a single value; below 0: there is none */
  struct _DebyeH5Series *series; /* of HDF5, for others; NULL: a classic file, or no values */
} DebyeNetcdfVariable;

typedef struct _DebyeNetcdfFile DebyeNetcdfFile;

/* The first bytes of a classic file, and of HDF5, which holds much else besides NetCDF-4. */
gboolean debye_netcdf_is_classic(const guint8 *head, gsize n);
gboolean debye_netcdf_is_hdf5(const guint8 *head, gsize n);

DebyeNetcdfFile *debye_netcdf_file_open(DebyeInput *input, GError **error);
void debye_netcdf_file_free(DebyeNetcdfFile *file);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(DebyeNetcdfFile, debye_netcdf_file_free)

/* Attributes of the file; NULL: not given. */
const char *debye_netcdf_file_get_conventions(const DebyeNetcdfFile *file);
/* What the header says about the number of records, where the file doesn't hold as many; NULL: it does. */
const char *debye_netcdf_file_get_warning(const DebyeNetcdfFile *file);

/* NULL: there is none of this name, or it isn't numbers. */
const DebyeNetcdfVariable *debye_netcdf_file_find(DebyeNetcdfFile *file, DebyeInput *input, const char *name);
gsize debye_netcdf_type_width(DebyeNetcdfType type);
/* How many values a row has: what lies under one index of the first dimension; or all of the variable. */
guint64 debye_netcdf_variable_row_values(const DebyeNetcdfVariable *variable);
guint64 debye_netcdf_variable_all_values(const DebyeNetcdfVariable *variable);
/* How many values are best read at once: few enough for the processor's cache to hold them where the file can
 * be read anywhere, all of a row where it is packed. */
guint64 debye_netcdf_file_get_block(const DebyeNetcdfFile *file, const DebyeNetcdfVariable *variable,
                                    guint64 n_values);
/* `n` values from the `first` of row number `row` (below 0: of the variable as a whole) to `bytes`. */
gboolean debye_netcdf_file_read(DebyeNetcdfFile *file, DebyeInput *input, const DebyeNetcdfVariable *variable,
                                gint64 row, guint64 first, guint64 n, gpointer bytes, GError **error);
/* The same from the first value on without a copy, where they are many and not packed; to be closed. FALSE
 * where they are to be read. */
gboolean debye_netcdf_file_view(const DebyeNetcdfFile *file, DebyeInput *input,
                                const DebyeNetcdfVariable *variable, gint64 row, guint64 n,
                                DebyeInputView *view);
