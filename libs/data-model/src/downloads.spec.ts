import { runInNewContext } from 'node:vm';
import { Ajv2020 } from 'ajv/dist/2020';
import { unzipSync, strFromU8 } from 'fflate';
import ts from 'typescript';
import { bundle, jsonSchemaOf, sqlArchive } from './bundle';
import { journal } from './journal';
import type { Model } from './model';
import { plan } from './plan';
import { problemsOf } from './problems';
import { migrationsOf } from './sql';
import { starter } from './starter';
import { noStructure } from './structure';
import { structureOf } from './structure-of';
import { moduleOf, typesOf } from './typescript';

let ids = 0;
const begun = starter(() => `id-${++ids}`);
const titled = { product: 'Shop */ "1"', version: 2 };
const model: Model = {
  entities: [
    ...begun.entities,
    {
      id: 'odd',
      name: 'User!',
      table: 'odd',
      isUuid: true,
      attributes: [
        { id: 'o1', name: 'State */', column: 'state', type: 'Int', optional: false, optionSet: 's' },
        { id: 'o2', name: 'Data', type: 'JSON', optional: true },
        { id: 'o3', name: 'Next', type: 'ForeignKey', optional: true, foreignEntity: 'odd' },
      ],
    },
  ],
  optionSets: [{ id: 's', name: 'State', values: [{ id: 'v', key: 1, value: 'open */' }] }],
};
const files = {
  ...titled,
  model,
  migrations: migrationsOf(plan(noStructure, structureOf(model))).map((one) => ({ ...one, version: 1 })),
};

it('begins with users, roles, sessions and addresses, without a problem', () => {
  expect(begun.entities.map(({ name }) => name)).toEqual(['Role', 'User', 'Session', 'Address']);
  expect(problemsOf(model)).toEqual([]);
});

it('writes types that the compiler accepts, and that mean the rows', () => {
  const use = `
    import type { Tables, User2, State } from './types';
    const state: State = 1;
    export const odd: User2 = { id: 'a', state, data: { a: [1, null] }, next_id: null };
    export const row: Tables['user_'] = {
      id: '1', email: 'a', first_name: 'b', last_name: 'c', password_hash: null, is_active: true,
      date_added: '2024-01-01 00:00:00', role_id: '7',
    };
    // @ts-expect-error: 2 is no key of the option set.
    export const wrong: State = 2;
    // @ts-expect-error: the e-mail is required.
    export const without: Pick<Tables['user_'], 'email'> = {};
  `;
  const sources = {
    '/types.ts': typesOf({ model, ...titled }),
    '/model.ts': moduleOf({ model, ...titled }),
    '/use.ts': use,
  };
  expect(complaints(sources)).toEqual([]);
});

it('writes an ES module that says what the model is', () => {
  const text = moduleOf({ model, ...titled });
  const code = ts.transpileModule(text, { compilerOptions: { module: ts.ModuleKind.CommonJS } }).outputText;
  const exported: Record<string, unknown> = {};
  runInNewContext(code, { exports: exported });
  expect(exported.version).toBe(2);
  expect((exported.entities as { table: string }[]).map(({ table }) => table)).toEqual([
    'role',
    'user_',
    'session',
    'address',
    'odd',
  ]);
});

it('packs all files of a version, always into the same bytes', () => {
  const packed = bundle(files);
  expect(Buffer.from(packed).equals(Buffer.from(bundle(files)))).toBe(true);
  const names = Object.keys(unzipSync(packed));
  expect(names).toEqual(expect.arrayContaining(['README.md', 'model.js', 'types.d.ts', 'schema.json']));
  expect(names).toContain('mysql/V1_1__create_table_role.sql');
  expect(files.migrations.length).toBeGreaterThan(10);
  expect(strFromU8(unzipSync(packed)['mysql.sql']!)).toBe(
    files.migrations.map(({ sql }) => `${sql.mysql}\n`).join('\n'),
  );
  const sql = unzipSync(sqlArchive(files, 'postgresql'));
  expect(Object.keys(sql)).toHaveLength(files.migrations.length);
  expect(strFromU8(sql['V1_1__create_table_role.sql']!)).toMatch(/^create table "role" \(/);
});

it('names the lock of a database with functions that MySQL 9 still has', () => {
  for (const sql of [journal.mysql.lock, journal.mysql.unlock]) expect(sql).not.toMatch(/\b(md5|sha1?)\(/);
});

it('describes the rows of each table as JSON schema', () => {
  const { $defs } = jsonSchemaOf({ model, ...titled }) as { $defs: Record<string, { required: string[] }> };
  expect($defs.odd).toMatchObject({
    properties: { id: { format: 'uuid' }, state: { enum: [1] } },
    required: ['id', 'state'],
  });
});

it.each([true, false])(
  'writes a JSON schema of an empty option set that a reader accepts, strict: %s',
  (strict) => {
    const empty: Model = {
      entities: [
        {
          id: 't',
          name: 'Thing',
          isUuid: true,
          attributes: [{ id: 'e', name: 'Empty', type: 'Int', optional: true, optionSet: 's' }],
        },
      ],
      optionSets: [{ id: 's', name: 'Empty set', values: [] }],
    };
    const schema = { ...jsonSchemaOf({ model: empty, ...titled }), $ref: '#/$defs/thing' };
    const accepts = new Ajv2020({ strict, formats: { uuid: true } }).compile(schema);
    const id = '0193f0a0-0000-7000-8000-000000000001';
    expect([accepts({ id, empty_: null }), accepts({ id, empty_: 1 })]).toEqual([true, false]);
  },
);

/** Compiler errors for in-memory files. */
function complaints(sources: Readonly<Record<string, string>>): string[] {
  const options: ts.CompilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    types: [],
    lib: ['lib.es5.d.ts'],
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
  };
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists, readFile } = host;
  Object.assign(host, {
    getSourceFile: (name: string, language: ts.ScriptTarget) =>
      name in sources
        ? ts.createSourceFile(name, sources[name] ?? '', language)
        : getSourceFile.call(host, name, language),
    fileExists: (name: string) => name in sources || fileExists.call(host, name),
    readFile: (name: string) => sources[name] ?? readFile.call(host, name),
  });
  return ts
    .getPreEmitDiagnostics(ts.createProgram(Object.keys(sources), options, host))
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
}
