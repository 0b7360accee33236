/** The scripts of a workspace, with all their versions. */
import type { EventData, LoggedEvent } from '@quarterdeck/events';
import { z } from 'zod';
import { defineProjection, rowPerStream } from './define-projection';
import type { ListColumn } from './listing';

const scriptVersion = z.strictObject({
  /** Counts from 1. */
  version: z.int(),
  body: z.string(),
  changes: z.boolean(),
  timeoutSeconds: z.int(),
  at: z.string(),
  by: z.string(),
});
export interface ScriptVersion extends z.infer<typeof scriptVersion> {}

export const scriptView = z
  .strictObject({
    id: z.string(),
    workspace: z.string(),
    name: z.string(),
    /** Oldest first. Runs use the last one by default. */
    versions: z.array(scriptVersion),
    changedAt: z.string(),
    changedBy: z.string(),
    /** If set, the script is hidden until it is restored. */
    removedAt: z.string().optional(),
    revision: z.int(),
    position: z.string(),
  })
  .meta({ id: 'Script' });
export interface ScriptView extends z.infer<typeof scriptView> {}

/** A script in a list: its newest version, without the text. */
export const scriptRow = scriptView
  .pick({ id: true, name: true, changedAt: true, changedBy: true })
  .extend({ newest: scriptVersion.omit({ body: true }) })
  .meta({ id: 'ScriptRow' });
export interface ScriptRow extends z.infer<typeof scriptRow> {}

export const scriptKinds = { changes: 'makes changes', reads: 'read-only' } as const;

/** Columns for searching, filtering and sorting a list of scripts. */
export const scriptColumns = [
  { id: 'name', value: ({ name }) => name, filter: 'text' },
  {
    id: 'changes',
    value: ({ newest }) => (newest.changes ? scriptKinds.changes : scriptKinds.reads),
    filter: 'category',
  },
  { id: 'version', value: ({ newest }) => newest.version },
  { id: 'limit', value: ({ newest }) => newest.timeoutSeconds },
  { id: 'changed', value: ({ changedAt }) => changedAt },
] as const satisfies ListColumn<ScriptRow>[];

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
  ...rowPerStream('script'),
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
