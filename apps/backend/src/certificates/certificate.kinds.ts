/**
 * Runs that issue, renew and remove the certificate of a domain, using certbot on its server. The authority's proof is
 * in a folder that our own configuration serves. So a site goes live over HTTP first, and over TLS once there is a
 * certificate.
 */
import {
  IssueCertificate,
  RecordLeftRemoval,
  RefuseCertificate,
  RemoveCertificate,
  RemoveDomain,
  type Kept,
} from '../domains';
import type { RemoteStep, RunContext, RunKind, RunRequest } from '../runs';
import { acmeWebroot, applySteps, minutes, removeStep, serverOf, siteInputOf } from '../webserver';
import { certbotExit } from './certbot-scripts/certbot-prelude';
import {
  issueArguments,
  issueScript,
  readRefusal,
  removeCertificateArguments,
  removeCertificateScript,
} from './certbot-scripts/issue';
import { preflightArguments, preflightScript } from './certbot-scripts/preflight';
import { refusalIn, reportedFacts } from './certificate-facts-of';
import { certificateInputOf, firstOf, hasFirst, keepsSite } from './certificate-input';
import {
  allowed,
  checkServed,
  lookServed,
  preflight,
  recordCertificate,
  type CertificateMeans,
} from './certificate-steps';

/** Checks on the server whether the authority would find the proof. */
const webroot: RemoteStep = {
  name: 'webroot',
  on: 'server',
  script: preflightScript,
  args: (context) => {
    const { serverName } = certificateInputOf(context.request);
    const folder = acmeWebroot(serverOf(context).path);
    return preflightArguments(serverName, folder, 'check', `quarterdeck-${context.run}`);
  },
  privileged: true,
  timeoutMs: minutes(1),
  repeatable: true,
};

const certbot = ({ budgets }: CertificateMeans): RemoteStep => ({
  name: 'certbot',
  on: 'server',
  script: issueScript,
  args: async (context, { workspace }) => {
    const { serverName, directoryUrl, force } = certificateInputOf(context.request);
    // A retried run starts here, and the authority counts the retry too.
    await allowed(budgets, serverName, workspace);
    const folder = acmeWebroot(serverOf(context).path);
    return issueArguments({ serverName, webroot: folder, directoryUrl, force });
  },
  explain: (_context, { report }) => {
    const refusal = readRefusal(report, new Date(0));
    if (!refusal) return undefined;
    const { problem, detail } = refusal;
    return { code: problem, reason: `No certificate (${problem}): ${detail}` };
  },
  onSuccess: ({ request }, report, meta) => {
    try {
      return new IssueCertificate(request.subject.id, reportedFacts(report), meta);
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

const certificateKind = (kind: string, means: CertificateMeans): RunKind => ({
  kind,
  changes: true,
  steps: [
    preflight(means),

    // A site over HTTP if none is live, so that the proof can be found.
    ...applySteps({ names: { folders: 'folders', apply: 'apply' }, of: firstOf, when: hasFirst }),
    webroot,

    certbot(means),
    recordCertificate(means),

    // The site over TLS, with the certificate.
    ...applySteps({ names: { folders: 'folders2', apply: 'install' }, when: putsSite }),
    checkServed(means),
  ],
  onFailure: ({ request }, { step, report }, meta) => {
    const { serverName } = certificateInputOf(request);
    const refusal = step === 'certbot' ? refusalIn(report, serverName, new Date(meta.at)) : undefined;
    return refusal && new RefuseCertificate(request.subject.id, refusal, meta);
  },
});

export const issueCertificate = (means: CertificateMeans): RunKind =>
  certificateKind('issueCertificate', means);
export const renewCertificate = (means: CertificateMeans): RunKind =>
  certificateKind('renewCertificate', means);

const takeAway = (
  when: (context: RunContext) => boolean,
  onSuccess: RemoteStep['onSuccess'] = ({ request }, _report, meta) =>
    new RemoveCertificate(request.subject.id, {}, meta),
): RemoteStep => ({
  name: 'certbot',
  on: 'server',
  when,
  script: removeCertificateScript,
  args: (context) => {
    const { serverName } = siteInputOf(context.request);
    return removeCertificateArguments(serverName, serverOf(context).nginxPath);
  },
  explain: (_context, { exitCode, report }) =>
    exitCode === certbotExit.inUse
      ? {
          code: 'inUse',
          reason: `The certificate is in use by ${report['usedBy'] ?? 'a site'}: nginx would not start without it.`,
        }
      : undefined,
  onSuccess,
  privileged: true,
  timeoutMs: minutes(5),
  repeatable: true,
});

const usesTls = ({ request }: RunContext): boolean => siteInputOf(request).text !== undefined;

/** The site returns to plain HTTP before its certificate is removed. */
export const removeCertificate = (means: CertificateMeans): RunKind => ({
  kind: 'removeCertificate',
  changes: true,
  steps: [...applySteps({ when: usesTls }), takeAway(() => true), lookServed(means)],
});

/** What to remove: it exists and is not to be kept. */
export interface Removal {
  serverName: string;
  keep: Kept;
  /** What exists. If nothing of it exists, even certbot may be missing. */
  has: Kept;
}
const removalOf = ({ input }: RunRequest): Removal => input as unknown as Removal;
const goes =
  (what: keyof Kept) =>
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
