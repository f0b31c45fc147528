/* SPDX-License-Identifier: MIT */
/* Where the heavy atoms of amino acids are about each other, for atoms that a file lacks; used by missing_atoms.c. */
#pragma once

typedef struct {
  const char *family; /* as in residue_forms.h */
  const char *atoms;  /* "CB:0.123,-1.456,0.789 …", Å */
} DebyeResidueGeometry;

/* The last has no family. */
extern const DebyeResidueGeometry debye_residue_geometries[];
