/* SPDX-License-Identifier: MIT */
/* The command line that repeats a result; called by the window's exports and session_save.c. */
#include "result_command.h"

char *
debye_result_command(DebyeResult *result, const char *output)
{
  const char *const *inputs = debye_result_get_inputs(result);
  const char *given = debye_result_get_command(result);
  if ((inputs == NULL || *inputs == NULL) && given != NULL)
    return g_strdup(given);
  return debye_request_to_command(debye_result_get_request(result), inputs, output);
}
