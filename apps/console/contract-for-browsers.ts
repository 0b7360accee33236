/**
 * The contract as the browser needs it: methods, paths and what calls show or make stale, without the schemas of a
 * hundred inputs and answers. Types still come from the source.
 */
import path from 'node:path';
import { runnerImport, type Plugin } from 'vite';

const source = path.resolve(import.meta.dirname, '../../libs/contract/src');
const MODULE = '\0quarterdeck:contract';
const NEEDED = ['shows', 'stales', 'wide', 'volatile', 'asOf', 'timeless'];

type Calls = Record<string, Record<string, unknown>>;

/** What follows from the names of a noun and its call is left out, and added again by `of`. */
const withoutSchemas = (calls: Calls): string => {
  const noun = String(Object.values(calls)[0]?.id).replace(/\.\w+$/, '');
  const slim = Object.entries(calls).map(([key, call]) => {
    const usual: Record<string, unknown> = {
      id: `${noun}.${key}`,
      method: 'POST',
      path: `${noun}/${key}`,
    };
    const unusual = Object.keys(usual).filter((name) => call[name] !== usual[name]);
    const kept = [...unusual, ...NEEDED.filter((name) => name in call)];
    return [key, Object.fromEntries(kept.map((name) => [name, call[name]]))];
  });
  return `of(${JSON.stringify(noun)}, ${JSON.stringify(Object.fromEntries(slim))})`;
};

const OF = `const of = (noun, calls) => Object.fromEntries(Object.entries(calls).map(([key, call]) =>
  [key, { id: noun + '.' + key, method: 'POST', path: noun + '/' + key, ...call }]));`;

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
    const plain = Object.entries(plainCalls).map(
      ([category, calls]) => `${JSON.stringify(category)}: ${withoutSchemas(calls)}`,
    );
    return [
      `export * from ${JSON.stringify(path.join(source, 'call.ts'))};`,
      OF,
      ...nouns.map(([name, calls]) => `export const ${name} = ${withoutSchemas(calls)};`),
      `export const plainCalls = {${plain.join(', ')}};`,
      'export const callsOf = ({ category }) => plainCalls[category];',
      `const all = [${nouns.map(([name]) => name).join(', ')}, ...Object.values(plainCalls)];`,
      'export const contract = all.flatMap((calls) => Object.values(calls));',
    ].join('\n');
  },
});
