/**
 * What each event trigger was at each position of the log, so that the log alone decides which events fire it: an event
 * fires the trigger as it was recorded before the event, however late it is looked at. Pure.
 */
import { comparePositions, type Position, type RecordedEvent } from '@quarterdeck/events';
import type { TriggerFields } from './trigger-view';

interface Version {
  /** Of the event that made it so. */
  position: Position;
  /** Undefined while the trigger is removed. */
  fields: TriggerFields | undefined;
}

/** Oldest first. */
export type TriggerVersions = readonly Version[];

export interface KnownTrigger {
  id: string;
  workspace: string;
  versions: TriggerVersions;
}

export const isEventTrigger = (fields: TriggerFields | undefined): fields is TriggerFields =>
  fields !== undefined && fields.isOn && fields.starts === 'event';

/** The trigger as the event meets it; undefined if the event does not concern it. */
export const firedBy = (
  { workspace, versions }: KnownTrigger,
  { type, position, meta }: Pick<RecordedEvent, 'type' | 'position' | 'meta'>,
): TriggerFields | undefined => {
  if (meta.workspace !== workspace) return undefined;
  const met = versions.findLast((version) => comparePositions(version.position, position) < 0)?.fields;
  return isEventTrigger(met) && met.event === type ? met : undefined;
};
