/* SPDX-License-Identifier: MIT */
/* Ligands that Debye knows and their orientations; called by ligands_plan.c. */
#include "ligands_model.h"

#include <math.h>

/* Sites of a line within so much of it, Å. */
#define STRAIGHT 1e-3

typedef struct {
  double place; /* Å along z */
  DebyeLennardJones parameters;
  double charge;
} LinearSite;

typedef struct {
  const char *name, *title, *source;
  gsize n;
  LinearSite sites[3];
} LinearLigand;

/* kcal/mol of ε/k in K, and Å of σ as half the distance of the minimum. */
#define FROM_KELVIN(epsilon) ((epsilon)*1.987204259e-3)
#define FROM_SIGMA(sigma) ((sigma)*0.5612310241546865)

/* Places are from the centre of mass. NO's charges are of its dipole moment, 0.159 D; bonds of O2, CO and NO are 1.208,
 * 1.128 and 1.151 Å (Huber & Herzberg 1979). */
static const LinearLigand ligands[] = {
    {"xe", "Xe", "Cohen et al., Biophys. J. 91 (2006) 1844", 1, {{0.0, {0.494, 2.24}, 0.0}}},
    {"o2", "O₂", "CHARMM22, type OM", 2, {{-0.604, {0.12, 1.7}, 0.0}, {0.604, {0.12, 1.7}, 0.0}}},
    {"co",
     "CO",
     "CHARMM22, types CM and OM",
     2,
     {{-0.6445, {0.11, 2.1}, 0.021}, {0.4835, {0.12, 1.7}, -0.021}}},
    {"no",
     "NO",
     "CHARMM22, types NPH and OM",
     2,
     {{-0.6133, {0.2, 1.85}, -0.029}, {0.5377, {0.12, 1.7}, 0.029}}},
    {"h2",
     "H₂",
     "Buch, J. Chem. Phys. 100 (1994) 7610",
     1,
     {{0.0, {FROM_KELVIN(34.2), FROM_SIGMA(2.96)}, 0.0}}},
    {"ar",
     "Ar",
     "Rahman, Phys. Rev. 136 (1964) A405",
     1,
     {{0.0, {FROM_KELVIN(120.0), FROM_SIGMA(3.4)}, 0.0}}},
    {"co2",
     "CO₂",
     "TraPPE, Potoff & Siepmann, AIChE J. 47 (2001) 1676",
     3,
     {{-1.16, {FROM_KELVIN(79.0), FROM_SIGMA(3.05)}, -0.35},
      {0.0, {FROM_KELVIN(27.0), FROM_SIGMA(2.8)}, 0.7},
      {1.16, {FROM_KELVIN(79.0), FROM_SIGMA(3.05)}, -0.35}}},
};

void
debye_ligand_model_clear(DebyeLigandModel *model)
{
  g_clear_pointer(&model->sites, g_array_unref);
  g_clear_pointer(&model->places, g_array_unref);
}

gboolean
debye_ligand_model_init(DebyeLigandModel *model, const char *name)
{
  for (gsize i = 0; i < G_N_ELEMENTS(ligands); i++) {
    if (g_ascii_strcasecmp(ligands[i].name, name) != 0)
      continue;
    model->title = ligands[i].title;
    model->source = ligands[i].source;
    model->sites = g_array_new(FALSE, FALSE, sizeof(DebyeLigandSite));
    for (gsize k = 0; k < ligands[i].n; k++) {
      const LinearSite *site = &ligands[i].sites[k];
      const DebyeLigandSite made = {debye_vec3(0.0, 0.0, site->place), site->parameters, site->charge};
      g_array_append_val(model->sites, made);
    }
    return TRUE;
  }
  return FALSE;
}

/* --- Orientations --- */

static const DebyeLigandSite *
get_site(const DebyeLigandModel *model, gsize i)
{
  return &g_array_index(model->sites, DebyeLigandSite, i);
}

