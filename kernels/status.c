/* SPDX-License-Identifier: MIT */
/* Implementation of status.h: sets a status code with its sentence; called by all kernels. */
#include "status.h"

#include <stdarg.h>
#include <stdio.h>

DebyeStatusCode
debye_status_set(DebyeStatus *status, DebyeStatusCode code, const char *format, ...)
{
  if (status == NULL)
    return code;
  /* Formatted aside first: a caller may well put the old text of this very status into the new one. */
  DebyeStatus next = {.code = code};
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(next.text, sizeof next.text, format, arguments);
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
