/** Certificates of domains: the runs that get, renew and remove them. */
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { isWildcard, nameOnDisk } from '@quarterdeck/events';
import {
  DomainRegistry,
  recordCertificateLook,
  type PresentDomain,
  type StartCleanup,
  type StartLeftCleanup,
} from '../domains';
import { WorkspaceDns } from '../dns';
import { DomainError, invalidField } from '../platform/errors';
import { Outbound } from '../platform/outbound';
import type { CommandMeta } from '../platform/sessions';
import { CONFIG, DB, type Config, type Pool } from '../platform/tokens';
import { RunEngine } from '../runs';
import { ServerRegistry } from '../servers';
import {
  chosenLineage,
  newText,
  siteOf,
  Sites,
  withLineage,
  type Lineage,
  type LineageChoice,
  type SiteOptions,
  type Started,
} from '../webserver';
import { knownNames, orderedNames, provableNames } from './certificate-names';
import { nothingElseSeen, orderInput } from './certificate-input';
import {
  issueCertificate,
  removeCertificate,
  removeDomain,
  removeLeft,
  renewCertificate,
  type Removal,
  type Taken,
} from './certificate.kinds';
import { DnsProofs } from './dns-proofs';
import { RateBudgets } from './budget-history';

export interface OrderHow {
  runId: string;
  /** Even if the present certificate is far from expiry. */
  force?: boolean | undefined;
  /** Options of the configuration that goes live with it. Default: the live ones. */
  options?: SiteOptions;
  /** SHA-256 of the reviewed configuration. Another one is refused before anything is done. */
  seen?: string;
  /** What becomes of a certificate that certbot already has under the name. Default: as it was ordered before. */
  lineage?: LineageChoice | undefined;
  /** How the names are proved. Default: as before; a wildcard in DNS. */
  proof?: 'http' | 'dns' | undefined;
  /** Register a new account at the authority first. */
  newAccount?: boolean | undefined;
  /** The parent run, if this is one of many. Nobody reviews the site then. */
  parent?: string;
}

export interface RemoveHow {
  runId: string;
  /** SHA-256 of the reviewed configuration. Another one is refused before anything is done. */
  seen?: string | undefined;
  /** Forget the certificate, and leave a certificate on the server that the console did not make. */
  leave?: boolean | undefined;
  /** certbot's name for the certificate, typed to delete one that the console did not make. */
  lineage?: string | undefined;
}

/** Of a domain, or of what it left elsewhere. An adopted certificate stays on the server. */
const takenOf = (
  domain: Pick<PresentDomain, 'serverName'> & { names?: PresentDomain['names'] },
  issued: PresentDomain['certificate']['issued'],
): Taken => ({
  serverName: domain.serverName,
  known: knownNames({ names: [], ...domain, certificate: { ...(issued && { issued }) } }),
  ...(issued?.lineage && { lineage: issued.lineage.name }),
  ...(issued?.lineage?.adopted && { theirs: 'leave' }),
});

@Injectable()
export class Certificates implements OnModuleInit {
  constructor(
    private readonly commands: CommandBus,
    private readonly runs: RunEngine,
    private readonly sites: Sites,
    private readonly domains: DomainRegistry,
    private readonly servers: ServerRegistry,
    private readonly budgets: RateBudgets,
    private readonly outbound: Outbound,
    private readonly dns: WorkspaceDns,
    private readonly proofs: DnsProofs,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(DB) private readonly db: Pool,
  ) {}

  onModuleInit(): void {
    const { commands, domains, budgets, outbound, dns, proofs } = this;
    const dnsProofSeconds = this.config.DNS_PROOF_SECONDS;
    const hostOf = async (server: string, workspace: string) =>
      (await this.servers.server(server, workspace)).host;
    const known = { commands, domains, budgets, outbound, dns, proofs, dnsProofSeconds };
    const noteLook = (site: { id: string; workspace: string }) => recordCertificateLook(this.db, site);
    const deps = { ...known, hostOf, noteLook, sites: this.sites };
    this.sites.register(
      issueCertificate(deps),
      renewCertificate(deps),
      removeCertificate(deps),
      removeDomain,
    );
    this.runs.register({
      ...removeLeft,
      stillFits: async ({ subject, server, input }, workspace) => {
        const { left } = await this.domains.domain(subject.id, workspace);
        if (!left.some((one) => one.serverName === input.serverName && one.server === server?.id))
          throw new DomainError('unprocessable', 'these files count again, or were removed since');
      },
    });
  }

