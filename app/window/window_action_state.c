/* SPDX-License-Identifier: MIT */
/* Sets the state of a window's actions; called by whoever changes what an action is about. */
#include "window_action_state.h"

void
debye_window_action_set_state(DebyeWindow *window, const char *name, GVariant *state)
{
  GAction *action = g_action_map_lookup_action(G_ACTION_MAP(window), name);
  g_simple_action_set_state(G_SIMPLE_ACTION(action), state);
}

void
debye_window_action_turned(DebyeWindow *window, const char *name, gboolean on)
{
  debye_window_action_set_state(window, name, g_variant_new_boolean(on));
}
