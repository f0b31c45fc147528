/* SPDX-License-Identifier: MIT */
/* Which reader a file of quantum chemistry needs; see quantum_files.h. */
#include "quantum_files.h"

#include "data/files/error.h"
#include "fchk_file.h"
#include "molden_file.h"
#include "molden_vibrations.h"

#define HEAD_BYTES 4096

typedef enum {
  KIND_OTHER,
  KIND_MOLDEN,
  KIND_CHECKPOINT,
} Kind;

static Kind
find_kind(DebyeInput *input)
{
  guint8 head[HEAD_BYTES];
  const gssize n = debye_input_read_some(input, 0, head, sizeof head, NULL);
  if (n > 0 && debye_molden_probe(head, (gsize)n) > 0)
    return KIND_MOLDEN;
  return n > 0 && debye_fchk_probe(head, (gsize)n) > 0 ? KIND_CHECKPOINT : KIND_OTHER;
}

gboolean
debye_wave_function_probe(DebyeInput *input)
{
  return find_kind(input) != KIND_OTHER;
}

DebyeWaveFunction *
debye_wave_function_read(DebyeInput *input, GError **error)
{
  const Kind kind = find_kind(input);
  if (kind == KIND_OTHER) {
    debye_input_set_error(input, error, DEBYE_ERROR_UNKNOWN,
                          "expected a Molden file or a formatted checkpoint of Gaussian, found neither");
    return NULL;
  }
  g_autoptr(DebyeWaveFunction) wave =
      kind == KIND_MOLDEN ? debye_molden_read(input, error) : debye_fchk_read(input, error);
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

DebyeVibrations *
debye_vibrations_read(DebyeInput *input, GError **error)
{
  const Kind kind = find_kind(input);
  if (kind == KIND_MOLDEN)
    return debye_molden_read_vibrations(input, error);
  return kind == KIND_CHECKPOINT ? debye_fchk_read_vibrations(input, error) : NULL;
}

DebyeVibrations *
debye_vibrations_load(const char *path, GError **error)
{
  g_autoptr(DebyeInput) input = debye_input_open(path, error);
  return input != NULL ? debye_vibrations_read(input, error) : NULL;
}

DebyeVibrations *
debye_vibrations_find(const char *const *paths, gsize n_atoms, GError **error)
{
  GError *problem = NULL;
  for (gsize i = 0; paths[i] != NULL && problem == NULL; i++) {
    g_autoptr(DebyeVibrations) vibrations = debye_vibrations_load(paths[i], &problem);
    if (vibrations != NULL && vibrations->n_atoms == n_atoms && vibrations->modes->len > 0)
      return g_steal_pointer(&vibrations);
  }
  if (problem != NULL)
    g_propagate_error(error, problem);
  return NULL;
}
