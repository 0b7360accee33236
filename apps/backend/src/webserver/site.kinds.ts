/** The runs that change what a server's nginx serves for a domain, and the one that only looks. */
import { RecordAppliedConfig, RecordFoundConfig, type RecordSiteAnswer, type SiteAnswer } from '../domains';
import { hostToAsk } from '../dns';
import { type Outbound, OutboundRefused } from '../platform/outbound';
import type { CommandMeta } from '../platform/sessions';
import { shell } from '../platform/ssh';
import {
  StepFailed,
  type LocalStep,
  type RemoteStep,
  type Report,
  type RunContext,
  type RunKind,
  type RunRequest,
} from '../runs';
import { maxBytes, putBackScript, removeScript, sha256OfText } from './apply-scripts/apply';
import proveFile from './apply-scripts/prove.sh';
import type { LiveFile } from './apply-scripts/read';
import { appliedConfig, applySteps, minutes, placeOf, removal, removeStep } from './apply-steps';
import { earlierText, siteInputOf, type SiteInput } from './site-input';
import { lookAtSite as lookOverNetwork, lookedSite } from './site-look';
import { PROOF_PATH, proofOf, siteFileName } from './site-model';
import { probeSite } from './site-probe';

export type EarlierConfig = Pick<SiteInput, 'text' | 'options'>;

/** What these runs need in addition to the server. */
export interface SiteDeps {
  outbound: Outbound;
  /** The server's current address. */
  hostOf(server: string, meta: CommandMeta): Promise<string>;
  /** An earlier configuration of a domain; undefined if none had this SHA-256. */
  earlier(domain: string, sha256: string, workspace: string): Promise<EarlierConfig | undefined>;
  /**
   * The site's file on its server, read while no run changes it: a change that a run is about to record or to restore
   * is not drift.
   * @throws SshFailure, StepFailed, UnderWay
   */
  read(request: RunRequest, meta: CommandMeta, signal: AbortSignal): Promise<LiveFile>;
  /** Records who answers for a site. */
  answered(domain: string, found: RecordSiteAnswer['data'], meta: CommandMeta): Promise<unknown>;
}

const provesItself = ({ request }: RunContext): boolean => {
  const { text, serverName } = siteInputOf(request);
  return text.includes(proofOf(serverName));
};

const proveSite = shell(proveFile, ['name', 'path', 'proof', 'file']);

/** On the server itself, which also sees what the console may not call. */
const prove: RemoteStep = {
  name: 'prove',
  on: 'server',
  when: (context) => !isWorse(context) && provesItself(context),
  script: ({ request }) => {
    const { serverName, site } = siteInputOf(request);
    return proveSite(
      {
        name: hostToAsk(serverName),
        path: PROOF_PATH,
        proof: proofOf(serverName),
        file: siteFileName(serverName),
      },
      (site?.names ?? []).map(({ name }) => hostToAsk(name)),
    );
  },
  privileged: true,
  timeoutMs: minutes(5),
  repeatable: true,
};

/** Who answers, by what was seen on the server. Undefined if nobody could ask there. */
const asProved = ({ proof, taken }: Report): SiteAnswer | undefined => {
  const of = (is: SiteAnswer['is'], says: string): SiteAnswer => ({ is, says });
  switch (proof) {
    case 'ours':
      return of('answers', 'asked on the server itself');
    case 'another':
      return of('another', `another site answers at ${taken}`);
    case 'stopped':
      return of('nginxStopped', 'nginx does not run on the server');
    case 'silent':
      return of('silent', 'nothing answers on the server itself');
    default:
      return undefined;
  }
};

/** Pure. What the server knows better than a visitor: that nginx is stopped, and which file takes the name. */
export const answerOf = (seen: SiteAnswer | undefined, proved: Report = {}): SiteAnswer | undefined => {
  const inside = asProved(proved);
  if (inside?.is === 'another' || (inside?.is === 'nginxStopped' && seen?.is !== 'answers')) return inside;
  if (seen?.is === 'another' && proved['takenInside'])
    return { ...seen, says: `${seen.says}; another site answers at ${proved['takenInside']}` };
  return seen ?? inside;
};

