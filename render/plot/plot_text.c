/* SPDX-License-Identifier: MIT */
/* Markup is Pango's; the runs it has are set by us, so that a script is as large and as high in an SVG, which
 * knows no Pango, as on the screen. */
#include "plot_text.h"

#include <string.h>

#include "data/messages/message.h"

typedef struct {
  const char *letter;
  char plain[4];
  int script;
} ScriptLetter;

static const ScriptLetter script_letters[] = {
    {"⁰", "0", 1},  {"¹", "1", 1},  {"²", "2", 1},  {"³", "3", 1},  {"⁴", "4", 1},  {"⁵", "5", 1},
    {"⁶", "6", 1},  {"⁷", "7", 1},  {"⁸", "8", 1},  {"⁹", "9", 1},  {"⁻", "−", 1},  {"⁺", "+", 1},
    {"ⁿ", "n", 1},  {"₀", "0", -1}, {"₁", "1", -1}, {"₂", "2", -1}, {"₃", "3", -1}, {"₄", "4", -1},
    {"₅", "5", -1}, {"₆", "6", -1}, {"₇", "7", -1}, {"₈", "8", -1}, {"₉", "9", -1},
};

static const ScriptLetter *
find_letter(const char *text)
{
  for (gsize i = 0; i < G_N_ELEMENTS(script_letters); i++)
    if (g_str_has_prefix(text, script_letters[i].letter))
      return &script_letters[i];
  return NULL;
}

static void
switch_script(GString *markup, int *script, int wanted)
{
  if (*script == wanted)
    return;
  if (*script != 0)
    g_string_append(markup, *script > 0 ? "</sup>" : "</sub>");
  if (wanted != 0)
    g_string_append(markup, wanted > 0 ? "<sup>" : "<sub>");
  *script = wanted;
}

char *
debye_plot_text_from_plain(const char *plain)
{
  GString *markup = g_string_new(NULL);
  g_autofree char *valid = g_utf8_make_valid(plain, -1);
  int script = 0;
  for (const char *at = valid; *at != '\0';) {
    const ScriptLetter *letter = find_letter(at);
    const char *next = g_utf8_next_char(at);
    switch_script(markup, &script, letter != NULL ? letter->script : 0);
    g_autofree char *escaped =
        letter != NULL ? g_strdup(letter->plain) : g_markup_escape_text(at, (gssize)(next - at));
    g_string_append(markup, escaped);
    at = next;
  }
  switch_script(markup, &script, 0);
  return g_string_free(markup, FALSE);
}

char *
debye_plot_text_from_name(const char *name)
{
  /* Symbols, as scatterers have them with mass, charge, deuterium and number: other hyphens are of words. */
  static const char symbol[] = "\\d{0,3}[A-Z][a-z]?(?:\\d*[+]|\\d+-)?(?: \\([\\d.]+ % D\\))?(?:#\\d+)?";
  g_autofree char *atom = g_strdup_printf("(?:element )?(name [A-Z]\\w{0,3}|%s)", symbol);
  g_autofree char *pattern = g_strdup_printf("(?<![\\w-])%s-%s(?![\\w-])", atom, atom);
  g_autofree char *translated = debye_message_translate(name);
  g_autoptr(GRegex) pair = g_regex_new(pattern, 0, 0, NULL);
  g_autofree char *paired = g_regex_replace(pair, translated, -1, 0, "\\1–\\2", 0, NULL);
  g_autoptr(GString) text = g_string_new(paired);
  /* Between atoms that were measured. */
  g_string_replace(text, " - ", " – ", 0);
  return g_strdup(text->str);
}

static gboolean
is_at_edge(const char *label, const char *place)
{
  return place == label || *place == '\0' || *place == ' ' || place[-1] == ' ';
}

/* Symbols have one or two letters; longer ones are words, and so are two Latin ones that stand by themselves, "of" and pH, but
 * not Rg, an "a" between words, and the X of X-rays. */
