/* SPDX-License-Identifier: MIT */
/* The words under which picture_origin.c writes and picture_origin_read.c reads. */
#pragma once

#define DEBYE_ORIGIN_TITLE "Title"
#define DEBYE_ORIGIN_SOFTWARE "Software"
#define DEBYE_ORIGIN_COMMAND "Command"
#define DEBYE_ORIGIN_INPUT "Input"
#define DEBYE_ORIGIN_INPUTS "Inputs"
/* The metadata of an SVG file. */
#define DEBYE_ORIGIN_SVG "<metadata id=\"debye-origin\">"
