/** The scripts of a workspace, with every version that they have had. */
import { streamParts, type EventData, type LoggedEvent, type Position } from '@quarterdeck/events';
import { defineProjection } from './define-projection';

export interface ScriptVersion extends EventData<'ScriptRevised'> {
  /** Counts from 1. */
  version: number;
  at: string;
  by: string;
}

export interface ScriptView {
  id: string;
  workspace: string;
  name: string;
  /** Oldest first; the last one is what runs unless another is named. */
  versions: ScriptVersion[];
  changedAt: string;
  changedBy: string;
  /** Then nobody is shown it, until it is put back. */
  removedAt?: string;
  revision: number;
  position: Position;
}

const versionOf = (
  number: number,
  { body, changes, timeoutSeconds }: EventData<'ScriptRevised'>,
  { at, actor }: LoggedEvent['meta'],
): ScriptVersion => ({ version: number, body, changes, timeoutSeconds, at, by: actor });

export const scripts = defineProjection<ScriptView>({
  name: 'scripts',
  version: 2,
  columns: { name: 'text', removedAt: 'timestamptz' },
  hiddenBy: 'removedAt',
  indexes: ['(workspace, lower(name))'],
  keys: (event) => {
    const { category, id } = streamParts(event.stream);
    return category === 'script' ? [id] : [];
  },
  evolve: (view, event, key) => {
    const { meta, revision, position } = event;
    const place = { changedAt: meta.at, changedBy: meta.actor, revision, position };
    if (event.type === 'ScriptAdded') {
      const { name, ...content } = event.data;
      return { id: key, workspace: meta.workspace, name, versions: [versionOf(1, content, meta)], ...place };
    }
    if (!view) return undefined;
    switch (event.type) {
      case 'ScriptRevised':
        return {
          ...view,
          versions: [...view.versions, versionOf(view.versions.length + 1, event.data, meta)],
          ...place,
        };
      case 'ScriptRenamed':
        return { ...view, name: event.data.name, ...place };
      case 'ScriptRemoved':
        return { ...view, removedAt: meta.at, ...place };
      case 'ScriptRestored':
        return { ...view, removedAt: undefined, ...place };
      default:
        return view;
    }
  },
});
