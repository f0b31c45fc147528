/* SPDX-License-Identifier: MIT */
/* The reference files, where there are any: the folder that DEBYE_SHARED names, and what its data/facts.json
 * says about them. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* What meson takes for "skipped". */
#define DEBYE_TEST_SKIPPED 77

/* The folder, or NULL if the variable is unset or empty. Here, so that tests without facts need not link shared.c. */
static inline const char *
debye_shared_get_folder(void)
{
  const char *folder = g_getenv("DEBYE_SHARED");
  return folder && *folder ? folder : NULL;
}
/* A path in it, from its parts, ended by NULL. */
char *debye_shared_build_path(const char *first, ...) G_GNUC_NULL_TERMINATED;

/* All facts; the test ends with the reason when they can't be had. The keys are those of make_facts.py:
 * "first.sum_xyz" of "dcd/water.dcd". */
typedef struct _DebyeFacts DebyeFacts;
DebyeFacts *debye_facts_load(void);
void debye_facts_free(DebyeFacts *facts);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(DebyeFacts, debye_facts_free)
/* The names of the files that begin with `prefix` ("dcd/"), sorted. */
GPtrArray *debye_facts_list_files(const DebyeFacts *facts, const char *prefix);
/* NULL: nothing is known. */
const char *debye_facts_get(const DebyeFacts *facts, const char *file, const char *key);
/* Fills up to n numbers and returns how many there are; "nan" is a number. */
gsize debye_facts_get_numbers(const DebyeFacts *facts, const char *file, const char *key, double *numbers,
                              gsize n);

G_END_DECLS
