/**
 * The role of the console in the embedded Postgres. It is no superuser: what the console is tricked into running can
 * neither read files of this machine nor start programs.
 */
import { Client } from 'pg';

const ROLE = 'quarterdeck';
/** Any number that all processes of a database share. */
const ROLE_LOCK = 5_171_140_003;

/** The bootstrap superuser, who owns everything in folders of earlier versions. */
const EARLIER_OWNER = 10;

/**
 * Statements that give the console what it used to own as the superuser. Members of extensions stay: the console only
 * uses them.
 */
const MOVES = `
  with spaces as (
    select oid, nspname, nspowner from pg_namespace where nspname !~ '^pg_' and nspname <> 'information_schema')
  select format('alter database %I owner to ${ROLE}', datname) as sql
    from pg_database where datdba = ${EARLIER_OWNER} and not datistemplate
  union all
  select format('alter schema %I owner to ${ROLE}', nspname) from spaces where nspowner = ${EARLIER_OWNER}
  union all
  select format('alter table %I.%I owner to ${ROLE}', nspname, relname)
    from pg_class c join spaces s on s.oid = relnamespace
    where relowner = ${EARLIER_OWNER} and relkind in ('r', 'p', 'v', 'm', 'S') and not exists (
      -- A sequence follows the table of its column.
      select from pg_depend where classid = 'pg_class'::regclass and objid = c.oid and deptype in ('a', 'e', 'i')
        and (deptype = 'e' or relkind = 'S'))
  union all
  select format('alter routine %s owner to ${ROLE}', p.oid::regprocedure)
    from pg_proc p join spaces s on s.oid = pronamespace
    where proowner = ${EARLIER_OWNER} and not exists (
      select from pg_depend where classid = 'pg_proc'::regclass and objid = p.oid and deptype = 'e')`;

/** Makes the role if it is missing, and moves to it what an earlier version made. All or nothing. */
const settle = async (client: Client, password: string): Promise<void> => {
  await client.query('begin');
  await client.query('select pg_advisory_xact_lock($1)', [ROLE_LOCK]);
  const { rowCount } = await client.query('select from pg_roles where rolname = $1', [ROLE]);
  if (rowCount === 0)
    // A drill restores into databases of its own. The log protects its tables by a parameter.
    await client.query(
      `create role ${ROLE} login createdb password ${client.escapeLiteral(password)};
       grant set on parameter "log.appending" to ${ROLE}`,
    );
  const { rows } = await client.query<{ sql: string }>(MOVES);
  for (const { sql } of rows) await client.query(sql);
  await client.query('commit');
};

/**
 * @param url the server's address for its superuser
 * @returns its address for the console
 */
export const asConsole = async (url: string): Promise<string> => {
  const address = new URL(url);
  const client = new Client({ connectionString: url, application_name: 'quarterdeck-role' });
  await client.connect();
  try {
    await settle(client, decodeURIComponent(address.password));
  } finally {
    await client.end();
  }
  address.username = ROLE;
  return address.href;
};
