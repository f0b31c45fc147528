/* SPDX-License-Identifier: MIT */
/* Draws the diagram of levels; made by orbital_panel.ui. */
#include "orbital_levels.h"

#include <math.h>

#include "orbital_item.h"
#include "ui/widgets/number_text.h"

#define EV DEBYE_ELECTRONVOLT_PER_HARTREE
#define HEIGHT 240
#define MARGIN 16.0      /* above and below the axes */
#define AXIS 46.0        /* room of an axis' numbers */
#define LABEL 46.0       /* room for HOMO and LUMO */
#define BELOW 1.0        /* hartree below the HOMO and above the LUMO that are shown to begin with */
#define ABOVE 0.6        /* the same */
#define LEAST_RANGE 0.05 /* hartree */
#define DEGENERATE 5e-4  /* hartree: beside each other */
#define BAR_GAP 4.0
#define ARROW 12.0
#define REACH 8.0 /* of a click */
#define ZOOM 1.15
#define N_TICKS 6.0

typedef struct {
  guint position; /* in the list */
  double energy;
  gsize place, n_places; /* among those of the same energy */
} Level;

struct _DebyeOrbitalLevels {
  GtkWidget parent_instance;
  GListModel *orbitals;
  GArray *levels; /* Level */
  gboolean has_spin;
  guint selected;
  double low, high;           /* hartree */
  double home_low, home_high; /* about the frontier */
  gboolean is_zoomed;
};

G_DEFINE_FINAL_TYPE(DebyeOrbitalLevels, debye_orbital_levels, GTK_TYPE_WIDGET)

static const DebyeOrbitalFacts *
get_facts(DebyeOrbitalLevels *self, guint position)
{
  g_autoptr(DebyeOrbitalItem) item = g_list_model_get_item(self->orbitals, position);
  return debye_orbital_item_get(item); /* the list keeps it */
}

/* --- Where levels are --- */

static double
y_of(DebyeOrbitalLevels *self, double energy)
{
  const double height = gtk_widget_get_height(GTK_WIDGET(self)) - 2.0 * MARGIN;
  return MARGIN + height * (self->high - energy) / (self->high - self->low);
}

/* Where the levels of a spin stand beside each other. */
static void
find_column(DebyeOrbitalLevels *self, gboolean is_beta, double *x, double *width)
{
  const double left = AXIS + 6.0, room = gtk_widget_get_width(GTK_WIDGET(self)) - left - AXIS - LABEL - 8.0;
  const double column = self->has_spin ? 0.5 * room : room;
  *x = left + (self->has_spin && is_beta ? column : 0.0) + 0.06 * column;
  *width = 0.88 * column;
}

static void
find_bar(DebyeOrbitalLevels *self, const Level *level, double *x, double *width)
{
  double left, column;
  find_column(self, get_facts(self, level->position)->is_beta, &left, &column);
  const double each = column / (double)level->n_places;
  *x = left + each * (double)level->place;
  *width = fmax(each - BAR_GAP, 2.0);
}

static int
compare_levels(gconstpointer a, gconstpointer b)
{
  const Level *one = a, *other = b;
  return (one->energy > other->energy) - (one->energy < other->energy);
}

/* Of one spin, from `first` to the end of those that are degenerate with it. */
static void
place_degenerate(DebyeOrbitalLevels *self, guint first, gboolean is_beta)
{
  Level *levels = (Level *)(gpointer)self->levels->data;
  gsize n = 0;
  for (int is_placing = 0; is_placing < 2; is_placing++) {
    gsize place = 0;
    for (guint i = first; i < self->levels->len && levels[i].energy - levels[first].energy < DEGENERATE; i++)
      if (get_facts(self, levels[i].position)->is_beta == is_beta) {
        levels[i].place = place++;
        levels[i].n_places = n;
      }
    n = place;
  }
}

static void
place_all(DebyeOrbitalLevels *self)
{
  g_array_sort(self->levels, compare_levels);
  for (guint i = 0; i < self->levels->len; i++) {
    const Level *level = &g_array_index(self->levels, Level, i);
    if (level->n_places == 0)
      place_degenerate(self, i, get_facts(self, level->position)->is_beta);
  }
}

