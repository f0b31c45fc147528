#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The window of shortcuts has them all: each action with keys of its own, each key of the window and of plots.
check_shortcuts.py ROOT"""
import pathlib
import re
import sys
import xml.etree.ElementTree as xml

ACTION = re.compile(r'\{\.name = "([^"]+)",\s+\.keys = \{"')
ACCELERATOR = re.compile(r'\{"((?:win|app|window)\.[^"]+)", \{"')
PLOT_KEY = re.compile(r'\{GDK_KEY_(\w+), \w+, "plot\.')


def properties(path, name):
    return [element.text for element in xml.parse(path).iter('property') if element.get('name') == name]


def main():
    root = pathlib.Path(sys.argv[1])
    shown = root / 'ui/window/shortcuts.ui'
    actions = set(properties(shown, 'action-name'))
    keys = set(' '.join(properties(shown, 'accelerator')).split())
    window = root / 'app/window'
    wanted = ['win.' + name for name in ACTION.findall((window / 'window_actions.c').read_text(encoding='utf-8'))]
    wanted += ACCELERATOR.findall((window / 'application.c').read_text(encoding='utf-8'))
    pressed = properties(root / 'ui/window/window.ui', 'trigger')
    plot = PLOT_KEY.findall((root / 'ui/plot/plot_view_input.c').read_text(encoding='utf-8'))
    missing = [action for action in wanted if action not in actions] + [key for key in pressed if key not in keys]
    # The numeric pad's keys are twins of those that are shown.
    missing += [key for key in plot if not key.startswith('KP_') and key != 'equal' and
                not any(known.lower().endswith(key.lower()) for known in keys)]
    print('\n'.join([f'ui/window/shortcuts.ui: no line for {name}' for name in missing] +
                    [f'{len(wanted)} actions, {len(pressed)} keys, {len(plot)} keys of plots']))
    # Fewer would mean that this no longer finds them.
    return 1 if missing or len(wanted) < 15 or len(pressed) < 10 or len(plot) < 5 else 0


if __name__ == '__main__':
    sys.exit(main())
