/* SPDX-License-Identifier: MIT */
/* An H5MD file without its coordinates: everything that is small, made in memory by HDF5, with data sets for
 * positions and velocities whose places are filled in afterwards. So a trajectory of any length is written in
 * bounded memory, and HDF5 (1.10, which doesn't survive a full disk) never writes a file itself. Private to
 * the H5MD writer. */
#pragma once

#include "data/molecule/frame.h"
#include "data/molecule/topology.h"

/* What is written beside the convention's elements of a particle group, and read again by h5md_topology.c. */
#define DEBYE_H5MD_RADII "radius"
#define DEBYE_H5MD_NAMES "name"
#define DEBYE_H5MD_RESIDUES "residue"

typedef struct {
  gsize n_atoms, n_frames;
  DebyeTopology *topology; /* NULL: no species, masses, charges, radii, names, residues, bonds */
  gboolean has_cell, has_velocities, has_times;
  const gint64 *steps; /* one a frame */
  const double *times; /* ps */
  const double *edges; /* nine a frame, Å */
} DebyeH5mdContents;

/* The file's bytes up to its coordinates; where positions and velocities begin and where all ends is what it
 * says. NULL on an error. Its size depends on the numbers of frames and atoms only, not on values. */
guint8 *debye_h5md_skeleton_make(const DebyeH5mdContents *contents, guint64 position_at, guint64 velocity_at,
                                 guint64 end, gsize *size, GError **error);
