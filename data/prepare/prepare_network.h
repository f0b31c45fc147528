/* SPDX-License-Identifier: MIT */
/* Turns what can be turned (hydrogen_movers.h) so that the whole network of hydrogen bonds has a low energy. Called by
 * prepare.c after hydrogens were added. */
#pragma once

#include "prepared_system.h"

/* The energy is Coulomb's of partial charges of polar groups with the permittivity 4·r/Å, to 6 Å, with a harmonic wall where
 * atoms that aren't bonded come too near. Two groups that turn feel each other to 4 Å; of more than 5,000 waters none feels
 * another. Groups go to their best state one by one, then two at a time, until nothing changes: the same structure always
 * ends in the same state, though not surely in the best of all. */
void debye_prepare_network_optimise(DebyePreparedSystem *system);
