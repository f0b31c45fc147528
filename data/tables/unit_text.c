/* SPDX-License-Identifier: MIT */
/* Units with their exponents raised, for names of layers, labels and lists. */
#include "unit_text.h"

/* A sign, digits and a fraction's stroke; NULL: no exponent has it. */
static const char *
get_raised(char letter)
{
  static const char *const digits[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  if (g_ascii_isdigit(letter))
    return digits[letter - '0'];
  return letter == '-' ? "⁻" : letter == '+' ? "⁺" : letter == '/' ? "ᐟ" : NULL;
}

char *
debye_unit_to_text(const char *unit)
{
  GString *text = g_string_new(NULL);
  while (unit != NULL && *unit != '\0') {
    /* A stroke that no digit follows divides units. */
    const gboolean is_exponent = *unit == '^' && get_raised(unit[1]) != NULL && unit[1] != '/';
    if (!is_exponent) {
      g_string_append_c(text, *unit++);
      continue;
    }
    for (unit++; get_raised(*unit) != NULL && (*unit != '/' || g_ascii_isdigit(unit[1])); unit++)
      g_string_append(text, get_raised(*unit));
  }
  return g_string_free(text, FALSE);
}