/* About the frontier, or, without one, all. */
static void
choose_range(DebyeOrbitalLevels *self)
{
  const Level *first = &g_array_index(self->levels, Level, 0);
  const double lowest = first[0].energy, highest = first[self->levels->len - 1].energy;
  double low = lowest, high = highest;
  for (guint i = 0; i < self->levels->len; i++) {
    const DebyeFrontier frontier = get_facts(self, first[i].position)->frontier;
    if (frontier == DEBYE_FRONTIER_HOMO)
      low = fmax(lowest, first[i].energy - BELOW);
    else if (frontier == DEBYE_FRONTIER_LUMO)
      high = fmin(highest, first[i].energy + ABOVE);
  }
  const double rim = fmax(0.04 * (high - low), LEAST_RANGE);
  self->low = self->home_low = fmin(low, high) - rim;
  self->high = self->home_high = fmax(low, high) + rim;
  self->is_zoomed = FALSE;
}

/* Back to the frontier where that shows it, else as far as is needed. */
static void
show_energy(DebyeOrbitalLevels *self, double energy)
{
  if (!isfinite(energy))
    return;
  if (!self->is_zoomed && energy > self->home_low && energy < self->home_high) {
    self->low = self->home_low;
    self->high = self->home_high;
  }
  const double rim = 0.04 * (self->high - self->low);
  const double shift = energy > self->high - rim  ? energy - self->high + rim
                       : energy < self->low + rim ? energy - self->low - rim
                                                  : 0.0;
  self->low += shift;
  self->high += shift;
}

void
debye_orbital_levels_set_orbitals(DebyeOrbitalLevels *self, GListModel *orbitals)
{
  g_return_if_fail(DEBYE_IS_ORBITAL_LEVELS(self) && G_IS_LIST_MODEL(orbitals));
  g_set_object(&self->orbitals, orbitals);
  g_array_set_size(self->levels, 0);
  self->has_spin = FALSE;
  for (guint i = 0; i < g_list_model_get_n_items(orbitals); i++) {
    const Level level = {.position = i, .energy = get_facts(self, i)->energy};
    self->has_spin |= get_facts(self, i)->has_spin;
    if (isfinite(level.energy))
      g_array_append_val(self->levels, level);
  }
  place_all(self);
  if (self->levels->len > 0)
    choose_range(self);
  debye_orbital_levels_set_selected(self, GTK_INVALID_LIST_POSITION);
}

void
debye_orbital_levels_set_selected(DebyeOrbitalLevels *self, guint position)
{
  g_return_if_fail(DEBYE_IS_ORBITAL_LEVELS(self));
  self->selected = position;
  if (position != GTK_INVALID_LIST_POSITION)
    show_energy(self, get_facts(self, position)->energy);
  gtk_widget_queue_draw(GTK_WIDGET(self));
}

/* --- Drawing --- */

typedef struct {
  GtkSnapshot *snapshot;
  GdkRGBA color, accent;
} Brush;

static GdkRGBA
faded(GdkRGBA color, float alpha)
{
  color.alpha *= alpha;
  return color;
}

static void
draw_box(const Brush *brush, const GdkRGBA *color, double x, double y, double width, double height)
{
  gtk_snapshot_append_color(brush->snapshot, color,
                            &GRAPHENE_RECT_INIT((float)x, (float)y, (float)width, (float)height));
}

/* `align`: 0 begins at x, 1 ends there; centred on y. */
static void
draw_text(DebyeOrbitalLevels *self, const Brush *brush, const GdkRGBA *color, const char *text, double x,
          double y, double align)
{
  g_autoptr(PangoLayout) layout = gtk_widget_create_pango_layout(GTK_WIDGET(self), text);
  g_autoptr(PangoAttrList) attributes = pango_attr_list_new();
  int width, height;
  pango_attr_list_insert(attributes, pango_attr_scale_new(PANGO_SCALE_SMALL));
  pango_layout_set_attributes(layout, attributes);
  pango_layout_get_pixel_size(layout, &width, &height);
  gtk_snapshot_save(brush->snapshot);
  gtk_snapshot_translate(
      brush->snapshot, &GRAPHENE_POINT_INIT((float)round(x - align * width), (float)round(y - 0.5 * height)));
  gtk_snapshot_append_layout(brush->snapshot, layout, color);
  gtk_snapshot_restore(brush->snapshot);
}

