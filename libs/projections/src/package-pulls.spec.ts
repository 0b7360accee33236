// covers: SRV-10
import type { AppEvent } from '@quarterdeck/events';
import { packagePulls } from './package-pulls';
import { ALICE, logOf, viewOf, WORKSPACE } from './testing/log';

const ID = '0193f0a0-0000-7000-8000-000000000081';
const STREAM = `deploy-${ID}`;
const server = '0193f0a0-0000-7000-8000-000000000002';
const what = { cdUrl: 'https://ci.example.org/deploy/shop', slug: 'shop' };
const view = (...events: AppEvent[]) =>
  viewOf(packagePulls, STREAM, logOf(...events.map((e) => [STREAM, e] as [string, AppEvent])));
const entry = {
  id: ID,
  uuid: ID,
  workspace: WORKSPACE,
  date: '2026-11-20T12:00:00.000Z',
  by: ALICE,
  server: { id: server },
  serverId: server,
  ...what,
  revision: 0,
  position: '1',
};

describe('the deploys read model', () => {
  test('a successful deploy shows its version', () => {
    const data = { ...what, server, version: '1.4.2', durationMs: 812 };
    expect(view({ type: 'DeploySucceeded', data })).toEqual({
      ...entry,
      state: 'succeeded',
      version: '1.4.2',
      durationMs: 812,
    });
    const service = '0193f0a0-0000-7000-8000-0000000000c1';
    expect(view({ type: 'DeploySucceeded', data: { ...data, service } })).toMatchObject({
      serviceDeploy: { id: service },
    });
  });

  test('a failed deploy shows the reason', () => {
    const data = { ...what, server, reason: 'status 502', status: 502 };
    expect(view({ type: 'DeployFailed', data })).toEqual({
      ...entry,
      state: 'failed',
      reason: 'status 502',
      status: 502,
    });
  });

  test('a requested deploy without an end is shown as requested', () => {
    const requested: AppEvent = { type: 'DeployRequested', data: { ...what, server } };
    expect(view(requested)).toEqual({ ...entry, state: 'requested' });
    const succeeded: AppEvent = {
      type: 'DeploySucceeded',
      data: { ...what, server, version: '1.4.2', durationMs: 812 },
    };
    const ended = { state: 'succeeded', version: '1.4.2', date: entry.date, revision: 1, position: '2' };
    expect(view(requested, succeeded)).toMatchObject(ended);
  });

  test('an entry removed from the log stays away even if the deploy ends afterwards', () => {
    const requested: AppEvent = { type: 'DeployRequested', data: { ...what, server } };
    const failed: AppEvent = { type: 'DeployFailed', data: { ...what, server, reason: 'no answer' } };
    const removed: AppEvent = { type: 'DeployLogRemoved', data: { slug: 'shop' } };
    expect(view(failed, removed)).toBeUndefined();
    expect(view(requested, removed, failed)).toBeUndefined();
  });
});
