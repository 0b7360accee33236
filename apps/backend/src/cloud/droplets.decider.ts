/** A machine at a provider: one stream from when it was first seen. */
import type { EventData, EventsOf } from '@quarterdeck/events';
import type { dropletEvents } from '@quarterdeck/events/catalogue';
import { command, deciderOf } from '../platform/decider';
import { DomainError, notFound } from '../platform/errors';
import { sameData } from '../platform/same-data';
import type { Machine } from './provider';

type DropletEvent = EventsOf<typeof dropletEvents>;
export type Prepared = EventData<'DropletPrepared'>;

export type DropletState =
  | { is: 'unknown' }
  | {
      is: 'here' | 'gone';
      found: EventData<'DropletDiscovered'>;
      prepared?: Prepared;
      server?: EventData<'DropletAssociated'>['server'];
      product?: string;
    };
type SeenDroplet = Exclude<DropletState, { is: 'unknown' }>;

const machineOf = (data: Machine): Machine => {
  const { name, status, networks, size, region, image, backups, priceMonthly, priceHourly, tags } = data;
  return { name, status, networks, size, region, image, backups, priceMonthly, priceHourly, tags };
};

const ofKnown =
  <D>(rule: (data: D, state: SeenDroplet) => readonly DropletEvent[]) =>
  (data: D, state: DropletState): readonly DropletEvent[] => {
    if (state.is === 'unknown') throw notFound('droplet');
    return rule(data, state);
  };

/** What the provider says now. Only differences are recorded. A machine that is gone never comes back. */
export class ObserveDroplet extends command('ObserveDroplet', { idempotent: true })(
  (data: EventData<'DropletDiscovered'>, state: DropletState): readonly DropletEvent[] => {
    if (state.is === 'unknown') return [{ type: 'DropletDiscovered', data }];
    const now = machineOf(data);
    if (state.is === 'gone' || sameData(now, machineOf(state.found))) return [];
    return [{ type: 'DropletChanged', data: now }];
  },
) {}

export class PrepareDroplet extends command('PrepareDroplet', { idempotent: true })(
  ofKnown((data: Prepared, { prepared }) =>
    sameData(data, prepared) ? [] : [{ type: 'DropletPrepared', data }],
  ),
) {}

export class AssociateDroplet extends command('AssociateDroplet', { idempotent: true })(
  ofKnown((data: EventData<'DropletAssociated'>, { is, server, product }) => {
    if (is === 'gone') throw notFound('droplet');
    if (server && server.id !== data.server.id)
      throw new DomainError('conflict', `this droplet is associated with the server ${server.alias} already`);
    return server && product === data.product ? [] : [{ type: 'DropletAssociated', data }];
  }),
) {}

export class ReleaseDroplet extends command('ReleaseDroplet', { idempotent: true })(
  ({ server: id }: { server: string }, state: DropletState) =>
    state.is !== 'unknown' && state.server?.id === id
      ? [{ type: 'DropletReleased', data: { server: state.server } }]
      : [],
) {}

/** Its product was removed. What a machine that is gone has cost stays with its product. */
export class ClearProduct extends command('ClearProduct', { idempotent: true })(
  (data: { product: string }, state: DropletState) =>
    state.is === 'here' && state.product === data.product
      ? [{ type: 'DropletProductCleared' as const, data }]
      : [],
) {}

export class LoseDroplet extends command('LoseDroplet', { idempotent: true })(
  (_: object, state: DropletState) =>
    state.is === 'here' ? [{ type: 'DropletVanished', data: { name: state.found.name } }] : [],
) {}

const known = (state: DropletState, change: (state: SeenDroplet) => SeenDroplet): DropletState =>
  state.is === 'unknown' ? state : change(state);

export const dropletDecider = deciderOf<DropletState, DropletEvent>()({
  category: 'droplet',
  commands: [ObserveDroplet, PrepareDroplet, AssociateDroplet, ReleaseDroplet, ClearProduct, LoseDroplet],
  initial: { is: 'unknown' },
  evolve: {
    DropletDiscovered: (_, found) => ({ is: 'here', found }),
    DropletChanged: (state, data) => known(state, (one) => ({ ...one, found: { ...one.found, ...data } })),
    DropletPrepared: (state, prepared) => known(state, (one) => ({ ...one, prepared })),
    DropletAssociated: (state, { server, product }) =>
      known(state, (one) => {
        const { product: _, ...before } = one;
        return { ...before, server, ...(product && { product }) };
      }),
    DropletReleased: (state) =>
      known(state, (one) => {
        const { server: _, ...before } = one;
        return before;
      }),
    DropletProductCleared: (state) =>
      known(state, (one) => {
        const { product: _, ...before } = one;
        return before;
      }),
    DropletVanished: (state) => known(state, (one) => ({ ...one, is: 'gone' })),
  },
});
