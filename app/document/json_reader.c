/* SPDX-License-Identifier: MIT */
/* Parses JSON into variants; called by the readers of sessions and scenes. */
#include "json_reader.h"

#include <math.h>
#include <string.h>

#include "data/files/error.h"
#include "data/messages/message.h"

/* Deeper nesting is refused. */
#define MAX_LEVELS 32

typedef struct {
  const char *start, *at, *end;
  const char *name;
  guint level;
  GError **error;
} Parser;

static GVariant *parse_value(Parser *self);

/* --- Errors --- */

static guint
line_of(const Parser *self)
{
  guint line = 1;
  for (const char *c = self->start; c < self->at; c++)
    line += *c == '\n';
  return line;
}

static char *
describe_place(const Parser *self)
{
  if (self->at >= self->end)
    return g_strdup(N_("the end of the file"));
  if (*self->at > 0x20 && *self->at < 0x7f)
    return debye_message_new("“%c”", *self->at);
  return debye_message_new("a byte of value %u", (guint)(guchar)*self->at);
}

static gpointer
fail(Parser *self, const char *expected)
{
  g_autofree char *found = describe_place(self);
  debye_error_set(self->error, self->at >= self->end ? DEBYE_ERROR_TRUNCATED : DEBYE_ERROR_SYNTAX,
                  "%s: line %u: expected %s, found %s", self->name, line_of(self), expected, found);
  return NULL;
}

/* --- Pieces --- */

static void
skip_blanks(Parser *self)
{
  while (self->at < self->end && memchr(" \t\r\n", *self->at, 4) != NULL)
    self->at++;
}

static gboolean
take(Parser *self, char c)
{
  skip_blanks(self);
  if (self->at >= self->end || *self->at != c)
    return FALSE;
  self->at++;
  return TRUE;
}

/* Four hexadecimal digits; −1 where they aren't. */
static int
take_code(Parser *self)
{
  int code = 0;
  if (self->end - self->at < 4)
    return -1;
  for (int i = 0; i < 4; i++) {
    int digit = g_ascii_xdigit_value(self->at[i]);
    if (digit < 0)
      return -1;
    code = 16 * code + digit;
  }
  self->at += 4;
  return code;
}

static gboolean
take_character(Parser *self, GString *text)
{
  int code = take_code(self), low;
  if (code >= 0xd800 && code < 0xdc00) {
    if (self->end - self->at < 2 || self->at[0] != '\\' || self->at[1] != 'u')
      return FALSE;
    self->at += 2;
    low = take_code(self);
    if (low < 0xdc00 || low > 0xdfff)
      return FALSE;
    code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
  }
  if (code <= 0 || !g_unichar_validate((gunichar)code))
    return FALSE;
  g_string_append_unichar(text, (gunichar)code);
  return TRUE;
}

static gboolean
take_escape(Parser *self, GString *text)
{
  static const char letters[] = "\"\\/bfnrt", meanings[] = "\"\\/\b\f\n\r\t";
  const char *found = self->at < self->end && *self->at != '\0' ? strchr(letters, *self->at) : NULL;
  if (found != NULL) {
    g_string_append_c(text, meanings[found - letters]);
    self->at++;
    return TRUE;
  }
  if (self->at >= self->end || *self->at != 'u')
    return FALSE;
  self->at++;
  return take_character(self, text);
}

static char *
parse_text(Parser *self)
{
  if (!take(self, '"'))
    return fail(self, "a text in quotes");
  g_autoptr(GString) text = g_string_new(NULL);
  while (self->at < self->end && *self->at != '"') {
    if ((guchar)*self->at < 0x20)
      return fail(self, "the rest of a text");
    if (*self->at != '\\') {
      g_string_append_c(text, *self->at++);
      continue;
    }
    self->at++;
    if (!take_escape(self, text))
      return fail(self, "a character after “\\”");
  }
  if (!take(self, '"'))
    return fail(self, "the end of a text");
  if (!g_utf8_validate(text->str, (gssize)text->len, NULL))
    return fail(self, "a text in UTF-8 before this");
  return g_strdup(text->str);
}

static const char *
skip_digits(const char *at, const char *end)
{
  while (at < end && g_ascii_isdigit(*at))
    at++;
  return at;
}

/* The end of the number at the parser's place; NULL: it is none. */
static const char *
find_number_end(const Parser *self, gboolean *is_whole)
{
  const char *at = self->at, *digits;
  *is_whole = TRUE;
  at += at < self->end && *at == '-';
  digits = at;
  at = skip_digits(at, self->end);
  if (at == digits || (*digits == '0' && at > digits + 1))
    return NULL;
  if (at < self->end && *at == '.') {
    digits = at + 1;
    at = skip_digits(digits, self->end);
    *is_whole = FALSE;
    if (at == digits)
      return NULL;
  }
  if (at < self->end && (*at == 'e' || *at == 'E')) {
    at++;
    at += at < self->end && (*at == '+' || *at == '-');
    digits = at;
    at = skip_digits(at, self->end);
    *is_whole = FALSE;
    if (at == digits)
      return NULL;
  }
  return at;
}

static GVariant *
parse_number(Parser *self)
{
  gboolean is_whole;
  const char *end = find_number_end(self, &is_whole);
  gint64 whole;
  if (end == NULL)
    return fail(self, "a value");
  g_autofree char *text = g_strndup(self->at, (gsize)(end - self->at));
  if (is_whole && g_ascii_string_to_signed(text, 10, G_MININT64, G_MAXINT64, &whole, NULL)) {
    self->at = end;
    return g_variant_new_int64(whole);
  }
  double value = g_ascii_strtod(text, NULL);
  if (!isfinite(value))
    return fail(self, "a number within a double's range");
  self->at = end;
  return g_variant_new_double(value);
}

