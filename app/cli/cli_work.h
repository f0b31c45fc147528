/* SPDX-License-Identifier: MIT */
/* Steps that several commands of debye-cli take: opening files, running an analysis, saving its result. */
#pragma once

#include "app/analysis/driver/analysis.h"
#include "cli_progress.h"
#include "data/files/picture_origin.h"

/* The paths as one dataset, with progress; its warnings are printed (or the error, under --strict). */
DebyeDataset *debye_cli_open(DebyeArguments *arguments, const char *const *paths, GError **error);
/* The same with what counts by another request than the command line's. */
DebyeDataset *debye_cli_open_for(DebyeArguments *arguments, DebyeRequest *request, const char *const *paths,
                                 GError **error);
/* A DebyeProgressFunc that shows a DebyeCliProgress, and ends with Ctrl-C. */
gboolean debye_cli_watch(double fraction, gpointer progress);
/* What --device names; NULL: nothing, or the command has no such option. */
const char *debye_cli_get_device(DebyeRequest *request);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(DebyeRegistry, debye_registry_free)

/* Suggests what is unset, checks, runs with progress; prints the result's warnings. An error that something
 * is missing names the option that chooses it. Stopped by Ctrl-C: the partial result where there is
 * something. */
DebyeResult *debye_cli_analyse(DebyeArguments *arguments, const DebyeAnalysis *analysis,
                               DebyeDataset *dataset, DebyeRequest *request, const DebyeRegistry *registry,
                               GError **error);
/* Prints the result's warnings; under --strict they are the error. */
gboolean debye_cli_warn_of_result(DebyeArguments *arguments, DebyeResult *result, GError **error);
/* Tells once that texts will be drawn as boxes, where the machine has no font; under --strict that is the error. */
gboolean debye_cli_warn_of_fonts(DebyeArguments *arguments, GError **error);
/* Whether the results' formats have such endings and the folders are there: before anything is computed. */
gboolean debye_cli_check_outputs(const char *const *outputs, const char *const *endings, GError **error);
/* How a picture of this command is made, for its file: the line, without options that change nothing of it and those of
 * `without`, with the words of `instead` (NULL: none), and the files. *origin is NULL
 * where it is to be forgotten. FALSE: a file can't be read. */
gboolean debye_cli_find_origin(DebyeArguments *arguments, const char *const *without,
                               const char *const *instead, DebyePictureOrigin **origin, GError **error);
/* The line alone, of another picture of the same command. Free with g_free. */
char *debye_cli_origin_command(DebyeArguments *arguments, const char *const *without,
                               const char *const *instead);
/* Into every output, data with the command that makes them again, pictures of curves as the command's plot
 * settings say. */
gboolean debye_cli_save(DebyeArguments *arguments, DebyeResult *result, const char *const *outputs,
                        GError **error);
/* A file that has an option of its own, whose command makes `output`; NULL: none. */
gboolean debye_cli_save_as(DebyeArguments *arguments, DebyeResult *result, const char *path,
                           const char *output, GError **error);
