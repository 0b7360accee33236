/** Webhooks of the source host: forged, repeated, out of order, at two back ends, and approvals. covers: OPS-06 */
import { randomUUID } from 'node:crypto';
import { publishedContainer, publishedRelease, ping } from '../../testing/github/webhooks';
import type { Operator } from '../../testing/backend';
import { until } from '../../testing/patience';
import { fieldsOf, idleKey, nowhere, openWorld, type World } from '../backend/world';
import { pushCalls, rule, send, type Hook } from './push-ground';

let world: World;
let alice: Operator;
let server: string;
let { ask, hook, pushes, deliveries, releases, settled, alerts } = {} as ReturnType<typeof pushCalls>;

beforeAll(async () => {
  world = await openWorld();
  alice = await world.backend.signIn();
  ({ ask, hook, pushes, deliveries, releases, settled, alerts } = pushCalls(alice));
  const fields = { ...fieldsOf(`web-${randomUUID()}`, nowhere), privateKey: idleKey() };
  server = (await ask('server/insert', fields)).id;
});
afterAll(() => world?.end());

const sent = (to: Hook, event: string, payload: object | string, more: Record<string, string> = {}) =>
  send(world.backend.url, to, event, payload, more);
const packages = (service: string) =>
  ask<{ version: string; image: string; digest: string }[]>('package/list', { service: { id: service } });

it('deploys a published version at once, as a version of the service, and says by which rule', async () => {
  const to = await hook(server, [rule('Versions to prod')]);
  const answer = await sent(to, 'package', publishedContainer({ tag: 'v1.4.0' }));
  expect(answer).toMatchObject({
    status: 200,
    body: { repeated: false, says: 'Versions to prod: deployed to prod.' },
  });
  const [push] = await settled(to.service, 'deployed');
  const [release, ...others] = await releases(to.service);
  expect(others).toEqual([]);
  expect(release).toMatchObject({
    id: push?.release,
    env: { id: 3 },
    by: 'system',
    package: {
      version: 'v1.4.0',
      image: expect.stringMatching(/^ghcr\.io\/acme\/orders@sha256:[0-9a-f]{64}$/),
    },
    pushed: { push: push?.id, rule: { name: 'Versions to prod' }, by: 'octocat' },
  });
  expect(await packages(to.service)).toMatchObject([
    { version: 'v1.4.0', image: 'ghcr.io/acme/orders:v1.4.0' },
  ]);
  const { events } = await ask<{ events: { text: string; correlationId: string; type: string }[] }>(
    'history/list',
    {
      text: 'v1.4.0',
    },
  );
  const chain = events.filter(({ type }) =>
    ['PushMatched', 'ReleaseRequested', 'PushDeployed'].includes(type),
  );
  expect(new Set(chain.map(({ type }) => type)).size).toBe(3);
  expect(new Set(chain.map(({ correlationId }) => correlationId)).size).toBe(1);
});

