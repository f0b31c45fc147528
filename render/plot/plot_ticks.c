/* SPDX-License-Identifier: MIT */
/* Places an axis' ticks for the layout: at 1, 2 and 5 times powers of ten; on a logarithmic axis at the
 * powers themselves, and where fewer than two of those are in view, at 2 and 5 times them, or as on a linear
 * axis. */
#include "plot_ticks.h"

#include <math.h>
#include <string.h>

#define MINUS "\xE2\x88\x92"
#define MAX_TICKS 2000
/* Beyond these, labels of a linear axis share a power of ten. */
#define LARGEST_PLAIN 1e5
#define SMALLEST_PLAIN 1e-3

typedef struct {
  double step;
  int n_minor; /* intervals between two major ticks */
} Spacing;

static double
count_ticks(double minimum, double maximum, double step)
{
  double slack = 1e-9 * (maximum - minimum) / step;
  return floor(maximum / step + slack) - ceil(minimum / step - slack) + 1.0;
}

/* The finest of 1, 2, 5 · 10ⁿ that gives at most `max_count` ticks; it gives at least one. */
static Spacing
choose_spacing(double minimum, double maximum, int max_count)
{
  static const Spacing steps[] = {{1.0, 5}, {2.0, 4}, {5.0, 5}, {10.0, 5}};
  double power = pow(10.0, floor(log10((maximum - minimum) / max_count)));
  for (gsize i = 0; i < G_N_ELEMENTS(steps); i++)
    if (count_ticks(minimum, maximum, steps[i].step * power) <= max_count)
      return (Spacing){steps[i].step * power, steps[i].n_minor};
  return (Spacing){20.0 * power, 4};
}

static char *
put_minus(const char *digits)
{
  return digits[0] == '-' ? g_strconcat(MINUS, digits + 1, NULL) : g_strdup(digits);
}

static char *
fixed_text(double value, int decimals)
{
  char digits[G_ASCII_DTOSTR_BUF_SIZE + 32], format[16];
  g_snprintf(format, sizeof format, "%%.%df", CLAMP(decimals, 0, 17));
  g_ascii_formatd(digits, sizeof digits, format, value);
  /* No "−0.0". */
  if (strspn(digits, "-0.") == strlen(digits) && digits[0] == '-')
    return g_strdup(digits + 1);
  return put_minus(digits);
}

static int
decimals_of(double step)
{
  return MAX(0, (int)ceil(-log10(step) - 1e-6));
}

static int
choose_exponent(double minimum, double maximum)
{
  double largest = fmax(fabs(minimum), fabs(maximum));
  if (largest < LARGEST_PLAIN && largest > SMALLEST_PLAIN * (1.0 + 1e-9))
    return 0;
  return 3 * (int)floor(floor(log10(largest) + 1e-9) / 3.0);
}

static void
add_tick(DebyePlotTicks *ticks, double value, gboolean is_major, char *label)
{
  DebyePlotTick tick = {value, label, is_major};
  g_array_append_val(ticks->ticks, tick);
}

/* Digits behind the point that a round number has: 2 of 0.25. */
static int
digits_of(double value)
{
  int digits = 0;
  for (double unit = 1.0; digits < 12 && fabs(value * unit - round(value * unit)) > 1e-6 * fabs(value * unit);
       unit *= 10.0)
    digits++;
  return digits;
}

static void
add_linear(DebyePlotTicks *ticks, double minimum, double maximum, Spacing spacing)
{
  double span = maximum - minimum;
  double minor = spacing.step / spacing.n_minor, slack = 1e-9 * span;
  ticks->exponent = choose_exponent(minimum, maximum);
  double unit = pow(10.0, ticks->exponent);
  int decimals = digits_of(spacing.step / unit);
  double first = ceil((minimum - slack) / minor);
  /* Where a value is so far from zero that doubles can't tell its ticks apart, there are none. */
  if (fabs(first) > 1e14)
    return;
  for (int i = 0; i < MAX_TICKS; i++) {
    double index = first + i, value = index * minor;
    if (value > maximum + slack)
      break;
    gboolean is_major = fmod(index, spacing.n_minor) == 0.0;
    add_tick(ticks, value, is_major, is_major ? fixed_text(value / unit, decimals) : NULL);
  }
}

