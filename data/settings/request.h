/* SPDX-License-Identifier: MIT */
/* Values for the settings of one analysis: what a form or a command line asks for, and what a result
 * remembers. */
#pragma once

#include <glib-object.h>

#include "data/geometry.h"
#include "setting.h"

#define DEBYE_TYPE_REQUEST (debye_request_get_type())
G_DECLARE_FINAL_TYPE(DebyeRequest, debye_request, DEBYE, REQUEST, GObject)

/* All settings at their defaults. The table must outlive the request (tables are constants). */
DebyeRequest *debye_request_new(const DebyeSettingTable *table);
DebyeRequest *debye_request_copy(DebyeRequest *self);
const DebyeSettingTable *debye_request_get_table(DebyeRequest *self);

/* Values are text, kept as typed; FALSE (and unchanged) where the table refuses. Value NULL: unset, back to
 * the default. Emits "changed" (key). */
gboolean debye_request_set(DebyeRequest *self, const char *key, const char *value, GError **error);
const char *debye_request_get(DebyeRequest *self,
                              const char *key); /* the default where not set; NULL: none */
/* The same; NULL, too, where there is no request or its table has no such key, or, of the second, where nothing was set. */
const char *debye_request_find(DebyeRequest *self, const char *key);
const char *debye_request_find_set(DebyeRequest *self, const char *key);
gboolean debye_request_is_set(DebyeRequest *self, const char *key);
/* What a result keeps of it: the same, but of a setting that differs where it is not set nothing then. */
const char *debye_request_get_kept(DebyeRequest *self, const DebyeSetting *setting);
/* What an analysis took for a setting of which nothing is kept, because the data decide: the steps of q, the
 * origin of a grid. A result tells it; it is not set by it, and computing again decides again. Does nothing
 * where something is kept or the table has no such key; setting anything forgets all of them. */
void debye_request_set_effective(DebyeRequest *self, const char *key, const char *value);
void debye_request_set_effective_number(DebyeRequest *self, const char *key, double value);
const char *debye_request_get_effective(DebyeRequest *self, const DebyeSetting *setting); /* NULL: nothing */

/* What the value of a setting names, where it is in memory already: the map that a file's name stands for. Copies have it,
 * too; another value of the setting lets go of it. */
void debye_request_attach(DebyeRequest *self, const char *key, GObject *object);
GObject *debye_request_get_attached(DebyeRequest *self, const char *key); /* NULL: nothing. (transfer none) */

/* Typed, of a value that the table has accepted. */
double debye_request_get_number(DebyeRequest *self, const char *key);
gint64 debye_request_get_integer(DebyeRequest *self, const char *key);
gboolean debye_request_get_boolean(DebyeRequest *self, const char *key);
gboolean debye_request_get_vector(DebyeRequest *self, const char *key, DebyeVec3 *value); /* FALSE: none */
gboolean debye_request_get_shape(DebyeRequest *self, const char *key, gsize shape[3]);
/* All values into the struct whose members the table's rows name (see DEBYE_SETTING_MEMBER). Texts are borrowed: they last
 * until the request changes. */
void debye_request_fill(DebyeRequest *self, gpointer settings);
/* Whether a setting plays a part, given the others (DebyeSetting.needs). */
gboolean debye_request_is_relevant(DebyeRequest *self, const DebyeSetting *setting);

/* "debye-cli map --spacing 0.5 … FILE…", quoted for a shell; only settings that differ from their defaults. */
/* A word of a command line, quoted for a shell where it needs to be. */
void debye_command_append_word(GString *command, const char *word);
char *debye_request_to_command(DebyeRequest *self, const char *const *paths, const char *output);
/* "key: value" of the program, the command (NULL: none) and all settings that play a part: what formats with
 * comments begin with. */
char **debye_request_describe(DebyeRequest *self, const char *command, gboolean is_partial);
