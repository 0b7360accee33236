/** Pushed versions that a rule has matched, and the secrets of webhooks. The read model of rules is the kit's. */
import { catalogue } from '@quarterdeck/events/catalogue';
import { z } from 'zod';
import { defineProjection, rowPerStream } from './define-projection';
import { tokenRows, tokenView } from './token-rows';

const named = z.strictObject({ id: z.string(), name: z.string() });

export const pushStates = [
  'waiting',
  'due',
  'deployed',
  'failed',
  'refused',
  'replaced',
  'withdrawn',
] as const;
export type PushState = (typeof pushStates)[number];

export const pushView = catalogue.PushMatched.schema
  .extend({
    id: z.string(),
    workspace: z.string(),
    service: named,
    rule: named,
    env: z.strictObject({ id: z.int() }),
    /** `waiting`: for a person. `due`: its deploy is about to be started. */
    state: z.enum(pushStates),
    /** When it came in. */
    at: z.string(),
    /** Who approved or refused it. */
    decided: z.strictObject({ at: z.string(), by: z.string(), note: z.string().optional() }).optional(),
    /** The version that took its place. */
    newer: z.strictObject({ push: z.string(), version: z.string() }).optional(),
    /** Why it was not deployed. */
    reason: z.string().optional(),
    /** The deploy. */
    release: z.string().optional(),
    revision: z.int(),
    /** Of the match: versions are shown in this order. */
    position: z.string(),
  })
  .meta({ id: 'Push' });
export interface PushView extends z.infer<typeof pushView> {}

export interface StoredPush extends PushView {
  serviceId: string;
  /** Of the delivery: its deploy belongs to it. */
  correlationId: string;
}

export const pushes = defineProjection<StoredPush>({
  name: 'pushes',
  version: 1,
  columns: { product: 'text', serviceId: 'text', state: 'text' },
  indexes: ['(workspace, "serviceId")', `(state) where state in ('waiting', 'due')`],
  ...rowPerStream('push'),
  evolve: (view, { type, data, meta, revision, position }, id) => {
    if (type === 'PushMatched') {
      const { env, ...matched } = data;
      return {
        ...matched,
        env: { id: env },
        id,
        workspace: meta.workspace,
        serviceId: data.service.id,
        correlationId: meta.correlationId,
        state: data.approval === undefined ? 'due' : 'waiting',
        at: meta.at,
        revision,
        position,
      };
    }
    if (!view) return undefined;
    const decided = (note: string | undefined) => ({
      at: meta.at,
      by: meta.actor,
      ...(note !== undefined && note !== '' && { note }),
    });
    switch (type) {
      case 'PushApproved':
        return { ...view, state: 'due', decided: decided(data.note), revision };
      case 'PushRefused':
        return { ...view, state: 'refused', decided: decided(data.note), revision };
      case 'PushReplaced':
        return { ...view, state: 'replaced', newer: data.newer, revision };
      case 'PushWithdrawn':
        return { ...view, state: 'withdrawn', reason: data.reason, revision };
      case 'PushDeployed':
        return { ...view, state: 'deployed', release: data.release, revision };
      case 'PushFailed':
        return { ...view, state: 'failed', reason: data.reason, revision };
      default:
        return view;
    }
  },
});

export const pushTokenView = z.strictObject({ ...tokenView, service: named }).meta({ id: 'PushToken' });
export interface PushTokenView extends z.infer<typeof pushTokenView> {}

interface StoredPushToken extends PushTokenView {
  workspace: string;
  revision: number;
  position: string;
  /** Copy of the service's id. */
  serviceId: string;
}

export const pushTokens = tokenRows<'PushToken', StoredPushToken>({
  name: 'push_tokens',
  category: 'pushtoken',
  stem: 'PushToken',
  owner: 'serviceId',
  fields: ({ service }) => ({ service, serviceId: service.id }),
});
