/* SPDX-License-Identifier: MIT */
/* The table of atoms and bonds of MOL files of version V3000; part of sdf_file.c. */
#pragma once

#include "data/files/text_fields.h"
#include "data/molecule/ligand.h"

/* From the line of counts on, up to END CTAB. Atoms are numbered 1, 2, 3 …; rows that go on in a further line are refused. */
gboolean debye_sdf_v3000_read(DebyeLineReader *lines, DebyeLigand *ligand, GError **error);
