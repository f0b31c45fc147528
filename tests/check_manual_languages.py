#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Each page of the manual in each language of app/po/LINGUAS is there and built in, and has what the English page has: headings of
the same levels, the same code, pictures, links, rows of tables and items of lists, so that a page that is changed in one language
only is found. What man pages say is compared by their sections and options.
check_manual_languages.py ROOT"""
import pathlib
import re
import sys

# What a page and its translation share, each in its order.
SHARED = {
    'headings': (re.compile(r'^#+(?= )', re.M), True),
    'code': (re.compile(r'^```\n.*?^```$', re.S | re.M), False),
    'pictures': (re.compile(r'!\[[^\]]+\]\(([^)]+)\)'), True),
    'links': (re.compile(r'(?<!!)\[[^\]]+\]\(([^)]+)\)'), True),
    'items': (re.compile(r'^- ', re.M), True),
    'rows of tables': (re.compile(r'^\|(?:[^|\n]*\|)+$', re.M), True),
    'formulas': (re.compile(r'^> ', re.M), True),
}
CODE = SHARED['code'][0]
# A row's number of cells, not its words.
SHAPE = {'rows of tables': lambda row: row.count('|')}
MAN = re.compile(r'^\.(SH|TP|BR?|PP)\b', re.M)


def shared_of(text, name):
    pattern, is_prose = SHARED[name]
    found = pattern.findall(CODE.sub('', text) if is_prose else text)
    return [SHAPE[name](row) for row in found] if name in SHAPE else found


def check_page(path, english):
    text = path.read_text(encoding='utf-8')
    for name in SHARED:
        theirs, ours = shared_of(english, name), shared_of(text, name)
        if theirs != ours:
            yield f'{path.parent.name}/{path.name}: {name} differ from the English page: {ours}, there {theirs}'


def check_man(path, english):
    if MAN.findall(path.read_text(encoding='utf-8')) != MAN.findall(english):
        yield f'{path.parent.name}/{path.name}: sections and options differ from the English page'


def check_language(folder, listed):
    pages = {path.name for path in folder.parent.glob('*.md')}
    there = {path.name for path in folder.glob('*.md')}
    for name in sorted(pages - there):
        yield f'{folder.name}: no page {name}'
    for name in sorted(there - pages):
        yield f'{folder.name}: {name} is of no English page'
    for name in sorted(there - listed):
        yield f'manual.gresource.xml: no {folder.name}/{name}'
    for name in sorted(pages & there):
        yield from check_page(folder / name, (folder.parent / name).read_text(encoding='utf-8'))
    yield from check_man(folder / 'debye.1', (folder.parent / 'debye.1').read_text(encoding='utf-8'))


def main():
    root = pathlib.Path(sys.argv[1])
    resources = (root / 'app/help/manual.gresource.xml').read_text(encoding='utf-8')
    problems = []
    for language in (root / 'app/po/LINGUAS').read_text(encoding='utf-8').split():
        listed = set(re.findall(rf'<file>{language}/(.*?)</file>', resources))
        problems += check_language(root / 'app/help' / language, listed)
    print('\n'.join(problems))
    return 1 if problems else 0


if __name__ == '__main__':
    sys.exit(main())
