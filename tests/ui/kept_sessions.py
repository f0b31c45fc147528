# SPDX-License-Identifier: MIT
"""What windows keep in case of a crash, for the tests that look for it and for window_driver.py, whose windows begin without it."""
import glob
import json
import os

from waiting import wait_until


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
