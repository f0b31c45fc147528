# SPDX-License-Identifier: MIT
"""Drives the window as a person would: by accessible names, by keys, and by the actions that it exports on D-Bus."""
import ast
import collections
import glob
import json
import os
import re
import shutil
import subprocess
import time

import gi
gi.require_version('Atspi', '2.0')
from gi.repository import Atspi, Gio, GLib  # noqa: E402

APPLICATION = 'org.debye.Debye'
ROOT, ACCESSIBLE = '/org/a11y/atspi/accessible/root', 'org.a11y.atspi.Accessible'
# A machine that is busy answers late.
Atspi.set_timeout(15000, 15000)
PATIENCE = float(os.environ.get('DEBYE_TEST_PATIENCE', '180'))

# What the program says of a node in its list of all: its path, that of the program, the node it lies in, its place there, how many
# lie in it, its interfaces, name, role, description, and the first half of its states.
TEXT = r'''(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")'''
ITEM = re.compile(rf"\(\('[^']*', '([^']*)'\), \('[^']*', '[^']*'\), \('[^']*', '([^']*)'\), (-?\d+), (-?\d+), "
                  rf"\[[^]]*\], ({TEXT}), (\d+), {TEXT}, \[(\d+), ")
Node = collections.namedtuple('Node', 'role name parent place n_children is_visible')
VISIBLE = 1 << int(Atspi.StateType.VISIBLE)
QUESTIONS = '(Save (before|changes|the changes)|Vor dem .* speichern|Die Änderungen).*'    # before what isn't saved goes
LEAVES = {Atspi.Role.LABEL, Atspi.Role.IMAGE, Atspi.Role.SEPARATOR}   # have no children


def wait_until(what, condition, seconds=60):
    """The first true value of condition(), within so many seconds where a machine is as patient as 60; an error that names what was
    waited for. Nodes that go while they are asked are no answer yet. A look takes its time on a busy machine: one is taken after the
    deadline, too, and as long as it took is waited, so that the program can go on meanwhile."""
    start, error, late = time.monotonic(), None, False
    patience = seconds * PATIENCE / 60
    around, AccessibleBus.n_in_vain = AccessibleBus.n_in_vain, 0
    try:
        while not late:
            began = time.monotonic()
            late = began - start > patience
            try:
                value = condition()
                if value:
                    return value
                error = None
            except GLib.Error as gone:
                error = gone
            AccessibleBus.n_in_vain += 1
            time.sleep(min(1, max(0.1, time.monotonic() - began)))
    finally:
        AccessibleBus.n_in_vain = around
    raise AssertionError(f'waited {time.monotonic() - start:.0f} s in vain for: {what}' + (f' ({error.message})' if error else ''))


def recovery_folder():
    return os.path.join(os.environ.get('XDG_STATE_HOME', os.path.join(os.environ['HOME'], '.local', 'state')), 'debye', 'recovery')


def list_kept():
    """What running and killed windows keep in case of a crash: the kinds of the layers of each session."""
    kinds = []
    for path in glob.glob(os.path.join(recovery_folder(), '**', '*.debye'), recursive=True):
        try:
            with open(path, encoding='utf-8') as file:
                kinds.append([layer['kind'] for layer in json.load(file)['scene']['layers']])
        except (OSError, ValueError):
            pass   # just being written, or gone
    return kinds


def wait_for_kept(*wanted):
    """Until as many sessions are kept, each with these layers. A window writes two seconds after a change, or somewhat later."""
    def has_all():
        kept = list_kept()
        return len(kept) == len(wanted) and all(any(kinds <= set(layers) for layers in kept) for kinds in wanted)
    wait_until(f'{wanted} to be kept', has_all)


