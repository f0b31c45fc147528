#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`meson install` into DESTDIR puts everything there and nothing elsewhere, what was installed works, and uninstalling
leaves nothing: check_install.py MESON NINJA BUILD_FOLDER PREFIX [window]."""
import os
import pathlib
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

WINDOW = [
    'bin/debye',
    'share/applications/org.debye.Debye.desktop',
    'share/bash-completion/completions/debye.bash',
    'share/dbus-1/services/org.debye.Debye.service',
    'share/fish/vendor_completions.d/debye.fish',
    'share/glib-2.0/schemas/org.debye.Debye.gschema.xml',
    'share/icons/hicolor/scalable/apps/org.debye.Debye.svg',
    'share/icons/hicolor/symbolic/apps/org.debye.Debye-symbolic.svg',
    'share/man/de/man1/debye.1',
    'share/man/man1/debye.1',
    'share/metainfo/org.debye.Debye.metainfo.xml',
    'share/mime/packages/org.debye.Debye.xml',
    'share/zsh/site-functions/_debye',
]
ALWAYS = [
    'bin/debye-cli',
    'libexec/debye-kernel-runner',
    'share/bash-completion/completions/debye-cli.bash',
    'share/debye/samples/index.ini',
    'share/doc/debye/manual/de/commands.md',
    'share/doc/debye/manual/de/messages.md',
    'share/doc/debye/manual/de/start.md',
    'share/doc/debye/manual/start.md',
    'share/man/de/man1/debye-cli.1',
    'share/man/man1/debye-cli.1',
]
MIME = '{http://www.freedesktop.org/standards/shared-mime-info}'


def run(*command, **options):
    done = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          check=False, **options)
    assert done.returncode == 0, f'{command}: {done.stdout}'
    return done.stdout


def files_of(folder):
    return sorted(path for path in folder.rglob('*') if not path.is_dir())


def check_desktop(root):
    """The types that the desktop entry takes are those that are described, and the service starts what is there."""
    described = {node.get('type') for node in
                 xml.etree.ElementTree.parse(root / 'share/mime/packages/org.debye.Debye.xml').iter(MIME + 'mime-type')}
    entry = (root / 'share/applications/org.debye.Debye.desktop').read_text(encoding='utf-8')
    line = next(line for line in entry.splitlines() if line.startswith('MimeType='))
    taken = set(line.removeprefix('MimeType=').rstrip(';').split(';'))
    assert taken == described, taken ^ described
    service = (root / 'share/dbus-1/services/org.debye.Debye.service').read_text(encoding='utf-8')
    assert f'Exec={sys.argv[4]}/bin/debye --gapplication-service' in service, service


def main():
    meson, ninja, build = sys.argv[1:4]
    prefix = sys.argv[4].lstrip('/')
    has_window = 'window' in sys.argv[5:]
    with tempfile.TemporaryDirectory(prefix='debye-install-') as name:
        destination = pathlib.Path(name)
        environment = {**os.environ, 'DESTDIR': name}
        run(meson, 'install', '--no-rebuild', '--quiet', '-C', build, env=environment)
        root = destination / prefix
        for path in ALWAYS + (WINDOW if has_window else []):
            assert (root / path).is_file(), f'{path} is not installed'
        outside = [path for path in files_of(destination) if not path.is_relative_to(root)]
        assert not outside, f'installed outside of the prefix: {outside}'
        assert '0.' in run(root / 'bin/debye-cli', '--version')
        if has_window:
            check_desktop(root)
        run(ninja, '-C', build, 'uninstall', env=environment)
        left = files_of(destination)
        assert not left, f'left after uninstalling: {left}'


if __name__ == '__main__':
    main()
