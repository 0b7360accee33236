/** The results of probes so far, as an operator sees them. */
import type { HealthSample, ServerView, WorkspaceView } from '@quarterdeck/projections';
import type { Pool } from 'pg';
import { ownMeta } from '../../apps/backend/src/platform/sessions';
import { WorkspaceSettings } from '../../apps/backend/src/workspaces';
import type { Operator, RunningBackend } from '../../testing/backend';
import { until as untilSo } from '../../testing/patience';

export interface HealthWatch {
  /** All stored samples of the server, oldest first. */
  samples(server: string): Promise<{ at: string; ok: boolean; code: string | null }[]>;
  /** The server's health changes in the log, oldest first. */
  changes(server: string): Promise<{ to: string; code?: string; at: string; actor: string }[]>;
  newest(server: string): Promise<HealthSample | undefined>;
  state(server: string): Promise<string | undefined>;
  /** Polls until the condition holds. */
  until(what: () => Promise<boolean>): Promise<void>;
  untilState(server: string, state: string): Promise<void>;
  /** Waits for that many more samples. */
  more(server: string, count: number): Promise<void>;
}

/** Probes every second. Operators may ask for every five seconds at most, but tests wait for many probes. */
export const probeEverySecond = async (
  { app, signIn }: Pick<RunningBackend, 'app' | 'signIn'>,
  rule: Pick<WorkspaceView['healthChecks'], 'failures' | 'outOf'>,
): Promise<void> => {
  const { body } = await (await signIn()).post<WorkspaceView>('workspace/detail');
  const setting = { type: 'HealthChecksConfigured', data: { everySeconds: 1, ...rule } } as const;
  await app.get(WorkspaceSettings, { strict: false }).set(setting, ownMeta('system', body.id));
};

/** Polls every 100 ms, because each poll is a query. */
const until = (what: () => Promise<boolean>): Promise<void> => untilSo(what, 100);

export const watchHealth = (operator: Operator, db: Pool): HealthWatch => {
  const samples: HealthWatch['samples'] = async (server) =>
    (
      await db.query<{ at: string; ok: boolean; code: string | null }>(
        `select to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at, ok, code
         from app.health_samples where server = $1 order by app.health_samples.at`,
        [server],
      )
    ).rows;
  const changes: HealthWatch['changes'] = async (server) =>
    (
      await db.query<{ to: string; code?: string; at: string; actor: string }>(
        // The read model of the history comes a moment after that of the servers.
        `select data ->> 'to' as to, data ->> 'code' as code, meta ->> 'at' as at, meta ->> 'actor' as actor
         from log.events where stream = $1 and type = 'ServerHealthChanged' order by revision`,
        [`server-${server}`],
      )
    ).rows;
  const newest: HealthWatch['newest'] = async (server) =>
    (await operator.post<HealthSample[]>('health/list')).body.find((sample) => sample.server === server);
  const state: HealthWatch['state'] = async (id) =>
    (await operator.post<ServerView>('server/detail', { id })).body.health?.state;
  return {
    samples,
    changes,
    newest,
    state,
    until,
    untilState: (server, wanted) => until(async () => (await state(server)) === wanted),
    more: async (server, count) => {
      const before = (await samples(server)).length;
      await until(async () => (await samples(server)).length >= before + count);
    },
  };
};
