#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""HDF5 files that lead elsewhere, or hold text that nests without end."""
import os
import unittest

import h5py

from hostile import HostileTest


class HostileHdf5(HostileTest):
    def test_links_out_of_hdf5(self):
        """Links and data kept in other files aren't followed: the trap, a pipe, would hold whoever opens it."""
        os.mkfifo(self.folder / 'trap')
        for kind in ('link', 'data'):
            with self.subTest(kind):
                with h5py.File(self.folder / 'links.h5', 'w') as file:
                    file.attrs['conventions'] = 'Pande'
                    if kind == 'link':
                        file['coordinates'] = h5py.ExternalLink('trap', '/coordinates')
                        file['topology'] = h5py.ExternalLink('trap', '/topology')
                        file['entry'] = h5py.ExternalLink('trap', '/entry')
                        file['particles'] = h5py.SoftLink('/particles')
                    else:
                        file.create_dataset('coordinates', (1, 1, 3), 'f4', external=[('trap', 0, 12)])
                self.refuse('info', 'links.h5')
                self.refuse('field', '-o', 'out.csv', 'links.h5')
                self.refuse('rerun', '-o', 'out.h5', 'links.h5')

    def test_deep_text_in_hdf5(self):
        """A million brackets: whatever it is taken for, it takes no memory and no stack."""
        with h5py.File(self.folder / 'deep.h5', 'w') as file:
            file.attrs['conventions'] = 'Pande'
            file['coordinates'] = [[[0.0, 0.0, 0.0]]]
            file['topology'] = [('{"chains": ' + '[' * 1000000).encode()]
        self.assertIn(self.run_bounded('info', 'deep.h5').returncode, (0, 1))


if __name__ == '__main__':
    unittest.main()
