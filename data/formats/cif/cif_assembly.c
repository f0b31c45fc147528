/* SPDX-License-Identifier: MIT */
/* Implementation of cif_assembly.h. */
#include "cif_assembly.h"

#include <string.h>

#include "cif_table.h"
#include "data/files/error.h"

enum { GEN_ASSEMBLY, GEN_EXPRESSION, GEN_CHAINS };
enum { OPERATION_ID, OPERATION_FIRST, OPERATION_END = OPERATION_FIRST + 12 };

typedef struct {
  char *expression, *chains;
} Generation;

typedef struct {
  gint64 wanted;
  GArray *generations;    /* Generation */
  GHashTable *operations; /* id → DebyeAssemblyOperation */
  GString *found;
} Reader;

static void
generation_clear(gpointer data)
{
  Generation *generation = data;
  g_free(generation->expression);
  g_free(generation->chains);
}

/* --- Expressions --- */

/* "1,2,5-7" or "P" → names. */
static GPtrArray *
parse_list(const char *text, gsize length)
{
  g_autofree char *list = g_strndup(text, length);
  g_auto(GStrv) words = g_strsplit(list, ",", -1);
  g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
  for (char **word = words; *word != NULL; word++) {
    char *end;
    const gint64 first = g_ascii_strtoll(g_strstrip(*word), &end, 10);
    const gboolean is_range = end > *word && *end == '-';
    const gint64 last = is_range ? g_ascii_strtoll(end + 1, &end, 10) : 0;
    if (**word == '\0' ||
        (is_range && (*end != '\0' || last < first || last - first >= DEBYE_ASSEMBLY_OPERATIONS)))
      return NULL;
    for (gint64 k = first; is_range && k <= last; k++)
      g_ptr_array_add(names, g_strdup_printf("%" G_GINT64_FORMAT, k));
    if (!is_range)
      g_ptr_array_add(names, g_strdup(*word));
  }
  return g_steal_pointer(&names);
}

static void
free_strings(gpointer strings)
{
  g_strfreev(strings);
}

/* Each product so far with each name. */
static GPtrArray *
multiply(const GPtrArray *products, const GPtrArray *names)
{
  GPtrArray *all = g_ptr_array_new_with_free_func(free_strings);
  for (guint p = 0; p < products->len; p++)
    for (guint k = 0; k < names->len; k++) {
      g_autoptr(GStrvBuilder) product = g_strv_builder_new();
      g_strv_builder_addv(product, g_ptr_array_index(products, p));
      g_strv_builder_add(product, g_ptr_array_index(names, k));
      g_ptr_array_add(all, g_strv_builder_end(product));
    }
  return all;
}

GPtrArray *
debye_cif_assembly_parse(const char *expression)
{
  g_autoptr(GPtrArray) products = g_ptr_array_new_with_free_func(free_strings);
  const gboolean has_groups = strchr(expression, '(') != NULL;
  g_ptr_array_add(products, g_new0(char *, 1));
  for (const char *text = expression; *text != '\0';) {
    const char *first = has_groups ? strchr(text, '(') : text;
    const char *end = has_groups && first != NULL ? strchr(first, ')') : text + strlen(text);
    if (first == NULL || end == NULL)
      return NULL;
    first += has_groups;
    g_autoptr(GPtrArray) names = parse_list(first, (gsize)(end - first));
    if (names == NULL || products->len * names->len > DEBYE_ASSEMBLY_OPERATIONS)
      return NULL;
    GPtrArray *next = multiply(products, names);
    g_ptr_array_unref(products);
    products = next;
    text = has_groups ? end + 1 : end;
  }
  return g_steal_pointer(&products);
}

/* --- Tables --- */

static gboolean
take_generation(DebyeCifWalk *walk, const DebyeCifRow *row, GError **error)
{
  Reader *reader = walk->data;
  (void)error;
  g_autofree char *id = debye_cif_value_copy(&row->values[GEN_ASSEMBLY]);
  if (strstr(reader->found->str, id) == NULL && reader->found->len < 200)
    g_string_append_printf(reader->found, "%s%s", reader->found->len > 0 ? ", " : "", id);
  g_autofree char *wanted = g_strdup_printf("%" G_GINT64_FORMAT, reader->wanted);
  if (strcmp(id, wanted) != 0)
    return TRUE;
  const Generation generation = {debye_cif_value_copy(&row->values[GEN_EXPRESSION]),
                                 debye_cif_value_copy(&row->values[GEN_CHAINS])};
  g_array_append_val(reader->generations, generation);
  return TRUE;
}

static gboolean
take_operation(DebyeCifWalk *walk, const DebyeCifRow *row, GError **error)
{
  Reader *reader = walk->data;
  double numbers[12];
  for (int k = 0; k < 12; k++)
    if (!debye_cif_value_to_double(&row->values[OPERATION_FIRST + k], &numbers[k]))
      return debye_cif_row_set_error(walk, row, error, DEBYE_ERROR_SYNTAX,
                                     "expected twelve numbers for an assembly's operation");
  DebyeAssemblyOperation *operation = g_new0(DebyeAssemblyOperation, 1);
  memcpy(operation->rotation, numbers, 9 * sizeof(double));
  operation->translation = debye_vec3(numbers[9], numbers[10], numbers[11]);
  g_hash_table_insert(reader->operations, debye_cif_value_copy(&row->values[OPERATION_ID]), operation);
  return TRUE;
}

