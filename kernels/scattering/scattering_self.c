/* SPDX-License-Identifier: MIT */
/* What every back end of self scattering does before it starts: its arguments checked; and the parts that
 * need no device. */
#include "scattering_self.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static DebyeStatusCode
check_vectors(const DebyeSelfSettings *settings, DebyeStatus *status)
{
  if (settings->n_vectors == 0)
    return debye_status_set(status, DEBYE_STATUS_INVALID, "There is no vector q to compute.");
  for (size_t i = 0; i < settings->n_vectors; i++) {
    const double length = debye_vec3_length(settings->vectors[i]);
    if (!(length <= DEBYE_SELF_LONGEST_VECTOR))
      return debye_status_set(status, DEBYE_STATUS_INVALID,
                              "Vector q number %zu is %g 1/Å long; at most %g are possible.", i + 1, length,
                              DEBYE_SELF_LONGEST_VECTOR);
  }
  return debye_status_ok(status);
}

DebyeStatusCode
debye_self_settings_check(const DebyeSelfSettings *settings, DebyeStatus *status)
{
  if (settings->n_frames == 0 || settings->n_frames > DEBYE_SELF_MAX_FRAMES)
    return debye_status_set(status, DEBYE_STATUS_INVALID,
                            "Self scattering of %zu frames was asked for; 1 to %zu are possible.",
                            settings->n_frames, DEBYE_SELF_MAX_FRAMES);
  if ((unsigned)settings->signal > DEBYE_SIGNAL_PLAIN)
    return debye_status_set(status, DEBYE_STATUS_INVALID, "There is no signal processing number %d.",
                            (int)settings->signal);
  if (settings->n_groups == 0 || settings->n_groups > DEBYE_SELF_MAX_GROUPS)
    return debye_status_set(status, DEBYE_STATUS_INVALID,
                            "There are %zu groups of atoms; there must be from 1 to %d.", settings->n_groups,
                            DEBYE_SELF_MAX_GROUPS);
  if (settings->max_atoms == 0 || settings->max_atoms > SIZE_MAX / 64 / settings->n_frames)
    return debye_status_set(status, DEBYE_STATUS_INVALID,
                            "A block of %zu atoms and %zu frames is not possible.", settings->max_atoms,
                            settings->n_frames);
  return check_vectors(settings, status);
}

DebyeStatusCode
debye_self_block_check(const DebyeSelfSettings *settings, const DebyeSelfBlock *block, DebyeStatus *status)
{
  if (block->n_atoms > settings->max_atoms || block->n_atoms > block->stride)
    return debye_status_set(status, DEBYE_STATUS_INVALID,
                            "%zu atoms were given; the plan holds %zu, in frames of %zu.", block->n_atoms,
                            settings->max_atoms, block->stride);
  for (size_t i = 0; i < block->n_atoms && block->group != NULL; i++)
    if (block->group[i] >= settings->n_groups)
      return debye_status_set(status, DEBYE_STATUS_INVALID,
                              "Atom %zu is in group %u, but there are only %zu.", i + 1, block->group[i],
                              settings->n_groups);
  for (size_t i = 0; i < block->n_atoms && block->length != NULL; i++)
    if (!isfinite(block->length[2 * i]) || !isfinite(block->length[2 * i + 1]))
      return debye_status_set(status, DEBYE_STATUS_INVALID,
                              "Atom %zu has the scattering length %g + %gi fm, which is not a finite number.",
                              i + 1, block->length[2 * i], block->length[2 * i + 1]);
  return debye_status_ok(status);
}

static bool
is_usable(float x)
{
  return fabsf(x) <= (float)DEBYE_SELF_FARTHEST;
}

/* Without a branch in the loop, and with a flag as wide as a float, so that it becomes one of vectors. */
static bool
all_are_usable(const float *x, size_t n)
{
  unsigned bad = 0;
  for (size_t i = 0; i < n; i++)
    bad |= !is_usable(x[i]);
  return bad == 0;
}

bool
debye_self_copy_places(const float *restrict from, size_t n, float *restrict to)
{
  unsigned bad = 0;
  for (size_t i = 0; i < n; i++) {
    to[i] = from[i];
    bad |= !is_usable(from[i]);
  }
  return bad == 0;
}

static DebyeStatusCode
name_position(const DebyeSelfBlock *block, size_t frame, DebyeStatus *status)
{
  const size_t row = frame * block->stride;
  size_t i = 0;
  while (i + 1 < block->n_atoms && is_usable(block->x[row + i]) && is_usable(block->y[row + i]) &&
         is_usable(block->z[row + i]))
    i++;
  return debye_status_set(
      status, DEBYE_STATUS_INVALID,
      "Atom %zu of frame %zu is at (%g, %g, %g) Å, and only numbers up to %g are possible.", i + 1, frame + 1,
      (double)block->x[row + i], (double)block->y[row + i], (double)block->z[row + i], DEBYE_SELF_FARTHEST);
}

DebyeStatusCode
debye_self_positions_check(const DebyeSelfBlock *block, size_t first, size_t count, DebyeStatus *status)
{
  for (size_t t = first; t < first + count; t++) {
    const size_t row = t * block->stride;
    if (!all_are_usable(block->x + row, block->n_atoms) || !all_are_usable(block->y + row, block->n_atoms) ||
        !all_are_usable(block->z + row, block->n_atoms))
      return name_position(block, t, status);
  }
  return debye_status_ok(status);
}

