/* SPDX-License-Identifier: MIT */
/* The plan of a reciprocal lattice's amplitudes on a GPU, shared by the files that make and use it. */
#pragma once

#include "kernels/cuda/common/fourier.cuh"
#include "kernels/cuda/common/stream.cuh"
#include "kernels/cuda/common/unpacking.cuh"
#include "kernels/scattering/lattice_spread.h"

/* Bins that atoms are put into on a large mesh; along each axis. */
constexpr unsigned DEBYE_LATTICE_BINS_WIDE = 32;
constexpr unsigned DEBYE_LATTICE_BINS =
    DEBYE_LATTICE_BINS_WIDE * DEBYE_LATTICE_BINS_WIDE * DEBYE_LATTICE_BINS_WIDE;

struct DebyeCudaLatticePlan {
  int device;
  DebyeLatticeSettings settings;
  DebyeLatticeSpread spread;
  size_t n_entries, n_mesh, n_complex, n_values;
  DebyeStream stream;
  DebyeCudaFourier *fourier;
  /* The mesh in whole numbers; in double the same memory holds it as the transform takes it, in float it
   * holds the transform. */
  unsigned long long *whole;
  void *other; /* the transform in double, the mesh in float */
  void *amplitudes;
  double *sums;
  /* By length: the half array's places of vectors one length after the other, and where each length begins. */
  uint32_t *of_length, *of_length_host, *length_starts, *length_starts_host;
  double *factor[3], *factor_host[3];
  float *positions, *positions_host, *weight;
  uint32_t *bin_starts, *order; /* NULL where the mesh fits into the cache */
  DebyePackedAtoms packed_atoms;
  DebyeCudaPacked packed;
  double *units_host; /* of each group */
  long long *places, *places_host;
  double2 *chosen, *chosen_host;
  bool has_frame;
};

/* Of all pairs' sums, and of the chosen amplitudes. */
size_t debye_cuda_lattice_sum_bytes(const DebyeCudaLatticePlan *plan);
size_t debye_cuda_lattice_chosen_bytes(const DebyeCudaLatticePlan *plan);

/* Of DebyeLatticeSettings. */
extern const DebyePlanKind debye_cuda_lattice_plan_kind;
