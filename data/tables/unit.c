/* SPDX-License-Identifier: MIT */
/* Converts units of HDF5 and NetCDF files; measured constants are those of CODATA 2018. */
#include "unit.h"

#include <math.h>
#include <string.h>

enum { LENGTH, TIME, MASS, CHARGE, N_DIMENSIONS };

typedef struct {
  const char *symbol;
  double scale;
  gint8 dimension; /* -1: none */
} Symbol;

#define AVOGADRO 6.02214076e23
#define ELEMENTARY_CHARGE 1.602176634e-19 /* C */
#define ATOMIC_MASS 1.66053906660e-27     /* kg */

static const Symbol symbols[] = {
    {"m", 1e10, LENGTH},
    {"cm", 1e8, LENGTH},
    {"um", 1e4, LENGTH},
    {"µm", 1e4, LENGTH},
    {"nm", 10.0, LENGTH},
    {"nanometer", 10.0, LENGTH},
    {"pm", 0.01, LENGTH},
    {"Å", 1.0, LENGTH},
    {"A", 1.0, LENGTH},
    {"angstrom", 1.0, LENGTH},
    {"bohr", 0.529177210903, LENGTH},
    {"a0", 0.529177210903, LENGTH},
    {"s", 1e12, TIME},
    {"ms", 1e9, TIME},
    {"us", 1e6, TIME},
    {"µs", 1e6, TIME},
    {"ns", 1e3, TIME},
    {"nanosecond", 1e3, TIME},
    {"ps", 1.0, TIME},
    {"picosecond", 1.0, TIME},
    {"fs", 1e-3, TIME},
    {"femtosecond", 1e-3, TIME},
    {"kg", 1.0 / ATOMIC_MASS, MASS},
    {"g", 1e-3 / ATOMIC_MASS, MASS},
    {"u", 1.0, MASS},
    {"amu", 1.0, MASS},
    {"Da", 1.0, MASS},
    {"dalton", 1.0, MASS},
    {"C", 1.0 / ELEMENTARY_CHARGE, CHARGE},
    {"e", 1.0, CHARGE},
    {"mol", AVOGADRO, -1},
    {"mole", AVOGADRO, -1},
};

/* Symbols of one letter mean different things in capitals; names don't, and may stand in the plural. */
static gboolean
symbol_is(const char *symbol, const char *text, gsize length)
{
  gsize n = strlen(symbol);
  if (length == n && memcmp(symbol, text, n) == 0)
    return TRUE;
  if (n < 4 || length < n || length > n + 1 || g_ascii_strncasecmp(symbol, text, n) != 0)
    return FALSE;
  return length == n || text[n] == 's';
}

static const Symbol *
find_symbol(const char *text, gsize length)
{
  for (gsize i = 0; i < G_N_ELEMENTS(symbols); i++)
    if (symbol_is(symbols[i].symbol, text, length))
      return &symbols[i];
  return NULL;
}

typedef struct {
  double scale;
  int powers[N_DIMENSIONS];
} Product;

static gboolean
multiply(Product *product, const char *text, gsize length, int power)
{
  const Symbol *symbol = find_symbol(text, length);
  if (symbol == NULL)
    return FALSE;
  product->scale *= pow(symbol->scale, power);
  if (symbol->dimension >= 0)
    product->powers[symbol->dimension] += power;
  return TRUE;
}

static gboolean
is_separator(char c)
{
  return c == ' ' || c == '*' || c == '/' || c == '.';
}

/* Behind a symbol: -1, +2, 3, ^2, **-1; none is 1. */
static int
take_power(const char **text)
{
  if (**text == '^')
    (*text)++;
  else if ((*text)[0] == '*' && (*text)[1] == '*')
    *text += 2;
  int sign = **text == '-' ? -1 : 1;
  if (**text == '-' || **text == '+')
    (*text)++;
  if (!g_ascii_isdigit(**text))
    return sign;
  int power = *(*text)++ - '0';
  return sign * power;
}

/* "a0" is the one symbol with a digit. */
static gsize
measure_symbol(const char *text)
{
  gsize n = 0;
  if (text[0] == 'a' && text[1] == '0')
    return 2;
  while (text[n] != '\0' && !is_separator(text[n]) && strchr("+-^", text[n]) == NULL &&
         !g_ascii_isdigit(text[n]))
    n++;
  return n;
}

static gboolean
parse(const char *text, Product *product)
{
  *product = (Product){.scale = 1.0};
  int sign = 1;
  while (*text != '\0') {
    if (is_separator(*text)) {
      sign = *text == '/' ? -1 : sign;
      text++;
      continue;
    }
    gsize n = measure_symbol(text);
    const char *symbol = text;
    text += n;
    int power = take_power(&text);
    if (n == 0 || !multiply(product, symbol, n, sign * power))
      return FALSE;
    sign = 1;
  }
  return TRUE;
}

gboolean
debye_unit_get_scale(const char *text, DebyeUnitKind kind, double *scale)
{
  static const int wanted[][N_DIMENSIONS] = {
      [DEBYE_UNIT_LENGTH] = {[LENGTH] = 1},
      [DEBYE_UNIT_TIME] = {[TIME] = 1},
      [DEBYE_UNIT_VELOCITY] = {[LENGTH] = 1, [TIME] = -1},
      [DEBYE_UNIT_MASS] = {[MASS] = 1},
      [DEBYE_UNIT_CHARGE] = {[CHARGE] = 1},
  };
  Product product;
  if (text == NULL || !parse(text, &product) ||
      memcmp(product.powers, wanted[kind], sizeof product.powers) != 0)
    return FALSE;
  *scale = product.scale;
  return TRUE;
}
