/* SPDX-License-Identifier: MIT */
/* Points of frames added up in the voxels of a grid: how many there are, in how many frames there is one, or what
 * they weigh. Each frame is looked at from one or several views, each of which moves the points by a rigid motion
 * of its own: a reference that moves, or the copies of one that are laid on each other.
 *
 * A point's voxel is decided in double (density_math.h) by operations that all devices do alike, so counts are the same
 * everywhere. Weights are added as whole multiples of 2⁻³², so that neither order nor device shows. A Gaussian is
 * sampled at the centres of voxels as far as 4.5 of its widths, which keeps all but 2e-5 of it. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "data/geometry.h"
#include "kernels/kernel_head.h"
#include "kernels/unpacking.h"

DEBYE_BEGIN_DECLS

/* What a sum of weights is to be divided by. */
#define DEBYE_DENSITY_UNIT 4294967296.0
#define DEBYE_DENSITY_MAX_VOXELS ((size_t)1 << 31)
/* Frames × views × points of one call of set_frames, so that no count overflows. */
#define DEBYE_DENSITY_MAX_ADDED ((size_t)1 << 31)
#define DEBYE_DENSITY_NOBODY UINT32_MAX

/* Which image of a point counts. */
typedef enum {
  DEBYE_DENSITY_OPEN,      /* the point itself: there is no cell */
  DEBYE_DENSITY_NEAREST,   /* the one nearest to where the view looks from */
  DEBYE_DENSITY_PARALLEL,  /* the one in the parallelepiped of the cell's vectors about there */
  DEBYE_DENSITY_FRACTIONS, /* the grid's voxels are fractions of the cell, which begins there */
} DebyeDensityPlacing;

typedef enum {
  DEBYE_DENSITY_COUNT,     /* points */
  DEBYE_DENSITY_OCCUPANCY, /* views of frames with a point in the voxel */
  DEBYE_DENSITY_WEIGH,     /* sums of weights, of a Gaussian where it has a width */
} DebyeDensitySum;

typedef struct {
  size_t shape[3];
  DebyeDensityPlacing placing;
  DebyeDensitySum sum;
  unsigned n_components; /* of weights, where these are added: 1, or 3 of a vector that turns with the view */
  double gaussian;       /* Å, standard deviation; 0: none. Only where weights are added */
  size_t max_points, max_views, max_frames; /* of one call of set_frames */
  unsigned spare_cores;                     /* that the CPU leaves to the lanes of accelerators */
  DebyePackedAtoms packed; /* the points of frames that come packed; borrowed as long as a plan lives */
} DebyeDensitySettings;

/* d, from `from` to a point's image, is at rotation·d + to; voxel (i, j, k) has there the corner at origin + i·step[0] + … */
typedef struct {
  double from[3], rotation[3][3], to[3];
  uint32_t owner; /* its points aren't counted */
} DebyeDensityView;

typedef struct {
  const float *x, *y, *z; /* Å; points that aren't finite are in no voxel; of a packed frame NULL */
  size_t n;
  double scale;          /* multiplies the weights */
  const float *weights;  /* component by component, n each; NULL where they aren't added, and for 1 each */
  const uint32_t *owner; /* by point; NULL: they have none */
  const DebyeCell *cell; /* NULL only where placing is OPEN */
  const DebyeDensityView *views;
  size_t n_views;
  DebyeVec3 origin, step[3];            /* of voxels; not looked at where they are fractions of the cell */
  const DebyePackedCoordinates *packed; /* its n points are the settings'; NULL: x, y, z */
} DebyeDensityFrame;

/* The entry of a back end's table. Contract as in backend.h. */
struct DebyeDensityKernel {
  DebyeKernelHead head;
  /* The frames stay the caller's until they have been added. */
  DebyeStatusCode (*set_frames)(DebyeKernelPlan *plan, const DebyeDensityFrame *frames, size_t n_frames,
                                DebyeStatus *status);
  /* Adds them to the plan's sums. */
  DebyeStatusCode (*execute)(DebyeKernelPlan *plan, const volatile bool *cancel, DebyeStatus *status);
  /* Writes the sums, n_components of them after each other, x fastest, and begins anew. */
  DebyeStatusCode (*fetch)(DebyeKernelPlan *plan, int64_t *sums, DebyeStatus *status);
};

size_t debye_density_n_voxels(const DebyeDensitySettings *settings);
/* Of all components. */
size_t debye_density_n_sums(const DebyeDensitySettings *settings);

/* INVALID with the reason where the settings, or the frames for them, make no sense. */
DebyeStatusCode debye_density_settings_check(const DebyeDensitySettings *settings, DebyeStatus *status);
DebyeStatusCode debye_density_frames_check(const DebyeDensitySettings *settings,
                                           const DebyeDensityFrame *frames, size_t n_frames,
                                           DebyeStatus *status);

DEBYE_END_DECLS
