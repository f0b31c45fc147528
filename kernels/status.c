/* SPDX-License-Identifier: MIT */
/* Implementation of status.h: sets a status code with its sentence; called by all kernels. */
#include "status.h"

#include <stdarg.h>
#include <stdio.h>

#include "data/message_text.h"

/* What would be cut is words only. */
static void
put_words(DebyeStatus *status, const char *format, va_list arguments)
{
  char message[4 * DEBYE_STATUS_MESSAGE];
  const size_t length = debye_message_encode(message, sizeof message, format, arguments);
  debye_message_decode(status->text, sizeof status->text, message, NULL);
  snprintf(status->message, sizeof status->message, "%s",
           length < sizeof status->message ? message : status->text);
}

DebyeStatusCode
debye_status_set(DebyeStatus *status, DebyeStatusCode code, const char *format, ...)
{
  if (status == NULL)
    return code;
  /* Formatted aside first: a caller may well put the old text of this very status into the new one. */
  DebyeStatus next = {.code = code};
  va_list arguments;
  va_start(arguments, format);
  put_words(&next, format, arguments);
  va_end(arguments);
  *status = next;
  return code;
}

DebyeStatusCode
debye_status_ok(DebyeStatus *status)
{
  if (status != NULL)
    *status = (DebyeStatus){.code = DEBYE_STATUS_OK};
  return DEBYE_STATUS_OK;
}
