/**
 * The contract as the browser needs it: methods, paths and what calls show or make stale, without the schemas of a
 * hundred inputs and answers. Types still come from the source.
 */
import path from 'node:path';
import { runnerImport, type Plugin } from 'vite';

const source = path.resolve(import.meta.dirname, '../../libs/contract/src');
const MODULE = '\0quarterdeck:contract';
const NEEDED = ['id', 'method', 'path', 'shows', 'stales', 'wide', 'volatile', 'asOf', 'timeless'];

type Calls = Record<string, Record<string, unknown>>;

const withoutSchemas = (calls: Calls): Calls =>
  Object.fromEntries(
    Object.entries(calls).map(([key, call]) => [
      key,
      Object.fromEntries(NEEDED.flatMap((name) => (name in call ? [[name, call[name]]] : []))),
    ]),
  );

const isNoun = (value: unknown): value is Calls =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const contractForBrowsers = (): Plugin => ({
  name: 'quarterdeck:contract',
  enforce: 'pre',
  resolveId: (id) => (id === '@quarterdeck/contract' ? MODULE : undefined),
  async load(id) {
    if (id !== MODULE) return undefined;
    const entry = path.join(source, 'index.ts');
    const { module, dependencies } = await runnerImport<Record<string, unknown>>(entry, {
      configFile: false,
      logLevel: 'warn',
    });
    for (const file of [entry, ...dependencies]) this.addWatchFile(file);
    const { plainCalls, ...others } = module as Record<string, unknown> & {
      plainCalls: Record<string, Calls>;
    };
    const nouns = Object.entries(others).filter((one): one is [string, Calls] => isNoun(one[1]));
    const plain = Object.entries(plainCalls).map(([category, calls]) => [category, withoutSchemas(calls)]);
    return [
      `export * from ${JSON.stringify(path.join(source, 'call.ts'))};`,
      ...nouns.map(([name, calls]) => `export const ${name} = ${JSON.stringify(withoutSchemas(calls))};`),
      `export const plainCalls = ${JSON.stringify(Object.fromEntries(plain))};`,
      'export const callsOf = ({ category }) => plainCalls[category];',
      `const all = [${nouns.map(([name]) => name).join(', ')}, ...Object.values(plainCalls)];`,
      'export const contract = all.flatMap((calls) => Object.values(calls));',
    ].join('\n');
  },
});
