/** The sections of a creation: in order, one at a time, and undone in reverse. */
import { isTyped, optionalSections, sectionLabel, type EventData, type EventsOf } from '@quarterdeck/events';
import type { creationEvents } from '@quarterdeck/events/catalogue';
import { refusedClientPart } from '@quarterdeck/events/inputs';
import {
  creationAfter,
  type CreationProgress,
  type CreationSectionView,
  mayHaveMade,
  namesToType,
} from '@quarterdeck/projections';
import { command, deciderOf, type Folds } from '../platform/decider';
import { DomainError, invalidField, notFound } from '../platform/errors';
import { sameData } from '../platform/same-data';

export type CreationEvent = EventsOf<typeof creationEvents>;
export type Made = EventData<'CreationSectionDone'>['made'];
export type Secrets = NonNullable<EventData<'CreationSectionFilled'>['secrets']>;

export type CreationState =
  | { is: 'unknown' }
  | (CreationProgress & {
      is: 'known';
      /** References into the vault, by section and field. */
      secrets: Readonly<Record<string, Secrets>>;
    });
type StartedCreation = Extract<CreationState, { is: 'known' }>;

/** Ids of runs are derived from the section and the attempt, so a repeated request joins the same run. */
type RunOf = (attempt: number) => string;

const refused = (reason: string): DomainError => new DomainError('conflict', reason);

/** @param messages by field of the section; at least one */
export const refusedValues = (messages: Readonly<Record<string, string>>): DomainError => {
  const fields = Object.entries(messages).map(([field, why]) => [`values.${field}`, why] as const);
  return new DomainError('invalid', fields[0]?.[1] ?? '', Object.fromEntries(fields));
};

/** What the schema of the section cannot know, because it follows from earlier sections. */
const refuseAfter = (
  section: string,
  values: EventData<'CreationSectionFilled'>['values'],
  before: readonly CreationSectionView[],
): void => {
  const hasClient = before.some((one) => one.section === 'repository' && one.values?.['repoFront']);
  const messages = section === 'service' && hasClient ? refusedClientPart(values) : {};
  if (Object.keys(messages).length > 0) throw refusedValues(messages);
};

const ofKnown =
  <D>(rule: (data: D, state: StartedCreation) => readonly CreationEvent[]) =>
  (data: D, state: CreationState): readonly CreationEvent[] => {
    if (state.is === 'unknown') throw notFound('creation');
    return rule(data, state);
  };

const sectionIn = ({ sections }: StartedCreation, name: string): CreationSectionView => {
  const found = sections.find(({ section }) => section === name);
  if (!found) throw invalidField('section', `this creation has no section ${name}`);
  return found;
};

/** A rule about one section of a creation that goes on. */
const ofSection = <D extends { section: string }>(
  rule: (data: D, section: CreationSectionView, state: StartedCreation) => readonly CreationEvent[],
) =>
  ofKnown((data: D, state) => {
    const section = sectionIn(state, data.section);
    const mayFollow = state.state === 'finished' && optionalSections.includes(data.section);
    if (state.state !== 'open' && !mayFollow) throw refused(`this creation is ${state.state}`);
    return rule(data, section, state);
  });

const isBusy = ({ state }: CreationSectionView): boolean => state === 'running' || state === 'undoing';

export class StartCreation extends command('StartCreation', { opens: true, idempotent: true })(
  (data: EventData<'CreationStarted'>, state: CreationState): readonly CreationEvent[] => {
    if (state.is === 'unknown') return [{ type: 'CreationStarted', data }];
    if (state.kind === data.kind && state.name === data.name) return [];
    throw refused('this creation exists already');
  },
) {}

interface StartedSection {
  section: string;
  values: EventData<'CreationSectionFilled'>['values'];
  secrets: Secrets;
  runOf: RunOf;
}

export class StartSection extends command('StartSection', { idempotent: true })(
  ofSection(({ section: name, values, secrets, runOf }: StartedSection, section, { sections }) => {
    const label = sectionLabel(name);
    const before = sections.slice(0, sections.indexOf(section));
    const missing = before.find(({ state }) => state !== 'done');
    if (missing) throw refused(`${sectionLabel(missing.section)} has to be done before ${label}`);
    refuseAfter(name, values, before);
    if (section.state === 'running' && sameData(values, section.values)) return [];
    if (section.state === 'done') throw refused(`${label} is done: it can only be undone`);
    if (isBusy(section)) throw refused(`${label} is in progress`);
    if (section.made.length > 0)
      throw refused(`${label} has made ${listed(section.made)}: retry it, or undo it first`);
    if (section.state === 'failed' && mayHaveMade(section))
      throw refused(`${label} may have made something: retry it, which looks first, or undo it first`);
    const attempt = section.attempt + 1;
    const filled = { section: name, values, ...(Object.keys(secrets).length > 0 && { secrets }) };
    return [
      { type: 'CreationSectionFilled', data: filled },
      { type: 'CreationSectionStarted', data: { section: name, attempt, run: runOf(attempt) } },
    ];
  }),
) {}

