/* SPDX-License-Identifier: MIT */
/* Turns a line of the manual's Markdown into Pango markup, for manual_page.c: `code`, **bold**, *slanted*,
 * [links](page.md). */
#pragma once

#include <glib.h>

char *debye_manual_markup(const char *text);
/* The text without marks, for searching and titles. */
char *debye_manual_plain(const char *text);
