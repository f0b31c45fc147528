/* SPDX-License-Identifier: MIT */
/* From where a molecule is seen first: a rod along the line of sight is turned across it, whatever lies around it; what isn't long,
 * or lies across, stays as it is. */
#include "app/scene/first_view.h"

#define N_ATOMS 60

typedef struct {
  DebyeTopology *topology;
  DebyeFrame *frame;
  DebyeCamera camera;
} Fixture;

/* Of a helix with that rise along `axis`, Å an atom, and of ions far off. */
static void
make(Fixture *fixture, DebyeVec3 axis, double rise, gsize n_ions)
{
  g_autoptr(DebyeTopologyBuilder) builder = debye_topology_builder_new();
  const gsize n = N_ATOMS + n_ions;
  const DebyeVec3 other = fabs(axis.x) < 0.5 ? debye_vec3(1.0, 0.0, 0.0) : debye_vec3(0.0, 1.0, 0.0);
  DebyeVec3 u = debye_vec3_cross(axis, other);
  u = debye_vec3_scale(u, 1.0 / debye_vec3_length(u));
  const DebyeVec3 v = debye_vec3_cross(axis, u);
  fixture->frame = debye_frame_new(n);
  for (gsize i = 0; i < n; i++) {
    DebyeAtom atom = DEBYE_ATOM_INIT;
    const gboolean is_ion = i >= N_ATOMS;
    atom.name = is_ion ? "NA" : "C";
    atom.atomic_number = is_ion ? 11 : 6;
    debye_topology_builder_set_residue(builder, is_ion ? "NA" : "LIG", -1, is_ion ? (gint32)i : 1, 0, "", 0,
                                       "", 0);
    debye_topology_builder_add_atom(builder, &atom);
    const double t = (double)i, angle = 1.7 * t;
    DebyeVec3 place = debye_vec3_scale(axis, rise * (t - 0.5 * N_ATOMS));
    place = debye_vec3_add(place, debye_vec3_scale(u, 5.0 * cos(angle)));
    place = debye_vec3_add(place, debye_vec3_scale(v, 5.0 * sin(angle)));
    if (is_ion)
      place = debye_vec3(i % 2 == 0 ? 200.0 : -200.0, 0.0, 0.0);
    fixture->frame->x[i] = (float)place.x;
    fixture->frame->y[i] = (float)place.y;
    fixture->frame->z[i] = (float)place.z;
  }
  fixture->topology = debye_topology_builder_finish(builder);
  debye_camera_init(&fixture->camera);
  debye_first_view_turn(&fixture->camera, fixture->topology, fixture->frame);
}

static void
clear(Fixture *fixture)
{
  g_clear_object(&fixture->topology);
  debye_frame_unref(fixture->frame);
}

static void
check_turned(DebyeVec3 axis, gsize n_ions)
{
  Fixture fixture;
  vec3 seen = {(float)axis.x, (float)axis.y, (float)axis.z};
  make(&fixture, axis, 1.5, n_ions);
  glm_quat_rotatev(fixture.camera.orientation, seen, seen);
  g_assert_cmpfloat_with_epsilon((double)fabsf(seen[0]), 1.0, 2e-3);
  clear(&fixture);
}

static void
check_kept(DebyeVec3 axis, double rise)
{
  Fixture fixture;
  DebyeCamera usual;
  make(&fixture, axis, rise, 0);
  debye_camera_init(&usual);
  g_assert_cmpmem(fixture.camera.orientation, sizeof usual.orientation, usual.orientation,
                  sizeof usual.orientation);
  clear(&fixture);
}

static void
test_along(void)
{
  check_turned(debye_vec3(0.0, 0.0, 1.0), 0);
  check_turned(debye_vec3(0.0, 0.0, -1.0), 0);
  check_turned(debye_vec3(0.36, -0.48, 0.8), 0);
  check_turned(debye_vec3(0.0, 0.0, 1.0), 10);
}

static void
test_kept(void)
{
  check_kept(debye_vec3(1.0, 0.0, 0.0), 1.5);
  check_kept(debye_vec3(0.0, 1.0, 0.0), 1.5);
  check_kept(debye_vec3(0.8, 0.36, 0.48), 1.5);
  /* A globule, and a disc. */
  check_kept(debye_vec3(0.0, 0.0, 1.0), 0.2);
  check_kept(debye_vec3(0.0, 0.0, 1.0), 0.0);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/first-view/along", test_along);
  g_test_add_func("/first-view/kept", test_kept);
  return g_test_run();
}
