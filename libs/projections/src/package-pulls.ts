/** The deploy log: packages that were pulled onto servers. */
import { z } from 'zod';
import { defineProjection, rowPerStream } from './define-projection';
import type { ListColumn } from './listing';

export const packagePullView = z
  .strictObject({
    id: z.string(),
    uuid: z.string(),
    workspace: z.string(),
    server: z.strictObject({
      id: z.string(),
    }),
    /** `server.id` again, as a column for queries. */
    serverId: z.string(),
    slug: z.string(),
    /** See `shownAddress`. */
    cdUrl: z.string(),
    /**
     * Equal in all entries with the same complete address. Absent if `cdUrl` is already complete, or if version 1
     * recorded the entry.
     */
    address: z
      .strictObject({
        ref: z.string(),
      })
      .optional(),
    /** Absent if the deploy failed. */
    version: z.string().optional(),
    serviceDeploy: z
      .strictObject({
        id: z.string(),
      })
      .optional(),
    /** `requested`: the address is being called, or the calling process died and the outcome is unknown. */
    state: z.enum(['requested', 'succeeded', 'failed']),
    reason: z.string().optional(),
    status: z.number().optional(),
    durationMs: z.number().optional(),
    /** Instant and actor of the request. */
    date: z.string(),
    by: z.string(),
    revision: z.number(),
    position: z.string(),
  })
  .meta({ id: 'Deploy' });
export interface PackagePullView extends z.infer<typeof packagePullView> {}

/** Columns for sorting, filtering and searching pages of the deploy log. */
export const packagePullColumns = [
  { id: 'slug', value: ({ slug }) => slug, filter: 'category' },
  { id: 'version', value: ({ version }) => version },
  { id: 'state', value: ({ state }) => state, filter: 'category' },
  { id: 'date', value: ({ date }) => date, unsearched: true },
] as const satisfies ListColumn<PackagePullView>[];

export const packagePulls = defineProjection<PackagePullView>({
  name: 'deploys',
  version: 3,
  columns: { serverId: 'text', position: 'bigint' },
  indexes: ['(workspace, position desc)', '(workspace, "serverId", position desc)'],
  ...rowPerStream('deploy'),
  evolve: (view, event, key) => {
    const { at, actor, workspace } = event.meta;
    const place = { revision: event.revision, position: event.position };
    const by = { id: key, uuid: key, workspace, date: view?.date ?? at, by: actor };
    // The entry was removed from the log before the deploy ended.
    if (view === undefined && event.revision > 0) return undefined;
    switch (event.type) {
      case 'DeployRequested': {
        const { server, ...data } = event.data;
        return { ...by, ...data, server: { id: server }, serverId: server, state: 'requested', ...place };
      }
      case 'DeploySucceeded': {
        const { server, service, ...data } = event.data;
        const serviceDeploy = service ? { serviceDeploy: { id: service } } : {};
        return {
          ...by,
          ...data,
          server: { id: server },
          serverId: server,
          ...serviceDeploy,
          state: 'succeeded',
          ...place,
        };
      }
      case 'DeployFailed': {
        const { server, ...data } = event.data;
        return { ...by, ...data, server: { id: server }, serverId: server, state: 'failed', ...place };
      }
      case 'DeployLogRemoved':
        return undefined;
      default:
        return view;
    }
  },
});
