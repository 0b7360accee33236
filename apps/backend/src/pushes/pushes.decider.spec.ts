// covers: OPS-06
import type { EventData } from '@quarterdeck/events';
import { given, meta } from '../platform/decisions/decider-testing';
import {
  ApprovePush,
  pushesDecider,
  RecordDeploy,
  RecordMatch,
  RecordPushFailure,
  RefusePush,
  ReplacePush,
  WithdrawPush,
  type PushEvent,
} from './pushes.decider';

const id = '0193f0a0-0000-7000-8000-000000000001';
const matched: EventData<'PushMatched'> = {
  service: { id, name: 'Orders' },
  product: id,
  rule: { id, name: 'Prod' },
  env: 3,
  starts: 'package',
  version: 'v1.4.0',
  branch: 'main',
  image: 'ghcr.io/acme/orders:v1.4.0',
  digest: '',
  by: 'octocat',
  delivery: 'd1',
};
const asks = { type: 'PushMatched', data: { ...matched, approval: 'admin' } } as const;
const atOnce = { type: 'PushMatched', data: matched } as const;
const version = 'v1.4.0';
const approved = { type: 'PushApproved', data: { version } } as const;
const on = (...events: PushEvent[]) => given(pushesDecider, events);

test('a version is matched once', () => {
  on()
    .when(new RecordMatch(id, matched, meta))
    .then([atOnce]);
  on(asks)
    .when(new RecordMatch(id, matched, meta))
    .thenNothing();
});

test('the first of two decisions counts, and the second is told', () => {
  on(asks)
    .when(new ApprovePush(id, { note: 'Tested' }, meta))
    .then([{ type: 'PushApproved', data: { version, note: 'Tested' } }]);
  on(asks)
    .when(new RefusePush(id, {}, meta))
    .then([{ type: 'PushRefused', data: { version } }]);
  on(asks, approved)
    .when(new ApprovePush(id, {}, meta))
    .thenRejected('conflict', 'v1.4.0 was approved already');
  on(asks, approved)
    .when(new RefusePush(id, {}, meta))
    .thenRejected('conflict', 'v1.4.0 was approved already');
  on(asks, { type: 'PushRefused', data: { version } })
    .when(new ApprovePush(id, {}, meta))
    .thenRejected('conflict', 'v1.4.0 was refused already');
  on(atOnce)
    .when(new ApprovePush(id, {}, meta))
    .thenRejected('conflict', 'v1.4.0 needs no approval');
  on()
    .when(new ApprovePush(id, {}, meta))
    .thenRejected('notFound');
});

test('only what waits is replaced or withdrawn', () => {
  const newer = { push: id, version: 'v1.4.1' };
  on(asks)
    .when(new ReplacePush(id, { newer }, meta))
    .then([{ type: 'PushReplaced', data: { version, newer } }]);
  on(asks, approved)
    .when(new ReplacePush(id, { newer }, meta))
    .thenNothing();
  on(asks)
    .when(new WithdrawPush(id, { reason: 'gone' }, meta))
    .then([{ type: 'PushWithdrawn', data: { version, reason: 'gone' } }]);
  on(atOnce)
    .when(new WithdrawPush(id, { reason: 'gone' }, meta))
    .thenNothing();
  on(asks, { type: 'PushReplaced', data: { version, newer } })
    .when(new ApprovePush(id, {}, meta))
    .thenRejected('conflict', 'v1.4.0 was replaced by a newer version');
});

test('what needs no approval, or has got it, is deployed once or fails once', () => {
  const deployed = { type: 'PushDeployed', data: { version, release: id } } as const;
  on(atOnce)
    .when(new RecordDeploy(id, { release: id }, meta))
    .then([deployed]);
  on(asks, approved)
    .when(new RecordDeploy(id, { release: id }, meta))
    .then([deployed]);
  on(asks)
    .when(new RecordDeploy(id, { release: id }, meta))
    .thenNothing();
  on(atOnce)
    .when(new RecordPushFailure(id, { reason: 'no server' }, meta))
    .then([{ type: 'PushFailed', data: { version, reason: 'no server' } }]);
  on(atOnce, deployed)
    .when(new RecordPushFailure(id, { reason: 'no server' }, meta))
    .thenNothing();
});
