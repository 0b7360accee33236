// covers: LOG-01, LOG-02, AUD-04
import { streamName } from '@quarterdeck/events';
import { verify } from '@quarterdeck/log/store';
import { v7 as uuid } from 'uuid';
import { auditedLog } from '../../apps/backend/src/platform/boot/sealing';
import type { KeptEvent, LogEngine } from '../../libs/log/src/store/engine';
import { EventStoreDbStore } from '../../libs/log/src/store/eventstoredb/eventstoredb-store';
import { PostgresStore } from '../../libs/log/src/store/postgres/postgres-store';
import { openWorld, type World } from '../backend/world';
import { startEventStoreDb } from '../../testing/eventstoredb/server';
import type { Operator, RunningBackend } from '../../testing/backend';
import { tamper } from '../store/tampering';
import { overviewOf } from '../superadmin/installation';
import { fault, within } from './fault';

type Copied = Pick<KeptEvent, 'type' | 'data' | 'meta'> & { id?: string };

interface Ground {
  world: World;
  /** With the permissions of the owner of the node or the database; Postgres' own function keeps the chain correct. */
  owner: LogEngine;
  root: Operator;
  /** A member who was an administrator for a while. */
  mia: Operator;
  stream: string;
  rootStream: string;
}

const withGround = async (
  engine: LogEngine['name'],
  work: (ground: Ground) => Promise<string>,
): Promise<string> => {
  const server = engine === 'eventstoredb' ? await startEventStoreDb() : undefined;
  const world = await openWorld(server ? { env: { EVENT_STORE_URL: server.url } } : {});
  const owner = server
    ? new EventStoreDbStore({ url: server.url, prefix: 'quarterdeck.' })
    : await PostgresStore.open({ url: world.postgres.url });
  try {
    const root = await world.backend.signIn({ role: 'superadmin', email: 'root@example.test' });
    const mia = await world.backend.signIn({ role: 'member', email: 'mia@example.test' });
    const [rootId, id] = [await idOf(root), await idOf(mia)];
    for (const role of ['admin', 'member'])
      expect((await root.post('person/role', { id, role })).status).toBe(200);
    const streams = { stream: streamName('person', id), rootStream: streamName('person', rootId) };
    return await work({ world, owner, root, mia, ...streams });
  } finally {
    await owner.close();
    await world.end();
    await server?.stop();
  }
};

const idOf = async (who: Operator): Promise<string> =>
  (await who.get<{ profile: { id: string } }>('session')).body.profile.id;

const auditOf = async ({ resources }: RunningBackend) =>
  verify(await auditedLog(resources.store, resources.pool));

/** Expects Mia to be a member only, in this process and in one without cached state. */
const expectMember = async ({ world, mia }: Ground): Promise<void> => {
  const fresh = await world.another();
  for (const url of [mia.url, fresh.url])
    for (const path of ['person/list', 'superadmin/overview']) {
      const { status } = await fetch(`${url}/api/${path}`, {
        method: 'POST',
        headers: { cookie: mia.cookie, 'x-requested-with': 'test', 'content-type': 'application/json' },
        body: '{}',
      });
      expect([path, status]).toEqual([path, 403]);
    }
  await fresh.close();
};

const written = async (ground: Ground): Promise<string> => {
  const { world, owner, root, stream, rootStream } = ground;
  const read = (of: string) => owner.readStream(of, { from: 0 });
  const own = await read(stream);
  const changes = own.filter(({ type }) => type === 'PersonRoleChanged');
  const joined = (await read(rootStream)).find(({ type }) => type === 'PersonJoined');
  const [promoted, demoted] = changes;
  if (!promoted || !demoted || !joined) throw new Error('the roles were not recorded');
  const plain = (meta: string): string => meta.replace(/,"tag":"[^"]*"/, '');
  const superadmin = { ...demoted, data: '{"role":"superadmin"}' };
  const forgeries: [what: string, events: Copied[]][] = [
    ['forged without a tag', [{ ...superadmin, meta: plain(superadmin.meta) }]],
    ['forged with a tag', [superadmin]],
    ['copied from a superadmin', [joined]],
    ['replayed', [promoted]],
    ['reordered', [demoted, promoted]],
    ['shifted', own.slice(0, own.indexOf(demoted))],
  ];
  let count = 0;
  let first = '';
  for (const [, events] of forgeries) {
    const last = (await read(stream)).at(-1)?.revision ?? -1;
    const anew = events.map(({ type, data, meta }) => {
      // Postgres keeps ids unique; EventStoreDB accepts an identical event again.
      if (owner.name === 'eventstoredb') return { id: uuid(), type, data, meta };
      const id = uuid();
      return { id, type, data, meta: meta.replace(/"id":"[^"]*"/, `"id":"${id}"`) };
    });
    const { position } = await owner.append(stream, anew, last);
    if (count === 0) first = position;
    count += events.length;
  }
  await within(20_000, 'every forgery listed', async () => {
    const { foreign } = (await overviewOf(root)).eventLog;
    return foreign.count === count && foreign.open === count;
  });
  await world.backend.caughtUp();
  await expectMember(ground);
  expect(await auditOf(world.backend)).toMatchObject({
    ok: false,
    foreign: count,
    firstBad: { position: first },
  });
  for (const result of await world.backend.resources.projections.verify())
    expect(result).toMatchObject({ ok: true });
  return `${count} events, ${forgeries.map(([what]) => what).join(', ')}`;
};

const must = 'nobody has more rights, each is listed, the audit names them, the read models are right';

fault({
  fault: 'events written into EventStoreDB with its own rights: forged, copied, replayed, reordered, shifted',
  must,
  share: 0.2,
  trial: () => withGround('eventstoredb', written),
});

fault({
  fault: 'events written into Postgres with a correct chain: forged, copied, replayed, reordered, shifted',
  must,
  share: 0.2,
  trial: () => withGround('postgres', written),
});

/** Recomputes the chain from a position on, as the owner of the database can: the triggers are off. */
const chainAnew = (from: number): string => `
  do $$ declare
    e record;
    h bytea := (select hash from log.events where position = ${from} - 1);
  begin
    for e in select * from log.events where position >= ${from} order by position loop
      h := sha256(h || convert_to(log.line(e.position, e.stream, e.revision, e.event_id, e.type,
        log.instant(e.recorded_at), e.data::text, e.meta::text), 'UTF8'));
      update log.events set hash = h where position = e.position;
    end loop;
    update log.head set hash = h;
  end $$`;

fault({
  fault: 'two events of a person exchanged in Postgres, every hash after them made right',
  must: 'neither counts, and the audit names both',
  share: 0.2,
  trial: () =>
    withGround('postgres', async (ground) => {
      const { world, owner, stream } = ground;
      const own = await owner.readStream(stream, { from: 0 });
      const [promoted, demoted] = own.filter(({ type }) => type === 'PersonRoleChanged');
      if (!promoted || !demoted) throw new Error('the roles were not recorded');
      const place = (revision: number, position: string) =>
        `update log.events set revision = ${revision} where position = ${position}`;
      await tamper(world.backend.db, [
        place(-1, promoted.position),
        place(promoted.revision, demoted.position),
        place(demoted.revision, promoted.position),
        chainAnew(Number(promoted.position)),
      ]);
      await expectMember(ground);
      expect(await auditOf(world.backend)).toMatchObject({
        ok: false,
        foreign: 2,
        firstBad: { position: promoted.position },
      });
      return '2 events';
    }),
});
