/** Alerts about DNS that moves, failed deploys and failed scheduled runs: each is sent once. covers: OPS-01 */
import type { AppEvent, NewEvent } from '@quarterdeck/events';
import type { AlertView, TriedRule } from '@quarterdeck/projections';
import { v7 as uuidv7 } from 'uuid';
import { DnsWatch } from '../../apps/backend/src/domains';
import {
  deploysDecider,
  RecordReleaseFailure,
  RecordServed,
} from '../../apps/backend/src/deploys/deploys.decider';
import { Decisions } from '../../apps/backend/src/platform/decisions';
import { ownMeta } from '../../apps/backend/src/platform/sessions';
import { ScheduleTriggers } from '../../apps/backend/src/workflow-triggers/schedule-triggers';
import { appendAtEnd } from '../../testing/log-events';
import { metaOf } from '../alerts/domain-events';
import { settled } from '../alerts/alerts-world';
import { recordedGround } from '../deploys/recorded-releases';
import { openDomainGround, type DomainGround } from '../domains/ground';
import { callsOf } from '../workflows/trigger-ground';

let ground: DomainGround;
let workspace: string;

const alerts = async (about: AlertView['about']): Promise<AlertView[]> =>
  (await ground.alice.post<AlertView[]>('alert/list', {})).body.filter((alert) => alert.about === about);
/** The newest alert, once it is in that state. */
const newest = (about: AlertView['about'], state: AlertView['state']): Promise<AlertView> =>
  settled(async () => {
    const [alert] = await alerts(about);
    return alert?.state === state ? alert : undefined;
  });

beforeAll(async () => {
  ground = await openDomainGround();
  workspace = (await ground.alice.post<{ id: string }>('workspace/detail')).body.id;
});
afterAll(() => ground?.end());

test('DNS that moves is told, through failed look-ups, until it leads to the server again', async () => {
  const { bind, world, alice } = ground;
  const insert = { data: { name: 'DNS', causes: ['DNS moved'] } };
  const rule = (await alice.post<{ id: string }>('alert-rule/insert', insert)).body.id;
  const id = await ground.domain('shop', await ground.server('web-1'));
  const lead = (to: string) =>
    bind.change(`update delete shop.${bind.zone} A`, `update add shop.${bind.zone} 60 A ${to}`);
  const rounds = world.backend.app.get(DnsWatch, { strict: false }).newRounds();
  lead('127.0.0.9');
  await rounds.round();
  const first = await newest('dnsMoved', 'open');
  expect(first).toMatchObject({
    subjectId: id,
    says: `shop.${bind.zone} does not lead to the server any more (DNS wrong: IPv4 127.0.0.9).`,
  });
  // A failure, and another wrong address, are the same crossing.
  await bind.freeze();
  await rounds.round();
  await rounds.round();
  bind.thaw();
  lead('127.0.0.8');
  await rounds.round();
  lead('127.0.0.1');
  await rounds.round();
  expect(await newest('dnsMoved', 'resolved')).toMatchObject({ id: first.id });
  lead('127.0.0.9');
  await rounds.round();
  const second = await newest('dnsMoved', 'open');
  expect(await alerts('dnsMoved')).toHaveLength(2);
  const { body } = await alice.post<TriedRule>('alert-rule/try', { id: rule });
  expect(body.moments.map(({ at }) => at)).toEqual([first.since, second.since]);
});

