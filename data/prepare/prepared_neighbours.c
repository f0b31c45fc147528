/* SPDX-License-Identifier: MIT */
/* Implementation of prepared_neighbours.h. */
#include "prepared_neighbours.h"

#include "data/files/error.h"
#include "data/messages/message.h"

DebyeNeighbours *
debye_prepared_neighbours_new(const DebyePreparedSystem *system, double radius, GError **error)
{
  g_autoptr(DebyeFrame) frame = debye_frame_new(system->atoms->len);
  if (frame == NULL)
    return debye_null(debye_error_set_memory(error, NULL, system->atoms->len, N_("positions")));
  for (guint32 i = 0; i < system->atoms->len; i++)
    debye_frame_set_position(frame, i, debye_prepared_system_get_atom(system, i)->position);
  return debye_neighbours_new(frame, NULL, 0, radius);
}