static gboolean
is_symbol(const char *label, const char *letters, gsize length)
{
  const gboolean is_word = length == 2 && g_ascii_islower(letters[0]) && g_ascii_isalpha(letters[1]) &&
                           is_at_edge(label, letters) && is_at_edge(label, letters + length);
  const gboolean is_article = *letters == 'a' && length == 1 && letters > label && letters[-1] == ' ' &&
                              letters[1] == ' ' && g_ascii_islower(letters[2]);
  const gboolean is_compound =
      length == 1 && g_ascii_isupper(*letters) && letters[1] == '-' && g_ascii_islower(letters[2]);
  return g_utf8_strlen(letters, (gssize)length) <= 2 && !is_word && !is_article && !is_compound &&
         strncmp(letters, "ln", 2) != 0;
}

gboolean
debye_plot_text_is_constant(const char *letters, gsize length)
{
  return (length == 2 && strncmp(letters, "kT", 2) == 0) || (length == 1 && *letters == 'e');
}

static gboolean
is_constant(const char *unit G_GNUC_UNUSED, const char *letters, gsize length)
{
  return debye_plot_text_is_constant(letters, length);
}

/* The letters that is_slanted() chooses are slanted. */
static void
put_slanted(GString *markup, const char *label, gboolean (*is_slanted)(const char *, const char *, gsize))
{
  for (const char *at = label; *at != '\0';) {
    const char *end = at;
    gboolean are_letters = g_unichar_isalpha(g_utf8_get_char(at));
    do
      end = g_utf8_next_char(end);
    while (*end != '\0' && !!g_unichar_isalpha(g_utf8_get_char(end)) == are_letters);
    g_autofree char *part = g_strndup(at, (gsize)(end - at));
    g_autofree char *plain = debye_plot_text_from_plain(part);
    gboolean slanted = are_letters && is_slanted(label, at, (gsize)(end - at));
    g_string_append_printf(markup, slanted ? "<i>%s</i>" : "%s", plain);
    at = end;
  }
}

char *
debye_plot_text_from_quantity(const DebyeQuantity *quantity)
{
  GString *markup = g_string_new(NULL);
  g_autofree char *words = debye_message_translate(quantity->unit);
  g_autofree char *label = debye_message_translate(quantity->label);
  put_slanted(markup, label, is_symbol);
  if (*words != '\0') {
    g_string_append(markup, " (");
    put_slanted(markup, words, is_constant);
    g_string_append_c(markup, ')');
  }
  return g_string_free(markup, FALSE);
}

static const char *
script_letter(const char *text, int script)
{
  for (gsize i = 0; i < G_N_ELEMENTS(script_letters); i++)
    if (script_letters[i].script == script && g_str_has_prefix(text, script_letters[i].plain))
      return script_letters[i].letter;
  return NULL;
}

char *
debye_plot_text_to_plain(const char *markup)
{
  GString *plain = g_string_new(NULL);
  g_autoptr(GPtrArray) runs = debye_plot_text_parse(markup);
  for (guint i = 0; i < runs->len; i++) {
    const DebyePlotRun *run = runs->pdata[i];
    for (const char *at = run->text; *at != '\0'; at = g_utf8_next_char(at)) {
      const char *letter = run->script != 0 ? script_letter(at, run->script) : NULL;
      if (letter != NULL)
        g_string_append(plain, letter);
      else
        g_string_append_len(plain, at, (gssize)(g_utf8_next_char(at) - at));
    }
  }
  return g_string_free(plain, FALSE);
}

/* --- Runs --- */

static void
run_free(gpointer data)
{
  g_free(((DebyePlotRun *)data)->text);
  g_free(data);
}