class AccessibleBus:
    """The program's nodes as it tells them itself: one list of those that anybody has asked for, and questions about the others. The
    library beside it asks three times for each of a thousand nodes and waits for every answer; here the questions about a whole floor
    of the tree go out before the first answer is read."""
    n_in_vain = 0    # looks of the present wait that found nothing

    def __init__(self, session, process):
        address = session.call_sync('org.a11y.Bus', '/org/a11y/bus', 'org.a11y.Bus', 'GetAddress', None, None,
                                    Gio.DBusCallFlags.NONE, 15000, None).unpack()[0]
        flags = Gio.DBusConnectionFlags.AUTHENTICATION_CLIENT | Gio.DBusConnectionFlags.MESSAGE_BUS_CONNECTION
        self.bus = Gio.DBusConnection.new_for_address_sync(address, flags, None, None)
        self.process, self.name, self.n_looks = process, None, 0

    def find_name(self):
        def ask(method, *arguments):
            parameters = GLib.Variant('(s)', arguments) if arguments else None
            return self.bus.call_sync('org.freedesktop.DBus', '/org/freedesktop/DBus', 'org.freedesktop.DBus', method,
                                      parameters, None, Gio.DBusCallFlags.NONE, 15000, None).unpack()[0]
        for name in ask('ListNames'):
            try:
                if name.startswith(':') and ask('GetConnectionUnixProcessID', name) == self.process.pid:
                    return name
            except GLib.Error:
                continue   # it has just left
        return None

    def ask_all(self, interface, method, questions):
        """The answers to {(path, anything): parameters}, unpacked, by path and anything; None of nodes that have just gone."""
        answers, context = {}, GLib.MainContext.new()
        context.push_thread_default()
        try:
            for key, parameters in questions.items():
                def answered(bus, result, at=key):
                    try:
                        answers[at] = bus.call_finish(result).unpack()[0]
                    except GLib.Error:
                        answers[at] = None
                self.bus.call(self.name, key[0], interface, method, parameters, None, Gio.DBusCallFlags.NONE, 15000, None,
                              answered)
            while len(answers) < len(questions):
                context.iteration(True)
        finally:
            context.pop_thread_default()
        return answers

    def ask_property(self, paths, name):
        parameters = GLib.Variant('(ss)', (ACCESSIBLE, name))
        answers = self.ask_all('org.freedesktop.DBus.Properties', 'Get', {(path, name): parameters for path in paths})
        return {path: answer for (path, _), answer in answers.items()}

    def ask_children(self, counts):
        """{(path, place): path of the child}, of nodes and how many children they have (None: to be asked, too)."""
        unknown = self.ask_property([path for path, count in counts.items() if count is None], 'ChildCount')
        answers = self.ask_all(ACCESSIBLE, 'GetChildAtIndex', {
            (path, place): GLib.Variant('(i)', (place,))
            for path, count in counts.items() for place in range(unknown[path] or 0 if count is None else count)})
        return {key: answer[1] for key, answer in answers.items() if answer is not None}

    def describe_all(self):
        """{path: Node} of all nodes that anybody has asked for."""
        try:
            items = self.bus.call_sync(self.name, '/org/a11y/atspi/cache', 'org.a11y.atspi.Cache', 'GetItems', None, None,
                                       Gio.DBusCallFlags.NONE, 15000, None)
        except GLib.Error:
            return {}   # a program that has just begun has no list yet
        # As a text: unpacking a thousand rows, value by value, takes longer than all the rest.
        return {path: Node(Atspi.Role(int(role)), ast.literal_eval(name), parent, int(place), int(n_children),
                           bool(int(states) & VISIBLE))
                for path, parent, place, n_children, name, role, states in ITEM.findall(items.print_(False))}

    def describe(self, paths):
        """(role, name) of what that list leaves out."""
        roles = self.ask_all(ACCESSIBLE, 'GetRole', {(path, None): None for path in paths})
        names = self.ask_property(paths, 'Name')
        return {path: (Atspi.Role(role), names[path] or '') for (path, _), role in roles.items() if role is not None}

    def find_children(self, floor, listed, families):
        """Of a floor of the tree, {(path, place): path of the child}. A family that is whole in the list isn't asked for; it is not
        where a child is new, and seems not to be where one is hidden."""
        found, questions = {}, {}
        for path in floor:
            node = listed.get(path)
            if node is not None and node.role in LEAVES:
                continue
            family = families[path]
            if node is not None and path != ROOT and sorted(family) == list(range(node.n_children)):
                found.update(((path, place), child) for place, child in family.items())
            else:
                questions[path] = None if node is None or path == ROOT else node.n_children
        found.update(self.ask_children(questions))
        return found

    def list_nodes(self, start):
        """[(path, role, name)] from a node downwards, and {path: (the node it lies in, its place there)}."""
        listed, families = self.describe_all(), collections.defaultdict(dict)
        # The tenth look of a wait, and now and then another, asks for all: a test gets on even where the list should err. That
        # takes ten times as long, and GTK 4.8 may end with a critical message where what is asked is just being closed.
        self.n_looks += 1
        asks_all = AccessibleBus.n_in_vain % 20 == 9 or self.n_looks % 50 == 0
        for path, node in () if asks_all else listed.items():
            if node.is_visible:    # one that is hidden doesn't count, but has a place
                families[node.parent][node.place] = path
        children, places, floor = collections.defaultdict(list), {}, [start]
        while floor:
            found = self.find_children(floor, listed, families)
            for (parent, place), path in sorted(found.items()):
                children[parent].append(path)
                places[path] = parent, place
            floor = list(found.values())
        described = {path: (node.role, node.name) for path, node in listed.items()}
        described.update(self.describe({start, *places} - described.keys()))
        nodes, waiting = [], [start]
        while waiting:
            path = waiting.pop()
            if path in described:
                nodes.append((path, *described[path]))
            waiting.extend(reversed(children[path]))
        return nodes, places


class Window:
    """A program that was killed leaves what the next one offers to recover, before all that it has to say otherwise. Only a test of
    that wants it: recovers=True."""

    def __init__(self, *arguments, recovers=False):
        if not recovers:
            shutil.rmtree(recovery_folder(), ignore_errors=True)
        self.output = os.environ['OUTPUT']
        self.parts = {}
        self.log = open(os.path.join(self.output, 'debye.log'), 'a', encoding='utf-8')
        self.n_read = os.path.getsize(self.log.name)
        self.process = subprocess.Popen([os.environ['DEBYE'], *arguments], stdout=self.log, stderr=self.log)
        self.bus = Gio.bus_get_sync(Gio.BusType.SESSION)
        self.accessible = AccessibleBus(self.bus, self.process)
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

    # --- Accessibility ---

    def assert_alive(self):
        status = self.process.poll()
        assert status is None, f'debye ended with status {status}; see {self.log.name}'

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
        start = ROOT if part is None else self.part(part).path
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
        """A page that has just been turned to takes a moment to come."""
        self.find_shown('push button', name, part).do_action(0)

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
                AccessibleBus.n_in_vain += 1
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

    def picture(self, name):
        path = os.path.join(self.output, name + '.png')
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
        """Of the processor, by the program."""
        try:
            with open(f'/proc/{self.process.pid}/stat', encoding='utf-8') as file:
                fields = file.read().rsplit(')', 1)[1].split()
        except OSError:
            return 0.0   # it has ended
        return (int(fields[11]) + int(fields[12])) / os.sysconf('SC_CLK_TCK')

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
