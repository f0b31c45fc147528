/* SPDX-License-Identifier: MIT */
/* Molden as a structure: the atoms of a wave function. Its orbitals are read by molden_file.c. */
#include "data/formats/text_frames.h"
#include "molden_file.h"
#include "wave_structure.h"

DEBYE_WAVE_STRUCTURE(debye_molden_read_atoms)

const DebyeFormat debye_format_molden = {
    .name = "molden",
    .title = "Molden wave function",
    .suffixes = (const char *const[]){"molden", "mold", "input", NULL},
    .probe = debye_molden_probe,
    .read_topology = read_topology,
    .index_frames = index_frames,
    .reader_new = debye_text_reader_new,
    .read_frame = read_frame,
    .reader_free = g_free,
};
