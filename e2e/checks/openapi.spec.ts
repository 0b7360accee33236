/** The description of the API as strangers use it: judged by a validator, and as the source of a client. */
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { contract } from '@quarterdeck/contract';
import { fieldsOf, idleKey, nowhere, openWorld, type World } from '../backend/world';

const root = resolve(__dirname, '../..');
const execute = promisify(execFile);
const program = async (path: string, ...args: string[]): Promise<string> => {
  const ended = await execute(process.execPath, [path, ...args], { cwd: folder }).catch(
    (error: { stdout: string; stderr: string }) => error,
  );
  return ended.stdout + ended.stderr;
};
const inPackages = (path: string): string => join(root, 'node_modules', path);

const client = (field: string): string => `
import createClient from 'openapi-fetch';
import type { paths } from './schema.js';

const [baseUrl = '', cookie = ''] = process.argv.slice(2);
const client = createClient<paths>({ baseUrl, headers: { cookie } });
const params = { header: { 'X-Requested-With': 'a client' } };
const { data, error } = await client.POST('/api/server/list', { params, body: {} });
if (error) throw new Error(error.msg);
console.log(data.map(({ ${field} }) => ${field}).join());
`;

let world: World;
let folder: string;
let document: { paths: Record<string, Record<string, { responses: Record<string, unknown> }>> };

beforeAll(async () => {
  world = await openWorld();
  // Within the project, where a client finds its packages.
  mkdirSync(join(root, 'dist'), { recursive: true });
  folder = mkdtempSync(join(root, 'dist/client-'));
  const described = await fetch(`${world.backend.url}/api/docs-json`);
  const text = await described.text();
  document = JSON.parse(text) as typeof document;
  writeFileSync(join(folder, 'openapi.json'), text);
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await world?.end();
});

test('the description is valid OpenAPI, and has every call with what it answers', async () => {
  const judged = await program(
    inPackages('@seriousme/openapi-schema-validator/bin/validate-api-cli.js'),
    'openapi.json',
  );
  expect(JSON.parse(judged)).toEqual({ valid: true });
  const described = Object.values(document.paths).flatMap((path) => Object.values(path));
  expect(described).toHaveLength(contract.length);
  for (const { responses } of described) expect(responses['200']).toHaveProperty('content');
});

test('a client that openapi-typescript makes of it compiles and lists servers; a wrong one does not', async () => {
  const ada = await world.backend.signIn();
  for (const alias of ['web-1', 'web-2'])
    expect(
      (await ada.post('server/insert', { ...fieldsOf(alias, nowhere), privateKey: idleKey() })).status,
    ).toBe(200);
  await program(inPackages('openapi-typescript/bin/cli.js'), 'openapi.json', '--output', 'schema.d.ts');
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  writeFileSync(join(folder, 'right.ts'), client('alias'));
  writeFileSync(join(folder, 'wrong.ts'), client('aliases'));
  const options = [
    '--ignoreConfig',
    '--strict',
    '--module',
    'nodenext',
    '--target',
    'es2022',
    '--types',
    'node',
  ];
  const complaints = await program(
    inPackages('typescript/bin/tsc'),
    ...options,
    '--skipLibCheck',
    'right.ts',
    'wrong.ts',
  );
  expect(complaints.match(/^.*error TS\d+/gm)).toEqual([
    expect.stringMatching(/^wrong\.ts\(\d+,\d+\): error TS2339$/),
  ]);
  expect(await program(join(folder, 'right.js'), world.backend.url, ada.cookie)).toBe('web-1,web-2\n');
});
