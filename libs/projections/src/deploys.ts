/** Deploys of services: the request as a snapshot, and whether the release serves. */
import type { EventData } from '@quarterdeck/events';
import { z } from 'zod';
import { defineProjection, rowPerStream } from './define-projection';
import type { ListColumn } from './listing';

const named = z.strictObject({ id: z.string(), name: z.string() });

/** A location that a deploy makes lead to the present port of its service. */
export const movedLocation = z
  .strictObject({
    domain: named,
    location: z.strictObject({ id: z.string(), path: z.string() }),
    from: z.int(),
  })
  .meta({ id: 'MovedLocation' });
export interface MovedLocation extends z.infer<typeof movedLocation> {}

/** A site that goes on to lead to an earlier port of a service until it is applied. */
export const waitingSite = z.strictObject({ site: z.string(), port: z.int() }).meta({ id: 'WaitingSite' });
export interface WaitingSite extends z.infer<typeof waitingSite> {}

const snapshot = {
  service: named,
  product: z.string(),
  server: named,
  env: z.strictObject({ id: z.int() }),
  package: z.strictObject({ id: z.string(), version: z.string(), image: z.string() }),
  client: z.strictObject({ folder: z.string() }).optional(),
  port: z.int(),
  health: z.strictObject({ path: z.string(), seconds: z.int() }),
  keep: z.int(),
  variables: z.array(
    z.strictObject({
      key: z.string(),
      secret: z.boolean(),
      fingerprint: z.string(),
      ref: z.string(),
      /** A rollback lacks the value. */
      destroyed: z.literal(true).optional(),
    }),
  ),
  compose: z.string(),
  pushed: z.strictObject({ push: z.string(), rule: named, by: z.string() }).optional(),
  why: z.string().optional(),
  rollbackTo: z.string().optional(),
  /** Variables of that deploy whose values were destroyed: this one has those of its day instead, or none. */
  lost: z.array(z.strictObject({ key: z.string(), instead: z.enum(['today', 'nothing']) })).optional(),
  replaces: z.literal(true).optional(),
  alsoAt: z.array(z.int()).optional(),
  moves: z.array(movedLocation).optional(),
};

/** Absent until the proxy passes requests to the release. */
const served = z.strictObject({
  at: z.string(),
  digest: z.string(),
  hostPort: z.int(),
  proxy: z.string(),
});

export const deployView = z
  .strictObject({
    id: z.string(),
    uuid: z.string(),
    workspace: z.string(),
    ...snapshot,
    /** Time of the request. */
    date: z.string(),
    by: z.string(),
    /**
     * The recorded state. `requested`: if its run has ended, the deploy was cancelled or interrupted. `served`: the
     * release has served; it still does only if no later release of its service has served since.
     */
    state: z.enum(['requested', 'served', 'failed']),
    served: served.optional(),
    /** Absent while the release serves, or if another release has replaced it. */
    stopped: z.strictObject({ at: z.string(), by: z.string() }).optional(),
    reason: z.string().optional(),
    revision: z.int(),
    position: z.string(),
  })
  .meta({ id: 'Release' });
export interface DeployView extends z.infer<typeof deployView> {}

/** A release as lists show it. */
export const deployRow = deployView
  .extend({
    /** The release was not stopped, and no other release of its service has served on its server since. */
    serves: z.boolean(),
    /** The release is the last one of its service to have served on its server. Its record cannot be removed. */
    last: z.boolean(),
    /** The server was removed from the console. */
    serverRemoved: z.boolean(),
    /** State of its run. Absent if the run never began. */
    run: z.string().optional(),
    /** The run that must end before this deploy starts: its id, label and subject. */
    behind: z.strictObject({ id: z.string(), label: z.string(), of: z.string() }).optional(),
  })
  .meta({ id: 'ReleaseRow' });
export interface DeployRow extends z.infer<typeof deployRow> {}

/** The recorded state, or the state of the run if the deploy has no result yet. */
export const deployState = ({
  state,
  serves,
  stopped,
  run,
  behind,
}: Pick<DeployRow, 'state' | 'serves' | 'stopped' | 'run' | 'behind'>): { is: string; label?: string } => {
  if (serves) return { is: 'serves', label: 'serves' };
  if (stopped) return { is: 'stopped' };
  if (state === 'served') return { is: 'served', label: 'served before' };
  if (state === 'failed') return { is: 'failed' };
  if (run === 'requested' && behind) return { is: run, label: 'waiting' };
  if (run === 'running') return { is: run, label: 'deploying' };
  return { is: run === undefined || run === 'succeeded' ? 'requested' : run };
};

/** Columns for sorting, filtering and searching pages of releases. */
export const deployColumns = [
  { id: 'date', value: (row) => row.date, unsearched: true },
  { id: 'version', value: (row) => row.package.version },
  {
    id: 'state',
    value: (row) => {
      const { label, is } = deployState(row);
      return label ?? is;
    },
    filter: 'category',
  },
  { id: 'env', value: (row) => row.env.id, unsearched: true },
  { id: 'server', value: (row) => row.server.name, filter: 'category' },
  { id: 'why', value: (row) => row.why ?? row.reason },
  { id: 'service', value: (row) => row.service.name, filter: 'category', unsearched: true },
] as const satisfies ListColumn<DeployRow>[];

export interface StoredDeploy extends DeployView {
  serviceId: string;
  serverId: string;
  /** Position of the event with which it began to serve. */
  servedAt: string | null;
}

export const deploys = defineProjection<StoredDeploy>({
  name: 'releases',
  version: 2,
  columns: { product: 'text', serviceId: 'text', serverId: 'text', servedAt: 'bigint', position: 'bigint' },
  indexes: ['(workspace, "serviceId", position desc)', '(workspace, "serverId", "servedAt" desc)'],
  ...rowPerStream('release'),
  evolve: (view, event, id) => {
    const { meta, revision, position } = event;
    if (event.type === 'ReleaseRequested') return requested(id, event.data, { meta, revision, position });
    if (!view) return undefined;
    switch (event.type) {
      case 'ReleaseServed': {
        const { digest, hostPort, proxy } = event.data;
        const served = { at: meta.at, digest, hostPort, proxy };
        const { stopped: _, ...before } = view;
        return { ...before, state: 'served', served, servedAt: position, revision };
      }
      case 'ReleaseStopped':
        return { ...view, stopped: { at: meta.at, by: meta.actor }, revision };
      case 'ReleaseFailed':
        return { ...view, state: 'failed', reason: event.data.reason, revision };
      case 'ReleaseValueDestroyed': {
        const { key } = event.data;
        const variables = view.variables.map((one) =>
          one.key === key ? { ...one, destroyed: true as const } : one,
        );
        return { ...view, variables, revision };
      }
      case 'ReleaseRemoved':
        return undefined;
      default:
        return view;
    }
  },
});

interface At {
  meta: { at: string; actor: string; workspace: string };
  revision: number;
  position: string;
}

/** `position` stays the position of the request, because deploys are ordered by it. */
const requested = (
  id: string,
  { env, why, rollbackTo, ...data }: EventData<'ReleaseRequested'>,
  { meta, revision, position }: At,
): StoredDeploy => ({
  id,
  uuid: id,
  workspace: meta.workspace,
  ...data,
  env: { id: env },
  ...(why !== undefined && { why }),
  ...(rollbackTo !== undefined && { rollbackTo }),
  serviceId: data.service.id,
  serverId: data.server.id,
  servedAt: null,
  date: meta.at,
  by: meta.actor,
  state: 'requested',
  revision,
  position,
});
