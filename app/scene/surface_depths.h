/* SPDX-License-Identifier: MIT */
/* Lends kernels/surface to the layers that draw a molecule's surface; called by both programs as they start. */
#pragma once

/* From then on layers make surfaces of spheres. Idempotent. */
void debye_surface_depths_lend(void);
