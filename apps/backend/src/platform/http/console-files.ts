/**
 * Serves the console's files. Any path that is neither a file nor a call belongs to the console, so it gets
 * `index.html`.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';

const isFile = /\.[a-z0-9]+$/i;

export const serveConsole = async (fastify: FastifyInstance, root: string): Promise<void> => {
  await fastify.register(fastifyStatic, { root, serve: false, preCompressed: true, cacheControl: false });
  fastify.get('/*', (request, reply) => {
    const path = request.url.split('?')[0] ?? '/';
    if (path === '/api' || path.startsWith('/api/') || path.startsWith('/socket.io/'))
      return reply.callNotFound();
    if (isFile.test(path)) {
      // The names of assets contain a hash of their content.
      const kept = path.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache';
      return reply.header('cache-control', kept).sendFile(path);
    }
    if (!existsSync(join(root, 'index.html'))) return reply.callNotFound();
    return reply.header('cache-control', 'no-cache').sendFile('index.html');
  });
};
