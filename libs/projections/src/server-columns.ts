/** Columns for searching, filtering and sorting the list of servers. Pure. */
import type { z } from 'zod';
import { newestHealth } from './health';
import type { ListColumn } from './listing';
import { hostKeyState, hostKeyWords, serverStateOf, serverVerdicts } from './server-verdict';
import { serverView } from './servers';
import { verdictRank } from './domain-verdict';

/** A server with its newest probe, if there is one. */
export const serverRow = serverView.extend({ newest: newestHealth.optional() }).meta({ id: 'ServerRow' });
export interface ServerRow extends z.infer<typeof serverRow> {}

const verdictOf = (server: ServerRow) => serverVerdicts[serverStateOf(server, server.newest)];

export const serverColumns = [
  { id: 'alias', value: ({ alias }) => alias },
  { id: 'health', value: (server) => verdictOf(server).label, filter: 'category' },
  { id: 'username', value: ({ username }) => username, filter: 'category' },
  { id: 'host', value: ({ host, port }) => (port === 22 ? host : `${host}:${port}`), filter: 'text' },
  { id: 'path', value: ({ path }) => path },
  { id: 'nginxPath', value: ({ nginxPath }) => nginxPath },
  { id: 'hostKey', value: (server) => hostKeyWords[hostKeyState(server)], filter: 'category' },
  { id: 'lastRun', value: ({ lastRun }) => lastRun?.at },
] as const satisfies ListColumn<ServerRow>[];

/**
 * Default order of the list: the worst first, then by alias.
 *
 * @param rows by alias, as the back end lists them
 */
export const worstServersFirst = (rows: readonly ServerRow[]): ServerRow[] =>
  rows
    .map((row) => ({ row, rank: verdictRank(verdictOf(row)) }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ row }) => row);
