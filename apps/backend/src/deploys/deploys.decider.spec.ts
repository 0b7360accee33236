// covers: SRV-08, SRV-10
import { given, meta } from '../platform/decider-testing';
import {
  deploysDecider,
  RecordDeploy,
  RemoveDeployLog,
  type DeployEvent,
  type DeployOutcome,
} from './deploys.decider';

const id = '0193f0a0-0000-7000-8000-000000000081';
const what = {
  server: '0193f0a0-0000-7000-8000-000000000002',
  cdUrl: 'https://ci.example.org/deploy/shop',
  slug: 'shop',
};
const succeeded: DeployOutcome = {
  type: 'DeploySucceeded',
  data: { ...what, version: '1.4.2', durationMs: 812 },
};
const failed: DeployOutcome = { type: 'DeployFailed', data: { ...what, reason: 'status 502', status: 502 } };
const removed: DeployEvent = { type: 'DeployLogRemoved', data: { slug: 'shop' } };
const on = (...events: DeployEvent[]) => given(deploysDecider, events);
const remove = new RemoveDeployLog(id, {}, meta);

test.each([[succeeded], [failed]])('%j stands in the log as it went', (outcome) =>
  on()
    .when(new RecordDeploy(id, outcome, meta))
    .then([outcome]),
);
test('one entry tells of one attempt', () => {
  on(succeeded)
    .when(new RecordDeploy(id, failed, meta))
    .thenRejected('conflict', 'in the log already');
  on(failed, removed)
    .when(new RecordDeploy(id, failed, meta))
    .thenRejected('conflict');
});
test('an entry is taken out of the log, under the name it had', () => {
  on(succeeded).when(remove).then([removed]);
  on(failed).when(remove).then([removed]);
});
test('what is not in the log cannot be found', () => {
  on().when(remove).thenRejected('notFound', 'deploy could not be found');
  on(failed, removed).when(remove).thenRejected('notFound', 'deploy could not be found');
});
