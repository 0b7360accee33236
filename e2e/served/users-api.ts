/** An API with users, over a database of a test. */
import { createHash } from 'node:crypto';
import type { Endpoint } from '@quarterdeck/api';
import { DATABASE_LIMITS } from '../../apps/backend/src/served/child/connections';
import type { CallSettings } from '../../apps/backend/src/served/child/service-calls';
import type { ServiceClient } from '../../apps/backend/src/served/messages';
import { ServedApi } from '../../apps/backend/src/served/served-api';
import { shop, type ShopDatabase } from './shop';

export const TOKEN = 'the-token-of-the-shop';
export const INSTANCE = 'b2c5f0de-0000-4000-8000-000000000001';
export const NEIGHBOUR = 'b2c5f0de-0000-4000-8000-000000000002';
export const PASSWORD = 'correct horse battery';

const ENDPOINTS: Record<string, Endpoint> = {
  mine: {
    method: 'GET',
    path: '/mine',
    permissions: ['app', 'admin'],
    blocks: [{ type: 'list', entity: 'Customer', filters: { email: { $: 'user.email' } } }],
  },
  admin: {
    method: 'GET',
    path: '/admin',
    permissions: ['admin', 'superadmin'],
    blocks: [{ type: 'list', entity: 'Customer' }],
  },
  who: {
    method: 'GET',
    path: '/who',
    permissions: ['app', 'admin', 'superadmin'],
    blocks: [{ type: 'snippet', ts: 'return user;' }],
  },
  taken: { method: 'GET', path: '/auth/me', blocks: [{ type: 'list', entity: 'Customer' }] },
};

/** Codes that were sent, by e-mail address. */
export const codes = new Map<string, string[]>();
export const apiOf = (
  database: ShopDatabase,
  instance: string,
  faults: unknown[],
  sendsMails = true,
  /** With which users sign in, and how they are called. */
  { services, calls }: { services?: readonly ServiceClient[]; calls?: CallSettings } = {},
): ServedApi =>
  new ServedApi(
    {
      describe: async () => ({
        instance,
        position: '10',
        model: shop,
        options: {},
        endpoints: Object.entries(ENDPOINTS).map(([id, endpoint]) => ({ id, endpoint })),
        sendsMails,
        ...(services && { services }),
        tokenHash: createHash('sha256').update(TOKEN).digest('hex'),
        requestsPerMinute: 100_000,
        // Tests share a busy machine.
        snippetMs: 5000,
      }),
      begin: async () => ({ database: database.access, limits: DATABASE_LIMITS, ...(calls && { calls }) }),
    },
    {
      idleMs: 600_000,
      onFault: (what, text) => faults.push([what, text]),
      onReset: ({ email, token }) => void codes.set(email, [...(codes.get(email) ?? []), token]),
    },
  );
