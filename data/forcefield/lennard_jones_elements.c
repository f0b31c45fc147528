/* SPDX-License-Identifier: MIT */
/* Lennard-Jones parameters by element: Rappé et al., UFF, J. Am. Chem. Soc. 114 (1992) 10024, table 1. */
#include "lennard_jones.h"

/* x, the distance of the minimum in Å, and D, its depth in kcal/mol; by atomic number. */
static const struct {
  float distance, depth;
} elements[] = {
    {0.0f, 0.0f},     {2.886f, 0.044f}, /* H */
    {2.362f, 0.056f},                   /* He */
    {2.451f, 0.025f},                   /* Li */
    {2.745f, 0.085f},                   /* Be */
    {4.083f, 0.18f},                    /* B */
    {3.851f, 0.105f},                   /* C */
    {3.66f, 0.069f},                    /* N */
    {3.5f, 0.06f},                      /* O */
    {3.364f, 0.05f},                    /* F */
    {3.243f, 0.042f},                   /* Ne */
    {2.983f, 0.03f},                    /* Na */
    {3.021f, 0.111f},                   /* Mg */
    {4.499f, 0.505f},                   /* Al */
    {4.295f, 0.402f},                   /* Si */
    {4.147f, 0.305f},                   /* P */
    {4.035f, 0.274f},                   /* S */
    {3.947f, 0.227f},                   /* Cl */
    {3.868f, 0.185f},                   /* Ar */
    {3.812f, 0.035f},                   /* K */
    {3.399f, 0.238f},                   /* Ca */
    {3.295f, 0.019f},                   /* Sc */
    {3.175f, 0.017f},                   /* Ti */
    {3.144f, 0.016f},                   /* V */
    {3.023f, 0.015f},                   /* Cr */
    {2.961f, 0.013f},                   /* Mn */
    {2.912f, 0.013f},                   /* Fe */
    {2.872f, 0.014f},                   /* Co */
    {2.834f, 0.015f},                   /* Ni */
    {3.495f, 0.005f},                   /* Cu */
    {2.763f, 0.124f},                   /* Zn */
    {4.383f, 0.415f},                   /* Ga */
    {4.28f, 0.379f},                    /* Ge */
    {4.23f, 0.309f},                    /* As */
    {4.205f, 0.291f},                   /* Se */
    {4.189f, 0.251f},                   /* Br */
    {4.141f, 0.22f},                    /* Kr */
    {4.114f, 0.04f},                    /* Rb */
    {3.641f, 0.235f},                   /* Sr */
    {3.345f, 0.072f},                   /* Y */
    {3.124f, 0.069f},                   /* Zr */
    {3.165f, 0.059f},                   /* Nb */
    {3.052f, 0.056f},                   /* Mo */
    {2.998f, 0.048f},                   /* Tc */
    {2.963f, 0.056f},                   /* Ru */
    {2.929f, 0.053f},                   /* Rh */
    {2.899f, 0.048f},                   /* Pd */
    {3.148f, 0.036f},                   /* Ag */
    {2.848f, 0.228f},                   /* Cd */
    {4.463f, 0.599f},                   /* In */
    {4.392f, 0.567f},                   /* Sn */
    {4.42f, 0.449f},                    /* Sb */
    {4.47f, 0.398f},                    /* Te */
    {4.5f, 0.339f},                     /* I */
    {4.404f, 0.332f},                   /* Xe */
    {4.517f, 0.045f},                   /* Cs */
    {3.703f, 0.364f},                   /* Ba */
};

gboolean
debye_lennard_jones_of_element(guint8 atomic_number, DebyeLennardJones *parameters)
{
  if (atomic_number == 0 || atomic_number >= G_N_ELEMENTS(elements))
    return FALSE;
  *parameters = (DebyeLennardJones){(double)elements[atomic_number].depth,
                                    0.5 * (double)elements[atomic_number].distance};
  return TRUE;
}
