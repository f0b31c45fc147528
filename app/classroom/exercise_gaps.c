/* SPDX-License-Identifier: MIT */
/* Implementation of exercise_gaps.h. A listing is read by statements, as far as the house style of the listings needs: no
 * statement begins in the middle of a line, and functions begin and end with a brace in the first column. */
#include "exercise_gaps.h"

#include <string.h>

typedef enum {
  KEPT,
  LEFT_OUT,
  DECLARED, /* left out, but for its numbers, which are 0 */
} State;

#define NO_BLOCK G_MAXUINT

/* A statement, the beginning or the end of a block, or a comment. */
typedef struct {
  gsize first, n_lines;
  gsize n_pragmas; /* of these lines, before the others */
  char *code;      /* without comments and pragmas */
  gboolean is_inside, is_new;
  guint block; /* which unit has begun the block it is in */
  guint begun; /* at the end of a block which unit has begun it, else itself */
  State state;
} Unit;

typedef struct {
  char **lines;
  GHashTable *known; /* lines of the listing before; NULL: what adds to a sum is new */
  GArray *units;
} Listing;

static void
clear_unit(gpointer unit)
{
  g_free(((Unit *)unit)->code);
}

static Unit *
get_unit(const Listing *self, guint index)
{
  return &g_array_index(self->units, Unit, index);
}

/* --- Lines --- */

static char *
strip(const char *line)
{
  return g_strstrip(g_strdup(line));
}

static gboolean
is_pragma(const char *line)
{
  g_autofree char *stripped = strip(line);
  return g_str_has_prefix(stripped, "#pragma");
}

/* What may be left out: no brace alone, no condition of the preprocessor, nothing empty. */
static gboolean
is_statement(const char *stripped)
{
  return *stripped != '\0' && (*stripped != '#' || is_pragma(stripped)) &&
         strspn(stripped, "{} ;") < strlen(stripped) && !g_str_has_prefix(stripped, "(void)");
}

/* More blocks begin in the code than end, but for one that ends where it begins: "} else {". */
static gboolean
opens_block(const char *code)
{
  int n = 0;
  for (const char *letter = code + (*code == '}'); *letter != '\0'; letter++)
    n += (*letter == '{') - (*letter == '}');
  return n > 0;
}

/* No loop that counts by more than one. */
static gboolean
is_sum(const char *stripped)
{
  return (strstr(stripped, "+=") != NULL && !opens_block(stripped)) ||
         strstr(stripped, "atomicAdd") != NULL || g_str_has_suffix(stripped, "++;") ||
         g_str_has_suffix(stripped, " + 1;");
}

static gboolean
is_new(const Listing *self, const char *line)
{
  g_autofree char *stripped = strip(line);
  return is_statement(stripped) &&
         (self->known != NULL ? !g_hash_table_contains(self->known, stripped) : is_sum(stripped));
}

/* Ends `code` with the line, without comments; `in_comment` is whether one goes on. */
static void
add_code(GString *code, const char *line, gboolean *in_comment)
{
  for (const char *letter = line; *letter != '\0'; letter++) {
    if (*in_comment) {
      *in_comment = !g_str_has_prefix(letter, "*/");
      letter += !*in_comment;
    } else if (g_str_has_prefix(letter, "//")) {
      break;
    } else if (g_str_has_prefix(letter, "/*")) {
      *in_comment = TRUE;
      letter++;
    } else {
      g_string_append_c(code, *letter);
    }
  }
  g_string_append_c(code, ' ');
}

/* --- Words of the code --- */

static gboolean
is_word(char letter)
{
  return g_ascii_isalnum(letter) || letter == '_';
}

/* The next word's first letter, and its length; NULL: there is none. */
static const char *
find_word(const char *code, gsize *length)
{
  while (*code != '\0' && !is_word(*code))
    code++;
  for (*length = 0; is_word(code[*length]);)
    ++*length;
  return *length > 0 ? code : NULL;
}

static gboolean
has_word(const char *code, const char *wanted)
{
  gsize length;
  for (const char *word = code; (word = find_word(word, &length)) != NULL; word += length)
    if (strlen(wanted) == length && strncmp(word, wanted, length) == 0)
      return TRUE;
  return FALSE;
}

static gboolean
begins_with(const char *code, const char *wanted)
{
  return g_str_has_prefix(code, wanted) && !is_word(code[strlen(wanted)]);
}

/* --- Declarations --- */

/* "float dx = x[n] - at, dy = …;" */
typedef struct {
  GString *type;                    /* "float" */
  GPtrArray *names;                 /* char * */
  gboolean has_numbers, has_values; /* all are plain numbers; some have a value */
} Declaration;

