/** A back end that may call this machine, a configurable receiver, and helpers for tests of alerts. */
import { createHmac } from 'node:crypto';
import type { AppEvent } from '@quarterdeck/events';
import type { AlertView } from '@quarterdeck/projections';
import { v7 as uuidv7 } from 'uuid';
import { openWorld, type World } from '../backend/world';
import type { Answer, Operator } from '../../testing/operator';
import { startToldServer, type ReceivedRequest, type ToldServer } from '../../testing/told-server';
import { certificateServed, domainAdded, tellOfDomain } from './domain-events';

export const SECRET = 'a secret of the receiver';
export const NAME = 'shop.example.org';

/** Polls until there is a result. */
export const settled = async <T>(look: () => Promise<T | undefined>): Promise<T> => {
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    await new Promise((done) => setTimeout(done, 30));
  }
};

export const isSigned = ({ headers, body }: ReceivedRequest, secret: string): boolean => {
  const [, t, v1] = /^t=(\d+),v1=(.+)$/.exec(String(headers['x-quarterdeck-signature'])) ?? [];
  return v1 === createHmac('sha256', secret).update(`${t}.${body}`).digest('hex');
};

export interface AlertsWorld extends World {
  receiver: ToldServer;
  operator: Operator;
  workspace: string;
  list(body?: object): Promise<AlertView[]>;
  /** The newest alert about a domain, once it matches. */
  alertOf(domain: string, is: (alert: AlertView) => boolean): Promise<AlertView>;
  configure(body: object, headers?: Record<string, string>): Promise<Answer<{ secret?: string }>>;
  /** Settings with the receiver as the webhook. */
  withWebhook(path?: string, secret?: string): object;
  /** A domain whose certificate expires in that many days. @returns its id */
  domainWith(days: number): Promise<string>;
  tell(domain: string, ...events: AppEvent[]): Promise<void>;
  calledFor(domain: string): ReceivedRequest[];
  /** Number of secrets, or addresses, of webhooks in the vault. */
  secrets(kind?: 'webhook-secret' | 'webhook-address'): Promise<number>;
}

export const openAlertsWorld = async (): Promise<AlertsWorld> => {
  const receiver = await startToldServer();
  const world = await openWorld({ env: { OUTBOUND_ALLOW: '127.0.0.1' } });
  const operator = await world.backend.signIn();
  const workspace = (await operator.post<{ id: string }>('workspace/detail')).body.id;
  const { db, resources } = world.backend;
  const list = async (body: object = {}): Promise<AlertView[]> =>
    (await operator.post<AlertView[]>('alert/list', body)).body;
  const tell = (domain: string, ...events: AppEvent[]): Promise<void> =>
    tellOfDomain(resources.store, workspace, domain, ...events);
  return {
    ...world,
    receiver,
    operator,
    workspace,
    list,
    tell,
    alertOf: (domain, is) =>
      settled(async () => (await list()).find((alert) => alert.subjectId === domain && is(alert))),
    configure: (body, headers) => operator.post('workspace/alerts', body, headers),
    withWebhook: (path = '/', secret) => ({
      thresholds: [21, 7],
      webhook: { url: `${receiver.url}${path}`, ...(secret === undefined ? {} : { secret }) },
    }),
    domainWith: async (days) => {
      const domain = uuidv7();
      await tell(domain, domainAdded(NAME), certificateServed(NAME, days));
      return domain;
    },
    calledFor: (domain) => receiver.asked.filter(({ body }) => body.includes(domain)),
    secrets: async (kind = 'webhook-secret') => {
      const { rows } = await db.query<{ count: number }>(
        `select count(*)::int as count from app.vault where kind = $1`,
        [kind],
      );
      return rows[0]?.count ?? -1;
    },
    end: async () => {
      await world.end();
      await receiver.stop();
    },
  };
};
