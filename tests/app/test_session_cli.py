#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""debye-cli render of a session that the window saved: along the views that it keeps, where its files have moved or changed,
and with options that would count for nothing."""
import hashlib
import json
import os
import pathlib
import shutil
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import cli  # noqa: E402

SAMPLES = pathlib.Path(os.environ['DEBYE_SAMPLES_DIR'])
ATOMS = '4\nbent\nC 0 0 0\nO 2 0 0\nN 0 3 0\nS 0 0 4\n'
HALF = 0.7071068
FRONT = {'orientation': [0, 0, 0, 1], 'target': [1, 1, 2], 'height': 12.0, 'perspective': False, 'field-of-view': 24}
SIDE = {**FRONT, 'orientation': [0, HALF, 0, HALF], 'height': 8.0}
LAYER = {'kind': 'atoms', 'selection': 'all', 'properties': {'name': 'All', 'style': 1, 'visible': True}}


class SessionTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix='debye-session-cli-'))
        self.home = self.folder / 'home'
        self.home.mkdir()
        self.atoms = self.home / 'atoms.xyz'
        self.atoms.write_text(ATOMS, encoding='ascii')
        self.session = self.write('one.debye', FRONT, [FRONT, SIDE])

    def tearDown(self):
        shutil.rmtree(self.folder)

    def write(self, name, camera, views, files=('atoms.xyz',)):
        described = []
        for file in map(self.home.joinpath, files):
            content = file.read_bytes()
            described.append({'path': file.name, 'absolute': str(file), 'size': len(content), 'sha256-of': 'all',
                              'sha256': hashlib.sha256(content).hexdigest()})
        scene = {'camera': camera, 'views': views, 'layers': [LAYER]}
        path = self.home / name
        path.write_text(json.dumps({'debye-session': 1, 'files': described, 'scene': scene, 'frame': 0}), encoding='utf-8')
        return path

    def render(self, session, *arguments):
        return cli.run('render', '--size', '96x64', '--samples', '1', '-o', self.folder / 'a.png', *arguments, session)

    def pictures(self, session, *arguments):
        done = self.render(session, *arguments)
        self.assertEqual((done.returncode, done.stderr.count('warning')), (0, 0), done.stderr)
        paths = sorted(self.folder.glob('a*.png'))
        seen = [path.read_bytes() for path in paths]
        for path in paths:
            path.unlink()
        return seen

    def refused(self, status, text, session, *arguments):
        done = self.render(session, *arguments)
        self.assertEqual(done.returncode, status, done.stderr)
        self.assertIn(text, done.stderr)
        self.assertEqual(list(self.folder.glob('a*.png')), [])

    def test_from_view_to_view(self):
        seen = self.pictures(self.session, '--cameras', 'views', '--pictures', '3')
        self.assertEqual(len(set(seen)), 3)
        self.assertEqual([seen[0]], self.pictures(self.session))
        self.assertEqual([seen[2]], self.pictures(self.write('side.debye', SIDE, [])))

    def test_a_path_needs_two_views(self):
        for views in ([], [FRONT]):
            self.refused(2, f'expected at least two views, found {len(views)}', self.write('few.debye', FRONT, views),
                         '--cameras', 'views')

    def test_the_camera_moves_from_where_it_was(self):
        turned = self.pictures(self.session, '--turn', '90', '--pictures', '3')
        path = self.pictures(self.session, '--cameras', '0,0,1; 30,0,2', '--pictures', '2')
        self.assertEqual(len({*turned, *path}), 4)
        self.assertEqual(turned[0], path[0])

    def test_options_that_would_count_for_nothing(self):
        for name, value in (('frames', '0:3'), ('style', 'spheres'), ('surface', '2'), ('map', 'a.dx'), ('map-frames', '0'),
                            ('method', 'ewald')):
            with self.subTest(name):
                self.refused(2, f'--{name}: a session', self.session, f'--{name}', value)
        self.assertEqual(len(self.pictures(self.session, '--threads', '1', '--scale', '2', '--transparent')), 1)

    def test_moved_together_and_alone(self):
        here = self.pictures(self.session)
        alone = self.folder / 'alone.debye'
        shutil.copy(self.session, alone)
        self.assertEqual(self.pictures(alone), here)
        other = self.folder / 'other'
        self.home.rename(other)
        self.assertEqual(self.pictures(other / 'one.debye'), here)
        self.refused(1, 'None of the session', alone)

    def test_a_file_that_has_changed(self):
        self.atoms.write_text(ATOMS.replace('bent', 'tent'), encoding='ascii')
        self.refused(1, 'atoms.xyz: Has changed: the same size, another content', self.session, '--strict')
        done = self.render(self.session)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn('warning: atoms.xyz: Has changed', done.stderr)

    def test_nothing_left_to_draw(self):
        """Of two files the one with the coordinates is gone: an empty picture would say that all went well."""
        for name in ('argon.psf', 'argon.xtc'):
            shutil.copy(SAMPLES / name, self.home)
        session = self.write('argon.debye', FRONT, [], ('argon.psf', 'argon.xtc'))
        self.assertEqual(len(self.pictures(session)), 1)
        (self.home / 'argon.xtc').unlink()
        self.refused(1, 'nothing of the session is left to draw: argon.xtc: Not found', session)


if __name__ == '__main__':
    unittest.main()