/* The direction of a line of sites; zero: there is but a point. FALSE: they are on no line. */
static gboolean
find_line(const DebyeLigandModel *model, DebyeVec3 *line)
{
  double longest = 0.0;
  *line = debye_vec3(0.0, 0.0, 0.0);
  for (gsize i = 0; i < model->sites->len; i++) {
    const double length = debye_vec3_length(get_site(model, i)->place);
    if (length > longest && length > STRAIGHT) {
      longest = length;
      *line = debye_vec3_scale(get_site(model, i)->place, 1.0 / length);
    }
  }
  for (gsize i = 0; i < model->sites->len; i++)
    if (debye_vec3_length(debye_vec3_cross(get_site(model, i)->place, *line)) > STRAIGHT)
      return FALSE;
  return TRUE;
}

/* Whether each site has one like it on the other side. */
static gboolean
is_symmetric(const DebyeLigandModel *model)
{
  for (gsize i = 0; i < model->sites->len; i++) {
    const DebyeLigandSite *site = get_site(model, i);
    gboolean has_partner = FALSE;
    for (gsize k = 0; k < model->sites->len; k++) {
      const DebyeLigandSite *other = get_site(model, k);
      has_partner = has_partner ||
                    (debye_vec3_length(debye_vec3_add(site->place, other->place)) < STRAIGHT &&
                     site->parameters.epsilon == other->parameters.epsilon &&
                     site->parameters.radius == other->parameters.radius && site->charge == other->charge);
    }
    if (!has_partner)
      return FALSE;
  }
  return TRUE;
}

static void
add_place(DebyeLigandModel *model, DebyeVec3 place)
{
  const double p[3] = {place.x, place.y, place.z};
  g_array_append_vals(model->places, p, 3);
}

static void
add_direction(DebyeLigandModel *model, DebyeVec3 line, double cosine, double angle)
{
  const double sine = sqrt(MAX(0.0, 1.0 - cosine * cosine));
  const DebyeVec3 direction = debye_vec3(sine * cos(angle), sine * sin(angle), cosine);
  for (gsize i = 0; i < model->sites->len; i++)
    add_place(model, debye_vec3_scale(direction, debye_vec3_dot(get_site(model, i)->place, line)));
}

/* v + 2w(u × v) + 2u × (u × v) of a unit quaternion (u, w). */
static void
add_rotation(DebyeLigandModel *model, DebyeVec3 u, double w)
{
  for (gsize i = 0; i < model->sites->len; i++) {
    const DebyeVec3 v = get_site(model, i)->place, cross = debye_vec3_cross(u, v);
    DebyeVec3 turned = debye_vec3_add(v, debye_vec3_scale(cross, 2.0 * w));
    turned = debye_vec3_add(turned, debye_vec3_scale(debye_vec3_cross(u, cross), 2.0));
    add_place(model, turned);
  }
}

void
debye_ligand_model_turn(DebyeLigandModel *model, gsize n_orientations)
{
  const double golden = G_PI * (3.0 - sqrt(5.0)), phi = sqrt(2.0), psi = 1.533751168755204288118041;
  DebyeVec3 line;
  const gboolean is_line = find_line(model, &line), is_point = debye_vec3_length(line) == 0.0;
  const double n = (double)n_orientations, low = is_symmetric(model) ? 0.0 : -1.0;
  model->n_orientations = is_point ? 1 : n_orientations;
  model->places = g_array_new(FALSE, FALSE, sizeof(double));
  for (gsize i = 0; i < model->n_orientations; i++) {
    const double s = (double)i + 0.5, t = s / n;
    if (is_line) {
      add_direction(model, line, low + (1.0 - low) * t, golden * (double)i);
      continue;
    }
    const double r = sqrt(t), rest = sqrt(1.0 - t), alpha = 2.0 * G_PI * s / phi, beta = 2.0 * G_PI * s / psi;
    add_rotation(model, debye_vec3(r * sin(alpha), r * cos(alpha), rest * sin(beta)), rest * cos(beta));
  }
}
