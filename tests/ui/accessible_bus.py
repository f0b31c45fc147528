# SPDX-License-Identifier: MIT
"""The tree of a program's accessible nodes in few questions: window_driver.py searches in it."""
import ast
import collections
import re

import gi
gi.require_version('Atspi', '2.0')
from gi.repository import Atspi, Gio, GLib  # noqa: E402

from waiting import Vain  # noqa: E402

ROOT, ACCESSIBLE = '/org/a11y/atspi/accessible/root', 'org.a11y.atspi.Accessible'
# A machine that is busy answers late.
Atspi.set_timeout(15000, 15000)

# What the program says of a node in its list of all: its path, that of the program, the node it lies in, its place there, how many
# lie in it, its interfaces, name, role, description, and the first half of its states.
TEXT = r'''(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")'''
ITEM = re.compile(rf"\(\('[^']*', '([^']*)'\), \('[^']*', '[^']*'\), \('[^']*', '([^']*)'\), (-?\d+), (-?\d+), "
                  rf"\[[^]]*\], ({TEXT}), (\d+), {TEXT}, \[(\d+), ")
Node = collections.namedtuple('Node', 'role name parent place n_children is_visible')
VISIBLE = 1 << int(Atspi.StateType.VISIBLE)
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
        asks_all = Vain.n_looks % 20 == 9 or self.n_looks % 50 == 0
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
