#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Who may use whom, as a test. A folder is a library with one row here: the folders it may use, all of them above it in the
table, and the headers from outside that it may include. So nothing climbs, and no circle crosses a folder. A row that ends in /*
is of every folder there that has none of its own.

Within a folder no file pair uses one that uses it, but for the circles listed here with their reasons; `x_private.h` is of
the pair `x`. Each folder's meson.build names in `uses` what it links and in `sources` its files; both are held to the row and to the tree.
"""
import fnmatch
import pathlib
import re
import sys

import sources

STANDARD = {
    'assert', 'ctype', 'errno', 'fcntl', 'float', 'inttypes', 'limits', 'locale', 'math', 'signal', 'stdalign', 'stdarg',
    'stdatomic', 'stdbool', 'stddef', 'stdint', 'stdio', 'stdlib', 'string', 'time', 'unistd', 'sys/stat', 'sys/types',
    'sys/file', 'sys/mman', 'sys/resource', 'sys/socket', 'sys/sysinfo', 'sys/uio', 'complex',
}
GLIB = 'glib gio/ gobject gmodule'
CPU = 'pthread sched dlfcn dirent fftw3 immintrin cpuid'
CUDA = 'cuda cufft cub/ dlfcn new'
DRAWING = f'{GLIB} epoxy/ cglm/ cairo pango/ png zlib dlfcn'
WIDGETS = f'{GLIB} gtk/ gdk/ adwaita cairo epoxy/'
COMPUTING = 'data data/* kernels kernels/*'

ROWS = [
    # Files in, files out: no other layer, no GTK, no OpenGL.
    ('data', '', ''),
    ('data/messages', 'data', f'{GLIB} libintl'),
    ('data/files', 'data data/messages', f'{GLIB} bzlib lzma openssl'),
    ('data/tables', '', GLIB),
    ('data/work', '', GLIB),
    ('data/molecule', 'data data/files data/tables data/messages data/work', GLIB),
    ('data/selection', 'data/files data/tables data/molecule data/messages', GLIB),
    ('data/settings', 'data data/files data/messages', GLIB),
    ('data/h5', 'data/files data/messages', f'{GLIB} hdf5 H5FDdevelop'),
    ('data/results', 'data data/files data/molecule data/settings data/h5 data/messages data/work', GLIB),
    ('data/formats', 'data/files data/molecule data/messages data/work', GLIB),
    ('data/formats/namd', 'data data/files data/formats data/messages', GLIB),
    ('data/formats/gromacs', 'data data/files data/molecule data/formats data/messages', GLIB),
    ('data/formats/amber', 'data/files data/formats data/messages', GLIB),
    ('data/formats/cif', 'data data/files data/tables data/molecule data/formats data/messages', GLIB),
    ('data/formats/text', 'data data/files data/tables data/molecule data/formats data/formats/cif data/messages', GLIB),
    ('data/formats/lammps', 'data data/files data/tables data/molecule data/formats data/messages', GLIB),
    ('data/formats/netcdf', 'data data/files data/tables data/molecule data/h5 data/formats data/messages', GLIB),
    ('data/formats/h5md', 'data/files data/tables data/molecule data/h5 data/formats data/messages', GLIB),
    ('data/formats/tng', 'data data/files data/molecule data/formats data/messages', GLIB),
    ('data/formats/quantum', 'data/files data/molecule data/formats data/messages data/tables', GLIB),
    ('data/forcefield', 'data/files data/formats/amber data/formats/gromacs data/messages', GLIB),
    ('data/prepare', 'data data/files data/tables data/molecule data/messages', GLIB),
    ('data/titration', 'data/work', GLIB),
    ('data/trajectory', 'data/files data/tables data/molecule data/selection data/settings data/formats data/formats/* data/messages', GLIB),

    # Arrays in, arrays out: no GLib, no files. The back ends are below what shares work among them.
    ('kernels', 'data', CPU),
    ('kernels/potential', 'data kernels', CPU),
    ('kernels/pairs', 'data kernels', CPU),
    ('kernels/scattering', 'data kernels kernels/pairs', CPU),
    ('kernels/density', 'data kernels', CPU),
    ('kernels/orbital', 'data kernels', CPU),
    ('kernels/ligand', 'data kernels', CPU),
    ('kernels/isosurface', 'data kernels', CPU),
    ('kernels/surface', 'data kernels kernels/isosurface', CPU),
    ('kernels/poisson', 'data kernels kernels/surface', CPU),
    ('kernels/ladder', 'data kernels kernels/density kernels/ligand kernels/orbital kernels/pairs kernels/potential kernels/scattering', CPU),
    ('kernels/cpu/common', 'kernels', CPU),
    ('kernels/cpu/potential', 'kernels kernels/cpu/common kernels/potential', CPU),
    ('kernels/cpu/pairs', 'kernels kernels/cpu/common kernels/pairs', CPU),
    ('kernels/cpu/scattering', 'kernels kernels/cpu/common kernels/scattering', CPU),
    ('kernels/cpu/density', 'kernels kernels/cpu/common kernels/density', CPU),
    ('kernels/cpu/orbital', 'kernels kernels/cpu/common kernels/orbital', CPU),
    ('kernels/cpu/ligand', 'kernels kernels/cpu/common kernels/ligand', CPU),
    ('kernels/cpu/isosurface', 'kernels kernels/cpu/common kernels/isosurface', CPU),
    ('kernels/cpu/surface', 'kernels kernels/cpu/common kernels/isosurface kernels/surface', CPU),
    ('kernels/cpu/poisson', 'kernels kernels/cpu/common kernels/poisson', CPU),
    ('kernels/cpu/ladder', 'kernels kernels/cpu/* kernels/density kernels/ligand kernels/orbital kernels/pairs kernels/potential kernels/scattering kernels/ladder', CPU),
    ('kernels/cpu', 'kernels kernels/potential kernels/cpu/*', CPU),
    ('kernels/cuda/common', 'kernels', CUDA),
    ('kernels/cuda/potential', 'kernels kernels/cuda/common kernels/potential', CUDA),
    ('kernels/cuda/pairs', 'kernels kernels/cuda/common kernels/pairs', CUDA),
    ('kernels/cuda/scattering', 'kernels kernels/cuda/common kernels/scattering', CUDA),
    ('kernels/cuda/density', 'kernels kernels/cuda/common kernels/density', CUDA),
    ('kernels/cuda/orbital', 'kernels kernels/cuda/common kernels/orbital', CUDA),
    ('kernels/cuda/ligand', 'kernels kernels/cuda/common kernels/ligand', CUDA),
    ('kernels/cuda/isosurface', 'kernels kernels/cuda/common kernels/isosurface', CUDA),
    ('kernels/cuda/surface', 'kernels kernels/cuda/common kernels/cuda/isosurface kernels/isosurface kernels/surface', CUDA),
    ('kernels/cuda/poisson', 'kernels kernels/surface kernels/cuda/common kernels/cuda/surface kernels/poisson', CUDA),
    ('kernels/cuda/ladder', 'kernels kernels/cuda/* kernels/density kernels/ligand kernels/orbital kernels/pairs kernels/ladder', CUDA),
    ('kernels/cuda', 'kernels kernels/potential kernels/cuda/*', CUDA),

    # Drawn into whatever OpenGL context is current: no GTK, and of the kernels only the mathematics of triangles, which has no device.
    ('render/plot', 'data/files data/results data/messages', f'{GLIB} cairo pango/'),
    ('render/look', 'data/files data/results data/settings render/plot', GLIB),
    ('render/gl', 'data/files data/work render/plot', DRAWING),
    ('render/mesh', 'data/molecule data/results data/work kernels kernels/isosurface', DRAWING),
    ('render/layers', 'data data/* render/plot render/gl render/mesh', DRAWING),
    ('render/scene', 'data data/* render/plot render/gl render/mesh render/layers', DRAWING),

    # Widgets: they show what they are given and send requests up as signals.
    ('ui/widgets', 'data data/* render/*', WIDGETS),
    ('ui/scene', 'data data/* render/* ui/widgets', WIDGETS),
    ('ui/forms', 'data data/* render/* ui/widgets', WIDGETS),
    ('ui/look', 'data data/* render/* ui/widgets', WIDGETS),
    ('ui/plot', 'data data/* render/* ui/widgets ui/look', WIDGETS),
    ('ui/dialogs', 'data data/* render/* ui/widgets', WIDGETS),
    ('ui/manual', 'data data/* render/* ui/widgets ui/plot', f'{WIDGETS} gtksourceview/'),
    ('ui/orbitals', 'ui/widgets', WIDGETS),
    ('ui/prepare', 'data data/* ui/widgets', WIDGETS),
    ('ui/window', 'data data/* render/* ui/*', WIDGETS),

    # What to compute, frame by frame.
    ('app/jobs', 'data data/*', GLIB),
    ('app/analysis/driver', COMPUTING, GLIB),
    ('app/analysis/*', f'{COMPUTING} app/analysis/driver', GLIB),
    ('app/analysis/ions', f'{COMPUTING} app/analysis/driver app/analysis/map', GLIB),
    ('app/analysis/ligands', f'{COMPUTING} app/analysis/driver app/analysis/density', GLIB),
    ('app/analysis/orbital', f'{COMPUTING} app/analysis/driver app/analysis/map', GLIB),
    ('app/analysis/scattering/system', f'{COMPUTING} app/analysis/driver app/analysis/pairs', GLIB),
    ('app/analysis/scattering/intensity', f'{COMPUTING} app/analysis/driver app/analysis/scattering/system', GLIB),
    ('app/analysis/scattering/time', f'{COMPUTING} app/analysis/driver app/analysis/scattering/system '
     'app/analysis/scattering/intensity', GLIB),
    ('app/analysis/scattering', f'{COMPUTING} app/analysis/driver app/analysis/scattering/*', GLIB),
    ('app/analysis/fit', 'data/files data/results data/settings', GLIB),
    ('app/analysis/prepare', f'{COMPUTING} app/analysis/driver app/analysis/titration', GLIB),
    ('app/analysis', f'{COMPUTING} app/analysis/*', GLIB),

    # The two programs. What debye-cli links knows no GTK.
    ('app/scene', 'data data/* kernels kernels/isosurface kernels/surface render/*', f'{GLIB} cairo pango/'),
    ('app/aggregates', 'data/files data/messages', GLIB),
    ('app/installation', COMPUTING, GLIB),
    ('app/presets', 'data/files data/settings render/plot render/scene', GLIB),
    ('app/document', f'{COMPUTING} render/* app/analysis app/analysis/* app/scene', f'{GLIB} cairo'),
    ('app/runner', '', 'fftw3 pthread dlfcn linux/ sys/prctl sys/syscall'),
    ('app/bench', f'{COMPUTING} app/analysis app/analysis/* app/runner', f'{GLIB} sys/wait sys/prctl sys/syscall dlfcn'),
    ('app/classroom', f'{COMPUTING} render/plot app/jobs app/analysis app/analysis/* app/installation app/document app/bench', GLIB),
    ('app/cli/render', f'{COMPUTING} render/* app/analysis/driver app/document app/scene', GLIB),
    ('app/cli', f'{COMPUTING} render/* app/aggregates app/analysis app/analysis/* app/scene app/installation app/presets app/document app/bench '
     'app/classroom app/jobs app/cli/render', f'{GLIB} cairo malloc mpi'),
    ('app/frames', 'data data/* app/analysis/driver', GLIB),
    ('app/measured', 'data data/* render/plot ui/plot app/jobs app/document', GLIB),
    ('app/orbitals', f'{COMPUTING} ui/orbitals ui/widgets app/analysis/driver app/analysis/orbital app/document app/installation app/jobs', f'{GLIB} gtk/'),
    ('app/lessons', f'{COMPUTING} render/plot ui/manual ui/widgets app/jobs app/document app/bench app/classroom app/installation', f'{GLIB} gtk/ cairo pango/'),
    ('app/preparing', f'{COMPUTING} ui/prepare app/jobs app/installation app/analysis/* app/document', GLIB),
    ('app/window', f'{COMPUTING} render/* ui/* app/*', f'{GLIB} gtk/ adwaita cairo malloc'),
    ('app', 'app/installation app/window', f'{GLIB} gtk/ adwaita'),
]
# Sources of the teaching variants, which their family's build compiles one by one.
STANDING_ALONE = 'kernels/ladder/'
# Within its folder only this file includes these headers: all others go through it.
ONLY_THROUGH = {'hdf5': 'data/h5/h5.h'}
# Pairs of a folder that include one another.
CIRCLES = {
    ('data/files/input', 'data/files/input_packed'): 'a packed file is an input, and is read through one',
    ('kernels/density/density_map', 'kernels/density/density_math'): 'settings are checked by the mathematics that they are for',
    ('kernels/ladder/ladder', 'kernels/ladder/ladder_bins'): 'a problem of the ladder is put into bins for its drivers',
    ('render/plot/plot', 'render/plot/plot_state'): 'layouts see what plot_private.h shows, and not what a plot holds',
}
# CONTRIBUTING's recipe: what else of the programs names an analysis, here one that other parts don't use for themselves.
ANALYSIS = 'measure'
NAMES_ANALYSIS = {'app/analysis/analysis_list.h', 'app/meson.build'}
# More is no longer seen at a glance.
MOST_FILES = 75

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')
GENERATED = ('resources.h', '.inc')


def matches(folder, patterns):
    return any(fnmatch.fnmatchcase(folder, pattern) for pattern in patterns.split())


def list_of(text, name):
    """The texts of `name = [...]` or `name = files(...)` in a meson.build."""
    found = re.search(rf'^{name} = (?:\w+ \+ )?(?:files\(|\[)(.*?)[)\]]', text, re.M | re.S)
    return re.findall(r"'([^']+)'", found[1]) if found else []


def uses_of(root, text):
    """What a meson.build links, with the analyses where it takes all."""
    takes_all = re.search(r'^uses = analysis_libraries', text, re.M)
    analyses = list_of((root / 'app/meson.build').read_text(encoding='utf-8'), 'analysis_folders') if takes_all else []
    return list_of(text, 'uses') + [f'app/{folder}' for folder in analyses]


def rows_of(root):
    own = {folder for folder, _, _ in ROWS}
    for folder, *rest in ROWS:
        found = sorted(path.parent.relative_to(root).as_posix() for path in root.glob(f'{folder}/meson.build'))
        yield from ((name, *rest) for name in found or [folder] if name == folder or name not in own)


def check_rows():
    seen = []
    for folder, uses, _ in ROWS:
        for pattern in uses.split():
            if not any(fnmatch.fnmatchcase(above, pattern) for above in seen):
                yield f'{folder}: {pattern} is no folder above it in the table'
        seen.append(folder)


def check_include(root, path, folder, row, linked, quote, header):
    """What is wrong with one include line, or None."""
    _, uses, outside = row
    beside, named = f'{folder}/{header}', header
    target = next((name for name in (beside, named) if (root / name).is_file()), None) if quote == '"' else None
    if target:
        other = target.rsplit('/', 1)[0]
        if other == folder:
            return None
        if not matches(other, uses):
            return f'{folder} may not use {other}'
        return None if other in linked else f"'{other}' is not among the uses of {folder}/meson.build"
    stem = header[:-2] if header.endswith('.h') else header
    if quote == '"' and not header.endswith(GENERATED) and not (root / f'{header}.in').is_file():
        return f'{header} is not a file of the project'
    if stem in ONLY_THROUGH and path != ONLY_THROUGH[stem]:
        return f'{header} only through {ONLY_THROUGH[stem]}'
    if quote == '"' or stem in STANDARD or stem.startswith(tuple(outside.split()) or ('\0',)):
        return None
    return f'{folder} may not include <{header}>'


def twins_of(root, folder):
    """Kernels that the folder of the family lists for both back ends."""
    family = root / 'kernels' / pathlib.Path(folder).name / 'meson.build'
    has_twins = folder.startswith(('kernels/cpu/', 'kernels/cuda/')) and family.is_file()
    return list_of(family.read_text(encoding='utf-8'), 'twins') if has_twins else []


def check_folder(root, row):
    folder, uses, _ = row
    text = (root / folder / 'meson.build').read_text(encoding='utf-8')
    linked = uses_of(root, text)
    for used in linked:
        if not matches(used, uses):
            yield f'{folder}/meson.build: {folder} may not use {used}'
    twins = twins_of(root, folder)
    files = sorted(path for pattern in ('*.c', '*.h', '*.cu', '*.cuh') for path in (root / folder).glob(pattern))
    if len(files) > MOST_FILES:
        yield f'{folder}: {len(files)} files, expected at most {MOST_FILES}'
    for path in files:
        if path.suffix in ('.c', '.cu') and f"'{path.name}'" not in text and path.stem not in twins:
            yield f'{folder}/meson.build: {path.name} is not built'
        # Folders with a meson.build of another kind link all of their row.
        known = linked if re.search(r'^uses = ', text, re.M) else [other for other, _, _ in ROWS if matches(other, uses)]
        for number, line in enumerate(path.read_text(encoding='utf-8').splitlines(), 1):
            match = INCLUDE.match(line)
            problem = match and check_include(root, path.relative_to(root).as_posix(), folder, row, known, *match.groups())
            if problem:
                yield f'{path.relative_to(root)}:{number}: {problem}'


def circles_of(root, folder):
    """Sets of pairs (x.c, x.h, x_private.h) that reach one another by include lines."""
    uses = {}
    for path in [path for pattern in ('*.c', '*.h', '*.cu', '*.cuh') for path in (root / folder).glob(pattern)]:
        included = uses.setdefault(path.stem.removesuffix('_private'), set())
        for line in path.read_text(encoding='utf-8').splitlines():
            match = INCLUDE.match(line)
            header = pathlib.Path(match[2]) if match else None
            if match and (root / folder / header.name).is_file():
                included.add(header.stem.removesuffix('_private'))
    reached = {}
    for pair in uses:
        reached[pair], waiting = set(), [pair]
        while waiting:
            for other in uses[waiting.pop()] - reached[pair]:
                reached[pair].add(other)
                waiting.append(other)
    return {tuple(sorted(f'{folder}/{other}' for other in reached[pair] if pair in reached[other])) for pair in uses}


def check_circles(root):
    found = {circle for folder, _, _ in ROWS for circle in circles_of(root, folder) if len(circle) > 1}
    for circle in sorted(found ^ CIRCLES.keys()):
        yield f'{", ".join(circle)}: ' + ('a circle without a reason' if circle in found else 'no circle any more')


def check_tree(root):
    """Folders without a row, and headers that could be taken for one another."""
    names, rows = {}, {folder for folder, _, _ in ROWS}
    for layer in sources.LAYERS:
        for pattern in ('*.c', '*.h', '*.cu', '*.cuh'):
            for path in sorted((root / layer).rglob(pattern)):
                folder = path.parent.relative_to(root).as_posix()
                if folder.startswith(STANDING_ALONE):
                    if '#include' in path.read_text(encoding='utf-8'):
                        yield f'{path.relative_to(root)}: a teaching variant includes nothing'
                elif folder not in rows:
                    yield f'{folder}: a folder without a row in the table'
                if path.suffix == '.h' and names.setdefault(path.name, path) != path:
                    yield f'{path.relative_to(root)}: {names[path.name].relative_to(root)} has the same name'


def check_analysis(root):
    """An analysis is its folder and a line in each of two lists."""
    name = re.compile(rf"analysis/{ANALYSIS}['/]|debye_analysis_{ANALYSIS}\b|debye_{ANALYSIS}_settings\b|X\({ANALYSIS}\)")
    files = {path for layer in sources.LAYERS for pattern in ('*.c', '*.h', 'meson.build') for path in (root / layer).rglob(pattern)}
    found = {path.relative_to(root).as_posix() for path in files if name.search(path.read_text(encoding='utf-8'))}
    for path in sorted({path for path in found if not path.startswith(f'app/analysis/{ANALYSIS}/')} ^ NAMES_ANALYSIS):
        yield f'{path}: {"names" if path in found else "does not name"} the analysis {ANALYSIS}, unlike the recipe in CONTRIBUTING.md'


def check_tests(root):
    """Folders of tests have no rows, and no more files than others."""
    for folder in sorted({path.parent for pattern in ('*.c', '*.h', '*.cu', '*.py', '*.sh') for path in (root / 'tests').rglob(pattern)}):
        n_files = sum(path.is_file() for path in folder.iterdir())
        if n_files > MOST_FILES:
            yield f'{folder.relative_to(root)}: {n_files} files, expected at most {MOST_FILES}'


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent.parent)
    ROWS[:] = rows_of(root)
    problems = [*check_rows(), *check_tree(root), *check_circles(root), *check_analysis(root), *check_tests(root),
                *(problem for row in ROWS for problem in check_folder(root, row))]
    print('\n'.join(problems) if problems else f'{len(ROWS)} folders keep their rows')
    return 1 if problems else 0


if __name__ == '__main__':
    sys.exit(main())
