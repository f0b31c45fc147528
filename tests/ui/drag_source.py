#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""A small window that files can be dragged out of, as out of a file manager: drag_source.py PATH..."""
import sys

import gi
gi.require_version('Gdk', '4.0')
gi.require_version('Gtk', '4.0')
from gi.repository import Gdk, Gio, GLib, Gtk  # noqa: E402


def prepare(_source, _x, _y):
    uris = '\r\n'.join(Gio.File.new_for_path(path).get_uri() for path in sys.argv[1:]) + '\r\n'
    return Gdk.ContentProvider.new_for_bytes('text/uri-list', GLib.Bytes.new(uris.encode()))


def show(application):
    label = Gtk.Label(label='Drag these files')
    source = Gtk.DragSource(actions=Gdk.DragAction.COPY)
    source.connect('prepare', prepare)
    label.add_controller(source)
    window = Gtk.ApplicationWindow(application=application, title='Files to drag', decorated=False, child=label,
                                   default_width=160, default_height=60)
    window.present()


application = Gtk.Application(application_id='org.debye.DragSource')
application.connect('activate', show)
sys.exit(application.run([]))
