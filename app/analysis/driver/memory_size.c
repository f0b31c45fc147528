/* SPDX-License-Identifier: MIT */
/* Parses and prints amounts of memory; called by the plans of analyses and debye-cli. */
#include "memory_size.h"

#include <math.h>

#include "data/files/error.h"

static const char prefixes[] = "KMGTP";

/* The rest after the number: "", "G", "GB", "GiB" and the like. −1: none of them. */
static double
parse_multiple(const char *text)
{
  double multiple = 1.0;
  while (g_ascii_isspace(*text))
    text++;
  for (int i = 0; prefixes[i] != '\0'; i++)
    if (g_ascii_toupper(*text) == prefixes[i]) {
      multiple = pow(1024.0, i + 1);
      text++;
      if (*text == 'i')
        text++;
      break;
    }
  if (*text == 'B' || *text == 'b')
    text++;
  return *text == '\0' ? multiple : -1.0;
}

gboolean
debye_memory_size_parse(const char *text, guint64 *bytes, GError **error)
{
  *bytes = 0;
  if (text == NULL || *text == '\0')
    return TRUE;
  char *end = NULL;
  double number = g_ascii_strtod(text, &end);
  double multiple = end != text ? parse_multiple(end) : -1.0;
  double product = number * multiple;
  if (!(multiple > 0.0 && product >= 1.0 && product < 1e18))
    return debye_error_set_about(error, DEBYE_ERROR_VALUE, "Memory limit",
                                 "expected an amount such as 512M or 8G, found “%s”", text);
  *bytes = (guint64)product;
  return TRUE;
}

char *
debye_memory_size_to_string(guint64 bytes)
{
  if (bytes < 1024)
    return g_strdup_printf("%" G_GUINT64_FORMAT " B", bytes);
  double value = (double)bytes;
  int i = -1;
  while (value >= 1024.0 && prefixes[i + 1] != '\0') {
    value /= 1024.0;
    i++;
  }
  char number[G_ASCII_DTOSTR_BUF_SIZE];
  g_ascii_formatd(number, sizeof number, value < 100.0 ? "%.1f" : "%.0f", value);
  return g_strdup_printf("%s %ciB", number, prefixes[i]);
}
