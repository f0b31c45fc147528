#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Files made to harm: counts beyond the file, nests, bombs, links to other files. Memory and the disk stay within a
bound, nothing else is opened or written, and a sentence says what was found."""
import bz2
import gzip
import lzma
import struct
import unittest
import zlib

from hostile import HostileTest


def pack_zeros(n):
    """As gzip.compress(bytes(n)) would, which takes ten times as long: one packed MiB over and over."""
    part = bytes(1 << 20)
    packer = zlib.compressobj(6, zlib.DEFLATED, -zlib.MAX_WBITS)
    packed = packer.compress(part) + packer.flush(zlib.Z_FULL_FLUSH)
    checksum = 0
    for _ in range(n // len(part)):
        checksum = zlib.crc32(part, checksum)
    empty = gzip.compress(b'')
    # Of an empty file the header, its last block, and what stands behind that: the checksum and how long it is.
    return empty[:10] + packed * (n // len(part)) + empty[10:-8] + struct.pack('<II', checksum, n)


class HostileFiles(HostileTest):
    def test_huge_counts(self):
        most = 2147483647
        files = {
            'gro': f'title\n{most}\n' + '    1SOL     OW    1   0.1   0.2   0.3\n',
            'xyz': f'{most}\ntitle\nO 1 2 3\n',
            'psf': f'PSF\n\n{most} !NATOM\n',
            'data': f'LAMMPS data\n\n{most} atoms\n1 atom types\n\n0 1 xlo xhi\n0 1 ylo yhi\n0 1 zlo zhi\n\nAtoms # atomic\n\n1 1 0 0 0\n',
            'dump': f'ITEM: TIMESTEP\n0\nITEM: NUMBER OF ATOMS\n{most}\nITEM: BOX BOUNDS pp pp pp\n0 1\n0 1\n0 1\nITEM: ATOMS id type x y z\n1 1 0 0 0\n',
            'mol2': f'@<TRIPOS>MOLECULE\na\n{most} {most} 1\nSMALL\nNO_CHARGES\n@<TRIPOS>ATOM\n1 C 0 0 0 C.3\n',
            'd': f'10 10 10\n{most}\n1 2 3\n',
            'crd': f'* title\n*\n{most}  EXT\n',
            'rst7': f'title\n{most}\n  1.0 2.0 3.0\n',
            'dcd': struct.pack('<i4s20ii', 84, b'CORD', most, *[0] * 9, *[0] * 9, 24, 84) +
                   struct.pack('<iii80sii', 84, 1, 0, b' ' * 80, 84, 4) + struct.pack('<ii', most, 4),
            'xtc': struct.pack('>iiif9fi', 1995, most, 0, 0.0, *[1.0] * 9, most),
            'trr': struct.pack('>iii12s13i', 1993, 13, 12, b'GMX_trn_file', *[0] * 7, *[most] * 3, most, 0, 0) + bytes(8),
            'nc': b'CDF\x02' + struct.pack('>iii', most, 10, most) + bytes(40),
        }
        for ending, content in files.items():
            with self.subTest(ending):
                self.refuse('info', self.write('huge.' + ending, content))
        maps = {
            'dx': f'object 1 class gridpositions counts {most} {most} {most}\norigin 0 0 0\ndelta 1 0 0\ndelta 0 1 0\ndelta 0 0 1\nobject 2 class gridconnections counts 2 2 2\nobject 3 class array type double rank 0 items 8 data follows\n1 2 3\n',
            'cube': f'title\ntitle\n{most} 0 0 0\n{most} 1 0 0\n{most} 0 1 0\n{most} 0 0 1\n8 0 0 0 0\n1 2 3\n',
            'ccp4': struct.pack('<10i', most, most, most, 2, 0, 0, 0, 1, 1, 1) + bytes(168) + b'MAP ' + bytes(812),
        }
        for ending, content in maps.items():
            with self.subTest(ending):
                self.refuse('field', '-o', 'out.csv', self.write('huge.' + ending, content))

    def test_bombs(self):
        """A gigabyte of zeros or blanks in a megabyte, and one in the other."""
        zeros = pack_zeros(1 << 30)
        for name, content in (('zeros.gz', zeros), ('nested.dx.gz', gzip.compress(zeros)),
                              ('blanks.pdb.gz', gzip.compress(b' ' * (200 << 20), 6)),
                              ('members.gz', gzip.compress(bytes(1 << 20)) * 300),
                              ('zeros.bz2', bz2.compress(bytes(1 << 28))), ('streams.xz', lzma.compress(bytes(1 << 24)) * 60),
                              ('zeros.pdb.xz', lzma.compress(bytes(1 << 28), preset=0)), ('nested.gz.xz', lzma.compress(zeros))):
            with self.subTest(name):
                self.refuse('info', self.write(name, content))
                self.refuse('field', '-o', 'out.csv', name)

    def test_nests(self):
        for n in (1000, 100000, 2000000):
            with self.subTest(n):
                config = self.write('deep.ini', '[map]\nselect = ' + '(' * n + 'all' + ')' * n + '\n')
                self.refuse('map', '--config', config, '-o', 'm.dx', 'a.pqr', status=2)
                config = self.write('nots.ini', '[map]\nselect = ' + 'not ' * n + 'all\n')
                self.assertIn(self.run_bounded('map', '--config', config, '-o', 'm.dx', 'a.pqr').returncode, (0, 2))
                (self.folder / 'm.dx').unlink(missing_ok=True)


if __name__ == '__main__':
    unittest.main()
