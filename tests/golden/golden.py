# SPDX-License-Identifier: MIT
"""Every analysis and method, small: what debye-cli writes now against what it wrote before.

  golden.py                     each case of cases.txt against results/NAME.json; tests run this
  golden.py --write [NAME...]   writes these files anew, where a change is intended: look at the difference
  golden.py --against OTHER     each case by DEBYE_CLI and by another build, whose results must be the same to the last bit:
                                for a change that shall change nothing

A stored result holds all texts of the HDF5 file (settings, notes, titles, units, names) and its messages, which must be the
same, and of each array some values and the root mean square. Those may differ by as much as another processor rounds
differently, because sums of floats depend on the width of vectors: see TOLERANCE."""
import argparse
import json
import math
import os
import pathlib
import re
import shlex
import sys
import tempfile

import h5py
import numpy

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / 'app'))
import started_once  # noqa: E402

SAMPLES = HERE.parents[1] / 'data' / 'samples'
# Of an array's largest value. Kernels in single precision promise 1e-6 of the root mean square; the largest value of a map
# is far above that. What is summed in double agrees to 1e-12, except where differences of large sums are left.
TOLERANCE = 2e-5
# What a solver leaves over is itself rounding, a millionth of what it solves: only its size can be told.
TOLERANCE_OF_RESIDUALS = 1e-2
N_SAMPLES = 8
# What is of the machine or the moment, and what notes are made of, whose sentences are compared.
OTHERS = {'created', 'debye_version', 'host', 'wall_time', 'stages', 'stage_times', 'path', 'n_lanes', 'messages'}
MACHINE = re.compile(r'\d+ cores?\b|[\d.e+-]+ s\b|(?<=cpu )\((?:[^()]|\([^()]*\))*\)')


def read_cases():
    for line in (HERE / 'cases.txt').read_text(encoding='utf-8').splitlines():
        if line and not line.startswith('#'):
            name, command = line.split(maxsplit=1)
            yield name, shlex.split(command)


def run(program, command, folder):
    for file in SAMPLES.glob('*.*'):
        if not (folder / file.name).exists():
            (folder / file.name).symlink_to(file)
    environment = {key: value for key, value in os.environ.items() if not key.startswith('LC_')}
    environment.update({'LC_ALL': 'C', 'DEBYE_BACKEND_DIR': '/nonexistent', 'DEBYE_SAMPLES_DIR': str(SAMPLES)})
    # The number of threads decides the order of sums.
    arguments = [*command, '--quiet', *(['--threads', '2'] if takes_threads(command) else []), '-o', 'result.h5']
    done = started_once.run(program, arguments, folder=folder, env=environment)
    if done.returncode != 0:
        raise AssertionError(f'{shlex.join(command)}: exit {done.returncode}: {done.stderr}')
    return done.stderr


def takes_threads(command):
    return command[0] != 'measure'


def to_text(value):
    if isinstance(value, bytes):
        value = value.decode('utf-8')
    return MACHINE.sub('…', value) if isinstance(value, str) else value


def to_plain(value):
    array = numpy.asarray(value)
    if array.dtype.kind in 'SO':
        texts = [to_text(item) for item in array.reshape(-1).tolist()]
        return texts if array.ndim else texts[0]
    return array.tolist()


def describe_array(values):
    flat = numpy.asarray(values, dtype=float).reshape(-1)
    finite = flat[numpy.isfinite(flat)]
    places = numpy.unique(numpy.linspace(0, max(flat.size - 1, 0), N_SAMPLES).astype(int))[:flat.size]
    return {'shape': list(values.shape), 'type': str(values.dtype), 'finite': int(finite.size),
            'largest': float(abs(finite).max()) if finite.size else 0.0,
            'rms': math.sqrt(float((finite**2).mean())) if finite.size else 0.0,
            'samples': {str(place): float(flat[place]) if math.isfinite(flat[place]) else None for place in places}}


def describe(path):
    result = {}

    def visit(name, item):
        if name.rsplit('/', 1)[-1] in OTHERS:
            return
        attributes = {key: to_plain(value) for key, value in sorted(item.attrs.items()) if key not in OTHERS}
        result[name] = {'attributes': attributes} if attributes else {}
        if isinstance(item, h5py.Dataset):
            values = item[()]
            result[name]['value'] = (to_plain(values) if numpy.asarray(values).dtype.kind in 'SO'
                                     else describe_array(numpy.asarray(values)))

    with h5py.File(path, 'r') as file:
        file.visititems(visit)
    kinds, subjects = (result[f'entry/provenance/note_{what}']['value'] for what in ('kinds', 'subjects'))
    result['entry/provenance/note_subjects']['value'] = ['…' if kind == 'device' else subject
                                                         for kind, subject in zip(kinds, subjects)]
    return result


