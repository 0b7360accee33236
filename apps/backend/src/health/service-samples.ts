/** The table of what services use: written with the samples of their servers. */
import type { ServiceUsage } from '@quarterdeck/projections';
import type { Pool } from 'pg';

/** Column and type of each field. */
const columns = {
  container: 'container text',
  state: 'state text',
  started: 'started timestamptz',
  restarts: 'restarts integer',
  exitCode: 'exit_code integer',
  outOfMemory: 'out_of_memory boolean',
  clock: 'clock float8',
  cpuUs: 'cpu_us bigint',
  memory: 'memory bigint',
  limit: 'memory_limit bigint',
  received: 'received bigint',
  sent: 'sent bigint',
} as const satisfies Record<keyof ServiceUsage, string>;

const of = 'workspace text, server uuid, service uuid, at timestamptz';
const all = `${of}, ${Object.values(columns).join(', ')}`;
const nameOf = (column: string): string => column.slice(0, column.indexOf(' '));
const names = all.split(', ').map(nameOf);

const INSERT = `
  insert into app.service_samples (${names.join(', ')})
  select ${names.map((name) => `x.${name}`).join(', ')}
  from jsonb_to_recordset($1::jsonb) as x (${all})
  on conflict do nothing`;

interface UsageOfServer {
  workspace: string;
  server: string;
  at: string;
  usage?: Readonly<Record<string, ServiceUsage>>;
}

export const insertUsage = async (db: Pool, samples: readonly UsageOfServer[]): Promise<void> => {
  const rows = samples.flatMap(({ workspace, server, at, usage = {} }) =>
    Object.entries(usage).map(([service, used]) => ({
      workspace,
      server,
      service,
      at,
      ...Object.fromEntries(
        Object.entries(columns).map(([field, column]) => [nameOf(column), used[field as keyof ServiceUsage]]),
      ),
    })),
  );
  if (rows.length > 0) await db.query(INSERT, [JSON.stringify(rows)]);
};
