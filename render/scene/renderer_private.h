/* SPDX-License-Identifier: MIT */
/* What renderer.c, renderer_passes.c and renderer_view.c share. */
#pragma once

#include "filled_blocks.h"
#include "pace.h"
#include "portion.h"
#include "render/gl/nearest_fragments.h"
#include "render/gl/seen_blocks.h"
#include "renderer.h"

/* The passes of a sample, in order; one of layers comes again for each layer of transparency. */
typedef enum {
  DEBYE_STEP_OPAQUE,
  DEBYE_STEP_LIGHT,  /* opaque things as the light sees them */
  DEBYE_STEP_SHADOW, /* what of it the viewer sees */
  DEBYE_STEP_OCCLUSION,
  DEBYE_STEP_SMOOTHING, /* of the occlusion */
  DEBYE_STEP_LAYER,
  DEBYE_STEP_COMPOSITION,
  DEBYE_N_STEPS, /* the sample is whole */
} DebyeStep;

struct _DebyeRenderer {
  DebyePrograms *programs;
  GLuint view_buffer, empty_array, query;
  DebyeTarget opaque, layers[2], transparent, occlusion[2], nothing, overview, from_light, shade;
  DebyeTarget farthest;  /* depths of a pass, in squares */
  DebyeTarget sum;       /* the mean of samples */
  DebyeTarget sketch[2]; /* the last quick picture, as it was drawn and with smooth edges */
  DebyePace pace;
  DebyeFilledBlocks blocks; /* of the samples of this picture so far */
  DebyeDepthLevels depths;  /* of `farthest` */
  DebyeSeenBlocks *seen[2]; /* likewise: of opaque things, of layers of transparency */
  DebyeNearestFragments nearest;

  /* Of the sample that is made piece by piece. */
  DebyeStep step;
  int layer;
  gboolean layer_seen; /* something passed in this layer of transparency */
  DebyePortion portions[DEBYE_N_STEPS];
};

/* One of the shifted pictures that a picture is the mean of. */
typedef struct {
  GListModel *layers;
  const DebyePicture *picture;
  int number;
  DebyeDetail detail;
  gboolean transparent; /* any layer is */
  gboolean nearest;     /* and one drawing keeps the nearest fragments: there is one layer of transparency */
  gboolean shadow;      /* is thrown */
  const DebyeTarget *result; /* what it is added to */
  DebyeFilledBlocks
      *blocks; /* outside which nothing opaque is, once that is drawn; NULL: it isn't looked for */
  DebyeSeenBlocks *seen[2]; /* of opaque and of transparent things; NULL: all are drawn */
  gboolean only_found;      /* what the last look at these has found is added */
  DebyeViewBlock block;
  DebyeDrawContext context;
} DebyeSample;

/* Of the picture's rectangle at `factor` of its size, shifted by the sample's part of a pixel. */
void debye_renderer_make_view(GListModel *layers, const DebyePicture *picture, double factor, int sample,
                              DebyeViewBlock *block);

/* Where the light comes from, of a block that has its view; and what the light sees: a sample that is drawn into
 * `from_light`. */
void debye_renderer_make_light(const DebyePicture *picture, DebyeViewBlock *block);
int debye_renderer_get_shadow_side(const DebyePicture *picture);
void debye_renderer_look_from_light(const DebyeSample *seen, DebyeSample *sample);

void debye_renderer_set_plain_state(void);
void debye_renderer_bind(const DebyeTarget *target);
/* One triangle over all that is bound. */
void debye_renderer_fill(DebyeRenderer *self);

/* Opaque things into any target: also the overview of a picture drawn in tiles. */
void debye_renderer_draw_opaque(DebyeRenderer *self, DebyeSample *sample, const DebyeTarget *target);
/* A share of a pass. FALSE: a layer of transparency in which this share had nothing. */
gboolean debye_renderer_draw_step(DebyeRenderer *self, DebyeSample *sample, DebyeStep step, int layer,
                                  DebyeShare share);
/* Whether what a pass has drawn leaves in sight what it has left out; and then adds that to it. FALSE: it can't be added, and the pass
 * is to be drawn anew. *passed becomes TRUE where anything of it is seen. `target` NULL: the pass that keeps the nearest fragments. */
gboolean debye_renderer_has_left_out(DebyeRenderer *self, DebyeSeenBlocks *seen, const DebyeTarget *target);
gboolean debye_renderer_add_left_out(DebyeRenderer *self, DebyeSample *sample, const DebyeTarget *target,
                                     gboolean *passed);
/* The same where the nearest fragments are kept: what is left out is added in any order. */
void debye_renderer_add_nearest(DebyeRenderer *self, DebyeSample *sample);
/* After a drawing that kept them. */
void debye_renderer_lay_nearest(DebyeRenderer *self);
/* After a layer of transparency that had something: puts it under those before. */
void debye_renderer_add_layer(DebyeRenderer *self, int layer);
