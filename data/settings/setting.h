/* SPDX-License-Identifier: MIT */
/* The one description of what an analysis can be told. The form in the window, the options and --help of the
 * command line, the attributes of a result file and "Copy as command" are all made from it. */
#pragma once

#include <stddef.h>

#include <glib.h>

typedef enum {
  DEBYE_SETTING_NUMBER, /* double */
  DEBYE_SETTING_INTEGER,
  DEBYE_SETTING_BOOLEAN,
  DEBYE_SETTING_CHOICE,         /* one of `choices` */
  DEBYE_SETTING_VECTOR,         /* three numbers, comma-separated */
  DEBYE_SETTING_SHAPE,          /* three whole numbers, comma-separated */
  DEBYE_SETTING_SELECTION,      /* a selection text */
  DEBYE_SETTING_SELECTION_PAIR, /* two of them, "A | B"; two words on the command line */
  DEBYE_SETTING_FRAMES,         /* FIRST:LAST:STEP */
  DEBYE_SETTING_TEXT,
} DebyeSettingKind;

typedef struct {
  const char *value; /* what is typed and stored */
  const char *label; /* what is shown */
  const char *help;  /* one line */
} DebyeChoice;

typedef struct {
  const char *key;    /* "spacing": the option is --spacing, the attribute "spacing" */
  const char *label;  /* "Grid spacing" */
  const char *symbol; /* "h", or NULL */
  const char *unit;   /* "Å", or NULL */
  DebyeSettingKind kind;
  double minimum, maximum; /* numbers; both 0: unbounded */
  const char *initial;    /* the default as text; NULL: none (unset), e.g. an origin that follows the atoms */
  gboolean unset_differs; /* not set it may mean something else than its default, a grid that is the cell */
  const char *before;     /* what results stand for whose file has no value for it; NULL: the default */
  const char *word;       /* of a number: what may stand in its place, which is INFINITY then; or NULL */
  const char
      *alone; /* what the option stands for without a value, which then only “=” gives; NULL: it needs one */
  const DebyeChoice *choices; /* ended by {NULL} */
  const int *choice_numbers;  /* of the member's enum; NULL: the places of the choices */
  const char *help;           /* one line: what it does */
  gboolean derived;           /* not set, it is what `help` says: mostly it follows from files or settings */
  const char *constant;       /* of a derived one without a default: what it is whatever they are; or NULL */
  gboolean numbers;           /* of a text: numbers, as a list or a range */
  gboolean repeated;          /* any number of values, one a line; the option may be given several times */
  gboolean rare;              /* few files raise the question: results don't tell that it was left open */
  gboolean of_files;          /* how the files are read: a window asks where they are opened, not in a form */
  gboolean basic;             /* one of the few on top of the form; others stand behind "More" */
  const char *const
      *needs; /* {"method", "cutoff", NULL}: shown only when that setting has that value; or NULL */
  /* Where debye_request_fill() puts the value, see DEBYE_SETTING_MEMBER. member_size 0: nowhere. */
  gsize member, member_size;
  gsize was_set; /* of a gboolean that is TRUE where a person set the value, if has_was_set */
  gboolean has_was_set;
} DebyeSetting;

/* A row of a table names the member of a struct that it fills, so that code that computes reads C values and no text. The
 * member's type, by the row's kind, and what an unset value without a default leaves in it:
 *
 *   NUMBER            double        NAN
 *   INTEGER           gint64        0
 *   BOOLEAN           gboolean      FALSE
 *   CHOICE            an enum, see choice_numbers        the first
 *   VECTOR            DebyeVec3     all zero
 *   SHAPE             gsize[3]      all zero
 *   all kinds of text const char *  NULL; it belongs to the request */
#define DEBYE_SETTING_MEMBER(Type, name) \
  .member = offsetof(Type, name), .member_size = sizeof(((Type *)NULL)->name)
/* Likewise, where it matters whether a person set it: `has_name` beside it becomes TRUE then. */
#define DEBYE_SETTING_OPTIONAL_MEMBER(Type, name) \
  DEBYE_SETTING_MEMBER(Type, name), .was_set = offsetof(Type, has_##name), .has_was_set = TRUE

/* The settings of one analysis. */
typedef struct {
  const char *id;       /* "map": also the command of debye-cli */
  const char *title;    /* "Electrostatic potential" */
  const char *question; /* one line: what it answers */
  const DebyeSetting *settings;
  gsize n_settings;
} DebyeSettingTable;

const DebyeSetting *debye_setting_table_find(const DebyeSettingTable *table, const char *key);
/* Checks kind, range and choices of one value as text. The sentence begins with the setting's label. */
gboolean debye_setting_check(const DebyeSetting *setting, const char *value, GError **error);
/* The values of a setting that is repeated, stripped, without empty ones. Free with g_strfreev. */
char **debye_setting_split_values(const char *value);
/* The unit of a value; NULL: it has none, or the value is in words ("d2o:50", "select:water"). */
const char *debye_setting_unit_of(const DebyeSetting *setting, const char *value);
/* A value with its unit, where it has one: "0.2:3:0.1 Å⁻¹". */
char *debye_setting_with_unit(const DebyeSetting *setting, const char *value);
/* "A | B" into its two texts, stripped, neither empty; FALSE where it is not that. */
gboolean debye_setting_split_pair(const char *value, char **first, char **second);
/* "true", "yes", "on", "1" and their opposites, in any case. */
gboolean debye_setting_parse_boolean(const char *value, gboolean *result);
