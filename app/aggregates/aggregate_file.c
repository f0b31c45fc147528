/* SPDX-License-Identifier: MIT */
/* Implementation of aggregate_file.h. */
#include "aggregate_file.h"

#include "data/files/error.h"
#include "data/files/replace_file.h"
#include "data/files/text_writer.h"

#define MOST_AGGREGATES 1000

gboolean
debye_aggregate_rule_parse(DebyeAggregateRule *rule, const char *text, GError **error)
{
  g_auto(GStrv) words = g_strsplit(text, " ", -1);
  guint64 numbers[3];
  gboolean is_right =
      g_strv_length(words) == 4 && (g_str_equal(words[0], "diffusion") || g_str_equal(words[0], "reaction"));
  static const guint64 limits[] = {DEBYE_AGGREGATE_MOST_STAGES, MOST_AGGREGATES, G_MAXUINT32};
  for (gsize i = 0; is_right && i < G_N_ELEMENTS(numbers); i++)
    is_right = g_ascii_string_to_unsigned(words[i + 1], 10, 1, limits[i], &numbers[i], NULL);
  if (!is_right)
    return debye_error_set(
        error, DEBYE_ERROR_VALUE,
        "expected “diffusion” or “reaction”, stages up to %d, a number of aggregates and a seed, found “%s”",
        DEBYE_AGGREGATE_MOST_STAGES, text);
  *rule = (DebyeAggregateRule){.law = g_str_equal(words[0], "diffusion") ? DEBYE_AGGREGATE_DIFFUSION
                                                                         : DEBYE_AGGREGATE_REACTION,
                               .n_stages = (guint)numbers[0],
                               .n_aggregates = (guint)numbers[1],
                               .seed = numbers[2]};
  return TRUE;
}

static void
put_particle(DebyeTextWriter *writer, const DebyeAggregatePoint *at)
{
  debye_text_writer_put_string(writer, "Au");
  for (int axis = 0; axis < 3; axis++) {
    char number[G_ASCII_DTOSTR_BUF_SIZE];
    const double x = axis == 0 ? at->x : axis == 1 ? at->y : at->z;
    g_ascii_formatd(number, sizeof number, "%.4f", DEBYE_AGGREGATE_DIAMETER * x);
    debye_text_writer_put_string(writer, " ");
    debye_text_writer_put_string(writer, number);
  }
  debye_text_writer_put_string(writer, "\n");
}

static void
put_aggregates(DebyeTextWriter *writer, const DebyeAggregates *grown, const char *text)
{
  for (guint i = 0; i < grown->n_aggregates; i++) {
    debye_text_writer_put_size(writer, grown->n_particles);
    debye_text_writer_put_string(writer, "\n");
    debye_text_writer_put_one_line(writer, text);
    debye_text_writer_put_string(writer, "\n");
    for (guint k = 0; k < grown->n_particles; k++)
      put_particle(writer, &grown->positions[(gsize)i * grown->n_particles + k]);
  }
}

char *
debye_aggregate_dimension_text(const DebyeAggregates *grown)
{
  char dimension[G_ASCII_DTOSTR_BUF_SIZE], error[G_ASCII_DTOSTR_BUF_SIZE];
  g_ascii_formatd(dimension, sizeof dimension, "%.2f", grown->dimension);
  g_ascii_formatd(error, sizeof error, "%.2f", grown->error);
  return g_strdup_printf("%s ± %s", dimension, error);
}

/* A frame's comment. */
static char *
describe(const DebyeAggregateRule *rule, const DebyeAggregates *grown)
{
  g_autofree char *dimension = debye_aggregate_dimension_text(grown);
  return g_strdup_printf("%s-limited cluster aggregation of %u particles, seed %" G_GUINT64_FORMAT
                         ", dimension of mass and radius %s",
                         rule->law == DEBYE_AGGREGATE_DIFFUSION ? "diffusion" : "reaction",
                         grown->n_particles, rule->seed, dimension);
}

static gboolean
make_folder(const char *path, GError **error)
{
  g_autofree char *folder = g_path_get_dirname(path);
  return g_mkdir_with_parents(folder, 0777) == 0 ||
         debye_error_set(error, DEBYE_ERROR_WRITE, "%s: the folder can't be made", folder);
}

gboolean
debye_aggregate_write(const DebyeAggregateRule *rule, const char *path, DebyeAggregateProgress progress,
                      gpointer data, DebyeAggregates *grown, GError **error)
{
  if (!make_folder(path, error) || !debye_aggregates_grow(grown, rule, progress, data))
    return FALSE;
  g_autofree char *text = describe(rule, grown);
  g_autoptr(DebyeReplaceFile) file = debye_replace_file_new(path, error);
  if (file == NULL)
    return FALSE;
  g_autoptr(DebyeTextWriter) writer = debye_text_writer_new(debye_replace_file_get_stream(file));
  put_aggregates(writer, grown, text);
  return debye_text_writer_finish(writer, error) && debye_replace_file_commit(g_steal_pointer(&file), error);
}
