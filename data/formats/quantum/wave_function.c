/* SPDX-License-Identifier: MIT */
/* What readers fill of a wave function; called by them. */
#include "wave_function.h"

#include <math.h>

DebyeWaveFunction *
debye_wave_function_new(void)
{
  DebyeWaveFunction *self = g_new0(DebyeWaveFunction, 1);
  self->atoms = g_array_new(FALSE, TRUE, sizeof(DebyeWaveAtom));
  self->shells = g_array_new(FALSE, TRUE, sizeof(DebyeWaveShell));
  self->exponents = g_array_new(FALSE, TRUE, sizeof(double));
  self->weights = g_array_new(FALSE, TRUE, sizeof(double));
  self->orbitals = g_array_new(FALSE, TRUE, sizeof(DebyeWaveOrbital));
  self->coefficients = g_array_new(FALSE, TRUE, sizeof(DebyeWaveCoefficient));
  self->remarks = g_ptr_array_new_with_free_func(g_free);
  self->worst_norm = NAN;
  return self;
}

void
debye_wave_function_free(DebyeWaveFunction *self)
{
  if (self == NULL)
    return;
  g_free(self->title);
  g_array_unref(self->atoms);
  g_array_unref(self->shells);
  g_array_unref(self->exponents);
  g_array_unref(self->weights);
  g_array_unref(self->orbitals);
  g_array_unref(self->coefficients);
  g_ptr_array_unref(self->remarks);
  g_free(self);
}

gsize
debye_wave_shell_n_functions(const DebyeWaveShell *shell)
{
  const gsize l = shell->l;
  return shell->is_pure ? 2 * l + 1 : (l + 1) * (l + 2) / 2;
}

void
debye_wave_function_add_shell(DebyeWaveFunction *self, guint32 atom, guint8 l, gboolean is_pure)
{
  const DebyeWaveShell shell = {
      .atom = atom, .l = l, .is_pure = is_pure && l > 1, .first_primitive = self->exponents->len};
  g_array_append_val(self->shells, shell);
}

void
debye_wave_function_add_primitive(DebyeWaveFunction *self, double exponent, double weight)
{
  g_array_append_val(self->exponents, exponent);
  g_array_append_val(self->weights, weight);
  g_array_index(self->shells, DebyeWaveShell, self->shells->len - 1).n_primitives++;
}

void
debye_wave_function_add_orbital(DebyeWaveFunction *self, const DebyeWaveOrbital *orbital)
{
  DebyeWaveOrbital added = *orbital;
  added.first_coefficient = self->coefficients->len;
  added.n_coefficients = 0;
  g_array_append_val(self->orbitals, added);
}

void
debye_wave_function_add_coefficient(DebyeWaveFunction *self, gsize function, double value)
{
  const DebyeWaveCoefficient coefficient = {(guint32)function, value};
  if (value == 0.0)
    return;
  g_array_append_val(self->coefficients, coefficient);
  g_array_index(self->orbitals, DebyeWaveOrbital, self->orbitals->len - 1).n_coefficients++;
}
