/** Which certificates are due, and what to do about each. */
import { Inject, Injectable } from '@nestjs/common';
import type { Position } from '@quarterdeck/events';
import type { CertificateView, NextRenewal, SslCheck, DomainView } from '@quarterdeck/projections';
import { DomainRegistry, isGone } from '../domains';
import { inView } from '../platform/in-view';
import { hostOf, Outbound } from '../platform/outbound';
import { CONFIG, DB, PROJECTIONS } from '../platform/tokens';
import type { Config, Pool, ProjectionRunner } from '../platform/tokens';
import { orderedNames } from './certificate-names';
import { RateBudgets } from './budget-history';
import { WorkspaceSettings } from '../workspaces';
import { renewalVerdict, type RenewalVerdict, type RenewalWindow } from './renewal';
import { RenewalInfoClient, type RenewalInfo } from './renewal-info';
import { paced } from './pace';

const domain = inView<DomainView>('view');

export type RenewalPlan =
  | { do: 'renew'; reason: string }
  /** The server has the right certificate, but its web server presents another one. */
  | { do: 'reload'; reason: string; server: string; serial: string }
  /** It has expired or is about to, and no site of ours is live that would present a new one. */
  | { do: 'leave'; reason: string };

export interface Plannable {
  certificate?: Pick<CertificateView, 'serial' | 'notBefore' | 'notAfter' | 'renewalId'>;
  /** A configuration of ours is live on its server. */
  configured: boolean;
  /** According to DNS at the last look-up. */
  pointsHere: boolean;
  serverId: string;
}

type Certified = Plannable & Required<Pick<Plannable, 'certificate'>>;

const ASKED_AT_ONCE = 8;
/**
 * After this many failures in a row the authority is not asked about the remaining certificates: each request may take
 * ten seconds to fail.
 */
const MAX_FAILURES = 10;
const CATCH_UP_MS = 10_000;
/** Somebody is waiting for a page. Later answers of the authority are used the next time. */
const LOOK_MS = 3000;
const DAY_MS = 86_400_000;

/** The plan for a certificate that somebody else installed. */
const foreign = ({ configured }: Plannable, validTo = ''): RenewalPlan => {
  const until = `The certificate it presents is not from this console and expires on ${validTo.slice(0, 10)}`;
  return configured
    ? { do: 'renew', reason: `${until}.` }
    : { do: 'leave', reason: `${until}, and no configuration of this console is live: apply one first.` };
};

/** A removed site is not brought back just for its certificate. */
const notLive = 'No configuration of this console is live: apply one first, or remove the certificate.';

/** @param shown serial that the domain presents @param ari the authority's suggestion */
const verdictOf = (
  { certificate, pointsHere }: Certified,
  shown: string | undefined,
  now: Date,
  ari: RenewalWindow | undefined,
): RenewalVerdict =>
  renewalVerdict({
    facts: certificate,
    now,
    ...(ari && { ari }),
    // What another server presents says nothing about the web server here.
    ...(pointsHere && shown !== undefined && { served: { serial: shown } }),
  });

const isCertified = (domain: Plannable): domain is Certified => domain.certificate !== undefined;

/** Pure. @returns undefined if there is nothing to do */
export const planFor = (
  domain: Plannable,
  { found }: Pick<SslCheck, 'found'>,
  now: Date,
  ari?: RenewalWindow,
): RenewalPlan | undefined => {
  if (!isCertified(domain)) return found?.label === 'expired' ? foreign(domain, found.validTo) : undefined;
  const { is, reason } = verdictOf(domain, found?.serial, now, ari);
  if (is === 'renew')
    return domain.configured ? { do: 'renew', reason } : { do: 'leave', reason: `${reason} ${notLive}` };
  const { certificate, serverId: server } = domain;
  return is === 'reload' ? { do: 'reload', reason, server, serial: certificate.serial } : undefined;
};

/** Pure. @param shown serial that the domain presents @param info the authority's answer, for a certificate of ours */
export const nextRenewal = (
  domain: Plannable,
  shown: string | undefined,
  now: Date,
  info: RenewalInfo,
): NextRenewal['renewal'] => {
  if (!isCertified(domain)) return undefined;
  const suggested = info.is === 'none' ? undefined : info.window;
  const { is, at, reason } = verdictOf(domain, shown, now, suggested);
  const waits = is !== 'reload' && !domain.configured;
  return {
    is,
    at,
    reason: waits ? `${reason} ${notLive}` : reason,
    ...(suggested && { suggested }),
    ...(info.is !== 'window' && { unsuggested: info.reason }),
  };
};

/** As labels define it: less than a day is left. */
const expiresAt = (notAfter: string): number => Date.parse(notAfter) - DAY_MS;

/** Pure. Decided by the presented certificate, or by ours if that is unknown. */
export const hasExpired = (
  { certificate }: Plannable,
  { found }: Pick<SslCheck, 'found'>,
  now: Date,
): boolean =>
  found?.label === 'expired' ||
  (certificate !== undefined && expiresAt(certificate.notAfter) <= now.getTime());

/** Pure. The same renewal if the workspace renews only after expiry. */
export const whenExpired = (
  renewal: NonNullable<NextRenewal['renewal']>,
  notAfter: string,
  now: Date,
): NonNullable<NextRenewal['renewal']> => {
  const at = expiresAt(notAfter);
  return {
    ...renewal,
    is: at <= now.getTime() ? 'renew' : 'wait',
    at: new Date(at).toISOString(),
    reason: 'This workspace renews only expired certificates.',
  };
};

