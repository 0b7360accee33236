/** Receivers that fail, hang, flood, redirect, or may not be called. covers: DOM-13 */
import { streamName, type EventData, type NewEvent } from '@quarterdeck/events';
import {
  withNothing,
  withoutEnd,
  withStatus,
  type ReceivedRequest,
  type ToldServer,
} from '../../testing/told-server';
import { appendAtEnd } from '../../testing/log-events';
import { isSigned, openAlertsWorld, SECRET, settled, type AlertsWorld } from './alerts-world';
import { metaOf } from './domain-events';

let world: AlertsWorld;

beforeAll(async () => {
  world = await openAlertsWorld();
  await world.configure(world.withWebhook('/', SECRET));
});
afterAll(async () => world?.end());
beforeEach(() => world.receiver.answer(withStatus(204)));

describe('a receiver', () => {
  const failedBy = async (how: Parameters<ToldServer['answer']>[0]) => {
    world.receiver.answer(how);
    const domain = await world.domainWith(4);
    const alert = await world.alertOf(domain, ({ deliveries }) => deliveries.length > 0);
    await world.operator.post('alert/dismiss', { id: alert.id });
    return { domain, delivery: alert.deliveries[0], next: alert.nextAttemptAt };
  };

  test('that fails is called again later with the same id', async () => {
    world.receiver.answer(withStatus(500));
    const domain = await world.domainWith(4);
    const failed = await world.alertOf(domain, ({ deliveries }) => deliveries.length === 1);
    expect(failed.deliveries[0]).toMatchObject({ attempt: 1, status: 500, reason: 'status 500' });
    const pausedMs = Date.parse(failed.nextAttemptAt ?? '') - Date.parse(failed.deliveries[0]?.at ?? '');
    // Ten seconds, less the time between the two readings of the clock.
    expect([pausedMs > 5_000, pausedMs <= 10_000]).toEqual([true, true]);
    world.receiver.answer(withStatus(200));
    const told = await world.alertOf(domain, ({ deliveries }) => deliveries.length === 2);
    expect(told.deliveries[1]).toMatchObject({ attempt: 2, status: 200 });
    const [first, second] = world.calledFor(domain) as [ReceivedRequest, ReceivedRequest];
    expect(second.at).toBeGreaterThanOrEqual(Date.parse(failed.nextAttemptAt ?? ''));
    expect(second.body).toBe(first.body);
    expect(second.headers['x-quarterdeck-id']).toBe(first.headers['x-quarterdeck-id']);
    expect(isSigned(second, SECRET)).toBe(true);
  });

  test('that redirects is not followed', async () => {
    const { delivery, domain } = await failedBy(
      withStatus(302, '', { location: `${world.receiver.url}/elsewhere` }),
    );
    expect(delivery).toMatchObject({
      status: 302,
      reason: expect.stringMatching('redirects are not followed'),
    });
    expect(world.calledFor(domain).map(({ path }) => path)).toEqual(['/']);
  });

  test('that never answers is given up after ten seconds, and delays nobody else', async () => {
    const other = await world.backend.signIn({ workspace: 'other', email: 'o@example.org' });
    await other.post('workspace/alerts', {
      thresholds: [7],
      webhook: { url: `${world.receiver.url}/other` },
    });
    let isGivenUp = false;
    const wasGivenUp: boolean[] = [];
    world.receiver.answer((response, asked) => {
      if (asked.path !== '/other') return void response.on('close', () => (isGivenUp = true));
      wasGivenUp.push(isGivenUp);
      return withStatus(200)(response, asked);
    });
    const domain = await world.domainWith(4);
    await settled(async () => world.calledFor(domain)[0]);
    await other.post('alert/test');
    await settled(async () => wasGivenUp[0]);
    expect(wasGivenUp).toEqual([false]);
    const alert = await world.alertOf(domain, ({ deliveries }) => deliveries.length > 0);
    expect(alert.deliveries[0]?.reason).toMatch('did not answer within 10 seconds');
    await world.operator.post('alert/dismiss', { id: alert.id });
  });

  test('that answers without end, or slowly, is given up as well', async () => {
    expect((await failedBy(withoutEnd)).delivery?.reason).toMatch('answered more than 65536 bytes');
    const slow = (response: Parameters<typeof withNothing>[0]): void => {
      response.writeHead(200);
      const trickling = setInterval(() => response.write('.'), 200);
      response.on('close', () => clearInterval(trickling));
    };
    expect((await failedBy(slow)).delivery?.reason).toMatch('did not answer within 10 seconds');
  });

  test('at an address that is not allowed is never called', async () => {
    // As if saved while more addresses were allowed.
    const { store } = world.backend.resources;
    const stream = streamName('workspace', world.workspace);
    const settings = (await store.readStream(stream)).findLast(({ type }) => type === 'AlertsConfigured');
    const webhook = (settings?.data as EventData<'AlertsConfigured'> | undefined)?.webhook;
    if (!webhook) throw new Error('there is no webhook');
    const data = { thresholds: [21, 7], webhook: { url: 'http://169.254.169.254/', secret: webhook.secret } };
    await appendAtEnd(store, stream, [
      { type: 'AlertsConfigured', data, meta: metaOf(world.workspace) } as NewEvent,
    ]);
    await world.backend.caughtUp();
    const { delivery, next } = await failedBy(withStatus(200));
    await world.configure(world.withWebhook('/'));
    expect(delivery?.reason).toMatch('OUTBOUND_ALLOW');
    expect(next).toBeDefined();
  });

  test('is tested once, and the list shows the outcome', async () => {
    world.receiver.answer(withStatus(503));
    const { body } = await world.operator.post<{ id: string }>('alert/test');
    const alert = await settled(async () =>
      (await world.list()).find(({ id, state }) => id === body.id && state !== 'open'),
    );
    expect(alert).toMatchObject({
      about: 'test',
      reason: 'the test did not arrive',
      deliveries: [{ attempt: 1, status: 503 }],
    });
    expect(alert.nextAttemptAt).toBeUndefined();
  });

  test('that is set up later gets the alerts that are still open', async () => {
    await world.configure({ thresholds: [21, 7] });
    expect(await world.secrets()).toBe(1);
    const domain = await world.domainWith(4);
    expect(await world.alertOf(domain, ({ state }) => state === 'open')).toMatchObject({ deliveries: [] });
    await world.configure(world.withWebhook('/', SECRET));
    await world.alertOf(domain, ({ deliveries }) => deliveries.length === 1);
    expect(world.calledFor(domain)).toHaveLength(1);
  });
});
