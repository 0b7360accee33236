/**
 * What each event means to those who watch: which read models it makes stale, who may be told of it, and how it reads.
 * Complete by type: a new event does not compile until it has its line here. Free of schemas, since the browser
 * loads it first.
 */
import type { EventData, EventType } from './catalogue';
import { anyStepLabel, runLabel } from './run-words';
import type { Role } from './people.events';

/** A read model that screens show. Every event also makes `history` stale, which therefore needs no mention. */
export type ReadModel = 'servers' | 'scripts' | 'runs' | 'history' | 'people' | 'workspaces';

export interface Placement<T extends EventType> {
  stale: readonly Exclude<ReadModel, 'history'>[];
  /** The least role that is told. */
  audience: Role;
  /** The event in words, without actor and subject: "registered as web-1". */
  says: (data: EventData<T>) => string;
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(ms < 10_000 ? 2 : 0)} s`;

export const placement: { [T in EventType]: Placement<T> } = {
  WorkspaceCreated: { stale: ['workspaces'], audience: 'admin', says: (d) => `created workspace ${d.name}` },
  HealthChecksConfigured: {
    stale: ['workspaces'],
    audience: 'admin',
    says: (d) =>
      `set health checks to every ${d.everySeconds} s, unreachable after ${d.failures} of ${d.outOf} failed`,
  },
  PersonJoined: { stale: ['people'], audience: 'admin', says: (d) => `joined as ${d.role}` },
  PersonRoleChanged: { stale: ['people'], audience: 'admin', says: (d) => `became ${d.role}` },
  SignInLinkIssued: { stale: [], audience: 'admin', says: () => 'was given a one-time sign-in link' },
  PersonSignedIn: { stale: ['people'], audience: 'admin', says: (d) => `signed in by ${d.via}` },
  PersonSignedOut: { stale: [], audience: 'admin', says: () => 'signed out' },
  ServerRegistered: {
    stale: ['servers'],
    audience: 'admin',
    says: (d) => `registered ${d.alias} at ${d.username}@${d.host}:${d.port}`,
  },
  ServerRenamed: { stale: ['servers'], audience: 'admin', says: (d) => `renamed to ${d.alias}` },
  ServerMoved: {
    stale: ['servers'],
    audience: 'admin',
    says: (d) => `moved to ${d.username}@${d.host}:${d.port}`,
  },
  ServerPathsChanged: {
    stale: ['servers'],
    audience: 'admin',
    says: (d) => `changed paths to ${d.root}, ${d.path}, ${d.nginxPath}`,
  },
  ServerKeyReplaced: {
    stale: ['servers'],
    audience: 'admin',
    says: (d) => `replaced the private key by ${d.key.fingerprint}`,
  },
  ServerKeyDownloaded: {
    stale: ['servers'],
    audience: 'admin',
    says: (d) => `downloaded the private key ${d.fingerprint}`,
  },
  ServerHostKeyPinned: {
    stale: ['servers'],
    audience: 'admin',
    says: (d) => `pinned the host key ${d.fingerprint}`,
  },
  ServerHostKeyRefused: {
    stale: ['servers'],
    audience: 'admin',
    says: (d) => `refused the changed host key ${d.got.fingerprint}, expected ${d.expected.fingerprint}`,
  },
  ServerHostKeyAccepted: {
    stale: ['servers'],
    audience: 'admin',
    says: (d) => `accepted the host key ${d.fingerprint}`,
  },
  ServerInitialized: {
    stale: ['servers'],
    audience: 'admin',
    says: (d) =>
      `initialized on ${d.facts.os}: ${d.changed.length === 0 ? 'nothing had to be changed' : d.changed.join(', ')}`,
  },
  DockerInstalled: {
    stale: ['servers'],
    audience: 'admin',
    says: (d) =>
      `has Docker ${d.engine}${d.compose ? ` with compose ${d.compose}` : ''}${d.changed.length === 0 ? ', which was there already' : ''}`,
  },
  ServerHealthChanged: {
    stale: ['servers'],
    audience: 'admin',
    says: (d) => (d.to === 'reachable' ? 'can be reached' : `cannot be reached: ${d.reason ?? 'no answer'}`),
  },
  ServerRemoved: { stale: ['servers'], audience: 'admin', says: (d) => `removed ${d.alias}` },
  ScriptAdded: { stale: ['scripts'], audience: 'admin', says: (d) => `added ${d.name}` },
  ScriptRevised: { stale: ['scripts'], audience: 'admin', says: () => 'revised' },
  ScriptRenamed: { stale: ['scripts'], audience: 'admin', says: (d) => `renamed to ${d.name}` },
  ScriptRemoved: { stale: ['scripts'], audience: 'admin', says: (d) => `removed ${d.name}` },
  RunRequested: {
    stale: ['runs', 'servers'],
    audience: 'admin',
    says: (d) => `requested ${runLabel(d.kind, d.input)} on ${d.subject.name}`,
  },
  RunStepStarted: { stale: ['runs'], audience: 'admin', says: (d) => `started ${anyStepLabel(d.step)}` },
  RunStepFinished: {
    stale: ['runs'],
    audience: 'admin',
    says: (d) =>
      `${anyStepLabel(d.step)} ${d.outcome}${d.exitCode === undefined ? '' : ` with exit code ${d.exitCode}`} after ${seconds(d.durationMs)}`,
  },
  RunCancelRequested: { stale: ['runs'], audience: 'admin', says: () => 'asked to be cancelled' },
  RunRetried: {
    stale: ['runs', 'servers'],
    audience: 'admin',
    says: (d) => `retried from ${anyStepLabel(d.step)}`,
  },
  RunSucceeded: {
    stale: ['runs', 'servers'],
    audience: 'admin',
    says: (d) => `succeeded after ${seconds(d.durationMs)}`,
  },
  RunFailed: { stale: ['runs', 'servers'], audience: 'admin', says: (d) => `failed: ${d.reason}` },
  RunInterrupted: { stale: ['runs', 'servers'], audience: 'admin', says: (d) => `interrupted: ${d.reason}` },
  LogSealed: { stale: [], audience: 'superadmin', says: (d) => `sealed the log up to ${d.position}` },
  RunCancelled: { stale: ['runs', 'servers'], audience: 'admin', says: (d) => `cancelled: ${d.reason}` },
};
