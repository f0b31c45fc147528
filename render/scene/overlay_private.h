/* SPDX-License-Identifier: MIT */
/* What overlay.c, overlay_labels.c and overlay_piece.c share. */
#pragma once

#include "hidden_numbers.h"
#include "overlay.h"

/* Beyond this a cairo surface and a texture would be refused. */
#define DEBYE_MAX_PIECE 8192.0

typedef enum { DEBYE_PIECE_LEGEND, DEBYE_PIECE_AXES, DEBYE_PIECE_SCALE, DEBYE_N_PIECES } DebyePieceKind;

typedef struct {
  GLuint texture;
  char *key;
  double width, height; /* pixels */
  double left, top;     /* of those in corners: where they are in this picture */
  gboolean is_shown;
} DebyePiece;

struct _DebyeOverlay {
  DebyePiece pieces[DEBYE_N_PIECES];
  GHashTable *labels; /* DebyePiece by its key */
  double kept_bytes;  /* of their textures */
  DebyeHiddenNumbers *hidden;
};

typedef struct {
  GListModel *layers;
  const DebyePicture *picture;
  double text_color[4];
  double unit;       /* pixels of one of ours */
  double scale_room; /* pixels that the scale bar has beside a slice; HUGE_VAL: all that it wants */
} DebyeSheet;

void debye_piece_upload(DebyePiece *piece, cairo_surface_t *surface);
/* With its left top corner there, in pixels. */
void debye_piece_put(DebyeRenderer *renderer, const DebyePiece *piece, const DebyePicture *picture,
                     double left, double top);
/* Deletes the textures of labels, or forgets them. */
void debye_overlay_forget_labels(DebyeOverlay *self, gboolean context_lost);
void debye_overlay_draw_labels(DebyeOverlay *self, DebyeRenderer *renderer, const DebyeSheet *sheet,
                               guint64 serial);
