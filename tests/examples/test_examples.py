#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The worked examples of CONTRIBUTING.md: their pages are added to a copy of the tree, which is then built and used. So an
example can't fall behind the program, and CONTRIBUTING.md names exactly the files that one touches.

test_examples.py MESON NINJA ROOT BUILD_FOLDER"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROW = re.compile(r'^\| \[[^]]*\]\((tests/examples/\w+\.md)\) \| (\d+) \+ (\d+) \| (.*) \|$', re.M)
BLOCK = re.compile(r'^#+ `([^`]+)`\n(?:(?!```|#)[^\n]*\n)*```(\w+)\n(.*?)^```$', re.M | re.S)
# What the copy is made like the build folder by: the compiler's cache then has all but what the examples change.
OPTIONS = ('optimization', 'debug', 'b_sanitize', 'b_ndebug', 'c_args', 'c_link_args', 'werror', 'cuda', 'gpu_architectures', 'mpi')
# What is counted apart from the program's own files.
BESIDE = ('tests/', 'app/help/')


def run(*command, **options):
    done = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          encoding='utf-8', check=False, **options)
    assert done.returncode == 0, f'{command[:4]}: exit {done.returncode}: {done.stdout[-6000:]}'
    return done.stdout


def read_page(path):
    """Path: ('diff' or another language, text), in the page's order."""
    text = path.read_text(encoding='utf-8')
    blocks = {match[1]: (match[2], match[3]) for match in BLOCK.finditer(text)}
    assert len(blocks) == len(re.findall(r'^#+ `', text, re.M)) > 0, f'{path}: a heading that names a file without a block'
    return blocks


def check_names(root):
    """Each example's row names the files of its page, those of a new folder by the folder."""
    text = (root / 'CONTRIBUTING.md').read_text(encoding='utf-8')
    pages = {}
    for page, n_code, n_beside, cell in ROW.findall(text):
        blocks = pages[page] = read_page(root / page)
        named = set(re.findall(r'`([^`]+)`', cell))
        found = {path if (root / path).parent.is_dir() else f'{path.rsplit("/", 1)[0]}/' for path in blocks}
        assert found == named, f'CONTRIBUTING.md, {page}: {sorted(found ^ named)}'
        beside = {path for path in found if path.startswith(BESIDE)}
        code = {path for path in found - beside if not path.endswith('/')}
        assert (len(code), len(beside)) == (int(n_code), int(n_beside)), f'CONTRIBUTING.md, {page}: {len(code)} + {len(beside)} files'
    assert pages.keys() == {f'tests/examples/{path.name}' for path in (root / 'tests/examples').glob('*.md')}, pages.keys()
    return pages


def replace(path, changes):
    """Hunks as diff writes them, separated by @@; what is shown must stand in the file once."""
    text = path.read_text(encoding='utf-8')
    for hunk in changes.split('@@\n'):
        lines = hunk.rstrip('\n').split('\n')
        before = '\n'.join(line[1:] for line in lines if not line.startswith('+'))
        after = '\n'.join(line[1:] for line in lines if not line.startswith('-'))
        assert text.count(before) == 1, f'{path.name}: {before!r} stands there {text.count(before)} times'
        text = text.replace(before, after)
    path.write_text(text, encoding='utf-8')


def copy_tree(root, copy):
    for path in root.iterdir():
        if path.is_dir() and (path / 'meson.build').is_file() or path.name in ('tests', 'flatpak'):
            shutil.copytree(path, copy / path.name, symlinks=True, ignore=shutil.ignore_patterns('__pycache__'))
        elif path.is_file() and path.name != '.git':
            shutil.copy2(path, copy / path.name)


def add(pages, root):
    for blocks in pages.values():
        for name, (language, text) in blocks.items():
            path = root / name
            if language == 'diff':
                replace(path, text)
            else:
                assert not path.exists(), f'{name} is there already'
                path.parent.mkdir(exist_ok=True)
                path.write_text(text, encoding='utf-8')


def set_up(meson, copy, build, name):
    """A build folder at the same place, so that paths are the same, without a window, which no example needs."""
    known = {option['name']: option['value']
             for option in json.loads((build / 'meson-info' / 'intro-buildoptions.json').read_text(encoding='utf-8'))}
    options = [f'-D{key}={",".join(known[key]) if isinstance(known[key], list) else str(known[key]).lower()}'
               for key in OPTIONS if key in known and known[key] not in ([], '')]
    run(meson, 'setup', copy / name, copy, '-Dgui=disabled', *options)


