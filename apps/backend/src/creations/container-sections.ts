/** The sections of the container flow: Repo, DNS and Certificate. */
import { Inject, Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { laterValues, product, service, servicePackage } from '@quarterdeck/events';
import { namesOfSite } from '@quarterdeck/projections';
import { setTimeout as sleep } from 'node:timers/promises';
import { v5 as uuidv5 } from 'uuid';
import { Certificates } from '../certificates';
import { Deploys } from '../deploys';
import { HostRecords, splitHostName, WorkspaceDns } from '../dns';
import { DomainRegistry, listDomains, refusalOf } from '../domains';
import { DomainError, invalidField } from '../platform/errors';
import { detailOf, PlainRecords, recordsOf } from '../platform/kit';
import { DB, PROJECTIONS, type Pool, type ProjectionRunner } from '../platform/tokens';
import { RepositoryReads } from '../repositories';
import { RunEngine } from '../runs';
import { ServerRegistry } from '../servers';
import type { SiteOptions } from '../webserver';
import { WorkspaceSettings } from '../workspaces';
import { domainOf, ServiceSections } from './service-sections';
import { joined, madeAt, type SectionInput, type SectionSteps, type Work, type Worked } from './section-work';

const PROD = 3;
const SEEN_MS = 10_000;
/** The words of the specification. */
const NO_VERSIONS = 'No versions were found, are you sure a package was published for that repository';
const CONTAINER: SiteOptions = { ssl: false, docker: true, gzip: true };
/** How long a new name may take until resolvers know it. */
const KNOWN_WITHIN = { looks: 30, pauseMs: 2000 };

@Injectable()
export class ContainerSections {
  readonly patience = { ...KNOWN_WITHIN };

  constructor(
    @Inject(DB) private readonly db: Pool,
    @Inject(PROJECTIONS) private readonly projections: ProjectionRunner,
    private readonly commands: CommandBus,
    private readonly engine: RunEngine,
    private readonly settings: WorkspaceSettings,
    private readonly servers: ServerRegistry,
    private readonly reads: RepositoryReads,
    private readonly dns: WorkspaceDns,
    private readonly records: HostRecords,
    private readonly domains: DomainRegistry,
    private readonly deploys: Deploys,
    private readonly certificates: Certificates,
    private readonly serviceSections: ServiceSections,
    @Inject(recordsOf(service)) private readonly services: PlainRecords,
    @Inject(recordsOf(servicePackage)) private readonly packages: PlainRecords,
  ) {}

  readonly steps: SectionSteps = {
    repo: [{ name: 'repo', perform: (work) => this.repo(work) }],
    dns: [
      { name: 'service', perform: (work) => this.service(work) },
      { name: 'dns', perform: (work) => this.record(work) },
      { name: 'domain', perform: (work) => this.domain(work) },
      { name: 'deploy', perform: (work) => this.deploy(work) },
      {
        name: 'site',
        perform: (work) => {
          const { port = 0 } = work.input.values.dns ?? {};
          return this.serviceSections.live(work, 'site', [{ location: '/', port }], CONTAINER);
        },
      },
    ],
    certificate: [{ name: 'certificate', perform: (work) => this.certificate(work) }],
  };

  /** The server and the product: chosen in the section, or in the settings of the workspace. */
  async placeOf({ values: { repo } }: Pick<SectionInput, 'values'>, workspace: string) {
    const chosen = await this.settings.get('ContainerFlowConfigured', workspace);
    const [server, of] = [repo?.server ?? chosen.server, repo?.product ?? chosen.product];
    const choose = (what: string) => `choose a ${what}, here or in the settings of the workspace`;
    if (!server) throw invalidField('values.server', choose('server'));
    if (!of) throw invalidField('values.product', choose('product'));
    const registered = await this.servers.server(server.id, workspace);
    if (!(await detailOf(product, this.db, workspace, of.id)))
      throw invalidField('values.product', 'this product does not exist any more');
    return { server: { id: server.id, ...registered }, product: of.id };
  }

  /** The package that is deployed. */
  async packageOf({ values: { repo } }: Pick<SectionInput, 'values'>, meta: Work['io']['meta']) {
    const { repoUrl = '', dockerName, version } = repo ?? {};
    const place = this.reads.placeIn(repoUrl, 'values.repoUrl');
    const all = await this.reads.published(place, dockerName || undefined, meta);
    const newest = all.toSorted((a, b) => b.createdAt.localeCompare(a.createdAt));
    const found = version ? newest.find((one) => one.version === version) : newest[0];
    if (!found) throw new DomainError('unprocessable', NO_VERSIONS, undefined, { code: 'noVersions' });
    return found;
  }

  private async repo({ input, io }: Work): Promise<Worked> {
    const place = await this.placeOf(input, io.meta.workspace);
    const found = await this.packageOf(input, io.meta);
    io.print(`Uses ${found.image} on ${place.server.alias}.\n`);
    return {};
  }

  private async service({ input, io, once }: Work): Promise<Worked> {
    const { server, product: of } = await this.placeOf(input, io.meta.workspace);
    const { organization, repo, version, image, digest } = await this.packageOf(input, io.meta);
    const { subdomain = '', port = 0 } = input.values.dns ?? {};
    const fields = {
      name: subdomain,
      nameFront: '',
      organization,
      repo,
      repoFront: '',
      server: { id: server.id },
      port,
      packageType: 'container',
      packageSubfolder: input.values.repo?.dockerName ?? '',
      withDb: false,
      ...laterValues(service),
    };
    const added = await this.services.add(fields, of, once('service'));
    const kept = await this.packages.add({ version, image, digest }, added.id, once('package'));
    await this.projections.waitFor(kept.position, SEEN_MS);
    io.print(`Created the service ${subdomain} with its package ${image}.\n`);
    const made = [
      { kind: 'service', id: added.id, name: subdomain },
      { kind: 'package', id: kept.id, name: version },
    ];
    return { made };
  }

  /** The parent domain of the workspace. @throws DomainError if none is set and there is no provider */
  async nameOf({ values: { dns } }: Pick<SectionInput, 'values'>, workspace: string) {
    const set = (await this.settings.get('DnsConfigured', workspace)).parent;
    const parent = set ?? (await this.dns.writer(workspace)).parent;
    return { parent, hostname: `${dns?.subdomain ?? ''}.${parent}`.toLowerCase() };
  }

  /** Whether a domain of the workspace has this name. */
  async isKnown(hostname: string, workspace: string): Promise<boolean> {
    const all = await listDomains(this.db, workspace);
    return all.some(({ domain }) => namesOfSite(domain).includes(hostname));
  }

  /** Why the name cannot be had: a domain has it, or it points elsewhere and no provider can add its record. */
  async refusedName(entered: Pick<SectionInput, 'values'>, workspace: string): Promise<string | undefined> {
    const { hostname } = await this.nameOf(entered, workspace);
    if (await this.isKnown(hostname, workspace)) return `${hostname} is a domain of this workspace already`;
    try {
      await this.dns.writer(workspace);
      return undefined;
    } catch (error) {
      if (!(error instanceof DomainError) || error.code !== 'unprocessable') throw error;
      const { server } = await this.placeOf(entered, workspace);
      const refusal = refusalOf(hostname, server, await this.dns.pointing(hostname, server, workspace));
      return refusal && `${refusal}, and a record cannot be added: ${error.msg}`;
    }
  }

  private async record({ input, io, once }: Work): Promise<Worked> {
    const { workspace } = io.meta;
    const { parent, hostname } = await this.nameOf(input, workspace);
    const { server } = await this.placeOf(input, workspace);
    const found = await this.dns.pointing(hostname, server, workspace);
    if (refusalOf(hostname, server, found) === undefined) {
      io.print(`${hostname} points to ${server.alias} already.\n`);
      return {};
    }
    const { host } = found;
    const ip = host.is === 'found' ? (host.addresses[0]?.address ?? server.host) : server.host;
    const parts = splitHostName(hostname, parent);
    const answer = await this.records.add({ ...parts, ip, replace: false }, once('dns'));
    const { added } = 'body' in answer ? answer.body : answer;
    io.print(`${added ? 'Added' : 'DNS has already'} ${hostname} with the address ${ip}.\n`);
    // It stays when the section is undone, and the undo says so.
    return added ? { made: [{ kind: 'record', id: uuidv5(hostname, workspace), name: hostname }] } : {};
  }

  /** A new name may take a moment until resolvers know it. */
  private async domain({ input, io, once }: Work): Promise<Worked> {
    const { workspace } = io.meta;
    const { hostname: serverName } = await this.nameOf(input, workspace);
    const { server } = await this.placeOf(input, workspace);
    const { looks, pauseMs } = this.patience;
    for (let look = 1; ; look += 1) {
      try {
        const { id, position } = await this.domains.add({ serverName, server: server.id }, once('domain'));
        await this.projections.waitFor(position, SEEN_MS);
        io.print(`Added the domain ${serverName}.\n`);
        return { made: [{ kind: 'domain', id, name: serverName }] };
      } catch (error) {
        if (!(error instanceof DomainError) || error.code !== 'invalid' || look === looks) throw error;
        await sleep(pauseMs, undefined, { signal: io.signal });
      }
    }
  }

  private async deploy(work: Work): Promise<Worked> {
    const { context, io } = work;
    const [of, kept] = madeAt(work, 'service');
    const runId = uuidv5('deploy', context.run);
    const made = [{ kind: 'deploy', id: runId, name: kept?.name ?? '' }];
    await joined(this.engine, work, {
      run: runId,
      step: 'deploy',
      made,
      start: () =>
        this.deploys.deploy({ id: of?.id ?? '', packageId: kept?.id ?? '', env: PROD, runId }, io.meta),
    });
    io.print(`Deployed ${kept?.name ?? ''}.\n`);
    return { made };
  }

  private async certificate(work: Work): Promise<Worked> {
    const { context, input, io } = work;
    const id = domainOf(input);
    const runId = uuidv5('certificate', context.run);
    const { serverName, config } = await this.domains.domain(id, io.meta.workspace);
    const options = { ...(config?.options ?? CONTAINER), ssl: true };
    await joined(this.engine, work, {
      run: runId,
      step: 'certificate',
      start: () => this.certificates.order(id, { runId, options }, io.meta),
    });
    io.print(`${serverName} has a certificate.\n`);
    return { made: [{ kind: 'certificate', id, name: serverName }] };
  }
}
