// covers: DEP-01
import { given, meta } from '../platform/decisions/decider-testing';
import {
  RecordReleaseFailure,
  RecordServed,
  RecordStopped,
  deploysDecider,
  RemoveRelease,
  RequestRelease,
  type DeployEvent,
} from './deploys.decider';

const id = '0193f0a0-0000-7000-8000-000000000091';
const asked = {
  service: { id: '0193f0a0-0000-7000-8000-000000000092', name: 'Orders' },
  product: '0193f0a0-0000-7000-8000-000000000093',
  server: { id: '0193f0a0-0000-7000-8000-000000000002', name: 'web-1' },
  package: {
    id: '0193f0a0-0000-7000-8000-000000000094',
    version: '1.4.2',
    image: 'ghcr.io/acme/orders:1.4.2',
  },
  env: 3,
  port: 3000,
  health: { path: '/health', seconds: 60 },
  keep: 3,
  variables: [],
  compose: '',
};
const serving = { digest: 'sha256:1', hostPort: 20_001, proxy: 'server {}' };
const failure = { step: 'start', reason: 'It was not healthy.' };
const requested: DeployEvent = { type: 'ReleaseRequested', data: asked };
const served: DeployEvent = { type: 'ReleaseServed', data: { version: '1.4.2', ...serving } };
const failed: DeployEvent = { type: 'ReleaseFailed', data: { version: '1.4.2', ...failure } };
const stopped: DeployEvent = { type: 'ReleaseStopped', data: { version: '1.4.2' } };
const removed: DeployEvent = { type: 'ReleaseRemoved', data: { version: '1.4.2' } };

const on = (...events: DeployEvent[]) => given(deploysDecider, events);
const request = new RequestRelease(id, asked, meta);
const serve = new RecordServed(id, serving, meta);
const fail = new RecordReleaseFailure(id, failure, meta);
const stop = new RecordStopped(id, {}, meta);
const remove = (last: boolean) => new RemoveRelease(id, { last }, meta);

test('is asked for once', () => {
  on().when(request).then([requested]);
  on(requested).when(request).thenRejected('conflict', 'already requested');
});
test('serves, or fails, and says so once', () => {
  on(requested).when(serve).then([served]);
  on(requested, served).when(serve).then([]);
  on(requested).when(fail).then([failed]);
  on(requested, failed).when(fail).then([]);
});
test('serves even if a later step of its run fails', () => {
  on(requested, served).when(fail).then([]);
});
test('serves after a failed run was continued', () => {
  on(requested, failed).when(serve).then([served]);
});
test('is stopped once, and serves again after a retry', () => {
  on(requested, served).when(stop).then([stopped]);
  on(requested, served, stopped).when(stop).then([]);
  on(requested, served, stopped).when(fail).then([]);
  on(requested, served, stopped).when(serve).then([served]);
  on(requested, failed).when(stop).thenRejected('conflict', 'does not serve');
});
test('its record goes, unless it served last', () => {
  on(requested, served).when(remove(true)).thenRejected('conflict', 'this release served last');
  on(requested, served).when(remove(false)).then([removed]);
  on(requested, removed).when(remove(false)).thenRejected('notFound');
  on().when(serve).thenRejected('notFound');
});
