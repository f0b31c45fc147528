/* SPDX-License-Identifier: MIT */
/* Makes a page of the manual for manual_window.c: one widget per block of Markdown. A page is read line by
 * line; lines of one block are joined before they become a widget. */
#include "manual_page.h"

#include <string.h>

#include "manual_markup.h"

typedef enum { BLOCK_NONE, BLOCK_PARAGRAPH, BLOCK_ITEM, BLOCK_FORMULA, BLOCK_CODE } Block;

typedef struct {
  GtkBox *box;
  const char *folder;
  Block block;
  GString *text;
  GtkGrid *table; /* NULL: no row was read since the last other line */
  int n_rows;
} Builder;

static GtkWidget *
create_label(const char *markup, const char *css_class)
{
  GtkWidget *label = gtk_label_new(NULL);
  gtk_label_set_markup(GTK_LABEL(label), markup);
  gtk_label_set_wrap(GTK_LABEL(label), TRUE);
  gtk_label_set_wrap_mode(GTK_LABEL(label), PANGO_WRAP_WORD_CHAR);
  gtk_label_set_xalign(GTK_LABEL(label), 0);
  gtk_label_set_selectable(GTK_LABEL(label), TRUE);
  if (css_class != NULL)
    gtk_widget_add_css_class(label, css_class);
  return label;
}

static GtkWidget *
create_text(const char *text, const char *css_class)
{
  g_autofree char *markup = debye_manual_markup(text);
  return create_label(markup, css_class);
}

static GtkWidget *
create_item(const char *text)
{
  GtkWidget *box = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 8);
  GtkWidget *bullet = gtk_label_new("•"), *label = create_text(text, NULL);
  gtk_widget_set_valign(bullet, GTK_ALIGN_START);
  gtk_widget_set_hexpand(label, TRUE);
  gtk_box_append(GTK_BOX(box), bullet);
  gtk_box_append(GTK_BOX(box), label);
  return box;
}

static GtkWidget *
create_code(const char *text)
{
  g_autofree char *markup = g_markup_escape_text(text, -1);
  return create_label(markup, "manual-code");
}

static void
end_block(Builder *builder)
{
  GtkWidget *widget = NULL;
  if (builder->block == BLOCK_PARAGRAPH)
    widget = create_text(builder->text->str, NULL);
  else if (builder->block == BLOCK_ITEM)
    widget = create_item(builder->text->str);
  else if (builder->block == BLOCK_FORMULA)
    widget = create_text(builder->text->str, "manual-formula");
  else if (builder->block == BLOCK_CODE)
    widget = create_code(builder->text->str);
  if (widget != NULL)
    gtk_box_append(builder->box, widget);
  builder->block = BLOCK_NONE;
  g_string_truncate(builder->text, 0);
}

static void
add_text(Builder *builder, Block block, const char *text)
{
  if (builder->text->len > 0)
    g_string_append_c(builder->text, block == BLOCK_CODE || block == BLOCK_FORMULA ? '\n' : ' ');
  g_string_append(builder->text, text);
  builder->block = block;
}

static void
add_heading(Builder *builder, const char *line)
{
  static const char *const classes[] = {"title-1", "title-3", "heading"};
  gsize level = strspn(line, "#");
  g_autofree char *markup = debye_manual_markup(line + level + strspn(line + level, " "));
  GtkWidget *label = g_object_new(GTK_TYPE_LABEL, "accessible-role", GTK_ACCESSIBLE_ROLE_HEADING, "label",
                                  markup, "use-markup", TRUE, "wrap", TRUE, "xalign", 0.0, NULL);
  gtk_widget_add_css_class(label, classes[CLAMP(level, 1, G_N_ELEMENTS(classes)) - 1]);
  if (level > 1)
    gtk_widget_set_margin_top(label, 12);
  gtk_box_append(builder->box, label);
}

