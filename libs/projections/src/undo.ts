/** What putting something back would do, before anybody does it. */
import { z } from 'zod';
import { difference } from './differences';

/** Of what is asked again, since it was destroyed. */
export const undoNeed = z.enum(['privateKey', 'secret']);
export type UndoNeed = z.infer<typeof undoNeed>;

export const undoStep = z.strictObject({
  subject: z.strictObject({
    category: z.string(),
    id: z.string(),
    name: z.string(),
  }),
  /** Between now and afterwards. */
  changes: z.array(difference),
  /** Why this one stays as it is; the others are put back all the same. */
  refused: z.string().optional(),
});
export interface UndoStep extends z.infer<typeof undoStep> {}

export const undoPreview = z
  .strictObject({
    /** Of the event that would be undone. */
    position: z.string(),
    /** Why nothing can be put back; the rest is empty then. */
    refused: z.string().optional(),
    /** The first ones. */
    steps: z.array(undoStep),
    /** How many there are in all. */
    count: z.number(),
    needs: z.array(undoNeed),
    /** What it does not do: sentences for who decides. */
    notes: z.array(z.string()),
    /** Stands for all of this: sent back, it makes sure that just this is done. */
    seen: z.string(),
  })
  .meta({ id: 'UndoPreview' });
export interface UndoPreview extends z.infer<typeof undoPreview> {}
