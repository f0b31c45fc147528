/* SPDX-License-Identifier: MIT */
/* What a map by the Poisson-Boltzmann equation needs to know before it is solved: whether it is asked for, the defaults, the
 * atoms' radii, the grid, the medium; used by the plan of maps and by map_poisson.c. */
#pragma once

#include "data/molecule/frame.h"
#include "data/molecule/topology.h"
#include "kernels/poisson/poisson_medium.h"
#include "map_settings.h"

/* The atoms that are chosen in a frame. */
typedef struct {
  DebyeTopology *topology;
  const DebyeFrame *frame;
  const GArray *atoms; /* guint32 */
  DebyeVec3 low, high; /* their bounds, Å */
} DebyeMapSolute;

/* Whether a text setting asks for something. */
static inline gboolean
debye_map_is_given(const char *text)
{
  return text != NULL && *text != '\0';
}

gboolean debye_map_is_poisson(const DebyeMapSettings *settings);
/* Defaults of this method if a person set nothing: the solute, 298.15 K, water's permittivity there, and padding for the
 * boundary. */
void debye_map_poisson_settle(DebyeMapSettings *settings);

/* Texts are checked, and ions that are listed make the ionic strength and the ion radius. *key names the setting that is the
 * cause of an error. */
gboolean debye_map_poisson_settle_texts(DebyeMapSettings *settings, const char **key, GError **error);

/* Each atom's radius, float, Å; NULL with an error. *are_of_file: the files' own. */
GArray *debye_map_poisson_choose_radii(const DebyeMapSolute *solute, DebyeMapRadii source,
                                       gboolean *are_of_file, GError **error);
double debye_map_poisson_suggest_spacing(const DebyeMapSolute *solute, double padding);
/* Of a grid that is laid: more points where multigrid needs them. *key names the setting that is the cause of an error. */
gboolean debye_map_poisson_fit_grid(const DebyeMapSolute *solute, const DebyeMapSettings *settings,
                                    DebyeGrid *grid, const char **key, GError **error);
/* Whether a grid has all atoms well within it, where they are needed there. */
gboolean debye_map_poisson_check_grid(const DebyeMapSolute *solute, const DebyeMapSettings *settings,
                                      const DebyeGrid *grid, const char **key, GError **error);
/* What doesn't go together: maps that are given and what needs the atoms' own medium, and so on. */
gboolean debye_map_poisson_check_choices(const DebyeMapSettings *settings, gsize n_frames,
                                         gboolean is_dynamic, const char **key, GError **error);
/* The larger grid of a focused boundary of the medium's: it has all atoms from low to high, some Debye lengths or,
 * without ions, their extent around them, and the map. Returns how many times the map's its spacing is. */
double debye_map_poisson_focus(const DebyePoissonMedium *medium, DebyeVec3 low, DebyeVec3 high,
                               DebyeSurfaceGrid *outer);
/* Along which of the cell's edges everything repeats. */
void debye_map_poisson_list_periodic(const DebyeMapSettings *settings, bool periodic[3]);
DebyePoissonMedium debye_map_poisson_medium(const DebyeMapSettings *settings, const DebyeGrid *grid);

/* Messages, to be freed: "solvent with ε = 78.54 and 0.15 mol/l salt, solute with ε = 2". */
char *debye_map_poisson_describe_medium(const DebyeMapSettings *settings);
char *debye_map_poisson_describe_method(const DebyeMapSettings *settings);
