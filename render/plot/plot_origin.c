/* SPDX-License-Identifier: MIT */
/* How a plot or figure was made, as metadata of PDF and SVG; called by plot_save.c, plot_svg.c and figure.c. */
#include <cairo-pdf.h>

#include "plot_cairo.h"

void
debye_plot_pdf_set_origin(cairo_surface_t *surface, const DebyePictureOrigin *origin)
{
  if (origin == NULL)
    return;
  g_autofree char *software = debye_picture_origin_get_software();
  g_autofree char *inputs = debye_picture_origin_list_inputs(origin);
  if (origin->title != NULL)
    cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_TITLE, origin->title);
  cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_CREATOR, software);
  if (origin->command != NULL)
    cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_SUBJECT, origin->command);
  cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_KEYWORDS, inputs);
}

void
debye_plot_svg_put_origin(GString *svg, const DebyePictureOrigin *origin)
{
  g_autofree char *text = origin != NULL ? debye_picture_origin_to_text(origin) : NULL;
  g_autofree char *escaped = text != NULL ? g_markup_escape_text(text, -1) : NULL;
  if (escaped != NULL)
    g_string_append_printf(svg, "<metadata id=\"debye-origin\">%s</metadata>\n", escaped);
}
