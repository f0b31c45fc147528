/* SPDX-License-Identifier: MIT */
/* Products of amplitudes over frames, see scattering_sums.h. */
#include "scattering_sums.h"

#include <math.h>
#include <string.h>

struct _DebyeScatteringSums {
  gsize n_q, n_species, n_values; /* values: pairs × q */
  DebyeFrameBlocks expected;
  gsize n_frames, n_in_block, n_done; /* done: blocks */
  double volume;
  double complex *total;  /* (1 + n_blocks) × n_values: that of all frames, then those of the blocks */
  double complex *blocks; /* within them: sums, of the whole blocks and the one at hand; NULL: none */
};

DebyeScatteringSums *
debye_scattering_sums_new(gsize n_q, gsize n_species, DebyeFrameBlocks blocks)
{
  DebyeScatteringSums *sums = g_new0(DebyeScatteringSums, 1);
  sums->n_q = n_q;
  sums->n_species = n_species;
  sums->n_values = n_q * debye_scattering_n_pairs(n_species);
  sums->expected = blocks;
  sums->total = g_try_new0(double complex, (1 + sums->expected.n_blocks) * sums->n_values);
  if (sums->total == NULL) {
    debye_scattering_sums_free(sums);
    return NULL;
  }
  sums->blocks = sums->expected.n_blocks > 0 ? sums->total + sums->n_values : NULL;
  return sums;
}

void
debye_scattering_sums_free(DebyeScatteringSums *sums)
{
  g_free(sums->total);
  g_free(sums);
}

gsize
debye_scattering_sums_get_room(const DebyeScatteringSums *sums)
{
  return sums->n_done < sums->expected.n_blocks
             ? debye_frame_blocks_length(sums->expected, sums->n_done) - sums->n_in_block
             : G_MAXSIZE;
}

void
debye_scattering_sums_add(DebyeScatteringSums *sums, const double complex *products, gsize n_frames,
                          double volume_sum)
{
  double complex *block =
      sums->n_done < sums->expected.n_blocks ? sums->blocks + sums->n_done * sums->n_values : NULL;
  g_return_if_fail(n_frames <= debye_scattering_sums_get_room(sums));
  for (gsize i = 0; i < sums->n_values; i++) {
    sums->total[i] += products[i];
    if (block != NULL)
      block[i] += products[i];
  }
  sums->n_frames += n_frames;
  sums->volume += volume_sum;
  sums->n_in_block += n_frames;
  if (block == NULL || debye_scattering_sums_get_room(sums) > 0)
    return;
  sums->n_done++;
  sums->n_in_block = 0;
}

void
debye_scattering_sums_begin_at(DebyeScatteringSums *sums, gsize number)
{
  if (sums->expected.n_blocks == 0)
    return;
  sums->n_done = debye_frame_blocks_find(sums->expected, number);
  sums->n_in_block = number - debye_frame_blocks_begin(sums->expected, sums->n_done);
}

void
debye_scattering_sums_share(DebyeScatteringSums *sums, const DebyeRanks *ranks)
{
  double scalars[] = {(double)sums->n_frames, sums->volume};
  ranks->sum(scalars, G_N_ELEMENTS(scalars));
  ranks->sum((double *)sums->total, 2 * (1 + sums->expected.n_blocks) * sums->n_values);
  sums->n_frames = (gsize)scalars[0];
  sums->volume = scalars[1];
  sums->n_done = sums->n_frames == sums->expected.n_frames ? sums->expected.n_blocks : 0;
}

void
debye_scattering_sums_clear(DebyeScatteringSums *sums)
{
  memset(sums->total, 0, (1 + sums->expected.n_blocks) * sums->n_values * sizeof *sums->total);
  sums->n_frames = sums->n_in_block = sums->n_done = 0;
  sums->volume = 0.0;
}

const double complex *
debye_scattering_sums_peek(const DebyeScatteringSums *sums, gsize *n_parts, gsize *n_values)
{
  *n_parts = 1 + sums->expected.n_blocks;
  *n_values = sums->n_values;
  return sums->total;
}

