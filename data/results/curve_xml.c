/* SPDX-License-Identifier: MIT */
/* canSAS XML, versions 1.0 and 1.1 (cansas.org/formats/1.1): the points (Idata with Q, I,
 * Idev, Qdev) of the first SASdata. Called by curve_load.c. */
#include "curve_private.h"

#include <math.h>
#include <string.h>

#include "data/files/error.h"
#include "data/files/text_fields.h"

#define CHUNK_BYTES 65536
#define MAX_NUMBER 64 /* characters */

enum { Q, I, IDEV, QDEV, N_VALUES };
static const char *const value_names[N_VALUES] = {"Q", "I", "Idev", "Qdev"};

typedef struct {
  DebyeInput *input;
  DebyeCurvePoints points;
  guint n_data; /* SASdata so far */
  gboolean is_in_point;
  int value; /* whose text is read; −1: none's */
  double values[N_VALUES];
  GString *text;
} XmlReader;

static void
xml_reader_clear(XmlReader *reader)
{
  debye_curve_points_clear(&reader->points);
  g_string_free(reader->text, TRUE);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(XmlReader, xml_reader_clear)

/* Without the prefix of a name space. */
static const char *
get_local_name(const char *name)
{
  const char *colon = strrchr(name, ':');
  return colon != NULL ? colon + 1 : name;
}

static int
find_value(const char *name)
{
  for (int i = 0; i < N_VALUES; i++)
    if (strcmp(name, value_names[i]) == 0)
      return i;
  return -1;
}

static void
keep_unit(XmlReader *reader, int value, const char **names, const char **texts)
{
  char **unit = value == Q ? &reader->points.x_unit : value == I ? &reader->points.y_unit : NULL;
  for (gsize i = 0; unit != NULL && *unit == NULL && names[i] != NULL; i++)
    if (strcmp(names[i], "unit") == 0)
      *unit = g_strdup(texts[i]);
}

static void
on_start(GMarkupParseContext *context, const char *element, const char **names, const char **texts,
         gpointer data, GError **error)
{
  (void)context, (void)error;
  XmlReader *reader = data;
  const char *name = get_local_name(element);
  reader->n_data += strcmp(name, "SASdata") == 0;
  if (strcmp(name, "Idata") == 0 && reader->n_data == 1) {
    reader->is_in_point = TRUE;
    for (int i = 0; i < N_VALUES; i++)
      reader->values[i] = NAN;
  }
  reader->value = reader->is_in_point ? find_value(name) : -1;
  g_string_truncate(reader->text, 0);
  if (reader->value >= 0)
    keep_unit(reader, reader->value, names, texts);
}

static void
on_text(GMarkupParseContext *context, const char *text, gsize length, gpointer data, GError **error)
{
  (void)context, (void)error;
  XmlReader *reader = data;
  if (reader->value >= 0 && reader->text->len < MAX_NUMBER)
    g_string_append_len(reader->text, text, (gssize)MIN(length, MAX_NUMBER));
}

static gboolean
end_value(XmlReader *reader, GError **error)
{
  const int value = reader->value;
  reader->value = -1;
  if (debye_text_to_double(reader->text->str, reader->text->len, &reader->values[value]))
    return TRUE;
  g_autofree char *found =
      debye_text_quote((DebyeTextField){reader->text->str, MIN(reader->text->len, MAX_NUMBER)});
  return debye_input_set_error(reader->input, error, DEBYE_ERROR_SYNTAX,
                               "point %u: expected a number for %s, found %s", reader->points.x->len + 1,
                               value_names[value], found);
}

static gboolean
end_point(XmlReader *reader, GError **error)
{
  const double *values = reader->values;
  reader->is_in_point = FALSE;
  if (!isnan(values[Q])) {
    debye_curve_points_add(&reader->points, values[Q], values[I], values[IDEV], values[QDEV]);
    return TRUE;
  }
  return debye_input_set_error(reader->input, error, DEBYE_ERROR_SYNTAX, "point %u: expected a Q, found none",
                               reader->points.x->len + 1);
}

static void
on_end(GMarkupParseContext *context, const char *element, gpointer data, GError **error)
{
  (void)context;
  XmlReader *reader = data;
  if (reader->value >= 0)
    end_value(reader, error);
  else if (reader->is_in_point && strcmp(get_local_name(element), "Idata") == 0)
    end_point(reader, error);
}

/* Errors of the reader's own name the file already. */
static void
pass_on(XmlReader *reader, GError *problem, GError **error)
{
  if (problem->domain != G_MARKUP_ERROR) {
    g_propagate_error(error, problem);
    return;
  }
  debye_input_set_error(reader->input, error, DEBYE_ERROR_SYNTAX, "expected well-formed XML: %s",
                        problem->message);
  g_error_free(problem);
}

static gboolean
parse(XmlReader *reader, GError **error)
{
  static const GMarkupParser parser = {.start_element = on_start, .end_element = on_end, .text = on_text};
  g_autoptr(GMarkupParseContext) context =
      g_markup_parse_context_new(&parser, G_MARKUP_TREAT_CDATA_AS_TEXT, reader, NULL);
  g_autofree char *buffer = g_malloc(CHUNK_BYTES);
  GError *problem = NULL;
  guint64 offset = 0;
  gssize n;
  while ((n = debye_input_read_some(reader->input, offset, buffer, CHUNK_BYTES, error)) > 0) {
    offset += (guint64)n;
    if (!g_markup_parse_context_parse(context, buffer, n, &problem))
      break;
  }
  if (n < 0)
    return FALSE;
  if (problem == NULL && g_markup_parse_context_end_parse(context, &problem))
    return TRUE;
  pass_on(reader, problem, error);
  return FALSE;
}

DebyeCurve *
debye_curve_read_xml(DebyeInput *input, GError **error)
{
  g_auto(XmlReader) reader = {.input = input, .value = -1, .text = g_string_new(NULL)};
  debye_curve_points_init(&reader.points);
  if (!parse(&reader, error))
    return NULL;
  DebyeCurve *curve = debye_curve_points_finish(&reader.points, input, error);
  if (curve != NULL && reader.n_data > 1)
    debye_array_warn(curve, "%s: the first of %u data sets was read", debye_input_get_name(input),
                     reader.n_data);
  return curve;
}
