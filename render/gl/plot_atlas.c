/* SPDX-License-Identifier: MIT */
/* Packs the texts of a plot into one texture for plot_gl.c, in shelves: each as high as its first text,
 * filled from the left. */
#include "plot_atlas.h"

#include <math.h>

#include "gl_target.h"
#include "render/plot/plot_text.h"

#define SIZE 2048
/* Around a text, of its size: scripts and slanted letters reach beyond its measures. */
#define RIM 0.4

struct _DebyePlotAtlas {
  GLuint texture;
  GHashTable *entries; /* key → DebyePlotAtlasEntry */
  int shelf_x, shelf_y, shelf_height;
};

DebyePlotAtlas *
debye_plot_atlas_new(void)
{
  DebyePlotAtlas *self = g_new0(DebyePlotAtlas, 1);
  self->entries = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
  return self;
}

void
debye_plot_atlas_free(DebyePlotAtlas *self, gboolean context_lost)
{
  if (self == NULL)
    return;
  if (self->texture != 0 && !context_lost)
    glDeleteTextures(1, &self->texture);
  g_hash_table_unref(self->entries);
  g_free(self);
}

static void
begin_anew(DebyePlotAtlas *self)
{
  g_hash_table_remove_all(self->entries);
  self->shelf_x = self->shelf_y = self->shelf_height = 0;
}

/* FALSE where the texture is full. */
static gboolean
find_place(DebyePlotAtlas *self, DebyePlotAtlasEntry *entry)
{
  if (self->shelf_x + entry->width > SIZE) {
    self->shelf_y += self->shelf_height;
    self->shelf_x = self->shelf_height = 0;
  }
  if (self->shelf_y + MAX(entry->height, self->shelf_height) > SIZE)
    return FALSE;
  entry->x = self->shelf_x;
  entry->y = self->shelf_y;
  self->shelf_x += entry->width;
  self->shelf_height = MAX(self->shelf_height, entry->height);
  return TRUE;
}

static void
measure(const DebyeDrawItem *item, double pixels, DebyePlotAtlasEntry *entry)
{
  double size = (double)item->size * pixels;
  int along = (int)ceil((double)item->text_width * pixels + 2.0 * RIM * size) + 1;
  int across = (int)ceil((1.4 + 2.0 * RIM) * size) + 1;
  int before = (int)ceil(RIM * size), above = (int)ceil((1.05 + RIM) * size);
  entry->width = item->upwards ? across : along;
  entry->height = item->upwards ? along : across;
  entry->origin_x = item->upwards ? above : before;
  entry->origin_y = item->upwards ? along - before : above;
}

static void
draw(const DebyeDrawItem *item, double pixels, const DebyePlotAtlasEntry *entry)
{
  cairo_surface_t *surface = cairo_image_surface_create(CAIRO_FORMAT_A8, entry->width, entry->height);
  cairo_t *cr = cairo_create(surface);
  cairo_translate(cr, entry->origin_x, entry->origin_y);
  if (item->upwards)
    cairo_rotate(cr, -G_PI_2);
  cairo_scale(cr, pixels, pixels);
  debye_plot_text_draw(cr, item->markup, (double)item->size);
  cairo_destroy(cr);
  cairo_surface_flush(surface);
  glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
  glPixelStorei(GL_UNPACK_ROW_LENGTH, cairo_image_surface_get_stride(surface));
  glTexSubImage2D(GL_TEXTURE_2D, 0, entry->x, entry->y, entry->width, entry->height, GL_RED, GL_UNSIGNED_BYTE,
                  cairo_image_surface_get_data(surface));
  glPixelStorei(GL_UNPACK_ROW_LENGTH, 0);
  glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
  cairo_surface_destroy(surface);
}

static void
bind(DebyePlotAtlas *self, int unit)
{
  if (self->texture == 0) {
    glActiveTexture(GL_TEXTURE0 + (GLenum)unit);
    self->texture = debye_texture_new(GL_NEAREST);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_R8, SIZE, SIZE, 0, GL_RED, GL_UNSIGNED_BYTE, NULL);
  }
  debye_texture_bind(unit, self->texture);
}

const DebyePlotAtlasEntry *
debye_plot_atlas_find(DebyePlotAtlas *self, const DebyeDrawItem *item, double pixels, int unit)
{
  DebyePlotAtlasEntry entry = {0};
  g_autofree char *key =
      g_strdup_printf("%a %a %d %s", (double)item->size, pixels, item->upwards, item->markup);
  bind(self, unit);
  const DebyePlotAtlasEntry *known = g_hash_table_lookup(self->entries, key);
  if (known != NULL)
    return known;
  measure(item, pixels, &entry);
  if (entry.width > SIZE || entry.height > SIZE)
    return NULL;
  if (!find_place(self, &entry)) {
    begin_anew(self);
    find_place(self, &entry);
  }
  draw(item, pixels, &entry);
  DebyePlotAtlasEntry *kept = g_memdup2(&entry, sizeof entry);
  g_hash_table_insert(self->entries, g_steal_pointer(&key), kept);
  return kept;
}