static double
choose_step(double range)
{
  const double raw = range / N_TICKS, decade = pow(10.0, floor(log10(raw)));
  const double mantissa = raw / decade;
  return decade * (mantissa <= 1.0 ? 1.0 : mantissa <= 2.0 ? 2.0 : mantissa <= 5.0 ? 5.0 : 10.0);
}

/* `unit`: of a hartree. Numbers stand left of x, or right of it. */
static void
draw_axis(DebyeOrbitalLevels *self, const Brush *brush, double unit, const char *name, double x, int side)
{
  const GdkRGBA line = faded(brush->color, 0.35f), text = faded(brush->color, 0.7f);
  const double height = gtk_widget_get_height(GTK_WIDGET(self));
  const double step = choose_step((self->high - self->low) * unit);
  draw_box(brush, &line, x, MARGIN, 1.0, height - 2.0 * MARGIN);
  for (double k = ceil(self->low * unit / step); k * step <= self->high * unit; k++) {
    const double y = round(y_of(self, k * step / unit));
    g_autofree char *number = debye_number_text(fabs(k) < 0.5 ? 0.0 : k * step, 4);
    draw_box(brush, &line, side < 0 ? x - 4.0 : x, y, 5.0, 1.0);
    /* The axis' name stands there. */
    if (y > MARGIN + 8.0)
      draw_text(self, brush, &text, number, x + side * 7.0, y, side < 0 ? 1.0 : 0.0);
  }
  draw_text(self, brush, &text, name, x + side * 7.0, MARGIN - 4.0, side < 0 ? 1.0 : 0.0);
}

static void
draw_arrow(const Brush *brush, double x, double y, int up)
{
  const GdkRGBA color = faded(brush->color, 0.85f);
  draw_box(brush, &color, x, y - 0.5 * ARROW, 1.0, ARROW);
  for (int i = 0; i < 3; i++)
    draw_box(brush, &color, x - i, up ? y - 0.5 * ARROW + i : y + 0.5 * ARROW - 1.0 - i, 1.0 + 2.0 * i, 1.0);
}

/* Arrows of levels that are close would hide one another. */
static gboolean
has_room(DebyeOrbitalLevels *self, const Level *level)
{
  for (guint i = 0; i < self->levels->len; i++) {
    const Level *other = &g_array_index(self->levels, Level, i);
    const double apart = fabs(other->energy - level->energy);
    if (apart >= DEGENERATE && fabs(y_of(self, other->energy) - y_of(self, level->energy)) < ARROW + 2.0 &&
        get_facts(self, other->position)->is_beta == get_facts(self, level->position)->is_beta)
      return FALSE;
  }
  return TRUE;
}

/* A pair, or one electron of its spin; fractions are numbers in the list alone. */
static void
draw_electrons(const Brush *brush, const DebyeOrbitalFacts *facts, double x, double width, double y)
{
  if (width < 16.0 || facts->occupation < 0.5)
    return;
  const double middle = round(x + 0.5 * width);
  if (facts->has_spin || facts->occupation < 1.5) {
    draw_arrow(brush, middle, y, !facts->is_beta);
    return;
  }
  draw_arrow(brush, middle - 4.0, y, TRUE);
  draw_arrow(brush, middle + 4.0, y, FALSE);
}

