/* SPDX-License-Identifier: MIT */
/* Superposition by unit quaternions: the best rotation is the eigenvector of the largest eigenvalue of a
 * symmetric 4×4 matrix, which gives a proper rotation in every case, planar and linear molecules included. */
#include "superpose.h"

#include "data/files/error.h"
#include "periodic.h"

#define MAXIMUM_SWEEPS 60

/* What both frames have of the atoms that count: centres, and the weighted sums of products about them. */
typedef struct {
  double weight;
  DebyeVec3 center, reference_center;
  double product[3][3]; /* Σ w·p_a·q_b, p of the frame and q of the reference */
} Moments;

typedef struct {
  const DebyeFrame *frame, *reference;
  const guint32 *atoms;
  gsize n_atoms;
  const float *weights;
} Pairs;

static gboolean
get_pair(const Pairs *pairs, gsize k, DebyeVec3 *p, DebyeVec3 *q, double *weight)
{
  gsize atom = pairs->atoms ? pairs->atoms[k] : k;
  *p = debye_frame_get_position(pairs->frame, atom);
  *q = debye_frame_get_position(pairs->reference, atom);
  *weight = pairs->weights ? (double)pairs->weights[atom] : 1.0;
  return debye_vec3_is_finite(*p) && debye_vec3_is_finite(*q) && *weight > 0.0;
}

static void
add_centers(const Pairs *pairs, Moments *moments)
{
  DebyeVec3 p, q;
  double weight;
  for (gsize k = 0; k < pairs->n_atoms; k++)
    if (get_pair(pairs, k, &p, &q, &weight)) {
      moments->weight += weight;
      moments->center = debye_vec3_add(moments->center, debye_vec3_scale(p, weight));
      moments->reference_center = debye_vec3_add(moments->reference_center, debye_vec3_scale(q, weight));
    }
  moments->center = debye_vec3_scale(moments->center, 1.0 / moments->weight);
  moments->reference_center = debye_vec3_scale(moments->reference_center, 1.0 / moments->weight);
}

static void
add_products(const Pairs *pairs, Moments *moments)
{
  DebyeVec3 p, q;
  double weight;
  for (gsize k = 0; k < pairs->n_atoms; k++)
    if (get_pair(pairs, k, &p, &q, &weight)) {
      p = debye_vec3_scale(debye_vec3_subtract(p, moments->center), weight);
      q = debye_vec3_subtract(q, moments->reference_center);
      double u[3] = {p.x, p.y, p.z}, v[3] = {q.x, q.y, q.z};
      for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++)
          moments->product[a][b] += u[a] * v[b];
    }
}

/* Horn's symmetric matrix, whose quadratic form in the quaternion is what the rotation must make largest. */
static void
quaternion_matrix(const Moments *moments, double n[4][4])
{
  const double(*s)[3] = moments->product;
  double xx = s[0][0], yy = s[1][1], zz = s[2][2];
  n[0][0] = xx + yy + zz;
  n[1][1] = xx - yy - zz;
  n[2][2] = -xx + yy - zz;
  n[3][3] = -xx - yy + zz;
  n[0][1] = n[1][0] = s[1][2] - s[2][1];
  n[0][2] = n[2][0] = s[2][0] - s[0][2];
  n[0][3] = n[3][0] = s[0][1] - s[1][0];
  n[1][2] = n[2][1] = s[0][1] + s[1][0];
  n[1][3] = n[3][1] = s[0][2] + s[2][0];
  n[2][3] = n[3][2] = s[1][2] + s[2][1];
}

/* One Jacobi rotation in the plane (p, q): makes n[p][q] zero, turns the columns of the eigenvectors with it.
 */
static void
jacobi_rotate(double n[4][4], double vectors[4][4], int p, int q)
{
  double theta = (n[q][q] - n[p][p]) / (2.0 * n[p][q]);
  double t = (theta >= 0.0 ? 1.0 : -1.0) / (fabs(theta) + sqrt(theta * theta + 1.0));
  double c = 1.0 / sqrt(t * t + 1.0), s = t * c;
  for (int k = 0; k < 4; k++) {
    double first = n[k][p], second = n[k][q];
    n[k][p] = c * first - s * second;
    n[k][q] = s * first + c * second;
  }
  for (int k = 0; k < 4; k++) {
    double first = n[p][k], second = n[q][k];
    n[p][k] = c * first - s * second;
    n[q][k] = s * first + c * second;
    first = vectors[k][p], second = vectors[k][q];
    vectors[k][p] = c * first - s * second;
    vectors[k][q] = s * first + c * second;
  }
}

static void
largest_eigenvector(double n[4][4], double quaternion[4])
{
  double vectors[4][4] = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}};
  double scale = 0.0;
  for (int p = 0; p < 4; p++)
    for (int q = 0; q < 4; q++)
      scale = fmax(scale, fabs(n[p][q]));
  gboolean changed = TRUE;
  for (int sweep = 0; changed && sweep < MAXIMUM_SWEEPS; sweep++) {
    changed = FALSE;
    for (int p = 0; p < 3; p++)
      for (int q = p + 1; q < 4; q++)
        if (fabs(n[p][q]) > 1e-17 * scale) {
          jacobi_rotate(n, vectors, p, q);
          changed = TRUE;
        }
  }
  int largest = 0;
  for (int k = 1; k < 4; k++)
    if (n[k][k] > n[largest][largest])
      largest = k;
  for (int k = 0; k < 4; k++)
    quaternion[k] = vectors[k][largest];
}