static GVariant *
parse_word(Parser *self)
{
  static const struct {
    const char *word;
    gsize length;
  } words[] = {{"true", 4}, {"false", 5}, {"null", 4}};
  for (gsize i = 0; i < G_N_ELEMENTS(words); i++) {
    if ((gsize)(self->end - self->at) < words[i].length ||
        memcmp(self->at, words[i].word, words[i].length) != 0)
      continue;
    self->at += words[i].length;
    return i == 2 ? g_variant_new_tuple(NULL, 0) : g_variant_new_boolean(i == 0);
  }
  return parse_number(self);
}

/* --- Arrays and objects --- */

static gboolean
parse_elements(Parser *self, GVariantBuilder *builder)
{
  if (take(self, ']'))
    return TRUE;
  do {
    GVariant *value = parse_value(self);
    if (value == NULL)
      return FALSE;
    g_variant_builder_add(builder, "v", value);
  } while (take(self, ','));
  return take(self, ']') || fail(self, "“,” or “]”") != NULL;
}

static gboolean
parse_member(Parser *self, GVariantBuilder *builder, GHashTable *keys)
{
  skip_blanks(self);
  g_autofree char *key = parse_text(self);
  if (key == NULL)
    return FALSE;
  if (!g_hash_table_add(keys, g_strdup(key)))
    return fail(self, "each key only once in an object") != NULL;
  if (!take(self, ':'))
    return fail(self, "“:”") != NULL;
  GVariant *value = parse_value(self);
  if (value != NULL)
    g_variant_builder_add(builder, "{sv}", key, value);
  return value != NULL;
}

static gboolean
parse_members(Parser *self, GVariantBuilder *builder)
{
  g_autoptr(GHashTable) keys = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
  if (take(self, '}'))
    return TRUE;
  do {
    if (!parse_member(self, builder, keys))
      return FALSE;
  } while (take(self, ','));
  return take(self, '}') || fail(self, "“,” or “}”") != NULL;
}

static GVariant *
parse_container(Parser *self, gboolean is_object)
{
  GVariantBuilder builder;
  if (self->level >= MAX_LEVELS)
    return fail(self, "at most 32 levels of nesting");
  self->level++;
  g_variant_builder_init(&builder, is_object ? G_VARIANT_TYPE_VARDICT : G_VARIANT_TYPE("av"));
  gboolean whole = is_object ? parse_members(self, &builder) : parse_elements(self, &builder);
  self->level--;
  if (whole)
    return g_variant_builder_end(&builder);
  g_variant_builder_clear(&builder);
  return NULL;
}

/* A floating reference. */
static GVariant *
parse_value(Parser *self)
{
  skip_blanks(self);
  if (take(self, '{'))
    return parse_container(self, TRUE);
  if (take(self, '['))
    return parse_container(self, FALSE);
  if (self->at < self->end && *self->at == '"') {
    char *text = parse_text(self);
    return text != NULL ? g_variant_new_take_string(text) : NULL;
  }
  return parse_word(self);
}

GVariant *
debye_json_parse(const char *text, gsize length, const char *name, GError **error)
{
  Parser parser = {.start = text, .at = text, .end = text + length, .name = name, .error = error};
  GVariant *floating = parse_value(&parser);
  if (floating == NULL)
    return NULL;
  g_autoptr(GVariant) value = g_variant_ref_sink(floating);
  skip_blanks(&parser);
  if (parser.at < parser.end)
    return fail(&parser, "the end of the file");
  return g_steal_pointer(&value);
}

/* --- Asking what was read --- */

GVariant *
debye_json_get(GVariant *object, const char *key, const GVariantType *type)
{
  if (object == NULL || !g_variant_is_of_type(object, G_VARIANT_TYPE_VARDICT))
    return NULL;
  return g_variant_lookup_value(object, key, type);
}

char *
debye_json_get_text(GVariant *object, const char *key)
{
  g_autoptr(GVariant) value = debye_json_get(object, key, G_VARIANT_TYPE_STRING);
  return value != NULL ? g_variant_dup_string(value, NULL) : NULL;
}

gboolean
debye_json_to_number(GVariant *variant, double *value)
{
  if (g_variant_is_of_type(variant, G_VARIANT_TYPE_DOUBLE))
    *value = g_variant_get_double(variant);
  else if (g_variant_is_of_type(variant, G_VARIANT_TYPE_INT64))
    *value = (double)g_variant_get_int64(variant);
  else
    return FALSE;
  return isfinite(*value);
}

gboolean
debye_json_get_number(GVariant *object, const char *key, double *value)
{
  g_autoptr(GVariant) member = debye_json_get(object, key, NULL);
  return member != NULL && debye_json_to_number(member, value);
}

gint64
debye_json_get_integer(GVariant *object, const char *key, gint64 otherwise)
{
  g_autoptr(GVariant) member = debye_json_get(object, key, G_VARIANT_TYPE_INT64);
  return member != NULL ? g_variant_get_int64(member) : otherwise;
}

gboolean
debye_json_get_numbers(GVariant *object, const char *key, double *values, gsize n_values)
{
  g_autoptr(GVariant) array = debye_json_get(object, key, G_VARIANT_TYPE("av"));
  if (array == NULL || g_variant_n_children(array) != n_values)
    return FALSE;
  for (gsize i = 0; i < n_values; i++) {
    g_autoptr(GVariant) boxed = g_variant_get_child_value(array, i);
    g_autoptr(GVariant) value = g_variant_get_variant(boxed);
    if (!debye_json_to_number(value, &values[i]))
      return FALSE;
  }
  return TRUE;
}
