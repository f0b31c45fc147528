/* SPDX-License-Identifier: MIT */
/* Names that scripts look for, whatever the curves of a result are called: groups of hard links to values
 * that stand elsewhere in the file, so that nothing is kept twice.
 *
 * - fq0, fq, fq2: of scattering in time, columns of /entry/rows over q; fq0 and fq with their imaginary parts
 * - partials: a data set a pair, I(q) or g(r) of each, or F of each over q and tau
 * - coordination: a data set a pair; of one pair alone it is called coordination
 *
 * Where two would have the same name the second has a number: “name_2”. */
#include "result_hdf5_series.h"

#include <string.h>

#define MAX_BYTES ((guint64)1 << 40) /* of a file that was just made */

/* What was written. */
typedef struct {
  hid_t entry;
  DebyeResult *result;
  GHashTable *groups; /* "curve 3": the kind and place → the group's name */
} Written;

typedef struct {
  char *group; /* of /entry */
  char *name, *as;
} Link;

typedef struct {
  const char *name;
  GPtrArray *axes, *signals; /* Link */
} Names;

static void
link_free(gpointer data)
{
  Link *link = data;
  g_free(link->group);
  g_free(link->name);
  g_free(link->as);
  g_free(link);
}

static void
names_clear(Names *names)
{
  g_ptr_array_unref(names->axes);
  g_ptr_array_unref(names->signals);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Names, names_clear)

static Names
names_init(const char *name)
{
  return (Names){name, g_ptr_array_new_with_free_func(link_free), g_ptr_array_new_with_free_func(link_free)};
}

/* Letters of formulas, which would be left out otherwise, as words. */
static void
spell_out(GString *name)
{
  static const struct {
    const char *letter, *word;
  } letters[] = {{"α", "alpha"}, {"β", "beta"},  {"θ", "theta"}, {"λ", "lambda"},  {"μ", "mu"},
                 {"π", "pi"},    {"ρ", "rho"},   {"σ", "sigma"}, {"τ", "tau"},     {"φ", "phi"},
                 {"χ", "chi"},   {"ω", "omega"}, {"Δ", "Delta"}, {"∞", "infinity"}};
  for (gsize i = 0; i < G_N_ELEMENTS(letters); i++)
    g_string_replace(name, letters[i].letter, letters[i].word, 0);
}

/* One underscore between words, whatever stood there, and none around them. */
static char *
join_words(const char *text)
{
  GString *joined = g_string_new(NULL);
  g_auto(GStrv) words = g_strsplit(text, "_", -1);
  for (char **word = words; *word != NULL; word++)
    if (**word != '\0')
      g_string_append_printf(joined, "%s%s", joined->len > 0 ? "_" : "", *word);
  return g_string_free(joined, FALSE);
}

