/** Events in the log that this console did not write. They have no effect; this is where they are seen. */
import type { Position } from '@quarterdeck/events';
import { defineProjection } from './define-projection';

export interface ForeignEventView {
  /** They belong to the installation: what workspace they name is nothing that they prove. */
  workspace: string;
  position: Position;
  stream: string;
  type: string;
  recordedAt: string;
  /** Why it is not ours, in words. */
  reason: string;
}

export const foreignEvents = defineProjection<ForeignEventView>({
  name: 'foreign_events',
  version: 1,
  columns: {},
  indexes: ['(position desc)'],
  appendOnly: true,
  takesForeign: true,
  keys: ({ foreign, position }) => (foreign === undefined ? [] : [position]),
  evolve: (_view, { position, stream, recordedAt, foreign, stored }) => ({
    workspace: '-',
    position,
    stream,
    type: stored?.type ?? '',
    recordedAt,
    reason: foreign ?? '',
  }),
});
