/** A workspace with years of events, before any back end has read them. */
import { Client } from 'pg';
import { runCommand } from '../testing/backend-process';
import { busyLog, write, type BusyLog } from '../testing/busy-log';
import { openLog } from '../testing/log';
import { operator, type Operator } from '../testing/operator';
import { spawnConsole } from './backend';

/** Signs in to the workspace, which is made with the first link. */
export const busySignIn = async (url: string, databaseUrl: string): Promise<Operator> => {
  const who = ['--workspace', 'busy', '--role', 'superadmin', '--email', 'bench@example.org'];
  const { stdout, stderr } = await runCommand(['sign-in-link', ...who], { databaseUrl });
  const code = /code=(\S+)/.exec(stdout)?.[1];
  if (code === undefined) throw new Error(`no link: ${stderr}`);
  return operator(url).signIn(code);
};

/** The next back end builds all read models in one pass, as after an update that changes all of them. */
export const writeBusyLog = async (
  databaseUrl: string,
  options: { events: number; days?: number },
): Promise<BusyLog> => {
  const first = await spawnConsole(databaseUrl);
  const who = await busySignIn(first.url, databaseUrl);
  const session = await who.get<{ instance: { uuid: string } }>('session');
  await first.stop();
  // With the keys of the log: events without a tag would count as foreign and never be folded.
  const store = await openLog(databaseUrl);
  const log = busyLog({ ...options, workspace: session.body.instance.uuid });
  await write(store, log.appends);
  await store.close();
  const db = new Client({ connectionString: databaseUrl });
  await db.connect();
  await db.query(`update read.checkpoints set version = 0, state = 'frozen', follows = false`);
  await db.end();
  return log;
};
