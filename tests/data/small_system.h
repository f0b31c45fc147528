/* SPDX-License-Identifier: MIT */
/* Small systems for tests, written as tables. */
#pragma once

#include "data/molecule/frame.h"
#include "data/molecule/topology.h"

typedef struct {
  const char *residue;
  int number;
  char insertion_code; /* 0: none */
  const char *chain, *segment;
  const char *name, *type, *element;
  double mass, charge;
} SmallAtom;

/* `bonds`: pairs of atoms, ended by −1; or NULL. */
DebyeTopology *small_topology_new(const SmallAtom *atoms, gsize n_atoms, const int *bonds);
/* Atoms known by their elements only ("C", "H" …), each in a residue of its own where `alone`. */
DebyeTopology *small_topology_of_elements(const char *const *elements, gsize n_atoms, gboolean alone);
DebyeFrame *small_frame_new(double (*positions)[3], gsize n_atoms);
void small_frame_set_cell(DebyeFrame *frame, DebyeVec3 a, DebyeVec3 b, DebyeVec3 c);
