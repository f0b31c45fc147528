/* SPDX-License-Identifier: MIT */
/* What readers fill of a wave function, and which reader a file needs; called by the analysis of orbitals. */
#include "wave_function.h"

#include <math.h>

#include "data/files/error.h"
#include "fchk_file.h"
#include "molden_file.h"

#define HEAD_BYTES 4096

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

/* --- Files --- */

typedef DebyeWaveFunction *(*Reader)(DebyeInput *input, GError **error);

static Reader
find_reader(DebyeInput *input)
{
  guint8 head[HEAD_BYTES];
  const gssize n = debye_input_read_some(input, 0, head, sizeof head, NULL);
  if (n > 0 && debye_molden_probe(head, (gsize)n) > 0)
    return debye_molden_read;
  return n > 0 && debye_fchk_probe(head, (gsize)n) > 0 ? debye_fchk_read : NULL;
}

gboolean
debye_wave_function_probe(DebyeInput *input)
{
  return find_reader(input) != NULL;
}

DebyeWaveFunction *
debye_wave_function_read(DebyeInput *input, GError **error)
{
  const Reader reader = find_reader(input);
  if (reader == NULL) {
    debye_input_set_error(input, error, DEBYE_ERROR_UNKNOWN,
                          "expected a Molden file or a formatted checkpoint of Gaussian, found neither");
    return NULL;
  }
  g_autoptr(DebyeWaveFunction) wave = reader(input, error);
  if (wave == NULL || !debye_wave_function_finish(wave, input, error))
    return NULL;
  return g_steal_pointer(&wave);
}

DebyeWaveFunction *
debye_wave_function_load(const char *path, GError **error)
{
  g_autoptr(DebyeInput) input = debye_input_open(path, error);
  return input != NULL ? debye_wave_function_read(input, error) : NULL;
}
