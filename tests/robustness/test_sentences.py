#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Broken inputs and impossible orders, one a row, each with the sentence that it must end with: those that the tests of
the formats don't look at. Whether any is left is test_sentences_met.py's to tell."""
import bz2
import gzip
import lzma
import os
import struct
import unittest

import cli
import sentence_rows
from faults import FaultTest


def dcd(n_atoms=3, n_fixed=0, magic=b'CORD', end=84):
    """A header of VMD's kind and no frames."""
    head = magic + struct.pack('<20i', 0, 0, 1, 0, 0, 0, 0, 0, n_fixed, 0, 1, *[0] * 8, 24)
    head = struct.pack('<i', 84) + head[:84] + struct.pack('<i', end)
    title = struct.pack('<2i', 84, 1) + b' ' * 80 + struct.pack('<i', 84)
    return head + title + struct.pack('<3i', 4, n_atoms, 4) + bytes(200)


def ccp4(shape=(2, 2, 2), mode=2, intervals=(2, 2, 2), axes=(1, 2, 3)):
    words = struct.pack('<10i', *shape, mode, 0, 0, 0, *intervals) + struct.pack('<6f', 2, 2, 2, 90, 90, 90)
    words += struct.pack('<3i', *axes) + struct.pack('<3f', 0, 1, 0.5) + struct.pack('<2i', 1, 0)
    head = words.ljust(208, b'\0') + b'MAP ' + b'\x44\x44\0\0'
    return head.ljust(1024, b'\0') + struct.pack('<8f', *range(8))


def dx(counts='2 2 2', items='8', values='0 1 2\n3 4 5\n6 7\n', step='1'):
    return (f'object 1 class gridpositions counts {counts}\norigin 0 0 0\ndelta {step} 0 0\ndelta 0 1 0\ndelta 0 0 1\n'
            f'object 2 class gridconnections counts {counts}\n'
            f'object 3 class array type double rank 0 items {items} data follows\n{values}').encode()


def cube(second='1 0 0 0', orbitals='', atoms='8 0 0 0 0\n'):
    return (f'title\nmore\n{second}\n2 1 0 0\n2 0 1 0\n2 0 0 1\n{atoms}{orbitals}' + '1 2 3 4\n5 6 7 8\n').encode()


def xyz(n=2, x='1.0'):
    return (f'{n}\n\n' + f'C {x} 2.0 3.0\n' * n).encode()


def hdf5():
    """A superblock, and a root group whose only message, an attribute, ends before its name does."""
    none, attribute = 2**64 - 1, struct.pack('<BBHHH', 1, 0, 4, 8, 8)
    header = struct.pack('<BBHIII', 1, 0, 1, 1, 16, 0) + struct.pack('<HHI', 12, 8, 0) + attribute
    head = b'\x89HDF\r\n\x1a\n' + struct.pack('<8B2HI', 0, 0, 0, 0, 0, 8, 8, 0, 4, 16, 0)
    return head + struct.pack('<4Q', 0, none, 96 + len(header), none) + struct.pack('<QQ24x', 0, 96) + header


INFO, READ = ('info', '{}'), ('rdf', '--quiet', '--pair', 'all', 'all', '--max', '2', '-o', 'o.csv', '{}')
FIELD = ('field', '-o', 'o.csv', '{}')


def export(ending, *options):
    return ('export', '--quiet', '-o', f'o.{ending}', *options, '{}')


