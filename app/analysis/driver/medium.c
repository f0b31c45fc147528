/* SPDX-License-Identifier: MIT */
/* Implementation of medium.h: the medium of a potential in words; called by the analyses of maps and ions. */
#include "medium.h"

#include "data/messages/message.h"

char *
debye_medium_describe(double permittivity)
{
  char number[G_ASCII_DTOSTR_BUF_SIZE];
  return debye_message_new("no continuum solvent, ε = %s",
                           g_ascii_formatd(number, sizeof number, "%.6g", permittivity));
}
