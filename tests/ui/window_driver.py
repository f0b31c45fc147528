# SPDX-License-Identifier: MIT
"""Drives the window as a person would: by accessible names, by keys, and by the actions that it exports on D-Bus."""
import os
import re
import shutil
import subprocess
import sys
import time

import gi
gi.require_version('Atspi', '2.0')
from gi.repository import Atspi, Gio, GLib  # noqa: E402

from accessible_bus import ROOT, AccessibleBus  # noqa: E402
from kept_sessions import recovery_folder  # noqa: E402
from waiting import PATIENCE, Vain, wait_until  # noqa: E402

APPLICATION = 'org.debye.Debye'
PICTURES = os.environ.get('DEBYE_TEST_PICTURES', '0') != '0'
QUESTIONS = '(Save (before|changes|the changes)|Vor dem .* speichern|Die Änderungen).*'    # before what isn't saved goes


def show_failure(*what):
    """What was on the screen then."""
    try:
        Window.take_picture('failed')
    except (OSError, subprocess.SubprocessError) as error:
        print(f'no picture of the failure: {error}', file=sys.stderr)
    sys.__excepthook__(*what)


sys.excepthook = show_failure


class Window:
    """A program that was killed leaves what the next one offers to recover, before all that it has to say otherwise. Only a test of
    that wants it: recovers=True."""

    # GTK 4.8 says so where a look at the accessible nodes meets a dialog that has just closed.
    known_criticals = ('g_variant_is_object_path: assertion',)

    def __init__(self, *arguments, recovers=False):
        if not recovers:
            shutil.rmtree(recovery_folder(), ignore_errors=True)
        self.output = os.environ['OUTPUT']
        self.parts = {}
        self.log = open(os.path.join(self.output, 'debye.log'), 'a', encoding='utf-8')
        self.n_read = self.n_checked = os.path.getsize(self.log.name)
        self.process = subprocess.Popen([os.environ['DEBYE'], *arguments], stdout=self.log, stderr=self.log)
        self.bus = Gio.bus_get_sync(Gio.BusType.SESSION)
        self.accessible = AccessibleBus(self.bus, self.process)
        self.accessible.is_in_room = self.is_in_room
        self.nodes, self.places = {}, {}   # by their paths
        wait_until('the window on D-Bus', self.is_on_bus)

    # --- D-Bus ---

    def call(self, path, method, parameters):
        return self.bus.call_sync(APPLICATION, path, 'org.gtk.Actions', method, parameters, None,
                                  Gio.DBusCallFlags.NO_AUTO_START, int(1000 * PATIENCE), None)

    def is_on_bus(self):
        self.assert_alive()
        try:
            self.describe('win.open')
            return True
        except GLib.Error:
            return False

    @staticmethod
    def locate(action):
        group, name = action.split('.', 1)
        path = '/org/debye/Debye' + ('/window/1' if group == 'win' else '')
        return path, name

    def activate(self, action, parameter=None):
        path, name = self.locate(action)
        values = [parameter] if parameter is not None else []
        self.call(path, 'Activate', GLib.Variant('(sava{sv})', (name, values, {})))

    def set_state(self, action, value):
        path, name = self.locate(action)
        self.call(path, 'SetState', GLib.Variant('(sva{sv})', (name, value, {})))

    def describe(self, action):
        """(enabled, state) of an action."""
        path, name = self.locate(action)
        enabled, _, state = self.call(path, 'Describe', GLib.Variant('(s)', (name,))).unpack()[0]
        return enabled, state[0] if state else None

    def is_enabled(self, action):
        return self.describe(action)[0]

    def state(self, action):
        return self.describe(action)[1]

    def is_in_room(self):
        try:
            return self.state('win.classroom')
        except GLib.Error:
            return False   # the first window has been closed

    def enter_room(self):
        """The class room, once the molecule is there, and before a look at the page of that: what somebody has asked for once is in
        every later list, and that page has most of all nodes."""
        wait_until('the molecule', lambda: self.is_enabled('win.add-labels'))
        self.set_state('win.classroom', GLib.Variant('b', True))
        wait_until('the class room', self.is_in_room)

    # --- Accessibility ---

    def assert_alive(self):
        status = self.process.poll()
        assert status is None, f'debye ended with status {status}; see {self.log.name}'
        self.check_criticals()

    def check_criticals(self):
        """None in the log since the last look but those of GTK that are known."""
        with open(self.log.name, 'rb') as log:
            log.seek(self.n_checked)
            lines = log.read().rpartition(b'\n')[0]
        self.n_checked += len(lines)
        found = [line for line in lines.decode(errors='replace').split('\n')
                 if '-CRITICAL **' in line and not any(known in line for known in self.known_criticals)]
        assert not found, f'{found}; see {self.log.name}'

    def root(self):
        self.assert_alive()
        desktop = Atspi.get_desktop(0)
        for i in range(desktop.get_child_count()):
            application = desktop.get_child_at_index(i)
            if application is not None and application.get_process_id() == self.process.pid:
                application.set_cache_mask(Atspi.Cache.NONE)   # names change, rows come and go
                return application
        return None

    def walk(self, node):
        yield node
        try:
            children = [node.get_child_at_index(i) for i in range(node.get_child_count())]
        except GLib.Error:
            return
        for child in children:
            if child is not None:
                yield from self.walk(child)

    def list_nodes(self, part=None):
        """[(path, role, name)] of a part of the window (None: all), as walk() goes."""
        if part is not None and part not in self.parts:
            return wait_until(part, lambda: self.list_new_part(part))
        return self.list_below(ROOT if part is None else self.part(part).path)

    def list_new_part(self, part):
        """Of one that isn't remembered yet: the look that finds it has told what lies in it, too."""
        nodes = self.list_nodes()
        found = next((node for path, _, name in nodes if name == part and (node := self.node_at(path)) is not None), None)
        if found is None:
            return None
        self.parts[part] = found
        # A page that isn't turned to was passed over.
        if found.path in self.accessible.turned_from:
            return self.list_below(found.path)
        inside = {found.path}
        inside.update(path for path, _, _ in nodes if path in self.places and self.places[path][0] in inside)
        return [node for node in nodes if node[0] in inside]

    def list_below(self, start):
        self.assert_alive()
        if self.accessible.name is None:
            # Earlier GTK answers with a critical message.
            wait_until('the program among the accessible ones', self.root)
            self.accessible.name = wait_until('the program on the bus of accessibility', self.accessible.find_name)
        nodes, places = self.accessible.list_nodes(start)
        self.places.update(places)
        return nodes

    def node_at(self, path):
        """What the accessibility library has for a path of list_nodes(); None: it has just gone."""
        if path == ROOT:
            return self.root()
        if path not in self.nodes:
            parent, place = self.places[path]
            above = self.node_at(parent)
            node = above.get_child_at_index(place) if above is not None else None
            if node is None or node.path != path:
                return None
            self.nodes[path] = node
        return self.nodes[path]

    def search(self, role, name=None, part=None):
        """Nodes of a role (None: any) and a name (None: any), one after the other, in a part of the window (None: all)."""
        for path, its_role, its_name in self.list_nodes(part):
            try:
                if name in (None, its_name) and role in (None, Atspi.role_get_name(its_role)):
                    node = self.node_at(path)
                    if node is not None:
                        yield node
            except GLib.Error:
                continue

    def names(self, role, part=None):
        """The names of all nodes of a role that have one."""
        return [name for _, its_role, name in self.list_nodes(part) if name and Atspi.role_get_name(its_role) == role]

    def part(self, name):
        """A widget by the name of its class. Remembered: each look at a node is a trip to the program."""
        if name not in self.parts:
            self.parts[name] = wait_until(name, lambda: next(self.search(None, name), None))
        return self.parts[name]

    def find_all(self, role, name=None, part=None):
        return list(self.search(role, name, part))

    def find(self, role, name=None, part=None):
        """Of several pages' widgets of one name that of the page that is turned to, if it is there: they come in no order."""
        def look():
            nodes = self.search(role, name, part)
            first = next(nodes, None)
            if first is None or name is None or self.has_size(first):
                return first
            return next((node for node in nodes if self.has_size(node)), first)
        return wait_until(f'a {role} named {name}', look)

    @staticmethod
    def has_size(node):
        """A widget of a page that isn't turned to has none, and its state doesn't say so in GTK 4.8."""
        return node.get_component_iface() is not None and Atspi.Component.get_extents(node, Atspi.CoordType.WINDOW).width > 0

    def find_shown(self, role, name=None, part=None):
        return wait_until(f'a {role} named {name} to be seen',
                          lambda: next((node for node in self.search(role, name, part) if self.has_size(node)), None))

    def press(self, name, part=None):
        """A page that has just been turned to takes a moment to come, and what a job is at work on a moment to be offered again."""
        button = self.find_shown('push button', name, part)
        wait_until(f'{name} to be sensitive', lambda: button.get_state_set().contains(Atspi.StateType.SENSITIVE))
        button.do_action(0)

    def wait_for_text(self, text, part=None):
        """A label that holds this text. In the whole window also a toast that has said it since the last one that was waited for: it is
        gone after seconds, which a busy machine may take to look."""
        def look():
            shown = next((name for name in self.names('label', part) if text in name), None)
            said = part is None and self.was_said(text)
            return shown or said
        return wait_until(f'the text “{text}”', look)

    def was_said(self, text):
        """By a toast since the last one that was asked for; what was said until then is not news any more."""
        with open(self.log.name, 'rb') as log:
            log.seek(self.n_read)
            said = log.read()
        place = said.rfind(text.encode())
        records = re.findall(rb'^\(.*:\d+\): (\S+):', said[:max(place, 0)], re.M)
        if not records or not records[-1].startswith(b'debye-toast'):
            return None
        self.n_read += place + len(text.encode())
        return text

    @staticmethod
    def text_of(node):
        return Atspi.Text.get_text(node, 0, Atspi.Text.get_character_count(node))

    @staticmethod
    def type_into(node, text):
        assert Atspi.EditableText.set_text_contents(node, text), f'cannot write {text}'

    def click(self, node):
        # Without a window manager the window stands at the screen's corner; its shadow is part of its coordinates.
        subprocess.run(['xdotool', 'mousemove', *map(str, self.resting_place(node)), 'click', '1'], check=True)

    def resting_place(self, node):
        """Its middle, once it is seen and no longer moves: a page that is being laid out has rows without a size, or on their way."""
        seen = [None]

        def rests():
            box = Atspi.Component.get_extents(node, Atspi.CoordType.WINDOW)
            box = (box.x, box.y, box.width, box.height)
            before, seen[0] = seen[0], box
            return box[2] > 0 and box == before
        wait_until(f'{node.get_name()} to be seen and to rest', rests)
        return seen[0][0] + seen[0][2] // 2, seen[0][1] + seen[0][3] // 2

    def open_menu(self, button, entry):
        """Until this entry is there: on a busy machine a click meets a row that still slides to its place."""
        def opened():
            self.click(button)
            end = time.monotonic() + 10
            while time.monotonic() < end:
                if next(self.search('menu item', entry), None):
                    return True
                Vain.n_looks += 1
                time.sleep(0.1)
            return False
        wait_until(f'a menu with “{entry}”', opened)

    @staticmethod
    def drag(start, end):
        """With the pointer, in steps: a drag begins a few pixels from where the button went down."""
        steps = [(start[0] + (end[0] - start[0]) * i // 10, start[1] + (end[1] - start[1]) * i // 10) for i in range(1, 11)]
        subprocess.run(['xdotool', 'mousemove', *map(str, start), 'mousedown', '1'], check=True)
        for x, y in steps:
            time.sleep(0.05)
            subprocess.run(['xdotool', 'mousemove', str(x), str(y)], check=True)
        # The other side has to be asked whether it takes what is dragged before it is let go.
        time.sleep(0.5)
        subprocess.run(['xdotool', 'mouseup', '1'], check=True)

    @staticmethod
    def middle(node):
        box = Atspi.Component.get_extents(node, Atspi.CoordType.WINDOW)
        return box.x + box.width // 2, box.y + box.height // 2

    @staticmethod
    def place_neighbour(title):
        """Another program's window in a corner; gives its middle."""
        find = ['xdotool', 'search', '--onlyvisible', '--name', f'^{title}$']
        number = wait_until(f'the window “{title}”', lambda: subprocess.run(
            find, check=False, capture_output=True, text=True).stdout.split())[-1]
        subprocess.run(['xdotool', 'windowmove', '--sync', number, '40', '620'], check=True)
        time.sleep(0.5)
        return 120, 650

    def drop_files(self, paths, place):
        """Files out of another program's window onto a place of this one."""
        tool = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'drag_source.py')
        with subprocess.Popen(['/usr/bin/python3', tool, *paths], stdout=self.log, stderr=self.log) as source:
            self.drag(self.place_neighbour('Files to drag'), place)
            time.sleep(1)
            source.terminate()

    def drag_out(self, node):
        """A button of this window into another program's, which reads the path of a file."""
        tool = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'drop_target.py')
        start = self.resting_place(node)
        with subprocess.Popen(['/usr/bin/python3', tool], stdout=subprocess.PIPE, stderr=self.log, text=True) as target:
            self.drag(start, self.place_neighbour('Files to drop'))
            try:
                return target.communicate(timeout=30)[0].strip()
            except subprocess.TimeoutExpired:
                target.kill()
                raise

    def pause(self):
        """Each look at the window waits for the picture being drawn, so a playing trajectory is stopped before."""
        wait_until('the trajectory to play', lambda: self.state('win.play'))
        self.set_state('win.play', GLib.Variant('b', False))

    # --- Other windows of the program: GTK tells the accessibility bus nothing of them ---

    @staticmethod
    def list_dialogs(title):
        search = subprocess.run(['xdotool', 'search', '--onlyvisible', '--name', f'^{title}$'], check=False,
                                capture_output=True, text=True)
        return search.stdout.split()

    @staticmethod
    def has_dialog(title):
        return bool(Window.list_dialogs(title))

    def wait_for_dialog(self, title):
        """With the focus, which without a window manager nobody gives it where it stands over another window than the newest."""
        number = wait_until(f'the dialog “{title}”', lambda: self.list_dialogs(title))[0]
        self.settle(0.5)
        subprocess.run(['xdotool', 'windowfocus', number], check=True)
        self.settle(0.5)

    def in_dialog(self, title, text, settle):
        """Types a path into a dialog that asks for a file, over what may stand there, and accepts it."""
        wait_until(f'the dialog “{title}”', lambda: self.has_dialog(title))
        self.settle(settle)
        self.write(text)
        self.settle(settle)    # the dialog looks the path up while it is typed
        self.keys('Return')
        wait_until('the end of the dialog', lambda: not self.has_dialog(title))

    # --- Keys, pictures, files ---

    @staticmethod
    def write(text):
        """By keyboard, into whatever has the focus."""
        subprocess.run(['xdotool', 'type', '--delay', '20', text], check=True)

    @staticmethod
    def keys(*keys):
        subprocess.run(['xdotool', 'key', '--clearmodifiers', *keys], check=True)

    def paste_over(self, node, start):
        """Pastes over what an entry holds, which must be in sight, until that begins with start."""
        def pasted():
            self.click(node)
            self.keys('ctrl+a', 'ctrl+v')
            end = time.monotonic() + 3
            while time.monotonic() < end:
                text = self.text_of(node)
                if text.startswith(start):
                    return text
                time.sleep(0.1)
            return None
        return wait_until(f'“{start}”, pasted', pasted)

    @staticmethod
    def read_clipboard(kind='text/plain;charset=utf-8'):
        """What the clipboard has of one type, b'' if nothing; None, and it is said so: GTK 4 is not there for Python."""
        reader = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'read_clipboard.py')
        done = subprocess.run([sys.executable, reader, kind], capture_output=True, timeout=60, check=False)
        if done.returncode == 77:
            print('         the clipboard is not read: Python has no GTK 4', flush=True)
            return None
        return done.stdout

    def picture(self, name):
        """Of the screen, for a person who wants to see it, and not for the test, which gives the window as long in any case."""
        if PICTURES:
            self.take_picture(name)
        else:
            time.sleep(0.2)

    @staticmethod
    def take_picture(name):
        path = os.path.join(os.environ['OUTPUT'], name + '.png')
        # Packed quickly, not small: that takes a tenth of the time.
        subprocess.run(['import', '-window', 'root', '-quality', '11', path], check=True)
        return path

    def settle(self, seconds):
        """So long, and until the program has nothing to do: what a busy machine draws late is there then. One that plays or computes
        is not waited for."""
        deadline = time.monotonic() + 5
        before, rests = self.get_seconds(), False
        while not rests and time.monotonic() < deadline:
            time.sleep(seconds)
            after = self.get_seconds()
            rests, before = after - before < 0.1 * seconds, after

    def get_seconds(self):
        """Of the processor, by the program, and those for which its main thread waited for one: what gets no turn doesn't rest."""
        try:
            with open(f'/proc/{self.process.pid}/stat', encoding='utf-8') as file:
                fields = file.read().rsplit(')', 1)[1].split()
        except OSError:
            return 0.0   # it has ended
        return (int(fields[11]) + int(fields[12])) / os.sysconf('SC_CLK_TCK') + self.get_waited()

    def get_waited(self):
        """0 where Linux doesn't tell."""
        try:
            with open(f'/proc/{self.process.pid}/schedstat', encoding='ascii') as file:
                return int(file.read().split()[1]) / 1e9
        except (OSError, IndexError):
            return 0.0

    def is_idle(self):
        try:
            return not self.is_enabled('win.stop')
        except GLib.Error:
            return True  # the first window has been closed

    def discard(self):
        """Where results are in no file, or a session has changed, the program asks before it ends."""
        deadline = time.monotonic() + PATIENCE
        while self.process.poll() is None and time.monotonic() < deadline:
            if self.has_dialog(QUESTIONS):
                self.wait_for_dialog(QUESTIONS)
                self.keys('Tab', 'Return')    # Discard
                return
            time.sleep(0.1)

    def quit(self):
        # A file stands a moment before its job has ended, and a window with a job asks before it closes.
        wait_until('the end of the jobs', self.is_idle)
        self.activate('app.quit')
        self.discard()
        status = self.process.wait(PATIENCE)
        assert status == 0, f'debye ended with status {status}; see {self.log.name}'
        self.check_criticals()
