/** The overall verdict about a domain, from its DNS, its configuration and its served certificate. Pure. */
import {
  certificateOf,
  covers,
  lackedNames,
  type AppliedConfig,
  type DnsAnswer,
  type DomainRow,
  type DomainView,
  type SiteAnswer,
} from './domain-view';
import { addressesInWords, namesInWords } from './pointing';
import { daysFor, type Lifetime } from './lifetime';
import type { SslFound } from './ssl';
import type { Verdict } from './verdict';

/** The worst first. */
const rank = { bad: 0, warn: 1, quiet: 2, good: 3 } as const;

export const dnsVerdicts = {
  correct: { label: 'DNS correct', tone: 'good' },
  wrong: { label: 'DNS wrong', tone: 'bad' },
  none: { label: 'no DNS address', tone: 'bad' },
  unknown: { label: 'DNS unknown', tone: 'warn' },
} as const satisfies Record<string, Verdict>;
export type DnsState = keyof typeof dnsVerdicts;

export const configVerdicts = {
  never: { label: 'never applied', tone: 'warn' },
  applied: { label: 'applied', tone: 'good' },
  pending: { label: 'changes not applied', tone: 'warn' },
  changed: { label: 'changed on the server', tone: 'warn' },
} as const satisfies Record<string, Verdict>;
export type ConfigState = keyof typeof configVerdicts;

/** Who answers for a site whose configuration was applied. */
export const siteVerdicts = {
  answers: { label: 'answers', tone: 'good' },
  unproven: { label: 'answers, not proven', tone: 'warn' },
  another: { label: 'another site answers', tone: 'bad' },
  '502': { label: 'answers 502', tone: 'bad' },
  silent: { label: 'does not answer', tone: 'bad' },
  tlsGone: { label: 'HTTPS does not answer', tone: 'bad' },
  nginxStopped: { label: 'nginx stopped', tone: 'bad' },
  unchecked: { label: 'not looked at yet', tone: 'warn' },
  /** No configuration of ours is live, so nothing of ours could answer. */
  none: { label: 'none', tone: 'quiet' },
} as const satisfies Record<SiteAnswer['is'] | 'unchecked' | 'none', Verdict>;
export type SiteState = keyof typeof siteVerdicts;

/** The only place that decides it: lists, header, Home, alerts and inspection show this. */
export const siteStateOf = ({
  config,
  answer,
}: {
  config?: object | undefined;
  answer?: Pick<SiteAnswer, 'is'> | undefined;
}): SiteState => (config ? (answer?.is ?? 'unchecked') : 'none');

export const certificateVerdicts = {
  none: { label: 'none', tone: 'quiet' },
  notUsed: { label: 'not used: no HTTPS', tone: 'bad' },
  valid: { label: 'valid', tone: 'good' },
  expiring: { label: 'expiring', tone: 'warn' },
  lastDay: { label: 'expires within a day', tone: 'bad' },
  expired: { label: 'expired', tone: 'bad' },
  lacksName: { label: 'lacks a name', tone: 'bad' },
  wrongName: { label: 'wrong name', tone: 'bad' },
  selfSigned: { label: 'self-signed', tone: 'bad' },
  invalid: { label: 'not valid', tone: 'bad' },
  unreachable: { label: 'unreachable', tone: 'bad' },
  unchecked: { label: 'not checked yet', tone: 'warn' },
} as const satisfies Record<string, Verdict>;
export type CertificateState = keyof typeof certificateVerdicts;

type PointedName = Pick<DnsAnswer, 'outcome' | 'pointsHere' | 'elsewhere' | 'code'>;
type Pointed = PointedName & { names?: readonly (PointedName & { name: string })[] | undefined };

const stateOfName = ({ outcome, pointsHere, elsewhere, code }: PointedName): DnsState => {
  if (outcome === 'none') return 'none';
  if (outcome === 'failed') return 'unknown';
  if (pointsHere) return 'correct';
  // Something could not be looked up, and no address is known to be wrong.
  return code !== undefined && elsewhere === undefined ? 'unknown' : 'wrong';
};

/** The worst of all names. The main name counts first. */
export const dnsStateOf = ({ names = [], ...main }: Pointed): DnsState =>
  [main, ...names]
    .map(stateOfName)
    .toSorted((a, b) => rank[dnsVerdicts[a].tone] - rank[dnsVerdicts[b].tone])[0] ?? 'unknown';

/** The other names with this state. */
export const namesWith = ({ names = [] }: Pointed, state: DnsState): string[] =>
  names.filter((one) => stateOfName(one) === state).map(({ name }) => name);

type Led = Pick<DomainView, 'serverName' | 'led' | 'away'>;

