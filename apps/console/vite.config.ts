import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { contractForBrowsers } from './contract-for-browsers';

const zip = promisify(gzip);
const COMPRESSIBLE = /\.(?:js|css|html|svg)$/;
/** Smaller files fit into one packet anyway. */
const WORTH_IT = 1024;

/** Puts `name.gz` beside each asset, so that the back end compresses nothing while it serves. */
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
        if (content.length >= WORTH_IT)
          await writeFile(path.join(outDir, `${file}.gz`), await zip(content, { level: 9 }));
      }
    },
  };
};

const backend = process.env.BACKEND_URL ?? 'http://127.0.0.1:4000';

export default defineConfig({
  root: import.meta.dirname,
  resolve: {
    alias: [
      { find: 'whatwg-url', replacement: path.join(import.meta.dirname, 'native-url.ts') },
      { find: /^zod$/, replacement: path.join(import.meta.dirname, 'zod-without-eval.ts') },
    ],
  },
  plugins: [react(), contractForBrowsers(), compressAssets()],
  build: {
    outDir: '../../dist/console',
    emptyOutDir: true,
    // Inlined assets would need `data:` in the content security policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // One small stylesheet for all: a page whose own had failed to load would come without it on the second attempt.
    cssCodeSplit: false,
  },
  server: {
    port: 5173,
    proxy: { '/api': backend, '/socket.io': { target: backend, ws: true } },
  },
});
