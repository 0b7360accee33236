/** A domain's present, past and future configurations, and the runs that apply them. */
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { Position } from '@quarterdeck/events';
import type { DomainView } from '@quarterdeck/projections';
import { AdoptConfig, domainDetail, domainsDecider, RecordSiteAnswer, type PresentDomain } from '../domains';
import { Decisions, followUp } from '../platform/decisions';
import type { Decision } from '../platform/decider';
import { DomainError, invalidField, notFound } from '../platform/errors';
import { Outbound } from '../platform/outbound';
import type { CommandMeta } from '../platform/sessions';
import { DB, type Pool } from '../platform/tokens';
import { ExclusiveRuns, RunEngine, type RunKind, type RunRequest } from '../runs';
import { ServerRegistry } from '../servers';
import { appliedText } from './applied-texts';
import { sha256OfText } from './apply-scripts/apply';
import type { LiveFile } from './apply-scripts/read';
import { LiveFiles } from './live-files';
import { applySite, lookAtSite, removeSite, type EarlierConfig } from './site.kinds';
import { asInput, earlierText, newText, siteInputOf } from './site-input';
import { siteOf, type SiteOptions } from './site-of';

export interface Started {
  runId: string;
  position: Position;
}

@Injectable()
export class Sites implements OnModuleInit {
  constructor(
    private readonly commands: CommandBus,
    private readonly decisions: Decisions,
    @Inject(DB) private readonly db: Pool,
    private readonly runs: RunEngine,
    private readonly exclusive: ExclusiveRuns,
    private readonly servers: ServerRegistry,
    private readonly files: LiveFiles,
    private readonly outbound: Outbound,
  ) {}

  onModuleInit(): void {
    const deps = {
      outbound: this.outbound,
      hostOf: async (server: string, { workspace }: CommandMeta) =>
        (await this.servers.server(server, workspace)).host,
      earlier: this.earlier.bind(this),
      read: this.readAtRest.bind(this),
      answered: (id: string, found: RecordSiteAnswer['data'], meta: CommandMeta) =>
        this.commands.execute(new RecordSiteAnswer(id, found, followUp(meta))),
    };
    this.register(applySite(deps), removeSite, lookAtSite(deps));
  }

  /** Registers kinds of runs about a domain on its server, with the domain's name in their input. */
  register(...kinds: readonly RunKind[]): void {
    for (const kind of kinds) this.runs.register({ ...kind, stillFits: this.stillFits.bind(this) });
  }

  /** Read from the log, so it is always current. @throws DomainError `notFound` */
  async domain(id: string, workspace: string): Promise<PresentDomain> {
    const { state } = await this.decisions.load(domainsDecider, id, workspace);
    if (state.is !== 'present') throw notFound('domain');
    return state;
  }

  /** The live configuration with its text, from the read model. @throws DomainError `notFound` */
  async live(id: string, workspace: string): Promise<DomainView> {
    const view = await domainDetail(this.db, workspace, id);
    if (!view) throw notFound('domain');
    return view;
  }

  /**
   * What the configuration of a domain on its server is generated from.
   * @throws DomainError `invalid` if it needs a certificate that does not exist
   */
  async site(domain: PresentDomain, workspace: string, options?: SiteOptions) {
    const site = siteOf(domain, await this.servers.server(domain.server, workspace), options);
    if (site.options.ssl && !domain.certificate.issued && options !== undefined)
      throw invalidField('options.ssl', 'this domain has no certificate yet: issue one first');
    return site;
  }

  /**
   * @param overwrite SHA-256 of a foreign file that may be overwritten
   * @param seen SHA-256 of the reviewed text; another one is refused before anything is done
   */
  async apply(
    id: string,
    {
      runId,
      options,
      overwrite,
      seen,
    }: { runId: string; options?: SiteOptions; overwrite?: string; seen?: string },
    meta: CommandMeta,
  ): Promise<Started & { text: string }> {
    const domain = await this.domain(id, meta.workspace);
    const site = await this.site(domain, meta.workspace, options ?? domain.config?.options);
    const input = newText(site, expectedOf(domain, overwrite), seen);
    return {
      ...(await this.start(runId, 'applySite', id, domain, input, meta)),
      text: String(input['text']),
    };
  }

