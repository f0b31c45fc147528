/* SPDX-License-Identifier: MIT */
/* Reads MDTraj's JSON topology for format_mdtraj.c. Members come in any order, and a residue's name may stand
 * behind its atoms: each object is read twice, for what it says of itself and then for what it holds. */
#include "mdtraj_topology.h"

#include <string.h>

#include "json_cursor.h"

typedef struct {
  DebyeTopologyBuilder *builder;
  GString *key, *text;
  GString *chain, *segment, *residue;
  gint32 number;
} Parser;

/* A string or a number as text; anything else is none. */
static void
read_text(DebyeJsonCursor *json, GString *text)
{
  double number;
  char c = debye_json_cursor_peek(json);
  g_string_truncate(text, 0);
  if (c == '"')
    debye_json_cursor_read_string(json, text);
  else if ((c == '-' || g_ascii_isdigit(c)) && debye_json_cursor_read_number(json, &number))
    g_string_printf(text, "%" G_GINT64_FORMAT, (gint64)CLAMP(number, -1e15, 1e15));
  else
    debye_json_cursor_skip(json);
}

static gint32
read_integer(DebyeJsonCursor *json, gint32 otherwise)
{
  double number;
  char c = debye_json_cursor_peek(json);
  if (c != '-' && !g_ascii_isdigit(c)) {
    debye_json_cursor_skip(json);
    return otherwise;
  }
  return debye_json_cursor_read_number(json, &number) ? (gint32)CLAMP(number, -2147483647.0, 2147483647.0)
                                                      : otherwise;
}

static gboolean
key_is(const Parser *parser, const char *key)
{
  return strcmp(parser->key->str, key) == 0;
}

/* --- Atoms --- */

static void
read_atom(Parser *parser, DebyeJsonCursor *json)
{
  g_autofree char *name = NULL, *element = NULL;
  if (!debye_json_cursor_begin_object(json))
    return;
  DebyeAtom atom = DEBYE_ATOM_INIT;
  while (debye_json_cursor_next_member(json, parser->key)) {
    if (key_is(parser, "name") && name == NULL) {
      read_text(json, parser->text);
      name = g_strdup(parser->text->str);
    } else if (key_is(parser, "element") && element == NULL) {
      read_text(json, parser->text);
      element = g_strdup(parser->text->str);
    } else if (key_is(parser, "serial"))
      atom.serial = read_integer(json, G_MININT32);
    else
      debye_json_cursor_skip(json);
  }
  if (json->expected != NULL)
    return;
  atom.name = name;
  atom.element = element;
  /* A virtual site has an element of its own there. */
  if (element != NULL && (strcmp(element, "VS") == 0 || strcmp(element, "EP") == 0))
    atom.atomic_number = 0;
  debye_topology_builder_add_atom(parser->builder, &atom);
}

/* --- Residues and chains --- */

typedef void (*ReadItem)(Parser *parser, DebyeJsonCursor *json);

static void
read_array(Parser *parser, DebyeJsonCursor *json, ReadItem read_item)
{
  if (!debye_json_cursor_begin_array(json))
    return;
  while (debye_json_cursor_next_element(json))
    read_item(parser, json);
}

/* What an object holds, at a place found before; a mistake in it is the whole text's. */
static void
read_contents(Parser *parser, DebyeJsonCursor *json, DebyeJsonCursor *contents, ReadItem read_item)
{
  if (contents->at == NULL || json->expected != NULL)
    return;
  read_array(parser, contents, read_item);
  if (contents->expected != NULL) {
    json->expected = contents->expected;
    json->at = contents->at;
  }
}

static void
read_residue(Parser *parser, DebyeJsonCursor *json)
{
  DebyeJsonCursor atoms = {0};
  parser->number = 0;
  g_string_truncate(parser->residue, 0);
  g_string_truncate(parser->segment, 0);
  if (!debye_json_cursor_begin_object(json))
    return;
  while (debye_json_cursor_next_member(json, parser->key)) {
    if (key_is(parser, "name"))
      read_text(json, parser->residue);
    else if (key_is(parser, "segmentID"))
      read_text(json, parser->segment);
    else if (key_is(parser, "resSeq"))
      parser->number = read_integer(json, 0);
    else {
      if (key_is(parser, "atoms"))
        atoms = *json;
      debye_json_cursor_skip(json);
    }
  }
  debye_topology_builder_new_residue(parser->builder);
  debye_topology_builder_set_residue(parser->builder, parser->residue->str, -1, parser->number, '\0',
                                     parser->chain->str, -1, parser->segment->str, -1);
  read_contents(parser, json, &atoms, read_atom);
}

/* Older files count chains and give them no names. */
static void
read_chain(Parser *parser, DebyeJsonCursor *json)
{
  DebyeJsonCursor residues = {0};
  gboolean is_named = FALSE;
  g_string_truncate(parser->chain, 0);
  if (!debye_json_cursor_begin_object(json))
    return;
  while (debye_json_cursor_next_member(json, parser->key)) {
    gboolean is_name = key_is(parser, "chain_id");
    if (key_is(parser, "residues"))
      residues = *json;
    if (is_name || (key_is(parser, "index") && !is_named)) {
      read_text(json, parser->text);
      if (parser->text->len > 0)
        g_string_assign(parser->chain, parser->text->str);
      is_named = is_named || (is_name && parser->text->len > 0);
    } else {
      debye_json_cursor_skip(json);
    }
  }
  read_contents(parser, json, &residues, read_residue);
}

/* [i, j] or [i, j, kind, order]. */
static void
read_bond(Parser *parser, DebyeJsonCursor *json)
{
  gint32 atoms[2] = {-1, -1};
  if (!debye_json_cursor_begin_array(json))
    return;
  for (gsize i = 0; debye_json_cursor_next_element(json); i++) {
    if (i < 2)
      atoms[i] = read_integer(json, -1);
    else
      debye_json_cursor_skip(json);
  }
  if (json->expected == NULL)
    debye_topology_builder_add_bond(parser->builder, atoms[0], atoms[1]);
}

static void
read_topology(Parser *parser, DebyeJsonCursor *json)
{
  if (!debye_json_cursor_begin_object(json))
    return;
  while (debye_json_cursor_next_member(json, parser->key)) {
    if (key_is(parser, "chains"))
      read_array(parser, json, read_chain);
    else if (key_is(parser, "bonds"))
      read_array(parser, json, read_bond);
    else
      debye_json_cursor_skip(json);
  }
}

gboolean
debye_mdtraj_topology_read(const char *text, gsize length, DebyeTopologyBuilder *builder, char **problem)
{
  g_autoptr(GString) key = g_string_new(NULL);
  g_autoptr(GString) value = g_string_new(NULL);
  g_autoptr(GString) chain = g_string_new(NULL);
  g_autoptr(GString) segment = g_string_new(NULL);
  g_autoptr(GString) residue = g_string_new(NULL);
  Parser parser = {
      .builder = builder, .key = key, .text = value, .chain = chain, .segment = segment, .residue = residue};
  DebyeJsonCursor json;
  debye_json_cursor_init(&json, text, length);
  read_topology(&parser, &json);
  *problem = debye_json_cursor_describe_mistake(&json);
  return *problem == NULL;
}
