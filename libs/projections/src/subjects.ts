/** How everything that events speak of is called, the removed included: history keeps its names. */
import { runLabel, streamParts, type LoggedEvent } from '@quarterdeck/events';
import { defineProjection } from './define-projection';

export interface SubjectView {
  workspace: string;
  category: string;
  subjectId: string;
  name: string;
  removed: boolean;
}

const nameOf = (event: LoggedEvent): string | undefined => {
  switch (event.type) {
    case 'ServerRegistered':
    case 'ServerRenamed':
    case 'ServerRemoved':
    case 'ServerRestored':
      return event.data.alias;
    case 'WorkspaceCreated':
      return event.data.name;
    case 'ScriptAdded':
    case 'ScriptRenamed':
    case 'ScriptRemoved':
    case 'ScriptRestored':
      return event.data.name;
    case 'DomainAdded':
    case 'DomainRenamed':
    case 'DomainRemoved':
    case 'DomainRestored':
      return event.data.serverName;
    case 'DnsRecordRequested':
    case 'DnsRecordAdded':
    case 'DnsRecordFailed':
      return event.data.name;
    case 'DeployRequested':
    case 'DeploySucceeded':
    case 'DeployFailed':
    case 'DeployLogRemoved':
      return event.data.slug;
    case 'AlertRaised':
      return event.data.subject.name;
    case 'RunRequested':
      return `${runLabel(event.data.kind, event.data.input)} on ${event.data.subject.name}`;
    default:
      return undefined;
  }
};

const gone = new Set<LoggedEvent['type']>([
  'ServerRemoved',
  'ScriptRemoved',
  'DomainRemoved',
  'DeployLogRemoved',
]);

const back = new Set<LoggedEvent['type']>(['ServerRestored', 'ScriptRestored', 'DomainRestored']);

export const subjects = defineProjection<SubjectView>({
  name: 'subjects',
  version: 7,
  columns: { category: 'text', subjectId: 'text', name: 'text' },
  // One index for a name among those of a kind: a name of many of one kind and none of another is found out at once.
  indexes: ['(workspace, "subjectId")', 'using gin (name gin_trgm_ops, workspace, category)'],
  keys: (event) => (nameOf(event) === undefined ? [] : [event.stream]),
  evolve: (view, event) => {
    const name = nameOf(event);
    if (name === undefined) return view;
    const { category, id } = streamParts(event.stream);
    const { workspace } = event.meta;
    // A deploy may have its end after its entry was taken out of the log.
    const removed = gone.has(event.type) || (view?.removed === true && !back.has(event.type));
    return { workspace, category, subjectId: id, name, removed };
  },
});
