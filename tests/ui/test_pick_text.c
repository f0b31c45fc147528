/* SPDX-License-Identifier: MIT */
/* What is read out under the pointer: a plus is written where a map has two signs. */
#include <adwaita.h>

#include "render/layers/slice_layer.h"
#include "ui/scene/pick_text.h"

static char *
read_out(double least)
{
  const DebyeGrid grid = {
      .step = {debye_vec3(1.0, 0.0, 0.0), debye_vec3(0.0, 1.0, 0.0), debye_vec3(0.0, 0.0, 1.0)},
      .shape = {2, 2, 2}};
  float *values = g_new(float, 8);
  for (int i = 0; i < 8; i++)
    values[i] = (float)(i == 0 ? least : 1.0);
  g_autoptr(DebyeField) field = debye_field_new_take("map", &grid, values, "");
  g_autoptr(DebyeSliceLayer) slice = debye_slice_layer_new(field);
  const DebyePick pick = {
      .layer = DEBYE_LAYER(slice), .atom = -1, .point = debye_vec3(0.0, -0.5, 1.0), .value = 0.05};
  return debye_pick_text(&pick, NULL);
}

static void
test_signs(void)
{
  g_autofree char *occupancy = read_out(0.0);
  g_autofree char *potential = read_out(-2.0);
  g_assert_cmpstr(occupancy, ==, "0.05 at (0.0, −0.5, 1.0) Å");
  g_assert_cmpstr(potential, ==, "+0.05 at (0.0, −0.5, 1.0) Å");
}

int
main(int argc, char **argv)
{
  gtk_test_init(&argc, &argv, NULL);
  g_test_add_func("/pick-text/signs", test_signs);
  return g_test_run();
}
