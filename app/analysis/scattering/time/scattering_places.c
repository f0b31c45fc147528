/* SPDX-License-Identifier: MIT */
/* Places of atoms in time, see scattering_places.h. */
#include "scattering_places.h"

#include "data/files/error.h"

void
debye_scattering_places_clear(DebyeScatteringPlaces *places)
{
  g_free(places->x);
  g_free(places->y);
  g_free(places->z);
  g_free(places->species);
}

gboolean
debye_scattering_places_init(DebyeScatteringPlaces *places, DebyeScatteringCourse *course, gsize most,
                             GError **error)
{
  gsize n = course->plan->frames.n_frames * most;
  *places = (DebyeScatteringPlaces){.course = course, .most = most};
  places->x = g_try_new(float, n);
  places->y = g_try_new(float, n);
  places->z = g_try_new(float, n);
  places->species = g_try_new(guint32, most);
  if (places->x != NULL && places->y != NULL && places->z != NULL && places->species != NULL)
    return TRUE;
  g_set_error(error, DEBYE_ERROR, DEBYE_ERROR_MEMORY,
              "Memory limit: no memory for the places of %" G_GSIZE_FORMAT " atoms at %" G_GSIZE_FORMAT
              " times: expected a smaller limit, which takes more passes",
              most, course->plan->frames.n_frames);
  return FALSE;
}

static gboolean
keep_places(gpointer data, DebyeFrame *frame, gsize time, GError **error)
{
  DebyeScatteringPlaces *places = data;
  const guint32 *atoms = places->course->groups.atoms + places->first;
  (void)error;
  for (gsize i = 0; i < places->n; i++) {
    guint32 atom = atoms[i * places->step];
    places->x[time * places->n + i] = frame->x[atom];
    places->y[time * places->n + i] = frame->y[atom];
    places->z[time * places->n + i] = frame->z[atom];
  }
  return TRUE;
}

static void
find_species(DebyeScatteringPlaces *places)
{
  const DebyeScatteringGroups *groups = &places->course->groups;
  guint32 species = 0;
  for (gsize i = 0; i < places->n; i++) {
    while (places->first + i * places->step >= groups->first[species + 1])
      species++;
    places->species[i] = species;
  }
}

gboolean
debye_scattering_places_read(DebyeScatteringPlaces *places, gsize first, gsize step, gsize n, GError **error)
{
  g_return_val_if_fail(n <= places->most, FALSE);
  places->first = first;
  places->step = step;
  places->n = n;
  find_species(places);
  return n == 0 || debye_scattering_course_pass(places->course, TRUE, 0, keep_places, places, error);
}

DebyeSelfBlock
debye_scattering_places_get(const DebyeScatteringPlaces *places, gsize first, gsize n)
{
  return (DebyeSelfBlock){.x = places->x + first,
                          .y = places->y + first,
                          .z = places->z + first,
                          .stride = places->n,
                          .n_atoms = n,
                          .group = places->species + first};
}
