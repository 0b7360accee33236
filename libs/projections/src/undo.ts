/** What putting something back would do, before anybody does it. */
import type { Position } from '@quarterdeck/events';
import type { Difference } from './differences';

/** Of what is asked again, since it was destroyed. */
export type UndoNeed = 'privateKey' | 'secret';

export interface UndoStep {
  subject: { category: string; id: string; name: string };
  /** Between now and afterwards. */
  changes: Difference[];
  /** Why this one stays as it is; the others are put back all the same. */
  refused?: string;
}

export interface UndoPreview {
  /** Of the event that would be undone. */
  position: Position;
  /** Why nothing can be put back; the rest is empty then. */
  refused?: string;
  /** The first ones. */
  steps: UndoStep[];
  /** How many there are in all. */
  count: number;
  needs: UndoNeed[];
  /** What it does not do: sentences for who decides. */
  notes: string[];
  /** Stands for all of this: sent back, it makes sure that just this is done. */
  seen: string;
}
