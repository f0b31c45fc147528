/* SPDX-License-Identifier: MIT */
/* Shares, saves and restores what runs over frames have summed; called by frame_run_parts.c. */
#include "frame_state.h"

#include <math.h>
#include <string.h>

#include "job_file.h"

typedef struct {
  char *name;
  DebyeFrameStateKind kind;
  gsize n;
  double *values;          /* or … */
  guint64 *counts;         /* … these, or … */
  float *singles;          /* … these; NULL: values */
  double *squares;         /* of a spread, whose means are the values; NULL: none */
  const guint64 *n_frames; /* of it */
} Item;

static void
item_clear(gpointer data)
{
  Item *item = data;
  g_free(item->name);
}

void
debye_frame_state_init(DebyeFrameState *state)
{
  state->items = g_array_new(FALSE, FALSE, sizeof(Item));
  g_array_set_clear_func(state->items, item_clear);
}

void
debye_frame_state_clear(DebyeFrameState *state)
{
  g_clear_pointer(&state->items, g_array_unref);
}

void
debye_frame_state_add(DebyeFrameState *state, const char *name, DebyeFrameStateKind kind, double *values,
                      gsize n)
{
  const Item item = {.name = g_strdup(name), .kind = kind, .n = n, .values = values};
  g_array_append_val(state->items, item);
}

void
debye_frame_state_add_counts(DebyeFrameState *state, const char *name, DebyeFrameStateKind kind,
                             guint64 *values, gsize n)
{
  const Item item = {.name = g_strdup(name), .kind = kind, .n = n, .counts = values};
  g_array_append_val(state->items, item);
}

void
debye_frame_state_add_floats(DebyeFrameState *state, const char *name, float *values, gsize n)
{
  const Item item = {.name = g_strdup(name), .kind = DEBYE_STATE_KEPT, .n = n, .singles = values};
  g_array_append_val(state->items, item);
}

void
debye_frame_state_add_spread(DebyeFrameState *state, const char *name, const guint64 *n_frames, double *mean,
                             double *squares, gsize n)
{
  const Item item = {.name = g_strdup(name),
                     .kind = DEBYE_STATE_SUM,
                     .n = n,
                     .values = mean,
                     .squares = squares,
                     .n_frames = n_frames};
  g_array_append_val(state->items, item);
}

#define FOR_EACH_ITEM(item, state)                                                                           \
  for (const Item *item = (const Item *)(state)->items->data, *end = item + (state)->items->len; item < end; \
       item++)

void
debye_frame_state_forget(const DebyeFrameState *state)
{
  FOR_EACH_ITEM(item, state)
  {
    const double nothing = item->kind == DEBYE_STATE_LEAST  ? INFINITY
                           : item->kind == DEBYE_STATE_MOST ? -INFINITY
                                                            : 0.0;
    if (item->kind == DEBYE_STATE_KEPT || item->kind == DEBYE_STATE_SAME)
      continue;
    for (gsize i = 0; i < item->n; i++)
      if (item->counts != NULL)
        item->counts[i] = 0;
      else
        item->values[i] = nothing;
    if (item->squares != NULL)
      memset(item->squares, 0, item->n * sizeof *item->squares);
  }
}

/* --- Parts --- */

static void
merge_item(const Item *item, const Item *part)
{
  g_assert(item->n == part->n && item->squares == NULL);
  for (gsize i = 0; i < item->n; i++)
    if (item->kind == DEBYE_STATE_LEAST)
      item->values[i] = MIN(item->values[i], part->values[i]);
    else if (item->kind == DEBYE_STATE_MOST)
      item->values[i] = MAX(item->values[i], part->values[i]);
    else if (item->kind == DEBYE_STATE_SUM && item->counts != NULL)
      item->counts[i] += part->counts[i];
    else if (item->kind == DEBYE_STATE_SUM)
      item->values[i] += part->values[i];
}

void
debye_frame_state_merge(const DebyeFrameState *state, const DebyeFrameState *part)
{
  g_assert(state->items->len == part->items->len);
  for (guint i = 0; i < state->items->len; i++)
    merge_item(&g_array_index(state->items, Item, i), &g_array_index(part->items, Item, i));
}

/* --- Processes --- */

/* Chan, Golub & LeVeque, Am. Stat. 37 (1983) 242, for any number of parts: about the common mean. */
static void
share_spread(const Item *item, const DebyeRanks *ranks)
{
  const double n_own = (double)*item->n_frames;
  double n_all = n_own;
  ranks->sum(&n_all, 1);
  g_autofree double *mean = g_new(double, item->n);
  for (gsize i = 0; i < item->n; i++)
    mean[i] = n_all > 0.0 ? item->values[i] * (n_own / n_all) : 0.0;
  ranks->sum(mean, item->n);
  for (gsize i = 0; i < item->n; i++) {
    const double apart = item->values[i] - mean[i];
    item->squares[i] += n_own * apart * apart;
    item->values[i] = mean[i];
  }
  ranks->sum(item->squares, item->n);
}