/**
 * Which names have led to the server, and which of these no longer do. A failed look-up changes nothing, and neither does
 * a name that has yet to be pointed here.
 */
export const ledBy = ({ serverName, led = [], away }: Led, { names = [], at, ...main }: DnsAnswer) => {
  const states = [{ name: serverName, ...main }, ...names].map((one) => ({
    name: one.name,
    state: stateOfName(one),
  }));
  const here = states.filter(({ name, state }) => state === 'correct' || led.includes(name));
  const gone = here.filter(({ name, state }) =>
    state === 'unknown' ? away?.names.includes(name) : state !== 'correct',
  );
  return {
    led: here.length > 0 ? here.map(({ name }) => name) : undefined,
    away: gone.length > 0 ? { at: away?.at ?? at, names: gone.map(({ name }) => name) } : undefined,
  };
};

/** `DNS wrong: IPv6 2001:db8::9`, `no DNS address: www.shop.example` */
export const dnsInWords = (dns: Pointed): string => {
  const state = dnsStateOf(dns);
  const { label } = dnsVerdicts[state];
  // The main name has no such fault, so another one has.
  if (stateOfName(dns) !== state) return `${label}: ${namesInWords(namesWith(dns, state))}`;
  return state === 'wrong' && dns.elsewhere ? `${label}: ${addressesInWords(dns.elsewhere)}` : label;
};

export type Configured = Pick<DomainRow, 'pending'> & {
  config?: object | undefined;
  drift?: object | undefined;
};

export const configStateOf = ({ config, drift, pending }: Configured): ConfigState => {
  if (!config) return 'never';
  if (drift) return 'changed';
  return pending === undefined ? 'applied' : 'pending';
};

/** Default threshold: a certificate of 90 days with fewer days left counts as expiring. */
export const EXPIRING_DAYS = 30;
const DAY_MS = 86_400_000;

/** Whole days from `now` until the instant; negative if it is past. */
export const daysUntil = (instant: string, now: number): number =>
  Math.floor((Date.parse(instant) - now) / DAY_MS);

/** The time of the verdict, and the threshold for expiring certificates. */
export interface AsOf {
  now: number;
  expiringDays?: number | undefined;
}

/** Used as `code`: the certificate is fine, but not for all names of the site. */
export const LACKS_NAME = 'LACKS_NAME';

/** The problem that a check over the network found with an unexpired certificate. */
export const distrustOf = (
  code: string | undefined,
): 'wrongName' | 'lacksName' | 'selfSigned' | 'invalid' => {
  if (code === LACKS_NAME) return 'lacksName';
  if (code === 'NAME_MISMATCH') return 'wrongName';
  return code === 'DEPTH_ZERO_SELF_SIGNED_CERT' ? 'selfSigned' : 'invalid';
};

const byDays = (days: number, expiringDays: number): 'valid' | 'expiring' | 'lastDay' | 'expired' => {
  if (days <= 0) return days < 0 ? 'expired' : 'lastDay';
  return days < expiringDays ? 'expiring' : 'valid';
};

export type Certified = Pick<DomainRow, 'serverName' | 'names' | 'certificate' | 'served'> & {
  config?: (Pick<AppliedConfig, 'options'> & { at?: string }) | undefined;
};

/** The certificate as visitors see it. An issued certificate counts only until the served one was checked. */
export const certificateStateOf = (domain: Certified, asOf: AsOf): CertificateState => {
  const state = stateOfMainName(domain, asOf);
  // Until a certificate is about to end, its names are the greater problem.
  const isFine = state === 'valid' || state === 'expiring' || state === 'unchecked';
  return isFine && lackedNames(domain).length > 0 ? 'lacksName' : state;
};

/** `valid`, `lacks www.shop.example` */
export const certificateInWords = (domain: Certified, asOf: AsOf): string => {
  const state = certificateStateOf(domain, asOf);
  return state === 'lacksName'
    ? `lacks ${namesInWords(lackedNames(domain))}`
    : certificateVerdicts[state].label;
};

const stateOfMainName = (
  { config, certificate, served }: Certified,
  { now, expiringDays = EXPIRING_DAYS }: AsOf,
): CertificateState => {
  const days = (of: Lifetime) => byDays(daysUntil(of.notAfter, now), daysFor(expiringDays, of));
  const plain = config?.options.ssl === false;
  // A site over plain HTTP has nothing at the port of HTTPS, and does not serve what was seen before.
  if (plain && (!served?.served || served.at < (config?.at ?? ''))) return certificate ? 'notUsed' : 'none';
  if (!served) {
    const state = certificate ? days(certificate) : 'none';
    const fine = state === 'none' || state === 'valid';
    return fine && config?.options.ssl ? 'unchecked' : state;
  }
  if (!served.served) return 'unreachable';
  const state = days(served.served);
  return state === 'expired' || served.valid ? state : distrustOf(served.code);
};

