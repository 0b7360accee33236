/**
 * Runs that issue, renew and remove the certificate of a domain, using certbot on its server. The authority's proof is
 * in a folder that our own configuration serves. So a site goes live over HTTP first, and over TLS once there is a
 * certificate.
 */
import { nameOnDisk } from '@quarterdeck/events';
import {
  IssueCertificate,
  RecordLeftRemoval,
  RecordWastedOrder,
  RefuseCertificate,
  RemoveCertificate,
  RemoveDomain,
  type LeftOnServer,
} from '../domains';
import type { RemoteStep, RunContext, RunKind, RunRequest } from '../runs';
import { acmeWebroot, applySteps, minutes, removeStep, serverOf, siteInputOf } from '../webserver';
import { certbotExit } from './certbot-scripts/certbot-exit';
import {
  asWords,
  certificateScript,
  issueScript,
  readRefusal,
  removeCertificateScript,
  renewScript,
} from './certbot-scripts/issue';
import { dnsFinishScript } from './certbot-scripts/dns-order';
import { checkScript } from './certbot-scripts/lineage';
import { preflightScript } from './certbot-scripts/preflight';
import { refusalIn, reportedFacts, wastedIn } from './certificate-facts-of';
import {
  adoptsNow,
  certificateInputOf,
  firstOf,
  hasFirst,
  isAdopted,
  keepsSite,
  knownOf,
  lineageNameOf,
  namesOf,
  provesInDns,
} from './certificate-input';
import {
  allowed,
  checkServed,
  lookServed,
  preflight,
  recordCertificate,
  type CertificateDeps,
} from './certificate-steps';
import { beginOrder, proveInDns, removeProof, stopOrder, unproved } from './dns-proof-steps';

/** What certbot has under the name may be somebody else's, or damaged: then the scripts do nothing and say so. */
const explainLineage: NonNullable<RemoteStep['explain']> = (_context, { exitCode, report }) => {
  const code = { [certbotExit.theirs]: 'theirs', [certbotExit.broken]: 'brokenLineage' }[exitCode];
  const { wrong } = report;
  if (code === undefined || wrong === undefined) return undefined;
  const wayOut =
    code === 'theirs'
      ? 'Choose under Certificate whether to adopt it, or to issue another one beside it.'
      : 'Repair or move that folder, or choose under Certificate to issue another one beside it.';
  return { code, reason: `${wrong} Nothing was ordered. ${wayOut}` };
};

/** Before anything changes. The order looks again. */
const lineage: RemoteStep = {
  name: 'lineage',
  on: 'server',
  script: ({ request }) => {
    const input = certificateInputOf(request);
    return checkScript({
      certificate: lineageNameOf(input),
      known: asWords(knownOf(input)),
      expected: input.lineage?.adopted ? 'adopt' : 'own',
    });
  },
  explain: explainLineage,
  privileged: true,
  timeoutMs: minutes(6),
  repeatable: true,
};

/** Checks on the server whether the authority would find the proof. An adopted certificate has ways of its own. */
const webroot: RemoteStep = {
  name: 'webroot',
  on: 'server',
  when: (context) => !isAdopted(context) && !provesInDns(context),
  script: (context) => {
    const names = namesOf(certificateInputOf(context.request));
    const folder = acmeWebroot(serverOf(context).path);
    return preflightScript(names, folder, 'check', `quarterdeck-${context.run}`);
  },
  privileged: true,
  timeoutMs: minutes(1),
  repeatable: true,
};

const explainProof: NonNullable<RemoteStep['explain']> = (context, { exitCode, report }) => {
  if (exitCode === certbotExit.unproved) return unproved(context);
  const { detail } = report;
  return exitCode === certbotExit.gone && detail !== undefined
    ? { code: 'notWaiting', reason: `No certificate: ${detail} Order it again.` }
    : undefined;
};

const certbot = ({ budgets }: CertificateDeps): RemoteStep => ({
  name: 'certbot',
  on: 'server',
  retriesFrom: 'order',
  script: async (context, { workspace }) => {
    const input = certificateInputOf(context.request);
    const { serverName, directoryUrl, force, newAccount = false } = input;
    const certificate = lineageNameOf(input);
    const [names, known] = [namesOf(input), knownOf(input)];
    if (adoptsNow(context)) return certificateScript({ certificate, known: asWords(known) });
    if (provesInDns(context))
      return dnsFinishScript({ certificate, verdict: unproved(context)?.reason ?? 'go' });
    // A retried run starts here, and the authority counts the retry too.
    await allowed(budgets, input, workspace);
    if (isAdopted(context)) return renewScript({ serverName, known, lineage: certificate, force });
    const folder = acmeWebroot(serverOf(context).path);
    const order = { serverName, names, known, lineage: certificate, webroot: folder };
    return issueScript({ ...order, directoryUrl, force, newAccount });
  },
  explain: (context, end) => {
    const looked = explainLineage(context, end) ?? explainProof(context, end);
    const refusal = readRefusal(end.report, new Date(0));
    if (looked || !refusal) return looked;
    const { problem, detail } = refusal;
    if (problem === 'accountDoesNotExist')
      return {
        code: problem,
        reason: `The authority no longer knows the account of this server: ${detail} Register a new one under Certificate.`,
      };
    return { code: problem, reason: `No certificate (${problem}): ${detail}` };
  },
  onSuccess: ({ request }, report, meta) => {
    try {
      const facts = reportedFacts(report, certificateInputOf(request));
      return new IssueCertificate(request.subject.id, facts, meta);
    } catch {
      // The certificate cannot be read. The next step reports that.
      return undefined;
    }
  },
  privileged: true,
  timeoutMs: minutes(15),
  // An automatic repetition would count twice at the authority.
  repeatable: false,
});