/** The configuration stays: it is right, and did not make it worse. */
const wrong: Partial<Record<SiteAnswer['is'], { code: string; reason: string }>> = {
  another: { code: 'anotherSite', reason: 'The configuration is applied, but another site answers for it' },
  silent: { code: 'silentSite', reason: 'The configuration is applied, but the site does not answer' },
  tlsGone: { code: 'silentSite', reason: 'The configuration is applied, but HTTPS does not answer' },
  nginxStopped: { code: 'silentSite', reason: 'The configuration is applied, but nginx is stopped' },
};

const answer = ({ outbound, hostOf, answered }: SiteDeps): LocalStep => ({
  name: 'answer',
  on: 'console',
  when: (context) => !isWorse(context),
  perform: async ({ request, reports, server }, { print, signal, meta }) => {
    const { serverName, options, text, sha256, site } = siteInputOf(request);
    const where = request.server?.id ?? '';
    const visited = lookedSite(
      { serverName, host: server?.host ?? (await hostOf(where, meta)), ssl: options.ssl },
      text,
      (site?.locations ?? []).map((location) => ({ match: 'prefix' as const, ...location })),
      (site?.names ?? []).map(({ name }) => name),
    );
    const seen = await lookOverNetwork(outbound, visited, signal).catch((error: unknown) => {
      if (!(error instanceof OutboundRefused)) throw error;
      print(`Not checked over the network: ${error.msg}.\n`);
      return undefined;
    });
    const found = answerOf(seen, reports['prove']);
    if (!found) return {};
    print(`${found.says}\n`);
    await answered(request.subject.id, { serverName, server: where, sha256, answer: found }, meta);
    const bad = wrong[found.is];
    if (bad) throw new StepFailed(bad.code, `${bad.reason}: ${found.says}.`);
    return { report: { answer: found.is, says: found.says } };
  },
  timeoutMs: minutes(2),
  repeatable: true,
});

const ask =
  ({ outbound, hostOf }: SiteDeps): LocalStep['perform'] =>
  async (context, { print, signal, meta }) => {
    const { serverName, options } = siteInputOf(context.request);
    const server = context.request.server?.id ?? '';
    try {
      const site = { serverName, host: await hostOf(server, meta), ssl: options.ssl };
      const { http, tls } = await probeSite(outbound, site, signal);
      print(`http://${serverName}/: ${http.says}\n`);
      if (tls) print(`https://${serverName}/: ${tls.says}\n`);
      return {
        report: {
          http: http.ok ? 'answers' : 'silent',
          httpSays: http.says,
          ...(tls && { tls: tls.ok ? 'answers' : 'silent', tlsSays: tls.says }),
          ...(tls?.serial && { serial: tls.serial }),
        },
      };
    } catch (error) {
      if (!(error instanceof OutboundRefused)) throw error;
      print(`Not checked over the network: ${error.msg}.\n`);
      return { report: { http: 'notAsked', httpSays: error.msg } };
    }
  };

/** The site answered before and does not now. A site that was silent before may have other reasons. */
export const isWorse = ({ reports }: RunContext): boolean => {
  const { before = {}, probe = {} } = reports;
  return (
    (before['http'] === 'answers' && probe['http'] === 'silent') ||
    (probe['tls'] === 'silent' && (before['tls'] === 'answers' || probe['http'] === 'answers'))
  );
};

