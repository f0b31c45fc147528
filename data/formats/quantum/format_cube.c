/* SPDX-License-Identifier: MIT */
/* A Gaussian cube file as a structure: the molecule that its map is of. */
#include "cube_file.h"
#include "data/formats/text_frames.h"
#include "wave_structure.h"

DEBYE_WAVE_STRUCTURE(debye_cube_read_atoms)

static const char *const suffixes[] = {"cube", "cub", NULL};

const DebyeFormat debye_format_cube = {
    .name = "cube",
    .title = "Gaussian cube",
    .suffixes = suffixes,
    .probe = debye_cube_probe,
    .read_topology = read_topology,
    .index_frames = index_frames,
    .reader_new = debye_text_reader_new,
    .read_frame = read_frame,
    .reader_free = g_free,
};
