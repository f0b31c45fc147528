/* SPDX-License-Identifier: MIT */
/* Where a picture has atoms, on a coarse grid of cells; called by overlay_labels.c. */
#include "covered_cells.h"

#include <math.h>

#include "data/molecule/periodic.h"
#include "render/layers/layer.h"
#include "render/layers/shown_atoms.h"

#define CELLS 160    /* along the longer side of a picture */
#define REACH 1.8    /* Å around an atom: its sphere, or the ribbon of its residue */
#define MOST_REACH 8 /* cells */

struct _DebyeCoveredCells {
  guint8 *cells;
  int n_x, n_y;
  double side; /* pixels */
};

static void
cover(DebyeCoveredCells *self, double x, double y, int reach)
{
  const int column = (int)floor(x / self->side), row = (int)floor(y / self->side);
  for (int j = MAX(row - reach, 0); j <= MIN(row + reach, self->n_y - 1); j++)
    for (int i = MAX(column - reach, 0); i <= MIN(column + reach, self->n_x - 1); i++)
      if ((i - column) * (i - column) + (j - row) * (j - row) <= reach * reach)
        self->cells[j * self->n_x + i] = 1;
}

static void
cover_atoms(DebyeCoveredCells *self, const DebyeShownAtoms *shown, const DebyePicture *picture, mat4 whole)
{
  const DebyeAtomSet set = debye_shown_atoms_get(shown);
  const double pixels = REACH * picture->height / (double)picture->camera->height;
  const int reach = (int)CLAMP(pixels / self->side, 0.0, MOST_REACH);
  for (gsize i = 0; i < set.n_atoms; i++) {
    const DebyeVec3 place = debye_frame_get_position(shown->frame, set.atoms ? set.atoms[i] : i);
    vec4 p = {(float)place.x, (float)place.y, (float)place.z, 1.0f};
    glm_mat4_mulv(whole, p, p);
    if (p[3] > 0.0f && fabsf(p[0]) < 2.0f * p[3] && fabsf(p[1]) < 2.0f * p[3])
      cover(self, (0.5 + 0.5 * (double)(p[0] / p[3])) * picture->width,
            (0.5 - 0.5 * (double)(p[1] / p[3])) * picture->height, reach);
  }
}

/* Labels have atoms that they don't draw. */
static gboolean
draws_atoms(DebyeLayer *layer)
{
  const DebyeShownAtoms *shown = debye_layer_get_shown(layer);
  return debye_layer_get_visible(layer) && DEBYE_LAYER_GET_CLASS(layer)->draw && shown && shown->frame;
}

DebyeCoveredCells *
debye_covered_cells_new(GListModel *layers, const DebyePicture *picture, mat4 whole)
{
  DebyeCoveredCells *self = g_new0(DebyeCoveredCells, 1);
  self->side = fmax(1.0, (double)MAX(picture->width, picture->height) / CELLS);
  self->n_x = (int)ceil(picture->width / self->side);
  self->n_y = (int)ceil(picture->height / self->side);
  self->cells = g_new0(guint8, (gsize)self->n_x * (gsize)self->n_y + 1);
  for (guint i = 0; i < g_list_model_get_n_items(layers); i++) {
    g_autoptr(DebyeLayer) layer = g_list_model_get_item(layers, i);
    if (draws_atoms(layer))
      cover_atoms(self, debye_layer_get_shown(layer), picture, whole);
  }
  return self;
}

void
debye_covered_cells_free(DebyeCoveredCells *self)
{
  if (!self)
    return;
  g_free(self->cells);
  g_free(self);
}

guint
debye_covered_cells_count(const DebyeCoveredCells *self, double left, double top, double width, double height)
{
  guint n = 0;
  const int first_row = MAX((int)floor(top / self->side), 0), first = MAX((int)floor(left / self->side), 0);
  const int last_row = MIN((int)floor((top + height) / self->side), self->n_y - 1);
  const int last = MIN((int)floor((left + width) / self->side), self->n_x - 1);
  for (int j = first_row; j <= last_row; j++)
    for (int i = first; i <= last; i++)
      n += self->cells[j * self->n_x + i];
  return n;
}