static void
declaration_clear(Declaration *self)
{
  g_string_free(self->type, TRUE);
  g_ptr_array_unref(self->names);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Declaration, declaration_clear)

static gboolean
is_number_type(const char *type)
{
  static const char *const types[] = {
      "float",    "double",   "int",       "long", "unsigned",           "size_t",
      "uint32_t", "uint64_t", "ptrdiff_t", "char", "unsigned long long", NULL};
  return g_strv_contains(types, type);
}

/* One name, with stars before it, and what comes up to the next comma or the end. */
static const char *
read_declarator(const char *code, Declaration *found)
{
  gsize length;
  int depth = 0;
  gboolean has_value = FALSE;
  for (; *code == '*' || *code == ' '; code++)
    found->has_numbers &= *code != '*';
  for (length = 0; is_word(code[length]);)
    length++;
  if (length > 0)
    g_ptr_array_add(found->names, g_strndup(code, length));
  for (code += length; *code != '\0' && *code != ';' && (depth > 0 || *code != ','); code++) {
    depth += (strchr("([{", *code) != NULL) - (strchr(")]}", *code) != NULL);
    has_value |= *code == '=';
    found->has_numbers &= has_value || *code == ' ';
  }
  found->has_values |= has_value;
  return code;
}

/* Its words up to the last before a star or what only stands behind a name; the name begins at the result. NULL: it is none. */
static const char *
read_type(const char *code, GString *type)
{
  static const char *const others[] = {"return", "goto", "else", "do", "while", "if", "for", "case", NULL};
  const char *name = NULL;
  gsize length;
  while (is_word(*code)) {
    for (length = 0; is_word(code[length]);)
      length++;
    g_autofree char *word = g_strndup(code, length);
    if (g_strv_contains(others, word))
      return NULL;
    const char *next = code + length + strspn(code + length, " ");
    if (!is_word(*next) && *next != '*') {
      name = code;
      break;
    }
    if (strcmp(word, "const") != 0 && strcmp(word, "static") != 0)
      g_string_append_printf(type, "%s%s", type->len > 0 ? " " : "", word);
    code = next;
  }
  name = name == NULL && *code == '*' ? code : name;
  const char *after = name != NULL ? name + strspn(name, "* ") : NULL;
  while (after != NULL && is_word(*after))
    after++;
  after = after != NULL ? after + strspn(after, " ") : NULL;
  return type->len > 0 && after != NULL && (strchr("=[;,(", *after) != NULL) ? name : NULL;
}

/* Ends `found` with what the code declares at its beginning. */
static void
read_declaration(const char *code, Declaration *found)
{
  g_string_truncate(found->type, 0);
  const char *at = read_type(code + strspn(code, " "), found->type);
  found->has_numbers = at != NULL && is_number_type(found->type->str);
  found->has_values = FALSE;
  while (at != NULL && *at != '\0' && *at != ';')
    at = read_declarator(at + strspn(at, ", "), found);
}

/* What a statement declares for others; a block that it begins has what its loops declare. */
static Declaration
find_declaration(const char *code)
{
  Declaration found = {g_string_new(NULL), g_ptr_array_new_with_free_func(g_free), FALSE, FALSE};
  gsize length;
  if (!opens_block(code)) {
    read_declaration(code, &found);
    return found;
  }
  for (const char *word = code; (word = find_word(word, &length)) != NULL; word += length)
    if (length == 3 && strncmp(word, "for", 3) == 0 && strchr(word, '(') != NULL)
      read_declaration(strchr(word, '(') + 1, &found);
  return found;
}

/* --- Reading --- */

static int
count_depth(const char *code)
{
  int depth = 0;
  for (; *code != '\0'; code++)
    depth += (*code == '(') - (*code == ')');
  return depth;
}

/* Whether nothing more belongs to it. */
static gboolean
is_whole(const char *code)
{
  g_autofree char *stripped = strip(code);
  const gsize length = strlen(stripped);
  return length == 0 || *stripped == '#' || *stripped == '}' ||
         (count_depth(stripped) == 0 && strchr(";{}:", stripped[length - 1]) != NULL);
}

/* "else" and the "while" of a "do" go on. */
static gboolean
goes_on(const char *code, const char *next_line)
{
  g_autofree char *stripped = strip(next_line);
  return !opens_block(code) &&
         ((begins_with(stripped, "else") && begins_with(code, "if")) ||
          (begins_with(stripped, "while") && begins_with(code, "do") && !has_word(code, "while")));
}

