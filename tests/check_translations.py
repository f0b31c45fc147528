#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Translations fit: each sentence of the window's templates, of the tables of settings and of teaching variants, of calls of
_(), C_() and ngettext(), and of what errors, remarks and notes say (tests/messages.py) has one in each language of app/po/LINGUAS,
but for a debt that may only shrink; none is left over, and what is filled in stands in both. So has each sentence of the samples and
their guides (data/samples/index.ini).
check_translations.py ROOT --list prints the sentences, for a new language or new sentences."""
import ast
import configparser
import pathlib
import re
import subprocess
import sys
import xml.etree.ElementTree as xml

import check_messages
import messages
import sources

TEXT = r'(?:"(?:[^"\\]|\\.)*"\s*)+'
# DebyeSetting and DebyeSettingTable, DebyeChoice, settings that several tables share, _("…").
MEMBER = re.compile(rf'\.(?:label|title|question|help|lesson)\s*=\s*(?:\\?\s*)?({TEXT})')
CHOICE = re.compile(rf'\{{"[^"]*",\s*(?:N_\()?({TEXT})\)?,\s*({TEXT})\}}')
ENTRY = re.compile(rf'DEBYE_SETTING_\w+_(?:ENTRY|ROW)\(\s*(?:\w+,\s*)?({TEXT})[,)]')
CALL = re.compile(rf'(?<![\w])N?_\(\s*({TEXT})\)')
IN_CONTEXT = re.compile(rf'(?<![\w])C_\(\s*({TEXT}),\s*({TEXT})\)')
COUNTED = re.compile(rf'(?<![\w])ngettext\(\s*({TEXT}),\s*({TEXT}),')
# Sentences that may wait for a translation: names that have none, and what contributors say in English. Only ever less.
DEBT = 40
FILLED = re.compile(r'%[-+#0-9.*]*(?:ll|l|z|h)?[a-zA-Z]')
# Settings of commands that stand in files of their own.
COMMAND_TABLES = ('figure_settings', 'options', 'plot_output', 'render_settings')


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


def sentences_of_command(text):
    """What help shows of a command or of a kind of layer: not labels of its options, which no window has."""
    text = text.replace('\\\n', '\n')
    for match in re.finditer(rf'\.(?:help|summary|description|unit)\s*=\s*({TEXT})', text):
        yield unquote(match[1])
    for match in ENTRY.finditer(text):
        yield unquote(match[1])
    for match in CHOICE.finditer(text):
        yield unquote(match[2])


def sentences_of_template(path):
    for element in xml.parse(path).iter():
        if element.get('translatable') == 'yes':
            yield element.text


def sentences_of_schema(path):
    """What the settings are, as an editor of them shows it."""
    for element in xml.parse(path).iter('summary'):
        yield element.text


def find(root):
    """All sentences, each once, in the order of the files."""
    found = {}
    for path in sources.of(root, 'ui', '*.ui'):
        found.update(dict.fromkeys(sentences_of_template(path)))
    found.update(dict.fromkeys(sentences_of_schema(root / 'flatpak/org.debye.Debye.gschema.xml')))
    for path in sources.of(root, 'app/analysis', '*_settings.[ch]'):
        found.update(dict.fromkeys(sentences_of_table(path.read_text(encoding='utf-8'))))
    found.update(dict.fromkeys(sentences_of_table((root / 'app/analysis/ions/ion_kinds.c').read_text(encoding='utf-8'))))
    for path in ('kernels/ladder/variants_cpu.c', 'kernels/ladder/variants_cuda.c', 'app/analysis/driver/dataset_choice.c',
                 'app/document/coordinate_export_settings.c', 'render/look/plot_look.c', 'render/scene/look_settings.c',
                 'app/scene/film_file.c'):
        found.update(dict.fromkeys(sentences_of_table((root / path).read_text(encoding='utf-8'))))
    for name in COMMAND_TABLES:
        # Options have headings, which commands have not.
        text = sources.named(root, 'app', f'{name}.c').read_text(encoding='utf-8')
        found.update((unquote(match[1]), None) for match in re.finditer(rf'\.title\s*=\s*({TEXT})', text))
    for path in [*sources.of(root, 'app', 'command_*.c'), *sources.of(root, 'app/analysis', '*_analysis.c'), *(sources.named(root, 'app', f'{name}.c') for name in COMMAND_TABLES),
                 *sources.of(root, 'render/layers', '*_layer*.c'), *sources.of(root, 'render/look', 'plot_look.[ch]')]:
        found.update(dict.fromkeys(sentences_of_command(path.read_text(encoding='utf-8'))))
    found.update(dict.fromkeys(sentences_of_table((root / 'data/trajectory/placing.c').read_text(encoding='utf-8'))))
    for folder in ('ui', 'app', 'data', 'render'):
        for path in sources.of(root, folder, '*.c'):
            text = path.read_text(encoding='utf-8')
            found.update(dict.fromkeys(unquote(match[1]) for match in CALL.finditer(text)))
            for match in COUNTED.finditer(text):
                found.update(dict.fromkeys((unquote(match[1]), unquote(match[2]))))
    found.update((messages.pattern_of(sentence), None) for path, *_, sentence in messages.find(root)
                 if not check_messages.OF_CLI.match(path.name))
    found.update(dict.fromkeys((check_messages.TITLE, check_messages.EXPLANATION)))
    return [sentence for sentence in found if re.search(r'[a-z]{2}|“|^\.SH', sentence or '')]


def read(path):
    text = re.sub(rf'^msgctxt {TEXT}msgid {TEXT}msgstr {TEXT}', '', path.read_text(encoding='utf-8'), flags=re.M)
    pairs = re.findall(rf'^msgid ({TEXT})msgstr ({TEXT})', text, re.M)
    counted = re.findall(rf'^msgid ({TEXT})msgid_plural ({TEXT})msgstr\[0\] ({TEXT})msgstr\[1\] ({TEXT})', text, re.M)
    pairs += [(one, first) for one, _, first, _ in counted] + [(many, rest) for _, many, _, rest in counted]
    return {unquote(key): unquote(value) for key, value in pairs if unquote(key)}


def find_untranslated(path, sentences):
    translations = read(path)
    return [f'{path.name}: no translation of “{sentence}”' for sentence in sentences if not translations.get(sentence)]


def check(path, sentences):
    translations = read(path)
    for sentence in sentences:
        if sentence in translations and FILLED.findall(sentence) != FILLED.findall(translations[sentence]):
            yield f'{path.name}: “{sentence}” and its translation are filled in differently'
    for sentence in translations.keys() - set(sentences):
        yield f'{path.name}: “{sentence}” is nowhere'


def check_contexts(root, path):
    text = path.read_text(encoding='utf-8')
    found = {(unquote(a), unquote(b)) for a, b, c in re.findall(rf'^msgctxt ({TEXT})msgid ({TEXT})msgstr ({TEXT})', text, re.M)
             if unquote(c)}
    for source in (path for layer in ('ui', 'app', 'render') for path in sources.of(root, layer, '*.c')):
        for match in IN_CONTEXT.finditer(source.read_text(encoding='utf-8')):
            if (unquote(match[1]), unquote(match[2])) not in found:
                yield f'{path.name}: no translation of “{unquote(match[2])}” of {unquote(match[1])}'


def check_samples(root, language):
    """What a sample and the steps of its guide say, and what the buttons of the steps are called. Symbols need no words of a
    language: they stand for both."""
    index = configparser.ConfigParser(interpolation=None, delimiters=('=',), comment_prefixes=('#',))
    index.optionxform = str
    index.read(root / 'data/samples/index.ini', encoding='utf-8')
    for name in index.sections():
        for key, value in index[name].items():
            translation = index[name].get(f'{key}[{language}]', '')
            if re.fullmatch(r'title|description|step\d+-(title|text|answer|button)', key) and (
                    not translation or (translation == value and re.search(r'[a-z]{3}', value))):
                yield f'index.ini: no {language} of {key} of {name}: “{value}”'


def main():
    root = pathlib.Path(sys.argv[1])
    sentences = find(root)
    if '--list' in sys.argv[2:]:
        print('\n'.join(sentences))
        return 0
    problems, untranslated = [], []
    for language in (root / 'app/po/LINGUAS').read_text(encoding='utf-8').split():
        path = root / 'app/po' / f'{language}.po'
        subprocess.run(['msgfmt', '--check', '--output-file=/dev/null', path], check=True)
        problems += [*check(path, sentences), *check_samples(root, language)]
        untranslated += [*find_untranslated(path, sentences), *check_contexts(root, path)]
    print('\n'.join([*problems, *untranslated, f'{len(sentences)} sentences, {len(untranslated)} without a translation']))
    # Fewer would mean that this no longer finds them.
    return 1 if problems or len(untranslated) > DEBT or len(sentences) < 300 else 0


if __name__ == '__main__':
    sys.exit(main())
