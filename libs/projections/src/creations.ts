/** Creations: work in sections. The decider uses the same fold of the sections. */
import { confirmedThings, optionalSections } from '@quarterdeck/events';
import { madeThing, type AppEvent, type EventData } from '@quarterdeck/events/catalogue';
import { z } from 'zod';
import { defineProjection, rowPerStream } from './define-projection';

export const creationSectionView = z
  .strictObject({
    section: z.string(),
    state: z.enum(['idle', 'running', 'done', 'failed', 'undoing']),
    /** How often it was started with new values. */
    attempt: z.int(),
    /** The run of the newest attempt. */
    run: z.string().optional(),
    /** How often what it made was removed again. */
    undos: z.int(),
    undoRun: z.string().optional(),
    values: z.record(z.string(), z.json()).optional(),
    /** Fields whose values are in the vault. */
    secrets: z.array(z.string()),
    made: z.array(madeThing),
    /** Of a failure. */
    reason: z.string().optional(),
    code: z.string().optional(),
    at: z.string().optional(),
    by: z.string().optional(),
  })
  .meta({ id: 'CreationSection' });
export interface CreationSectionView extends z.infer<typeof creationSectionView> {}

export const creationView = z
  .strictObject({
    id: z.string(),
    workspace: z.string(),
    kind: z.enum(['product', 'container']),
    name: z.string(),
    state: z.enum(['open', 'finished', 'abandoned']),
    sections: z.array(creationSectionView),
    startedAt: z.string(),
    startedBy: z.string(),
    changedAt: z.string(),
    changedBy: z.string(),
    revision: z.int(),
    position: z.string(),
  })
  .meta({ id: 'Creation' });
export interface CreationView extends z.infer<typeof creationView> {}

/** What is kept of a creation's progress, by views and by the decider. */
export type CreationProgress = Pick<CreationView, 'kind' | 'name' | 'state' | 'sections'>;

/** What is created at a provider has a name. */
const askedFor = ({ values }: Pick<CreationSectionView, 'values'>): string | undefined =>
  (values?.['create'] as { name?: string } | undefined)?.name;

/**
 * Of a section that failed. A request whose answer was lost may have made something that nothing shows yet, and so may one
 * that was cut off: a run that was cancelled or interrupted, and an undo that failed, have no code.
 */
export const mayHaveMade = (section: Pick<CreationSectionView, 'made' | 'code' | 'values'>): boolean => {
  const { made, code } = section;
  return (
    made.length > 0 || code === 'unknownOutcome' || (code === undefined && askedFor(section) !== undefined)
  );
};

/**
 * Names of what the undo of a section deletes at a provider, with its content: each has to be typed first. What may exist
 * there has the name that it was asked for with.
 */
export const namesToType = (
  section: Pick<CreationSectionView, 'state' | 'made' | 'code' | 'values'>,
): string[] => {
  const { state, made } = section;
  const known = made.flatMap(({ kind, name }) => (confirmedThings.includes(kind) ? [name] : []));
  const name = askedFor(section);
  const isPossible = name !== undefined && state !== 'done' && mayHaveMade(section);
  return known.length === 0 && isPossible ? [name] : known;
};

type Section = CreationSectionView;
type Event = Pick<AppEvent, 'type' | 'data'>;

const nothingYet = (section: string): Section => ({
  section,
  state: 'idle',
  attempt: 0,
  undos: 0,
  secrets: [],
  made: [],
});

const startedWith = ({ kind, name, plan }: EventData<'CreationStarted'>): CreationProgress => ({
  kind,
  name,
  state: 'open',
  sections: plan.map(nothingYet),
});

const sectionAfter = (section: Section, { type, data }: AppEvent): Section => {
  const { reason: _reason, code, ...rest } = section;
  switch (type) {
    case 'CreationSectionFilled':
      return { ...section, values: data.values, secrets: Object.keys(data.secrets ?? {}) };
    case 'CreationSectionStarted':
      return { ...rest, state: 'running', attempt: data.attempt, run: data.run };
    case 'CreationSectionDone':
      return { ...rest, state: 'done', made: data.made };
    case 'CreationSectionFailed':
      return {
        ...rest,
        state: 'failed',
        made: data.made,
        reason: data.reason,
        ...(data.code !== undefined && { code: data.code }),
      };
    case 'CreationSectionUndoStarted':
      // The undo looks for what a request of unknown outcome may have made.
      return {
        ...rest,
        state: 'undoing',
        undos: data.attempt,
        undoRun: data.run,
        ...(code !== undefined && { code }),
      };
    case 'CreationSectionUndone':
      return { ...rest, state: 'idle', made: [] };
    default:
      return section;
  }
};

/** @param before undefined before the first event */
export const creationAfter = (
  before: CreationProgress | undefined,
  event: Event,
  changed: { at?: string; by?: string } = {},
): CreationProgress | undefined => {
  const told = event as AppEvent;
  if (told.type === 'CreationStarted') return startedWith(told.data);
  if (!before) return undefined;
  if (told.type === 'CreationFinished') return { ...before, state: 'finished' };
  if (told.type === 'CreationAbandoned') return { ...before, state: 'abandoned' };
  if (!('section' in told.data)) return before;
  const { section: name } = told.data;
  const sections = before.sections.map((section) =>
    section.section === name ? { ...sectionAfter(section, told), ...changed } : section,
  );
  const isReopened =
    told.type === 'CreationSectionUndoStarted' &&
    before.state === 'finished' &&
    !optionalSections.includes(name);
  return { ...before, sections, ...(isReopened && { state: 'open' }) };
};

export const creations = defineProjection<CreationView>({
  name: 'creations',
  version: 3,
  columns: { state: 'text' },
  indexes: ['(workspace, state)'],
  ...rowPerStream('creation'),
  evolve: (view, event, id) => {
    const { meta, revision, position } = event;
    const changed = { at: meta.at, by: meta.actor };
    const progress = creationAfter(view, event, changed);
    if (!progress) return undefined;
    return {
      id,
      workspace: meta.workspace,
      startedAt: view?.startedAt ?? meta.at,
      startedBy: view?.startedBy ?? meta.actor,
      kind: progress.kind,
      name: progress.name,
      state: progress.state,
      sections: progress.sections,
      changedAt: meta.at,
      changedBy: meta.actor,
      revision,
      position,
    };
  },
});
