/* SPDX-License-Identifier: MIT */
/* What each atom of a topology is to a probe, before atoms that are alike make a species: its element,
 * isotope, charge, exchange and displaced volume, by the files and by the settings that assign
 * “SELECTION=VALUE”. */
#pragma once

#include "data/trajectory/dataset.h"
#include "data/settings/setting.h"

/* Settings “SELECTION=VALUE”, one a line, or NULL. Labels of errors are those of the table. */
typedef struct {
  const char *isotope, *exchange, *displaced_scale, *part;
  gboolean partials, ionic;
} DebyeAtomKindSettings;

typedef struct {
  guint8 element;
  gint8 charge; /* of ions that stand alone, where “ionic” asks for it */
  guint16 mass_number;
  gboolean is_exchangeable;
  double exchanged, volume_scale;
  guint64 part; /* of the names of debye_atom_kinds_list_parts, from 1; 0: none of them */
} DebyeAtomKind;
/* Kinds are compared byte by byte: no padding. */
G_STATIC_ASSERT(sizeof(DebyeAtomKind) == 4 + sizeof(gboolean) + 2 * sizeof(double) + sizeof(guint64));

/* Of all atoms; selections are those of `frame`. *n_deuterium are hydrogens that their names call deuterium.
 * NULL with an error and *key, the setting that is its cause. To be freed. */
DebyeAtomKind *debye_atom_kinds_find(DebyeTopology *topology, const DebyeFrame *frame,
                                     const DebyeSettingTable *table, const DebyeAtomKindSettings *settings,
                                     gsize *n_deuterium, const char **key, GError **error);

/* Of atoms that are in no part. */
#define DEBYE_ATOM_KINDS_REST "rest"

/* The names that “part” gives to selections, each once; none without partials. NULL-terminated; free with
 * g_strfreev. */
char **debye_atom_kinds_list_parts(const DebyeAtomKindSettings *settings);
/* "SELECTION=VALUE" at its last “=”, because selections may compare, too: a copy of the one, and the other
 * within `text`. FALSE where either is missing. */
gboolean debye_atom_kinds_split(const char *text, char **selection, const char **value);
/* The atoms of a selection's text. (element-type guint32) */
GArray *debye_atom_kinds_select(DebyeTopology *topology, const DebyeFrame *frame, const char *text,
                                GError **error);
