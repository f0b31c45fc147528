/* SPDX-License-Identifier: MIT */
/* Trajectories and restart files in NetCDF after AMBER's convention
 * (https://ambermd.org/netcdf/nctraj.xhtml), as AMBER, LAMMPS, MDAnalysis and others write them: which of a
 * file's variables are what, and in which units. */
#pragma once

#include "netcdf_file.h"

#include "data/geometry.h"

/* A variable with what brings its numbers into Debye's units. */
typedef struct {
  const DebyeNetcdfVariable *variable; /* NULL: there is none */
  double scale;                        /* of the unit, times the file's own scale factor */
} DebyeAmberQuantity;

typedef struct {
  DebyeNetcdfFile *file;
  gsize n_atoms;
  guint64 n_frames;
  DebyeAmberQuantity coordinates, velocities; /* Å, Å/ps */
  DebyeAmberQuantity time, lengths, angles;   /* ps, Å, degrees */
  DebyeAmberQuantity origin;                  /* LAMMPS': of the cell's corner, Å */
  DebyeAmberQuantity ids; /* of the atoms of each frame, where a program keeps them in any order */
  GPtrArray *warnings;    /* char * */
} DebyeAmberNetcdf;

gboolean debye_amber_netcdf_open(DebyeAmberNetcdf *amber, DebyeInput *input, GError **error);
void debye_amber_netcdf_clear(DebyeAmberNetcdf *amber);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(DebyeAmberNetcdf, debye_amber_netcdf_clear)

/* How many vectors, or identities, of a frame are best read at once; memory for so many is needed. */
gsize debye_amber_netcdf_get_block(const DebyeAmberNetcdf *amber, const DebyeAmberQuantity *quantity,
                                   gsize values_of_atom);
/* What `n` atoms have of a quantity, from atom `first` on: three values each, or one. */
gboolean debye_amber_netcdf_read_atoms(const DebyeAmberNetcdf *amber, DebyeInput *input,
                                       const DebyeAmberQuantity *quantity, gsize values_of_atom,
                                       gsize frame_number, gsize first, gsize n, gpointer bytes,
                                       GError **error);
/* All vectors of a frame without a copy, see input_view.h; FALSE where they are to be read. */
gboolean debye_amber_netcdf_view_vectors(const DebyeAmberNetcdf *amber, DebyeInput *input,
                                         const DebyeAmberQuantity *quantity, gsize frame_number,
                                         DebyeInputView *view);

/* ps; NAN where the file doesn't tell. */
double debye_amber_netcdf_read_time(const DebyeAmberNetcdf *amber, DebyeInput *input, gsize frame_number);
/* `known_angles`: for a file of lengths only; NAN: 90°. FALSE, and all zero, where there is no cell; an
 * `error` that is set says that it couldn't be read. */
gboolean debye_amber_netcdf_read_cell(const DebyeAmberNetcdf *amber, DebyeInput *input, gsize frame_number,
                                      const double known_angles[3], DebyeCell *cell, GError **error);
/* 0 where the file doesn't tell. */
DebyeVec3 debye_amber_netcdf_read_origin(const DebyeAmberNetcdf *amber, DebyeInput *input,
                                         gsize frame_number);
