#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Series and films of debye-cli render: how many pictures, what moves, and what a film file holds."""
import os
import pathlib
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import cli  # noqa: E402

SAMPLES = pathlib.Path(os.environ['DEBYE_SAMPLES_DIR'])
HELIX = (SAMPLES / 'helix.psf', SAMPLES / 'helix.xtc')
HAS_GSTREAMER = shutil.which('gst-launch-1.0') is not None


def boxes(data):
    """The top-level boxes of an ISO base media file: {type: content}."""
    found, place = {}, 0
    while place + 8 <= len(data):
        size, kind = struct.unpack('>I4s', data[place:place + 8])
        if size < 8:
            break
        found[kind] = data[place + 8:place + size]
        place += size
    return found


class FilmTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix='debye-film-'))

    def tearDown(self):
        shutil.rmtree(self.folder)

    def render(self, name, *arguments, env=None):
        return cli.run('render', '--quiet', '--size', '96x64', '--samples', '1', '-o', self.folder / name, *arguments,
                       env=env)

    def names(self):
        return sorted(path.name for path in self.folder.iterdir())

    def succeed(self, name, *arguments):
        done = self.render(name, *arguments)
        self.assertEqual(done.returncode, 0, done.stderr)

    def pictures(self, name, *arguments):
        self.succeed(name + '.png', *arguments)
        return [path.read_bytes() for path in sorted(self.folder.glob(name + '-*.png'))]

    def test_turn(self):
        turned = self.pictures('a', '--turn', '360', '--pictures', '4', *HELIX)
        self.assertEqual(len(set(turned)), 4)
        # The last picture of a turn is not its first: half of one in two pictures is the same quarters.
        halves = self.pictures('b', '--turn', '180', '--pictures', '2', *HELIX)
        self.assertEqual(halves, turned[:2])

    def test_cameras(self):
        seen = self.pictures('a', '--cameras', '0,0,1; 90,0,2; 0,0,1', '--pictures', '5', *HELIX)
        self.assertEqual(len(seen), 5)
        self.assertEqual(seen[0], seen[4])
        self.assertEqual(seen[1], seen[3])
        self.assertEqual(len({seen[0], seen[1], seen[2]}), 3)

    def test_frames_are_spread(self):
        """Two frames over four pictures: each is shown twice."""
        seen = self.pictures('a', '--frames', '0:1', '--pictures', '4', *HELIX)
        self.assertEqual(seen[0], seen[1])
        self.assertEqual(seen[2], seen[3])
        self.assertNotEqual(seen[1], seen[2])

    def test_refused(self):
        for arguments, status in ((('--turn', '90', '--cameras', '0,0,1;1,1,1'), 2), (('--cameras', '0,0,1'), 2),
                                  (('--pictures', '0'), 2)):
            with self.subTest(arguments):
                done = self.render('a.png', *arguments, *HELIX)
                self.assertEqual(done.returncode, status, done.stderr)
        for name in ('a.webm', 'A.WebM'):
            self.assertEqual(self.render(name, '--transparent', *HELIX).returncode, 2)
        self.assertEqual(self.names(), [])

    def test_without_gstreamer(self):
        done = self.render('a.webm', *HELIX, env=cli.environment(PATH='/nonexistent'))
        self.assertEqual(done.returncode, 1)
        self.assertIn('gst-launch-1.0', done.stderr)
        self.assertEqual(self.names(), [])

    @unittest.skipUnless(HAS_GSTREAMER, 'GStreamer is not installed')
    def test_webm(self):
        self.succeed('a b"!.webm', '--turn', '360', '--pictures', '8', *HELIX)
        data = (self.folder / 'a b"!.webm').read_bytes()
        self.assertEqual(data[:4], b'\x1aE\xdf\xa3')  # EBML
        self.assertIn(b'webm', data[:64])
        self.assertEqual(self.names(), ['a b"!.webm'])

    @unittest.skipUnless(HAS_GSTREAMER, 'GStreamer is not installed')
    def test_white_is_white(self):
        """A white background has no tint: its colour differences are zero, which files hold as 128."""
        self.succeed('white.webm', '--turn', '20', '--pictures', '4', *HELIX)
        raw = self.folder / 'white.yuv'
        subprocess.run(['gst-launch-1.0', '-q', 'filesrc', f'location={self.folder / "white.webm"}', '!', 'decodebin', '!',
                        'video/x-raw,format=I420', '!', 'filesink', f'location={raw}'], check=True, timeout=60)
        frame, n = raw.read_bytes()[:96 * 64 * 3 // 2], 96 * 64
        self.assertGreaterEqual(frame[0], 232)
        self.assertEqual((frame[n], frame[n + n // 4]), (128, 128))

    @unittest.skipUnless(HAS_GSTREAMER, 'GStreamer is not installed')
    def test_what_was_drawn_until_a_stop_is_a_film(self):
        """A terminal's Ctrl-C reaches the encoder, too, unless it is in a group of its own."""
        process = subprocess.Popen([cli.PROGRAM, 'render', '--turn', '360', '--pictures', '5000', '--size', '96x64', '-o',
                                    self.folder / 'a.webm', *HELIX], env=cli.environment(), start_new_session=True,
                                   stderr=subprocess.PIPE, text=True)
        film = None
        while process.poll() is None and (film is None or film.stat().st_size == 0):
            film = next(self.folder.glob('.debye-film-*'), None)
            time.sleep(0.02)
        os.killpg(process.pid, signal.SIGINT)
        _, errors = process.communicate(timeout=60)
        self.assertEqual((process.returncode, self.names()), (130, ['a.webm']), errors)

    @unittest.skipUnless(HAS_GSTREAMER, 'GStreamer is not installed')
    def test_mp4(self):
        done = self.render('a.mp4', '--turn', '360', '--pictures', '10', '--rate', '5', *HELIX)
        if done.returncode != 0:
            self.assertIn('x264enc', done.stderr)
            self.skipTest('no encoder for MP4 is installed')
        found = boxes((self.folder / 'a.mp4').read_bytes())
        header = found[b'moov'][found[b'moov'].index(b'mvhd') + 4:]
        scale, duration = struct.unpack('>II', header[12:20])
        self.assertAlmostEqual(duration / scale, 2.0, places=2)  # 10 pictures, 5 a second
        self.assertEqual(self.render('b.mp4', '--size', '97x64', *HELIX).returncode, 1)
        self.assertEqual(self.names(), ['a.mp4'])


if __name__ == '__main__':
    unittest.main()