# The file's name and content, the command, where {} is the file, and a part of the sentence.
ROWS = [
    ('magic.dcd', dcd(magic=b'CORX'), INFO, 'the content is of no known format'),
    ('end.dcd', dcd(end=80), INFO, "expected the record's end marker 84, found 80"),
    ('many.dcd', dcd(n_atoms=1 << 30), INFO, 'number of atoms: expected 1 to '),
    ('none.dcd', dcd(n_atoms=0), INFO, 'number of atoms: expected 1 to '),
    ('fixed.dcd', dcd(n_fixed=3), INFO, 'expected less than 3 fixed atoms, found 3'),
    ('mode.ccp4', ccp4(mode=1), FIELD, 'expected mode 2 (32-bit float), found mode 1'),
    ('axes.ccp4', ccp4(axes=(1, 1, 3)), FIELD, 'axes: expected 1, 2 and 3 in any order, found 1, 1 and 3'),
    ('intervals.ccp4', ccp4(intervals=(2, 0, 2)), FIELD,
     'expected at least one interval along each edge of the cell, found 0'),
    ('large.ccp4', ccp4(shape=(900, 900, 900), intervals=(900, 900, 900)), FIELD,
     'expected 900 × 900 × 900 values, found a file whose 1056 bytes'),
    ('word.dx', dx(counts='2 two 2'), FIELD, 'line 1: expected “counts” and three whole numbers'),
    ('few.dx', dx(values='0 1 2\n'), FIELD, 'the file ends after 3 of 8 values'),
    ('value.dx', dx(values='0 1 2\n3 four 5\n6 7\n'), FIELD, 'expected value 5 of 8, found “four”'),
    ('flat.dx', dx(step='0'), FIELD, 'expected three finite and independent grid steps, found others'),
    ('huge.dx', dx(counts='4000 4000 4000', items='64000000000'), FIELD,
     'expected 4000 × 4000 × 4000 values, found a file'),
    ('title.cube', cube(second='one 0 0 0'), FIELD, 'expected a map (OpenDX, Gaussian cube, CCP4/MRC or HDF5)'),
    ('orbitals.cube', cube(second='-1 0 0 0', orbitals='many\n'), FIELD, 'expected the number of orbitals'),
    ('none.cube', cube(second='-1 0 0 0', orbitals='0\n'), FIELD, 'expected at least one orbital, found 0'),
    ('empty.map', b'', FIELD, 'expected a map, found an empty file'),
    ('text.map', b'nothing of that kind\n' * 20, FIELD,
     'expected a map (OpenDX, Gaussian cube, CCP4/MRC or HDF5), found none'),
    ('remark.pdb', b'REMARK   1\nATOM\n', INFO, 'line 2: expected x, y and z in columns 31 to 54'),
    ('short.pdb', b'ATOM      1  O   HOH A   1       1.000\n', INFO,
     'expected x, y and z in columns 31 to 54, found a line of '),
    ('none.pqr', b'REMARK none\n', INFO, 'expected ATOM or HETATM records, found none'),
    ('far.xyz', xyz(x='123456789.0'), export('pdb'), "expected a coordinate that fits PDB's eight columns, found another"),
    ('far2.xyz', xyz(x='123456789.0'), export('gro'), "expected numbers that fit GRO's columns, found others"),
    ('a.xyz', xyz(), ('export', '--quiet', '-o', 'o.xyz', '--wrap', 'atoms', '--unwrap', '{}'),
     'expected --wrap or --unwrap, found both'),
    ('b.xyz', xyz(), export('xyz', '--frames', '1:2:3:4'),
     'expected frames as FIRST:LAST:STEP, the step at least 1, found “1:2:3:4”'),
    ('c.xyz', xyz(), export('xyz', '--frames', 'first'), 'the step at least 1, found “first”'),
    ('d.xyz', xyz(), export('xyz', '--frames', '7:9'),
     'frames: expected a first frame from 0 to 0 or from -1 to -1, found 7'),
    ('e.xyz', xyz(), export('xyz', '--select', 'name ZZ'), '“name ZZ” selects no atoms in frame 0'),
    ('f.xyz', xyz(), export('xyz', '--select', 'name ('), 'column 6: expected a value after “name”, found “(”'),
    ('g.xyz', xyz(), export('xyz', '--select', os.fsdecode(b'name \xff')),
     'selection: expected UTF-8 text, found other bytes'),
    ('h.xyz', xyz(), ('info', '--element', 'C=Xx', '{}'), 'element: expected '),
    ('i.xyz', xyz(), ('info', '{}', 'missing.xyz'), "missing.xyz: can't be opened"),
    ('j.xyz', xyz(), ('info', '{}', '.'), 'expected a file, found a folder'),
    ('k.xyz', xyz(), ('rdf', '--quiet', '--max', '2', '-o', 'o.csv', 'a.pqr', '{}'),
     'has 2 atoms, expected 1500 as in a.pqr'),
    ('cut.xyz.gz', gzip.compress(xyz(500))[:-20], INFO, 'gzip data broken after '),
    ('cut.xyz.bz2', bz2.compress(xyz(500))[:-20], INFO, 'bzip2 data broken after '),
    ('cut.xyz.xz', lzma.compress(xyz(500))[:-20], INFO, 'xz data broken after '),
    ('bomb.xyz.gz', gzip.compress(bytes(100 << 20)), INFO, 'expected less than 200 times its size'),
    ('cut.nc', b'CDF\x01\0\0', INFO, 'the content is of no known format'),
    ('header.nc', b'CDF\x02\0\0\0\0\0\0\0\x0a\0\0\0\x01', INFO,
     'byte 16: expected a number of dimensions that the file can hold, found 1 with 0 bytes left'),
    ('name.nc', b'CDF\x02\0\0\0\0\0\0\0\x0a\0\0\0\x01\0\0\0\x04abcd', INFO,
     'the file ends at byte 24, inside the NetCDF header'),
    ('tag.nc', b'CDF\x01\0\0\0\0\0\0\0\x63\0\0\0\0' + bytes(40), INFO,
     'expected the list of dimensions (tag 10), found tag 99'),
    ('attribute.h5', hdf5(), INFO, 'expected the HDF5 object header at byte 96 to be whole, '
     "found its message of type 12 with 8 bytes damaged or of a kind that isn't read"),
    ('box.gro', b'title\n1\n    1SOL     OW    1   0.100   0.200   0.300\n1.0 2.0\n', INFO,
     'expected a box of three or nine numbers, found 2 fields'),
    ('columns.gro', b'title\n2\n    1SOL     OW    1   0.100   0.200   0.300\n    1SOL    HW1\n1 1 1\n', INFO,
     "expected an atom in GRO's columns, found a line of "),
    ('none.mol2', b'@<TRIPOS>MOLECULE\nname\n0 0 0 0 0\nSMALL\nNO_CHARGES\n\n@<TRIPOS>ATOM\n', INFO,
     'expected atoms, found a count of 0'),
    ('fields.xyz', b'2\n\nC 1 2 3\nC 1 2\n', INFO, 'expected an atom with 4 fields, found 3'),
    ('items.dx', dx(items='9'), FIELD, 'expected 8 items, one per point, found 9'),
    ('cut.cube', cube()[:60], FIELD, 'the file ends after 4 of 8 values'),
]


