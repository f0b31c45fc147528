#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Who may include whom, as a test: every #include line of every layer against one table.

The table is ARCHITECTURE's; a line that breaks it is printed with its file and the reason.
"""
import pathlib
import re
import sys

# layer: (other layers of the project, prefixes of outside headers). The first layer whose path matches a file counts.
STANDARD = {
    'assert', 'ctype', 'errno', 'fcntl', 'float', 'inttypes', 'limits', 'locale', 'math', 'signal', 'stdalign', 'stdarg',
    'stdatomic', 'stdbool', 'stddef', 'stdint', 'stdio', 'stdlib', 'string', 'time', 'unistd', 'sys/stat', 'sys/types',
    'sys/file', 'sys/mman', 'sys/resource', 'sys/socket', 'sys/sysinfo', 'sys/uio', 'complex',
}
GLIB = ('glib', 'gio/', 'gobject', 'gmodule')
THREADS = ('pthread', 'sched', 'dlfcn', 'dirent')
LAYERS = [
    ('data', {'data'}, GLIB),
    ('kernels/cuda', {'kernels', 'kernels/cuda', 'data/geometry.h'}, ('cuda', 'cufft', 'cub/', 'dlfcn', 'new')),
    ('kernels/cpu', {'kernels', 'kernels/cpu', 'data/geometry.h'}, THREADS + ('fftw3', 'immintrin', 'cpuid')),
    ('kernels', {'kernels', 'kernels/cpu/backend_cpu.h', 'data/geometry.h'}, THREADS),
    ('render', {'render', 'data'}, GLIB + ('epoxy/', 'cglm/', 'cairo', 'pango/', 'png', 'dlfcn')),
    ('ui', {'ui', 'render', 'data'}, GLIB + ('gtk/', 'gdk/', 'adwaita', 'cairo', 'epoxy/')),
    ('app/jobs', {'app/jobs', 'data'}, GLIB),
    ('app/analysis', {'app/analysis', 'app/jobs', 'data', 'kernels'}, GLIB),
    ('app', {'app', 'app/jobs', 'app/analysis', 'data', 'kernels', 'render', 'ui'},
     GLIB + ('gtk/', 'adwaita', 'cairo', 'malloc', 'mpi')),
]
# Within a layer only these files may include these headers.
ONLY_THROUGH = {'hdf5': {'data/h5.h'}, 'hdf5_hl': {'data/h5.h'}, 'H5FDdevelop': {'data/h5.h'}, 'netcdf': {'data/netcdf_file.h'}}
# debye-cli links no GTK: these files of app may not reach it either.
WINDOW_FILES = re.compile(r'^app/(main|application|document|window_\w+|session)\.[ch]$')

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')


def layer_of(path):
    for name, own, outside in LAYERS:
        if path.startswith(name + '/'):
            return name, own, outside
    return None


def project_target(root, path, header):
    """The project file that a quoted header names: beside the file, or from the root."""
    beside = (pathlib.PurePosixPath(path).parent / header).as_posix()
    for candidate in (beside, header):
        if (root / candidate).is_file():
            return candidate
    return None


def allowed(target, own):
    if target in own:
        return True
    folder = target.rsplit('/', 1)[0]
    if folder.startswith('render/'):
        folder = 'render'
    return folder in own


def check(root, path):
    rule = layer_of(path)
    if rule is None:
        return
    name, own, outside = rule
    for number, line in enumerate((root / path).read_text(encoding='utf-8').splitlines(), 1):
        match = INCLUDE.match(line)
        if not match:
            continue
        quote, header = match.groups()
        target = project_target(root, path, header) if quote == '"' else None
        if target:
            if not allowed(target, own):
                yield f'{path}:{number}: layer {name} may not include {target}'
            elif name == 'app' and target.startswith('ui/') and not WINDOW_FILES.match(path):
                yield f'{path}:{number}: only the window program may include {target}'
            continue
        stem = header[:-2] if header.endswith('.h') else header
        if quote == '"' and stem not in ONLY_THROUGH and not stem.startswith(outside):
            if (root / path).suffix in ('.cu',) or stem.endswith(('resources', 'config', '.inc', '.glsl')):
                continue
            yield f'{path}:{number}: {header} is not a file of the project'
        elif stem in ONLY_THROUGH:
            if path not in ONLY_THROUGH[stem]:
                yield f'{path}:{number}: {header} only through {", ".join(ONLY_THROUGH[stem])}'
        elif stem not in STANDARD and not stem.startswith(outside):
            yield f'{path}:{number}: layer {name} may not include <{header}>'
        elif name == 'app' and stem.startswith(('gtk/', 'adwaita')) and not WINDOW_FILES.match(path):
            yield f'{path}:{number}: only the window program may include <{header}>'


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent.parent)
    files = [p.relative_to(root).as_posix() for layer in ('data', 'kernels', 'render', 'ui', 'app')
             for suffix in ('*.c', '*.h', '*.cu', '*.cuh') for p in (root / layer).rglob(suffix)]
    if not files:
        print('no source files found', file=sys.stderr)
        return 1
    problems = [problem for path in sorted(files) for problem in check(root, path)]
    print('\n'.join(problems) if problems else f'{len(files)} files keep the layers')
    return 1 if problems else 0


if __name__ == '__main__':
    sys.exit(main())