export const applySite = (deps: SiteDeps): RunKind => {
  const earlier = ({ request }: RunContext, workspace: string): Promise<EarlierConfig | undefined> =>
    deps.earlier(request.subject.id, siteInputOf(request).expected, workspace);
  const wasNone = ({ request }: RunContext): boolean => siteInputOf(request).expected === '-';
  return {
    kind: 'applySite',
    changes: true,
    steps: [
      { name: 'before', on: 'console', perform: ask(deps), timeoutMs: minutes(1), repeatable: true },
      ...applySteps(),
      { name: 'probe', on: 'console', perform: ask(deps), timeoutMs: minutes(1), repeatable: true },

      // nginx accepted the file, but the site does not answer any more, so the earlier file is restored.
      {
        name: 'putBack',
        on: 'server',
        when: isWorse,
        script: async (context, { workspace }) => {
          const { sha256, expected } = siteInputOf(context.request);
          const place = placeOf(context, siteInputOf(context.request), sha256);
          if (wasNone(context)) return removeScript(place);
          return putBackScript(place, expected, (await earlier(context, workspace))?.text);
        },
        onSuccess: async (context, _report, meta) => {
          const { request } = context;
          if (wasNone(context)) return removal(request, meta);
          const { serverName, expected: sha256 } = siteInputOf(request);
          const before = await earlier(context, meta.workspace);
          // A foreign file on the server that was to be overwritten.
          if (!before)
            return new RecordFoundConfig(request.subject.id, { found: { sha256, text: '' } }, meta);
          const live = appliedConfig(earlierText({ serverName, ...before }, '-'));
          return new RecordAppliedConfig(request.subject.id, live, meta);
        },
        explain: () => ({
          code: 'broken',
          reason:
            'The site no longer answered, and what was live before could not be restored. Check the server.',
        }),
        privileged: true,
        timeoutMs: minutes(5),
        repeatable: true,
      },
      {
        name: 'verdict',
        on: 'console',
        when: isWorse,
        perform: ({ reports }) => {
          const { httpSays = '', tlsSays } = reports['probe'] ?? {};
          const says = tlsSays === undefined ? httpSays : `${httpSays}; over TLS ${tlsSays}`;
          throw new StepFailed(
            'probe',
            `The site no longer answered (${says}). The previous configuration is live again.`,
          );
        },
        timeoutMs: minutes(1),
        repeatable: true,
      },

      prove,
      answer(deps),
    ],
  };
};

export const removeSite: RunKind = { kind: 'removeSite', changes: true, steps: [removeStep()] };

/**
 * Empty if the text cannot be restored byte for byte, or exceeds the limit of a configuration, so that it cannot be
 * adopted either.
 */
export const keptText = (text: string, sha256: string): string =>
  Buffer.byteLength(text) <= maxBytes && !text.includes('\0') && sha256OfText(text) === sha256 ? text : '';

/** Includes the text only if it differs from the known one. */
export const lookAtSite = ({ read }: SiteDeps): RunKind => ({
  kind: 'lookAtSite',
  changes: false,
  steps: [
    {
      name: 'look',
      on: 'console',
      perform: async ({ request }, { print, signal, meta }) => {
        const { sha256: known } = siteInputOf(request);
        const { sha256, text, nginxRuns } = await read(request, meta, signal);
        const running = nginxRuns ? 'yes' : 'no';
        print(sha256 === undefined ? 'There is no such file.\n' : `SHA-256 ${sha256}\n`);
        print(nginxRuns ? 'nginx runs.\n' : 'nginx does not run.\n');
        if (sha256 === undefined) return { report: { running } };
        return { report: { running, sha256, ...(sha256 !== known && { text: keptText(text, sha256) }) } };
      },
      timeoutMs: minutes(1),
      repeatable: true,
    },
  ],
  onSuccess: ({ request, reports }, meta) => {
    const { sha256, text = '' } = reports['look'] ?? {};
    const found = sha256 === undefined ? {} : { found: { sha256, text } };
    const against = siteInputOf(request).sha256;
    return new RecordFoundConfig(request.subject.id, { ...found, against }, meta);
  },
});
