// covers: CLOUD-03
import { given, meta } from '../platform/decisions/decider-testing';
import type { EventData } from '@quarterdeck/events';
import {
  AssociateDroplet,
  ClearProduct,
  dropletDecider,
  LoseDroplet,
  ObserveDroplet,
  PrepareDroplet,
  ReleaseDroplet,
} from './droplets.decider';

const id = '0193f0a0-0000-7000-8000-000000000081';
const machine = {
  name: 'web-1',
  status: 'active' as const,
  networks: { v4: [{ ip_address: '203.0.113.7', type: 'public' }] },
  size: 's-1vcpu-1gb',
  region: 'fra1',
  image: 'debian-12-x64',
  backups: false,
  priceMonthly: 6,
  priceHourly: 0.009,
  tags: [],
};
const data = { cloud: 'digitalocean' as const, droplet: 7, createdAt: '2026-11-23T12:00:00Z', ...machine };
const found = { type: 'DropletDiscovered' as const, data };
const gone = { type: 'DropletVanished' as const, data: { name: 'web-1' } };
const server = { id: '0193f0a0-0000-7000-8000-000000000002', alias: 'web-1' };
const associated = { type: 'DropletAssociated' as const, data: { server } };
const prepared: EventData<'DropletPrepared'> = {
  run: '0193f0a0-0000-7000-8000-000000000001',
  key: { ref: 'key', fingerprint: 'SHA256:a', algorithm: 'ssh-ed25519' },
  hostKey: { fingerprint: 'SHA256:b', algorithm: 'ssh-ed25519' },
};
const observe = (more: Partial<typeof data> = {}) => new ObserveDroplet(id, { ...data, ...more }, meta);

test('a machine is found once, and only what differs is recorded', () => {
  given(dropletDecider, []).when(observe()).then([found]);
  given(dropletDecider, [found]).when(observe()).then([]);
  const bigger = { size: 's-1vcpu-2gb', priceMonthly: 12 };
  given(dropletDecider, [found])
    .when(observe(bigger))
    .then([{ type: 'DropletChanged', data: { ...machine, ...bigger } }]);
});
test('a machine that is gone stays gone, whatever a late list says', () => {
  given(dropletDecider, [found])
    .when(new LoseDroplet(id, {}, meta))
    .then([gone]);
  given(dropletDecider, [found, gone])
    .when(new LoseDroplet(id, {}, meta))
    .then([]);
  given(dropletDecider, [found, gone])
    .when(observe({ status: 'active' }))
    .then([]);
});
test('it belongs to one server, until that is removed', () => {
  const associate = (to = server) => new AssociateDroplet(id, { server: to }, meta);
  given(dropletDecider, [found]).when(associate()).then([associated]);
  given(dropletDecider, [found, associated]).when(associate()).then([]);
  given(dropletDecider, [found, associated])
    .when(associate({ ...server, id }))
    .thenRejected('conflict', 'associated with the server web-1 already');
  given(dropletDecider, []).when(associate()).thenRejected('notFound');
  given(dropletDecider, [found, associated])
    .when(new ReleaseDroplet(id, { server: server.id }, meta))
    .then([{ type: 'DropletReleased', data: { server } }]);
  given(dropletDecider, [found, associated])
    .when(new ReleaseDroplet(id, { server: id }, meta))
    .then([]);
});
test('it no longer counts for a product that was removed', () => {
  const product = '0193f0a0-0000-7000-8000-000000000003';
  const counted = { type: 'DropletAssociated' as const, data: { server, product } };
  const cleared = { type: 'DropletProductCleared' as const, data: { product } };
  const clear = (of = product) => new ClearProduct(id, { product: of }, meta);
  given(dropletDecider, [found, counted]).when(clear()).then([cleared]);
  given(dropletDecider, [found, counted, cleared]).when(clear()).then([]);
  given(dropletDecider, [found, counted]).when(clear(id)).then([]);
  // What it has cost stays.
  given(dropletDecider, [found, counted, gone]).when(clear()).then([]);
});
test('its keys are recorded once', () => {
  const event = { type: 'DropletPrepared' as const, data: prepared };
  given(dropletDecider, [found])
    .when(new PrepareDroplet(id, prepared, meta))
    .then([event]);
  given(dropletDecider, [found, event])
    .when(new PrepareDroplet(id, prepared, meta))
    .then([]);
  given(dropletDecider, [])
    .when(new PrepareDroplet(id, prepared, meta))
    .thenRejected('notFound');
});
