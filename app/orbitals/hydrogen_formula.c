/* SPDX-License-Identifier: MIT */
/* Implementation of hydrogen_formula.h. */
#include "hydrogen_formula.h"

static const struct {
  const char *label, *formula;
} orbitals[] = {
    {"1s", "ψ = e⁻ʳ / √π"},
    {"2s", "ψ = (2 − r) e⁻ʳᐟ² / (4√(2π))"},
    {"2px", "ψ = x e⁻ʳᐟ² / (4√(2π))"},
    {"2py", "ψ = y e⁻ʳᐟ² / (4√(2π))"},
    {"2pz", "ψ = z e⁻ʳᐟ² / (4√(2π))"},
    {"3s", "ψ = (27 − 18r + 2r²) e⁻ʳᐟ³ / (81√(3π))"},
    {"3px", "ψ = √2 (6 − r) x e⁻ʳᐟ³ / (81√π)"},
    {"3py", "ψ = √2 (6 − r) y e⁻ʳᐟ³ / (81√π)"},
    {"3pz", "ψ = √2 (6 − r) z e⁻ʳᐟ³ / (81√π)"},
    {"3dz2", "ψ = (3z² − r²) e⁻ʳᐟ³ / (81√(6π))"},
    {"3dxz", "ψ = √2 xz e⁻ʳᐟ³ / (81√π)"},
    {"3dyz", "ψ = √2 yz e⁻ʳᐟ³ / (81√π)"},
    {"3dx2-y2", "ψ = (x² − y²) e⁻ʳᐟ³ / (81√(2π))"},
    {"3dxy", "ψ = √2 xy e⁻ʳᐟ³ / (81√π)"},
};

const char *
debye_hydrogen_formula(const DebyeWaveFunction *wave, guint orbital)
{
  const DebyeWaveOrbital *shown = &g_array_index(wave->orbitals, DebyeWaveOrbital, orbital);
  if (wave->atoms->len != 1 || g_array_index(wave->atoms, DebyeWaveAtom, 0).element != 1)
    return NULL;
  for (gsize i = 0; i < G_N_ELEMENTS(orbitals); i++)
    if (g_str_equal(orbitals[i].label, shown->symmetry))
      return orbitals[i].formula;
  return NULL;
}
