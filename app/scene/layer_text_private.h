/* SPDX-License-Identifier: MIT */
/* What layer_text.c and layer_text_apply.c share. */
#pragma once

#include "layer_text.h"

G_BEGIN_DECLS

typedef struct {
  char *word;  /* a word alone, or the name of a property */
  char *value; /* NULL: a word alone */
} DebyeLayerTextItem;

struct _DebyeLayerText {
  char *text;    /* as it was given */
  char *subject; /* NULL: none */
  GArray *items; /* DebyeLayerTextItem */
};

/* The kind that a word names, and its style of atoms, or -1; NULL: no kind. */
const DebyeLayerKind *debye_layer_text_kind_of(const char *word, int *style);
/* The word that names a kind. */
const char *debye_layer_text_word_of(const DebyeLayerKind *kind);
/* The setting that an option which adds such a layer fills; NULL: none. */
const DebyeLayerSetting *debye_layer_text_main_setting(const DebyeLayerKind *kind);

G_END_DECLS
