/* SPDX-License-Identifier: MIT */
/* The atoms that kernels are timed on: those of files, or made-up ones at a protein's density. */
#pragma once

#include <stdbool.h>

#include "app/analysis/driver/common_settings.h"
#include "data/trajectory/dataset.h"

/* Atoms per Å³: a protein with its hydrogens. */
#define DEBYE_BENCH_ATOM_DENSITY 0.1

typedef struct {
  gsize n_atoms, n_frames;
  float *x, *y, *z; /* Å, atom i of frame t at [t·n_atoms + i] */
  float *charge;    /* e; NULL: there are none */
  GError *why_no_charges;
  DebyeCell cell; /* of the first frame; all zero: none */
} DebyeBenchAtoms;

/* In a cube without a cell, the same for the same numbers; every frame moves each atom by up to 0.3 Å along
 * each axis. NULL with an error: no memory. */
DebyeBenchAtoms *debye_bench_atoms_new(gsize n_atoms, gsize n_frames, GError **error);
/* The first atoms that count of the first frames, as many as there are up to these numbers. NULL with an
 * error. */
DebyeBenchAtoms *debye_bench_atoms_new_for_dataset(DebyeDataset *dataset, DebyeChargeSource source,
                                                   gsize max_atoms, gsize max_frames,
                                                   const volatile bool *cancel, GError **error);
/* FALSE with an error that says why they have no charges. */
gboolean debye_bench_atoms_check_charges(const DebyeBenchAtoms *atoms, GError **error);
void debye_bench_atoms_free(DebyeBenchAtoms *atoms);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(DebyeBenchAtoms, debye_bench_atoms_free)