it('deploys once what comes again: the delivery, its body under another id, and both at two back ends', async () => {
  const to = await hook(server, [rule('Versions')]);
  const other = await world.another();
  const body = JSON.stringify(publishedContainer({ tag: 'v2.0.0' }));
  const delivery = randomUUID();
  const answers = await Promise.all([
    sent(to, 'package', body, { delivery }),
    send(other.url, to, 'package', body, { delivery }),
    send(other.url, to, 'package', body),
    sent(to, 'package', body),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  expect(answers.filter(({ body: { repeated } }) => !repeated)).toHaveLength(1);
  // The registry tells of the same package by an event of its own.
  const again = await sent(to, 'registry_package', publishedContainer({ tag: 'v2.0.0' }, 'registry_package'));
  expect(again.body.says).toBe('v2.0.0 had been announced before, by another delivery.');
  await settled(to.service, 'deployed');
  expect(await releases(to.service)).toHaveLength(1);
  expect((await deliveries(to.service)).deliveries).toMatchObject([
    { is: 'repeated', event: 'registry_package published', repeats: 0 },
    { is: 'matched', event: 'package published', repeats: 3 },
  ]);
});

it('replaces no newer version by an older one that comes late', async () => {
  const to = await hook(server, [rule('Versions')]);
  await sent(to, 'package', publishedContainer({ tag: 'v1.5.0', at: '2026-11-30T12:00:00Z' }));
  const late = await sent(to, 'package', publishedContainer({ tag: 'v1.4.9', at: '2026-11-30T11:00:00Z' }));
  expect(late.body.says).toBe(
    'An older version replaces no newer one: v1.4.9 was published at 2026-11-30T11:00:00.000Z, before v1.5.0, which came first.',
  );
  const [push] = await settled(to.service, 'deployed');
  expect(push).toMatchObject({ version: 'v1.5.0' });
});

it('refuses what is forged, counts it, and stores nothing of it', async () => {
  const to = await hook(server, [rule('Versions')]);
  const body = JSON.stringify(publishedContainer({ tag: 'v6.6.6' }));
  const forged = [
    await sent({ ...to, secret: 'guessed' }, 'package', body),
    await sent(to, 'package', body, { 'x-hub-signature-256': '' }),
    await sent(to, 'package', body, { 'x-hub-signature-256': 'sha1=abc' }),
    // Not even parsed.
    await sent({ ...to, secret: 'guessed' }, 'package', '{"a":'),
  ];
  expect(forged.map(({ status }) => status)).toEqual([401, 403, 401, 401]);
  const { deliveries: stored, refused } = await deliveries(to.service);
  expect(stored).toEqual([]);
  expect(refused).toMatchObject({
    count: 4,
    says: 'the signature is not that of this body with a secret of this service',
  });
  expect(await pushes(to.service)).toEqual([]);
  // Guesses from the same address hold up nobody who has the secret.
  for (let guess = 0; guess < 12; guess += 1) await sent({ ...to, secret: 'guessed' }, 'package', body);
  expect((await sent({ ...to, secret: 'guessed' }, 'package', body)).status).toBe(429);
  expect((await sent(to, 'ping', ping)).status).toBe(200);
});

it('refuses what is too large or of another type before it is read, and a call for no service', async () => {
  const to = await hook(server, [rule('Versions')]);
  const large = await sent(to, 'package', JSON.stringify({ body: 'x'.repeat(1024 * 1024) }));
  expect(large.status).toBe(413);
  expect((await deliveries(to.service)).refused).toMatchObject({
    count: 1,
    says: 'a body has at most 1048576 bytes',
  });
  const form = await sent(to, 'package', 'payload=%7B%7D', {
    'content-type': 'application/x-www-form-urlencoded',
  });
  expect(form.status).toBe(415);
  expect((await deliveries(to.service)).refused).toMatchObject({
    count: 2,
    says: expect.stringContaining('content type'),
  });
  const nobody = { ...to, service: randomUUID() };
  expect([401, 429]).toContain((await sent(nobody, 'ping', ping)).status);
  const unnamed = await sent(to, 'package', publishedContainer({ tag: 'v1' }), { 'x-github-event': '' });
  expect(unnamed).toMatchObject({ status: 400 });
});

it('answers a ping, and says why nothing is deployed', async () => {
  const to = await hook(server, [
    rule('Main to dev', { compares: 'branch', pattern: 'main', env: 1 }),
    rule('Switched off', { isOn: false }),
  ]);
  await sent(to, 'ping', ping);
  await sent(to, 'push', { ref: 'refs/heads/main' });
  await sent(to, 'package', publishedContainer({ tag: 'v1.0.0', branch: 'next' }));
  await sent(to, 'package', publishedContainer({ tag: 'v1.0.0', repository: 'acme/other' }));
  await sent(to, 'release', publishedRelease({ tag: 'v1.0.0', draft: true }));
  expect((await deliveries(to.service)).deliveries.map(({ is, says }) => [is, says])).toEqual([
    ['ignored', 'a draft is not deployed'],
    [
      'unmatched',
      'Nothing is deployed: it is about the repository acme/other, and this service has acme/orders.',
    ],
    [
      'unmatched',
      'No rule deploys it. Main to dev: it wants a branch like main, and this is next. Switched off: it is switched off.',
    ],
    ['ignored', 'only packages and releases are deployed: choose these events at the source host'],
    ['ping', 'The source host reaches this address.'],
  ]);
  expect(await pushes(to.service)).toEqual([]);
});

it('takes a moving tag by its digest, and a release by its tag', async () => {
  const to = await hook(server, [
    rule('Main', { pattern: 'main', env: 1 }),
    rule('Releases', { starts: 'release', env: 2 }),
  ]);
  await sent(to, 'package', publishedContainer({ tag: 'main', digest: `sha256:${'a'.repeat(64)}` }));
  await settled(to.service, 'deployed');
  const second = { tag: 'main', digest: `sha256:${'b'.repeat(64)}`, at: '2026-11-30T11:00:00Z' };
  await sent(to, 'package', publishedContainer(second));
  await settled(to.service, 'deployed', 'deployed');
  await sent(to, 'release', publishedRelease({ tag: 'v3.1.0', at: '2026-11-30T12:00:00Z' }));
  await settled(to.service, 'deployed', 'deployed', 'deployed');
  const known = (await packages(to.service)).map(({ version, image }) => [version, image] as const);
  expect(known.toSorted(([one], [other]) => one.localeCompare(other))).toEqual([
    ['main (aaaaaaaaaaaa)', 'ghcr.io/acme/orders:main'],
    ['main (bbbbbbbbbbbb)', 'ghcr.io/acme/orders:main'],
    ['v3.1.0', 'ghcr.io/acme/orders:v3.1.0'],
  ]);
});

describe('a rule that wants an approval', () => {
  const approved = rule('Versions to prod', { approval: 'admin' });

  it('waits, tells, and deploys once for the first of two people who decide at the same time', async () => {
    // The strictest rule of an environment counts.
    const to = await hook(server, [rule('At once'), approved]);
    await sent(to, 'package', publishedContainer({ tag: 'v1.0.0' }));
    const [push] = await settled(to.service, 'waiting');
    expect(await releases(to.service)).toEqual([]);
    await until(async () =>
      (await alerts(to.service, 'deployApproval')).some(({ state }) => state === 'open'),
    );
    const bob = await world.backend.signIn({
      role: 'admin',
      email: 'bob@example.org',
    });
    const answers = await Promise.all([
      alice.post<{ msg: string }>('push/approve', { id: push?.id, note: 'Tested' }),
      bob.post<{ msg: string }>('push/approve', { id: push?.id }),
    ]);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
    expect(answers.find(({ status }) => status === 409)?.body.msg).toBe('v1.0.0 was approved already');
    const [deployed] = await settled(to.service, 'deployed');
    const [release, ...others] = await releases(to.service);
    expect(others).toEqual([]);
    expect(release).toMatchObject({ id: deployed?.release, by: deployed?.decided?.by });
    await until(async () =>
      (await alerts(to.service, 'deployApproval')).every(({ state }) => state === 'resolved'),
    );
  });

  it('starts nothing that was refused, replaced, or withdrawn with its rule', async () => {
    const to = await hook(server, [approved]);
    await sent(to, 'package', publishedContainer({ tag: 'v1.0.0', at: '2026-11-30T10:00:00Z' }));
    const [first] = await settled(to.service, 'waiting');
    await ask('push/refuse', { id: first?.id, note: 'Not on a Friday' });
    await sent(to, 'package', publishedContainer({ tag: 'v1.0.1', at: '2026-11-30T11:00:00Z' }));
    await sent(to, 'package', publishedContainer({ tag: 'v1.0.2', at: '2026-11-30T12:00:00Z' }));
    const [newest, replaced, refused] = await settled(to.service, 'waiting', 'replaced', 'refused');
    expect(replaced).toMatchObject({ newer: { push: newest?.id, version: 'v1.0.2' } });
    expect(refused).toMatchObject({ decided: { note: 'Not on a Friday' } });
    const late = await alice.post<{ msg: string }>('push/approve', { id: replaced?.id });
    expect([late.status, late.body.msg]).toEqual([409, 'v1.0.1 was replaced by a newer version']);
    const [{ id } = { id: '' }] = await ask<{ id: string }[]>('deploy-rule/list', {
      service: { id: to.service },
    });
    await ask('deploy-rule/delete', { id });
    const [withdrawn] = await settled(to.service, 'withdrawn', 'replaced', 'refused');
    expect(withdrawn).toMatchObject({ reason: 'the rule Versions to prod was removed' });
    expect(await releases(to.service)).toEqual([]);
    await until(async () =>
      (await alerts(to.service, 'deployApproval')).every(({ state }) => state !== 'open'),
    );
  });

  it('is for somebody with the role, and shows the past', async () => {
    const to = await hook(server, [rule('Prod', { approval: 'superadmin' })]);
    await sent(to, 'package', publishedContainer({ tag: 'v1.0.0' }));
    const [push] = await settled(to.service, 'waiting');
    const admin = await world.backend.signIn({
      role: 'admin',
      email: 'bob@example.org',
    });
    const refused = await admin.post<{ msg: string }>('push/approve', { id: push?.id });
    expect([refused.status, refused.body.msg]).toEqual([
      403,
      'this is for somebody with the role superadmin',
    ]);
    const boss = await world.backend.signIn({ role: 'superadmin', email: 'carol@example.org' });
    expect((await boss.post('push/approve', { id: push?.id })).status).toBe(200);
    await settled(to.service, 'deployed');
    const at = push?.position ?? '';
    const then = await alice.post<{ state: string }[]>(
      'push/list',
      { service: { id: to.service } },
      { 'x-at': at },
    );
    expect(then.body.map(({ state }) => state)).toEqual(['waiting']);
  });
});

it('says that a deploy could not be started', async () => {
  const fields = { ...fieldsOf(`web-${randomUUID()}`, nowhere), privateKey: idleKey() };
  const gone = (await ask('server/insert', fields)).id;
  const to = await hook(gone, [rule('Versions')]);
  await ask('server/delete', { id: gone, alias: fields.alias });
  await sent(to, 'package', publishedContainer({ tag: 'v1.0.0' }));
  const [push] = await settled(to.service, 'failed');
  expect(push?.reason).toMatch(/server/);
  const open = async () =>
    (await alerts(to.service, 'workflowTrigger')).filter(({ state }) => state === 'open');
  await until(async () => (await open()).length === 1);
  expect((await open())[0]?.says).toContain('Orders v1.0.0 was not deployed to prod');
});

it('takes any of the valid secrets, and none that was revoked', async () => {
  const to = await hook(server, []);
  const second = await ask<{ id: string; secret: string }>('push/token/issue', {
    service: { id: to.service },
  });
  expect((await sent({ ...to, secret: second.secret }, 'ping', ping)).status).toBe(200);
  expect((await sent(to, 'ping', { ...ping, zen: 'Design for failure.' })).status).toBe(200);
  await ask('push/token/revoke', { id: second.id });
  expect([401, 429]).toContain((await sent({ ...to, secret: second.secret }, 'ping', ping)).status);
  for (let more = 0; more < 4; more += 1) await ask('push/token/issue', { service: { id: to.service } });
  const sixth = await alice.post('push/token/issue', { service: { id: to.service } });
  expect(sixth.status).toBe(422);
});
