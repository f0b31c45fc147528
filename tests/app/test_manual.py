# SPDX-License-Identifier: MIT
"""The manual against the program: pages and links, commands and options, formats, settings' pages."""
import pathlib
import re
import tempfile

import cli

HELP = pathlib.Path(__file__).resolve().parents[2] / 'app' / 'help'
MADE = ('commands', 'messages')
LINK = re.compile(r'!?\[[^\]]+\]\(([^)]+)\)')
CODE = re.compile(r'^```\n(.*?)^```$', re.S | re.M)
OPTION = re.compile(r'(?<![\w-])--([a-z][a-z0-9-]*)')


def read_pages():
    names = (HELP / 'contents').read_text(encoding='utf-8').split()
    written = {path.stem for path in HELP.glob('*.md')}
    assert written | set(MADE) == set(names), written ^ set(names)
    pages = {name: (HELP / f'{name}.md').read_text(encoding='utf-8') for name in names if name not in MADE}
    pages['commands'] = cli.run('help', '--pages').stdout
    return names, pages


def check_resources(names):
    listed = set(re.findall(r'<file>(.*?)</file>', (HELP / 'manual.gresource.xml').read_text(encoding='utf-8')))
    pictures = {f'pictures/{path.name}' for path in (HELP / 'pictures').glob('*.png')}
    # Translations are checked by tests/check_manual_languages.py.
    assert {file for file in listed if not file.startswith('de/')} == {f'{name}.md' for name in names} | pictures | {'contents'}, listed
    return pictures


def check_links(names, pages, pictures):
    used = set()
    for name, text in pages.items():
        assert text.startswith('# '), name
        for target in LINK.findall(CODE.sub('', text)):
            if target.endswith('.png'):
                used.add(target)
            elif not target.startswith('https://'):
                assert target.removesuffix('.md') in names and target.endswith('.md'), f'{name}: {target}'
    assert used == pictures, used ^ pictures


def options_of(command):
    return set(OPTION.findall(cli.run(command, '--help').stdout))


def check_options(pages):
    """What --help names stands in the manual page and in the page of the commands, section by section."""
    overview = cli.run('help').stdout.split('Commands:')[1]
    commands = re.findall(r'^  (\w+) +[A-Z]', overview, re.M)
    assert len(commands) >= 14, commands
    page = pages['commands']
    shared = page.split('## Options of every command')[1]
    manual = cli.run('help', '--man').stdout.replace('\\-', '-')
    for command in commands:
        section = page.split(f'\n## {command}\n')[1].split('\n## ')[0]
        known = set(OPTION.findall(section + shared))
        if 'Also the settings of `map`' in section:
            known |= options_of('map') | {f'map-{option}' for option in options_of('map')}
        assert options_of(command) <= known, (command, options_of(command) - known)
        assert f'.SS "{command} ' in manual, command
        missing = {option for option in OPTION.findall(section + shared) if f'--{option}\\fR' not in manual
                   and f'--{option}' not in manual}
        assert not missing, (command, missing)
    return commands


def check_examples(pages, commands):
    """The lines that people copy."""
    seen = 0
    for name, text in pages.items():
        for block in CODE.findall(text):
            lines = block.replace('\\\n', ' ')
            jobs = re.findall(r"--job '([^']*)'", lines)
            for line in re.sub(r"--job '[^']*'", '--job', lines).splitlines() + [f'debye-cli {job}' for job in jobs]:
                words = line.split()
                if words[:1] != ['debye-cli'] or words[1] == 'COMMAND':
                    continue
                assert words[1] in commands, f'{name}: {line}'
                wrong = set(OPTION.findall(line)) - options_of(words[1])
                assert not wrong, f'{name}: {line}: {wrong}'
                seen += 1
    assert seen > 25, seen


def check_formats(page):
    """The table of the formats against what the program says that it looked for and could write."""
    table = {match[1]: match[0] for match in re.finditer(r'^\| `(\w+)` \|.*$', page, re.M)}
    written = {name for name, row in table.items() if row.rstrip(' |').endswith('yes')}
    with tempfile.TemporaryDirectory() as folder:
        unknown = pathlib.Path(folder) / 'nothing.bin'
        unknown.write_bytes(bytes(range(1, 200)))
        read = re.search(r'looked for ([\w, ]+)\)', cli.run('info', unknown).stderr)[1].split(', ')
        atoms = pathlib.Path(folder) / 'atoms.pqr'
        cli.write_pqr(atoms, [('NA', 'NA', 1, 0, 0, 0, 1, 1)])
        said = cli.run('export', '-o', pathlib.Path(folder) / 'x.unknown', atoms).stderr
        could = set(re.findall(r'\.(\w+)', said.split('ends in one of')[1]))
    assert set(table) == set(read) | written, set(table) ^ (set(read) | written)
    # The first ending of each is the one that is offered.
    endings = {table[name].split('|')[3].split(',')[0].strip() for name in written}
    assert endings == could, endings ^ could


def main():
    names, pages = read_pages()
    check_links(names, pages, check_resources(names))
    check_examples(pages, check_options(pages))
    check_formats(pages['formats'])
    # The help button of an analysis's form opens the page of that name.
    assert {'map', 'ions', 'rdf', 'scattering', 'fit', 'msd', 'density', 'measure'} <= set(pages)


if __name__ == '__main__':
    main()
