/* SPDX-License-Identifier: MIT */
/* A layer's selection follows the frames: what is within 5 Å in one frame and not in the next. */
#include "app/scene/layer_selection.h"

#define PATIENCE_US (20 * G_USEC_PER_SEC)

static DebyeTopology *
make_topology(void)
{
  g_autoptr(DebyeTopologyBuilder) builder = debye_topology_builder_new();
  DebyeAtom atom = DEBYE_ATOM_INIT;
  atom.name = "C";
  atom.atomic_number = 6;
  for (int i = 0; i < 3; i++)
    debye_topology_builder_add_atom(builder, &atom);
  return debye_topology_builder_finish(builder);
}

static DebyeFrame *
make_frame(float second, float third)
{
  DebyeFrame *frame = debye_frame_new(3);
  const float x[3] = {0.0f, second, third};
  for (int i = 0; i < 3; i++) {
    frame->x[i] = x[i];
    frame->y[i] = frame->z[i] = 0.0f;
  }
  return frame;
}

static double
right_end(DebyeMoleculeLayer *layer)
{
  DebyeVec3 low, high;
  return debye_layer_get_bounds(DEBYE_LAYER(layer), &low, &high) ? high.x : -1.0;
}

/* Until the layer's atoms end between low and high; an atom's own radius is below 3 Å. */
static void
wait_for_end(DebyeMoleculeLayer *layer, double low, double high)
{
  gint64 end = g_get_monotonic_time() + PATIENCE_US;
  while (!(right_end(layer) >= low && right_end(layer) < high)) {
    g_assert_cmpint(g_get_monotonic_time(), <, end);
    g_main_context_iteration(NULL, FALSE);
    g_usleep(1000);
  }
}

static void
show(DebyeMoleculeLayer *layer, DebyeTopology *topology, float second, float third)
{
  g_autoptr(DebyeFrame) frame = make_frame(second, third);
  debye_layer_show_frame(DEBYE_LAYER(layer), frame);
  debye_layer_selection_follow(layer, topology, frame);
}

static void
test_follows_frames(void)
{
  g_autoptr(DebyeTopology) topology = make_topology();
  g_autoptr(DebyeMoleculeLayer) layer = debye_molecule_layer_new(topology);
  debye_layer_set_selection(DEBYE_LAYER(layer), "within 5 of index 0");
  show(layer, topology, 4.0f, 40.0f);
  wait_for_end(layer, 4.0, 7.0);
  show(layer, topology, 30.0f, 40.0f);
  wait_for_end(layer, 0.0, 3.0);
}

static void
test_newest_frame_wins(void)
{
  g_autoptr(DebyeTopology) topology = make_topology();
  g_autoptr(DebyeMoleculeLayer) layer = debye_molecule_layer_new(topology);
  debye_layer_set_selection(DEBYE_LAYER(layer), "x < 50");
  for (int i = 0; i < 50; i++)
    show(layer, topology, 60.0f, 70.0f);
  show(layer, topology, 20.0f, 70.0f);
  wait_for_end(layer, 20.0, 23.0);
}

static void
test_leaves_fixed_selections_alone(void)
{
  g_autoptr(DebyeTopology) topology = make_topology();
  g_autoptr(DebyeMoleculeLayer) layer = debye_molecule_layer_new(topology);
  debye_layer_set_selection(DEBYE_LAYER(layer), "index 0");
  show(layer, topology, 4.0f, 40.0f);
  while (g_main_context_iteration(NULL, FALSE))
    ;
  g_assert_cmpfloat(right_end(layer), >=, 40.0);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/layer-selection/follows-frames", test_follows_frames);
  g_test_add_func("/layer-selection/newest-frame-wins", test_newest_frame_wins);
  g_test_add_func("/layer-selection/leaves-fixed-selections-alone", test_leaves_fixed_selections_alone);
  return g_test_run();
}
