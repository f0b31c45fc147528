/* SPDX-License-Identifier: MIT */
/* Where windows save what they show while nobody asks for it, to be found after a crash: one folder for each
 * run of the program under the state folder (XDG_STATE_HOME/debye/recovery). The folder is locked while its
 * program runs; the lock goes with the program however that ends. */
#pragma once

#include <glib.h>

typedef struct _DebyeRecovery DebyeRecovery;

/* NULL where there is no place to write. */
DebyeRecovery *debye_recovery_new(void);
/* Ends in good order: the folder goes. */
void debye_recovery_free(DebyeRecovery *self);

/* The path of a session that no other window of this run writes. */
char *debye_recovery_name_session(DebyeRecovery *self);
/* A session that is not needed any more, with its results; or without them: a window shows them. */
void debye_recovery_forget_session(const char *path);
void debye_recovery_forget_session_alone(const char *path);
/* Sessions that programs which are gone have left. NULL-terminated. */
char **debye_recovery_list_lost(DebyeRecovery *self);
/* Whether a path lies among the recovered: a file there is not the user's own. */
gboolean debye_recovery_has_path(const char *path);