/** Records that the run of a failed section goes on. */
export class ResumeSection extends command('ResumeSection', { idempotent: true })(
  ofSection(({ section: name }: { section: string }, { state, attempt, run }) =>
    state === 'failed' && run !== undefined
      ? [{ type: 'CreationSectionStarted', data: { section: name, attempt, run } }]
      : [],
  ),
) {}

interface Ended {
  section: string;
  run: string;
  made: Made;
  /** Absent: it succeeded. */
  reason?: string;
  code?: string | undefined;
}

const isOptional = (section: string): boolean => optionalSections.includes(section);

/** The end of a section's run. A retry may have ended before it was recorded. */
export class EndSection extends command('EndSection', { idempotent: true })(
  ofKnown(({ section: name, run, made, reason, code }: Ended, state) => {
    const section = sectionIn(state, name);
    const isMeant = section.run === run && (section.state === 'running' || section.state === 'failed');
    if (!isMeant) return [];
    if (reason !== undefined) {
      const failed = { section: name, run, reason, ...(code !== undefined && { code }), made };
      const { state: is, ...before } = section;
      const isKnown =
        is === 'failed' && sameData([before.reason, before.code, before.made], [reason, code, made]);
      return isKnown ? [] : [{ type: 'CreationSectionFailed', data: failed }];
    }
    const isLast =
      state.state === 'open' &&
      state.sections.every((one) => one === section || one.state === 'done' || isOptional(one.section));
    const done: CreationEvent = { type: 'CreationSectionDone', data: { section: name, run, made } };
    return isLast ? [done, { type: 'CreationFinished', data: {} }] : [done];
  }),
) {}

/** `typed`: confirms what is deleted at a provider. A finished creation can be undone, too: it is open again then. */
export class StartUndo extends command('StartUndo', { idempotent: true })(
  ofKnown(({ section: name, runOf, typed }: { section: string; runOf: RunOf; typed: string }, known) => {
    const section = sectionIn(known, name);
    const { sections } = known;
    if (known.state === 'abandoned') throw refused('this creation is abandoned');
    const label = sectionLabel(name);
    if (section.state === 'undoing') return [];
    if (section.state !== 'done' && section.state !== 'failed')
      throw refused(section.state === 'running' ? `${label} is in progress` : `${label} has made nothing`);
    const later = sections
      .slice(sections.indexOf(section) + 1)
      .find((one) => one.state !== 'idle' && (one.state !== 'failed' || mayHaveMade(one)));
    if (later) throw refused(`${sectionLabel(later.section)} comes after ${label}: undo it first`);
    for (const of of namesToType(section))
      if (!isTyped(of, typed))
        throw invalidField('name', `type ${of} to confirm: its content is deleted at the provider`);
    const attempt = section.undos + 1;
    return [{ type: 'CreationSectionUndoStarted', data: { section: name, attempt, run: runOf(attempt) } }];
  }),
) {}

/** `made`: what could not be removed. The run of an undo that failed may have been retried by itself. */
export class EndUndo extends command('EndUndo', { idempotent: true })(
  ofKnown(({ section: name, run, made, reason }: Ended, state) => {
    const section = sectionIn(state, name);
    const isMeant = section.state === 'undoing' || section.state === 'failed';
    if (section.undoRun !== run || !isMeant) return [];
    if (section.state === 'failed' && section.reason === reason && sameData(section.made, made)) return [];
    return reason === undefined
      ? [{ type: 'CreationSectionUndone', data: { section: name, run } }]
      : [{ type: 'CreationSectionFailed', data: { section: name, run, reason, made } }];
  }),
) {}

export class AbandonCreation extends command('AbandonCreation', { idempotent: true })(
  ofKnown((_: object, { state, sections }) => {
    if (state === 'abandoned') return [];
    if (state === 'finished') throw refused('this creation is finished');
    const busy = sections.find(isBusy);
    if (busy) throw refused(`${sectionLabel(busy.section)} is in progress: cancel its run first`);
    return [{ type: 'CreationAbandoned', data: {} }];
  }),
) {}

const listed = (made: Made): string => made.map(({ kind, name }) => `${kind} ${name}`).join(', ');

const evolved = (type: CreationEvent['type']) => (state: CreationState, data: object) => {
  const event = { type, data } as CreationEvent;
  const progress = creationAfter(state.is === 'known' ? state : undefined, event);
  if (!progress) return state;
  const known = state.is === 'known' ? state.secrets : {};
  const secrets =
    event.type === 'CreationSectionFilled'
      ? { ...known, [event.data.section]: event.data.secrets ?? {} }
      : known;
  return { is: 'known' as const, ...progress, secrets };
};

const types = [
  'CreationStarted',
  'CreationSectionFilled',
  'CreationSectionStarted',
  'CreationSectionDone',
  'CreationSectionFailed',
  'CreationSectionUndoStarted',
  'CreationSectionUndone',
  'CreationFinished',
  'CreationAbandoned',
] as const satisfies readonly CreationEvent['type'][];

export const creationsDecider = deciderOf<CreationState, CreationEvent>()({
  category: 'creation',
  initial: { is: 'unknown' },
  commands: [StartCreation, StartSection, ResumeSection, EndSection, StartUndo, EndUndo, AbandonCreation],
  evolve: Object.fromEntries(types.map((type) => [type, evolved(type)])) as Folds<
    CreationState,
    CreationEvent
  >,
});