const putsSite = (context: RunContext): boolean => !keepsSite(context);

const certificateKind = (kind: string, deps: CertificateDeps): RunKind => ({
  kind,
  changes: true,
  steps: [
    preflight(deps),
    lineage,

    // A site over HTTP if none is live, so that the proof can be found.
    ...applySteps({ names: { folders: 'folders', apply: 'apply' }, of: firstOf, when: hasFirst }),
    webroot,

    beginOrder(deps, explainLineage),
    proveInDns(deps),
    certbot(deps),
    recordCertificate(deps),
    removeProof(deps),

    // The site over TLS, with the certificate.
    ...applySteps({ names: { folders: 'folders2', apply: 'install' }, when: putsSite }),
    checkServed(deps),
    stopOrder,
  ],
  onFailure: ({ request }, { step, report }, meta) => {
    if (step !== 'certbot' && step !== 'order') return undefined;
    const names = namesOf(certificateInputOf(request));
    const refusal = refusalIn(report, names, new Date(meta.at));
    if (refusal) return new RefuseCertificate(request.subject.id, refusal, meta);
    const wasted = wastedIn(report, names);
    return wasted && new RecordWastedOrder(request.subject.id, wasted, meta);
  },
  onCancel: ({ request }, { step, report }, meta) => {
    if (step !== 'certbot' && step !== 'order' && step !== stopOrder.name) return undefined;
    const names = namesOf(certificateInputOf(request));
    const detail = 'The order was cancelled after the authority had taken it.';
    const wasted = wastedIn({ ...report, detail }, names);
    return wasted && new RecordWastedOrder(request.subject.id, wasted, meta);
  },
});

export const issueCertificate = (deps: CertificateDeps): RunKind => certificateKind('issueCertificate', deps);
export const renewCertificate = (deps: CertificateDeps): RunKind => certificateKind('renewCertificate', deps);

/** Input of what removes a certificate. */
export interface Taken {
  serverName: string;
  /** certbot's name for it. Default: the domain's. */
  lineage?: string;
  /** Names that the console's certificate may have. Default: the domain's. */
  known?: string[];
  /** What becomes of a certificate that the console did not make. Default: the run fails. */
  theirs?: 'delete' | 'leave';
}

const takeAway = (
  when: (context: RunContext) => boolean,
  onSuccess: RemoteStep['onSuccess'] = ({ request }, _report, meta) =>
    new RemoveCertificate(request.subject.id, {}, meta),
): RemoteStep => ({
  name: 'certbot',
  on: 'server',
  when,
  script: (context) => {
    const {
      serverName,
      lineage = nameOnDisk(serverName),
      known,
      theirs,
    } = context.request.input as unknown as Taken;
    return removeCertificateScript(serverName, serverOf(context).nginxPath, {
      lineage,
      known,
      ...(theirs && { theirs }),
    });
  },
  explain: (_context, { exitCode, report }) => {
    if (exitCode === certbotExit.inUse)
      return {
        code: 'inUse',
        reason: `The certificate is in use by ${report['usedBy'] ?? 'a site'}: nginx would not start without it.`,
      };
    const code = { [certbotExit.theirs]: 'theirs', [certbotExit.broken]: 'brokenLineage' }[exitCode];
    const { wrong } = report;
    return code === undefined || wrong === undefined
      ? undefined
      : { code, reason: `${wrong} Nothing was removed. Leave it there, or remove it by hand.` };
  },
  onSuccess,
  privileged: true,
  timeoutMs: minutes(5),
  repeatable: true,
});

const usesTls = ({ request }: RunContext): boolean => siteInputOf(request).text !== undefined;

/** The site returns to plain HTTP before its certificate is removed. */
export const removeCertificate = (deps: CertificateDeps): RunKind => ({
  kind: 'removeCertificate',
  changes: true,
  steps: [...applySteps({ when: usesTls }), takeAway(() => true), lookServed(deps)],
});

/** What to remove: it exists and is not to be kept. */
export interface Removal extends Taken {
  keep: LeftOnServer;
  /** What exists. If nothing of it exists, even certbot may be missing. */
  has: LeftOnServer;
}
const removalOf = ({ input }: RunRequest): Removal => input as unknown as Removal;
const goes =
  (what: keyof LeftOnServer) =>
  ({ request }: RunContext): boolean => {
    const { keep, has } = removalOf(request);
    return has[what] && !keep[what];
  };

/** Removes what a domain has on its server, unless it is kept, and then the domain itself. */
export const removeDomain: RunKind = {
  kind: 'removeDomain',
  changes: true,
  steps: [removeStep(goes('config')), takeAway(goes('certificate'))],
  onSuccess: ({ request }, meta) =>
    new RemoveDomain(request.subject.id, { kept: removalOf(request).keep }, meta),
};

/** The domain itself has no part in it any more, so the steps record nothing. */
const recordsNothing = (): undefined => undefined;

/** Removes what a domain left on a server under an earlier name, or on an earlier server. */
export const removeLeft: RunKind = {
  kind: 'removeLeft',
  changes: true,
  steps: [removeStep(goes('config'), recordsNothing), takeAway(goes('certificate'), recordsNothing)],
  onSuccess: ({ request }, meta) => {
    const { serverName } = removalOf(request);
    return new RecordLeftRemoval(request.subject.id, { serverName, server: request.server?.id ?? '' }, meta);
  },
};