/* The unit that begins in the line. */
static Unit
read_unit(const Listing *self, gsize first)
{
  Unit unit = {.first = first};
  g_autoptr(GString) code = g_string_new(NULL);
  gboolean in_comment = FALSE;
  while (self->lines[first + unit.n_pragmas] != NULL && is_pragma(self->lines[first + unit.n_pragmas]))
    unit.n_pragmas++;
  gsize line = first + unit.n_pragmas;
  do {
    do {
      unit.is_new |= is_new(self, self->lines[line]);
      add_code(code, self->lines[line++], &in_comment);
    } while (self->lines[line] != NULL && (in_comment || !is_whole(code->str)));
    g_free(unit.code);
    unit.code = strip(code->str);
  } while (self->lines[line] != NULL && goes_on(unit.code, self->lines[line]));
  unit.n_lines = line - first;
  return unit;
}

static void
read_units(Listing *self)
{
  g_autoptr(GArray) blocks = g_array_new(FALSE, FALSE, sizeof(guint));
  gboolean is_inside = FALSE;
  for (gsize line = 0;
       self->lines[line] != NULL && (self->lines[line + 1] != NULL || *self->lines[line] != '\0');) {
    const char first = *self->lines[line];
    is_inside = is_inside && first != '}';
    Unit unit = is_inside ? read_unit(self, line) : (Unit){line, 1, 0, g_strdup(""), .begun = 0};
    const guint index = self->units->len;
    const gboolean ends = is_inside && *unit.code == '}' && blocks->len > 0;
    unit.is_inside = is_inside;
    unit.begun = ends ? g_array_index(blocks, guint, blocks->len - 1) : index;
    if (ends)
      g_array_set_size(blocks, blocks->len - 1);
    unit.block = blocks->len > 0 ? g_array_index(blocks, guint, blocks->len - 1) : NO_BLOCK;
    if (is_inside && opens_block(unit.code))
      g_array_append_val(blocks, unit.begun);
    if (!is_inside)
      g_array_set_size(blocks, 0);
    g_array_append_val(self->units, unit);
    line += unit.n_lines;
    is_inside |= first == '{';
  }
}

/* --- What stays --- */

static gboolean
is_used(const Listing *self, const char *name)
{
  for (guint i = 0; i < self->units->len; i++)
    if (get_unit(self, i)->state == KEPT && has_word(get_unit(self, i)->code, name))
      return TRUE;
  return FALSE;
}

static gboolean
is_any_used(const Listing *self, const GPtrArray *names)
{
  for (guint i = 0; i < names->len; i++)
    if (is_used(self, names->pdata[i]))
      return TRUE;
  return FALSE;
}

static gboolean
is_within(const Listing *self, guint index, guint block)
{
  for (guint at = get_unit(self, index)->block; at != NO_BLOCK; at = get_unit(self, at)->block)
    if (at == block)
      return TRUE;
  return FALSE;
}

/* Whether something within the block can't do without it: a variable of its own, or a jump out of it. */
static gboolean
is_needed(const Listing *self, guint block)
{
  for (guint i = block + 1; i < self->units->len; i++) {
    const Unit *unit = get_unit(self, i);
    if (unit->state == LEFT_OUT || unit->begun == block || !is_within(self, i, block))
      continue;
    g_auto(Declaration) found = find_declaration(unit->code);
    if (found.names->len > 0 || has_word(unit->code, "continue") || has_word(unit->code, "break"))
      return TRUE;
  }
  return FALSE;
}

static State
find_state(const Listing *self, guint index)
{
  const Unit *unit = get_unit(self, index);
  g_auto(Declaration) found = find_declaration(unit->code);
  if (unit->begun != index)
    return get_unit(self, unit->begun)->state;
  if (opens_block(unit->code))
    return is_any_used(self, found.names) || is_needed(self, index) ? KEPT : unit->state;
  if (!is_any_used(self, found.names))
    return unit->state;
  return found.has_numbers && found.has_values ? DECLARED : KEPT;
}

/* Leaves out what is new; then puts back what the rest needs, until nothing is missing. */
static void
choose(Listing *self)
{
  gboolean has_changed = TRUE;
  for (guint i = 0; i < self->units->len; i++) {
    Unit *unit = get_unit(self, i);
    const gboolean is_wanted = unit->is_inside && unit->is_new;
    unit->state = unit->begun != i ? get_unit(self, unit->begun)->state : is_wanted ? LEFT_OUT : KEPT;
  }
  while (has_changed) {
    has_changed = FALSE;
    for (guint i = 0; i < self->units->len; i++) {
      Unit *unit = get_unit(self, i);
      const State state = unit->state == LEFT_OUT ? find_state(self, i) : unit->state;
      has_changed |= state != unit->state;
      unit->state = state;
    }
  }
}

/* --- Writing --- */

