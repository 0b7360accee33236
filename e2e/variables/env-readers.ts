/**
 * The programs that read `.env` files, each as it really reads one. `docker compose` 2 has no package for the machines
 * that run the tests, so its published grammar is followed here.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { parse } from 'dotenv';
import type { EnvReader } from '@quarterdeck/events/inputs';

type Values = Readonly<Record<string, string>>;
type Reader = (file: string) => Values;

const PRINT_AS_JSON =
  'import json, sys; from dotenv import dotenv_values; print(json.dumps(dotenv_values(sys.argv[1])))';

const run = (program: string, args: readonly string[]): string =>
  execFileSync(program, args, { encoding: 'utf8', env: { PATH: process.env.PATH, LC_ALL: 'C.UTF-8' } });

const bash: Reader = (file) => {
  const lines = run('bash', ['-c', 'set -a; . "$1"; env -0', 'bash', file]).split('\0');
  return Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  );
};

/** Quoted values may have several lines. Double quotes have escapes, and `$name` is replaced outside single quotes. */
const compose: Reader = (file) => {
  const values: Record<string, string> = {};
  const text = readFileSync(file, 'utf8').replaceAll('\r\n', '\n');
  const statement =
    /\s*(?:#[^\n]*|(?:export\s+)?([\w.-]+)[^\S\n]*=[^\S\n]*(?:"((?:\\"|[^"])*)"|'((?:\\'|[^'])*)'|([^\n]*)))/gy;
  const expanded = (value: string) =>
    value.replaceAll(/(\\)?\$(?:\{\w+\}|\w+|(?=\$))/g, (found, escape) => (escape ? found.slice(1) : ''));
  for (const [, key, double, single, bare] of text.matchAll(statement)) {
    if (key === undefined) continue;
    if (single !== undefined) values[key] = single;
    else if (double !== undefined)
      values[key] = expanded(
        double
          .replaceAll(/\\./gs, (escape) => ({ '\\n': '\n', '\\r': '\r' })[escape] ?? escape)
          .replaceAll(/\\([^$])/gs, '$1'),
      ).replaceAll(String.raw`\$`, '$');
    else values[key] = expanded((bare ?? '').replace(/\s#.*$/, '').trim());
  }
  return values;
};

export const realReaders: Readonly<Record<EnvReader, Reader>> = {
  dotenv: (file) => parse(readFileSync(file)),
  Node: (file) =>
    JSON.parse(run(process.execPath, [`--env-file=${file}`, '-p', 'JSON.stringify(process.env)'])) as Values,
  'python-dotenv': (file) => JSON.parse(run('/usr/bin/python3', ['-c', PRINT_AS_JSON, file])) as Values,
  'docker compose': compose,
  bash,
};
