/** Steps of the certificate runs that run in this process, not on the server. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { CommandBus } from '@nestjs/cqrs';
import type { EventData } from '@quarterdeck/events';
import { doubtIn } from '@quarterdeck/projections';
import { hostToAsk, type WorkspaceDns } from '../dns';
import { IssueCertificate, RecordServed, type DomainRegistry } from '../domains';
import { type Outbound, OutboundRefused } from '../platform/outbound';
import type { CommandMeta } from '../platform/sessions';
import { checkTls, type TlsCheck } from '../platform/tls';
import { StepFailed, type LocalStep, type RunContext } from '../runs';
import { drifted, minutes, type Sites } from '../webserver';
import { reportedFacts } from './certificate-facts-of';
import { certificateInputOf, namesOf, type CertificateInput } from './certificate-input';
import type { DnsProofs } from './dns-proofs';
import type { RateBudgets } from './budget-history';
import { servedOf } from './tls-look';

export interface CertificateDeps {
  commands: CommandBus;
  domains: DomainRegistry;
  budgets: RateBudgets;
  outbound: Outbound;
  sites: Pick<Sites, 'liveHash'>;
  dns: WorkspaceDns;
  proofs: DnsProofs;
  /** How long the name servers of a zone may take to have a new record. */
  dnsProofSeconds: number;
  /** The server's current address. */
  hostOf(server: string, workspace: string): Promise<string>;
  /** Notes that the site of the domain was asked for its certificate. */
  noteLook(site: { id: string; workspace: string }): Promise<void>;
}

const HTTPS = 443;
const CHECK_MS = 5000;
/** How long nginx workers may take to serve a new certificate after a reload. */
const PATIENCE_MS = 20_000;

