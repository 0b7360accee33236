// covers: SRV-08, SRV-10
import { given, meta } from '../platform/decisions/decider-testing';
import {
  packagePullsDecider,
  RecordDeploy,
  RemoveDeployLog,
  RequestDeploy,
  type PackagePullEvent,
  type PackagePullOutcome,
} from './package-pulls.decider';

const id = '0193f0a0-0000-7000-8000-000000000081';
const what = {
  server: '0193f0a0-0000-7000-8000-000000000002',
  cdUrl: 'https://ci.example.org/deploy/shop',
  slug: 'shop',
};
const requested: PackagePullEvent = { type: 'DeployRequested', data: what };
const succeeded: PackagePullOutcome = {
  type: 'DeploySucceeded',
  data: { ...what, version: '1.4.2', durationMs: 812 },
};
const failed: PackagePullOutcome = {
  type: 'DeployFailed',
  data: { ...what, reason: 'status 502', status: 502 },
};
const removed: PackagePullEvent = { type: 'DeployLogRemoved', data: { slug: 'shop' } };
const on = (...events: PackagePullEvent[]) => given(packagePullsDecider, events);
const request = new RequestDeploy(id, what, meta);
const record = (outcome: PackagePullOutcome) => new RecordDeploy(id, outcome, meta);
const remove = new RemoveDeployLog(id, {}, meta);

test('the request is recorded once', () => {
  on().when(request).then([requested]);
  on(requested).when(request).thenRejected('conflict', 'in the log already');
});
test.each([[succeeded], [failed]])('%j is recorded as it happened', (outcome) =>
  on(requested).when(record(outcome)).then([outcome]),
);
test('one entry is about one attempt', () => {
  on(requested, succeeded).when(record(failed)).thenRejected('conflict', 'has its end already');
  // Such entries were recorded before the event for requests existed.
  on(succeeded).when(record(failed)).thenRejected('conflict', 'has its end already');
  on(failed, removed).when(record(failed)).thenRejected('conflict');
  on().when(record(failed)).thenRejected('notFound');
});
test('the outcome is recorded once, even if the entry was removed from the log meanwhile', () => {
  on(requested, removed).when(record(succeeded)).then([succeeded]);
  on(requested, removed, succeeded).when(record(succeeded)).thenRejected('conflict');
  on(requested, removed, succeeded).when(remove).thenRejected('notFound');
});
test('an entry is removed from the log under its own name, even if it never ended', () => {
  on(requested, succeeded).when(remove).then([removed]);
  on(failed).when(remove).then([removed]);
  on(requested).when(remove).then([removed]);
});
test('an entry that is not in the log cannot be found', () => {
  on().when(remove).thenRejected('notFound', 'deploy could not be found');
  on(failed, removed).when(remove).thenRejected('notFound', 'deploy could not be found');
});
