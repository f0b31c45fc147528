/* SPDX-License-Identifier: MIT */
/* The places of some atoms at all times, from one pass over the trajectory: what the incoherent part is made
 * of. As many atoms as memory allows; the trajectory itself is never kept. */
#pragma once

#include "kernels/scattering/scattering_self_lanes.h"
#include "scattering_course.h"

G_BEGIN_DECLS

typedef struct {
  DebyeScatteringCourse *course; /* borrowed */
  gsize most, n;                 /* atoms: room for, read */
  gsize first, step;             /* of the entries of the course's groups that they are */
  float *x, *y, *z;              /* Å, [time·n + atom] */
  guint32 *species;              /* of the atoms */
} DebyeScatteringPlaces;

/* FALSE with an error without the memory. */
gboolean debye_scattering_places_init(DebyeScatteringPlaces *places, DebyeScatteringCourse *course,
                                      gsize most, GError **error);
void debye_scattering_places_clear(DebyeScatteringPlaces *places);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(DebyeScatteringPlaces, debye_scattering_places_clear)

/* A pass for `n` atoms: the entries `first`, `first + step` … of the course's groups. None
 * need no pass. FALSE with an error. */
gboolean debye_scattering_places_read(DebyeScatteringPlaces *places, gsize first, gsize step, gsize n,
                                      GError **error);

/* Some of those that were read; they stay the places'. */
DebyeSelfBlock debye_scattering_places_get(const DebyeScatteringPlaces *places, gsize first, gsize n);

G_END_DECLS
