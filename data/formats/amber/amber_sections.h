/* SPDX-License-Identifier: MIT */
/* The sections of AMBER's topology files, and their values in columns of fixed width. Files since 1999 name
 * each section (%FLAG) and say how it is written (%FORMAT), in any order; older ones have a fixed order, in
 * which the numbers of the first section say how long the others are (https://ambermd.org/prmtop.pdf). */
#pragma once

#include "data/files/input.h"

typedef struct {
  char *name;
  guint64 offset, line; /* where its values begin */
  gsize per_line, width;
  char kind; /* 'a': text, 'i': integers, 'e': reals; 0: a mixture that isn't read */
} DebyeAmberSection;

typedef struct {
  DebyeInput *input;
  GArray *list;      /* DebyeAmberSection */
  gboolean is_named; /* FALSE: the fixed order */
} DebyeAmberSections;

/* The places of what is used among the numbers of the section POINTERS, by their names in AMBER's
 * documentation. */
enum {
  DEBYE_AMBER_NATOM = 0,
  DEBYE_AMBER_NTYPES = 1,
  DEBYE_AMBER_NBONH = 2, /* bonds with hydrogen */
  DEBYE_AMBER_NTHETH = 4,
  DEBYE_AMBER_NPHIH = 6,
  DEBYE_AMBER_NNB = 10,
  DEBYE_AMBER_NRES = 11,
  DEBYE_AMBER_NBONA = 12, /* bonds without */
  DEBYE_AMBER_NTHETA = 13,
  DEBYE_AMBER_NPHIA = 14,
  DEBYE_AMBER_NUMBND = 15,
  DEBYE_AMBER_NUMANG = 16,
  DEBYE_AMBER_NPTRA = 17,
  DEBYE_AMBER_NATYP = 18,
  DEBYE_AMBER_NPHB = 19,
  DEBYE_AMBER_IFBOX = 27, /* 0: no cell */
  DEBYE_AMBER_N_POINTERS = 30,
};

/* Finds all sections, those of the fixed order included. */
gboolean debye_amber_sections_scan(DebyeAmberSections *sections, DebyeInput *input, GError **error);
void debye_amber_sections_clear(DebyeAmberSections *sections);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(DebyeAmberSections, debye_amber_sections_clear)

/* NULL: there is none. */
const DebyeAmberSection *debye_amber_sections_find(const DebyeAmberSections *sections, const char *name);

/* Exactly `n` values of the section `name`; one that is missing or of another length is an error. The texts
 * stand `stride` bytes apart, NUL-terminated, cut to stride - 1. */
gboolean debye_amber_sections_read_texts(const DebyeAmberSections *sections, const char *name, gsize n,
                                         char *texts, gsize stride, GError **error);
gboolean debye_amber_sections_read_integers(const DebyeAmberSections *sections, const char *name, gsize n,
                                            gint32 *values, GError **error);
gboolean debye_amber_sections_read_reals(const DebyeAmberSections *sections, const char *name, gsize n,
                                         double *values, GError **error);
/* The numbers of the section POINTERS: counts, the number of atoms one that the file can hold. */
gboolean debye_amber_sections_read_pointers(const DebyeAmberSections *sections,
                                            gint32 pointers[DEBYE_AMBER_N_POINTERS], GError **error);
/* The first line of a section of text, without blanks at both ends; "" where there is none. */
char *debye_amber_sections_read_line(const DebyeAmberSections *sections, const char *name);
