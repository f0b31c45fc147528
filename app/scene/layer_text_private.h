/* SPDX-License-Identifier: MIT */
/* What layer_text.c and layer_text_apply.c share. */
#pragma once

#include "layer_text.h"

typedef struct {
  char *word;  /* a word alone, or the name of a property */
  char *value; /* NULL: a word alone */
} DebyeLayerTextItem;

struct _DebyeLayerText {
  char *text;    /* as it was given */
  char *subject; /* NULL: none */
  GArray *items; /* DebyeLayerTextItem */
};
