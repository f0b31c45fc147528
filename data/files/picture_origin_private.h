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

/* Before the two digits of a byte that texts can't hold. */
#define DEBYE_ORIGIN_BYTE "\\x"
/* Around them in the command, where single quotes stand about the byte. */
#define DEBYE_ORIGIN_QUOTED_BYTE "'$'\\x"
#define DEBYE_ORIGIN_QUOTED_BYTE_END "''"