class Sentences(FaultTest):
    def run_row(self, name, content, command):
        (self.folder / name).write_bytes(content)
        done = self.run_cli(*(name if word == '{}' else word for word in command))
        self.assertNotIn(done.returncode, (0, -6, -11), f'{name}: {done.stdout}{done.stderr}')
        return done.stderr

    def test_each(self):
        for name, content, command, part in ROWS + sentence_rows.ROWS:
            with self.subTest(name):
                self.assertIn(part, self.run_row(name, content, command))

    def test_no_room_to_unpack(self):
        (self.folder / 'a.xyz.gz').write_bytes(gzip.compress(xyz()))
        done = cli.run('info', 'a.xyz.gz', folder=self.folder, env=cli.environment(TMPDIR='/nonexistent'))
        self.assert_one_sentence(done, "a.xyz.gz: can't be unpacked: ")

    def test_no_memory(self):
        """One of the writer's own allocations fails: the sentence says how much of what it wanted."""
        for n in range(1, 60):
            done = self.run_cli('export', '--quiet', '-o', 'o.xtc', 'a.pqr', ALLOCATION=f'{n}:6000')
            if 'not enough memory for 1500 atoms' in done.stderr:
                return
        self.fail('never said')


if __name__ == '__main__':
    unittest.main()
