/* SPDX-License-Identifier: MIT */
/* Sums products of amplitudes over frames; every method adds to them. */
#include "scattering_sums.h"

#include <math.h>

struct _DebyeScatteringSums {
  gsize n_q, n_species, n_values; /* values: pairs × q */
  DebyeFrameBlocks expected;
  gsize n_frames, n_behind; /* of all frames that are expected, these have been seen */
  gsize *in_block;          /* frames that each block has */
  double volume;
  double complex *total;  /* (1 + n_blocks) × n_values: that of all frames, then those of the blocks */
  double complex *blocks; /* within them; NULL: none */
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
  sums->in_block = g_new0(gsize, sums->expected.n_blocks + 1);
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
  g_free(sums->in_block);
  g_free(sums->total);
  g_free(sums);
}

void
debye_scattering_sums_add(DebyeScatteringSums *sums, gsize first, const double complex *products,
                          gsize n_frames, double volume_sum)
{
  const gsize number = sums->blocks != NULL ? debye_frame_blocks_find(sums->expected, first) : 0;
  double complex *block = sums->blocks != NULL ? sums->blocks + number * sums->n_values : NULL;
  for (gsize i = 0; i < sums->n_values; i++) {
    sums->total[i] += products[i];
    if (block != NULL)
      block[i] += products[i];
  }
  sums->n_frames += n_frames;
  sums->volume += volume_sum;
  sums->in_block[number] += n_frames;
}

void
debye_scattering_sums_reach(DebyeScatteringSums *sums, gsize frame)
{
  sums->n_behind = frame;
}

void
debye_scattering_sums_list_state(DebyeScatteringSums *sums, DebyeFrameState *state)
{
  debye_frame_state_add(state, "sums", DEBYE_STATE_SUM, (double *)sums->total,
                        2 * (1 + sums->expected.n_blocks) * sums->n_values);
  debye_frame_state_add_counts(state, "blocks", DEBYE_STATE_SUM, (guint64 *)sums->in_block,
                               sums->expected.n_blocks + 1);
  debye_frame_state_add_counts(state, "summed", DEBYE_STATE_SUM, (guint64 *)&sums->n_frames, 1);
  debye_frame_state_add_counts(state, "reached", DEBYE_STATE_KEPT, (guint64 *)&sums->n_behind, 1);
  debye_frame_state_add(state, "cell_volumes", DEBYE_STATE_SUM, &sums->volume, 1);
}

/* Has frames, and no more are to come. */
static gboolean
is_whole(const DebyeScatteringSums *sums, gsize block)
{
  return sums->in_block[block] > 0 && debye_frame_blocks_begin(sums->expected, block + 1) <= sums->n_behind;
}

gsize
debye_scattering_sums_get_n_blocks(const DebyeScatteringSums *sums)
{
  gsize n_whole = 0;
  for (gsize i = 0; i < sums->expected.n_blocks; i++)
    n_whole += is_whole(sums, i);
  return n_whole;
}

DebyeFrameBlocks
debye_scattering_sums_get_blocks(const DebyeScatteringSums *sums)
{
  return sums->expected;
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
  return weigh_all(sums, sums->blocks + block * sums->n_values, weights, k) / (double)sums->in_block[block];
}

/* The standard error of the mean of the whole blocks. */
static double
error_of_blocks(const DebyeScatteringSums *sums, const double complex *weights, gsize k)
{
  double sum = 0.0, squares = 0.0, n = (double)debye_scattering_sums_get_n_blocks(sums);
  if (n < 2.0)
    return NAN;
  for (gsize i = 0; i < sums->expected.n_blocks; i++)
    sum += is_whole(sums, i) ? mean_of_block(sums, weights, i, k) : 0.0;
  for (gsize i = 0; i < sums->expected.n_blocks; i++) {
    const double apart = is_whole(sums, i) ? mean_of_block(sums, weights, i, k) - sum / n : 0.0;
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