test('deploys that fail in a row are one alert, which ends when one serves', async () => {
  const { world, alice } = ground;
  const { server, service, release } = await recordedGround(world, alice);
  const shop = await service('Shop', await server('web-2'));
  const decisions = world.backend.app.get(Decisions, { strict: false });
  const meta = () => ownMeta('system', workspace);
  const fail = async (version: string): Promise<void> => {
    const id = await release(shop, version, { serves: false });
    const failure = { step: 'health', reason: 'it does not answer within 60 s' };
    await decisions.execute(deploysDecider, new RecordReleaseFailure(id, failure, meta()));
  };
  await release(shop, '1.0.0');
  await fail('1.1.0');
  const first = await newest('deployFailed', 'open');
  expect(first).toMatchObject({
    subject: { kind: 'service', id: shop },
    says: 'Shop 1.1.0 was not deployed to web-2: it does not answer within 60 s',
  });
  await fail('1.1.1');
  const good = await release(shop, '1.1.2', { serves: false });
  const served = { digest: `sha256:${'0'.repeat(64)}`, hostPort: 20_418, proxy: '' };
  await decisions.execute(deploysDecider, new RecordServed(good, served, meta()));
  expect(await newest('deployFailed', 'resolved')).toMatchObject({ id: first.id });
  await fail('1.2.0');
  await newest('deployFailed', 'open');
  expect(await alerts('deployFailed')).toHaveLength(2);
});

test('a workflow that its schedule started and that stopped is told until it goes on or ends', async () => {
  const { world, alice } = ground;
  const { ask, workflow, trigger, start, instanceThat, instances } = callsOf(alice);
  const inner = await workflow({ is: 'none' });
  const outer = await workflow({ is: 'workflow', workflow: { id: inner } });
  const { name } = await ask<{ name: string }>('workflow/detail', { id: inner });
  await ask('workflow/delete', { id: inner, name });
  // What a person started is on the person's page.
  await instanceThat(await start(outer), 'stopped');
  const due = new Date(Math.ceil(Date.now() / 3_600_000) * 3_600_000 + 5 * 3_600_000);
  await trigger(outer, {
    name: 'Nightly',
    starts: 'schedule',
    schedule: `0 ${due.getUTCHours()} * * *`,
    data: {},
  });
  const triggers = world.backend.app.get(ScheduleTriggers, { strict: false });
  await triggers.look(new Date(due.getTime() + 1000));
  const alert = await newest('scheduleFailed', 'open');
  expect(alert.says).toMatch(/stopped, as its schedule Nightly had started it: .*could not be found/);
  const scheduled = (await instances(outer)).find(({ cause }) => cause.is === 'schedule');
  expect(alert.subject).toMatchObject({ kind: 'workflowInstance', id: scheduled?.id });
  await ask('workflow/instance/cancel', { id: scheduled?.id });
  await newest('scheduleFailed', 'resolved');
  expect(await alerts('scheduleFailed')).toHaveLength(1);
});

test('a scheduled run of the SSL monitor that fails is told until one succeeds', async () => {
  const { store } = ground.world.backend.resources;
  const run = async (actor: string, ...events: AppEvent[]): Promise<string> => {
    const id = uuidv7();
    const subject = { kind: 'workspace', id: workspace, name: 'Workspace' };
    const requested: AppEvent = { type: 'RunRequested', data: { kind: 'sslMonitor', subject, input: {} } };
    const all = [requested, ...events].map(
      ({ type, data }) => ({ type, data, meta: { ...metaOf(workspace), actor } }) as NewEvent,
    );
    await appendAtEnd(store, `run-${id}`, all);
    return id;
  };
  const failed: AppEvent = {
    type: 'RunFailed',
    data: { durationMs: 5, code: 'timedOut', reason: 'too slow' },
  };
  await run(uuidv7(), failed);
  const first = await run('system', failed);
  const alert = await settled(async () =>
    (await alerts('scheduleFailed')).find(({ state }) => state === 'open'),
  );
  expect(alert.subject).toMatchObject({ kind: 'run', id: first });
  await run('system', { type: 'RunInterrupted', data: { reason: 'the process ended' } });
  await run('system', { type: 'RunSucceeded', data: { durationMs: 5 } });
  await newest('scheduleFailed', 'resolved');
  expect((await alerts('scheduleFailed')).filter(({ subject }) => subject.kind === 'run')).toHaveLength(1);
});
