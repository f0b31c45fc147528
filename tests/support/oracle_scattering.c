/* SPDX-License-Identifier: MIT */
/* The definition, as written. */
#include "oracle_scattering.h"

#include <stdlib.h>

static size_t
atom_of(const DebyeScatteringGroups *groups, size_t entry)
{
  return groups->atoms != NULL ? groups->atoms[entry] : entry;
}

static long double
weight_of(const DebyeScatteringGroups *groups, size_t entry)
{
  return groups->weight != NULL ? (long double)groups->weight[entry] : 1.0L;
}

/* Of a larger phase a long double keeps less than a double does of its fraction of a turn. */
#define LARGE_PHASE 1e3L

/* Multiplies by e^{iqx}. The two products are exact where q is a double and x a float; the library reduces
 * any angle exactly. */
static void
turn_by(DebyeOracleAmplitude *term, long double q, long double x)
{
  const long double high = (long double)(float)q, parts[2] = {high * x, (q - high) * x};
  for (int i = 0; i < 2; i++) {
    const long double cosine = cosl(parts[i]), sine = sinl(parts[i]), real = term->real;
    term->real = real * cosine - term->imaginary * sine;
    term->imaginary = real * sine + term->imaginary * cosine;
  }
}

static DebyeOracleAmplitude
term_of(const long double q[3], const DebyeScatteringFrame *frame, size_t atom)
{
  const long double r[3] = {(long double)frame->x[atom], (long double)frame->y[atom],
                            (long double)frame->z[atom]};
  const long double phase = q[0] * r[0] + q[1] * r[1] + q[2] * r[2];
  DebyeOracleAmplitude term = {1.0L, 0.0L};
  if (fabsl(phase) < LARGE_PHASE)
    return (DebyeOracleAmplitude){cosl(phase), sinl(phase)};
  for (int axis = 0; axis < 3; axis++)
    turn_by(&term, q[axis], r[axis]);
  return term;
}

static DebyeOracleAmplitude
sum_group(const DebyeScatteringGroups *groups, size_t group, const DebyeScatteringFrame *frame,
          const long double q[3])
{
  DebyeOracleAmplitude sum = {0.0L, 0.0L};
  for (size_t i = groups->first[group]; i < groups->first[group + 1]; i++) {
    const DebyeOracleAmplitude term = term_of(q, frame, atom_of(groups, i));
    sum.real += weight_of(groups, i) * term.real;
    sum.imaginary += weight_of(groups, i) * term.imaginary;
  }
  return sum;
}

DebyeOracleAmplitude
debye_oracle_amplitude(const DebyeScatteringGroups *groups, size_t group, const DebyeScatteringFrame *frame,
                       DebyeVec3 q)
{
  const long double components[3] = {(long double)q.x, (long double)q.y, (long double)q.z};
  return sum_group(groups, group, frame, components);
}

void
debye_oracle_weights(const DebyeScatteringGroups *groups, size_t group, double *sum, double *square)
{
  *sum = *square = 0.0;
  for (size_t i = groups->first[group]; i < groups->first[group + 1]; i++) {
    const double weight = (double)weight_of(groups, i);
    *sum += fabs(weight);
    *square += weight * weight;
  }
}

static void
cross(const long double u[3], const long double v[3], long double out[3])
{
  out[0] = u[1] * v[2] - u[2] * v[1];
  out[1] = u[2] * v[0] - u[0] * v[2];
  out[2] = u[0] * v[1] - u[1] * v[0];
}