/* As far indented as the first of the lines that are left out. */
static void
end_gap(GString *out, const char *first, guint *n_lines)
{
  if (*n_lines > 0)
    g_string_append_printf(out, "%.*s/* gap of %u %s */\n", (int)strspn(first, " "), first, *n_lines,
                           *n_lines == 1 ? "line" : "lines");
  *n_lines = 0;
}

/* With 0 for its values; where they are 0 anyway it stays as it is. */
static void
declare(const Unit *unit, const char *line, GString *out)
{
  g_auto(Declaration) found = find_declaration(unit->code);
  g_autoptr(GString) code = g_string_new(found.type->str);
  for (guint i = 0; i < found.names->len; i++)
    g_string_append_printf(code, "%s %s = 0", i > 0 ? "," : "", (const char *)found.names->pdata[i]);
  g_string_append_printf(out, "%.*s%s;", (int)strspn(line, " "), line, code->str);
  g_string_append_c(code, ';');
  if (strcmp(code->str, unit->code) != 0)
    g_string_append_printf(out, " /* gap of %" G_GSIZE_FORMAT " %s */", unit->n_lines,
                           unit->n_lines == 1 ? "line" : "lines");
  g_string_append_c(out, '\n');
}

/* The end of what the parenthesis holds that the text begins with, behind it; NULL: that is on another line. */
static const char *
find_end(const char *text)
{
  int depth = 0;
  for (; *text != '\0'; text++) {
    depth += (*text == '(') - (*text == ')');
    if (depth == 0)
      return text + 1;
  }
  return NULL;
}

/* "for (int j = 0; 0;) {": a loop whose range is to be found. FALSE: the line is none, or stays as it is. */
static gboolean
write_loop(const Listing *self, const Unit *unit, const char *line, GString *out)
{
  const gsize indent = strspn(line, " ");
  const char *head = line + indent + strlen("for ");
  const char *rest = g_str_has_prefix(line + indent, "for (") ? find_end(head) : NULL;
  if (rest == NULL || self->known == NULL || !opens_block(unit->code) || !is_new(self, line))
    return FALSE;
  g_auto(Declaration) found = {g_string_new(NULL), g_ptr_array_new_with_free_func(g_free), FALSE, FALSE};
  read_declaration(head + 1, &found);
  if (!found.has_numbers)
    return FALSE;
  g_string_append_printf(out, "%.*sfor (%s", (int)indent, line, found.type->str);
  for (guint i = 0; i < found.names->len; i++)
    g_string_append_printf(out, "%s %s = 0", i > 0 ? "," : "", (const char *)found.names->pdata[i]);
  g_string_append_printf(out, "; 0;)%s /* gap of 1 line */\n", rest);
  return TRUE;
}

static char *
write_listing(const Listing *self, gboolean *has_gaps)
{
  GString *out = g_string_new(NULL);
  const char *first = "";
  guint n_left_out = 0;
  *has_gaps = FALSE;
  for (guint i = 0; i < self->units->len; i++) {
    const Unit *unit = get_unit(self, i);
    for (gsize k = 0; k < unit->n_lines; k++) {
      const char *line = self->lines[unit->first + k];
      const gboolean is_left_out = unit->state == LEFT_OUT || (k < unit->n_pragmas && is_new(self, line));
      *has_gaps |= is_left_out || unit->state == DECLARED;
      if (is_left_out && unit->state != DECLARED) {
        first = n_left_out++ == 0 ? line : first;
        continue;
      }
      end_gap(out, first, &n_left_out);
      if (unit->state == DECLARED && k == 0)
        declare(unit, self->lines[unit->first + unit->n_pragmas], out);
      else if (unit->state == KEPT && write_loop(self, unit, line, out))
        *has_gaps = TRUE;
      else if (unit->state == KEPT)
        g_string_append_printf(out, "%s\n", line);
    }
  }
  end_gap(out, first, &n_left_out);
  return g_string_free(out, FALSE);
}

static GHashTable *
list_lines(const char *text)
{
  GHashTable *lines = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
  g_auto(GStrv) split = g_strsplit(text, "\n", -1);
  for (char **line = split; *line != NULL; line++)
    g_hash_table_add(lines, strip(*line));
  return lines;
}

char *
debye_exercise_leave_gaps(const char *text, const char *before)
{
  g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
  g_autoptr(GHashTable) known = before != NULL ? list_lines(before) : NULL;
  g_autoptr(GArray) units = g_array_new(FALSE, TRUE, sizeof(Unit));
  Listing listing = {lines, known, units};
  gboolean has_gaps;
  g_array_set_clear_func(units, clear_unit);
  read_units(&listing);
  choose(&listing);
  char *gaps = write_listing(&listing, &has_gaps);
  if (has_gaps || before == NULL)
    return gaps;
  g_free(gaps);
  return debye_exercise_leave_gaps(text, NULL);
}