void
debye_scattering_sums_restore(DebyeScatteringSums *sums, const double complex *values, gsize n_frames,
                              double volume)
{
  memcpy(sums->total, values, (1 + sums->expected.n_blocks) * sums->n_values * sizeof *sums->total);
  sums->n_frames = n_frames;
  sums->volume = volume * (double)n_frames;
  debye_scattering_sums_begin_at(sums, n_frames);
}

gsize
debye_scattering_sums_get_n_blocks(const DebyeScatteringSums *sums)
{
  return sums->n_done;
}

double
debye_scattering_sums_get_volume(const DebyeScatteringSums *sums)
{
  return sums->n_frames > 0 ? sums->volume / (double)sums->n_frames : 0.0;
}

double complex
debye_scattering_sums_get_product(const DebyeScatteringSums *sums, gsize pair, gsize k)
{
  return sums->n_frames > 0 ? sums->total[pair * sums->n_q + k] / (double)sums->n_frames : 0.0;
}

double complex *
debye_scattering_weights(const DebyeScatterers *scatterers, const double *q, gsize n_q)
{
  guint n_species = scatterers->species->len;
  double complex *weights = g_new(double complex, n_species *n_q);
  for (guint s = 0; s < n_species; s++)
    for (gsize k = 0; k < n_q; k++)
      weights[s * n_q + k] = debye_scatterers_coherent(scatterers, s, q[k]);
  return weights;
}

/* Both orders of a pair: A_b A_a* is the conjugate of A_a A_b*. */
static double
weigh(const DebyeScatteringSums *sums, const double complex *products, const double complex *weights, gsize a,
      gsize b, gsize k)
{
  double complex product = products[debye_scattering_pair(sums->n_species, a, b) * sums->n_q + k];
  double once = creal(weights[a * sums->n_q + k] * conj(weights[b * sums->n_q + k]) * product);
  return a == b ? once : 2.0 * once;
}

static double
weigh_all(const DebyeScatteringSums *sums, const double complex *products, const double complex *weights,
          gsize k)
{
  double sum = 0.0;
  for (gsize a = 0; a < sums->n_species; a++)
    for (gsize b = a; b < sums->n_species; b++)
      sum += weigh(sums, products, weights, a, b, k);
  return sum;
}

static double
mean_of_block(const DebyeScatteringSums *sums, const double complex *weights, gsize block, gsize k)
{
  return weigh_all(sums, sums->blocks + block * sums->n_values, weights, k) /
         (double)debye_frame_blocks_length(sums->expected, block);
}

/* The standard error of the mean of the whole blocks. */
static double
error_of_blocks(const DebyeScatteringSums *sums, const double complex *weights, gsize k)
{
  double sum = 0.0, squares = 0.0, n = (double)sums->n_done;
  if (sums->n_done < 2)
    return NAN;
  for (gsize i = 0; i < sums->n_done; i++)
    sum += mean_of_block(sums, weights, i, k);
  for (gsize i = 0; i < sums->n_done; i++) {
    const double apart = mean_of_block(sums, weights, i, k) - sum / n;
    squares += apart * apart;
  }
  return sqrt(squares / (n * (n - 1.0)));
}

void
debye_scattering_sums_get_intensity(const DebyeScatteringSums *sums, const double complex *weights,
                                    double *intensity, double *error)
{
  for (gsize k = 0; k < sums->n_q; k++) {
    intensity[k] =
        sums->n_frames > 0 ? weigh_all(sums, sums->total, weights, k) / (double)sums->n_frames : NAN;
    if (error != NULL)
      error[k] = error_of_blocks(sums, weights, k);
  }
}

void
debye_scattering_sums_get_partial(const DebyeScatteringSums *sums, const double complex *weights, gsize a,
                                  gsize b, double *intensity)
{
  for (gsize k = 0; k < sums->n_q; k++)
    intensity[k] =
        sums->n_frames > 0 ? weigh(sums, sums->total, weights, a, b, k) / (double)sums->n_frames : NAN;
}
