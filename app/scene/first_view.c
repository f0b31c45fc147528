/* SPDX-License-Identifier: MIT */
/* Implementation of first_view.h. */
#include "first_view.h"

#include "data/selection/selection.h"

#define LEAST_LENGTH \
  3.0 /* variance along the long axis over that along the next: of lysozyme it is 2.3, of a helix 6 */
#define MOST_ALONG \
  0.6 /* cosine of the angle of that axis and the line of sight: of its length 4/5 are seen */

/* --- The long axis --- */

/* What lipids and ligands lie around, where there is any. */
static GArray *
choose_subject(DebyeTopology *topology, const DebyeFrame *frame)
{
  static const char *const texts[] = {"protein or nucleic", "not (water or ion)"};
  for (gsize i = 0; i < G_N_ELEMENTS(texts); i++) {
    g_autoptr(DebyeSelection) selection = debye_selection_parse(texts[i], NULL, NULL);
    g_autoptr(GArray) atoms = debye_selection_evaluate(selection, topology, frame, NULL);
    if (atoms != NULL && atoms->len > 0)
      return g_steal_pointer(&atoms);
  }
  return g_array_new(FALSE, FALSE, sizeof(guint32));
}

static gboolean
get_place(const DebyeFrame *frame, guint32 atom, double place[3])
{
  place[0] = (double)frame->x[atom];
  place[1] = (double)frame->y[atom];
  place[2] = (double)frame->z[atom];
  return isfinite(place[0] + place[1] + place[2]);
}

/* The places' covariance. */
static void
find_spread(const GArray *atoms, const DebyeFrame *frame, double spread[3][3])
{
  double place[3], middle[3] = {0}, n = 0.0;
  for (guint i = 0; i < atoms->len; i++)
    if (get_place(frame, g_array_index(atoms, guint32, i), place)) {
      n += 1.0;
      for (int a = 0; a < 3; a++)
        middle[a] += (place[a] - middle[a]) / n;
    }
  for (guint i = 0; i < atoms->len; i++)
    if (get_place(frame, g_array_index(atoms, guint32, i), place))
      for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++)
          spread[a][b] += (place[a] - middle[a]) * (place[b] - middle[b]) / n;
}

/* The largest two of a symmetric matrix (O. K. Smith, Commun. ACM 4 (1961) 168). */
static void
find_largest(double m[3][3], double largest[2])
{
  const double mean = (m[0][0] + m[1][1] + m[2][2]) / 3.0;
  const double a = m[0][0] - mean, b = m[1][1] - mean, c = m[2][2] - mean;
  const double d = m[0][1], e = m[0][2], f = m[1][2];
  const double p = sqrt((a * a + b * b + c * c + 2.0 * (d * d + e * e + f * f)) / 6.0);
  const double half = 0.5 * (a * (b * c - f * f) - d * (d * c - f * e) + e * (d * f - b * e));
  const double angle = p > 0.0 ? acos(CLAMP(half / (p * p * p), -1.0, 1.0)) / 3.0 : 0.0;
  largest[0] = mean + 2.0 * p * cos(angle);
  largest[1] = 3.0 * mean - largest[0] - (mean + 2.0 * p * cos(angle + 2.0 * G_PI / 3.0));
}

/* Both rows are at a right angle to it, but for those that are zero or along one line: of three pairs, one is best. */
static DebyeVec3
find_axis(double m[3][3], double value)
{
  DebyeVec3 rows[3], axis = {0};
  for (int a = 0; a < 3; a++)
    rows[a] = debye_vec3(m[a][0] - (a == 0 ? value : 0.0), m[a][1] - (a == 1 ? value : 0.0),
                         m[a][2] - (a == 2 ? value : 0.0));
  for (int a = 0; a < 3; a++) {
    const DebyeVec3 product = debye_vec3_cross(rows[a], rows[(a + 1) % 3]);
    if (debye_vec3_length(product) > debye_vec3_length(axis))
      axis = product;
  }
  return axis;
}

/* FALSE: none is longer than the others. */
static gboolean
find_long_axis(DebyeTopology *topology, const DebyeFrame *frame, DebyeVec3 *axis)
{
  double spread[3][3] = {{0}}, largest[2];
  g_autoptr(GArray) atoms = choose_subject(topology, frame);
  find_spread(atoms, frame, spread);
  find_largest(spread, largest);
  *axis = find_axis(spread, largest[0]);
  const double length = debye_vec3_length(*axis);
  if (!(largest[0] > LEAST_LENGTH * largest[1] && length > 0.0))
    return FALSE;
  *axis = debye_vec3_scale(*axis, 1.0 / length);
  return TRUE;
}

/* --- The camera --- */

void
debye_first_view_turn(DebyeCamera *camera, DebyeTopology *topology, const DebyeFrame *frame)
{
  DebyeVec3 axis;
  if (topology == NULL || frame == NULL || !find_long_axis(topology, frame, &axis))
    return;
  vec3 seen = {(float)axis.x, (float)axis.y, (float)axis.z}, across = {1.0f, 0.0f, 0.0f};
  glm_quat_rotatev(camera->orientation, seen, seen);
  if (fabs((double)seen[2]) <= MOST_ALONG)
    return;
  if (seen[0] < 0.0f)
    glm_vec3_negate(seen);
  versor turn, turned;
  glm_quat_from_vecs(seen, across, turn);
  glm_quat_mul(turn, camera->orientation, turned);
  glm_quat_normalize_to(turned, camera->orientation);
}
