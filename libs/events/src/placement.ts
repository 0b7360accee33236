/**
 * What each event means to those who watch: which read models it makes stale, who may be told of it, and how it reads.
 * Complete by type: a new event does not compile until it has its line here. Free of schemas, since the browser
 * loads it first.
 */
import type { EventType } from './catalogue';
import {
  alert,
  credential,
  deploy,
  domain,
  installation,
  person,
  run,
  runOnServer,
  script,
  server,
  workspace,
  type Placement,
} from './placement-kinds';
import {
  addressesOf,
  credentialNames,
  day,
  days,
  inDays,
  invited,
  list,
  ofOthers,
  pathOf,
  readModelsOf,
  seconds,
} from './placement-words';
import { anyStepLabel, runLabel } from './run-words';
import { providerNames } from './sign-in';

export type { Placement, ReadModel } from './placement-kinds';

export const placement: { [T in EventType]: Placement<T> } = {
  WorkspaceCreated: { ...workspace, says: (d) => `created workspace ${d.name}` },
  HealthChecksConfigured: {
    ...workspace,
    says: (d) =>
      `set health checks to every ${d.everySeconds} s, unreachable after ${d.failures} of ${d.outOf} failed`,
  },
  DnsConfigured: {
    ...workspace,
    says: (d) =>
      `set DNS to ${d.resolvers.length === 0 ? 'the resolvers of the installation' : list(d.resolvers)}${d.provider ? `, records of ${d.provider.zone} by ${d.provider.kind}` : ''}`,
  },
  SslMonitorConfigured: {
    ...workspace,
    says: (d) =>
      `set the SSL monitor to ${d.schedule === undefined ? 'run when asked' : `run at ${d.schedule}`}, ${d.checkPauseMs} ms between checks, ${d.renewPauseMs} ms between renewals${d.onlyExpired ? ', renewing only what has expired' : ''}`,
  },
  AlertsConfigured: {
    ...workspace,
    says: (d) => `set alerts to ${days(d.thresholds)}${d.webhook ? `, told to ${d.webhook.url}` : ''}`,
  },
  ContainerFlowConfigured: {
    ...workspace,
    says: (d) =>
      d.server ? 'chose the server that containers go to' : 'let the server of containers be asked for',
  },
  RetentionConfigured: {
    ...workspace,
    says: (d) =>
      d.runOutputDays === undefined
        ? 'set the output of runs to be kept'
        : `set the output of runs to be removed after ${inDays(d.runOutputDays)}`,
  },
  PersonJoined: { ...person, says: (d) => `joined as ${d.role}` },
  PersonRoleChanged: { ...person, says: (d) => `became ${d.role}` },
  SignInLinkIssued: { stale: [], audience: 'admin', says: () => 'was given a one-time sign-in link' },
  PersonSignedIn: { ...person, says: (d) => `signed in by ${d.via}` },
  PersonSignedOut: { ...person, says: (d) => `signed out${ofOthers(d.sessions)}` },
  PersonRenamed: { ...person, says: () => 'changed their name' },
  AccountConnected: { ...person, says: (d) => `connected a ${providerNames[d.provider]} account` },
  AccountDisconnected: { ...person, says: (d) => `disconnected the ${providerNames[d.provider]} account` },
  PersonRemoved: { ...person, says: () => 'was removed from the workspace' },
  PersonForgotten: { ...person, says: () => 'was forgotten: name and e-mail are gone' },
  InvitationIssued: {
    ...person,
    says: (d) => `invited a new ${d.role} by ${invited[d.via]}, until ${day(d.expiresAt)}`,
  },
  InvitationWithdrawn: { ...person, says: () => 'withdrew the invitation' },
  InvitationAccepted: { ...person, says: () => 'accepted the invitation' },
  ServerRegistered: {
    ...server,
    says: (d) => `registered ${d.alias} at ${d.username}@${d.host}:${d.port}`,
  },
  ServerRenamed: { ...server, says: (d) => `renamed to ${d.alias}` },
  ServerMoved: {
    ...server,
    says: (d) => `moved to ${d.username}@${d.host}:${d.port}`,
  },
  ServerPathsChanged: {
    ...server,
    says: (d) => `changed paths to ${d.root}, ${d.path}, ${d.nginxPath}`,
  },
  ServerKeyReplaced: {
    ...server,
    says: (d) => `replaced the private key by ${d.key.fingerprint}`,
  },
  ServerKeyDownloaded: {
    ...server,
    says: (d) => `downloaded the private key ${d.fingerprint}`,
  },
  ServerHostKeyPinned: {
    ...server,
    says: (d) => `pinned the host key ${d.fingerprint}`,
  },
  ServerHostKeyRefused: {
    ...server,
    says: (d) => `refused the changed host key ${d.got.fingerprint}, expected ${d.expected.fingerprint}`,
  },
  ServerHostKeyReturned: {
    ...server,
    says: (d) => `saw the host key ${d.fingerprint} again, after ${d.refused.fingerprint} was refused`,
  },
  ServerHostKeyAccepted: {
    ...server,
    says: (d) => `accepted the host key ${d.fingerprint}`,
  },
  ServerInitialized: {
    ...server,
    says: (d) =>
      `initialized on ${d.facts.os}: ${d.changed.length === 0 ? 'nothing had to be changed' : d.changed.join(', ')}`,
  },
  DockerInstalled: {
    ...server,
    says: (d) =>
      `${d.changed.length === 0 ? 'found' : 'installed'} Docker ${d.engine}${d.compose ? ` with compose ${d.compose}` : ''}${d.changed.length === 0 ? ', which was there already' : ''}`,
  },
  ServerHealthChanged: {
    ...server,
    says: (d) =>
      d.to === 'reachable' ? 'found it reachable' : `found it unreachable: ${d.reason ?? 'no answer'}`,
  },
  ServerRemoved: { ...server, says: (d) => `removed ${d.alias}` },
  ServerRestored: {
    ...server,
    says: (d) => `put ${d.alias} back, with the private key ${d.key.fingerprint}`,
  },
  ScriptAdded: { ...script, says: (d) => `added ${d.name}` },
  ScriptRevised: { ...script, says: () => 'revised' },
  ScriptRenamed: { ...script, says: (d) => `renamed to ${d.name}` },
  ScriptRemoved: { ...script, says: (d) => `removed ${d.name}` },
  ScriptRestored: { ...script, says: (d) => `put ${d.name} back` },
  DomainAdded: {
    ...domain,
    says: (d) => `added ${d.serverName}, which points to ${addressesOf(d.addresses)}`,
  },
  DomainRenamed: { ...domain, says: (d) => `renamed to ${d.serverName}` },
  DomainMoved: { ...domain, says: () => 'moved to another server' },
  DomainRemoved: {
    ...domain,
    says: (d) =>
      `removed ${d.serverName}${d.kept.config ? ', its configuration stays on the server' : ''}${d.kept.certificate ? ', its certificate stays' : ''}`,
  },
  DomainRestored: { ...domain, says: (d) => `put ${d.serverName} back` },
  DomainAlertsConfigured: {
    ...domain,
    says: (d) => `set alerts to ${d.thresholds === null ? 'those of the workspace' : days(d.thresholds)}`,
  },
  LocationAdded: { ...domain, says: (d) => `added location ${pathOf(d.location)}` },
  LocationRevised: { ...domain, says: (d) => `revised location ${pathOf(d.location)}` },
  LocationRemoved: { ...domain, says: (d) => `removed location ${d.location}` },
  DnsAnswerChanged: {
    ...domain,
    says: (d) =>
      d.outcome === 'found'
        ? `found DNS ${d.pointsHere ? 'correct' : 'wrong'}: ${addressesOf(d.addresses)}`
        : d.outcome === 'none'
          ? 'found no address any more'
          : `could not look it up: ${d.reason ?? 'no answer'}`,
  },
  DnsRecordRequested: {
    ...domain,
    says: (d) =>
      `asked for the DNS record ${d.name} to ${d.address} in ${d.zone}${d.replaces ? `, in place of ${d.replaces}` : ''}`,
  },
  DnsRecordFailed: {
    ...domain,
    says: (d) => `could not add the DNS record ${d.name} to ${d.address} in ${d.zone}: ${d.reason}`,
  },
  DnsRecordAdded: {
    ...domain,
    says: (d) =>
      `added the DNS record ${d.name} to ${d.address} in ${d.zone}${d.replaced ? `, in place of ${d.replaced}` : ''}`,
  },
  SiteConfigApplied: {
    ...domain,
    says: (d) =>
      `${d.restored ? 'put an earlier configuration back' : 'applied configuration'} ${d.sha256.slice(0, 8)}${d.options.ssl ? ' with SSL' : ''}`,
  },
  SiteConfigDrifted: {
    ...domain,
    says: (d) =>
      d.found
        ? `found another configuration on the server: ${d.found.sha256.slice(0, 8)}`
        : 'found no configuration on the server any more',
  },
  SiteConfigReturned: {
    ...domain,
    says: (d) => `found configuration ${d.sha256.slice(0, 8)} on the server again`,
  },
  SiteConfigAdopted: { ...domain, says: (d) => `adopted configuration ${d.sha256.slice(0, 8)}` },
  SiteConfigRemoved: { ...domain, says: (d) => `removed configuration ${d.file}` },
  CertificateIssued: { ...domain, says: (d) => `got a certificate by ${d.issuer} until ${day(d.notAfter)}` },
  CertificateRenewed: {
    ...domain,
    says: (d) => `renewed its certificate by ${d.issuer} until ${day(d.notAfter)}`,
  },
  CertificateRefused: { ...domain, says: (d) => `got no certificate: ${d.detail}` },
  CertificateRemoved: { ...domain, says: () => 'removed its certificate' },
  CertificateServed: {
    ...domain,
    says: (d) =>
      d.served
        ? `found it serving a certificate by ${d.served.issuer} until ${day(d.served.notAfter)}${d.valid ? '' : `: ${d.reason ?? 'not valid'}`}`
        : `found it serving no certificate: ${d.reason ?? 'no answer'}`,
  },
  DeployRequested: { ...deploy, says: (d) => `asked for a deploy of ${d.slug}` },
  DeploySucceeded: { ...deploy, says: (d) => `deployed ${d.slug} ${d.version}` },
  DeployFailed: {
    ...deploy,
    says: (d) => `could not deploy ${d.slug}: ${d.reason}`,
  },
  DeployLogRemoved: {
    ...deploy,
    says: (d) => `removed the deploy log of ${d.slug}`,
  },
  AlertRaised: { ...alert, says: (d) => `raised an alert: ${d.says}` },
  AlertResolved: { ...alert, says: (d) => `resolved: ${d.reason}` },
  AlertDismissed: { ...alert, says: () => 'dismissed' },
  AlertDelivered: {
    ...alert,
    says: (d) => `delivered at attempt ${d.attempt} with status ${d.status}`,
  },
  AlertDeliveryFailed: {
    ...alert,
    says: (d) => `could not be delivered at attempt ${d.attempt}: ${d.reason}`,
  },
  CredentialStored: {
    ...credential,
    says: (d) =>
      `stored the ${credentialNames[d.key]}${d.secret.fingerprint ? ` ${d.secret.fingerprint}` : ''}`,
  },
  CredentialRemoved: { ...credential, says: (d) => `removed the ${credentialNames[d.key]}` },
  RunRequested: {
    ...runOnServer,
    says: (d) => `requested ${runLabel(d.kind, d.input)} on ${d.subject.name}`,
  },
  RunStepStarted: { ...run, says: (d) => `started ${anyStepLabel(d.step)}` },
  RunStepFinished: {
    ...run,
    says: (d) =>
      `${anyStepLabel(d.step)} ${d.outcome}${d.exitCode === undefined ? '' : ` with exit code ${d.exitCode}`} after ${seconds(d.durationMs)}`,
  },
  RunCancelRequested: { ...run, says: () => 'asked to cancel it' },
  RunRetried: { ...runOnServer, says: (d) => `retried from ${anyStepLabel(d.step)}` },
  RunSucceeded: { ...runOnServer, says: (d) => `succeeded after ${seconds(d.durationMs)}` },
  RunFailed: { ...runOnServer, says: (d) => `failed: ${d.reason}` },
  RunInterrupted: { ...runOnServer, says: (d) => `interrupted: ${d.reason}` },
  LogFounded: { ...installation, says: () => 'founded the event log' },
  LogKeysRewrapped: { ...installation, says: () => 'put the event log under a new master key' },
  ForeignEventsAcknowledged: {
    ...installation,
    says: (d) => `looked at ${d.count} events of others in the event log, up to ${d.upTo}: ${d.reason}`,
  },
  LogSealed: { ...installation, says: (d) => `sealed the log up to ${d.position}` },
  LogMoved: { ...installation, says: (d) => `closed the event log here, to go on at ${d.to}` },
  LogArrived: { ...installation, says: (d) => `went on with the event log at ${d.at}` },
  RunOutputRemoved: {
    ...run,
    says: (d) => `removed its output of ${d.bytes} bytes, which was kept for ${inDays(d.days)}`,
  },
  RunCancelled: { ...runOnServer, says: (d) => `cancelled: ${d.reason}` },
  MaintenanceRequested: { ...installation, says: (d) => `asked to ${d.kind} ${readModelsOf(d.readModel)}` },
  MaintenanceStarted: {
    ...installation,
    says: (d) => `began in ${d.process}${d.attempt > 1 ? `, attempt ${d.attempt}` : ''}`,
  },
  MaintenanceCancelRequested: { ...installation, says: () => 'asked to cancel it' },
  RebuildFinished: {
    ...installation,
    says: (d) => `rebuilt ${list(d.readModels)} from ${d.events} events in ${seconds(d.durationMs)}`,
  },
  VerificationFinished: {
    ...installation,
    says: (d) => {
      const wrong = d.compared.filter((one) => one.differing > 0 || one.problem !== undefined);
      const found =
        wrong.length === 0 ? 'as the log says' : `not right: ${list(wrong.map((w) => w.readModel))}`;
      return `verified ${list(d.compared.map((one) => one.readModel))} in ${seconds(d.durationMs)}: ${found}`;
    },
  },
  MaintenanceFailed: { ...installation, says: (d) => `failed: ${d.reason}` },
  MaintenanceCancelled: { ...installation, says: () => 'cancelled; the read models are as they were' },
  ParkedStreamRetryRequested: {
    ...installation,
    says: (d) => `asked to fold ${d.stream} into ${readModelsOf(d.readModel)} again`,
  },
};
