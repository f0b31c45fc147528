#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""debye-cli with a session that the window saved. render: along the views that it keeps, where its files have moved or changed,
and with options that would count for nothing; info."""
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
import png_pixels  # noqa: E402

SAMPLES = pathlib.Path(os.environ['DEBYE_SAMPLES_DIR'])
TORN = '2\nLattice="10 0 0 0 10 0 0 0 10"\nC 9.6 0 0\nO 0.7 0 0\n'
ATOMS = '4\nbent\nC 0 0 0\nO 2 0 0\nN 0 3 0\nS 0 0 4\n'
MODES = '''[Molden Format]
[FREQ]
1600
3700
[FR-COORD]
O 0 0 0
H 0 2 0
H 0 0 2
[FR-NORM-COORD]
vibration 1
0 0 0
0 0 1
0 -1 0
vibration 2
0 0 0
0 1 0
0 0 1
'''
HALF = 0.7071068
FRONT = {'orientation': [0, 0, 0, 1], 'target': [1, 1, 2], 'height': 12.0, 'perspective': False, 'field-of-view': 24}
SIDE = {**FRONT, 'orientation': [0, HALF, 0, HALF], 'height': 8.0}
LAYER = {'kind': 'atoms', 'selection': 'all', 'properties': {'name': 'All', 'style': 1, 'visible': True}}


class SessionCase(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix='debye-session-cli-'))
        self.home = self.folder / 'home'
        self.home.mkdir()
        self.atoms = self.home / 'atoms.xyz'
        self.atoms.write_text(ATOMS, encoding='ascii')
        self.session = self.write('one.debye', FRONT, [FRONT, SIDE])

    def tearDown(self):
        shutil.rmtree(self.folder)

    def write(self, name, camera, views, files=('atoms.xyz',), layers=(LAYER,), look=None, **members):
        described = []
        for file in map(self.home.joinpath, files):
            content = file.read_bytes()
            described.append({'path': file.name, 'absolute': str(file), 'size': len(content), 'sha256-of': 'all',
                              'sha256': hashlib.sha256(content).hexdigest()})
        scene = {'camera': camera, 'views': views, 'layers': layers, **({'look': look} if look else {})}
        path = self.home / name
        path.write_text(json.dumps({'debye-session': 1, 'files': described, 'scene': scene, 'frame': 0, **members}), encoding='utf-8')
        return path


class SessionTest(SessionCase):
    def render(self, session, *arguments):
        return cli.run('render', '--size', '96x64', '--samples', '1', '-o', self.folder / 'a.png', *arguments, session)

    def pictures(self, session, *arguments):
        done = self.render(session, *arguments)
        self.assertEqual((done.returncode, done.stderr.count('warning')), (0, 0), done.stderr)
        paths = sorted(self.folder.glob('a*.png'))
        seen = [png_pixels.drawn(path) for path in paths]
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

    def test_a_preset_keeps_what_was_set_of_the_look(self):
        """But for background and outline: figures are on white paper."""
        look = {'brightness': 0.4, 'axes': True, 'outline': 0.0, 'background': [0, 0, 0.5, 1]}
        usual = self.write('usual.debye', FRONT, [], look=look)
        own = self.write('own.debye', FRONT, [], look={**look, 'own': list(look)})
        plain = self.pictures(self.session, '--preset', 'figure')
        self.assertEqual(self.pictures(usual, '--preset', 'figure'), plain)
        self.assertEqual(self.pictures(own, '--preset', 'figure'),
                         self.pictures(self.session, '--preset', 'figure', '--brightness', '0.4', '--axes'))
        self.assertEqual(self.pictures(own, '--preset', 'figure', '--brightness', '1', '--axes=false'), plain)

    def test_molecules_are_placed_as_the_window_had_them(self):
        (self.home / 'torn.xyz').write_text(TORN, encoding='ascii')
        (self.home / 'mended.xyz').write_text(TORN.replace('O 0.7', 'O 10.7'), encoding='ascii')
        front = {**FRONT, 'target': [5, 0, 0], 'height': 16.0}

        def picture(name, **properties):
            box = {'kind': 'box', 'properties': {'name': 'Box', 'visible': False, **properties}}
            return self.pictures(self.write(f'{name}.debye', front, [], (f'{name}.xyz',), (LAYER, box)))
        torn, whole = picture('torn'), picture('torn', molecules=1)
        self.assertEqual(torn, picture('torn', molecules=0))
        self.assertNotEqual(torn, whole)
        self.assertEqual(whole, picture('mended'))
        self.assertNotEqual(whole, picture('torn', molecules=2), 'its centre is beyond the face')

    def test_what_counts_is_as_the_window_had_it(self):
        sites = [f'HETATM    {i}  C  {label}LIG A   1    {x:8.3f}   0.000   0.000  {occupancy}0  0.00           C\n'
                 for i, (label, x, occupancy) in enumerate((('A', -2.0, 0.6), ('B', 2.0, 0.4)))]
        for name, lines in (('both', sites), ('A', sites[:1]), ('B', sites[1:])):
            (self.home / f'{name}.pdb').write_text(''.join(lines), encoding='ascii')
        box = {'kind': 'box', 'properties': {'name': 'Box', 'visible': True}}

        def picture(file, **members):
            done = self.render(self.write('counting.debye', {**FRONT, 'target': [0, 0, 0]}, [], (f'{file}.pdb',), (LAYER, box), **members))
            self.assertEqual(done.returncode, 0, done.stderr)
            return png_pixels.drawn(self.folder / 'a.png')
        self.assertEqual(picture('both'), picture('A'), 'a session that says nothing')
        self.assertEqual(picture('both', altloc='highest', cell='file'), picture('A'))
        self.assertEqual(picture('both', altloc='B', cell='4,5,6'), picture('B', cell='4,5,6'))
        self.assertEqual(len({picture('both', altloc='all'), picture('A'), picture('B'), picture('B', cell='4,5,6')}), 4)

    def test_the_unit_of_length_is_as_the_window_had_it(self):
        """Of a file that doesn't say it; of one that does a session's has no meaning."""
        (self.home / 'a.d').write_text('0.5 0.5 0.5\n2\n0 0 0\n0.1 0.2 0\n', encoding='ascii')
        (self.home / 'b.d').write_text('5 5 5\n2\n0 0 0\n1 2 0\n', encoding='ascii')

        def picture(file, **members):
            done = self.render(self.write('unit.debye', FRONT, [], (file,), **members))
            self.assertEqual(done.returncode, 0, done.stderr)
            return png_pixels.drawn(self.folder / 'a.png')
        # Bonds are of the distances as they are in the end.
        self.assertNotEqual(picture('a.d'), picture('b.d'))
        self.assertEqual(picture('a.d', length_unit='nm'), picture('b.d', length_unit='angstrom'))
        self.assertEqual(picture('atoms.xyz', length_unit='nm'), picture('atoms.xyz'))

    def test_another_frame(self):
        """The camera stays; a picture of a series is the one of its frame alone, and of a session that was saved there."""
        files = ('argon.psf', 'argon.xtc')
        for name in files:
            shutil.copy(SAMPLES / name, self.home)
        view = {**FRONT, 'height': 60.0}
        session = self.write('argon.debye', view, [], files)
        first, third = self.pictures(session, '--frames', '0'), self.pictures(session, '--frames', '2')
        self.assertEqual(first, self.pictures(session))
        self.assertNotEqual(first, third)
        self.assertEqual(third, self.pictures(self.write('third.debye', view, [], files, frame=2)))
        self.assertEqual(self.pictures(session, '--frames', '0:2'), [*first, *self.pictures(session, '--frames', '1'), *third])
        self.refused(1, 'expected a first frame', session, '--frames', '99999')

    def vibrating(self, mode, **members):
        self.home.joinpath('modes.molden').write_text(MODES, encoding='ascii')
        camera = {**FRONT, 'orientation': [0, HALF, 0, HALF], 'target': [0, 0.5, 0.5], 'height': 6.0}
        return self.write('modes.debye', camera, [], files=('modes.molden',), vibration={'mode': mode, **members})

    def test_a_vibration(self):
        """A picture alone and frames of the file stand still; a series is of whole periods, so that it goes on with its first."""
        session = self.vibrating(2, amplitude=1.0)
        still, = self.pictures(session)
        self.assertEqual(self.pictures(session, '--frames', '0', '--pictures', '3'), [still] * 3)
        there = self.pictures(session, '--pictures', '24')
        self.assertEqual((there[0], there[12]), (still, still))
        self.assertEqual((there[1:6], there[13:18]), (there[11:6:-1], there[23:18:-1]))
        self.assertEqual(len({str(one) for one in [still, *there[1:7], *there[13:19]]}), 13)
        twice = self.pictures(session, '--pictures', '48')
        self.assertEqual((twice[:24], twice[24:]), (there, there))
        small = self.pictures(self.vibrating(2, amplitude=0.1), '--pictures', '24')
        other = self.pictures(self.vibrating(1, amplitude=1.0), '--pictures', '24')
        self.assertEqual((small[0], other[0]), (still, still))
        self.assertNotIn(there[6], (still, small[6], other[6]))
        done = cli.run('render', '--size', '96x64', '--samples', '1', '--rate', '50', '-o', self.folder / 'a.gif', session)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual((self.folder / 'a.gif').read_bytes().count(b'\x21\xf9\x04'), 120)

    def test_a_mode_that_is_gone(self):
        session = self.vibrating(7)
        self.refused(1, 'the session plays mode 7, which its files don\'t have', session, '--pictures', '24')
        self.assertEqual(len(self.pictures(session)), 1)

    def test_layers_are_changed_and_added(self):
        """By name; a series draws each frame so, and what is no name is a selection."""
        before = self.pictures(self.session)
        changed = self.pictures(self.session, '--layer', 'All: spheres, opacity 0.5')
        style = {**LAYER, 'properties': {**LAYER['properties'], 'style': 0, 'opacity': 0.5}}
        self.assertNotEqual(before, changed)
        self.assertEqual(changed, self.pictures(self.write('spheres.debye', FRONT, [], layers=(style,))))
        self.assertNotEqual(before, self.pictures(self.session, '--layer', 'element C: spheres, red'))
        self.refused(2, 'have no property “size”', self.session, '--layer', 'All: size 3')
        self.refused(1, 'no atom has the name', self.session, '--layer', 'Most: sticks')

    def test_words_and_cameras(self):
        """Legends, axes, and the camera, whose file another session takes."""
        plain, axes = self.pictures(self.session), self.pictures(self.session, '--axes=false')
        self.assertNotEqual(plain, axes)
        camera = str(self.folder / 'view.camera')
        turned = self.pictures(self.session, '--orbit', '40,10', '--camera', camera)
        self.assertNotEqual(plain, turned)
        self.assertEqual(turned, self.pictures(self.write('side.debye', SIDE, []), '--camera', camera))

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
        for name, value in (('style', 'spheres'), ('surface', '2'), ('map', 'a.dx'), ('map-frames', '0'),
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


class Told(SessionCase):
    """debye-cli info of a session."""

    def setUp(self):
        super().setUp()
        done = cli.run('rdf', '--pair', 'all', 'all', '--max', '4', '-o', 'g.h5', 'atoms.xyz', folder=self.home)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.session = self.write('two.debye', FRONT, [FRONT, SIDE], ('atoms.xyz', 'g.h5'))
        saved = json.loads(self.session.read_text(encoding='utf-8'))
        saved.update(program='9.8', frame=3, forms={'map': {}, 'rdf': {'pair': 'all | element O', 'bins': '30'}, 'new': {'x': '1'}})
        hidden = {'kind': 'slice', 'source': 'a.dx', 'properties': {'name': 'A slice', 'visible': False}}
        saved['scene']['layers'].append(hidden)
        self.session.write_text(json.dumps(saved), encoding='utf-8')

    def states(self, session, **options):
        return [file['state'] for file in cli.run_json('info', session, **options)['files']]

    def test_gone_when_it_was_saved(self):
        """What a session was saved without is whatever file is there now."""
        told = json.loads(self.session.read_text(encoding='utf-8'))
        told['files'][0] = {'path': 'atoms.xyz', 'absolute': str(self.atoms), 'missing': True}
        path = self.home / 'gone.debye'
        path.write_text(json.dumps(told), encoding='utf-8')
        file = cli.run_json('info', path)['files'][0]
        self.assertEqual((file['state'], file['size'], file['sha256']), ('ok', None, None))
        self.atoms.unlink()
        self.assertEqual(cli.run_json('info', path)['files'][0]['state'], 'missing')

    def test_all_of_it(self):
        told = cli.run_json('info', self.session)
        self.assertEqual((told['format'], told['program'], told['frame'], told['views'], told['warnings']),
                         (['session'], '9.8', 3, 2, []))
        content = self.atoms.read_bytes()
        self.assertEqual(told['files'][0], {'path': str(self.atoms), 'state': 'ok', 'saved_path': str(self.atoms),
                                            'size': len(content), 'sha256': hashlib.sha256(content).hexdigest(),
                                            'sha256_of': 'all', 'analysis': None})
        self.assertEqual([(file['state'], file['analysis']) for file in told['files']], [('ok', None), ('ok', 'rdf')])
        self.assertEqual(told['layers'], [
            {'kind': 'atoms', 'name': 'All', 'visible': True, 'selection': 'all', 'source': None},
            {'kind': 'slice', 'name': 'A slice', 'visible': False, 'selection': None, 'source': 'a.dx'}])
        self.assertEqual(told['analyses'], [
            {'id': 'new', 'settings': {'x': '1'}, 'command_line': None},
            {'id': 'rdf', 'settings': {'bins': '30', 'pair': 'all | element O'},
             'command_line': "debye-cli rdf --pair all 'element O' --bins 30"}])

    def test_in_words(self):
        done = cli.run('info', self.session)
        self.assertEqual((done.returncode, done.stderr), (0, ''))
        for line in ('two.debye (session, saved by Debye 9.8)', f'\n  ok          {self.home}/g.h5 (result of rdf)\n',
                     '\nLayers        2\n', '\n  atoms       All, of “all”\n', '\n  slice       A slice, of a.dx, hidden\n',
                     "debye-cli rdf --pair all 'element O' --bins 30\n", '\n  new         not known to this version\n'):
            self.assertIn(line, done.stdout)

    def test_files_that_moved_changed_and_are_gone(self):
        alone = self.folder / 'alone.debye'
        shutil.copy(self.session, alone)
        self.assertEqual(self.states(alone), ['ok', 'ok'])
        other = self.folder / 'other'
        self.home.rename(other)
        self.assertEqual(self.states(other / 'two.debye'), ['moved', 'moved'])
        self.assertEqual(self.states(alone), ['missing', 'missing'])
        (other / 'atoms.xyz').write_text(ATOMS.replace('bent', 'tent'), encoding='ascii')
        (other / 'g.h5').unlink()
        done = cli.run('info', other / 'two.debye')
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn('warning: atoms.xyz: Has changed', done.stderr)
        self.assertEqual(self.states(other / 'two.debye'), ['changed', 'missing'])
        done = cli.run('info', '--strict', other / 'two.debye')
        self.assertEqual(done.returncode, 1)
        self.assertIn('atoms.xyz: Has changed', done.stderr)

    def test_what_is_none(self):
        for content, told in (('{}', 'not a session'), ('[1', 'expected'), ('{"debye-session": 99}', 'a newer Debye wrote it')):
            (self.folder / 'x.debye').write_text(content, encoding='ascii')
            done = cli.run('info', self.folder / 'x.debye')
            self.assertEqual(done.returncode, 1)
            self.assertIn(told, done.stderr)
        done = cli.run('info', self.session, self.atoms)
        self.assertEqual(done.returncode, 2)
        self.assertIn('is a session: expected it alone', done.stderr)


if __name__ == '__main__':
    unittest.main()
