#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The packages' descriptions speak of one program: check_packages.py ROOT. One version in all of them, a runtime of one
version, sources with a checksum, the CUDA extension's module, name and folder as the program looks for them, and Debian's CUDA
module as hard as its programs. Building the packages (flatpak/README.md) takes minutes, this none."""
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree


def read_json(path):
    return json.loads(path.read_text(encoding='utf-8'))


def find(pattern, path):
    found = re.search(pattern, path.read_text(encoding='utf-8'))
    assert found, f'{path}: nothing like {pattern}'
    return found.group(1)


def check_versions(root, packages):
    wanted = find(r"version: '([0-9.]+)'", root / 'meson.build')
    release = xml.etree.ElementTree.parse(packages / 'org.debye.Debye.metainfo.xml').find('releases/release')
    assert release.get('version') == wanted, f'AppStream: newest release {release.get("version")}, not {wanted}'
    debian = find(r'debye \(([^)]+)\)', packages / 'debian/changelog')
    assert debian == wanted, f'Debian: version {debian}, not {wanted}'


def check_maintainer(packages):
    """Nobody's address is made up: one of a name that is reserved for that, until who builds the packages says theirs."""
    maintainer = find(r'Maintainer: (.*)', packages / 'debian/control')
    assert maintainer.endswith('.invalid>'), maintainer
    for name in ('debian/changelog', 'build-deb.sh'):
        assert maintainer in (packages / name).read_text(encoding='utf-8'), f'{name}: not {maintainer}'


def check_named_maintainer(packages):
    """Who builds the packages, whatever letters the name has."""
    script = (packages / 'build-deb.sh').read_text(encoding='utf-8')
    naming = re.search(r'^if \[ -n "\$\{DEBEMAIL.*?^fi$', script, re.MULTILINE | re.DOTALL)
    assert naming, 'build-deb.sh: no maintainer by DEBEMAIL'
    for name in ('Smith & Co', r'a|b\c/d'):
        with tempfile.TemporaryDirectory() as work:
            shutil.copytree(packages / 'debian', pathlib.Path(work, 'debye/debian'))
            settings = {**os.environ, 'work': work, 'DEBEMAIL': 'me@example.org', 'DEBFULLNAME': name}
            subprocess.run(['bash', '-euc', naming.group()], env=settings, check=True)
            for file in ('control', 'changelog'):
                text = pathlib.Path(work, 'debye/debian', file).read_text(encoding='utf-8')
                assert f'{name} <me@example.org>' in text and '.invalid' not in text, f'{file}: not {name}'


def check_sources(manifest):
    for module in manifest['modules']:
        for source in module['sources']:
            if source['type'] == 'archive':
                assert re.fullmatch('[0-9a-f]{64}', source['sha256']), f'{module["name"]}: no checksum'


def check_extension(root, manifest, extension):
    assert list(manifest['add-extensions']) == [extension['id']], extension['id']
    point = manifest['add-extensions'][extension['id']]
    assert point['version'] == extension['branch'], 'the extension has another branch than is asked for'
    sdk = f'{manifest["sdk"]}//{manifest["runtime-version"]}'
    assert extension['sdk'] == sdk, f'{extension["sdk"]}, not {sdk}'
    program = manifest['modules'][-1]
    # The folder where modules are looked for, with its place of installation as in meson.build; it is mounted over.
    assert find(r"backend_dir = prefix / get_option\('libdir'\) / '(.*)'", root / 'meson.build') == 'debye'
    assert '-Dlibdir=lib' in program['config-opts'] and point['directory'] == 'lib/debye', point['directory']
    assert program['post-install'] == [f'mkdir -p /app/{point["directory"]}'], 'no folder to mount the extension on'
    module = find(r"shared_module\('(.*)'", root / 'kernels/cuda/meson.build') + '.so'
    part = extension['modules'][0]
    assert pathlib.PurePath(part['sources'][0]['path']).name == module, f'{part["sources"]}: not {module}'
    assert part['build-commands'] == [f'install -D -m 755 {module} "$FLATPAK_DEST/{module}"'], part['build-commands']


def read_debian_options(packages, profile):
    """What meson is given in Debian's build."""
    rules = ['make', '-n', '-f', packages / 'debian/rules', f'DEB_BUILD_PROFILES={profile}', 'override_dh_auto_configure']
    words = shlex.split(subprocess.run(rules, check=True, capture_output=True, text=True).stdout)
    return dict(word[2:].split('=', 1) for word in words if word.startswith('-D'))


def check_debian_module(packages):
    assert read_debian_options(packages, '')['cuda'] == 'disabled', 'CUDA without its profile'
    assert read_debian_options(packages, 'pkg.debye.cuda') == {'tests': 'false', 'cuda': 'enabled', 'gpu_architectures': 'all'}, \
        'no CUDA for all GPUs in its profile'
    # So that nvcc takes dpkg's LDFLAGS and the host's part dpkg's CFLAGS.
    build = (packages.parent / 'meson.build').read_text(encoding='utf-8')
    for words in ("add_project_link_arguments('--forward-unknown-to-host-compiler', language: 'cuda')", "get_option('c_args')"):
        assert words in build, words


def main():
    root = pathlib.Path(sys.argv[1])
    packages = root / 'flatpak'
    manifest = read_json(packages / 'org.debye.Debye.json')
    check_versions(root, packages)
    check_maintainer(packages)
    check_named_maintainer(packages)
    check_sources(manifest)
    check_extension(root, manifest, read_json(packages / 'org.debye.Debye.Cuda.json'))
    check_debian_module(packages)


if __name__ == '__main__':
    main()
