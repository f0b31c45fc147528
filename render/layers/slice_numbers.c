/* SPDX-License-Identifier: MIT */
/* Reads and writes the numbers of slice_layer.c and slice_layer_kind.c. */
#include "slice_numbers.h"

#include <math.h>
#include <string.h>

gboolean
debye_slice_numbers_parse(const char *text, double *values, guint n)
{
  const gboolean has_decimal_commas = strchr(text, ';') != NULL;
  g_autofree char *copy = g_strdelimit(g_strdup(text), ",", has_decimal_commas ? '.' : ' ');
  g_strdelimit(copy, ";\t", ' ');
  g_auto(GStrv) words = g_strsplit(copy, " ", -1);
  guint n_found = 0;
  for (guint i = 0; words[i] != NULL; i++) {
    char *end;
    if (*words[i] == '\0')
      continue;
    double value = g_ascii_strtod(words[i], &end);
    if (*end != '\0' || !isfinite(value) || n_found == n)
      return FALSE;
    values[n_found++] = value;
  }
  return n_found == n;
}

char *
debye_slice_numbers_format(double value)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];
  return g_strdup(value == 0.0 ? "" : g_ascii_formatd(text, sizeof text, "%.10g", value));
}
