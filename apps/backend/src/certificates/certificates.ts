/** Certificates of domains: the runs that get, renew and remove them. */
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { DomainCleanup, DomainRegistry, type StartCleanup, type StartLeftCleanup } from '../domains';
import { DomainError, invalidField } from '../platform/errors';
import { Outbound } from '../platform/outbound';
import type { CommandMeta } from '../platform/sessions';
import { CONFIG, type Config } from '../platform/tokens';
import { RunEngine } from '../runs';
import { ServerRegistry } from '../servers';
import { newText, siteOf, Sites, type SiteOptions, type Started } from '../webserver';
import { nothingElseSeen, orderInput } from './certificate-input';
import {
  issueCertificate,
  removeCertificate,
  removeDomain,
  removeLeft,
  renewCertificate,
  type Removal,
} from './certificate.kinds';
import { RateBudgets } from './rate-budgets';

export interface OrderHow {
  runId: string;
  /** Even if the present certificate is far from expiry. */
  force?: boolean | undefined;
  /** Options of the configuration that goes live with it. Default: the live ones. */
  options?: SiteOptions;
  /** SHA-256 of the reviewed configuration. Another one is refused before anything is done. */
  seen?: string;
  /** The parent run, if this is one of many. Nobody reviews the site then. */
  parent?: string;
}

@Injectable()
export class Certificates implements OnModuleInit {
  constructor(
    private readonly commands: CommandBus,
    private readonly runs: RunEngine,
    private readonly sites: Sites,
    private readonly domains: DomainRegistry,
    private readonly cleanup: DomainCleanup,
    private readonly servers: ServerRegistry,
    private readonly budgets: RateBudgets,
    private readonly outbound: Outbound,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  onModuleInit(): void {
    const { commands, domains, budgets, outbound } = this;
    const hostOf = async (server: string, workspace: string) =>
      (await this.servers.server(server, workspace)).host;
    const means = { commands, domains, budgets, outbound, hostOf, sites: this.sites };
    this.sites.register(
      issueCertificate(means),
      renewCertificate(means),
      removeCertificate(means),
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
    this.cleanup.give({ domain: this.cleanUp, left: this.cleanUpLeft });
  }

  /** Issues a certificate, or renews an existing one. The same run id joins the same run. */
  async order(
    id: string,
    { runId, force = false, parent, options, seen }: OrderHow,
    meta: CommandMeta,
  ): Promise<Started> {
    const domain = await this.sites.domain(id, meta.workspace);
    const site = siteOf(domain, await this.servers.server(domain.server, meta.workspace), options);
    const kind = domain.certificate.issued ? 'renewCertificate' : 'issueCertificate';
    const input = orderInput(domain, site, {
      unseen: parent !== undefined,
      directoryUrl: this.config.ACME_DIRECTORY_URL,
      force,
      ...(seen !== undefined && { seen }),
    });
    return this.sites.start(runId, kind, id, domain, input, meta, parent);
  }

  /** @param seen SHA-256 of the reviewed configuration; another one is refused before anything is done */
  async remove(id: string, runId: string, seen: string | undefined, meta: CommandMeta): Promise<Started> {
    const domain = await this.sites.domain(id, meta.workspace);
    if (!domain.certificate.issued)
      throw invalidField('id', 'this domain has no certificate from this console');
    const { serverName, config } = domain;
    const site = siteOf(domain, await this.servers.server(domain.server, meta.workspace));
    const plain = { ...site, options: { ...site.options, ssl: false } };
    if (!config?.options.ssl) nothingElseSeen(seen, config?.sha256);
    const input = config?.options.ssl ? newText(plain, config.sha256, seen) : { serverName };
    return this.sites.start(runId, 'removeCertificate', id, domain, input, meta);
  }

  private readonly cleanUp: StartCleanup = async (domain, keep, runId, meta) => {
    if (keep.config && !keep.certificate && domain.config?.options.ssl)
      throw invalidField(
        'keep.certificate',
        'the configuration that stays on the server needs the certificate: keep both or neither',
      );
    const { serverName } = domain;
    const has = { config: domain.config !== undefined, certificate: domain.certificate.issued !== undefined };
    const input: Removal = { serverName, keep, has };
    return this.sites.start(runId, 'removeDomain', domain.id, domain, input, meta);
  };

  private readonly cleanUpLeft: StartLeftCleanup = ({ id }, left, runId, meta) => {
    const { serverName, config, issued } = left;
    const has = { config: config !== undefined, certificate: issued !== undefined };
    const input: Removal = { serverName, keep: { config: false, certificate: false }, has };
    return this.sites.start(runId, 'removeLeft', id, left, input, meta);
  };
}
