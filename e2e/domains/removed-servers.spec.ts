/**
 * Removing a server removes its domains, even if the process dies in between; thousands are listed. covers: SRV-11,
 * DOM-01
 */
import { laterOf, type Position } from '@quarterdeck/events';
import { v7 as uuidv7 } from 'uuid';
import { AddDomain, domainsDecider } from '../../apps/backend/src/domains/domains.decider';
import { Decisions } from '../../apps/backend/src/platform/decisions/decider-handlers';
import { ownMeta } from '../../apps/backend/src/platform/sessions/session';
import { RemoveServer, serversDecider } from '../../apps/backend/src/servers/servers.decider';
import { openDomainGround, type DomainGround } from './ground';
import { PATIENCE_MS } from '../../testing/patience';

let ground: DomainGround;
beforeAll(async () => {
  ground = await openDomainGround();
});
afterAll(() => ground?.end());

test('the domains of a removed server are removed too, with the removal as their cause; others stay', async () => {
  const { alice } = ground;
  const [one, other] = [await ground.server('one'), await ground.server('other')];
  const gone = await Promise.all(['a', 'b', 'c'].map((label) => ground.domain(label, one)));
  const kept = await ground.domain('d', other);
  expect((await alice.post('server/delete', { id: one, alias: 'wrong' })).status).toBe(400);
  expect(await ground.list()).toHaveLength(4);

  expect((await alice.post('server/delete', { id: one, alias: 'one' })).status).toBe(200);
  expect((await ground.list()).map(({ id }) => id)).toEqual([kept]);
  const server = (await ground.events(`server-${one}`)).at(-1);
  for (const id of gone)
    expect((await ground.events(`domain-${id}`)).at(-1)).toMatchObject({
      type: 'DomainRemoved',
      actor: server?.actor,
      cause: server?.cause,
      data: { kept: { config: false, certificate: false } },
    });
  // Their names are free again.
  expect((await ground.insert('a.example.test', other)).status).toBe(200);
});

test('domains added during the removal of their server are gone, or were refused', async () => {
  const { alice, bind } = ground;
  const server = await ground.server('racing');
  const names = Array.from({ length: 12 }, (_, index) => `race-${index}.${bind.zone}`);
  bind.change(...names.map((name) => `add ${name} 60 A 127.0.0.1`));
  const [removed] = await Promise.all([
    alice.post('server/delete', { id: server }),
    ...names.map((name) => ground.insert(name, server)),
  ]);
  expect(removed.status).toBe(200);
  expect((await ground.list()).filter(({ serverId }) => serverId === server)).toEqual([]);
});

test('2,000 domains are listed at once, without their texts', async () => {
  const { world, alice } = ground;
  const server = await ground.server('crowded');
  const { workspace } = (await ground.list())[0] ?? { workspace: '' };
  const decisions = world.backend.app.get(Decisions, { strict: false });
  const addresses = [{ address: '127.0.0.1', family: 4 }];
  const added: Position[] = [];
  for (let hundred = 0; hundred < 20; hundred++) {
    const adding = Array.from({ length: 100 }, (_, index) => {
      const serverName = `crowd-${hundred}-${index}.example.test`;
      return decisions.execute(
        domainsDecider,
        new AddDomain(uuidv7(), { serverName, server, addresses }, ownMeta('system', workspace)),
      );
    });
    added.push(...(await Promise.all(adding)).map(({ position }) => position));
  }
  await world.backend.resources.projections.waitFor(added.reduce(laterOf), PATIENCE_MS);
  const asked = jest.spyOn(world.backend.db, 'query');
  const { body } = await alice.post<{ server: { alias: string } }[]>('domain/listByServer', {
    server: { id: server },
  });
  const queries = asked.mock.calls.length;
  asked.mockRestore();
  expect(body).toHaveLength(2000);
  expect(new Set(body.map((row) => row.server.alias))).toEqual(new Set(['crowded']));
  // Not one query for each domain. On a busy machine, other work of the back end asks while the call waits.
  expect(queries).toBeLessThan(body.length);
  expect(queries).toBeGreaterThan(0);
  expect((await alice.post('domain/listByServer', { server: { id: uuidv7() } })).status).toBe(404);
});

test('leftovers of a crash are removed by the next check, even where DNS is not watched; existing domains stay', async () => {
  const { world } = ground;
  const [one, bare] = [await ground.server('crashed'), await ground.server('bare')];
  const other = await ground.server('standing');
  const [left, kept] = [await ground.domain('left', one), await ground.domain('kept', other)];
  const { workspace } = await ground.detail(left);
  // Only the events, as if the process had died right after them.
  const decisions = world.backend.app.get(Decisions, { strict: false });
  for (const id of [bare, one]) {
    const removal = new RemoveServer(id, {}, ownMeta('system', workspace));
    const { position } = await decisions.execute(serversDecider, removal);
    await world.backend.resources.projections.waitFor(position, PATIENCE_MS);
  }
  await world.backend.close();

  const { db } = await world.another();
  const newest = async (domain: string) => {
    const { rows } = await db.query<{ type: string; meta: { actor: string } }>(
      'select type, meta from log.events where stream = $1 order by revision desc limit 1',
      [`domain-${domain}`],
    );
    return rows[0];
  };
  while ((await newest(left))?.type !== 'DomainRemoved') await new Promise((done) => setTimeout(done, 50));
  expect((await newest(left))?.meta.actor).toBe('system');
  expect((await newest(kept))?.type).not.toBe('DomainRemoved');
  const keys = await db.query<{ servers: number; keys: number }>(
    `select (select count(*)::int from read.servers) as servers, (select count(*)::int from app.vault) as keys`,
  );
  expect(keys.rows[0]?.keys).toBe(keys.rows[0]?.servers);
});
