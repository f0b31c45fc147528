/* SPDX-License-Identifier: MIT */
/* Shader programs of one GL context, compiled when first asked for. The text is the same for GL 3.3 core and
 * GLSL ES 3.00; only the first lines differ. */
#pragma once

#include <epoxy/gl.h>
#include <glib.h>

/* Texture units, fixed by the name of the sampler in the shaders. */
typedef enum {
  DEBYE_UNIT_POSITIONS,
  DEBYE_UNIT_STYLES,
  DEBYE_UNIT_PEELED,
  DEBYE_UNIT_COLOR_MAP,
  DEBYE_UNIT_IMAGE,
  DEBYE_UNIT_DEPTH,
  DEBYE_UNIT_OCCLUSION,
  DEBYE_UNIT_TRANSPARENT,
  DEBYE_UNIT_OVERVIEW,
  DEBYE_N_UNITS,
} DebyeTextureUnit;

typedef struct _DebyePrograms DebyePrograms;

DebyePrograms *debye_programs_new(void);
/* `context_lost`: the programs are gone already and only forgotten. */
void debye_programs_free(DebyePrograms *programs, gboolean context_lost);

/* The program of shaders/NAME.glsl with the macros in `options` (separated by blanks, or NULL) defined. 0,
 * and an error kept, where it can't be made. */
GLuint debye_programs_use(DebyePrograms *programs, const char *name, const char *options);
/* The first failure in words, or NULL. */
const GError *debye_programs_get_error(DebyePrograms *programs);

/* Whether the processor does the work of the GL that is current. */
gboolean debye_gl_is_software(void);
/* The same of the GL that these programs are for. */
gboolean debye_programs_is_software(DebyePrograms *programs);
/* Whether 16-bit float pictures can be drawn into and blended. */
gboolean debye_programs_has_float_targets(DebyePrograms *programs);
/* Whether programs with the option NEAREST can be made (nearest_fragments.h). Not with DEBYE_PEELING set. */
gboolean debye_programs_keeps_nearest(DebyePrograms *programs);
