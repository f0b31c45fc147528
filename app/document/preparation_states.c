/* SPDX-License-Identifier: MIT */
/* Implementation of preparation_states.h. */
#include "preparation_states.h"

#include <string.h>

#include "json_reader.h"

static DebyePreparationState *
state_new(const char *chain, const char *residue, const char *state)
{
  DebyePreparationState *self = g_new0(DebyePreparationState, 1);
  self->chain = g_strdup(chain);
  self->residue = g_strdup(residue);
  self->state = g_strdup(state);
  return self;
}

static void
state_free(gpointer data)
{
  DebyePreparationState *state = data;
  g_free(state->chain);
  g_free(state->residue);
  g_free(state->state);
  g_free(state);
}

GPtrArray *
debye_preparation_states_new(void)
{
  return g_ptr_array_new_with_free_func(state_free);
}

GPtrArray *
debye_preparation_states_with(GPtrArray *states, const char *chain, const char *residue, const char *state)
{
  GPtrArray *copy = debye_preparation_states_new();
  for (guint k = 0; states != NULL && k < states->len; k++) {
    const DebyePreparationState *other = states->pdata[k];
    if (strcmp(other->chain, chain) != 0 || strcmp(other->residue, residue) != 0)
      g_ptr_array_add(copy, state_new(other->chain, other->residue, other->state));
  }
  if (state != NULL)
    g_ptr_array_add(copy, state_new(chain, residue, state));
  return copy;
}

static void
append_quoted(GString *text, const char *value, const char *end)
{
  g_autoptr(GString) quoted = g_string_new(value);
  g_string_replace(quoted, "\"", "\"\"", 0);
  g_string_append_printf(text, "\"%s\"%s", quoted->str, end);
}

char *
debye_preparation_states_to_csv(GPtrArray *states)
{
  GString *text = g_string_new("chain,residue,state\n");
  for (guint k = 0; k < states->len; k++) {
    const DebyePreparationState *state = states->pdata[k];
    append_quoted(text, state->chain, ",");
    append_quoted(text, state->residue, ",");
    append_quoted(text, state->state, "\n");
  }
  return g_string_free(text, FALSE);
}

/* --- In a session --- */

GVariant *
debye_preparation_states_save(GPtrArray *states)
{
  GVariantBuilder builder;
  g_variant_builder_init(&builder, G_VARIANT_TYPE("av"));
  for (guint k = 0; k < states->len; k++) {
    const DebyePreparationState *state = states->pdata[k];
    GVariantDict dict;
    g_variant_dict_init(&dict, NULL);
    g_variant_dict_insert(&dict, "chain", "s", state->chain);
    g_variant_dict_insert(&dict, "residue", "s", state->residue);
    g_variant_dict_insert(&dict, "state", "s", state->state);
    g_variant_builder_add(&builder, "v", g_variant_dict_end(&dict));
  }
  return g_variant_builder_end(&builder);
}

GPtrArray *
debye_preparation_states_load(GVariant *saved)
{
  GPtrArray *states = debye_preparation_states_new();
  g_autoptr(GVariant) list = debye_json_get(saved, "states", G_VARIANT_TYPE("av"));
  for (gsize i = 0; list != NULL && i < g_variant_n_children(list); i++) {
    g_autoptr(GVariant) boxed = g_variant_get_child_value(list, i);
    g_autoptr(GVariant) entry = g_variant_get_variant(boxed);
    g_autofree char *chain = debye_json_get_text(entry, "chain");
    g_autofree char *residue = debye_json_get_text(entry, "residue");
    g_autofree char *state = debye_json_get_text(entry, "state");
    if (chain != NULL && residue != NULL && state != NULL)
      g_ptr_array_add(states, state_new(chain, residue, state));
  }
  return states;
}
