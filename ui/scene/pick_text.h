/* SPDX-License-Identifier: MIT */
/* Describes in words what is under the pointer; called by view_3d_input.c. */
#pragma once

#include "data/molecule/topology.h"
#include "render/layers/layer.h"

/* "LYS 13 NZ · chain A · +1.00 e", or "+1.2 kT/e at (3.1, 8.0, −2.4) Å"; NULL where there is nothing to say. */
char *debye_pick_text(const DebyePick *pick, DebyeTopology *topology);
