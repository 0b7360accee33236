/** Makes many instances of workflows that wait, by copying one in the read model: they cost seconds instead of hours. */
import type { Client } from 'pg';

const A_STATEMENT = 10_000;

/** Half of them wait for a time, and half for a person. @param of the id of an instance that waits for a time */
export const copyWaiting = async (client: Client, of: string, rows: number): Promise<void> => {
  const { rows: tables } = await client.query<{ table: string }>(
    `select format('%I.%I', table_schema, table_name) as table from information_schema.view_table_usage
     where view_schema = 'read' and view_name = 'workflow_instances' and table_schema <> 'read'`,
  );
  const table = tables.map((row) => row.table).find((name) => name.includes('workflow_instances')) ?? '';
  for (let from = 0; from < rows; from += A_STATEMENT)
    await client.query(
      `insert into ${table} select (jsonb_populate_record(t, jsonb_build_object(
         'id', gen_random_uuid()::text,
         'wakeAt', case when n % 2 = 0 then '2099-01-01T00:00:00Z' end,
         'role', case when n % 2 = 1 then 'admin' end,
         'is', case when n % 2 = 1 then 'asking' else 'waiting' end))).*
       from ${table} t, generate_series(1, ${A_STATEMENT}) n where t.id = $1`,
      [of],
    );
  await client.query(`analyze ${table}`);
};
