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
/** Forms, and everything that checks their input or compares it. */
const FORMS =
  /zod|react-hook-form|ui.form.|ResourceForm|EditInPlace|line-diff|node_modules.diff.|records.(?:kit|WorkspaceSetting)|libs.events.src.(?:rules|host|kit|.*inputs)/;
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
            // These two are loaded on every page as soon as it is drawn.
            { name: 'palette', test: /palette\/CommandPalette/, priority: 4 },
            {
              name: 'news',
              test: /features\/(?:alerts|credentials)\/(?:index|AlertBanner|CredentialBanner)/,
              priority: 3,
            },
            { name: 'icons', test: /@tabler/, minShareCount: 2, priority: 2 },
            // A page took up to 70 scripts. Modules that many pages share come as one, which the next page has already.
            { name: 'shared', minShareCount: 5, test: (id) => !FORMS.test(id), priority: 1 },
            // Pages without a form do without these 50 kB. They import `shared`, and nothing in it imports them.
            { name: 'forms', minShareCount: 5, priority: 0 },
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
