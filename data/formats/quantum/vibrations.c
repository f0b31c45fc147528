/* SPDX-License-Identifier: MIT */
/* What readers fill of a molecule's normal modes and positions on the way; see vibrations.h. */
#include "vibrations.h"

#include <math.h>

#include "wave_function.h"

DebyeVibrations *
debye_vibrations_new(gsize n_atoms, const double *positions)
{
  DebyeVibrations *self = g_new0(DebyeVibrations, 1);
  g_atomic_ref_count_init(&self->n_references);
  self->n_atoms = n_atoms;
  self->positions = g_new(double, 3 * n_atoms + 1);
  for (gsize i = 0; i < 3 * n_atoms; i++)
    self->positions[i] = positions[i] * DEBYE_BOHR;
  self->modes = g_array_new(FALSE, FALSE, sizeof(DebyeVibration));
  self->displacements = g_array_new(FALSE, FALSE, sizeof(double));
  return self;
}

DebyeVibrations *
debye_vibrations_ref(DebyeVibrations *self)
{
  g_atomic_ref_count_inc(&self->n_references);
  return self;
}

void
debye_vibrations_unref(DebyeVibrations *self)
{
  if (self == NULL || !g_atomic_ref_count_dec(&self->n_references))
    return;
  g_free(self->positions);
  g_array_unref(self->modes);
  g_array_unref(self->displacements);
  g_free(self);
}

void
debye_vibrations_add(DebyeVibrations *self, const DebyeVibration *mode, const double *displacements)
{
  double farthest = 0.0;
  for (gsize i = 0; i < self->n_atoms; i++) {
    const double *d = &displacements[3 * i];
    farthest = MAX(farthest, hypot(hypot(d[0], d[1]), d[2]));
  }
  if (farthest == 0.0)
    return;
  g_array_append_val(self->modes, *mode);
  for (gsize i = 0; i < 3 * self->n_atoms; i++) {
    const double scaled = displacements[i] / farthest;
    g_array_append_val(self->displacements, scaled);
  }
}

void
debye_vibrations_fill_frame(const DebyeVibrations *self, guint mode, double amplitude, double phase,
                            DebyeFrame *frame)
{
  const double *d = &g_array_index(self->displacements, double, 3 * self->n_atoms * mode);
  const double factor = amplitude * sin(phase);
  g_return_if_fail(frame->n_atoms == self->n_atoms && mode < self->modes->len);
  for (gsize i = 0; i < self->n_atoms; i++) {
    frame->x[i] = (float)(self->positions[3 * i] + factor * d[3 * i]);
    frame->y[i] = (float)(self->positions[3 * i + 1] + factor * d[3 * i + 1]);
    frame->z[i] = (float)(self->positions[3 * i + 2] + factor * d[3 * i + 2]);
  }
  debye_frame_forget(frame);
  frame->index = 0;
  debye_frame_check(frame);
}

gsize
debye_vibration_count_periods(gsize n_pictures)
{
  return MAX(1, (n_pictures + DEBYE_VIBRATION_FRAMES / 2) / DEBYE_VIBRATION_FRAMES);
}

DebyeFrame *
debye_vibration_motion_make_frame(const DebyeVibrationMotion *self, gsize number, gsize n_pictures)
{
  g_return_val_if_fail(self->vibrations != NULL && n_pictures > 0, NULL);
  /* In whole numbers: a period later the picture is the same to the last bit. */
  const gsize step = number * debye_vibration_count_periods(n_pictures) % n_pictures;
  const double phase = 2.0 * G_PI * (double)step / (double)n_pictures;
  DebyeFrame *frame = debye_frame_new(self->vibrations->n_atoms);
  if (frame != NULL)
    debye_vibrations_fill_frame(self->vibrations, self->mode, self->amplitude, phase, frame);
  return frame;
}

void
debye_vibration_motion_clear(DebyeVibrationMotion *self)
{
  g_clear_pointer(&self->vibrations, debye_vibrations_unref);
}
