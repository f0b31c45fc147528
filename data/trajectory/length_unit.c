/* SPDX-License-Identifier: MIT */
/* Implementation of length_unit.h; called by dataset.c, trajectory.c and the command line. */
#include "length_unit.h"

#include <string.h>

#include "data/files/error.h"
#include "data/files/input.h"
#include "data/molecule/periodic.h"

#define BOHR 0.529177210903 /* Å, CODATA 2018 */

static const struct {
  const char *name;
  double angstrom;
} units[] = {{DEBYE_LENGTH_UNIT_DEFAULT, 1.0}, {"nm", 10.0}, {"pm", 0.01}, {"bohr", BOHR}};

gboolean
debye_length_unit_parse(const char *text, double *angstrom, GError **error)
{
  for (gsize i = 0; i < G_N_ELEMENTS(units); i++)
    if (strcmp(units[i].name, text) == 0) {
      *angstrom = units[i].angstrom;
      return TRUE;
    }
  if (debye_text_to_double(text, strlen(text), angstrom) && *angstrom >= 1e-6 && *angstrom <= 1e6)
    return TRUE;
  return debye_error_set(error, DEBYE_ERROR_SETTING,
                         "expected angstrom, nm, pm, bohr, or a number of Å from 1e-6 to 1e6, found “%s”",
                         text);
}

void
debye_length_unit_apply(double angstrom, DebyeFrame *frame)
{
  if (angstrom == 1.0)
    return;
  for (gsize i = 0; i < frame->n_atoms; i++)
    debye_frame_set_position(frame, i, debye_vec3_scale(debye_frame_get_position(frame, i), angstrom));
  frame->cell.a = debye_vec3_scale(frame->cell.a, angstrom);
  frame->cell.b = debye_vec3_scale(frame->cell.b, angstrom);
  frame->cell.c = debye_vec3_scale(frame->cell.c, angstrom);
}
