#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""What comes with debye-cli: help, man page, completion, samples; and what it does not link."""
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import cli  # noqa: E402
from cli_case import CliCase  # noqa: E402

CATALOGUE = pathlib.Path(__file__).resolve().parents[2] / 'app' / 'po' / 'de.po'
# Words that no German sentence has.
ENGLISH = re.compile(r'\b(the|of|and|or|is|are|has|have|to|from|with|without|its|their|more|than|for|which|unset|default)\b')

# Examples, names of options, what stands in quotes, and the words that a choice may be.
NO_PROSE = re.compile(r'^```\n(?:.*\n)*?```$|^\.nf\n.*\n\.fi$|^\.SS .*|^ *(?:mpirun|debye-cli) .*|`[^`]*`|"[^"]*"|„[^“]*“|'
                      r'Vorgabe [^;|\n]*|\b\w+-and-\w+|--[\w-]+|\([a-z0-9-]+(?:,\s+[a-z0-9-]+)+', re.M)


class Help(CliCase):
    def test_no_gtk_is_linked(self):
        needed = subprocess.run(['ldd', cli.PROGRAM], stdout=subprocess.PIPE, text=True, check=True).stdout
        self.assertIn('libglib', needed)
        for library in ('libgtk', 'libgdk-', 'libadwaita', 'libcuda', 'libcudart'):
            self.assertNotIn(library, needed)

    def test_help_of_every_command(self):
        overview = self.run_cli('--help').stdout
        for name in ('info', 'export', 'map', 'render', 'devices', 'bench', 'rerun', 'sample', 'help'):
            self.assertIn(f'  {name} ', overview)
            done = self.run_cli(name, '--help')
            self.assertEqual(done.returncode, 0)
            self.assertEqual('--json' in done.stdout, name != 'help')
            self.assertEqual(done.stdout, self.run_cli('help', name).stdout)
        for option in ('--json', '-j', '--no-json'):
            self.assertIn('there is no option', self.expect_usage('help', option))
        self.assertRegex(self.run_cli('map', '--help').stdout, r'(?s)--spacing.*Å.*--temperature.*default: 300,.* K\)')
        for option in ('measured', 'q-vectors', 'continue'):
            self.assertIn(f'--{option} FILE', self.run_cli('scattering', '--help').stdout)
            self.assertRegex(self.run_cli('help', '--completion', 'zsh').stdout, rf"--{option}=\[[^']*:{option}:_files'")

    def test_help_fits_a_terminal(self):
        """80 columns; examples longer than that are lines that a shell joins."""
        names = re.findall(r'^  (\w+) ', self.run_cli('--help').stdout.split('Commands:')[1], re.M)
        for call in (('--help',), *((name, '--help') for name in names)):
            wide = [line for line in self.run_cli(*call).stdout.splitlines() if len(line) > 80]
            self.assertEqual(wide, [], call)
        examples = self.run_cli('render', '--help').stdout.split('Examples:\n')[1]
        self.assertRegex(examples, r" \\\n      --")
        for command in examples.replace('\\\n', '').splitlines():
            self.assertEqual(shlex.split(command)[:2], ['debye-cli', 'render'])

    def test_manual_page(self):
        page = self.run_cli('help', '--man').stdout
        self.assertIn('.SH "COMMON OPTIONS"', page)
        self.assertIn('\\-\\-permittivity', page)
        if shutil.which('man'):
            (self.folder / 'debye-cli.1').write_text(page, encoding='utf-8')
            done = subprocess.run(['man', '--warnings', '-E', 'UTF-8', '-l', '-Tutf8', '-Z', 'debye-cli.1'],
                                  cwd=self.folder, env=cli.environment(LC_ALL='C.UTF-8', MANROFFSEQ='', MANWIDTH='80'),
                                  stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False)
            self.assertEqual(done.stderr, '')

    def test_help_in_german(self):
        """All of it, for who has that language; a shell's script and what a command says stay as they are."""
        folder = self.folder / 'de' / 'LC_MESSAGES'
        folder.mkdir(parents=True)
        subprocess.run(['msgfmt', '-o', folder / 'debye.mo', CATALOGUE], check=True)
        german = cli.environment(LC_ALL='C.UTF-8', LANGUAGE='de', DEBYE_LOCALE_DIR=str(self.folder))
        names = re.findall(r'^  (\w+) ', self.run_cli('--help').stdout.split('Commands:')[1], re.M)
        calls = [('--help',), ('help', '--man'), ('help', '--pages'), *((name, '--help') for name in names)]
        for call in calls:
            told = cli.run(*call, env=german).stdout
            prose = NO_PROSE.sub('', told.replace('\\-', '-'))
            found = [line for line in prose.splitlines() if ENGLISH.search(line)]
            self.assertEqual(found, [], call)
            self.assertNotEqual(told, self.run_cli(*call).stdout)
        for call in (('help', '--completion', 'fish'), ('map', 'nothing.pdb')):
            there, here = cli.run(*call, env=german), self.run_cli(*call)
            self.assertEqual((there.stdout, there.stderr), (here.stdout, here.stderr))

    def test_completion_scripts(self):
        scripts = {shell: self.run_cli('help', '--completion', shell).stdout for shell in ('bash', 'zsh', 'fish')}
        for shell, script in scripts.items():
            self.assertIn('permittivity', script, shell)
            if shutil.which(shell):
                option = '-n'
                done = subprocess.run([shell, option], input=script, text=True, stderr=subprocess.PIPE, check=False)
                self.assertEqual((done.returncode, done.stderr), (0, ''), shell)
        words = self.complete(scripts['bash'], ['debye-cli', 'map', '--un'])
        self.assertEqual(words, ['--unit'])
        words = self.complete(scripts['bash'], ['debye-cli', 'map', '--statistic', 'm'])
        self.assertEqual(words, ['mean', 'min', 'max'])
        words = self.complete(scripts['bash'], ['debye-cli', 'map', '--statistic', '=', 'm'])
        self.assertEqual(words, ['mean', 'min', 'max'])
        words = self.complete(scripts['bash'], ['debye-cli', 'help', 'ma'])
        self.assertEqual(words, ['map'])

    def test_completion_of_samples(self):
        names = sorted(sample['name'] for sample in cli.run_json('sample', '--list')['samples'])
        script = self.run_cli('help', '--completion', 'bash').stdout
        self.assertEqual(sorted(self.complete(script, ['debye-cli', 'sample', ''])), names)
        self.assertEqual(self.complete(script, ['debye-cli', 'sample', 'helix', '-o', '']), ['a-file'])
        if shutil.which('fish'):
            script = self.run_cli('help', '--completion', 'fish').stdout
            ask = f"{script}\ncomplete -C 'debye-cli sample '"
            lines = self.ask_shell('fish', ask)
            self.assertEqual(sorted(line.split('\t')[0] for line in lines), names)

    def ask_shell(self, shell, ask):
        """The lines that a shell answers, where the program under test is debye-cli."""
        programs = self.folder / 'programs'
        programs.mkdir(exist_ok=True)
        if not (programs / 'debye-cli').exists():
            (programs / 'debye-cli').symlink_to(os.path.realpath(cli.PROGRAM))
        place = self.folder / 'place'
        place.mkdir(exist_ok=True)
        (place / 'a-file').touch()
        environment = cli.environment(PATH=f"{programs}:{os.environ['PATH']}", HOME=str(self.folder))
        return subprocess.run([shell, '-c', ask], cwd=place, env=environment, stdout=subprocess.PIPE, text=True,
                              check=True).stdout.splitlines()

    def complete(self, script, words):
        line = ' '.join(f"'{word}'" for word in words)
        ask = f'{script}\nCOMP_WORDS=({line}); COMP_CWORD={len(words) - 1}; _debye_cli; printf "%s\\n" "${{COMPREPLY[@]}}"'
        return self.ask_shell('bash', ask)

    def test_samples(self):
        listed = cli.run_json('sample', '--list')['samples']
        self.assertGreaterEqual(len(listed), 3)
        for sample in listed:
            done = self.run_cli('sample', sample['name'], '-o', sample['name'])
            self.assertEqual(done.returncode, 0, done.stderr)
            files = done.stdout.splitlines()
            self.assertGreater(cli.run_json('info', *files, folder=self.folder)['atoms'], 0)
            told = cli.run_json('sample', sample['name'], '-o', 'again', folder=self.folder)
            written = [os.path.join('again', os.path.basename(name)) for name in files]
            self.assertEqual(told, {'samples': [{**sample, 'files': written}]})
            for name, copy in zip(files, written):
                self.assertEqual((self.folder / name).read_bytes(), (self.folder / copy).read_bytes())
        self.assertIn('expected one of', self.expect_usage('sample', 'unobtainium'))


if __name__ == '__main__':
    unittest.main()