DebyeOracleAmplitude
debye_oracle_lattice(const DebyeScatteringGroups *groups, size_t group, const DebyeScatteringFrame *frame,
                     int h, int k, int l)
{
  const DebyeCell *cell = frame->cell;
  const long double edge[3][3] = {{(long double)cell->a.x, (long double)cell->a.y, (long double)cell->a.z},
                                  {(long double)cell->b.x, (long double)cell->b.y, (long double)cell->b.z},
                                  {(long double)cell->c.x, (long double)cell->c.y, (long double)cell->c.z}};
  const int index[3] = {h, k, l};
  const long double two_pi = 6.283185307179586476925286766559L;
  long double q[3] = {0.0L, 0.0L, 0.0L};
  for (int axis = 0; axis < 3; axis++) {
    long double normal[3];
    cross(edge[(axis + 1) % 3], edge[(axis + 2) % 3], normal);
    long double volume = edge[axis][0] * normal[0] + edge[axis][1] * normal[1] + edge[axis][2] * normal[2];
    for (int i = 0; i < 3; i++)
      q[i] += two_pi * (long double)index[axis] * normal[i] / volume;
  }
  return sum_group(groups, group, frame, q);
}

/* SplitMix64 (Steele, Lea & Flood, OOPSLA 2014). */
static uint64_t
next_random(uint64_t *state)
{
  uint64_t z = *state += 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

static double
next_fraction(uint64_t *state)
{
  return (double)(next_random(state) >> 11) * 0x1p-53;
}

static void
deal_groups(DebyeScatteringSystem *system, size_t n_groups, uint64_t *state)
{
  const size_t n = system->n_atoms;
  size_t at = 0;
  for (size_t g = 0; g < n_groups; g++) {
    system->first[g] = at;
    for (size_t i = g; i < n; i += n_groups)
      system->atoms[at++] = (uint32_t)i;
    for (size_t i = at; i-- > system->first[g] + 1 && n_groups > 1;) {
      size_t j = system->first[g] + (size_t)(next_random(state) % (i - system->first[g] + 1));
      uint32_t other = system->atoms[j];
      system->atoms[j] = system->atoms[i];
      system->atoms[i] = other;
    }
  }
  system->first[n_groups] = at;
}

DebyeScatteringSystem
debye_scattering_system_new(size_t n_atoms, size_t n_groups, DebyeVec3 corner, double edge, bool weighted,
                            uint64_t seed)
{
  DebyeScatteringSystem system = {.n_atoms = n_atoms};
  uint64_t state = seed;
  float **const arrays[] = {&system.x, &system.y, &system.z, &system.weight};
  for (int i = 0; i < 4; i++)
    *arrays[i] = calloc(n_atoms + 1, sizeof **arrays[i]);
  system.atoms = calloc(n_atoms + 1, sizeof *system.atoms);
  system.first = calloc(n_groups + 1, sizeof *system.first);
  for (size_t i = 0; i < n_atoms; i++) {
    system.x[i] = (float)(corner.x + edge * next_fraction(&state));
    system.y[i] = (float)(corner.y + edge * next_fraction(&state));
    system.z[i] = (float)(corner.z + edge * next_fraction(&state));
    system.weight[i] = (float)(next_fraction(&state) * 10.0 - 4.0);
  }
  deal_groups(&system, n_groups, &state);
  system.cell = (DebyeCell){{edge, 0.0, 0.0}, {0.0, edge, 0.0}, {0.0, 0.0, edge}};
  system.frame = (DebyeScatteringFrame){.x = system.x, .y = system.y, .z = system.z};
  system.groups = (DebyeScatteringGroups){.n_groups = n_groups,
                                          .first = system.first,
                                          .atoms = n_groups > 1 ? system.atoms : NULL,
                                          .weight = weighted ? system.weight : NULL};
  return system;
}

void
debye_scattering_system_clear(DebyeScatteringSystem *system)
{
  free(system->x);
  free(system->y);
  free(system->z);
  free(system->weight);
  free(system->atoms);
  free(system->first);
}

void
debye_random_vectors(DebyeVec3 *q, size_t n, double largest, uint64_t seed)
{
  uint64_t state = seed;
  for (size_t i = 0; i < n; i++)
    q[i] = debye_vec3(largest * (2.0 * next_fraction(&state) - 1.0),
                      largest * (2.0 * next_fraction(&state) - 1.0),
                      largest * (2.0 * next_fraction(&state) - 1.0));
}