/* What Pango says of a stretch: scripts are a rise in older versions and a shift of the baseline since 1.50. */
static void
read_attributes(PangoAttrIterator *iterator, DebyePlotRun *run)
{
  PangoAttribute *attribute;
  if ((attribute = pango_attr_iterator_get(iterator, PANGO_ATTR_STYLE)) != NULL)
    run->italic = ((PangoAttrInt *)attribute)->value != PANGO_STYLE_NORMAL;
  if ((attribute = pango_attr_iterator_get(iterator, PANGO_ATTR_WEIGHT)) != NULL)
    run->bold = ((PangoAttrInt *)attribute)->value >= PANGO_WEIGHT_SEMIBOLD;
  if ((attribute = pango_attr_iterator_get(iterator, PANGO_ATTR_RISE)) != NULL)
    run->script = ((PangoAttrInt *)attribute)->value > 0 ? 1 : -1;
#if PANGO_VERSION_CHECK(1, 50, 0)
  if ((attribute = pango_attr_iterator_get(iterator, PANGO_ATTR_BASELINE_SHIFT)) != NULL)
    run->script = ((PangoAttrInt *)attribute)->value == PANGO_BASELINE_SHIFT_SUPERSCRIPT ? 1 : -1;
#endif
}

static void
add_run(GPtrArray *runs, const char *text, int begin, int end, PangoAttrIterator *iterator)
{
  end = MIN(end, (int)strlen(text));
  if (begin >= end)
    return;
  DebyePlotRun *run = g_new0(DebyePlotRun, 1);
  run->text = g_strndup(text + begin, (gsize)(end - begin));
  if (iterator != NULL)
    read_attributes(iterator, run);
  g_ptr_array_add(runs, run);
}

GPtrArray *
debye_plot_text_parse(const char *markup)
{
  GPtrArray *runs = g_ptr_array_new_with_free_func(run_free);
  PangoAttrList *attributes = NULL;
  g_autofree char *text = NULL;
  if (markup == NULL)
    return runs;
  if (!pango_parse_markup(markup, -1, 0, &attributes, &text, NULL, NULL)) {
    g_autofree char *valid = g_utf8_make_valid(markup, -1);
    add_run(runs, valid, 0, G_MAXINT, NULL);
    return runs;
  }
  PangoAttrIterator *iterator = pango_attr_list_get_iterator(attributes);
  do {
    int begin, end;
    pango_attr_iterator_range(iterator, &begin, &end);
    add_run(runs, text, begin, end, iterator);
  } while (pango_attr_iterator_next(iterator));
  pango_attr_iterator_destroy(iterator);
  pango_attr_list_unref(attributes);
  return runs;
}

/* --- Setting --- */

static void
insert_attribute(PangoAttrList *list, PangoAttribute *attribute, gsize begin, gsize end)
{
  attribute->start_index = (guint)begin;
  attribute->end_index = (guint)end;
  pango_attr_list_insert(list, attribute);
}

static void
set_run(PangoAttrList *list, const DebyePlotRun *run, double size, gsize begin)
{
  gsize end = begin + strlen(run->text);
  if (run->script != 0) {
    double rise = run->script > 0 ? DEBYE_PLOT_SUPERSCRIPT_RISE : DEBYE_PLOT_SUBSCRIPT_RISE;
    insert_attribute(list, pango_attr_size_new_absolute((int)(DEBYE_PLOT_SCRIPT_SIZE * size * PANGO_SCALE)),
                     begin, end);
    insert_attribute(list, pango_attr_rise_new((int)(rise * size * PANGO_SCALE)), begin, end);
  }
  if (run->italic)
    insert_attribute(list, pango_attr_style_new(PANGO_STYLE_ITALIC), begin, end);
  if (run->bold)
    insert_attribute(list, pango_attr_weight_new(PANGO_WEIGHT_BOLD), begin, end);
}

static void
set_font(PangoLayout *layout, double size)
{
  PangoFontDescription *font = pango_font_description_from_string(DEBYE_PLOT_FONT);
  pango_font_description_set_absolute_size(font, size * PANGO_SCALE);
  pango_layout_set_font_description(layout, font);
  pango_font_description_free(font);
}