char *
debye_result_hdf5_identifier(const char *name)
{
  g_autoptr(GString) spelled = g_string_new(name);
  spell_out(spelled);
  g_autofree char *plain = g_str_to_ascii(spelled->str, "C");
  g_strcanon(plain, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_", '_');
  char *identifier = join_words(plain);
  if (*identifier == '\0' || g_ascii_isdigit(*identifier)) {
    char *prefixed = g_strconcat("field_", identifier, NULL);
    g_free(identifier);
    identifier = prefixed;
  }
  return identifier;
}

gboolean
debye_result_hdf5_mark(hid_t group, const char *kind, guint index, GError **error)
{
  const double number = index;
  return debye_h5_write_string(group, "debye_kind", kind, error) &&
         debye_h5_write_doubles(group, "debye_index", &number, 0, NULL, error);
}

static gboolean
is_taken(const GPtrArray *links, const char *as)
{
  for (guint i = 0; i < links->len; i++)
    if (strcmp(((const Link *)links->pdata[i])->as, as) == 0)
      return TRUE;
  return FALSE;
}

static char *
free_name(const Names *names, const char *as)
{
  g_autofree char *wanted = debye_result_hdf5_identifier(as);
  char *name = g_strdup(wanted);
  for (guint i = 2;
       strcmp(name, "title") == 0 || is_taken(names->axes, name) || is_taken(names->signals, name); i++) {
    g_free(name);
    name = g_strdup_printf("%s_%u", wanted, i);
  }
  return name;
}

/* Into its axes or signals. */
static void
add(const Names *names, GPtrArray *links, const char *group, const char *name, const char *as)
{
  if (group == NULL || name == NULL)
    return;
  Link *link = g_new(Link, 1);
  *link = (Link){g_strdup(group), g_strdup(name), free_name(names, as)};
  g_ptr_array_add(links, link);
}

/* --- What was written --- */

static char *
make_key(const char *kind, guint index)
{
  return g_strdup_printf("%s %u", kind, index);
}

static GHashTable *
list_groups(hid_t entry)
{
  GHashTable *groups = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
  g_auto(GStrv) names = debye_h5_list(entry);
  for (char **name = names; name != NULL && *name != NULL; name++) {
    double number;
    g_auto(DebyeH5Group) group = debye_h5_open_group(entry, *name);
    g_autofree char *kind = group >= 0 ? debye_h5_read_string(group, "debye_kind") : NULL;
    if (kind != NULL && debye_h5_read_doubles(group, "debye_index", &number, 1))
      g_hash_table_replace(groups, make_key(kind, (guint)number), g_strdup(*name));
  }
  return groups;
}

/* The group of the part of that kind and place; NULL: none. */
static const char *
find_group(const Written *written, const char *kind, guint index)
{
  g_autofree char *key = make_key(kind, index);
  return g_hash_table_lookup(written->groups, key);
}

static char *
read_word(hid_t entry, const char *name, const char *attribute)
{
  g_auto(DebyeH5Group) group = name != NULL ? debye_h5_open_group(entry, name) : H5I_INVALID_HID;
  return group >= 0 ? debye_h5_read_string(group, attribute) : NULL;
}

static void
add_axes(hid_t entry, Names *names, const char *name)
{
  g_auto(DebyeH5Group) group = name != NULL ? debye_h5_open_group(entry, name) : H5I_INVALID_HID;
  g_auto(GStrv) axes = group >= 0 ? debye_h5_read_strings(group, "axes") : NULL;
  for (char **axis = axes; axis != NULL && *axis != NULL; axis++)
    add(names, names->axes, name, *axis, *axis);
}

static DebyeTable *
find_table(DebyeResult *result, const char *name, guint *index)
{
  GListModel *tables = debye_result_get_tables(result);
  for (*index = 0; *index < g_list_model_get_n_items(tables); ++*index) {
    g_autoptr(DebyeTable) table = g_list_model_get_item(tables, *index);
    if (strcmp(debye_table_get_name(table), name) == 0)
      return table; /* the result holds it */
  }
  return NULL;
}

/* --- The group --- */

static gboolean
put_links(hid_t entry, hid_t parent, GPtrArray *links, GError **error)
{
  for (guint i = 0; i < links->len; i++) {
    const Link *link = links->pdata[i];
    g_auto(DebyeH5Group) group = debye_h5_open_group(entry, link->group);
    if (!debye_h5_link(parent, link->as, group, link->name, error))
      return FALSE;
  }
  return TRUE;
}

static gboolean
write_names_of(hid_t group, const char *attribute, GPtrArray *links, guint first, GError **error)
{
  g_autoptr(GPtrArray) texts = g_ptr_array_new();
  for (guint i = first; i < links->len; i++)
    g_ptr_array_add(texts, ((const Link *)links->pdata[i])->as);
  return texts->len == 0 ||
         debye_h5_write_strings(group, attribute, (const char *const *)texts->pdata, texts->len, error);
}

static gboolean
write_signal(hid_t group, const Names *names, GError **error)
{
  const Link *first = names->signals->pdata[0];
  g_auto(DebyeH5Dataset) dataset = debye_h5_open_dataset(group, first->as);
  g_autofree char *unit = dataset >= 0 ? debye_h5_read_string(dataset, "units") : NULL;
  return debye_h5_write_string(group, "signal", first->as, error) &&
         (unit == NULL || debye_h5_write_string(group, "units", unit, error)) &&
         write_names_of(group, "auxiliary_signals", names->signals, 1, error);
}

/* A group of that name that stands there already keeps it. */
static gboolean
write_names(hid_t entry, const Names *names, GError **error)
{
  if (names->signals->len == 0 || names->axes->len == 0 || H5Lexists(entry, names->name, H5P_DEFAULT) > 0)
    return TRUE;
  g_auto(DebyeH5Group) group = debye_h5_create_group(entry, names->name, "NXdata", error);
  return group >= 0 && debye_result_hdf5_mark(group, DEBYE_RESULT_LINKS, 0, error) &&
         debye_h5_put_string(group, "title", names->name, error) &&
         put_links(entry, group, names->axes, error) && put_links(entry, group, names->signals, error) &&
         write_names_of(group, "axes", names->axes, 0, error) && write_signal(group, names, error);
}

/* --- Which --- */

/* Over |q|, which rows of vectors have in the matrix F alone; their components stand beside it. */
static gboolean
save_row_means(const Written *written, GError **error)
{
  static const char *const means[][3] = {
      {"fq0", "fq0_re", "fq0_im"}, {"fq", "fq_re", "fq_im"}, {"fq2", "fq2", NULL}};
  static const char *const components[] = {"h", "k", "l", "qx", "qy", "qz"};
  guint index;
  if (find_table(written->result, "rows", &index) == NULL)
    return TRUE;
  const char *rows = find_group(written, "table", index);
  g_auto(DebyeH5Group) group = debye_h5_open_group(written->entry, rows),
                       matrix = debye_h5_open_group(written->entry, "fqt");
  const char *source = H5Lexists(group, "q", H5P_DEFAULT) > 0 ? rows : "fqt";
  if (strcmp(source, rows) != 0 && (matrix < 0 || H5Lexists(matrix, "q", H5P_DEFAULT) <= 0))
    return TRUE;
  for (gsize i = 0; i < G_N_ELEMENTS(means); i++) {
    g_auto(Names) names = names_init(means[i][0]);
    g_autofree char *imaginary = g_strconcat(means[i][0], "_imaginary", NULL);
    if (H5Lexists(group, means[i][1], H5P_DEFAULT) <= 0)
      continue;
    add(&names, names.axes, source, "q", "q");
    add(&names, names.signals, rows, means[i][1], means[i][0]);
    add(&names, names.signals, rows, means[i][2], imaginary);
    if (!write_names(written->entry, &names, error))
      return FALSE;
    g_auto(DebyeH5Group) made = debye_h5_open_group(written->entry, means[i][0]);
    for (gsize k = 0; k < G_N_ELEMENTS(components); k++) {
      g_autofree char *indices = g_strconcat(components[k], "_indices", NULL);
      if (H5Lexists(group, components[k], H5P_DEFAULT) > 0 &&
          H5Lexists(made, components[k], H5P_DEFAULT) <= 0 &&
          (!debye_h5_link(made, components[k], group, components[k], error) ||
           !debye_h5_write_integer(made, indices, 0, error)))
        return FALSE;
    }
  }
  return TRUE;
}

/* The curves of a quantity by the names of their pairs, which their own names begin with. */
static void
add_curves(const Written *written, const char *quantity, const char *ending, Names *names)
{
  GListModel *curves = debye_result_get_curves(written->result);
  for (guint i = 0; i < g_list_model_get_n_items(curves); i++) {
    g_autoptr(DebyeCurve) curve = g_list_model_get_item(curves, i);
    g_autofree char *pair = g_strdup(debye_curve_get_name(curve));
    if (strcmp(debye_curve_get_y_quantity(curve)->name, quantity) != 0)
      continue;
    if (g_str_has_suffix(pair, ending))
      pair[strlen(pair) - strlen(ending)] = '\0';
    const char *group = find_group(written, "curve", i);
    g_autofree char *signal = read_word(written->entry, group, "signal");
    if (names->axes->len == 0)
      add_axes(written->entry, names, group);
    add(names, names->signals, group, signal, pair);
  }
}

static gboolean
save_coordination(const Written *written, GError **error)
{
  g_auto(Names) names = names_init("coordination");
  add_curves(written, "coordination", " coordination", &names);
  if (names.signals->len == 1) {
    Link *only = names.signals->pdata[0];
    g_free(only->as);
    only->as = g_strdup("coordination");
  }
  return write_names(written->entry, &names, error);
}

/* Columns of I(q) behind those of the sums. */
static void
add_intensities(const Written *written, Names *names)
{
  static const char *const sums[] = {"q", "intensity", "intensity_error", "coherent", "incoherent", NULL};
  guint index;
  DebyeTable *table = find_table(written->result, "intensity", &index);
  const char *group = table != NULL ? find_group(written, "table", index) : NULL;
  g_auto(DebyeH5Group) columns = group != NULL ? debye_h5_open_group(written->entry, group) : H5I_INVALID_HID;
  g_auto(GStrv) datasets = columns >= 0 ? debye_h5_get_strings(columns, "column_names", MAX_BYTES) : NULL;
  for (gsize i = 0; datasets != NULL && datasets[i] != NULL; i++) {
    const char *name = debye_table_get_quantity(table, i)->name;
    if (!g_strv_contains(sums, name))
      add(names, names->signals, group, datasets[i], name);
  }
  if (names->signals->len > 0)
    add(names, names->axes, group, "q", "q");
}

/* Of F, each is a matrix with the name of a column of the course. */
static void
add_courses(const Written *written, Names *names)
{
  GListModel *matrices = debye_result_get_matrices(written->result);
  for (guint i = 0; i < g_list_model_get_n_items(matrices); i++) {
    g_autoptr(DebyeMatrix) matrix = g_list_model_get_item(matrices, i);
    g_autofree char *expected = g_strconcat("F ", debye_matrix_get_name(matrix), NULL);
    if (strcmp(debye_matrix_get_quantity(matrix)->name, expected) != 0)
      continue;
    const char *group = find_group(written, "matrix", i);
    g_autofree char *signal = read_word(written->entry, group, "signal");
    if (names->axes->len == 0)
      add_axes(written->entry, names, group);
    add(names, names->signals, group, signal, debye_matrix_get_name(matrix));
  }
}

static gboolean
save_partials(const Written *written, GError **error)
{
  DebyeRequest *request = debye_result_get_request(written->result);
  const char *partials = debye_request_find(request, "partials");
  gboolean asked = FALSE;
  if (partials != NULL)
    debye_setting_parse_boolean(partials, &asked);
  g_auto(Names) names = names_init("partials");
  add_courses(written, &names);
  if (names.signals->len == 0)
    add_intensities(written, &names);
  if (names.signals->len == 0) {
    add_curves(written, "g", "", &names);
    if (names.signals->len == 1 && !asked)
      return TRUE;
  }
  return write_names(written->entry, &names, error);
}

gboolean
debye_result_hdf5_save_names(hid_t entry, DebyeResult *result, GError **error)
{
  g_autoptr(GHashTable) groups = list_groups(entry);
  const Written written = {.entry = entry, .result = result, .groups = groups};
  return save_row_means(&written, error) && save_partials(&written, error) &&
         save_coordination(&written, error);
}