@Injectable()
export class RenewalPlans {
  private readonly authority: RenewalInfoClient;

  constructor(
    @Inject(CONFIG) config: Config,
    @Inject(DB) private readonly db: Pool,
    @Inject(PROJECTIONS) private readonly projections: ProjectionRunner,
    private readonly budgets: RateBudgets,
    private readonly registry: DomainRegistry,
    private readonly settings: WorkspaceSettings,
    outbound: Outbound,
  ) {
    const directoryUrl = config.ACME_DIRECTORY_URL;
    // The address comes from the environment, so it needs no entry in OUTBOUND_ALLOW.
    this.authority = new RenewalInfoClient({ directoryUrl, outbound: outbound.alsoTo(hostOf(directoryUrl)) });
  }

  /** In the order of the checks. Asks the authority for suggestions that are not known yet. */
  async due(
    checks: readonly SslCheck[],
    workspace: string,
    signal: AbortSignal,
  ): Promise<{ check: SslCheck; plan: RenewalPlan }[]> {
    const domains = await this.domains(
      checks.map(({ domain }) => domain),
      workspace,
    );
    const ids = [...domains.values()].flatMap(({ certificate }) => certificate?.renewalId ?? []);
    const windows = await this.windows(ids, signal);
    const now = new Date();
    const { onlyExpired } = await this.settings.get('SslMonitorConfigured', workspace);
    return checks.flatMap((check) => {
      const domain = domains.get(check.domain);
      if (onlyExpired && domain && !hasExpired(domain, check, now)) return [];
      const ari = windows.get(domain?.certificate?.renewalId ?? '');
      const plan = domain && planFor(domain, check, now, ari);
      return plan ? [{ check, plan }] : [];
    });
  }

  /** @throws DomainError `notFound` */
  async next(id: string, workspace: string): Promise<NextRenewal> {
    const recorded = await this.registry.domain(id, workspace);
    const { certificate } = recorded;
    const [domains, { allowed, nextAt, words }] = await Promise.all([
      this.domains([id], workspace),
      this.budgets.of(orderedNames(recorded, certificate.issued?.lineage), workspace),
    ]);
    const domain = domains.get(id);
    const info = domain && (await this.lookAt(domain.certificate?.renewalId));
    const now = new Date();
    const renewal = info && nextRenewal(domain, certificate.served?.served?.serial, now, info);
    const { onlyExpired } = await this.settings.get('SslMonitorConfigured', workspace);
    const notAfter = onlyExpired ? domain?.certificate?.notAfter : undefined;
    const planned = renewal && notAfter !== undefined ? whenExpired(renewal, notAfter, now) : renewal;
    const budget = { allowed, words, ...(nextAt !== undefined && { nextAt }) };
    return { ...(planned && { renewal: planned }), budget };
  }

  private async lookAt(renewalId: string | undefined): Promise<RenewalInfo> {
    const signal = AbortSignal.timeout(LOOK_MS);
    try {
      return await this.authority.infoFor(renewalId, signal);
    } catch (error) {
      if (!signal.aborted) throw error;
      const reason = 'Not asked yet.';
      return { is: 'failed', reason, askAgainAt: new Date().toISOString() };
    }
  }

  /** Why an order has to wait, in words; undefined if it need not. */
  async putOff(id: string, workspace: string): Promise<string | undefined> {
    const recorded = await this.registry.domain(id, workspace).catch((error: unknown) => {
      if (isGone(error)) return undefined;
      throw error;
    });
    // The order says so.
    if (!recorded) return undefined;
    const names = orderedNames(recorded, recorded.certificate.issued?.lineage);
    const { allowed, words } = await this.budgets.of(names, workspace);
    return allowed ? undefined : words;
  }

  /** Waits until the read model includes the authority's answers up to that position. */
  async known(position: Position): Promise<void> {
    await this.projections.waitFor(position, CATCH_UP_MS);
  }

  /** ISO: expiry of a domain's certificate, according to the log. */
  async validTo(domain: string, workspace: string): Promise<string> {
    const { certificate } = await this.registry.domain(domain, workspace);
    return certificate.issued?.notAfter ?? '';
  }

  private async windows(
    renewalIds: readonly string[],
    signal: AbortSignal,
  ): Promise<Map<string, RenewalWindow>> {
    const windows = new Map<string, RenewalWindow>();
    let failures = 0;
    await paced(renewalIds, { pauseMs: 0, atOnce: ASKED_AT_ONCE, signal }, async (id) => {
      if (failures >= MAX_FAILURES) return;
      const info = await this.authority.infoFor(id, signal);
      failures = info.is === 'failed' ? failures + 1 : 0;
      if (info.is !== 'none' && info.window) windows.set(id, info.window);
    });
    return windows;
  }

  private async domains(ids: readonly string[], workspace: string): Promise<Map<string, Plannable>> {
    const { rows } = await this.db.query<
      Omit<Plannable, 'certificate'> & { id: string; certificate: Plannable['certificate'] | null }
    >(
      `select id, ${domain.text('serverId')} as "serverId", ${domain.json('certificate')} as certificate,
         ${domain.json('config')} is not null as configured,
         ${domain.text('dns', 'pointsHere')}::boolean as "pointsHere"
       from read.domains where workspace = $1 and id = any($2::text[])`,
      [workspace, ids],
    );
    return new Map(
      rows.map(({ id, certificate, ...row }) => [id, { ...row, ...(certificate && { certificate }) }]),
    );
  }
}
