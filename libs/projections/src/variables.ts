/** The environment variables of services, without secrets, and the tokens with which apps read them. */
import { environments, type EventData } from '@quarterdeck/events';
import { z } from 'zod';
import { defineProjection, rowPerStream } from './define-projection';
import { tokenRows, tokenView } from './token-rows';

type Recorded = EventData<'VariableAdded'>['variable'];

interface Held extends Recorded {
  /** The differences view uses it as the name of the entry. */
  name: string;
  changedAt: string;
  changedBy: string;
  revision: number;
}

export interface VariablesView {
  /** Id of the service. */
  id: string;
  workspace: string;
  service: string;
  variables: Held[];
  variableIds: string[];
  revision: number;
  position: string;
}

export const SECRET_MASK = '*******';

export const variableView = z
  .strictObject({
    id: z.string(),
    uuid: z.string(),
    key: z.string(),
    /** Seven asterisks for a secret. */
    value: z.string(),
    secret: z.boolean(),
    /** Equal values of one service have equal fingerprints, in all environments. */
    fingerprint: z.string(),
    env: z.strictObject({ id: z.int() }),
    service: z.strictObject({ id: z.string() }),
    changedAt: z.string(),
    changedBy: z.string(),
    revision: z.int(),
  })
  .meta({ id: 'Variable' });
export interface VariableView extends z.infer<typeof variableView> {}

/** The variables of a service without secrets, sorted by key and then by environment. */
export const shownVariables = ({
  id,
  variables: all,
}: Pick<VariablesView, 'id' | 'variables'>): VariableView[] =>
  all
    .map(({ id: own, key, value, secret, fingerprint, env, changedAt, changedBy, revision }) => ({
      id: own,
      uuid: own,
      key,
      value: secret ? SECRET_MASK : (value ?? ''),
      secret: secret !== undefined,
      fingerprint,
      env: { id: env },
      service: { id },
      changedAt,
      changedBy,
      revision,
    }))
    .toSorted((a, b) => (a.key === b.key ? a.env.id - b.env.id : a.key < b.key ? -1 : 1));

export const variables = defineProjection<VariablesView>({
  name: 'variables',
  version: 1,
  columns: { variableIds: 'text[]' },
  indexes: ['using gin ("variableIds")'],
  ...rowPerStream('variable'),
  evolve: (view, event, id) => {
    const { meta, revision, position } = event;
    const heldBy = (one: Recorded): Held => ({
      ...one,
      name: `${one.key} (${environments[one.env - 1] ?? one.env})`,
      changedAt: meta.at,
      changedBy: meta.actor,
      revision,
    });
    const changed = (service: string, set: readonly Recorded[], gone: readonly { id: string }[] = []) => {
      const others = new Set([...set, ...gone].map((one) => one.id));
      const held = [...(view?.variables ?? []).filter((one) => !others.has(one.id)), ...set.map(heldBy)];
      const all = held.toSorted((a, b) => (a.name < b.name ? -1 : 1));
      const ids = { variables: all, variableIds: all.map((one) => one.id) };
      return { id, workspace: meta.workspace, service, ...ids, revision, position };
    };
    switch (event.type) {
      case 'VariableAdded':
      case 'VariableRevised':
        return changed(event.data.service, [event.data.variable]);
      case 'VariableRemoved':
        return changed(event.data.service, [], [event.data.variable]);
      case 'VariablesImported':
      case 'VariablesRestored': {
        const { service, added, changed: others, removed } = event.data;
        return changed(service, [...added, ...others], removed);
      }
      default:
        return view;
    }
  },
});

export const appTokenView = z
  .strictObject({
    ...tokenView,
    workspace: z.string(),
    service: z.strictObject({ id: z.string() }),
    env: z.strictObject({ id: z.int() }),
    expiresAt: z.string().optional(),
    revision: z.int(),
    position: z.string(),
  })
  .meta({ id: 'AppToken' });
export interface AppTokenView extends z.infer<typeof appTokenView> {}

interface StoredAppToken extends AppTokenView {
  /** Copy of the service's id. */
  serviceId: string;
}

export const appTokens = tokenRows<'AppToken', StoredAppToken>({
  name: 'app_tokens',
  category: 'apptoken',
  stem: 'AppToken',
  owner: 'serviceId',
  fields: ({ service: { id }, env, expiresAt }) => ({
    service: { id },
    serviceId: id,
    env: { id: env },
    ...(expiresAt !== undefined && { expiresAt }),
  }),
});

/** A variable without its value. */
export interface VariablePrint {
  readonly key: string;
  readonly fingerprint: string;
}

export interface VariableChanges {
  added: string[];
  changed: string[];
  removed: string[];
}

/** The keys in which the saved variables differ from those of the running release. */
export const variableChanges = (
  running: readonly VariablePrint[],
  saved: readonly VariablePrint[],
): VariableChanges => {
  const was = new Map(running.map(({ key, fingerprint }) => [key, fingerprint]));
  const is = new Set(saved.map(({ key }) => key));
  return {
    added: saved.flatMap(({ key }) => (was.has(key) ? [] : [key])),
    changed: saved.flatMap(({ key, fingerprint }) =>
      was.has(key) && was.get(key) !== fingerprint ? [key] : [],
    ),
    removed: running.flatMap(({ key }) => (is.has(key) ? [] : [key])),
  };
};
