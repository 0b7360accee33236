/**
 * The programs that read `.env` files, each as it really reads them. `docker compose` 2 has no package for the machines
 * that run the tests, so its published grammar is followed here (compose-go 2.13).
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { parse } from 'dotenv';
import type { EnvReader } from '@quarterdeck/events/inputs';

export type Values = ReadonlyMap<string, string>;
/** Reads each file on its own. @throws if the reader refuses one */
type Reader = (files: readonly string[]) => Values[];

const ENV = { LC_ALL: 'C.UTF-8' };

const run = (program: string, args: readonly string[]): string =>
  execFileSync(program, args, { encoding: 'utf8', env: ENV, stdio: 'pipe', maxBuffer: 64 * 1024 * 1024 });

const mapOf = (values: object): Values => new Map(Object.entries(values) as [string, string][]);

/** `__proto__` is a name too, so that objects are written as pairs. */
const PAIRS_OF_PYTHON = `
import json, sys
from dotenv import dotenv_values
print(json.dumps([list(dotenv_values(file).items()) for file in sys.argv[1:]]))`;

const python: Reader = (files) =>
  (JSON.parse(run('/usr/bin/python3', ['-c', PAIRS_OF_PYTHON, ...files])) as [string, string][][]).map(
    (pairs) => new Map(pairs),
  );

const PAIRS_OF_NODE = 'JSON.stringify(Object.entries(process.env))';

const node: Reader = (files) =>
  files.map(
    (file) => new Map(JSON.parse(run(process.execPath, [`--env-file=${file}`, '-p', PAIRS_OF_NODE])) as []),
  );

/** The marker shows that bash has run a part of a value as a command. */
const SOURCE_EACH = `
command_not_found_handle() { printf '%s\\n' "ran:$1" >&3; }
for file; do ( exec 3>"$file.ran"; set -a; . "$file" 2>/dev/null; exec 3>&-; /usr/bin/env -0 ); printf '\\0'; done`;

const bash: Reader = (files) =>
  run('/bin/bash', ['--norc', '-c', SOURCE_EACH, 'bash', ...files])
    .split('\0\0')
    .slice(0, files.length)
    .map((text, at) => {
      const lines = text.split('\0').filter((line) => line !== '');
      const ran = readFileSync(`${files[at]}.ran`, 'utf8');
      const pairs = lines.map((line) => [
        line.slice(0, line.indexOf('=')),
        line.slice(line.indexOf('=') + 1),
      ]);
      return new Map([...pairs, ...(ran === '' ? [] : [['a command', ran]])] as [string, string][]);
    });

const SPACE = String.raw`[\t\v\f\r \x85\xa0]`;
const STATEMENT = new RegExp(
  String.raw`\s*(?:(#[^\n]*)|(?:export\s+)?([\p{L}\p{N}_.[\]-]+)${SPACE}*[=:]${SPACE}*(?:"((?:\\[^]|[^"\\])*)"|'((?:\\[^]|[^'\\])*)'|([^"'\n][^\n]*|(?=\n|$))))|\s*$`,
  'uy',
);
const ESCAPES: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  $: '$$',
  '"': '"',
  '\\': '\\',
};
const REFERENCE = /\$(?:(\$)|([_a-z][_a-z0-9]*)|\{([_a-z][_a-z0-9]*)(?:(:?[-?])([^}]*))?\}|())/gi;

/** References are replaced outside single quotes. What is no reference makes it refuse the file. */
const compose: Reader = (files) => files.map((file) => composeValues(readFileSync(file, 'utf8')));

const composeValues = (text: string): Values => {
  const values = new Map<string, string>();
  const expanded = (value: string) =>
    value.replaceAll(REFERENCE, (_found, dollar, name, braced, sign = '', more = '') => {
      if (dollar !== undefined) return '$';
      const known = values.get(name ?? braced);
      if ((name ?? braced) === undefined || (sign.endsWith('?') && !known))
        throw new Error(`docker compose refuses ${value}`);
      return known ?? (sign.endsWith('-') ? more : '');
    });
  STATEMENT.lastIndex = 0;
  while (STATEMENT.lastIndex < text.length) {
    const at = STATEMENT.lastIndex;
    const found = STATEMENT.exec(text);
    if (!found) throw new Error(`docker compose refuses ${text.slice(at, at + 80)}`);
    const [, , key, double, single, bare] = found;
    if (key === undefined) continue;
    if (single !== undefined) values.set(key, single.replaceAll(String.raw`\'`, "'"));
    else if (double === undefined) values.set(key, expanded((bare ?? '').replace(/ #[^]*/, '').trimEnd()));
    else {
      const kept = double.replaceAll(/\\([^])/g, (pair, char: string) => (char === '"' ? '"' : pair));
      values.set(
        key,
        expanded(kept.replaceAll(/\\([abfnrtv$"\\])/g, (pair, char: string) => ESCAPES[char] ?? pair)),
      );
    }
  }
  return values;
};

export const realReaders: Readonly<Record<EnvReader, Reader>> = {
  dotenv: (files) => files.map((file) => mapOf(parse(readFileSync(file)))),
  Node: node,
  'python-dotenv': python,
  'docker compose': compose,
  bash,
};
