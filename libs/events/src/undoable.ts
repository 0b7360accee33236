/** Changes that can be undone if they turn out to be mistakes, as long as their result is still in place. */
import type { EventType } from './catalogue';

const types = [
  ...['ServerRenamed', 'ServerMoved', 'ServerPathsChanged', 'ServerRemoved'],
  ...['DomainRenamed', 'DomainMoved', 'DomainAlertsConfigured', 'DomainRemoved'],
  ...['LocationAdded', 'LocationRevised', 'LocationRemoved'],
  ...['ScriptRenamed', 'ScriptRevised', 'ScriptRemoved'],
  ...['HealthChecksConfigured', 'DnsConfigured', 'SslMonitorConfigured', 'AlertsConfigured'],
  ...['ContainerFlowConfigured', 'RetentionConfigured'],
] as const satisfies readonly EventType[];

export type UndoableType = (typeof types)[number];

const undoable: ReadonlySet<string> = new Set(types);

export const isUndoable = (type: string): type is UndoableType => undoable.has(type);