static char *
power_label(int decade, gboolean plain)
{
  if (plain)
    return fixed_text(pow(10.0, decade), MAX(0, -decade));
  g_autofree char *exponent = fixed_text(decade, 0);
  return g_strdup_printf("10<sup>%s</sup>", exponent);
}

static char *
multiple_label(int factor, int decade, gboolean plain)
{
  if (plain)
    return fixed_text(factor * pow(10.0, decade), MAX(0, -decade));
  g_autofree char *power = power_label(decade, FALSE);
  return factor == 1 ? g_steal_pointer(&power) : g_strdup_printf("%d·%s", factor, power);
}

/* Decades, or every second, third … of them; the others and the multiples between are minor ticks. */
static void
add_decades(DebyePlotTicks *ticks, int first, int last, double minimum, double maximum, int max_count)
{
  int stride = 1;
  gboolean plain = first >= -3 && last <= 4;
  while ((last - first) / stride + 1 > max_count)
    stride++;
  for (int decade = first - 1; decade <= last; decade++) {
    for (int factor = 1; factor < 10; factor++) {
      double value = factor * pow(10.0, decade);
      gboolean is_major = factor == 1 && ((decade % stride) + stride) % stride == 0;
      if (value < minimum * (1.0 - 1e-9) || value > maximum * (1.0 + 1e-9) ||
          (factor > 1 && (stride > 1 || last - first > 12)))
        continue;
      add_tick(ticks, value, is_major, is_major ? power_label(decade, plain) : NULL);
    }
  }
}

/* One or two decades: 1, 2 and 5 are labelled, or where there is no room for that, 1 and 3. */
static void
add_multiples(DebyePlotTicks *ticks, double minimum, double maximum, int max_count)
{
  int first = (int)floor(log10(minimum) + 1e-9), last = (int)floor(log10(maximum) + 1e-9), n = 0;
  gboolean plain = minimum >= 0.9e-3 && maximum <= 1.1e4;
  for (int decade = first; decade <= last; decade++)
    for (int factor = 1; factor < 10; factor++) {
      double value = factor * pow(10.0, decade);
      if (value < minimum * (1.0 - 1e-9) || value > maximum * (1.0 + 1e-9))
        continue;
      gboolean is_major = (factor == 1 || factor == 2 || factor == 5) && n < max_count;
      n += is_major;
      add_tick(ticks, value, is_major, is_major ? multiple_label(factor, decade, plain) : NULL);
    }
}

static int
count_multiples(double minimum, double maximum)
{
  static const double factors[] = {1.0, 2.0, 5.0};
  int n = 0;
  for (int decade = (int)floor(log10(minimum)); decade <= (int)ceil(log10(maximum)); decade++)
    for (gsize i = 0; i < G_N_ELEMENTS(factors); i++) {
      double value = factors[i] * pow(10.0, decade);
      n += value >= minimum * (1.0 - 1e-9) && value <= maximum * (1.0 + 1e-9);
    }
  return n;
}

static void
add_logarithmic(DebyePlotTicks *ticks, double minimum, double maximum, int max_count)
{
  int first = (int)ceil(log10(minimum) - 1e-9), last = (int)floor(log10(maximum) + 1e-9);
  int n_multiples = last - first <= 3 ? count_multiples(minimum, maximum) : G_MAXINT;
  if (last - first >= 2 || (last - first == 1 && n_multiples > max_count))
    add_decades(ticks, first, last, minimum, maximum, max_count);
  else if (n_multiples >= 3 && n_multiples <= max_count)
    add_multiples(ticks, minimum, maximum, max_count);
  else
    add_linear(ticks, minimum, maximum, choose_spacing(minimum, maximum, max_count));
}

static void
tick_clear(gpointer tick)
{
  g_free(((DebyePlotTick *)tick)->label);
}