static void
draw_level(DebyeOrbitalLevels *self, const Brush *brush, const Level *level)
{
  g_autoptr(DebyeOrbitalItem) item = g_list_model_get_item(self->orbitals, level->position);
  const DebyeOrbitalFacts *facts = debye_orbital_item_get(item);
  const gboolean is_selected = level->position == self->selected;
  const GdkRGBA color = is_selected               ? brush->accent
                        : facts->occupation > 0.0 ? brush->color
                                                  : faded(brush->color, 0.45f);
  const double y = round(y_of(self, level->energy)), thickness = is_selected ? 4.0 : 2.0;
  double x, width;
  if (level->energy < self->low || level->energy > self->high)
    return;
  find_bar(self, level, &x, &width);
  draw_box(brush, &color, x, y - 0.5 * thickness, width, thickness);
  if (has_room(self, level))
    draw_electrons(brush, facts, x, width, y);
  /* Degenerate ones share the word. */
  if (facts->frontier != DEBYE_FRONTIER_NONE && (level->place == 0 || is_selected))
    draw_text(self, brush, is_selected ? &brush->accent : &brush->color,
              debye_orbital_item_frontier_text(item),
              gtk_widget_get_width(GTK_WIDGET(self)) - AXIS - LABEL - 4.0, y, 0.0);
}

static void
draw_spins(DebyeOrbitalLevels *self, const Brush *brush)
{
  static const char *const spins[] = {"α", "β"};
  const GdkRGBA color = faded(brush->color, 0.7f);
  double x, width;
  for (int spin = 0; self->has_spin && spin < 2; spin++) {
    find_column(self, spin == 1, &x, &width);
    draw_text(self, brush, &color, spins[spin], x + 0.5 * width, MARGIN - 4.0, 0.5);
  }
}

/* Between the two, where there is room. */
static void
draw_gap(DebyeOrbitalLevels *self, const Brush *brush)
{
  double energies[3] = {NAN, NAN, NAN};
  for (guint i = 0; i < self->levels->len; i++) {
    const Level *level = &g_array_index(self->levels, Level, i);
    energies[get_facts(self, level->position)->frontier] = level->energy;
  }
  const double low = y_of(self, energies[DEBYE_FRONTIER_HOMO]),
               high = y_of(self, energies[DEBYE_FRONTIER_LUMO]);
  if (!(low - high > 36.0))
    return;
  const GdkRGBA color = faded(brush->color, 0.7f);
  char number[G_ASCII_DTOSTR_BUF_SIZE];
  g_ascii_formatd(number, sizeof number, "%.1f",
                  (energies[DEBYE_FRONTIER_LUMO] - energies[DEBYE_FRONTIER_HOMO]) * EV);
  g_autofree char *text = g_strdup_printf("%s eV", number);
  draw_text(self, brush, &color, text, gtk_widget_get_width(GTK_WIDGET(self)) - AXIS - LABEL - 4.0,
            0.5 * (low + high), 0.0);
}

static void
debye_orbital_levels_snapshot(GtkWidget *widget, GtkSnapshot *snapshot)
{
  DebyeOrbitalLevels *self = DEBYE_ORBITAL_LEVELS(widget);
  GtkStyleContext *style = gtk_widget_get_style_context(widget);
  Brush brush = {.snapshot = snapshot};
  if (self->levels->len == 0)
    return;
  gtk_style_context_get_color(style, &brush.color);
  if (!gtk_style_context_lookup_color(style, "accent_color", &brush.accent))
    brush.accent = brush.color;
  draw_axis(self, &brush, EV, "eV", AXIS, -1);
  draw_axis(self, &brush, 1.0, "Eₕ", gtk_widget_get_width(widget) - AXIS - 1.0, 1);
  for (guint i = 0; i < self->levels->len; i++)
    draw_level(self, &brush, &g_array_index(self->levels, Level, i));
  draw_gap(self, &brush);
  draw_spins(self, &brush);
}

/* --- Hands --- */

static double
distance_to(DebyeOrbitalLevels *self, const Level *level, double x, double y)
{
  double left, width;
  find_bar(self, level, &left, &width);
  const double beside = x < left ? left - x : x > left + width ? x - left - width : 0.0;
  return hypot(0.2 * beside, y - y_of(self, level->energy));
}

