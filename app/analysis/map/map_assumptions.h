/* SPDX-License-Identifier: MIT */
/* One line that states what a map by Poisson-Boltzmann's equation assumes; for whoever shows it without having made its
 * settings. */
#pragma once

#include "data/molecule/topology.h"
#include "data/settings/request.h"

G_BEGIN_DECLS

/* A message (data/messages/message.h), to be freed: permittivities, salt, temperature and radii. `request`: as the result
 * has it, with the values that were taken. */
char *debye_map_describe_assumptions(DebyeRequest *request, DebyeTopology *topology);

G_END_DECLS
