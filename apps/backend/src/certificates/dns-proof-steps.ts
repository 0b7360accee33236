/** Steps of an order whose names are proved in DNS. See `dns-order.ts` for what certbot does meanwhile. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { TextAnswer, TextRecord } from '../dns';
import { DomainError } from '../platform/errors';
import type { LocalStep, RemoteStep, Report, RunContext } from '../runs';
import { minutes } from '../webserver';
import { challengesIn, dnsOrderScript, dnsStopScript } from './certbot-scripts/dns-order';
import { certificateInputOf, knownOf, lineageNameOf, namesOf, provesInDns } from './certificate-input';
import { allowed, type CertificateDeps } from './certificate-steps';

const LOOK_MS = 2000;

/** Begins the order. certbot waits until the names are proved. */
export const beginOrder = (
  { budgets }: CertificateDeps,
  explain: NonNullable<RemoteStep['explain']>,
): RemoteStep => ({
  name: 'order',
  on: 'server',
  when: provesInDns,
  script: async ({ request }, { workspace }) => {
    const input = certificateInputOf(request);
    const { serverName, directoryUrl, force, newAccount = false } = input;
    // A retried run starts here, and the authority counts the retry too.
    await allowed(budgets, input, workspace);
    const [lineage, names, known] = [lineageNameOf(input), namesOf(input), knownOf(input)];
    return dnsOrderScript({ serverName, lineage, names, known, directoryUrl, force, newAccount });
  },
  explain,
  privileged: true,
  timeoutMs: minutes(10),
  // An automatic repetition would count twice at the authority.
  repeatable: false,
});

/** What each name server lacks, in words; empty if all that answer have all records. */
const lacks = ({ name, text }: TextRecord, answers: readonly TextAnswer[]): string[] => {
  const silent = answers.flatMap((one) => ('silent' in one ? [`${one.server}: ${one.silent}`] : []));
  const without = answers.flatMap((one) =>
    'texts' in one && !one.texts.includes(text) ? [`${one.server} does not have it`] : [],
  );
  if (answers.length === 0) return [`no name server was found for the zone of ${name}`];
  return without.length > 0 || silent.length === answers.length ? [...without, ...silent] : [];
};

const notReady = (problem: string, detail: string): { report: Report } => ({ report: { problem, detail } });

/**
 * Adds the records and waits until the name servers of the zone have them. A failure is a result and not an error: certbot
 * is still waiting, and the next step ends its order.
 */
export const proveInDns = ({ dns, proofs, dnsProofSeconds }: CertificateDeps): LocalStep => ({
  name: 'prove',
  on: 'console',
  when: provesInDns,
  timeoutMs: dnsProofSeconds * 1000 + minutes(5),
  repeatable: true,
  perform: async ({ run, reports }, { print, signal, meta: { workspace } }) => {
    const records = challengesIn(reports['order'] ?? {});
    const until = performance.now() + dnsProofSeconds * 1000;
    try {
      for (const record of records) {
        await proofs.add(run, workspace, record);
        print(`Added a TXT record ${record.name}.\n`);
      }
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      print(`${error.msg}\n`);
      return notReady('dnsProvider', `The DNS provider did not add the TXT record: ${error.msg}.`);
    }
    for (const record of records)
      for (let said = ''; ;) {
        const missing = lacks(record, await dns.textAt(record.name, workspace)).join('; ');
        if (missing === '') break;
        if (missing !== said) print(`Waiting for ${record.name}: ${missing}.\n`);
        said = missing;
        if (performance.now() > until)
          return notReady(
            'dnsNotSeen',
            `The TXT record ${record.name} was added, but after ${dnsProofSeconds} seconds it cannot be seen: ${missing}.`,
          );
        await sleep(LOOK_MS, undefined, { signal });
      }
    if (records.length > 0) print('All name servers of the zone have it.\n');
    return {};
  },
});

/** Why certbot must not go on; undefined if it may. */
export const unproved = ({ reports }: RunContext): { code: string; reason: string } | undefined => {
  const { problem, detail } = reports['prove'] ?? {};
  return problem === undefined || detail === undefined ? undefined : { code: problem, reason: detail };
};

/** Whether or not this succeeds, the certificate is there. What is left is removed after the run. */
export const removeProof = ({ proofs }: CertificateDeps): LocalStep => ({
  name: 'unprove',
  on: 'console',
  when: provesInDns,
  timeoutMs: minutes(2),
  repeatable: true,
  perform: async ({ run }, { print, meta: { workspace } }) => {
    try {
      const removed = await proofs.removeOf(run, workspace);
      for (const name of new Set(removed)) print(`Removed the TXT record ${name}.\n`);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      print(`warning: ${error.msg}. The TXT record is removed later.\n`);
    }
    return {};
  },
});

/** After a cancel, certbot still waits. */
export const stopOrder: RemoteStep = {
  name: 'stop',
  on: 'server',
  when: provesInDns,
  settles: true,
  script: ({ request }) => dnsStopScript({ certificate: lineageNameOf(certificateInputOf(request)) }),
  privileged: true,
  timeoutMs: minutes(1),
  repeatable: true,
};
