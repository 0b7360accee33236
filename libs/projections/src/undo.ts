/** The preview of an undo. */
import { z } from 'zod';
import { difference } from './differences';

/** Inputs to supply again because the originals were destroyed. */
export const undoNeed = z.enum(['privateKey', 'secret']);
export type UndoNeed = z.infer<typeof undoNeed>;

export const undoStep = z.strictObject({
  subject: z.strictObject({
    category: z.string(),
    id: z.string(),
    name: z.string(),
  }),
  /** What would be recorded, in words: "renamed to web-2". Empty if the step is left out. */
  says: z.string(),
  /** The differences between the present state and the state after the undo. */
  changes: z.array(difference),
  /** Why this step is left out. The other steps are still undone. */
  refused: z.string().optional(),
});
export interface UndoStep extends z.infer<typeof undoStep> {}

export const undoPreview = z
  .strictObject({
    /** Position of the event to undo. */
    position: z.string(),
    /** Why nothing can be undone. The other fields are then empty. */
    refused: z.string().optional(),
    /** The events to undo, in words. Events that one request recorded are undone together. */
    undoes: z.array(z.string()),
    /** The undo would record nothing but removals, as when something was added. */
    removes: z.boolean(),
    /** The first steps. */
    steps: z.array(undoStep),
    /** How many steps there are in all. */
    count: z.number(),
    needs: z.array(undoNeed),
    /** Notes for the operator about the limits of the undo, one sentence each. */
    notes: z.array(z.string()),
    /** Hash of the whole preview. Send it back to make sure that exactly this is done. */
    seen: z.string(),
  })
  .meta({ id: 'UndoPreview' });
export interface UndoPreview extends z.infer<typeof undoPreview> {}
