/* SPDX-License-Identifier: MIT */
/* Places the atoms of made-up matter; called by benchmarks and tests. */
#include "ladder_matter.h"

#include <math.h>

#define PI 3.14159265358979323846
#define KT (1.987204259e-3 * DEBYE_MATTER_TEMPERATURE) /* kcal/mol */
#define N_LIGHT 8                                      /* types of hydrogen, the others' are heavy */
#define TAKEN (13107.0 / 13824.0)
#define JITTER 0.75 /* steps: so that there are holes */

static double
next_number(uint64_t *state)
{
  *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (double)(*state >> 40) / 16777216.0;
}

size_t
debye_ladder_matter_count(size_t side)
{
  return 2 * (size_t)lround(TAKEN * (double)(side * side * side));
}

void
debye_ladder_matter_place(size_t side, float *x, float *y, float *z, uint32_t *types)
{
  const size_t n_heavy = debye_ladder_matter_count(side) / 2;
  float *const places[3] = {x, y, z};
  size_t n = 0, left = side * side * side;
  uint64_t state = 10;
  for (size_t site = 0; n < n_heavy; site++, left--) {
    if (next_number(&state) * (double)left >= (double)(n_heavy - n))
      continue;
    const size_t at[3] = {site % side, site / side % side, site / side / side};
    const double up = 2.0 * next_number(&state) - 1.0, angle = 2.0 * PI * next_number(&state);
    const double bond[3] = {sqrt(1.0 - up * up) * cos(angle), sqrt(1.0 - up * up) * sin(angle), up};
    for (int k = 0; k < 3; k++) {
      const double away = JITTER * (2.0 * next_number(&state) - 1.0);
      const double place = ((double)at[k] + 0.5 + away) * DEBYE_MATTER_STEP;
      places[k][2 * n] = (float)place;
      places[k][2 * n + 1] = (float)(place + bond[k]);
    }
    types[2 * n] = N_LIGHT + (uint32_t)((DEBYE_MATTER_TYPES - N_LIGHT) * next_number(&state));
    types[2 * n + 1] = (uint32_t)(N_LIGHT * next_number(&state));
    n++;
  }
}

void
debye_ladder_matter_pair(bool is_oxygen, double repulsion[DEBYE_MATTER_TYPES],
                         double attraction[DEBYE_MATTER_TYPES])
{
  const double epsilon = is_oxygen ? 0.12 : 0.494, sigma = is_oxygen ? 3.03 : 3.99;
  for (int type = 0; type < DEBYE_MATTER_TYPES; type++) {
    const double depth = type < N_LIGHT ? 0.022 + 0.003 * type : 0.07 + 0.012 * (type - N_LIGHT);
    const double width = type < N_LIGHT ? 0.4 + 0.28 * type : 2.9 + 0.07 * (type - N_LIGHT);
    const double e = sqrt(depth * epsilon) / KT, sixth = pow(0.5 * (width + sigma), 6.0);
    repulsion[type] = 4.0 * e * sixth * sixth;
    attraction[type] = 4.0 * e * sixth;
  }
}
