#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""A small window that files can be dropped into, as into a file manager: writes the path of what was dropped first to standard
output and ends."""
import sys

import gi
gi.require_version('Gdk', '4.0')
gi.require_version('Gtk', '4.0')
from gi.repository import Gdk, Gtk  # noqa: E402


def take(_target, files, _x, _y):
    print(*(file.get_path() for file in files.get_files()), sep='\n', flush=True)
    application.quit()
    return True


def show(application):
    label = Gtk.Label(label='Drop files here')
    target = Gtk.DropTarget.new(Gdk.FileList, Gdk.DragAction.COPY)
    target.connect('drop', take)
    label.add_controller(target)
    window = Gtk.ApplicationWindow(application=application, title='Files to drop', decorated=False, child=label,
                                   default_width=160, default_height=60)
    window.present()


application = Gtk.Application(application_id='org.debye.DropTarget')
application.connect('activate', show)
sys.exit(application.run([]))
