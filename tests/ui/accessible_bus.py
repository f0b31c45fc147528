# SPDX-License-Identifier: MIT
"""The tree of a program's accessible nodes in few questions: window_driver.py searches in it."""
import ast
import collections
import re
import time

import gi
gi.require_version('Atspi', '2.0')
from gi.repository import Atspi, Gio, GLib  # noqa: E402

from waiting import Vain  # noqa: E402

ROOT, ACCESSIBLE, COMPONENT = '/org/a11y/atspi/accessible/root', 'org.a11y.atspi.Accessible', 'org.a11y.atspi.Component'
# A machine that is busy answers late.
Atspi.set_timeout(15000, 15000)

# What the program says of a node in its list of all: its path, that of the program, the node it lies in, its place there, how many
# lie in it, its interfaces, name, role, description, and the first half of its states.
TEXT = r'''(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")'''
ITEM = re.compile(rf"\(\('[^']*', '([^']*)'\), \('[^']*', '[^']*'\), \('[^']*', '([^']*)'\), (-?\d+), (-?\d+), "
                  rf"\[[^]]*\], ({TEXT}), (\d+), {TEXT}, \[(\d+), ")
Node = collections.namedtuple('Node', 'role name parent place n_children is_visible')
VISIBLE = 1 << int(Atspi.StateType.VISIBLE)
# Seconds for which a look may be kept while the program rests: what it did just between its answer and the clock's reading isn't seen.
KEPT = 1
# Nodes of which the whole list tells more cheaply than they themselves.
MANY = 30
# What the class room is called, in English.
ROOM = 'Class room'
# What a page of a stack is called that has no name of its own, and down to which floor the window's stack is looked for.
PAGE, DEEPEST = 'GtkStackPage', 8
# The lessons are more pages than those of any other stack, of which tests look for what isn't seen.
MANY_PAGES = 10
# From which look in vain on pages that the window isn't turned to are looked into.
LATE = 19
LEAVES = {Atspi.Role.LABEL, Atspi.Role.IMAGE, Atspi.Role.SEPARATOR}   # have no children


class Roles(dict):
    """By their numbers, each made once."""

    def __missing__(self, number):
        self[number] = Atspi.Role(number)
        return self[number]


ROLES = Roles()


def read_text(text):
    """As a program's source would have it, in quotes."""
    return ast.literal_eval(text) if '\\' in text else text[1:-1]


