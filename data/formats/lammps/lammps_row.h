/* SPDX-License-Identifier: MIT */
/* An atom's names, mass and charge from its row of a dump. Private to the reader of dumps. */
#pragma once

#include "lammps_atoms.h"
#include "lammps_dump.h"

/* Adds the atom of the current line. FALSE with an error. */
gboolean debye_lammps_row_read(const DebyeLineReader *lines, const DebyeLammpsColumns *columns,
                               DebyeLammpsAtoms *atoms, GError **error);
