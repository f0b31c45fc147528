/* SPDX-License-Identifier: MIT */
/* Trajectories and restart files in NetCDF after AMBER's convention
 * (https://ambermd.org/netcdf/nctraj.xhtml), as AMBER, LAMMPS, MDAnalysis and others write them: which of a
 * file's variables are what, and in which units. */
#pragma once

#include "netcdf_file.h"

#include "geometry.h"

G_BEGIN_DECLS

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
  DebyeAmberQuantity ids; /* of the atoms of each frame, where a program keeps them in any order */
  GPtrArray *warnings;    /* char * */
} DebyeAmberNetcdf;

gboolean debye_amber_netcdf_open(DebyeAmberNetcdf *amber, DebyeInput *input, GError **error);
void debye_amber_netcdf_clear(DebyeAmberNetcdf *amber);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(DebyeAmberNetcdf, debye_amber_netcdf_clear)

/* The bytes of one frame of a quantity, as debye_amber_netcdf_read gives them. */
guint64 debye_amber_netcdf_frame_values(const DebyeAmberQuantity *quantity, guint least_rank);
/* `least_rank`: of the variable in a file of one frame; with one dimension more, the first is the frame. */
gboolean debye_amber_netcdf_read(const DebyeAmberNetcdf *amber, DebyeInput *input,
                                 const DebyeAmberQuantity *quantity, guint least_rank, gsize frame_number,
                                 gpointer bytes, GError **error);

/* ps; NAN where the file doesn't tell. */
double debye_amber_netcdf_read_time(const DebyeAmberNetcdf *amber, DebyeInput *input, gsize frame_number);
/* `known_angles`: for a file of lengths only; NAN: 90°. FALSE, and all zero, where there is no cell; an
 * `error` that is set says that it couldn't be read. */
gboolean debye_amber_netcdf_read_cell(const DebyeAmberNetcdf *amber, DebyeInput *input, gsize frame_number,
                                      const double known_angles[3], DebyeCell *cell, GError **error);

G_END_DECLS