static void
share_counts(const Item *item, const DebyeRanks *ranks)
{
  g_autofree double *values = g_new(double, item->n);
  for (gsize i = 0; i < item->n; i++)
    values[i] = (double)item->counts[i];
  ranks->sum(values, item->n);
  for (gsize i = 0; i < item->n; i++)
    item->counts[i] = (guint64)values[i];
}

static void
share_most(const Item *item, const DebyeRanks *ranks)
{
  for (gsize i = 0; i < item->n; i++)
    item->values[i] = -item->values[i];
  ranks->least(item->values, item->n);
  for (gsize i = 0; i < item->n; i++)
    item->values[i] = -item->values[i];
}

static void
share_item(const Item *item, const DebyeRanks *ranks)
{
  if (item->kind == DEBYE_STATE_LEAST)
    ranks->least(item->values, item->n);
  else if (item->kind == DEBYE_STATE_MOST)
    share_most(item, ranks);
  else if (item->kind == DEBYE_STATE_SUM && item->counts != NULL)
    share_counts(item, ranks);
  else if (item->kind == DEBYE_STATE_SUM)
    ranks->sum(item->values, item->n);
}

void
debye_frame_state_share(const DebyeFrameState *state, const DebyeRanks *ranks)
{
  /* Spreads first: they go by the numbers of each process' own frames. */
  FOR_EACH_ITEM(item, state)
  if (item->squares != NULL)
    share_spread(item, ranks);
  FOR_EACH_ITEM(item, state)
  if (item->squares == NULL)
    share_item(item, ranks);
}

/* --- Files --- */

static char *
name_table(const Item *item)
{
  return g_strconcat(DEBYE_JOB_RESTART, item->name, NULL);
}

/* NULL: they are doubles already. */
static double *
convert(const Item *item)
{
  double *values = item->values == NULL ? g_new(double, item->n) : NULL;
  for (gsize i = 0; values != NULL && i < item->n; i++)
    values[i] = item->counts != NULL ? (double)item->counts[i] : (double)item->singles[i];
  return values;
}

static void
save_item(const Item *item, DebyeResult *result)
{
  g_autofree char *name = name_table(item);
  g_autofree double *converted = convert(item);
  g_autoptr(DebyeTable) table = debye_table_new(name);
  debye_table_add_numbers(table, &(DebyeQuantity){"value", "value", NULL}, item->n,
                          converted != NULL ? converted : item->values);
  if (item->squares != NULL)
    debye_table_add_numbers(table, &(DebyeQuantity){"squares", "squares", NULL}, item->n, item->squares);
  debye_result_add_table(result, table);
}

void
debye_frame_state_save(const DebyeFrameState *state, DebyeResult *result)
{
  FOR_EACH_ITEM(item, state)
  save_item(item, result);
}

/* NULL where the result has it not, or of another length. */
static const double *
find(const Item *item, DebyeResult *result, const char *column)
{
  gsize n;
  g_autofree char *name = name_table(item);
  const double *values = debye_job_file_find_column(result, name, column, &n);
  return n == item->n ? values : NULL;
}

static void
load_item(const Item *item, DebyeResult *result)
{
  const double *values = find(item, result, "value");
  for (gsize i = 0; item->counts != NULL && i < item->n; i++)
    item->counts[i] = (guint64)values[i];
  for (gsize i = 0; item->singles != NULL && i < item->n; i++)
    item->singles[i] = (float)values[i];
  if (item->values != NULL)
    memcpy(item->values, values, item->n * sizeof *values);
  if (item->squares != NULL)
    memcpy(item->squares, find(item, result, "squares"), item->n * sizeof *values);
}

/* One that must be the same and is of another length is another. */
static gboolean
is_another(const Item *item, DebyeResult *result)
{
  const double *values = find(item, result, "value");
  return item->kind == DEBYE_STATE_SAME &&
         (values == NULL || memcmp(values, item->values, item->n * sizeof *values) != 0);
}

const char *
debye_frame_state_load(const DebyeFrameState *state, DebyeResult *result, gboolean *is_other)
{
  FOR_EACH_ITEM(item, state)
  {
    *is_other = is_another(item, result);
    if (*is_other || find(item, result, "value") == NULL ||
        (item->squares != NULL && find(item, result, "squares") == NULL))
      return item->name;
  }
  FOR_EACH_ITEM(item, state)
  load_item(item, result);
  return NULL;
}