static void
on_pressed(GtkGestureClick *gesture G_GNUC_UNUSED, int n G_GNUC_UNUSED, double x, double y,
           DebyeOrbitalLevels *self)
{
  double nearest = REACH;
  guint found = GTK_INVALID_LIST_POSITION;
  for (guint i = 0; i < self->levels->len; i++) {
    const Level *level = &g_array_index(self->levels, Level, i);
    const double distance = distance_to(self, level, x, y);
    if (distance >= nearest)
      continue;
    nearest = distance;
    found = level->position;
  }
  if (found != GTK_INVALID_LIST_POSITION)
    g_signal_emit_by_name(self, "picked", found);
}

static gboolean
on_scrolled(GtkEventControllerScroll *scroll G_GNUC_UNUSED, double dx G_GNUC_UNUSED, double dy,
            DebyeOrbitalLevels *self)
{
  const Level *levels = (const Level *)(gpointer)self->levels->data;
  const double range = self->high - self->low, factor = pow(ZOOM, dy);
  if (self->levels->len == 0 || range * factor < LEAST_RANGE ||
      range * factor > 1.5 * (levels[self->levels->len - 1].energy - levels[0].energy) + LEAST_RANGE)
    return TRUE;
  /* The selected level, else the middle, keeps its place. */
  const double middle = self->selected != GTK_INVALID_LIST_POSITION ? get_facts(self, self->selected)->energy
                                                                    : 0.5 * (self->low + self->high);
  const double still = isfinite(middle) ? middle : 0.5 * (self->low + self->high);
  self->is_zoomed = TRUE;
  self->low = still + (self->low - still) * factor;
  self->high = still + (self->high - still) * factor;
  gtk_widget_queue_draw(GTK_WIDGET(self));
  return TRUE;
}

static void
debye_orbital_levels_measure(GtkWidget *widget G_GNUC_UNUSED, GtkOrientation orientation,
                             int for_size G_GNUC_UNUSED, int *minimum, int *natural, int *minimum_baseline,
                             int *natural_baseline)
{
  *minimum = orientation == GTK_ORIENTATION_VERTICAL ? HEIGHT : 200;
  *natural = *minimum;
  *minimum_baseline = *natural_baseline = -1;
}

static void
debye_orbital_levels_finalize(GObject *object)
{
  DebyeOrbitalLevels *self = DEBYE_ORBITAL_LEVELS(object);
  g_clear_object(&self->orbitals);
  g_array_unref(self->levels);
  G_OBJECT_CLASS(debye_orbital_levels_parent_class)->finalize(object);
}

static void
debye_orbital_levels_class_init(DebyeOrbitalLevelsClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS(class);
  G_OBJECT_CLASS(class)->finalize = debye_orbital_levels_finalize;
  widget_class->snapshot = debye_orbital_levels_snapshot;
  widget_class->measure = debye_orbital_levels_measure;
  gtk_widget_class_set_accessible_role(widget_class, GTK_ACCESSIBLE_ROLE_IMG);
  g_signal_new("picked", DEBYE_TYPE_ORBITAL_LEVELS, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1,
               G_TYPE_UINT);
}

static void
debye_orbital_levels_init(DebyeOrbitalLevels *self)
{
  GtkGesture *click = gtk_gesture_click_new();
  GtkEventController *scroll = gtk_event_controller_scroll_new(GTK_EVENT_CONTROLLER_SCROLL_VERTICAL);
  self->levels = g_array_new(FALSE, TRUE, sizeof(Level));
  self->selected = GTK_INVALID_LIST_POSITION;
  g_signal_connect(click, "pressed", G_CALLBACK(on_pressed), self);
  g_signal_connect(scroll, "scroll", G_CALLBACK(on_scrolled), self);
  gtk_widget_add_controller(GTK_WIDGET(self), GTK_EVENT_CONTROLLER(click));
  gtk_widget_add_controller(GTK_WIDGET(self), scroll);
  gtk_widget_set_focusable(GTK_WIDGET(self), TRUE);
  gtk_widget_set_overflow(GTK_WIDGET(self), GTK_OVERFLOW_HIDDEN);
}
