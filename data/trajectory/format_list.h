/* SPDX-License-Identifier: MIT */
/* All file formats, and detection of a file's format by its content. */
#pragma once

#include "data/formats/format.h"

G_BEGIN_DECLS

/* All formats, NULL-terminated. */
const DebyeFormat *const *debye_format_list(void);
/* By content; the ending of the name only decides between equals. NULL with DEBYE_ERROR_UNKNOWN, whose
 * sentence lists what was looked for. */
const DebyeFormat *debye_format_detect(DebyeInput *input, GError **error);
/* For writing: by the ending of a path. */
const DebyeFormat *debye_format_for_writing(const char *path, GError **error);

/* Each is defined in its format_NAME.c. */
extern const DebyeFormat debye_format_pdb, debye_format_pqr, debye_format_gro, debye_format_psf,
    debye_format_xyz, debye_format_dcd, debye_format_xtc, debye_format_trr, debye_format_netcdf,
    debye_format_prmtop, debye_format_rst7, debye_format_mdcrd, debye_format_csv, debye_format_cif,
    debye_format_h5md, debye_format_mdtraj, debye_format_crd, debye_format_lmpdata, debye_format_lmpdump,
    debye_format_mol2, debye_format_posd, debye_format_namdbin, debye_format_tpr, debye_format_tng,
    debye_format_molden, debye_format_fchk, debye_format_cube;

G_END_DECLS
