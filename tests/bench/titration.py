#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Measured pKa values against `debye-cli prepare --titrate pb`, PROPKA's answers and the model values: root mean square errors of
all, of sites that shift, by kind of site and by structure, and the time of each structure.

    titration.py CLI FOLDER [OPTION …]      FOLDER: reference/next/prep/pka; OPTION: for debye-cli, as --solute-permittivity 8
"""
import csv
import gzip
import math
import pathlib
import subprocess
import sys
import tempfile
import time

# Its ions are part of it; all others are of the crystal.
WITH_CALCIUM = ('4ICB',)
LEAST_SHIFT = 1.0


def read_rows(path):
    with open(path, encoding='utf-8') as file:
        return list(csv.DictReader(line for line in file if not line.startswith('#')))


def titrate(cli, source, folder, options):
    """pK½ of each site that has one, by residue."""
    structure, report = folder / source.stem, folder / f'{source.stem}.csv'
    structure.write_bytes(gzip.decompress(source.read_bytes()))
    keep = 'protein or element Ca' if structure.stem in WITH_CALCIUM else 'protein'
    begin = time.monotonic()
    subprocess.run([cli, 'prepare', '--quiet', '--titrate', 'pb', '--keep', keep, '--report', report, '-o', folder / 'out.pqr',
                    *options, structure], check=True)
    print(f'{structure.stem}: {time.monotonic() - begin:.1f} s', flush=True)
    return {(structure.stem, row['chain'], *reversed(row['residue'].split())): float(row['pk_half'])
            for row in read_rows(report) if row['pk_half']}


def rms(values):
    values = list(values)
    return math.sqrt(sum(value * value for value in values) / len(values)) if values else math.nan


def tell(name, rows):
    if rows:
        print(f'{name:10} {len(rows):4}  pb {rms(r["pb"] - r["pka"] for r in rows):5.2f}  propka '
              f'{rms(r["propka"] - r["pka"] for r in rows):5.2f}  model {rms(r["model"] - r["pka"] for r in rows):5.2f}  '
              f'mean of pb {sum(r["pb"] - r["pka"] for r in rows) / len(rows):+5.2f}')


def collect(folder, found):
    """Sites that were measured to a value and that all three have."""
    key = ('pdb', 'chain', 'resnum', 'resname')
    others = {tuple(row[k] for k in key): row for row in read_rows(folder / 'propka.csv')}
    rows = []
    for row in read_rows(folder / 'measured.csv'):
        site = tuple(row[k] for k in key)
        other = others.get(site, {})
        if row['qualifier'] != '=' or not other.get('propka351_clean') or not other.get('null_thurlkill'):
            continue
        if site not in found:
            print('no value of', *site, 'measured', row['pka'])
            continue
        rows.append({'pdb': site[0], 'kind': site[3], 'pka': float(row['pka']), 'pb': found[site],
                     'propka': float(other['propka351_clean']), 'model': float(other['null_thurlkill'])})
    return rows


def main():
    cli, folder, options = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3:]
    found = {}
    with tempfile.TemporaryDirectory() as place:
        for source in sorted(folder.glob('*.pdb.gz')):
            found.update(titrate(cli, source, pathlib.Path(place), options))
    rows = collect(folder, found)
    tell('all', rows)
    tell('shifted', [row for row in rows if abs(row['pka'] - row['model']) >= LEAST_SHIFT])
    tell('others', [row for row in rows if abs(row['pka'] - row['model']) < LEAST_SHIFT])
    for column in ('kind', 'pdb'):
        for value in sorted({row[column] for row in rows}):
            tell(value, [row for row in rows if row[column] == value])
    tell('4LZT + G', [row for row in rows if row['pdb'] in ('4LZT', '1PGB', '1IGD')])


if __name__ == '__main__':
    main()