/* Metrics without hints, so that a text is as wide at every scale. */
static PangoLayout *
create_layout(cairo_t *cr, const char *markup, double size)
{
  PangoLayout *layout = pango_cairo_create_layout(cr);
  cairo_font_options_t *options = cairo_font_options_create();
  cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
  cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE);
  cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY);
  pango_cairo_context_set_font_options(pango_layout_get_context(layout), options);
  cairo_font_options_destroy(options);
  pango_context_set_round_glyph_positions(pango_layout_get_context(layout), FALSE);
  set_font(layout, size);

  PangoAttrList *list = pango_attr_list_new();
  g_autoptr(GString) text = g_string_new(NULL);
  g_autoptr(GPtrArray) runs = debye_plot_text_parse(markup);
  for (guint i = 0; i < runs->len; i++) {
    const DebyePlotRun *run = runs->pdata[i];
    set_run(list, run, size, text->len);
    g_string_append(text, run->text);
  }
  pango_layout_set_single_paragraph_mode(layout, TRUE);
  pango_layout_set_text(layout, text->str, (int)text->len);
  pango_layout_set_attributes(layout, list);
  pango_attr_list_unref(list);
  return layout;
}

/* What the font itself reaches to, whatever the text is. */
static void
measure_font(PangoLayout *layout, DebyePlotTextExtent *extent)
{
  PangoContext *context = pango_layout_get_context(layout);
  PangoFontMetrics *metrics =
      pango_context_get_metrics(context, pango_layout_get_font_description(layout), NULL);
  extent->ascent = (double)pango_font_metrics_get_ascent(metrics) / PANGO_SCALE;
  extent->descent = (double)pango_font_metrics_get_descent(metrics) / PANGO_SCALE;
  pango_font_metrics_unref(metrics);
}

void
debye_plot_text_measure(const char *markup, double size, DebyePlotTextExtent *extent)
{
  cairo_surface_t *surface = cairo_recording_surface_create(CAIRO_CONTENT_ALPHA, NULL);
  cairo_t *cr = cairo_create(surface);
  PangoLayout *layout = create_layout(cr, markup, size);
  PangoRectangle logical;
  pango_layout_get_extents(layout, NULL, &logical);
  extent->width = (double)logical.width / PANGO_SCALE;
  measure_font(layout, extent);
  g_object_unref(layout);
  cairo_destroy(cr);
  cairo_surface_destroy(surface);
}

/* Pango lists families that fontconfig only promises: what a letter gets is what counts. */
gboolean
debye_plot_text_has_fonts(void)
{
  cairo_surface_t *surface = cairo_recording_surface_create(CAIRO_CONTENT_ALPHA, NULL);
  cairo_t *cr = cairo_create(surface);
  PangoLayout *layout = create_layout(cr, "0", 10.0);
  const gboolean is_known = pango_layout_get_unknown_glyphs_count(layout) == 0;
  g_object_unref(layout);
  cairo_destroy(cr);
  cairo_surface_destroy(surface);
  return is_known;
}

double
debye_plot_text_width(const char *markup, double size)
{
  DebyePlotTextExtent extent;
  if (markup == NULL || *markup == '\0')
    return 0.0;
  debye_plot_text_measure(markup, size, &extent);
  return extent.width;
}

static void
put_layout(cairo_t *cr, const char *markup, double size, void (*put)(cairo_t *, PangoLayout *))
{
  PangoLayout *layout = create_layout(cr, markup, size);
  cairo_save(cr);
  cairo_move_to(cr, 0.0, -(double)pango_layout_get_baseline(layout) / PANGO_SCALE);
  put(cr, layout);
  cairo_restore(cr);
  g_object_unref(layout);
}

void
debye_plot_text_draw(cairo_t *cr, const char *markup, double size)
{
  put_layout(cr, markup, size, pango_cairo_show_layout);
}

void
debye_plot_text_trace(cairo_t *cr, const char *markup, double size)
{
  put_layout(cr, markup, size, pango_cairo_layout_path);
}
