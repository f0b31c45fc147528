/* SPDX-License-Identifier: MIT */
/* The string pool is an open-addressing hash table. A reader asks for the same dozen names a million times,
 * so the common case (plain ASCII, known already) allocates nothing. */
#include "string_pool.h"

#include <string.h>

typedef struct {
  char *text;
  gsize length;
  guint32 hash;
} PoolString;

struct _DebyeStringPool {
  gatomicrefcount references;
  GArray *strings; /* PoolString, by code */
  guint32 *slots;  /* code + 1; 0: free */
  gsize n_slots;   /* a power of two, at least twice the strings */
};

#define FIRST_SLOTS 64

static guint32
hash_bytes(const char *text, gsize length)
{
  /* FNV-1a: short strings, no seed needed since the table's size is bounded by the file. */
  guint32 hash = 2166136261U;
  for (gsize i = 0; i < length; i++)
    hash = (hash ^ (guchar)text[i]) * 16777619U;
  return hash;
}

/* The slot of the string, or the free one where it belongs. */
static gsize
find_slot(const DebyeStringPool *pool, const char *text, gsize length, guint32 hash)
{
  gsize mask = pool->n_slots - 1;
  gsize slot = hash & mask;
  while (pool->slots[slot] != 0) {
    const PoolString *string = &g_array_index(pool->strings, PoolString, pool->slots[slot] - 1);
    if (string->hash == hash && string->length == length && memcmp(string->text, text, length) == 0)
      break;
    slot = (slot + 1) & mask;
  }
  return slot;
}

static void
grow(DebyeStringPool *pool)
{
  g_free(pool->slots);
  pool->n_slots *= 2;
  pool->slots = g_new0(guint32, pool->n_slots);
  for (guint code = 0; code < pool->strings->len; code++) {
    const PoolString *string = &g_array_index(pool->strings, PoolString, code);
    pool->slots[find_slot(pool, string->text, string->length, string->hash)] = code + 1;
  }
}

static guint32
intern(DebyeStringPool *pool, const char *text, gsize length)
{
  guint32 hash = hash_bytes(text, length);
  gsize slot = find_slot(pool, text, length, hash);
  if (pool->slots[slot] != 0)
    return pool->slots[slot] - 1;

  PoolString string = {.text = g_strndup(text, length), .length = length, .hash = hash};
  g_array_append_val(pool->strings, string);
  pool->slots[slot] = pool->strings->len;
  if (2 * (gsize)pool->strings->len > pool->n_slots)
    grow(pool);
  return pool->strings->len - 1;
}

static void
clear_string(gpointer string)
{
  g_free(((PoolString *)string)->text);
}

DebyeStringPool *
debye_string_pool_new(void)
{
  DebyeStringPool *pool = g_new0(DebyeStringPool, 1);
  g_atomic_ref_count_init(&pool->references);
  pool->strings = g_array_new(FALSE, FALSE, sizeof(PoolString));
  g_array_set_clear_func(pool->strings, clear_string);
  pool->n_slots = FIRST_SLOTS;
  pool->slots = g_new0(guint32, pool->n_slots);
  intern(pool, "", 0);
  return pool;
}

DebyeStringPool *
debye_string_pool_ref(DebyeStringPool *pool)
{
  g_atomic_ref_count_inc(&pool->references);
  return pool;
}

void
debye_string_pool_unref(DebyeStringPool *pool)
{
  if (!g_atomic_ref_count_dec(&pool->references))
    return;
  g_array_unref(pool->strings);
  g_free(pool->slots);
  g_free(pool);
}

static gboolean
is_printable_ascii(const char *text, gsize length)
{
  for (gsize i = 0; i < length; i++)
    if ((guchar)text[i] < 0x20 || (guchar)text[i] >= 0x7F)
      return FALSE;
  return TRUE;
}

/* Valid UTF-8 stays; anything else is taken for Latin-1, which every byte string is. Control characters would
 * break the lines and the markup that names end up in. */
static guint32
intern_foreign(DebyeStringPool *pool, const char *text, gsize length)
{
  gboolean utf8 = g_utf8_validate_len(text, length, NULL);
  g_autoptr(GString) clean = g_string_sized_new(2 * length);
  for (gsize i = 0; i < length; i++) {
    guchar byte = (guchar)text[i];
    if (byte < 0x20 || byte == 0x7F || (byte >= 0x80 && byte < 0xA0 && !utf8))
      g_string_append_c(clean, '?');
    else if (byte < 0x80 || utf8)
      g_string_append_c(clean, (char)byte);
    else
      g_string_append_unichar(clean, byte);
  }
  return intern(pool, clean->str, clean->len);
}

guint32
debye_string_pool_add(DebyeStringPool *pool, const char *text, gssize length)
{
  if (text == NULL)
    return 0;
  gsize n = length < 0 ? strlen(text) : (gsize)length;
  while (n > 0 && g_ascii_isspace(text[0])) {
    text++;
    n--;
  }
  while (n > 0 && g_ascii_isspace(text[n - 1]))
    n--;
  return is_printable_ascii(text, n) ? intern(pool, text, n) : intern_foreign(pool, text, n);
}

const char *
debye_string_pool_get(const DebyeStringPool *pool, guint32 code)
{
  g_return_val_if_fail(code < pool->strings->len, "");
  return g_array_index(pool->strings, PoolString, code).text;
}

guint
debye_string_pool_get_count(const DebyeStringPool *pool)
{
  return pool->strings->len;
}
