/* SPDX-License-Identifier: MIT */
/* A pool of distinct strings, each known by a small number. A system of a million waters has a dozen atom
 * names: selections are decided once a name, not once an atom. Strings are valid UTF-8 (Latin-1 bytes are
 * converted). */
#pragma once

#include <glib.h>

typedef struct _DebyeStringPool DebyeStringPool;

DebyeStringPool *debye_string_pool_new(void);
DebyeStringPool *debye_string_pool_ref(DebyeStringPool *pool);
void debye_string_pool_unref(DebyeStringPool *pool);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(DebyeStringPool, debye_string_pool_unref)

/* The number of `text` (its first `length` bytes, blanks at both ends taken off; length < 0: up to NUL),
 * added when new. The empty string is number 0. */
guint32 debye_string_pool_add(DebyeStringPool *pool, const char *text, gssize length);
const char *debye_string_pool_get(const DebyeStringPool *pool, guint32 code);
guint debye_string_pool_get_count(const DebyeStringPool *pool);
