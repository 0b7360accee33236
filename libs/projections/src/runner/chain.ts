/**
 * The chain over the log, for an engine that keeps none: a single row that every event updates. It is folded here,
 * apart from the other read models, because it needs a hash function.
 */
import type { Position } from '@quarterdeck/events';
import { chainHash, GENESIS } from '@quarterdeck/log/store';
import { defineProjection } from '../define-projection';

export interface ChainView {
  workspace: string;
  position: Position;
  hash: string;
}

export const chain = defineProjection<ChainView>({
  name: 'chain',
  version: 1,
  columns: { hash: 'text' },
  indexes: [],
  takesForeign: true,
  keys: () => ['log'],
  evolve: (view, event) => ({
    workspace: '-',
    position: event.position,
    hash: chainHash(view?.hash ?? GENESIS, event),
  }),
});
