/* SPDX-License-Identifier: MIT */
/* The empty window: Open, sessions saved lately and the samples as cards. */
#pragma once

#include <adwaita.h>

#define DEBYE_TYPE_WELCOME_PAGE (debye_welcome_page_get_type())
G_DECLARE_FINAL_TYPE(DebyeWelcomePage, debye_welcome_page, DEBYE, WELCOME_PAGE, AdwBin)

/* A card that activates the action win.open-sample with `name`. `picture`: a PNG file, or NULL: one without a
 * picture is smaller and stands under the others. */
void debye_welcome_page_add_sample(DebyeWelcomePage *self, const char *name, const char *title,
                                   const char *description, const char *picture);
/* Sessions that were saved lately, newest first, at most DEBYE_WELCOME_SESSIONS of them; a card opens one. */
#define DEBYE_WELCOME_SESSIONS 4
void debye_welcome_page_clear_sessions(DebyeWelcomePage *self);
void debye_welcome_page_add_session(DebyeWelcomePage *self, const char *path, const char *picture);
