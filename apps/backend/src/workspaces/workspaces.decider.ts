import type { EventData, EventsOf } from '@quarterdeck/events';
import type { workspaceEvents } from '@quarterdeck/events/catalogue';
import { dequal } from 'dequal/lite';
import { command, type CommandOf, type Decider } from '../platform/decider';
import { DomainError, notFound } from '../platform/errors';

type WorkspaceEvent = EventsOf<typeof workspaceEvents>;

/** Settings of a workspace. Each setting is one event that contains all of it. */
export type Setting = Exclude<WorkspaceEvent, { type: 'WorkspaceCreated' }>;
type SettingType = Setting['type'];

export class CreateWorkspace extends command('CreateWorkspace', { opens: true, idempotent: true })<{
  name: string;
}>() {}
/** `new Configure(workspace, { type: 'DnsConfigured', data }, meta)` */
export class Configure extends command('Configure', { idempotent: true })<Setting>() {}

const workspaceCommands = [CreateWorkspace, Configure];
type WorkspaceCommand = CommandOf<typeof workspaceCommands>;

export interface WorkspaceState {
  name?: string;
  /** Settings that were made. The others have their defaults. */
  settings: { [T in SettingType]?: EventData<T> };
}

const configure = ({ data: setting }: Configure, { name, settings }: WorkspaceState): Setting[] => {
  if (name === undefined) throw notFound('workspace');
  return dequal(settings[setting.type], setting.data) ? [] : [setting];
};

export const workspaceDecider: Decider<WorkspaceState, WorkspaceCommand, WorkspaceEvent> = {
  category: 'workspace',
  commands: workspaceCommands,
  initial: { settings: {} },
  decide: (given, state) => {
    if (given.type === 'Configure') return configure(given, state);
    if (state.name === undefined) return [{ type: 'WorkspaceCreated', data: { name: given.data.name } }];
    if (state.name === given.data.name) return [];
    throw new DomainError('conflict', `this workspace is called ${state.name}`);
  },
  evolve: (state, event) =>
    event.type === 'WorkspaceCreated'
      ? { ...state, name: event.data.name }
      : { ...state, settings: { ...state.settings, [event.type]: event.data } },
  // Changes of different settings do not conflict.
  clashes: (type, given) => given.type === 'Configure' && type === given.data.type,
};
