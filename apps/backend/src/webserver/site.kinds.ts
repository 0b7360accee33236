/** The runs that change what a server's nginx serves for a domain, and the one that only looks. */
import { RecordAppliedConfig, RecordFoundConfig } from '../domains';
import { type Outbound, OutboundRefused } from '../platform/outbound';
import type { CommandMeta } from '../platform/sessions';
import { StepFailed, type LocalStep, type RunContext, type RunKind, type RunRequest } from '../runs';
import {
  maxBytes,
  putBackArguments,
  putBackScript,
  removeArguments,
  removeScript,
  sha256OfText,
} from './apply-scripts/apply';
import type { LiveFile } from './apply-scripts/read';
import { appliedConfig, applySteps, minutes, placeOf, removal, removeStep } from './apply-steps';
import { earlierText, siteInputOf, type SiteInput } from './site-input';
import { probeSite } from './site-probe';

export type EarlierConfig = Pick<SiteInput, 'text' | 'options'>;

/** What these runs need in addition to the server. */
export interface SiteMeans {
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
}

const ask =
  ({ outbound, hostOf }: SiteMeans): LocalStep['perform'] =>
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

export const applySite = (means: SiteMeans): RunKind => {
  const earlier = ({ request }: RunContext, workspace: string): Promise<EarlierConfig | undefined> =>
    means.earlier(request.subject.id, siteInputOf(request).expected, workspace);
  const wasNone = ({ request }: RunContext): boolean => siteInputOf(request).expected === '-';
  return {
    kind: 'applySite',
    changes: true,
    steps: [
      { name: 'before', on: 'console', perform: ask(means), timeoutMs: minutes(1), repeatable: true },
      ...applySteps(),
      { name: 'probe', on: 'console', perform: ask(means), timeoutMs: minutes(1), repeatable: true },

      // nginx accepted the file, but the site does not answer any more, so the earlier file is restored.
      {
        name: 'putBack',
        on: 'server',
        when: isWorse,
        script: (context) => (wasNone(context) ? removeScript : putBackScript),
        args: async (context, { workspace }) => {
          const { sha256, expected } = siteInputOf(context.request);
          const place = placeOf(context, siteInputOf(context.request), sha256);
          if (wasNone(context)) return removeArguments(place);
          return putBackArguments(place, expected, (await earlier(context, workspace))?.text);
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
            'The site no longer answered, and what was live before could not be put back. Look at the server.',
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
export const lookAtSite = ({ read }: SiteMeans): RunKind => ({
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
