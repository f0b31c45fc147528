#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Writes what the display's clipboard has of one type to standard output: read_clipboard.py TYPE. Status 1: it has none;
77: GTK 4 is not there for Python. Called by window tests."""
import os
import sys

import gi

try:
    gi.require_version('Gdk', '4.0')
except ValueError:
    sys.exit(77)
from gi.repository import Gdk, Gio, GLib  # noqa: E402

LOOP, FOUND = GLib.MainLoop(), []


def take(stream, result):
    FOUND.append(stream.read_bytes_finish(result).get_data())
    if FOUND[-1]:
        stream.read_bytes_async(1 << 16, 0, None, take)
    else:
        LOOP.quit()


def open_stream(board, result):
    try:
        board.read_finish(result)[0].read_bytes_async(1 << 16, 0, None, take)
    except GLib.Error:
        LOOP.quit()


def begin(board):
    board.read_async([sys.argv[1]], 0, None, open_stream)
    return False


clipboard = Gdk.Display.open(os.environ['DISPLAY']).get_clipboard()
GLib.timeout_add(500, begin, clipboard)   # its types come with the main loop
GLib.timeout_add(20000, LOOP.quit)
LOOP.run()
sys.stdout.buffer.write(b''.join(FOUND))
sys.exit(not FOUND)