/** Whether the domain serves a certificate that browsers accept. */
export const isTrusted = (domain: Certified, asOf: AsOf): boolean =>
  ['valid', 'expiring', 'lastDay', 'lacksName'].includes(certificateStateOf(domain, asOf));

/**
 * The certificate state for a row of the SSL monitor, from its check. `undefined` if not checked, or removed since. The
 * monitor counts the last day as expired, as specified, but this state is `expired` only after expiry.
 */
export const foundStateOf = ({
  label,
  valid,
  code,
  daysRemaining,
}: SslFound): CertificateState | undefined => {
  if (label === 'unchecked') return code === 'removed' ? undefined : 'unreachable';
  if (label === 'expired' && daysRemaining !== 0) return label;
  if (!valid) return distrustOf(code);
  return label === 'expired' ? 'lastDay' : label;
};

/** Whether the domain should serve a certificate. If not, plain HTTP is fine. */
const expectsCertificate = ({ config, certificate }: Pick<DomainRow, 'config' | 'certificate'>): boolean =>
  certificate !== undefined || config?.options.ssl === true;

export type JudgedDomain = Pick<
  DomainRow,
  'serverName' | 'names' | 'dns' | 'config' | 'drift' | 'pending' | 'certificate' | 'served' | 'answer'
>;

export interface DomainReason extends Verdict {
  part: 'dns' | 'site' | 'certificate' | 'config';
  /** The label without counts. It does not change with them, so lists filter by it. */
  category: string;
}

export interface DomainVerdict extends Verdict {
  is: 'serving' | 'attention';
  category: string;
  /** The worst first. */
  reasons: readonly DomainReason[];
}

const lines = (count: number): string => `${count} ${count === 1 ? 'line' : 'lines'}`;

/** `changes not applied: 13 lines` */
export const configInWords = (domain: Configured): string => {
  const { label } = configVerdicts[configStateOf(domain)];
  return configStateOf(domain) === 'pending' && domain.pending ? `${label}: ${lines(domain.pending)}` : label;
};

const reasonOf = (
  part: DomainReason['part'],
  { label: category, tone }: Verdict,
  label = category,
): DomainReason => ({ part, label, category, tone });

/** The problems of each part. DNS comes first, because it decides which server answers. */
const faultsOf = (domain: JudgedDomain, asOf: AsOf): DomainReason[] => {
  const certificate = certificateStateOf(domain, asOf);
  const config = configStateOf(domain);
  // A site on a host outside of the console is never applied from here, but may still serve.
  const servedElsewhere = config === 'never' && isTrusted(domain, asOf);
  const expected = certificate !== 'unreachable' || expectsCertificate(domain);
  const { label, tone } = certificateVerdicts[certificate];
  // It explains an unreachable certificate, and is explained by a configuration that was not applied.
  const site = reasonOf('site', siteVerdicts[siteStateOf(domain)]);
  const parts = [
    reasonOf('dns', dnsVerdicts[dnsStateOf(domain.dns)], dnsInWords(domain.dns)),
    ...(site.tone === 'bad' ? [site] : []),
    ...(expected
      ? [
          reasonOf(
            'certificate',
            { label: `certificate ${label}`, tone },
            `certificate ${certificateInWords(domain, asOf)}`,
          ),
        ]
      : []),
    ...(servedElsewhere ? [] : [reasonOf('config', configVerdicts[config], configInWords(domain))]),
    ...(site.tone === 'bad' ? [] : [site]),
  ];
  return parts.filter(({ tone: found }) => found === 'bad' || found === 'warn');
};

/** `Serving`, or `Needs attention: <worst reason>` */
export const domainVerdict = (domain: JudgedDomain, asOf: AsOf): DomainVerdict => {
  const reasons = faultsOf(domain, asOf).toSorted((a, b) => rank[a.tone] - rank[b.tone]);
  const [worst] = reasons;
  if (!worst) return { is: 'serving', label: 'Serving', category: 'Serving', tone: 'good', reasons };
  const attention = (words: string): string => `Needs attention: ${words}`;
  const { label, category, tone } = worst;
  return { is: 'attention', label: attention(label), category: attention(category), tone, reasons };
};

/** Expiry of the certificate that the verdict is based on; undefined if the served one is for another name. */
export const certificateEndOf = (domain: Certified): string | undefined => {
  const shown = domain.served?.served;
  return shown && !covers(shown.names, domain.serverName) ? undefined : certificateOf(domain)?.notAfter;
};

/** Sort key that puts the worst first. */
export const verdictRank = ({ tone }: Verdict): number => rank[tone];
