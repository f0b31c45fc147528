/* SPDX-License-Identifier: MIT */
/* Density maps by a plain loop in double: the slow truth that tests compare every back end with. */
#pragma once

#include "kernels/density/density_map.h"

/* As the kernel's fetch gives them, but in double and weights as they are. */
void debye_oracle_density(const DebyeDensitySettings *settings, const DebyeDensityFrame *frames,
                          size_t n_frames, double *sums);
