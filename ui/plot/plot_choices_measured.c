/* SPDX-License-Identifier: MIT */
/* Measured curves among the choices of a plot; called by plot_panel.c and, for sessions, by app/measured. */
#include "plot_choices_private.h"
#include "render/plot/plot_text.h"

static DebyePlotChoice *
find_measured(DebyePlotChoices *self, guint key)
{
  for (guint i = 0; i < self->choices->len; i++) {
    DebyePlotChoice *choice = self->choices->pdata[i];
    if (choice->key == key && choice->measured != NULL)
      return choice;
  }
  return NULL;
}

guint
debye_plot_choices_add_measured(DebyePlotChoices *self, DebyeCurve *curve)
{
  g_return_val_if_fail(DEBYE_IS_PLOT_CHOICES(self) && DEBYE_IS_CURVE(curve), 0);
  DebyePlotChoice *choice = g_new0(DebyePlotChoice, 1);
  choice->key = ++self->last_key;
  choice->measured = debye_curve_with_style(curve, DEBYE_CURVE_MARKERS);
  choice->label = debye_plot_text_from_name(debye_curve_get_name(curve));
  choice->is_shown = choice->by_hand = TRUE;
  g_ptr_array_add(self->choices, choice);
  debye_plot_choices_put(self, choice);
  debye_plot_choices_tell(self);
  return choice->key;
}

void
debye_plot_choices_restore_measured(DebyePlotChoices *self, guint key, const DebyeQuantity *of,
                                    gboolean is_shown)
{
  g_return_if_fail(DEBYE_IS_PLOT_CHOICES(self));
  if (of != NULL)
    debye_result_plot_set_measured_of(self->plot, key, of);
  if (!is_shown)
    debye_plot_choices_choose(self, key, FALSE);
  debye_plot_choices_tell(self);
}

gboolean
debye_plot_choices_get_measured(DebyePlotChoices *self, guint key, const DebyeQuantity **of)
{
  g_return_val_if_fail(DEBYE_IS_PLOT_CHOICES(self) && of != NULL, FALSE);
  const DebyePlotChoice *choice = find_measured(self, key);
  *of = debye_result_plot_get_measured_of(self->plot, key);
  return choice != NULL && choice->is_shown;
}

void
debye_plot_choices_remove_measured(DebyePlotChoices *self)
{
  g_return_if_fail(DEBYE_IS_PLOT_CHOICES(self));
  for (guint i = self->choices->len; i-- > 0;) {
    const DebyePlotChoice *choice = self->choices->pdata[i];
    if (choice->measured == NULL)
      continue;
    debye_result_plot_forget(self->plot, choice->key);
    g_ptr_array_remove_index(self->choices, i);
  }
  debye_plot_choices_tell(self);
}

gboolean
debye_plot_choices_has_measured(DebyePlotChoices *self)
{
  g_return_val_if_fail(DEBYE_IS_PLOT_CHOICES(self), FALSE);
  for (guint i = 0; i < self->choices->len; i++)
    if (((const DebyePlotChoice *)self->choices->pdata[i])->measured != NULL)
      return TRUE;
  return FALSE;
}

void
debye_plot_choices_set_fit(DebyePlotChoices *self, gboolean fit)
{
  g_return_if_fail(DEBYE_IS_PLOT_CHOICES(self));
  self->fit = fit;
  for (guint i = 0; i < self->choices->len; i++) {
    const DebyePlotChoice *choice = self->choices->pdata[i];
    if (choice->measured != NULL)
      debye_plot_choices_put(self, choice);
  }
}

gboolean
debye_plot_choices_get_fit(DebyePlotChoices *self)
{
  g_return_val_if_fail(DEBYE_IS_PLOT_CHOICES(self), FALSE);
  return self->fit;
}
