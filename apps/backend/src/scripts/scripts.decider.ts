/** Commands and events of a saved script. */
import type { EventData, EventsOf } from '@quarterdeck/events';
import type { scriptEvents } from '@quarterdeck/events/catalogue';
import { command, type CommandOf, type Decider } from '../platform/decider';
import { DomainError, invalidField, NameNotClaimed, notFound } from '../platform/errors';

export type ScriptEvent = EventsOf<typeof scriptEvents>;
export type ScriptFields = EventData<'ScriptAdded'>;
/** The content of one version. */
export type ScriptContent = EventData<'ScriptRevised'>;

/** The newest version. Earlier ones are only in the stream. */
export type SavedScript = ScriptFields & { is: 'saved'; version: number };
/** `was`: the state before the removal. */
export type ScriptState = { is: 'unknown' } | { is: 'removed'; was: SavedScript } | SavedScript;

export class AddScript extends command('AddScript', { opens: true, idempotent: true })<ScriptFields>() {}
/** `nameClaimed`: the script holds the claim to its new name. */
export class EditScript extends command('EditScript', { idempotent: true })<
  ScriptFields & { nameClaimed?: true }
>() {}
/** `name`: typed by the operator as confirmation. */
export class RemoveScript extends command('RemoveScript')<{ name?: string | undefined }>() {}

/** Restores the script as it was when it was removed. Its name has to be reserved for it. */
export class RestoreScript extends command('RestoreScript', { idempotent: true })<object>() {}

const scriptCommands = [AddScript, EditScript, RemoveScript, RestoreScript];
export type ScriptCommand = CommandOf<typeof scriptCommands>;

/** Only the fields that a version consists of. */
export const contentOf = ({ body, changes, timeoutSeconds }: ScriptFields): ScriptContent => ({
  body,
  changes,
  timeoutSeconds,
});

const sameContent = (a: ScriptFields, b: ScriptFields): boolean =>
  a.body === b.body && a.changes === b.changes && a.timeoutSeconds === b.timeoutSeconds;

const add = ({ data }: AddScript, state: ScriptState): ScriptEvent[] => {
  if (state.is === 'unknown') return [{ type: 'ScriptAdded', data: { name: data.name, ...contentOf(data) } }];
  if (state.is === 'saved' && state.name === data.name && sameContent(state, data)) return [];
  throw new DomainError('conflict', 'script already exists');
};

const edit = ({ data }: EditScript, script: SavedScript): ScriptEvent[] => {
  if (data.name !== script.name && !data.nameClaimed) throw new NameNotClaimed('script', data.name);
  const events: ScriptEvent[] = [];
  if (data.name !== script.name) events.push({ type: 'ScriptRenamed', data: { name: data.name } });
  if (!sameContent(data, script)) events.push({ type: 'ScriptRevised', data: contentOf(data) });
  return events;
};

const remove = ({ data }: RemoveScript, script: SavedScript): ScriptEvent[] => {
  if (data.name !== undefined && data.name !== script.name)
    throw invalidField('name', 'this is not the name of the script');
  return [{ type: 'ScriptRemoved', data: { name: script.name } }];
};

const restore = (state: ScriptState): ScriptEvent[] => {
  if (state.is === 'saved') return [];
  if (state.is === 'unknown') throw notFound('script');
  return [{ type: 'ScriptRestored', data: { name: state.was.name } }];
};

const decide = (given: ScriptCommand, state: ScriptState): readonly ScriptEvent[] => {
  if (given.type === 'AddScript') return add(given, state);
  if (given.type === 'RestoreScript') return restore(state);
  if (state.is !== 'saved') throw notFound('script');
  return given.type === 'EditScript' ? edit(given, state) : remove(given, state);
};

const evolve = (state: ScriptState, event: ScriptEvent): ScriptState => {
  if (event.type === 'ScriptAdded') return { is: 'saved', version: 1, ...event.data };
  if (event.type === 'ScriptRestored') return state.is === 'removed' ? state.was : state;
  if (state.is !== 'saved') return state;
  switch (event.type) {
    case 'ScriptRenamed':
      return { ...state, ...event.data };
    case 'ScriptRevised':
      return { ...state, ...event.data, version: state.version + 1 };
    case 'ScriptRemoved':
      return { is: 'removed', was: state };
  }
};

export const scriptsDecider: Decider<ScriptState, ScriptCommand, ScriptEvent> = {
  category: 'script',
  commands: scriptCommands,
  initial: { is: 'unknown' },
  decide,
  evolve,
};

/** The content of one version from the script's events, even after later revisions or its removal. */
export const contentOfVersion = (
  events: readonly ScriptEvent[],
  version: number,
): ScriptContent | undefined => {
  const versions = events.flatMap((event) =>
    event.type === 'ScriptAdded' || event.type === 'ScriptRevised' ? [event.data] : [],
  );
  const found = versions[version - 1];
  if (!found) return undefined;
  const { body, changes, timeoutSeconds } = found;
  return { body, changes, timeoutSeconds };
};
