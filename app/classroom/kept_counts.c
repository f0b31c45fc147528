/* SPDX-License-Identifier: MIT */
/* Implementation of kept_counts.h. */
#include "kept_counts.h"

#include "app/document/json_reader.h"

static const struct {
  const char *key;
  gsize offset;
} numbers[] = {
    {"counted-atoms", G_STRUCT_OFFSET(DebyeBenchCounts, n_atoms)},
    {"asked-atoms", G_STRUCT_OFFSET(DebyeBenchCounts, n_asked)},
    {"counted-volume", G_STRUCT_OFFSET(DebyeBenchCounts, volume)},
    {"counted-range", G_STRUCT_OFFSET(DebyeBenchCounts, range)},
};

static void
insert_bins(GVariantDict *dict, const char *key, const guint64 *bins)
{
  GVariantBuilder builder;
  g_variant_builder_init(&builder, G_VARIANT_TYPE("av"));
  for (gsize i = 0; i < DEBYE_BENCH_N_BINS; i++)
    g_variant_builder_add(&builder, "v", g_variant_new_int64((gint64)bins[i]));
  g_variant_dict_insert_value(dict, key, g_variant_builder_end(&builder));
}

static gboolean
load_bins(GVariant *saved, const char *key, guint64 *bins)
{
  g_autofree double *counts = g_new(double, DEBYE_BENCH_N_BINS);
  if (!debye_json_get_numbers(saved, key, counts, DEBYE_BENCH_N_BINS))
    return FALSE;
  for (gsize i = 0; i < DEBYE_BENCH_N_BINS; i++) {
    if (!(counts[i] >= 0.0 && counts[i] < 0x1p53))
      return FALSE;
    bins[i] = (guint64)counts[i];
  }
  return TRUE;
}

/* Then the figure draws what was expected as well. */
static gboolean
has_more(const DebyeBenchCounts *counts)
{
  return counts->n_atoms > counts->n_asked;
}

void
debye_kept_count_save(const DebyeClassroomCount *count, GVariantDict *dict)
{
  insert_bins(dict, "counts", count->counts.bins);
  if (has_more(&count->counts))
    insert_bins(dict, "expected", count->counts.expected);
  g_variant_dict_insert(dict, "loses", "b", count->loses_counts);
  g_variant_dict_insert(dict, "lost", "d", count->lost);
  for (gsize i = 0; i < G_N_ELEMENTS(numbers); i++)
    g_variant_dict_insert(dict, numbers[i].key, "d",
                          G_STRUCT_MEMBER(double, &count->counts, numbers[i].offset));
}

gboolean
debye_kept_count_load(DebyeClassroomCount *count, GVariant *saved)
{
  g_autoptr(GVariant) loses = debye_json_get(saved, "loses", G_VARIANT_TYPE_BOOLEAN);
  count->loses_counts = loses != NULL && g_variant_get_boolean(loses);
  debye_json_get_number(saved, "lost", &count->lost);
  for (gsize i = 0; i < G_N_ELEMENTS(numbers); i++)
    debye_json_get_number(saved, numbers[i].key, &G_STRUCT_MEMBER(double, &count->counts, numbers[i].offset));
  return count->lost >= 0.0 && count->lost <= 1.0 && load_bins(saved, "counts", count->counts.bins) &&
         (!has_more(&count->counts) || load_bins(saved, "expected", count->counts.expected));
}

/* Before a race could have more atoms than the other steps. */
static void
load_common(GArray *counts, GVariant *ladder)
{
  double width = 0.0, n_atoms = 0.0, volume = 0.0;
  if (!debye_json_get_number(ladder, "bin-width", &width) ||
      !debye_json_get_number(ladder, "n-counted", &n_atoms) ||
      !debye_json_get_number(ladder, "cell-volume", &volume))
    return;
  for (guint i = 0; i < counts->len; i++) {
    DebyeBenchCounts *one = &g_array_index(counts, DebyeClassroomCount, i).counts;
    one->n_atoms = one->n_asked = n_atoms;
    one->volume = volume;
    one->range = width * DEBYE_BENCH_N_BINS;
  }
}

gboolean
debye_kept_counts_complete(GArray *counts, GVariant *ladder)
{
  load_common(counts, ladder);
  for (guint i = 0; i < counts->len; i++) {
    const DebyeBenchCounts *one = &g_array_index(counts, DebyeClassroomCount, i).counts;
    if (!(one->range > 0.0 && one->volume > 0.0 && one->n_asked > 1.0 && one->n_atoms >= one->n_asked &&
          one->n_atoms < 0x1p53))
      return FALSE;
  }
  return TRUE;
}
