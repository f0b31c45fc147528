/* SPDX-License-Identifier: MIT */
/* All file formats, and detection of a file's format by its content. */
#pragma once

#include "data/formats/format.h"

/* In the order in which they are tried and named. Each is debye_format_NAME of its format_NAME.c. A new one adds its line
 * here. */
#define DEBYE_FORMATS(X) \
  X(pdb)                 \
  X(pqr)                 \
  X(gro)                 \
  X(psf)                 \
  X(xyz)                 \
  X(dcd)                 \
  X(xtc)                 \
  X(trr)                 \
  X(netcdf)              \
  X(prmtop)              \
  X(rst7)                \
  X(mdcrd)               \
  X(cif)                 \
  X(h5md)                \
  X(mdtraj)              \
  X(csv)                 \
  X(lmpdata)             \
  X(lmpdump)             \
  X(mol2)                \
  X(crd)                 \
  X(namdbin)             \
  X(tpr)                 \
  X(tng)                 \
  X(posd)                \
  X(molden)              \
  X(fchk)                \
  X(cube)

/* All formats, NULL-terminated. */
const DebyeFormat *const *debye_format_list(void);
/* By content; the ending of the name only decides between equals. NULL with DEBYE_ERROR_UNKNOWN, whose
 * sentence lists what was looked for. */
const DebyeFormat *debye_format_detect(DebyeInput *input, GError **error);
/* For writing: by the ending of a path. */
const DebyeFormat *debye_format_for_writing(const char *path, GError **error);

#define DEBYE_FORMAT_DECLARE(name) extern const DebyeFormat debye_format_##name;
DEBYE_FORMATS(DEBYE_FORMAT_DECLARE)