/* ![what it shows](file.png) */
static void
add_picture(Builder *builder, const char *line)
{
  const char *middle = strstr(line, "]("), *close = middle != NULL ? strchr(middle, ')') : NULL;
  if (close == NULL)
    return;
  g_autofree char *shows = g_strndup(line + 2, (gsize)(middle - line - 2));
  g_autofree char *file = g_strndup(middle + 2, (gsize)(close - middle - 2));
  g_autofree char *path = g_strconcat(builder->folder, "/", file, NULL);
  GtkWidget *picture = gtk_picture_new_for_resource(path);
  gtk_picture_set_alternative_text(GTK_PICTURE(picture), shows);
  gtk_widget_set_halign(picture, GTK_ALIGN_START);
  gtk_widget_set_size_request(picture, -1, 340);
  gtk_widget_add_css_class(picture, "card");
  gtk_box_append(builder->box, picture);
  gtk_box_append(builder->box, create_text(shows, "dim-label"));
}

static void
add_row(Builder *builder, const char *row)
{
  if (row[strspn(row, "|-: ")] == '\0') /* a ruler */
    return;
  if (builder->table == NULL) {
    builder->table = GTK_GRID(gtk_grid_new());
    builder->n_rows = 0;
    gtk_grid_set_column_spacing(builder->table, 18);
    gtk_grid_set_row_spacing(builder->table, 6);
    gtk_box_append(builder->box, GTK_WIDGET(builder->table));
  }
  g_auto(GStrv) cells = g_strsplit(row, "|", -1);
  guint n_cells = g_strv_length(cells);
  /* Before the first and behind the last line there is nothing. */
  for (guint i = 1; i + 1 < n_cells; i++) {
    GtkWidget *label = create_text(g_strstrip(cells[i]), builder->n_rows == 0 ? "heading" : NULL);
    gtk_label_set_yalign(GTK_LABEL(label), 0);
    gtk_grid_attach(builder->table, label, (int)i - 1, builder->n_rows, 1, 1);
  }
  builder->n_rows++;
}

static Block
find_block(const char *line, const char **text)
{
  *text = line + strspn(line, " ");
  if (g_str_has_prefix(line, "- ") || g_str_has_prefix(line, "> ")) {
    *text = line + 2;
    return *line == '-' ? BLOCK_ITEM : BLOCK_FORMULA;
  }
  return BLOCK_PARAGRAPH;
}

static void
add_line(Builder *builder, const char *line)
{
  const char *text;
  Block block = find_block(line, &text);
  if (*line != '|')
    builder->table = NULL;
  if (block == BLOCK_PARAGRAPH && builder->block == BLOCK_ITEM && *line == ' ') {
    add_text(builder, BLOCK_ITEM, text);
    return;
  }
  if (block != builder->block || block == BLOCK_ITEM || strchr("#|!", *line) != NULL)
    end_block(builder);
  if (*line == '#')
    add_heading(builder, line);
  else if (*line == '|')
    add_row(builder, line);
  else if (g_str_has_prefix(line, "!["))
    add_picture(builder, line);
  else if (*line != '\0')
    add_text(builder, block, text);
}

GtkWidget *
debye_manual_page_new(const char *text, const char *folder)
{
  GtkWidget *box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 12);
  Builder builder = {.box = GTK_BOX(box), .folder = folder, .text = g_string_new(NULL)};
  g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
  for (char **line = lines; *line != NULL; line++)
    if (g_str_has_prefix(*line, "```")) {
      gboolean opens = builder.block != BLOCK_CODE;
      end_block(&builder);
      builder.block = opens ? BLOCK_CODE : BLOCK_NONE;
    } else if (builder.block == BLOCK_CODE) {
      add_text(&builder, BLOCK_CODE, *line);
    } else {
      add_line(&builder, *line);
    }
  end_block(&builder);
  g_string_free(builder.text, TRUE);
  return box;
}

char *
debye_manual_page_find_title(const char *text)
{
  const char *end = strchrnul(text, '\n');
  g_autofree char *line = g_strndup(text, (gsize)(end - text));
  return debye_manual_plain(line + strspn(line, "# "));
}