class AccessibleBus:
    """The program's nodes as it tells them itself: one list of those that anybody has asked for, and questions about the others. The
    library beside it asks three times for each of a thousand nodes and waits for every answer; here the questions about a whole floor
    of the tree go out before the first answer is read."""

    def __init__(self, session, process):
        address = session.call_sync('org.a11y.Bus', '/org/a11y/bus', 'org.a11y.Bus', 'GetAddress', None, None,
                                    Gio.DBusCallFlags.NONE, 15000, None).unpack()[0]
        flags = Gio.DBusConnectionFlags.AUTHENTICATION_CLIENT | Gio.DBusConnectionFlags.MESSAGE_BUS_CONNECTION
        self.bus = Gio.DBusConnection.new_for_address_sync(address, flags, None, None)
        self.process, self.name, self.n_looks = process, None, 0
        self.known, self.stacks = set(), set()    # paths of what ask_children() knows, and of stacks
        self.pages, self.turned_from = {}, frozenset()   # the window's pages: the widget of each; those that aren't turned to
        # Whether the window is in its class room, as its action says; of the pages beside that, which aren't seen then whatever they say.
        self.is_in_room, self.beside_room, self.hidden = lambda: False, frozenset(), frozenset()
        # The last look: when, what was answered and read, the program's time until then, and the nodes below those asked for.
        self.kept_at, self.answer, self.listed, self.spent, self.kept = 0.0, None, {}, None, {}

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

    def ask_each_child(self, counts):
        """{(path, place): path of the child}, of nodes and how many children they have."""
        answers = self.ask_all(ACCESSIBLE, 'GetChildAtIndex', {
            (path, place): GLib.Variant('(i)', (place,)) for path, count in counts.items() for place in range(count)})
        return {key: answer[1] for key, answer in answers.items() if answer is not None}

    def ask_children(self, paths):
        """The same, of nodes alone: one question for all children of a node, which also brings them into the list. Stacks of GTK 4.8
        leave their pages out then; what has another first child than it says by its place is asked for each."""
        answers = self.ask_all(ACCESSIBLE, 'GetChildren', {(path, None): None for path in paths if path not in self.stacks})
        found = {(path, place): child for (path, _), answer in answers.items() for place, (_, child) in enumerate(answer or [])}
        firsts = self.ask_each_child({path: 1 for path, place in found if place == 0 and path not in self.known})
        self.known.update(path for path, _ in firsts)
        self.stacks.update(path for (path, _), child in firsts.items() if child != found[path, 0])
        stacks = [path for path in paths if path in self.stacks]
        found = {key: child for key, child in found.items() if key[0] not in self.stacks}
        found.update(self.ask_each_child({path: count or 0 for path, count in self.ask_property(stacks, 'ChildCount').items()}))
        return found

    def find_pages(self):
        """{path: that of its widget} of the window's pages: welcome, class room, molecule. The class room's has two thirds of all nodes,
        and seldom what a test looks for."""
        floor = [ROOT]
        for _ in range(DEEPEST):
            floor = list(self.ask_children(floor).values())
            names = self.ask_property(floor, 'Name')
            pages = [path for path in floor if names[path] == PAGE]
            if pages:
                return self.find_widgets(pages)
        return {}

    def find_widgets(self, pages):
        return {page: widget for (page, _), widget in self.ask_children(pages).items()}

    def find_beside_room(self):
        """None where there are several windows: one action doesn't tell of all."""
        children = self.ask_children(self.pages.values())
        names = self.ask_property(children.values(), 'Name')
        rooms = {widget for (widget, _), child in children.items() if names[child] == ROOM}
        return frozenset(page for page, widget in self.pages.items() if widget not in rooms) if len(rooms) == 1 else frozenset()

    def find_lessons(self, found):
        """Among nodes that have just been found, before anybody looks into them."""
        n_pages = collections.Counter(stack for stack, _ in found if stack in self.stacks)
        lessons = [page for (stack, _), page in found.items() if n_pages[stack] >= MANY_PAGES and page not in self.pages]
        if lessons:
            self.pages.update(self.find_widgets(lessons))
            self.turned_from = self.find_turned_from()

    def find_turned_from(self):
        """Pages that have no size yet, as nobody has turned to them."""
        if not self.pages:
            self.pages = self.find_pages()
            self.beside_room = self.find_beside_room()
        self.hidden = self.beside_room if self.is_in_room() else frozenset()
        boxes = self.ask_all(COMPONENT, 'GetExtents', {
            (widget, page): GLib.Variant('(u)', (int(Atspi.CoordType.WINDOW),)) for page, widget in self.pages.items()})
        return self.hidden | {page for (_, page), box in boxes.items() if box is not None and box[2] <= 0}

    def ask_items(self):
        """The program's list of all nodes that anybody has asked for; None: it has just begun and has none yet."""
        try:
            return self.bus.call_sync(self.name, '/org/a11y/atspi/cache', 'org.a11y.atspi.Cache', 'GetItems', None, None,
                                      Gio.DBusCallFlags.NONE, 15000, None)
        except GLib.Error:
            return None

    @staticmethod
    def describe_all(items):
        """{path: Node} of that list. As a text: unpacking a thousand rows, value by value, takes longer than all the rest."""
        if items is None:
            return {}
        return {path: Node(ROLES[int(role)], read_text(name), parent, int(place), int(n_children), bool(int(states) & VISIBLE))
                for path, parent, place, n_children, name, role, states in ITEM.findall(items.print_(False))}

    def describe(self, paths):
        """(role, name) of what that list leaves out."""
        roles = self.ask_all(ACCESSIBLE, 'GetRole', {(path, None): None for path in paths})
        names = self.ask_property(paths, 'Name')
        return {path: (Atspi.Role(role), names[path] or '') for (path, _), role in roles.items() if role is not None}

    def find_children(self, floor, listed, families):
        """Of a floor of the tree, {(path, place): path of the child}. A family that is whole in the list isn't asked for; it is not
        where a child is new, and seems not to be where one is hidden."""
        found, questions = {}, []
        for path in floor:
            node = listed.get(path)
            if node is not None and node.role in LEAVES:
                continue
            family = families[path]
            if node is not None and path != ROOT and sorted(family) == list(range(node.n_children)):
                found.update(((path, place), child) for place, child in family.items())
            else:
                questions.append(path)
        found.update(self.ask_children(questions))
        return found

    def spent_time(self):
        """Nanoseconds of a processor that the thread of the program that holds the nodes has taken; None where Linux doesn't tell."""
        try:
            with open(f'/proc/{self.process.pid}/schedstat', encoding='ascii') as file:
                return int(file.read().split()[0])
        except (OSError, IndexError):
            return None

    def list_nodes(self, start):
        """[(path, role, name)] from a node downwards, and {path: (the node it lies in, its place there)}. Two looks of three find
        nothing new: while the program has done nothing since the last one that was in vain it isn't asked, and a list that is the same
        byte for byte isn't read again. The first look of a wait always asks, as a program that had no turn hasn't done what it should."""
        # The tenth look of a wait, and now and then another, asks for all: a test gets on even where the list should err. That
        # takes ten times as long, and GTK 4.8 may end with a critical message where what is asked is just being closed.
        asks_all = Vain.n_looks % 20 == 9 or self.n_looks % 50 == 49
        if asks_all or time.monotonic() - self.kept_at > KEPT:
            self.answer, self.spent = None, None
        if Vain.n_looks == 0 or self.spent is None or self.spent_time() != self.spent:
            self.ask_again()
        if Vain.n_looks in (0, LATE):
            self.kept = {}    # what the list leaves out is asked for, too
        if start not in self.kept:
            self.kept[start] = self.read_nodes(start, self.listed, asks_all)
            self.spent = self.spent_time()
        return self.kept[start]

    def ask_again(self):
        self.n_looks += 1
        turned_from, items = self.find_turned_from(), self.ask_items()
        answer = items.get_data_as_bytes().get_data() if items is not None else None
        if answer is None or answer != self.answer or turned_from != self.turned_from:
            self.kept, self.kept_at, self.turned_from = {}, time.monotonic(), turned_from
            self.answer, self.listed = answer, self.describe_all(items)
        self.spent = self.spent_time()

    def read_nodes(self, start, listed, asks_all):
        families = collections.defaultdict(dict)
        for path, node in () if asks_all else listed.items():
            if node.is_visible:    # one that is hidden doesn't count, but has a place
                families[node.parent][node.place] = path
        children, places, floor = collections.defaultdict(list), {}, [start]
        while floor:
            found = self.find_children(floor, listed, families)
            for (parent, place), path in sorted(found.items()):
                children[parent].append(path)
                places[path] = parent, place
            self.find_lessons(found)
            floor = [path for path in found.values()
                     if path not in self.turned_from or Vain.n_looks >= LATE and path not in self.hidden]
        described = {path: (node.role, node.name) for path, node in listed.items()}
        unknown = {start, *places} - described.keys()
        if len(unknown) > MANY:    # now they are listed
            described.update((path, (node.role, node.name)) for path, node in self.describe_all(self.ask_items()).items())
            unknown -= described.keys()
        described.update(self.describe(unknown))
        nodes, waiting = [], [start]
        while waiting:
            path = waiting.pop()
            if path in described:
                nodes.append((path, *described[path]))
            waiting.extend(reversed(children[path]))
        return nodes, places
