import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { fastify, type FastifyInstance } from 'fastify';
import { serveConsole } from './console-files';

describe('the files of the console', () => {
  let server: FastifyInstance;
  let root: string;

  beforeAll(async () => {
    root = mkdtempSync(join(tmpdir(), 'quarterdeck-console-'));
    mkdirSync(join(root, 'assets'));
    writeFileSync(join(root, 'index.html'), '<!doctype html><title>Quarterdeck</title>');
    writeFileSync(join(root, 'assets/main-abc123.js'), 'let plain;');
    writeFileSync(join(root, 'assets/main-abc123.js.gz'), gzipSync('let packed;'));
    writeFileSync(join(root, 'assets/main-abc123.js.br'), brotliCompressSync('let smaller;'));
    server = fastify();
    await serveConsole(server, root);
  });
  afterAll(async () => {
    await server.close();
    rmSync(root, { recursive: true });
  });

  const get = (url: string, headers: Record<string, string> = {}) => server.inject({ url, headers });

  // covers: SHELL-01
  it.each(['/', '/login?code=x', '/app/server/123/detail', '/anything/else'])(
    'include its page for %s',
    async (url) => {
      const answer = await get(url);
      expect(answer.statusCode).toBe(200);
      expect(answer.body).toContain('<title>Quarterdeck');
      expect(answer.headers['content-type']).toContain('text/html');
      expect(answer.headers['cache-control']).toBe('no-cache');
    },
  );

  it('are cached by the browser if their name contains a content hash, and are sent compressed', async () => {
    const answer = await get('/assets/main-abc123.js', { 'accept-encoding': 'gzip, deflate, br' });
    expect(answer.headers['cache-control']).toBe('public, max-age=31536000, immutable');
    expect(answer.headers['content-encoding']).toBe('br');
    const older = await get('/assets/main-abc123.js', { 'accept-encoding': 'gzip, deflate' });
    expect(older.headers['content-encoding']).toBe('gzip');
    expect((await get('/assets/main-abc123.js')).body).toBe('let plain;');
  });

  it.each([
    '/assets/none.js',
    '/api/nowhere',
    '/api',
    '/../../package.json',
    '/assets/..%2f..%2fpackage.json',
    '/assets/..%2f..%2fmain.ts',
  ])('do not include %s', async (url) => {
    const answer = await get(url);
    expect(answer.statusCode).toBeGreaterThanOrEqual(400);
    expect(answer.statusCode).toBeLessThan(500);
  });

  it('are reported as missing before the console is built', async () => {
    const empty = fastify();
    const nowhere = join(root, 'assets');
    await serveConsole(empty, nowhere);
    expect((await empty.inject('/')).statusCode).toBe(404);
    await empty.close();
  });
});
