/* SPDX-License-Identifier: MIT */
/* What the electrostatic surface asks of a map by Poisson-Boltzmann's equation for a person who made no settings, and the line
 * that states what was assumed. */
#pragma once

#include "data/molecule/topology.h"
#include "data/settings/request.h"

/* The atoms whose charges count: the solute; where there is none, what is neither water nor an ion, such as a small molecule;
 * else the ions. “solute” if there is water alone. */
const char *debye_map_suggest_solute(DebyeTopology *topology);

/* A message (data/messages/message.h), to be freed: permittivities, salt, temperature and radii. `request`: as the result
 * has it, with the values that were taken. */
char *debye_map_describe_assumptions(DebyeRequest *request, DebyeTopology *topology, const char *radii);
