/** The facts about nouns as a value, without the declarations from which they follow. */
import path from 'node:path';
import { runnerImport, type Plugin } from 'vite';

const source = path.resolve(import.meta.dirname, '../../libs/events/src/noun-facts.ts');

export const nounFactsForBrowsers = (): Plugin => ({
  name: 'quarterdeck:noun-facts',
  enforce: 'pre',
  async load(id) {
    if (id !== source) return undefined;
    const { module, dependencies } = await runnerImport<{ nounFacts: object }>(source, {
      configFile: false,
      logLevel: 'warn',
    });
    for (const file of dependencies) this.addWatchFile(file);
    return `export const nounFacts = ${JSON.stringify(module.nounFacts)};`;
  },
});
