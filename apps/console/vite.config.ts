import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { contractForBrowsers } from './contract-for-browsers';
import { nounFactsForBrowsers } from './noun-facts-for-browsers';
import { pureLibraries } from './pure-libraries';

const zip = promisify(gzip);
const brotli = promisify(brotliCompress);
/** Forms, and everything that checks their input. */
const FORMS =
  /zod|react-hook-form|ui.form.(?!json-text|use-leave-guard)|ResourceForm|records.(?:kit.(?:forms|sheet)|WorkspaceSetting)|libs.events.src.(?:rules|host|site-settings|kit.schemas|.*inputs)/;
/** The comparison of texts, line by line. */
const LINES = /line-diff|node_modules.diff./;
/** Inputs that tables do without. */
const INPUTS = /@mantine.*components.(?:Textarea|PasswordInput|Radio)/;
/** The nouns with their words, and what shows the history and the records of any of them. */
const RECORDS =
  /\.noun\.ts|events.src.(?:nouns|placement|define-noun|kit)|records.(?:history|kit|PageView|choices|EnvBadge)|libs.data-model/;
/** The parts of a feature share modules that no other page needs. */
const FEATURE = /console.src.features/;
const isShared = (id: string): boolean =>
  ![FORMS, INPUTS, LINES, RECORDS, FEATURE].some((one) => one.test(id));
const COMPRESSIBLE = /\.(?:js|css|html|svg)$/;
/** Smaller files fit into one packet anyway. */
const WORTH_IT = 1024;

/**
 * Puts `name.br` and `name.gz` beside each asset, so that the back end compresses nothing while it serves. Brotli saves a seventh
 * more, and browsers take it over HTTPS and from this machine only.
 */
const compressAssets = (): Plugin => {
  let outDir = '';
  return {
    name: 'quarterdeck:compress-assets',
    apply: 'build',
    configResolved: (config) => {
      outDir = path.resolve(config.root, config.build.outDir);
    },
    closeBundle: async () => {
      const files = await readdir(outDir, { recursive: true });
      for (const file of files.filter((name) => COMPRESSIBLE.test(name))) {
        const content = await readFile(path.join(outDir, file));
        if (content.length < WORTH_IT) continue;
        const params = { [constants.BROTLI_PARAM_SIZE_HINT]: content.length };
        await writeFile(path.join(outDir, `${file}.gz`), await zip(content, { level: 9 }));
        await writeFile(path.join(outDir, `${file}.br`), await brotli(content, { params }));
      }
    },
  };
};

// Its package names only the build for development, with its warnings.
const reactRouter = path.resolve(import.meta.dirname, '../../node_modules/react-router/dist/production');

// Its form for browsers asks the document, which the worker that renders Markdown does not have.
const characterReferences = path.resolve(
  import.meta.dirname,
  '../../node_modules/decode-named-character-reference/index.js',
);

const backend = process.env.BACKEND_URL ?? 'http://127.0.0.1:4000';

export default defineConfig({
  root: import.meta.dirname,
  resolve: {
    alias: [
      { find: 'whatwg-url', replacement: path.join(import.meta.dirname, 'native-url.ts') },
      { find: /^decode-named-character-reference$/, replacement: characterReferences },
      { find: /^react-router$/, replacement: path.join(reactRouter, 'index.mjs') },
      { find: /^react-router\/dom$/, replacement: path.join(reactRouter, 'dom-export.mjs') },
      { find: /^zod$/, replacement: path.join(import.meta.dirname, 'zod-without-eval.ts') },
    ],
  },
  plugins: [react(), contractForBrowsers(), nounFactsForBrowsers(), pureLibraries(), compressAssets()],
  build: {
    outDir: '../../dist/console',
    emptyOutDir: true,
    // Inlined assets would need `data:` in the content security policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // One small stylesheet for all: a page whose own had failed to load would come without it on the second attempt.
    cssCodeSplit: false,
    rolldownOptions: {
      output: {
        // Without these groups, the first page takes 68 scripts, most of them smaller than the headers they come with.
        codeSplitting: {
          groups: [
            { name: 'frame', tags: ['$initial'], priority: 5 },
            // Loaded on every page as soon as it is drawn.
            {
              name: 'news',
              test: /features\/(?:alerts|credentials)\/(?:index|AlertBanner|CredentialBanner)/,
              priority: 4,
            },
            { name: 'icons', test: /@tabler/, minShareCount: 2, priority: 3 },
            // A page took up to 70 scripts. Modules that many pages share come as one, which the next page has already.
            { name: 'shared', minShareCount: 5, test: isShared, priority: 2 },
            { name: 'line-diff', minShareCount: 2, test: LINES, priority: 2 },
            { name: 'inputs', minShareCount: 2, test: INPUTS, priority: 2 },
            // The lists of servers, domains and people do without these 45 kB.
            {
              name: 'records',
              minShareCount: 5,
              test: (id) => RECORDS.test(id) && !FORMS.test(id),
              priority: 1,
            },
            // Pages without a form do without these 70 kB. They import `shared`, and nothing in it imports them.
            { name: 'forms', minShareCount: 5, test: FORMS, priority: 0 },
          ],
        },
      },
    },
  },
  server: {
    port: 5173,
    proxy: { '/api': backend, '/socket.io': { target: backend, ws: true } },
  },
});
