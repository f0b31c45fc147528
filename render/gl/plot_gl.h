/* SPDX-License-Identifier: MIT */
/* Draws plots in the GL context that is current (GL 3.3 core or GLES 3.0): antialiased lines of any width
 * with round joins, bands, markers, pictures, and texts from a texture that pango and cairo fill. */
#pragma once

#include "render/plot/plot_drawing.h"

typedef struct _DebyePlotGl DebyePlotGl;

DebyePlotGl *debye_plot_gl_new(void);
/* `context_lost`: what was made in GL is gone already and only forgotten. */
void debye_plot_gl_free(DebyePlotGl *gl, gboolean context_lost);

/* Over what is in the framebuffer that is bound, width × height pixels; a page's own background hides it.
 * FALSE where this GL can't. */
gboolean debye_plot_gl_draw(DebyePlotGl *gl, const DebyePlotDrawing *drawing, int width, int height,
                            GError **error);