const inSentence = (words: string): string => `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;

/** @returns what the limits still allow, in words @throws StepFailed while the authority would refuse an order */
export const allowed = async (
  budgets: RateBudgets,
  input: Pick<CertificateInput, 'serverName' | 'names'>,
  workspace: string,
): Promise<string> => {
  const verdict = await budgets.of(namesOf(input), workspace);
  if (!verdict.allowed) throw new StepFailed('rateBudget', verdict.words);
  return verdict.words;
};

type NameAnswer = NonNullable<EventData<'DnsAnswerChanged'>['names']>[number];

const addressesOf = ({ addresses }: Pick<NameAnswer, 'addresses'>): string =>
  addresses.map(({ address }) => address).join(', ');

/** @throws StepFailed unless the authority would find the server under that name */
const pointsHere = (answer: NameAnswer, print: (text: string) => void): void => {
  const { name } = answer;
  const found = addressesOf(answer);
  if (answer.outcome !== 'found')
    throw new StepFailed(
      'dns',
      `${name} has no address that the authority could connect to${answer.reason ? `: ${answer.reason}` : '.'}`,
    );
  print(`${name} points to ${found}.\n`);
  const warning = doubtIn(answer);
  if (warning !== undefined) print(`warning: ${warning}\n`);
  else if (!answer.pointsHere) {
    const why = answer.reason
      ? `and it is not known whether that is its server: ${answer.reason}`
      : 'which is not its server: the authority would connect to that address.';
    throw new StepFailed('dns', `${name} points to ${found}, ${why}`);
  }
};

/**
 * Checks the names and our limits before the authority does and counts a failure. Another step checks on the server
 * itself whether port 80 serves our proof.
 */
export const preflight = ({ domains, budgets, dns, sites }: CertificateDeps): LocalStep => ({
  name: 'preflight',
  on: 'console',
  timeoutMs: minutes(1),
  repeatable: true,
  perform: async ({ request }, { print, signal, meta }) => {
    const input = certificateInputOf(request);
    const { serverName } = input;
    const liveHash = await sites.liveHash(request.server?.id ?? '', serverName, meta, signal);
    // The certificate could not be installed, so ordering it would be pointless.
    if (liveHash !== (input.first ?? input).expected) throw new StepFailed('drifted', drifted);
    if (input.proof === 'dns') {
      const names = namesOf(input);
      const why = await Promise.all(names.map((name) => dns.whyUnprovable(name, meta.workspace)));
      const [wrong] = why.filter((one) => one !== undefined);
      if (wrong !== undefined) throw new StepFailed('dnsProvider', inSentence(wrong));
      print(`${names.join(', ')}: the proof will be written into DNS.\n`);
      print(`${await allowed(budgets, input, meta.workspace)}\n`);
      return {};
    }
    const { answer } = await domains.check(request.subject.id, meta);
    const ordered = new Set(namesOf(input));
    const others = (answer.names ?? []).filter(({ name }) => ordered.has(name));
    for (const one of [{ ...answer, name: serverName }, ...others]) pointsHere(one, print);
    const found = addressesOf(answer);
    if (!input.adopts) print(`${await allowed(budgets, input, meta.workspace)}\n`);
    return { report: { addresses: found } };
  },
});

/**
 * Records the certificate that certbot left on the server, right after certbot has finished. An unchanged certificate
 * is not recorded again.
 */
export const recordCertificate = ({ commands }: CertificateDeps): LocalStep => ({
  name: 'record',
  on: 'console',
  timeoutMs: minutes(1),
  repeatable: true,
  perform: async ({ request, reports }, { print, meta }) => {
    const facts = reportedFacts(reports['certbot'] ?? {}, certificateInputOf(request));
    await commands.execute(new IssueCertificate(request.subject.id, facts, meta));
    print(`Certificate ${facts.serial} by ${facts.issuer}, valid to ${facts.notAfter}.\n`);
    return { report: { serial: facts.serial, notAfter: facts.notAfter } };
  },
});

const look = async (
  deps: CertificateDeps,
  { request }: RunContext,
  { workspace }: CommandMeta,
  signal: AbortSignal,
): Promise<TlsCheck> => {
  const host = await deps.hostOf(request.server?.id ?? '', workspace);
  const { address } = await deps.outbound.reach({ host, port: HTTPS });
  const { serverName } = certificateInputOf(request);
  return checkTls({ host: hostToAsk(serverName), address, port: HTTPS, timeoutMs: CHECK_MS, signal });
};

const record = async (
  { commands, noteLook }: Pick<CertificateDeps, 'commands' | 'noteLook'>,
  request: RunContext['request'],
  check: TlsCheck,
  meta: CommandMeta,
): Promise<void> => {
  const { serverName } = certificateInputOf(request);
  await noteLook({ id: request.subject.id, workspace: meta.workspace });
  await commands.execute(new RecordServed(request.subject.id, { serverName, served: servedOf(check) }, meta));
};

/** Connects to the server's address and checks that it presents the issued serial. */
export const checkServed = (deps: CertificateDeps): LocalStep => ({
  name: 'served',
  on: 'console',
  // A renewal without a new configuration may concern a site that is plain HTTP by choice.
  when: ({ request }) => certificateInputOf(request).options.ssl,
  timeoutMs: minutes(2),
  repeatable: true,
  perform: async (context, { print, signal, meta }) => {
    const { request, reports } = context;
    const serial = reports['record']?.['serial'];
    try {
      const until = Date.now() + PATIENCE_MS;
      for (;;) {
        const check = await look(deps, context, meta, signal);
        const shown = check.reachable ? check.certificate.serial : undefined;
        if (shown === serial || Date.now() > until) {
          await record(deps, request, check, meta);
          if (shown === serial) break;
          throw new StepFailed(
            'notServed',
            check.reachable
              ? `The server still presents certificate ${shown} instead of the new certificate ${serial}.`
              : `The certificate was issued but is not being served: ${check.problem.reason}`,
          );
        }
        await sleep(500, undefined, { signal });
      }
    } catch (error) {
      if (!(error instanceof OutboundRefused)) throw error;
      print(`Not checked over the network: ${error.msg}.\n`);
      return { report: { served: 'notAsked' } };
    }
    print(`The server presents certificate ${serial}.\n`);
    return { report: { served: 'yes' } };
  },
});

/** Records what the domain presents now. Presenting nothing is not a failure. */
export const lookServed = (deps: CertificateDeps): LocalStep => ({
  name: 'served',
  on: 'console',
  timeoutMs: minutes(1),
  repeatable: true,
  perform: async (context, { print, signal, meta }) => {
    try {
      const check = await look(deps, context, meta, signal);
      await record(deps, context.request, check, meta);
      print(
        check.reachable
          ? `The server presents certificate ${check.certificate.serial}.\n`
          : `No certificate is presented: ${check.problem.reason}\n`,
      );
      return { report: { served: check.reachable ? 'yes' : 'no' } };
    } catch (error) {
      if (!(error instanceof OutboundRefused)) throw error;
      print(`Not checked over the network: ${error.msg}.\n`);
      return { report: { served: 'notAsked' } };
    }
  },
});
