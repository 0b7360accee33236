/** Reports of a process about itself: for probes, Prometheus and API clients. */
import { z } from 'zod';
import { ignored } from './answers';
import { calls } from './call';

const check = z.looseObject({ ok: z.boolean(), problem: z.string().optional() });

export const probes = calls('health', 'public', {
  live: {
    summary: 'Whether the process answers',
    method: 'GET',
    input: ignored,
    answer: z.strictObject({ status: z.literal('ok') }),
    shows: [],
  },
  ready: {
    summary:
      'Whether calls can be served: database, event log, read models. `draining`: this process is about to end',
    method: 'GET',
    input: ignored,
    answer: z.strictObject({
      status: z.enum(['ok', 'degraded', 'draining', 'unavailable']),
      /** Only with METRICS_TOKEN, or for whom METRICS_ACCESS lets in. */
      checks: z.record(z.string(), check).optional(),
    }),
    shows: [],
  },
});

export const metrics = calls('metrics', 'local', {
  figures: {
    summary: 'Metrics for Prometheus',
    method: 'GET',
    path: '',
    input: ignored,
    answer: z.string(),
    shows: [],
    produces: ['text/plain'],
  },
});

export const docs = calls('', 'public', {
  json: {
    summary: 'The calls as OpenAPI 3.1',
    access: 'public',
    method: 'GET',
    path: 'docs-json',
    input: ignored,
    answer: z.looseObject({ openapi: z.string() }),
    shows: [],
  },
  page: {
    summary: 'The calls as a page',
    access: 'public',
    method: 'GET',
    path: 'docs',
    input: ignored,
    answer: z.string(),
    shows: [],
    produces: ['text/html'],
  },
});
