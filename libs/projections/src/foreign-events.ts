/** Events in the log that this console did not write. They have no effect. This read model shows them. */
import { z } from 'zod';
import { defineProjection } from './define-projection';

export const foreignEventView = z
  .strictObject({
    /** Always the installation. The workspace named in a foreign event cannot be trusted. */
    workspace: z.string(),
    position: z.string(),
    stream: z.string(),
    type: z.string(),
    recordedAt: z.string(),
    /** Why the event counts as foreign. */
    reason: z.string(),
  })
  .meta({ id: 'ForeignEvent' });
export interface ForeignEventView extends z.infer<typeof foreignEventView> {}

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
