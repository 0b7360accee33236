/** Settings of alerts and their webhook. covers: DOM-13 */
import { v7 as uuidv7 } from 'uuid';
import { withStatus } from '../../testing/told-server';
import { isSigned, openAlertsWorld, SECRET, settled, type AlertsWorld } from './alerts-world';

let world: AlertsWorld;

beforeAll(async () => {
  world = await openAlertsWorld();
});
afterAll(async () => world?.end());
beforeEach(() => world.receiver.answer(withStatus(204)));

describe('settings', () => {
  test('a test needs a webhook', async () => {
    expect(await world.operator.post('alert/test')).toMatchObject({
      status: 422,
      body: { msg: 'there is no webhook yet: enter its address in the alert settings' },
    });
  });

  test('a secret is generated if none is given, and shown only in that answer', async () => {
    const made = await world.configure(world.withWebhook('/made'));
    expect(made.body.secret).toMatch(/^qdwh_[\w-]{43}$/);
    const again = await world.configure({ ...world.withWebhook('/elsewhere'), thresholds: [30] });
    expect([again.status, again.body.secret]).toEqual([200, undefined]);
    world.receiver.answer(withStatus(200));
    const { body } = await world.operator.post<{ id: string }>('alert/test');
    await settled(async () =>
      (await world.list()).find(({ id, state }) => id === body.id && state === 'resolved'),
    );
    const page = { search: 'this is a TEST', filters: { told: 'delivered' }, size: 1 };
    expect((await world.operator.post('alert/page', page)).body).toMatchObject({
      found: 1,
      rows: [{ id: body.id, state: 'resolved' }],
    });
    const [told] = world.receiver.asked.filter(({ path }) => path === '/elsewhere');
    expect(told && isSigned(told, made.body.secret ?? '')).toBe(true);
  });

  test('a given secret replaces the earlier one, which is shredded', async () => {
    expect(await world.secrets()).toBe(1);
    const { body } = await world.configure(world.withWebhook('/', SECRET));
    expect(body.secret).toBeUndefined();
    expect(await world.secrets()).toBe(1);
    const before = (await world.operator.post<{ revision: number }>('workspace/detail')).body.revision;
    await world.configure(world.withWebhook('/', SECRET));
    expect((await world.operator.post<{ revision: number }>('workspace/detail')).body.revision).toBe(before);
    expect(await world.secrets()).toBe(1);
  });

  test('only the beginning of its address is shown; saving that again keeps the whole address', async () => {
    const address = '/services/T0/a-secret-in-the-path';
    const alerts = async () =>
      (await world.operator.post<{ alerts: { webhook: { url: string } } }>('workspace/detail')).body.alerts;
    expect((await world.configure(world.withWebhook(address, SECRET))).status).toBe(200);
    const shown = await alerts();
    expect(shown.webhook.url).toBe(`${world.receiver.url}/services/…`);
    await world.configure({ thresholds: [21, 7], webhook: { url: shown.webhook.url } });
    expect(await alerts()).toEqual(shown);
    await world.operator.post('alert/test');
    await settled(async () => world.receiver.asked.find(({ path }) => path === address));
    const told = await world.backend.db.query(
      `select 1 from log.events where data::text like '%in-the-path%'`,
    );
    expect(told.rowCount).toBe(0);
    await world.configure(world.withWebhook('/', SECRET));
    expect(await world.secrets('webhook-address')).toBe(1);
  });

  test('somebody else’s change is a conflict, and leaves no secret behind', async () => {
    expect(
      await world.configure({ ...world.withWebhook('/', 'another secret of 16'), revision: 0 }),
    ).toMatchObject({
      status: 409,
      body: { current: { thresholds: [21, 7] } },
    });
    expect(await world.secrets()).toBe(1);
  });

  test('neither the database nor the logs nor any answer contain a secret', async () => {
    const { db, logs } = world.backend;
    const made = await world.configure(world.withWebhook('/', undefined));
    expect(made.body.secret).toBeUndefined();
    await world.configure({ thresholds: [21, 7] });
    const { secret = '' } = (await world.configure(world.withWebhook('/'), { 'idempotency-key': uuidv7() }))
      .body;
    expect(secret).toMatch(/^qdwh_/);
    const tables = await db.query<{ name: string }>(
      `select format('%I.%I', schemaname, tablename) as name from pg_tables
       where schemaname not in ('pg_catalog', 'information_schema')`,
    );
    const rows = await Promise.all(
      tables.rows.map(({ name }) => db.query<{ row: string }>(`select t::text as row from ${name} t`)),
    );
    const kept = rows.flatMap((table) => table.rows.map(({ row }) => row)).join('\n');
    const said = JSON.stringify([
      (await world.operator.post('workspace/detail')).body,
      await world.list(),
      logs,
    ]);
    expect(kept).toContain('SHA256:');
    for (const hidden of [SECRET, secret])
      expect([kept, said].filter((text) => text.includes(hidden))).toEqual([]);
    await world.configure(world.withWebhook('/', SECRET));
  });

  test.each([
    [{ thresholds: [0] }, 'thresholds.0'],
    [{ thresholds: [7], webhook: { url: 'ftp://x' } }, 'webhook.url'],
    [{ thresholds: [7], webhook: { url: 'https://me:pw@example.org/' } }, 'webhook.url'],
    [{ thresholds: [7], webhook: { url: 'https://example.org', secret: 'too short' } }, 'webhook.secret'],
    [{ thresholds: [7], webhook: { url: 'http://10.1.2.3/hook' } }, 'webhook.url'],
    [{ thresholds: [7], webhook: { url: 'http://[fd00::1]/hook' } }, 'webhook.url'],
  ])('%j is refused by name', async (body, field) => {
    const answer = await world.configure(body);
    expect([answer.status, Object.keys((answer.body as { data?: object }).data ?? {})]).toEqual([
      400,
      [field],
    ]);
  });

  test('a webhook in the internal network is refused, with the setting that would allow it', async () => {
    const answer = await world.configure({ thresholds: [7], webhook: { url: 'http://192.168.0.9/hook' } });
    expect(JSON.stringify(answer.body)).toContain(
      'the administrator of this installation can allow it with OUTBOUND_ALLOW',
    );
  });

  test('thresholds are unique and in descending order', async () => {
    await world.configure({ ...world.withWebhook('/'), thresholds: [7, 21, 7] });
    const { body } = await world.operator.post<{ alerts: { thresholds: number[] } }>('workspace/detail');
    expect(body.alerts.thresholds).toEqual([21, 7]);
  });
});
