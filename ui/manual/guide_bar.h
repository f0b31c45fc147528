/* SPDX-License-Identifier: MIT */
/* The bar with a sample's guide, above the view; made by window.c. It shows one step at a time, a few sentences and
 * a button that does what they say, until it is closed or the last step is left.
 *
 * Signals: "do", "step" (int: to this step), "hand-out" (gboolean: with its answers), "closed": by hand. */
#pragma once

#include <adwaita.h>

#define DEBYE_TYPE_GUIDE_BAR (debye_guide_bar_get_type())
G_DECLARE_FINAL_TYPE(DebyeGuideBar, debye_guide_bar, DEBYE, GUIDE_BAR, GtkBox)

typedef struct {
  const char *title, *text;
  const char *answer;  /* to the text's question, hidden until a button is pressed; NULL: none */
  guint minutes;       /* 0: not told */
  const char *drawing; /* of guide_drawing.h; NULL: none */
  const char *deed;    /* what the button says; NULL: there is nothing to do but to read */
} DebyeGuideStep;

/* Step `number` of `n_steps`, from 0. */
void debye_guide_bar_show_step(DebyeGuideBar *self, guint number, guint n_steps, const DebyeGuideStep *step);
void debye_guide_bar_hide(DebyeGuideBar *self);