  /** Restores an earlier text that was applied, or found on the server and adopted. */
  async restore(
    id: string,
    { runId, sha256, overwrite }: { runId: string; sha256: string; overwrite?: string },
    meta: CommandMeta,
  ): Promise<Started & { text: string }> {
    const domain = await this.domain(id, meta.workspace);
    const earlier = await this.earlier(id, sha256, meta.workspace);
    if (!earlier) throw invalidField('sha256', 'this configuration was never live for this domain');
    const { serverName } = domain;
    const input = earlierText({ serverName, ...earlier }, expectedOf(domain, overwrite));
    return { ...(await this.start(runId, 'applySite', id, domain, input, meta)), text: earlier.text };
  }

  async remove(id: string, runId: string, meta: CommandMeta): Promise<Started> {
    const domain = await this.domain(id, meta.workspace);
    return this.start(runId, 'removeSite', id, domain, { serverName: domain.serverName }, meta);
  }

  async look(id: string, runId: string, meta: CommandMeta): Promise<Started> {
    const domain = await this.domain(id, meta.workspace);
    const { serverName, config } = domain;
    const input = { serverName, sha256: config?.sha256 ?? '' };
    return this.start(runId, 'lookAtSite', id, domain, input, meta);
  }

  /**
   * SHA-256 of the file on a server for a name, `-` for none.
   * @throws SshFailure, DomainError, StepFailed with the server's message
   */
  async liveHash(
    server: string,
    serverName: string,
    meta: CommandMeta,
    signal: AbortSignal,
  ): Promise<string> {
    return (await this.files.read(server, serverName, meta, signal)).sha256 ?? '-';
  }

  /** A configuration made for an earlier name or server would go live where nobody looks for it. */
  private async stillFits({ subject, server, input }: RunRequest, workspace: string): Promise<void> {
    const domain = await this.domain(subject.id, workspace);
    const { serverName } = siteInputOf({ input });
    const since = (what: string): DomainError =>
      new DomainError('unprocessable', `${what} since: start a new run instead`);
    if (domain.serverName !== serverName) throw since(`${serverName} was renamed to ${domain.serverName}`);
    if (domain.server !== server?.id) throw since(`${serverName} was moved away from ${server?.name}`);
  }

  private async readAtRest(
    { subject, server, input }: RunRequest,
    meta: CommandMeta,
    signal: AbortSignal,
  ): Promise<LiveFile> {
    const { serverName } = siteInputOf({ input });
    const reading = this.exclusive.withLock(subject, meta.workspace, () =>
      // The read changes nothing, so others may begin even after it has failed.
      Promise.allSettled([this.files.read(server?.id ?? '', serverName, meta, signal)]),
    );
    const [read] = await reading;
    if (read.status === 'rejected') throw read.reason;
    return read.value;
  }

  private async earlier(id: string, sha256: string, workspace: string): Promise<EarlierConfig | undefined> {
    const { configs } = await this.live(id, workspace);
    const known = configs.find((config) => config.sha256 === sha256);
    const text = known && (await appliedText(this.db, workspace, known.position));
    return known && text !== undefined ? { text, options: known.options } : undefined;
  }

  /** @throws DomainError `invalid` if it is not the last found text, or could not be stored as text */
  async adopt(id: string, sha256: string, meta: CommandMeta): Promise<Decision> {
    const { drift } = await this.domain(id, meta.workspace);
    if (drift?.sha256 === sha256 && drift.text !== undefined && sha256OfText(drift.text) !== sha256)
      throw invalidField('sha256', 'this file is too long or not text: it can only be overwritten');
    return this.commands.execute(new AdoptConfig(id, { sha256 }, meta));
  }

  /** A run on the domain's server, with the domain as its subject. */
  async start(
    runId: string,
    kind: string,
    id: string,
    { serverName, server }: Pick<PresentDomain, 'serverName' | 'server'>,
    input: object,
    meta: CommandMeta,
    parent?: string,
  ): Promise<Started> {
    const { alias } = await this.servers.server(server, meta.workspace);
    const subject = { kind: 'domain', id, name: serverName };
    const where = { subject, server: { id: server, name: alias } };
    return this.runs.start(
      runId,
      kind,
      { ...where, input: asInput(input), ...(parent !== undefined && { parent }) },
      meta,
    );
  }
}

/**
 * The file that may be on the server before an apply: the last applied one, or one that the operator has seen there.
 */
const expectedOf = ({ config }: PresentDomain, overwrite: string | undefined): string =>
  overwrite ?? config?.sha256 ?? '-';
