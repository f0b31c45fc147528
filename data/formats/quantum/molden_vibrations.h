/* SPDX-License-Identifier: MIT */
/* The normal modes in Molden files; called by vibrations.c. */
#pragma once

#include "data/files/input.h"
#include "vibrations.h"

/* As debye_vibrations_read() (quantum_files.h). */
DebyeVibrations *debye_molden_read_vibrations(DebyeInput *input, GError **error);
