/* SPDX-License-Identifier: MIT */
/* What the parts of the check share: h5_check_header.c walks object headers, h5_check_message.c and h5_check_type.c
 * look into messages, h5_check_group.c follows symbol tables, h5_check_dense.c B-trees and heaps of links and
 * attributes, h5_check_chunks.c the indexes of chunks. Each part returns FALSE where something isn't whole. */
#pragma once

#include "h5_check.h"
#include "h5_cursor.h"

typedef enum {
  DEBYE_H5_DATASPACE = 0x01,
  DEBYE_H5_LINK_INFO = 0x02,
  DEBYE_H5_DATATYPE = 0x03,
  DEBYE_H5_OLD_FILL = 0x04,
  DEBYE_H5_FILL = 0x05,
  DEBYE_H5_LINK = 0x06,
  DEBYE_H5_EXTERNAL_FILES = 0x07,
  DEBYE_H5_LAYOUT = 0x08,
  DEBYE_H5_GROUP_INFO = 0x0a,
  DEBYE_H5_FILTERS = 0x0b,
  DEBYE_H5_ATTRIBUTE = 0x0c,
  DEBYE_H5_COMMENT = 0x0d,
  DEBYE_H5_OLD_TIME = 0x0e,
  DEBYE_H5_SHARED_TABLE = 0x0f,
  DEBYE_H5_CONTINUATION = 0x10,
  DEBYE_H5_SYMBOL_TABLE = 0x11,
  DEBYE_H5_TIME = 0x12,
  DEBYE_H5_TREE_K = 0x13,
  DEBYE_H5_DRIVER = 0x14,
  DEBYE_H5_ATTRIBUTE_INFO = 0x15,
  DEBYE_H5_REFERENCES = 0x16,
  DEBYE_H5_FREE_SPACE = 0x17,
  DEBYE_H5_CACHE_IMAGE = 0x18,
} DebyeH5MessageType;

/* Half of the most entries that nodes of version 1 have. */
typedef struct {
  guint leaf, group, chunk;
} DebyeH5TreeK;

#define DEBYE_H5_RANK_MAXIMUM 32 /* the library refuses more */

/* How large a data set may become. */
typedef struct {
  gboolean is_known;
  guint64 rank, most[DEBYE_H5_RANK_MAXIMUM];
} DebyeH5Extent;

/* How a data set is cut, and where its chunks are. */
typedef struct {
  guint64 version; /* of the layout's message */
  guint64 bytes;   /* of a chunk, not filtered */
  guint64 n_dimensions, sides[DEBYE_H5_RANK_MAXIMUM], value_bytes;
  guint index_kind; /* 0: an index of version 1, or none */
  guint64 index;    /* its address; G_MAXUINT64: none */
} DebyeH5Chunks;

struct _DebyeH5Check {
  DebyeInput *input;
  guint64 base, root, extension, driver; /* addresses; G_MAXUINT64: none */
  guint64 end;                           /* of the file, as it says itself, with what is before `base` */
  gsize address_bytes, length_bytes;
  DebyeH5TreeK k;
  gboolean is_known;         /* the superblock was found */
  gboolean has_odd_widths;   /* those that only the library takes: more than eight bytes */
  GHashTable *headers;       /* guint64: those that are good */
  GHashTable *continuations; /* guint64 to guint64: where continuations of version 1 are, and their bytes */
  GArray *objects;           /* guint64: what hard links lead to, still to be looked at, in order */
  guint64 rest_address, rest_bytes; /* of the header checked last, which the library reads in two steps */
  guint64 header;                   /* that is being checked */
  guint64 bytes_left;               /* that may still be read for it */
  guint64 value_bytes, fill_bytes;  /* of a data set's value and of what it is filled with; 0: not said */
  gboolean has_layout;              /* it was said how the data set is stored */
  guint64 n_filters;                /* of its chunks */
  DebyeH5Chunks chunks;
  DebyeH5Extent extent;
  guint type, n_message_bytes; /* of the message that is being checked */
};

/* Visits the messages of the object header at an address, wherever its parts are, but for continuations, until
 * `take` returns FALSE; FALSE then, and where the header isn't whole. `*end`: behind its first part. */
typedef gboolean (*DebyeH5TakeMessage)(DebyeH5Check *check, guint type, gboolean is_shared,
                                       DebyeH5Cursor message, gpointer data);
gboolean debye_h5_check_walk(DebyeH5Check *check, guint64 address, guint64 *end, DebyeH5TakeMessage take,
                             gpointer data);

/* Behind the first part of the object header at an address. FALSE where there is none. */
gboolean debye_h5_check_find_header_end(DebyeH5Check *check, guint64 address, guint64 *end);

/* `n` bytes at an address, or NULL: not in the file, or more than one header may lead to. */
guint8 *debye_h5_check_read(DebyeH5Check *check, guint64 address, guint64 n);

/* G_MAXUINT64 stands for none, however many bytes an address has. */
guint64 debye_h5_take_address(const DebyeH5Check *check, DebyeH5Cursor *cursor);

/* A hard link's target, to be looked at when its turn comes. */
void debye_h5_check_add_object(DebyeH5Check *check, guint64 address);

/* How many bytes a value has, as this header's datatype message says; 0: none is there. */
guint64 debye_h5_check_find_committed_size(DebyeH5Check *check, guint64 address);

/* A DebyeH5TakeMessage without data. */
gboolean debye_h5_check_message(DebyeH5Check *check, guint type, gboolean is_shared, DebyeH5Cursor message,
                                gpointer data);
/* `size`: of a value in bytes. */
gboolean debye_h5_check_type(DebyeH5Cursor *type, guint64 *size);
/* The parts of an attribute: behind them in `message` are its values. */
typedef struct {
  gboolean is_type_shared, is_space_shared;
  DebyeH5Cursor name, type, space;
} DebyeH5AttributeParts;
DebyeH5AttributeParts debye_h5_take_attribute(DebyeH5Cursor *message);
/* `n`: how many values there are; G_MAXUINT64: more than can be counted. `extent` may be NULL. */
gboolean debye_h5_take_space(const DebyeH5Check *check, DebyeH5Cursor *space, guint64 *n,
                             DebyeH5Extent *extent);
gboolean debye_h5_check_symbol_table(DebyeH5Check *check, DebyeH5Cursor table);
gboolean debye_h5_check_external_files(DebyeH5Check *check, DebyeH5Cursor files);
/* What a layout message of version 3 and later, or of an older one, says of chunks. */
gboolean debye_h5_check_chunks(DebyeH5Check *check, DebyeH5Cursor *message, guint64 version);
gboolean debye_h5_check_old_chunks(DebyeH5Check *check, DebyeH5Cursor *message, guint64 rank);
/* When all messages of the header are known. */
gboolean debye_h5_check_chunk_index(DebyeH5Check *check);
/* Links or attributes outside the header. `index`: of their version 2 B-tree. `check_content` looks at each of them. */
typedef gboolean (*DebyeH5CheckContent)(DebyeH5Check *check, DebyeH5Cursor content);
gboolean debye_h5_check_dense(DebyeH5Check *check, guint64 heap, guint64 index, gboolean is_attributes,
                              DebyeH5CheckContent check_content);
