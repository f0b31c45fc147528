/* SPDX-License-Identifier: MIT */
/* The scattering vectors of a run, in shells: each q of the curve is the mean over its vectors.
 * scattering_plan.c asks for them. */
#pragma once

#include <glib-object.h>

#include "data/geometry.h"
#include "scattering_orientation.h"

#define DEBYE_SCATTERING_VECTOR_LABEL "Scattering vector"
#define DEBYE_SCATTERING_MAX_IN_MEMORY 50000000 /* vectors */

/* Values of q in Å⁻¹: "min:max:step", ends included, or a list "0.1,0.2,0.5". Ascending, each once, none
 * negative. NULL with DEBYE_ERROR_SETTING. */
GArray *debye_scattering_parse_q(const char *text, GError **error); /* (element-type double) */

/* A shell's part of the vectors. */
typedef struct {
  double q;       /* Å⁻¹: what was asked for; of lattice shells the mean of its vectors */
  gsize first, n; /* of the vectors */
  double weight;  /* theirs together */
} DebyeScatteringShell;

typedef struct {
  GArray *shells;  /* of DebyeScatteringShell */
  GArray *vectors; /* of DebyeVec3, Å⁻¹ */
  GArray *indices; /* of int[3]: h, k, l of lattice vectors, else NULL */
  GArray *weights; /* double, one a vector: 2 stands for a vector and its opposite, see below */
} DebyeScatteringVectors;

void debye_scattering_vectors_clear(DebyeScatteringVectors *vectors);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(DebyeScatteringVectors, debye_scattering_vectors_clear)

/* For those who make them: without any; a further shell; one more of the shell that was begun last. */
void debye_scattering_vectors_begin(DebyeScatteringVectors *vectors);
void debye_scattering_vectors_begin_shell(DebyeScatteringVectors *vectors, double q);
void debye_scattering_vectors_add(DebyeScatteringVectors *vectors, DebyeVec3 vector, double weight);

/* Some shells of all, by their numbers, into *vectors (all zero before). */
void debye_scattering_vectors_pick(DebyeScatteringVectors *vectors, const DebyeScatteringVectors *all,
                                   const guint *shells, guint n);

/* Shells of the wanted q with directions of the orientation (SPHERE, RANDOM, CYLINDER, NONE). A q of 0 is one
 * vector. `seed` is RANDOM's. Where a cylinder's axial part is more than a q, DEBYE_ERROR_VALUE. */
gboolean debye_scattering_vectors_make(DebyeScatteringVectors *vectors, const GArray *q,
                                       const DebyeOrientation *orientation, guint64 seed, GError **error);

/* Vectors of a file: rows of three numbers, “#” begins a comment. With q they are directions, scaled to each;
 * without they are vectors, each a shell of its own. Errors name the file and line. */
gboolean debye_scattering_vectors_read(DebyeScatteringVectors *vectors, const char *path, const GArray *q,
                                       GError **error);

/* All vectors 2π(ha* + kb* + lc*) of a cell with |q| nearer to a wanted q than half way to its nearest
 * neighbour, of each pair of opposite ones one (weight 2: real weights scatter alike into both) unless
 * `both`. A shell without any is left out. DEBYE_ERROR_LIMIT where there are more than `limit`. The list is shared with those
 * who asked for the same before: `owner` keeps the last one. From any thread. */
gboolean debye_scattering_vectors_lattice(DebyeScatteringVectors *vectors, GObject *owner,
                                          const DebyeCell *cell, const GArray *q, gboolean both, gsize limit,
                                          GError **error);

/* Reflections "h,k,l" of a cell, a shell each: the values of a repeated setting. Errors begin with its label.
 */
gboolean debye_scattering_vectors_reflections(DebyeScatteringVectors *vectors, const DebyeCell *cell,
                                              const char *text, GError **error);

/* At most `max_per_shell` vectors of each shell, chosen at random and kept in order: a mean over some is one over all,
 * with more noise. How many were there before is returned. */
gsize debye_scattering_vectors_thin(DebyeScatteringVectors *vectors, gsize max_per_shell, guint64 seed);

/* The vector of indices h, k, l in a cell: Å⁻¹. */
DebyeVec3 debye_reciprocal_vector(const DebyeCell *cell, const int indices[3]);
/* Whether a vector is on the cell's reciprocal lattice, within 1e-4 of an index. */
gboolean debye_reciprocal_lattice_has(const DebyeCell *cell, DebyeVec3 q);
