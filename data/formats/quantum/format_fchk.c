/* SPDX-License-Identifier: MIT */
/* A formatted checkpoint as a structure: the atoms of a wave function. Its orbitals are read by fchk_file.c. */
#include "data/formats/text_frames.h"
#include "fchk_file.h"
#include "wave_structure.h"

DEBYE_WAVE_STRUCTURE(debye_fchk_read_atoms)

const DebyeFormat debye_format_fchk = {
    .name = "fchk",
    .title = "Gaussian formatted checkpoint",
    .suffixes = (const char *const[]){"fchk", "fch", NULL},
    .probe = debye_fchk_probe,
    .read_topology = read_topology,
    .index_frames = index_frames,
    .reader_new = debye_text_reader_new,
    .read_frame = read_frame,
    .reader_free = g_free,
};
