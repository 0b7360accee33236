/**
 * What a screen of a noun shows is written first. Read models that are defined as `later`, the history above all, follow
 * in batches of their own, at a position of their own.
 */
import { comparePositions, type Position } from '@quarterdeck/events';
import type { AnyProjection } from '../define-projection';

export const LANES = ['now', 'later'] as const;
export type LaneName = (typeof LANES)[number];

/** Positions of the lanes. Undefined where nothing is live. */
export type Places = Readonly<Record<LaneName, Position | undefined>>;

export const laneOf = ({ later }: Pick<AnyProjection, 'later'>): LaneName => (later ? 'later' : 'now');

export const otherThan = (lane: LaneName): LaneName => (lane === 'now' ? 'later' : 'now');

/** The place of the slowest; undefined where nothing is live. */
export const slowest = ({ now, later }: Places): Position | undefined =>
  now === undefined || (later !== undefined && comparePositions(later, now) < 0) ? later : now;