def compare(stored, found, place=''):
    """The differences, one a line."""
    if isinstance(stored, dict) and isinstance(found, dict):
        if 'samples' in stored and 'samples' in found:
            yield from compare_arrays(stored, found, place)
            return
        for key in sorted(stored.keys() | found.keys()):
            if key not in stored or key not in found:
                yield f'{place}/{key}: only {"before" if key in stored else "now"}'
            else:
                yield from compare(stored[key], found[key], f'{place}/{key}')
    elif stored != found:
        yield f'{place}: {stored!r} before, {found!r} now'


def compare_arrays(stored, found, place):
    for key in ('shape', 'type', 'finite'):
        if stored[key] != found[key]:
            yield f'{place}: {key} {stored[key]} before, {found[key]} now'
            return
    limit = (TOLERANCE_OF_RESIDUALS if place.endswith('/residual/value') else TOLERANCE) * stored['largest']
    pairs = [('rms', stored['rms'], found['rms'])]
    pairs += [(key, value, found['samples'][key]) for key, value in stored['samples'].items()]
    for key, before, now in pairs:
        if (before is None) != (now is None) or (before is not None and abs(before - now) > limit):
            yield f'{place}[{key}]: {before} before, {now} now, by {limit:g} at most'


def compute(program, command):
    with tempfile.TemporaryDirectory(prefix='debye-golden-') as name:
        folder = pathlib.Path(name)
        messages = run(program, command, folder)
        return {'messages': to_text(messages).splitlines(), 'result': describe(folder / 'result.h5')}


def all_bits(program, command):
    """Everything but what is of the moment, arrays as bytes."""
    result = {}

    def visit(name, item):
        if name.rsplit('/', 1)[-1] in OTHERS:
            return
        result[name] = {key: to_plain(value) for key, value in item.attrs.items()}
        if isinstance(item, h5py.Dataset):
            values = numpy.asarray(item[()])
            result[name]['value'] = to_plain(values) if values.dtype.kind in 'SO' else values.tobytes()

    with tempfile.TemporaryDirectory(prefix='debye-golden-') as name:
        messages = run(program, command, pathlib.Path(name))
        with h5py.File(pathlib.Path(name) / 'result.h5', 'r') as file:
            file.visititems(visit)
    return {'messages': to_text(messages), **result}


def check_case(program, name, command):
    file = HERE / 'results' / f'{name}.json'
    if not file.exists():
        return [f'{file.name} is missing: golden.py --write {name}']
    return list(compare(json.loads(file.read_text(encoding='utf-8')), compute(program, command)))


def check_against(program, other, command):
    ours, theirs = all_bits(program, command), all_bits(other, command)
    return [f'{key}: differs' for key in sorted(ours.keys() | theirs.keys()) if ours.get(key) != theirs.get(key)]


def write(program, name, command):
    text = json.dumps(compute(program, command), ensure_ascii=False, sort_keys=True, separators=(',', ':'))
    # One item of the file a line, so that a difference is legible.
    text = re.sub(r',(?="entry)', ',\\n', text)
    (HERE / 'results' / f'{name}.json').write_text(text + '\n', encoding='utf-8')


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('names', nargs='*', help='cases; none: all')
    parser.add_argument('--write', action='store_true')
    parser.add_argument('--against')
    options = parser.parse_args()
    program, n_wrong = os.environ['DEBYE_CLI'], 0
    for name, command in read_cases():
        if options.names and name not in options.names:
            continue
        try:
            if options.write:
                write(program, name, command)
            problems = (check_against(program, options.against, command) if options.against
                        else check_case(program, name, command))
        except AssertionError as error:
            problems = [str(error)]
        n_wrong += len(problems) > 0
        print(f'{"FAILED" if problems else "ok"}: {name}', flush=True)
        for problem in problems[:20]:
            print(f'  {problem}')
    return 1 if n_wrong else 0


if __name__ == '__main__':
    sys.exit(main())