void
debye_self_positions_name(const DebyeSelfBlock *block, size_t n_frames, DebyeStatus *status)
{
  DebyeStatus named = {0};
  if (debye_self_positions_check(block, 0, n_frames, &named) == DEBYE_STATUS_INVALID && status != NULL)
    *status = named;
}

DebyeSelfBlock
debye_self_block_part(const DebyeSelfBlock *block, size_t part, size_t n_parts)
{
  const size_t first = block->n_atoms * part / n_parts, end = block->n_atoms * (part + 1) / n_parts;
  DebyeSelfBlock piece = *block;
  piece.x += first;
  piece.y += first;
  piece.z += first;
  piece.n_atoms = end - first;
  piece.group = block->group != NULL ? block->group + first : NULL;
  piece.length = block->length != NULL ? block->length + 2 * first : NULL;
  return piece;
}

double
debye_self_weight(const DebyeSelfBlock *block, size_t atom)
{
  if (block->length == NULL)
    return 1.0;
  const double *b = block->length + 2 * atom;
  return b[0] * b[0] + b[1] * b[1];
}

static size_t
group_of(const DebyeSelfBlock *block, size_t atom)
{
  return block->group != NULL ? block->group[atom] : 0;
}

void
debye_self_sort_atoms(const DebyeSelfBlock *block, size_t n_groups, uint32_t *order, size_t *group_end)
{
  memset(group_end, 0, n_groups * sizeof *group_end);
  for (size_t i = 0; i < block->n_atoms; i++)
    group_end[group_of(block, i)]++;
  for (size_t group = 0, first = 0; group < n_groups; group++) {
    const size_t count = group_end[group];
    group_end[group] = first;
    first += count;
  }
  for (size_t i = 0; i < block->n_atoms; i++)
    order[group_end[group_of(block, i)]++] = (uint32_t)i;
}

void
debye_self_square(const DebyeSelfSettings *settings, const DebyeSelfBlock *block, size_t count, double *f,
                  double *fq2)
{
  const size_t n_frames = settings->n_frames, n_values = 2 * n_frames * settings->n_groups;
  memset(f, 0, count * n_values * sizeof *f);
  if (fq2 != NULL)
    memset(fq2, 0, count * settings->n_groups * sizeof *fq2);
  for (size_t i = 0; i < block->n_atoms; i++) {
    const size_t group = group_of(block, i);
    const double weight = debye_self_weight(block, i);
    f[2 * n_frames * group] += weight;
    if (fq2 != NULL)
      fq2[group] += weight * weight;
  }
  for (size_t group = 0; group < settings->n_groups; group++)
    for (size_t t = 1; t < n_frames; t++)
      f[2 * (n_frames * group + t)] = f[2 * n_frames * group];
  for (size_t i = 1; i < count; i++) {
    memcpy(f + i * n_values, f, n_values * sizeof *f);
    if (fq2 != NULL)
      memcpy(fq2 + i * settings->n_groups, fq2, settings->n_groups * sizeof *fq2);
  }
}

void
debye_self_roots(size_t length, double *root)
{
  for (size_t k = 0; k < length; k++) {
    const double turn = 2.0 * 3.14159265358979323846 * (double)k / (double)length;
    root[2 * k] = cos(turn);
    root[2 * k + 1] = sin(turn);
  }
}

size_t
debye_self_length(size_t n_frames)
{
  size_t length = 2;
  while (length < 2 * n_frames - 1)
    length *= 2;
  return length;
}

/* Places with their bits reversed, as the transform below wants them. */
static void
reverse_places(double *values, size_t length)
{
  for (size_t i = 0, j = 0; i < length; i++) {
    if (i < j) {
      const double re = values[2 * i], im = values[2 * i + 1];
      values[2 * i] = values[2 * j];
      values[2 * i + 1] = values[2 * j + 1];
      values[2 * j] = re;
      values[2 * j + 1] = im;
    }
    size_t bit = length / 2;
    for (; bit > 0 && (j & bit) != 0; bit /= 2)
      j ^= bit;
    j |= bit;
  }
}

/* Backward in place, for one vector a plan: not worth a library. */
static void
transform_back(double *values, const double *root, size_t length)
{
  reverse_places(values, length);
  for (size_t half = 1; half < length; half *= 2)
    for (size_t first = 0; first < length; first += 2 * half)
      for (size_t i = 0; i < half; i++) {
        const double *w = root + 2 * (length / 2 / half * i);
        double *low = values + 2 * (first + i), *high = low + 2 * half;
        const double re = w[0] * high[0] - w[1] * high[1], im = w[0] * high[1] + w[1] * high[0];
        high[0] = low[0] - re;
        high[1] = low[1] - im;
        low[0] += re;
        low[1] += im;
      }
}

void
debye_self_mean_weights(size_t n_frames, size_t length, const double *root, double *weights)
{
  memset(weights, 0, 2 * length * sizeof *weights);
  for (size_t tau = 0; tau < n_frames; tau++)
    weights[2 * tau] = 1.0 / ((double)(n_frames - tau) * (double)n_frames * (double)length);
  transform_back(weights, root, length);
}
