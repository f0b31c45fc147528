/* SPDX-License-Identifier: MIT */
/* The loops of ion_field_block.h, compiled once for each instruction set: TARGET and NAMED are the
 * includer's. No loop below runs a sum over the index that the vectors run over. */

#define DEBYE_ION_LANES 16

static TARGET void
NAMED(add)(const DebyeIonRow *row, float *values)
{
  const float across = (float)debye_ion_across(row->start);
  const double start = row->start[0], step = row->step_x;
  const float charge = row->charge, core2 = row->core2;
  for (int32_t i = 0; i < row->n; i++) {
    const float x = (float)fma((double)i, step, start);
    values[i] = debye_ion_add(values[i], charge, fmaf(x, x, across), core2);
  }
}

/* Squared distances to the nearest images of DEBYE_ION_LANES points from `first` on. */
static TARGET INLINE void
NAMED(find_nearest)(const DebyeIonRow *row, int32_t first, double *square)
{
  const DebyeNearestImage *image = row->image;
  double x[DEBYE_ION_LANES], y[DEBYE_ION_LANES], z[DEBYE_ION_LANES], least[DEBYE_ION_LANES];
  for (int lane = 0; lane < DEBYE_ION_LANES; lane++) {
    const double from[3] = {fma((double)(first + lane), row->step_x, row->start[0]), row->start[1],
                            row->start[2]};
    const double n[3] = {debye_ion_image(image, 0, from[0], from[1], from[2]),
                         debye_ion_image(image, 1, from[0], from[1], from[2]),
                         debye_ion_image(image, 2, from[0], from[1], from[2])};
    x[lane] = debye_ion_without(image, 0, from[0], n);
    y[lane] = debye_ion_without(image, 1, from[1], n);
    z[lane] = debye_ion_without(image, 2, from[2], n);
    square[lane] = fma(z[lane], z[lane], fma(y[lane], y[lane], x[lane] * x[lane]));
    least[lane] = 0.0;
  }
  for (int candidate = 0; candidate < image->n_candidates; candidate++)
    for (int lane = 0; lane < DEBYE_ION_LANES; lane++) {
      const double gain = debye_ion_gain(image, candidate, x[lane], y[lane], z[lane]);
      least[lane] = gain < least[lane] ? gain : least[lane];
    }
  for (int lane = 0; lane < DEBYE_ION_LANES; lane++)
    square[lane] += least[lane];
}

static TARGET void
NAMED(add_nearest)(const DebyeIonRow *row, float *values)
{
  for (int32_t first = 0; first < row->n; first += DEBYE_ION_LANES) {
    const int32_t left = row->n - first, count = left < DEBYE_ION_LANES ? left : DEBYE_ION_LANES;
    double square[DEBYE_ION_LANES];
    NAMED(find_nearest)(row, first, square);
    for (int32_t lane = 0; lane < count; lane++)
      values[first + lane] =
          debye_ion_add(values[first + lane], row->charge, (float)square[lane], row->core2);
  }
}

static TARGET void
NAMED(add_unit)(float charge, const float *unit, int32_t n, float *values)
{
  for (int32_t i = 0; i < n; i++)
    values[i] = fmaf(charge, unit[i], values[i]);
}

static TARGET float
NAMED(find)(const float *values, const uint8_t *open, int32_t n, float sign, size_t *n_open)
{
  float best[DEBYE_ION_LANES];
  int32_t count[DEBYE_ION_LANES] = {0}, first = 0;
  for (int lane = 0; lane < DEBYE_ION_LANES; lane++)
    best[lane] = -INFINITY;
  for (; first + DEBYE_ION_LANES <= n; first += DEBYE_ION_LANES)
    for (int lane = 0; lane < DEBYE_ION_LANES; lane++) {
      const float value = open[first + lane] != 0 ? sign * values[first + lane] : -INFINITY;
      best[lane] = value > best[lane] ? value : best[lane];
      count[lane] += open[first + lane];
    }
  for (int lane = 0; first + lane < n; lane++) {
    const float value = open[first + lane] != 0 ? sign * values[first + lane] : -INFINITY;
    best[lane] = value > best[lane] ? value : best[lane];
    count[lane] += open[first + lane];
  }
  for (int lane = 0; lane < DEBYE_ION_LANES; lane++) {
    best[0] = best[lane] > best[0] ? best[lane] : best[0];
    *n_open += (size_t)count[lane];
  }
  return best[0];
}