static gboolean
read_tables(DebyeInput *input, Reader *reader, GError **error)
{
#define OPER "_pdbx_struct_oper_list."
  static const char *const of_generations[] = {"_pdbx_struct_assembly_gen.assembly_id",
                                               "_pdbx_struct_assembly_gen.oper_expression",
                                               "_pdbx_struct_assembly_gen.asym_id_list", NULL};
  static const char *const of_operations[] = {OPER "id",           OPER "matrix[1][1]",
                                              OPER "matrix[1][2]", OPER "matrix[1][3]",
                                              OPER "matrix[2][1]", OPER "matrix[2][2]",
                                              OPER "matrix[2][3]", OPER "matrix[3][1]",
                                              OPER "matrix[3][2]", OPER "matrix[3][3]",
                                              OPER "vector[1]",    OPER "vector[2]",
                                              OPER "vector[3]",    NULL};
#undef OPER
  static const DebyeCifTable tables[] = {{of_generations, take_generation}, {of_operations, take_operation}};
  g_auto(DebyeLineReader) lines = {0};
  debye_line_reader_init(&lines, input, 0, 1);
  DebyeCifWalk walk = {.lines = &lines, .tables = tables, .n_tables = G_N_ELEMENTS(tables), .data = reader};
  return debye_cif_walk(&walk, error);
}

/* --- Operations --- */

/* First `second`, then `first`. */
static DebyeAssemblyOperation
compose(const DebyeAssemblyOperation *first, const DebyeAssemblyOperation *second)
{
  const double u[3] = {second->translation.x, second->translation.y, second->translation.z};
  DebyeAssemblyOperation made = {.translation = first->translation};
  double *t[3] = {&made.translation.x, &made.translation.y, &made.translation.z};
  for (int r = 0; r < 3; r++)
    for (int k = 0; k < 3; k++) {
      *t[r] += first->rotation[r][k] * u[k];
      for (int c = 0; c < 3; c++)
        made.rotation[r][c] += first->rotation[r][k] * second->rotation[k][c];
    }
  return made;
}

static gboolean
add_product(DebyeInput *input, const Reader *reader, char **product, GArray *operations, GError **error)
{
  DebyeAssemblyOperation made = {.rotation = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  for (; *product != NULL; product++) {
    const DebyeAssemblyOperation *operation = g_hash_table_lookup(reader->operations, *product);
    if (operation == NULL)
      return debye_input_set_error(input, error, DEBYE_ERROR_MISSING,
                                   "the assembly's operation %s isn't in _pdbx_struct_oper_list", *product);
    made = compose(&made, operation);
  }
  g_array_append_val(operations, made);
  return TRUE;
}

static gboolean
add_part(DebyeInput *input, const Reader *reader, const Generation *generation, DebyeAssembly *assembly,
         GError **error)
{
  g_autoptr(GPtrArray) products = debye_cif_assembly_parse(generation->expression);
  g_autoptr(GArray) operations = g_array_new(FALSE, FALSE, sizeof(DebyeAssemblyOperation));
  if (products == NULL)
    return debye_input_set_error(input, error, DEBYE_ERROR_SYNTAX,
                                 "expected operations such as 1,2 or (1-60) for an assembly, found “%s”",
                                 generation->expression);
  for (guint p = 0; p < products->len; p++)
    if (!add_product(input, reader, g_ptr_array_index(products, p), operations, error))
      return FALSE;
  debye_assembly_add_part(assembly, g_strsplit(generation->chains, ",", -1), g_steal_pointer(&operations));
  return TRUE;
}

static gboolean
refuse_number(DebyeInput *input, const Reader *reader, GError **error)
{
  if (reader->found->len == 0)
    debye_input_set_error(input, error, DEBYE_ERROR_MISSING,
                          "the file has no biological assemblies (_pdbx_struct_assembly_gen)");
  else
    debye_input_set_error(input, error, DEBYE_ERROR_MISSING,
                          "the file has no biological assembly %" G_GINT64_FORMAT ", but %s", reader->wanted,
                          reader->found->str);
  return FALSE;
}

DebyeAssembly *
debye_cif_assembly_read(DebyeInput *input, gint64 number, GError **error)
{
  g_autoptr(GArray) generations = g_array_new(FALSE, FALSE, sizeof(Generation));
  g_autoptr(GHashTable) operations = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
  g_autoptr(GString) found = g_string_new(NULL);
  g_autoptr(DebyeAssembly) assembly = debye_assembly_new(TRUE);
  g_array_set_clear_func(generations, generation_clear);
  Reader reader = {.wanted = number, .generations = generations, .operations = operations, .found = found};
  if (!read_tables(input, &reader, error) || (generations->len == 0 && !refuse_number(input, &reader, error)))
    return NULL;
  for (guint k = 0; k < generations->len; k++)
    if (!add_part(input, &reader, &g_array_index(generations, Generation, k), assembly, error))
      return NULL;
  return g_steal_pointer(&assembly);
}
