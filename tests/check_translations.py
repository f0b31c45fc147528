#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every translation is complete: each sentence of the window's templates, of the tables of settings and of teaching variants, and
of calls of _() and ngettext() has one in each language of app/po/LINGUAS, none is left over, and what is filled in stands in both.
check_translations.py ROOT --list prints the sentences, for a new language or new sentences."""
import ast
import pathlib
import re
import subprocess
import sys
import xml.etree.ElementTree as xml

TEXT = r'(?:"(?:[^"\\]|\\.)*"\s*)+'
# DebyeSetting and DebyeSettingTable, DebyeChoice, settings that several tables share, _("…").
MEMBER = re.compile(rf'\.(?:label|title|question|help|lesson)\s*=\s*(?:\\?\s*)?({TEXT})')
CHOICE = re.compile(rf'\{{"[^"]*",\s*({TEXT}),\s*({TEXT})\}}')
ENTRY = re.compile(rf'DEBYE_SETTING_\w+_ENTRY\(\s*({TEXT})[,)]')
CALL = re.compile(rf'(?<![\w])N?_\(\s*({TEXT})\)')
COUNTED = re.compile(rf'(?<![\w])ngettext\(\s*({TEXT}),\s*({TEXT}),')
FILLED = re.compile(r'%[-+#0-9.*]*(?:ll|l|z|h)?[a-zA-Z]')
# The tables that the window shows.
TABLES = ('field', 'map', 'ions', 'rdf', 'scattering', 'measure', 'common')


def unquote(literals):
    return ''.join(ast.literal_eval(part) for part in re.findall(r'"(?:[^"\\]|\\.)*"', literals))


def sentences_of_table(text):
    text = text.replace('\\\n', '\n')
    for match in MEMBER.finditer(text):
        yield unquote(match[1])
    for match in ENTRY.finditer(text):
        yield unquote(match[1])
    for match in CHOICE.finditer(text):
        yield unquote(match[1])
        yield unquote(match[2])


def sentences_of_template(path):
    for element in xml.parse(path).iter():
        if element.get('translatable') == 'yes':
            yield element.text


def find(root):
    """All sentences, each once, in the order of the files."""
    found = {}
    for path in sorted((root / 'ui').glob('*.ui')):
        found.update(dict.fromkeys(sentences_of_template(path)))
    for name in TABLES:
        for ending in ('c', 'h'):
            path = root / 'app' / 'analysis' / f'{name}_settings.{ending}'
            if path.exists():
                found.update(dict.fromkeys(sentences_of_table(path.read_text(encoding='utf-8'))))
    found.update(dict.fromkeys(sentences_of_table((root / 'app/analysis/ion_kinds.c').read_text(encoding='utf-8'))))
    for path in ('kernels/cpu/ladder.c', 'kernels/cuda/ladder.cu'):
        found.update(dict.fromkeys(sentences_of_table((root / path).read_text(encoding='utf-8'))))
    for folder in ('ui', 'app', 'data'):
        for path in sorted((root / folder).glob('*.c')):
            text = path.read_text(encoding='utf-8')
            found.update(dict.fromkeys(unquote(match[1]) for match in CALL.finditer(text)))
            for match in COUNTED.finditer(text):
                found.update(dict.fromkeys((unquote(match[1]), unquote(match[2]))))
    return [sentence for sentence in found if re.search('[a-z]{2}', sentence or '')]


def read(path):
    text = path.read_text(encoding='utf-8')
    pairs = re.findall(rf'^msgid ({TEXT})msgstr ({TEXT})', text, re.M)
    counted = re.findall(rf'^msgid ({TEXT})msgid_plural ({TEXT})msgstr\[0\] ({TEXT})msgstr\[1\] ({TEXT})', text, re.M)
    pairs += [(one, first) for one, _, first, _ in counted] + [(many, rest) for _, many, _, rest in counted]
    return {unquote(key): unquote(value) for key, value in pairs if unquote(key)}


def check(path, sentences):
    translations = read(path)
    for sentence in sentences:
        if not translations.get(sentence):
            yield f'{path.name}: no translation of “{sentence}”'
        elif FILLED.findall(sentence) != FILLED.findall(translations[sentence]):
            yield f'{path.name}: “{sentence}” and its translation are filled in differently'
    for sentence in translations.keys() - set(sentences):
        yield f'{path.name}: “{sentence}” is nowhere'


def main():
    root = pathlib.Path(sys.argv[1])
    sentences = find(root)
    if '--list' in sys.argv[2:]:
        print('\n'.join(sentences))
        return 0
    problems = []
    for language in (root / 'app/po/LINGUAS').read_text(encoding='utf-8').split():
        path = root / 'app/po' / f'{language}.po'
        subprocess.run(['msgfmt', '--check', '--output-file=/dev/null', path], check=True)
        problems += check(path, sentences)
    print('\n'.join(problems + [f'{len(sentences)} sentences']))
    # Fewer would mean that this no longer finds them.
    return 1 if problems or len(sentences) < 300 else 0


if __name__ == '__main__':
    sys.exit(main())
