/* SPDX-License-Identifier: MIT */
/* How a kernel says what went wrong: a code to decide by, a sentence to show, and the sentence as data. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "shared_math.h"

DEBYE_BEGIN_DECLS

typedef enum {
  DEBYE_STATUS_OK,
  DEBYE_STATUS_INVALID,       /* arguments that make no sense: repeating elsewhere won't help */
  DEBYE_STATUS_NO_MEMORY,     /* this device lacks the memory; another may have it */
  DEBYE_STATUS_UNSUPPORTED,   /* this device can't do this */
  DEBYE_STATUS_DEVICE_FAILED, /* the device or its driver failed; another can repeat the work */
  DEBYE_STATUS_CANCELLED,
} DebyeStatusCode;

/* Marks a text that a message is filled in with, for those who collect what is to be translated. */
#define N_(String) (String)

/* Bytes of a sentence as data. */
#define DEBYE_STATUS_MESSAGE 504

typedef struct {
  DebyeStatusCode code;
  char text[248];                     /* in English; empty when OK */
  char message[DEBYE_STATUS_MESSAGE]; /* the same as data/message_text.h has it, for other languages */
} DebyeStatus;

/* Sets *status (where not NULL) and returns the code. A message may be filled in with another status' message. */
DebyeStatusCode debye_status_set(DebyeStatus *status, DebyeStatusCode code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
DebyeStatusCode debye_status_ok(DebyeStatus *status);

/* Whether somebody asked to stop. The flag belongs to the caller and may be NULL; read atomically, because
 * another thread writes it. */
static inline bool
debye_is_cancelled(const volatile bool *cancel)
{
  return cancel != NULL && __atomic_load_n(cancel, __ATOMIC_RELAXED);
}

DEBYE_END_DECLS
