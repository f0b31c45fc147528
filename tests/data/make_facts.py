#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Turns facts.json into lines that a C test reads without a JSON parser: FILE<tab>KEY<tab>VALUE.

Nested keys are joined with dots ("first.sum_xyz"); a list of numbers is its numbers separated by blanks; a vector of
vectors is flattened. What each library said ("readers") is left out: the facts are what was settled from it.
"""
import json
import sys

LEFT_OUT = {'readers', 'sha256'}


def flatten(value):
    if isinstance(value, list):
        return ' '.join(flatten(item) for item in value)
    if isinstance(value, bool):
        return '1' if value else '0'
    if isinstance(value, float):
        return repr(value)
    return '' if value is None else str(value).replace('\t', ' ').replace('\n', ' ')


def lines(name, facts, prefix=''):
    for key, value in facts.items():
        if key in LEFT_OUT:
            continue
        if isinstance(value, dict):
            yield from lines(name, value, f'{prefix}{key}.')
        elif value is not None:
            yield f'{name}\t{prefix}{key}\t{flatten(value)}'


def main():
    with open(sys.argv[1], encoding='utf-8') as stream:
        facts = json.load(stream)
    for name in sorted(facts):
        print('\n'.join(lines(name, facts[name])))


if __name__ == '__main__':
    main()