void
debye_plot_ticks_init(DebyePlotTicks *ticks, DebyePlotScale scale, double minimum, double maximum,
                      int max_count)
{
  *ticks = (DebyePlotTicks){.ticks = g_array_new(FALSE, FALSE, sizeof(DebyePlotTick))};
  g_array_set_clear_func(ticks->ticks, tick_clear);
  if (!(maximum > minimum) || !isfinite(maximum - minimum) || (scale == DEBYE_PLOT_LOG && !(minimum > 0.0)))
    return;
  if (scale == DEBYE_PLOT_LOG)
    add_logarithmic(ticks, minimum, maximum, MAX(max_count, 2));
  else
    add_linear(ticks, minimum, maximum, choose_spacing(minimum, maximum, MAX(max_count, 2)));
}

/* Minor ticks at round numbers too. */
static int
count_minor(double step)
{
  const double first = step / pow(10.0, floor(log10(step) + 1e-9));
  static const struct {
    double digits;
    int n_minor;
  } usual[] = {{1.0, 5}, {1.5, 3}, {2.0, 4}, {2.5, 5}, {3.0, 3}, {4.0, 4}, {5.0, 5}, {6.0, 3}};
  for (gsize i = 0; i < G_N_ELEMENTS(usual); i++)
    if (fabs(first - usual[i].digits) < 1e-6)
      return usual[i].n_minor;
  return 2;
}

static char *
value_label(double value)
{
  if (value == 0.0)
    return g_strdup("0");
  if (fabs(value) >= SMALLEST_PLAIN * (1.0 - 1e-9) && fabs(value) < LARGEST_PLAIN)
    return fixed_text(value, digits_of(value));
  const int decade = (int)floor(log10(fabs(value)) + 1e-9);
  const double factor = value / pow(10.0, decade);
  g_autofree char *power = power_label(decade, FALSE);
  g_autofree char *digits = fixed_text(factor, digits_of(factor));
  return fabs(factor - 1.0) < 1e-9 ? g_steal_pointer(&power) : g_strdup_printf("%s·%s", digits, power);
}

void
debye_plot_ticks_init_chosen(DebyePlotTicks *ticks, const DebyePlotTickChoice *choice, DebyePlotScale scale,
                             double minimum, double maximum, int max_count)
{
  const gboolean has_step = choice->step > 0.0 && scale == DEBYE_PLOT_LINEAR && maximum > minimum;
  if (choice->n_values == 0 && !has_step) {
    debye_plot_ticks_init(ticks, scale, minimum, maximum, max_count);
    return;
  }
  *ticks = (DebyePlotTicks){.ticks = g_array_new(FALSE, FALSE, sizeof(DebyePlotTick))};
  g_array_set_clear_func(ticks->ticks, tick_clear);
  const double slack = 1e-9 * (maximum - minimum);
  for (gsize i = 0; i < choice->n_values; i++)
    if (choice->values[i] >= minimum - slack && choice->values[i] <= maximum + slack)
      add_tick(ticks, choice->values[i], TRUE, value_label(choice->values[i]));
  if (choice->n_values == 0)
    add_linear(ticks, minimum, maximum,
               (Spacing){choice->step, choice->n_minor > 0 ? choice->n_minor : count_minor(choice->step)});
}

void
debye_plot_ticks_clear(DebyePlotTicks *ticks)
{
  g_clear_pointer(&ticks->ticks, g_array_unref);
}

char *
debye_plot_value_text(double value, double resolution)
{
  char digits[G_ASCII_DTOSTR_BUF_SIZE];
  double size = fabs(value);
  if (!isfinite(value))
    return g_strdup("–");
  if (size > 0.0 && (size >= 1e6 || size < 1e-4 || !(resolution > 0.0))) {
    g_ascii_formatd(digits, sizeof digits, "%.4g", value);
    return put_minus(digits);
  }
  return fixed_text(value, resolution > 0.0 ? MIN(decimals_of(resolution), 8) : 0);
}

char *
debye_plot_exponent_markup(int exponent)
{
  if (exponent == 0)
    return g_strdup("");
  g_autofree char *digits = fixed_text(exponent, 0);
  return g_strdup_printf("×10<sup>%s</sup>", digits);
}
