# SPDX-License-Identifier: MIT
"""The windows of a program that has several, each by its number."""
import subprocess
import time

from window_driver import APPLICATION, Gio, GLib, wait_until


class Numbered:
    """One window of the program, by the number that it has on D-Bus."""

    def __init__(self, program, number, known=()):
        self.program, self.path = program, f'/org/debye/Debye/window/{number}'
        wait_until(f'window {number}', self.is_there)
        self.on_screen = wait_until('its place on the screen', lambda: list_on_screen() - set(known)).pop()

    def is_there(self):
        try:
            self.describe('open')
            return True
        except GLib.Error:
            return False

    def describe(self, name):
        return self.program.bus.call_sync(APPLICATION, self.path, 'org.gtk.Actions', 'Describe', GLib.Variant('(s)', (name,)),
                                          None, Gio.DBusCallFlags.NO_AUTO_START, 20000, None).unpack()[0]

    def activate(self, name, *values):
        self.program.call(self.path, 'Activate', GLib.Variant('(sava{sv})', (name, values, {})))

    def is_enabled(self, name):
        return self.describe(name)[0]

    def close(self):
        """By its keys; without a window manager nobody else gives it the focus."""
        for command in ('windowraise', 'windowfocus'):
            subprocess.run(['xdotool', command, self.on_screen], check=True)
        time.sleep(0.5)
        self.program.keys('ctrl+w')

    def show(self, paths):
        self.activate('open-files', GLib.Variant('as', paths))
        wait_until('the molecule', lambda: self.is_enabled('add-atoms'))


def list_on_screen():
    found = subprocess.run(['xdotool', 'search', '--onlyvisible', '--class', 'debye'], check=False, capture_output=True,
                           text=True)
    return set(found.stdout.split())


def open_another(program, number):
    known = list_on_screen()
    program.activate('app.new-window')
    return Numbered(program, number, known)