static void
quaternion_to_rotation(const double q[4], double r[3][3])
{
  double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  double w = q[0] / length, x = q[1] / length, y = q[2] / length, z = q[3] / length;
  r[0][0] = w * w + x * x - y * y - z * z;
  r[1][1] = w * w - x * x + y * y - z * z;
  r[2][2] = w * w - x * x - y * y + z * z;
  r[0][1] = 2.0 * (x * y - w * z);
  r[1][0] = 2.0 * (x * y + w * z);
  r[0][2] = 2.0 * (x * z + w * y);
  r[2][0] = 2.0 * (x * z - w * y);
  r[1][2] = 2.0 * (y * z - w * x);
  r[2][1] = 2.0 * (y * z + w * x);
}

static DebyeVec3
rotate(const double r[3][3], DebyeVec3 v)
{
  return debye_vec3(r[0][0] * v.x + r[0][1] * v.y + r[0][2] * v.z,
                    r[1][0] * v.x + r[1][1] * v.y + r[1][2] * v.z,
                    r[2][0] * v.x + r[2][1] * v.y + r[2][2] * v.z);
}

static DebyeVec3
map_position(const DebyeSuperposition *superposition, DebyeVec3 position)
{
  DebyeVec3 relative = debye_vec3_subtract(position, superposition->from);
  return debye_vec3_add(rotate(superposition->rotation, relative), superposition->to);
}

static double
remaining_rmsd(const Pairs *pairs, const DebyeSuperposition *superposition)
{
  DebyeVec3 p, q;
  double weight, sum = 0.0, total = 0.0;
  for (gsize k = 0; k < pairs->n_atoms; k++)
    if (get_pair(pairs, k, &p, &q, &weight)) {
      DebyeVec3 mapped = map_position(superposition, p);
      DebyeVec3 difference = debye_vec3_subtract(mapped, q);
      sum += weight * debye_vec3_dot(difference, difference);
      total += weight;
    }
  return total > 0.0 ? sqrt(sum / total) : NAN;
}

gboolean
debye_superpose(const DebyeFrame *frame, const DebyeFrame *reference, const guint32 *atoms, gsize n_atoms,
                const float *weights, DebyeSuperposition *superposition, double *rmsd, GError **error)
{
  if (frame->n_atoms != reference->n_atoms)
    return debye_error_set(error, DEBYE_ERROR_MISMATCH,
                           "superposition: expected a reference of %" G_GSIZE_FORMAT
                           " atoms, found %" G_GSIZE_FORMAT,
                           frame->n_atoms, reference->n_atoms);
  Pairs pairs = {frame, reference, atoms, atoms ? n_atoms : frame->n_atoms, weights};
  Moments moments = {0};
  add_centers(&pairs, &moments);
  if (!(moments.weight > 0.0))
    return debye_error_set(error, DEBYE_ERROR_VALUE,
                           "superposition: expected atoms with a weight and finite coordinates, found none");
  add_products(&pairs, &moments);
  double matrix[4][4], quaternion[4];
  quaternion_matrix(&moments, matrix);
  largest_eigenvector(matrix, quaternion);
  quaternion_to_rotation(quaternion, superposition->rotation);
  superposition->from = moments.center;
  superposition->to = moments.reference_center;
  if (rmsd)
    *rmsd = remaining_rmsd(&pairs, superposition);
  return TRUE;
}

DebyeVec3
debye_superposition_map_back(const DebyeSuperposition *superposition, DebyeVec3 position)
{
  const double(*r)[3] = superposition->rotation;
  const DebyeVec3 turned = debye_vec3_subtract(position, superposition->to);
  const DebyeVec3 relative = debye_vec3(r[0][0] * turned.x + r[1][0] * turned.y + r[2][0] * turned.z,
                                        r[0][1] * turned.x + r[1][1] * turned.y + r[2][1] * turned.z,
                                        r[0][2] * turned.x + r[1][2] * turned.y + r[2][2] * turned.z);
  return debye_vec3_add(relative, superposition->from);
}

static void
rotate_velocity(const DebyeSuperposition *superposition, DebyeFrame *frame, gsize atom)
{
  DebyeVec3 velocity = debye_vec3((double)frame->vx[atom], (double)frame->vy[atom], (double)frame->vz[atom]);
  velocity = rotate(superposition->rotation, velocity);
  frame->vx[atom] = (float)velocity.x;
  frame->vy[atom] = (float)velocity.y;
  frame->vz[atom] = (float)velocity.z;
}

void
debye_superposition_apply(const DebyeSuperposition *superposition, DebyeFrame *frame)
{
  for (gsize i = 0; i < frame->n_atoms; i++) {
    debye_frame_set_position(frame, i, map_position(superposition, debye_frame_get_position(frame, i)));
    if (frame->vx)
      rotate_velocity(superposition, frame, i);
  }
  frame->cell_origin = map_position(superposition, frame->cell_origin);
  frame->cell.a = rotate(superposition->rotation, frame->cell.a);
  frame->cell.b = rotate(superposition->rotation, frame->cell.b);
  frame->cell.c = rotate(superposition->rotation, frame->cell.c);
}
