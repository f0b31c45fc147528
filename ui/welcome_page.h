/* SPDX-License-Identifier: MIT */
/* The empty window: Open, and the samples as cards. */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

#define DEBYE_TYPE_WELCOME_PAGE (debye_welcome_page_get_type())
G_DECLARE_FINAL_TYPE(DebyeWelcomePage, debye_welcome_page, DEBYE, WELCOME_PAGE, AdwBin)

/* A card that activates the action win.open-sample with `name`. `picture`: a PNG file, or NULL. */
void debye_welcome_page_add_sample(DebyeWelcomePage *self, const char *name, const char *title,
                                   const char *description, const char *picture);

G_END_DECLS