def build_examples(ninja, built):
    run(ninja, '-C', built, 'app/debye-cli', 'tests/kernels/test_charge_moment')
    cuda = [line.split(':')[0] for line in run(ninja, '-C', built, '-t', 'targets', 'all').splitlines()
            if 'potential_charge_moment.cu.o' in line]
    if cuda:
        run(ninja, '-C', built, *cuda)


def check_sources(root, copy, pages):
    """The checks of all sources hold with the examples, and all that they say has its German."""
    for name in ('layers', 'messages', 'manual_languages'):
        run(sys.executable, copy / f'tests/check_{name}.py', copy)
    if shutil.which('msgfmt'):
        debts = [set(re.findall('no translation of (.*)', run(sys.executable, tree / 'tests/check_translations.py', tree)))
                 for tree in (root, copy)]
        assert debts[0] == debts[1], f'no German: {sorted(debts[1] - debts[0])}'
    formatter = shutil.which('clang-format-14')
    if formatter:
        sources = [copy / path for blocks in pages.values() for path in blocks if path.endswith(('.c', '.h', '.cu'))]
        run(formatter, '--dry-run', '-Werror', *sources, cwd=copy)


def use_format(cli, copy, environment, folder):
    page = (copy / 'tests/examples/format.md').read_text(encoding='utf-8')
    (folder / 'water.points').write_text(re.search(r'^```text\n(.*?)^```$', page, re.M | re.S)[1], encoding='utf-8')
    told = json.loads(run(cli, 'info', '--json', '--quiet', 'water.points', cwd=folder, env=environment))
    assert told['format'] == ['points'] and told['atoms'] == 3 and told['elements'] == {'H': 2, 'O': 1}, told
    run(cli, 'export', '-o', 'water.xyz', 'water.points', cwd=folder, env=environment)
    rows = (folder / 'water.xyz').read_text(encoding='utf-8').splitlines()
    assert rows[0].strip() == '3' and rows[3].split()[0] == 'H' and float(rows[3].split()[1]) == 0.9572, rows
    (folder / 'cut.points').write_text('points 3\nO 0 0 0\n', encoding='utf-8')
    done = subprocess.run([cli, 'info', 'cut.points'], cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode != 0 and 'cut.points' in done.stderr, done.stderr


def use_analysis(cli, copy, environment, folder):
    samples = copy / 'data/samples'
    files = [samples / 'water.psf', samples / 'water.xtc']
    for more, column in ((), 'volume'), (('--relative',), 'relative_volume'):
        run(cli, 'volume', *more, '--frames', '0:8:4', '-o', 'volume.csv', *files, cwd=folder, env=environment)
        rows = [line.split(',') for line in (folder / 'volume.csv').read_text(encoding='utf-8').splitlines()
                if not line.startswith('#')]
        assert len(rows) == 4 and column in rows[0][1], rows
    assert float(rows[1][1]) == 1.0, rows
    run(cli, 'volume', '--frames', '0:8:4', '-o', 'volume.h5', *files, cwd=folder, env=environment)
    run(cli, 'rerun', '-o', 'again.csv', 'volume.h5', cwd=folder, env=environment)
    run(sys.executable, copy / 'tests/golden/golden.py', '--write', 'volume', env=environment)
    assert (copy / 'tests/golden/results/volume.json').is_file()


def main():
    meson, ninja, root, build = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3]), pathlib.Path(sys.argv[4])
    pages = check_names(root)
    with tempfile.TemporaryDirectory() as name:
        copy = pathlib.Path(name) / 'debye'
        copy.mkdir()
        copy_tree(root, copy)
        add(pages, copy)
        check_sources(root, copy, pages)
        place = build.relative_to(root) if build.is_relative_to(root) else pathlib.Path('build-examples')
        set_up(meson, copy, build, place)
        built = copy / place
        build_examples(ninja, built)
        cli, folder = built / 'app/debye-cli', pathlib.Path(name)
        environment = {**os.environ, 'LC_ALL': 'C.UTF-8', 'DEBYE_CLI': str(cli), 'DEBYE_BACKEND_DIR': '/nonexistent',
                       'DEBYE_SAMPLES_DIR': str(copy / 'data/samples'), 'XDG_CACHE_HOME': name}
        run(built / 'tests/kernels/test_charge_moment', env=environment)
        use_format(cli, copy, environment, folder)
        use_analysis(cli, copy, environment, folder)
        run(sys.executable, copy / 'tests/app/test_manual.py', env=environment)
    print(f'{len(pages)} examples of CONTRIBUTING.md were built and used')


if __name__ == '__main__':
    main()