  /** Issues a certificate, or renews an existing one. The same run id joins the same run. */
  async order(
    id: string,
    {
      runId,
      force = false,
      parent,
      options,
      seen,
      lineage: choice,
      proof: asked,
      newAccount = false,
    }: OrderHow,
    meta: CommandMeta,
  ): Promise<Started> {
    const domain = await this.sites.domain(id, meta.workspace);
    const { serverName, certificate } = domain;
    const lineage = choice ? chosenLineage(serverName, choice) : certificate.issued?.lineage;
    if (newAccount && lineage?.adopted)
      throw invalidField(
        'newAccount',
        'an adopted certificate is renewed with the account of its owner: register that one on the server',
      );
    const planned = siteOf(domain, await this.servers.server(domain.server, meta.workspace), options);
    const site = withLineage(planned, lineage);
    const unseen = parent !== undefined;
    const names = lineage?.adopted
      ? orderedNames(domain, lineage)
      : provableNames(domain, await this.liveText(id, domain, meta), { unseen });
    const proof = await this.proofOf(domain, names, { asked, lineage }, meta.workspace);
    const kind = domain.certificate.issued ? 'renewCertificate' : 'issueCertificate';
    const input = orderInput(domain, site, {
      unseen,
      directoryUrl: this.config.ACME_DIRECTORY_URL,
      force,
      ...(lineage && { lineage }),
      ...(choice?.take === 'adopt' && { adopts: true }),
      names,
      known: knownNames(domain),
      ...(proof === 'dns' && { proof }),
      ...(newAccount && { newAccount: true }),
      ...(seen !== undefined && { seen }),
    });
    return this.sites.start(runId, kind, id, domain, input, meta, parent);
  }

  /** @throws DomainError `invalid` on `proof`, with the way out */
  private async proofOf(
    { certificate }: PresentDomain,
    names: readonly string[],
    { asked, lineage }: { asked: OrderHow['proof']; lineage: Lineage | undefined },
    workspace: string,
  ): Promise<'http' | 'dns'> {
    if (lineage?.adopted) {
      if (asked === 'dns')
        throw invalidField('proof', 'an adopted certificate is proved in the way that its owner has set up');
      return 'http';
    }
    const wildcard = names.find(isWildcard);
    const proof = asked ?? (wildcard === undefined ? (certificate.issued?.proof ?? 'http') : 'dns');
    if (proof === 'http') {
      if (wildcard !== undefined)
        throw invalidField('proof', 'an authority proves a wildcard only in DNS: choose that');
      return proof;
    }
    const orElse = wildcard === undefined ? '; or choose the proof over HTTP' : '';
    for (const name of names) {
      const why = await this.dns.whyUnprovable(name, workspace);
      if (why !== undefined) throw invalidField('proof', `${why}${orElse}`);
    }
    return proof;
  }

  /** @throws DomainError `invalid` if a certificate of somebody else is to be deleted and its name was not typed */
  async remove(
    id: string,
    { runId, seen, leave = false, lineage: typed }: RemoveHow,
    meta: CommandMeta,
  ): Promise<Started> {
    const domain = await this.sites.domain(id, meta.workspace);
    if (!domain.certificate.issued)
      throw invalidField('id', 'this domain has no certificate from this console');
    const { serverName, config } = domain;
    const taken = takenOf(domain, domain.certificate.issued);
    const { lineage = nameOnDisk(serverName) } = taken;
    if (typed !== undefined && typed !== lineage)
      throw invalidField(
        'lineage',
        `the certificate is called ${lineage} on its server: type that to delete it`,
      );
    const theirs = typed === undefined ? (leave ? 'leave' : taken.theirs) : 'delete';
    const planned = siteOf(domain, await this.servers.server(domain.server, meta.workspace));
    const site = withLineage(planned, undefined);
    const plain = { ...site, options: { ...site.options, ssl: false } };
    if (!config?.options.ssl) nothingElseSeen(seen, config?.sha256);
    const input = config?.options.ssl ? newText(plain, config.sha256, seen) : { serverName };
    const what = { ...input, ...taken, lineage, ...(theirs && { theirs }) };
    return this.sites.start(runId, 'removeCertificate', id, domain, what, meta);
  }

  /** The live configuration, if it has to answer for other names. */
  private async liveText(
    id: string,
    { names, config }: PresentDomain,
    { workspace }: CommandMeta,
  ): Promise<string | undefined> {
    if (names.length === 0 || !config) return undefined;
    return (await this.sites.live(id, workspace)).config?.text;
  }

  readonly cleanUp: StartCleanup = async (domain, keep, runId, meta) => {
    if (keep.config && !keep.certificate && domain.config?.options.ssl)
      throw invalidField(
        'keep.certificate',
        'the configuration that stays on the server needs the certificate: keep both or neither',
      );
    const has = { config: domain.config !== undefined, certificate: domain.certificate.issued !== undefined };
    // The domain goes in any case, so what is not the console's stays without a question.
    const input: Removal = { ...takenOf(domain, domain.certificate.issued), theirs: 'leave', keep, has };
    return this.sites.start(runId, 'removeDomain', domain.id, domain, input, meta);
  };

  readonly cleanUpLeft: StartLeftCleanup = ({ id }, left, runId, meta) => {
    const { config, issued } = left;
    const has = { config: config !== undefined, certificate: issued !== undefined };
    const keep = { config: false, certificate: false };
    const input: Removal = { ...takenOf(left, issued), theirs: 'leave', keep, has };
    return this.sites.start(runId, 'removeLeft', id, left, input, meta);
  };
}
