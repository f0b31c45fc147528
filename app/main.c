/* SPDX-License-Identifier: MIT */
/* debye: the main function of the window program. */
#include <glib/gi18n.h>

#include "app/window/application.h"
#include "app/installation/installation.h"

int
main(int argc, char **argv)
{
  bindtextdomain("debye", debye_installation_get_locale_dir());
  bind_textdomain_codeset("debye", "UTF-8");
  textdomain("debye");
  g_autoptr(DebyeApplication) application = debye_application_new();
  return g_application_run(G_APPLICATION(application), argc, argv);
}
