# SPDX-License-Identifier: MIT
"""Where the project's sources are, for the checks of this folder: by layer, whatever folders it is made of."""
import pathlib

LAYERS = ('data', 'kernels', 'render', 'ui', 'app')
# Layers within layers, which come with a list of their own.
PARTS = ('kernels/cpu', 'kernels/cuda', 'app/analysis', 'app/jobs')


def of(root, part, *patterns):
    """The files of a layer or of a part of one, without the parts of it that are named above, by name."""
    folder = pathlib.Path(root) / part
    others = [pathlib.Path(root) / other for other in PARTS if other != part and other.startswith(part + '/')]
    found = (path for pattern in patterns for path in folder.rglob(pattern))
    return sorted((path for path in found if not any(other in path.parents for other in others)), key=lambda path: path.name)


def named(root, layer, name):
    """The one file of a layer that has this name."""
    found = list((pathlib.Path(root) / layer).rglob(name))
    assert len(found) == 1, f'{layer}: {len(found)} files are named {name}'
    return found[0]
