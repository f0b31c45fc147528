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
import png_pixels  # noqa: E402

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


def unpack_blocks(data, place):
    """(the bytes of a GIF's sub-blocks, the place behind them)"""
    content = b''
    while data[place]:
        content += data[place + 1:place + 1 + data[place]]
        place += 1 + data[place]
    return content, place + 1


def unpack_lzw(data, n):
    """n numbers of 8 bits by the rules of GIF89a, appendix F."""
    bits, n_bits, width, place, runs, last, numbers = 0, 0, 9, 0, None, None, []
    while True:
        while n_bits < width:
            bits |= data[place] << n_bits
            n_bits, place = n_bits + 8, place + 1
        code, bits, n_bits = bits & (1 << width) - 1, bits >> width, n_bits - width
        if code == 257:
            assert len(numbers) == n, (len(numbers), n)
            return numbers
        if code == 256:
            runs, width, last = [bytes([i]) for i in range(256)] + [b'', b''], 9, None
            continue
        run = runs[code] if code < len(runs) else last + last[:1]
        if last is not None and len(runs) < 4096:
            runs.append(last + run[:1])
            if len(runs) == 1 << width and width < 12:
                width += 1
        numbers += run
        last = run


def read_gif(data):
    """(width, height, [(hundredths of a second, [colour of each pixel])], whether it ends as it should)"""
    width, height, flags = struct.unpack('<HHB', data[6:11])
    place, delay, pictures = 13 + (3 << (flags & 7) + 1 if flags & 128 else 0), None, []
    while data[place:place + 1] != b';':
        if data[place:place + 1] == b'!':
            kind = data[place + 1]
            content, place = unpack_blocks(data, place + 2)
            if kind == 0xf9:
                delay = struct.unpack('<H', content[1:3])[0]
            continue
        assert struct.unpack('<HHHH', data[place + 1:place + 9]) == (0, 0, width, height)
        size = 3 << (data[place + 9] & 7) + 1
        table = data[place + 10:place + 10 + size]
        content, place = unpack_blocks(data, place + 11 + size)
        pictures.append((delay, [tuple(table[3 * i:3 * i + 3]) for i in unpack_lzw(content, width * height)]))
    return width, height, pictures, place == len(data) - 1


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

    def test_gif(self):
        """The pictures of a series in 256 colours each; times in hundredths of a second, whose errors don't add up."""
        turn = ('--turn', '30', '--pictures', '6', '--rate', '30', *HELIX)
        self.succeed('a.gif', *turn)
        self.pictures('a', *turn)
        width, height, pictures, ends = read_gif((self.folder / 'a.gif').read_bytes())
        self.assertEqual((width, height, len(pictures), ends), (96, 64, 6, True))
        self.assertEqual([delay for delay, _ in pictures], [3, 4, 3, 3, 4, 3])
        for (_, colors), path in zip(pictures, sorted(self.folder.glob('a-*.png'))):
            drawn = [pixel[:3] for row in png_pixels.read(path)[2] for pixel in row]
            self.assertEqual(colors[0], (255, 255, 255))
            differences = [abs(a - b) for one, other in zip(colors, drawn) for a, b in zip(one, other)]
            self.assertLess(sum(differences) / len(differences), 1.0)
            self.assertLess(max(differences), 40)

    def test_slow_gif(self):
        """Delays end at 65535 hundredths of a second, and what is cut is not counted as shown; the fastest are 2."""
        for rate, n, delays in ('0.001', 2, [65535, 65535]), ('50', 3, [2, 2, 2]):
            self.succeed('a.gif', '--turn', '30', '--pictures', str(n), '--frames', '0', '--rate', rate, *HELIX)
            self.assertEqual([delay for delay, _ in read_gif((self.folder / 'a.gif').read_bytes())[2]], delays)

    def test_large_gif(self):
        """More than 4096 runs: the table begins anew."""
        done = cli.run('render', '--quiet', '--size', '400x300', '--style', 'spheres', '--frames', '0', '-o', self.folder / 'a.gif', *HELIX)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(len(read_gif((self.folder / 'a.gif').read_bytes())[2]), 1)

    def test_codecs_refused(self):
        for name, codec, text in (('a.webm', 'h264', 'vp8, vp9 or av1'), ('a.mp4', 'vp9', 'h264 or av1'), ('a.gif', 'vp8', 'auto for .gif'),
                                  ('a.png', 'vp9', 'only a movie has one')):
            with self.subTest(name):
                done = self.render(name, '--codec', codec, *HELIX)
                self.assertEqual(done.returncode, 2, done.stderr)
                self.assertIn(text, done.stderr)
        done = self.render('a.gif', '--rate', '60', *HELIX)
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn('at most 50 frames per second, found 60', done.stderr)
        for rate in ('0', '300', '25/', '1/0', 'fast', '', '25.5/2', '1e9'):
            with self.subTest(rate):
                done = self.render('a.gif', f'--rate={rate}', *HELIX)
                self.assertEqual(done.returncode, 2, done.stderr)
                self.assertIn('--rate', done.stderr)
        self.assertEqual(self.names(), [])

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
        self.assertEqual((frame[0], frame[n], frame[n + n // 4]), (235, 128, 128))

    @unittest.skipUnless(HAS_GSTREAMER, 'GStreamer is not installed')
    def test_vp9_names_its_matrix(self):
        """In the stream itself, whatever the container says: 2 for BT.709 in the three bits behind those of frame and depth."""
        done = self.render('a.webm', '--turn', '20', '--pictures', '2', '--codec', 'vp9', *HELIX)
        if done.returncode != 0:
            self.assertIn('vp9enc', done.stderr)
            self.skipTest('no encoder for VP9 is installed')
        data = (self.folder / 'a.webm').read_bytes()
        start = data.index(b'\x49\x83\x42')    # the sync code of a key frame, after its first byte
        self.assertEqual(data[start - 1] >> 6, 2, 'the marker of a frame')
        self.assertEqual(data[start + 3] >> 5, 2, 'the matrix')

    @unittest.skipUnless(HAS_GSTREAMER, 'GStreamer is not installed')
    def test_any_even_width(self):
        """Rows of planes are padded: a film shows what pictures show, at widths that are no multiple of 8, too."""
        for width in (98, 100, 302):
            line = ('--size', f'{width}x62', '--turn', '20', '--pictures', '3', '--frames', '0', *HELIX)
            self.succeed('a.webm', *line)
            self.succeed('a.png', *line)
            raw, n = self.folder / 'a.gray', width * 62
            subprocess.run(['gst-launch-1.0', '-q', 'filesrc', f'location={self.folder / "a.webm"}', '!', 'decodebin', '!',
                            'videoconvert', '!', 'video/x-raw,format=RGBx', '!', 'filesink', f'location={raw}'],
                           check=True, timeout=60)
            self.assertEqual(len(raw.read_bytes()), 3 * 4 * n)
            for i in range(3):
                drawn = [pixel[:3] for row in png_pixels.read(self.folder / f'a-{i:04}.png')[2] for pixel in row]
                shown = raw.read_bytes()[4 * n * i:4 * n * (i + 1)]
                differences = [abs(pixel[c] - shown[4 * k + c]) for k, pixel in enumerate(drawn) for c in range(3)]
                self.assertLess(sum(differences) / len(differences), 4.0, (width, i))

    @unittest.skipUnless(HAS_GSTREAMER, 'GStreamer is not installed')
    def test_stop_during_the_first_picture(self):
        """Nothing was drawn: the older file stays, and nothing is said to be written."""
        (self.folder / 'a.webm').write_text('older')
        process = subprocess.Popen([cli.PROGRAM, 'render', '--turn', '360', '--pictures', '3', '--size', '8000x6000', '-o',
                                    self.folder / 'a.webm', *HELIX], env=cli.environment(), stderr=subprocess.PIPE, text=True)
        while process.poll() is None and len(self.names()) < 2:
            time.sleep(0.02)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
        self.assertEqual((process.returncode, self.names()), (130, ['a.webm']), errors)
        self.assertEqual((self.folder / 'a.webm').read_text(), 'older')
        self.assertNotIn('written', errors)

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
        self.succeed('c.mp4', '--turn', '360', '--pictures', '30', '--rate', '29.97', *HELIX)
        header = boxes((self.folder / 'c.mp4').read_bytes())[b'moov']
        header = header[header.index(b'mvhd') + 4:]
        scale, duration = struct.unpack('>II', header[12:20])
        self.assertAlmostEqual(duration / scale, 1.001, places=4)  # 30000/1001 a second, and not 29.97
        (self.folder / 'c.mp4').unlink()
        self.assertEqual(self.names(), ['a.mp4'])


if __name__ == '__main__':
    unittest.main()
