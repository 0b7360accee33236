/** The sections Service, Domain and Deploy. */
import { Inject, Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { laterValues, service, servicePackage } from '@quarterdeck/events';
import { clientPartOf } from '@quarterdeck/events/inputs';
import { v5 as uuidv5 } from 'uuid';
import { Deploys } from '../deploys';
import { AddLocation, DomainRegistry, locationOf } from '../domains';
import { invalidField } from '../platform/errors';
import { listOf, PlainRecords, recordsOf } from '../platform/kit';
import { DB, PROJECTIONS, type Pool, type ProjectionRunner } from '../platform/tokens';
import { Repositories, RepositoryReads, type Part } from '../repositories';
import { RunEngine, StepFailed } from '../runs';
import { ServiceCreation } from '../services';
import { VariableReader, Variables } from '../variables';
import { instanceOf } from '../versions';
import { Sites, type SiteOptions } from '../webserver';
import type { Made } from './creations.decider';
import { hasClient, placeOf } from './product-sections';
import {
  joined,
  madeAt,
  madeId,
  productOf,
  serverOf,
  type SectionInput,
  type SectionStep,
  type SectionSteps,
} from './section-work';
import type { Work, Worked } from './section-work';

const DEV = 1;
const SEEN_MS = 10_000;
/** The words of the specification. */
const NO_VERSIONS = 'No versions were found, are you sure a package was published for that repository';
/** Until the domain has a certificate. */
const NEW_DOMAIN: SiteOptions = { ssl: false, docker: false, gzip: false };

export const domainOf = (input: SectionInput): string =>
  input.values.domain?.domain?.id ??
  madeId(input, 'domain', 'domain') ??
  madeId(input, 'dns', 'domain') ??
  '';

/** Services of both parts have the kinds `service` and `client` in what was made. */
const serviceOf = (input: SectionInput, part: Part): string | undefined =>
  madeId(input, 'service', part === 'server' ? 'service' : 'client');

const inOrder = new Intl.Collator('en', { numeric: true });

@Injectable()
export class ServiceSections {
  constructor(
    @Inject(DB) private readonly db: Pool,
    @Inject(PROJECTIONS) private readonly projections: ProjectionRunner,
    private readonly engine: RunEngine,
    private readonly commands: CommandBus,
    private readonly creation: ServiceCreation,
    private readonly repositories: Repositories,
    private readonly reads: RepositoryReads,
    private readonly variables: Variables,
    private readonly variableReader: VariableReader,
    private readonly domains: DomainRegistry,
    private readonly deploys: Deploys,
    private readonly sites: Sites,
    @Inject(recordsOf(service)) private readonly services: PlainRecords,
    @Inject(recordsOf(servicePackage)) private readonly packages: PlainRecords,
  ) {}

  readonly steps: SectionSteps = {
    service: [
      { name: 'create', perform: (work) => this.create(work) },
      { name: 'createFront', when: hasClient, perform: (work) => this.createFront(work) },
      { name: 'addEnvVar', perform: (work) => this.addInstance(work) },
    ],
    domain: [{ name: 'domain', perform: (work) => this.domain(work) }],
    deploy: [
      { name: 'server', perform: (work) => this.deploy(work, 'server') },
      { name: 'client', when: hasClient, perform: (work) => this.deploy(work, 'client') },
      { name: 'deployment', perform: (work) => this.site(work) },
      this.publishing('CI', 'server'),
      this.publishing('CIFront', 'client'),
    ],
  };

  /** The service and its repositories: the run `createService` has the steps of the specification. */
  private async create(work: Work): Promise<Worked> {
    const { context, input, io } = work;
    const { values } = input;
    const { name = '', nameFront = '', port = 0, withDb = false } = values.service ?? {};
    const data = {
      name,
      nameFront,
      port,
      withDb,
      organization: placeOf(input, 'server').organization,
      repo: placeOf(input, 'server').repo,
      repoFront: placeOf(input, 'client').repo,
      server: { id: serverOf(input) },
      packageType: 'container',
      packageSubfolder: '',
      ...laterValues(service),
    };
    const runId = uuidv5('createService', context.run);
    const made = [{ kind: 'service', id: this.creation.idOf(runId), name }];
    await joined(this.engine, work, {
      run: runId,
      step: 'create',
      made,
      start: () =>
        this.creation.start(
          {
            data,
            product: { id: productOf(input) },
            fromTemplate: { server: false, client: false },
            // The section before created these repositories.
            inits: values.repository?.fromTemplate ?? { server: false, client: false },
            runId,
          },
          io.meta,
        ),
    });
    io.print(`Created the service ${name}.\n`);
    return { made };
  }

  /** The client part is deployed as a service of its own. */
  private async createFront({ input, io, once }: Work): Promise<Worked> {
    const { name, port } = clientPartOf(input.values.service);
    const { organization, repo } = placeOf(input, 'client');
    const fields = {
      name,
      nameFront: '',
      organization,
      repo,
      repoFront: '',
      server: { id: serverOf(input) },
      port,
      packageType: 'npm',
      packageSubfolder: '',
      withDb: false,
      ...laterValues(service),
    };
    const { id, position } = await this.services.add(fields, productOf(input), once('client'));
    await this.projections.waitFor(position, SEEN_MS);
    io.print(`Created the service ${name}.\n`);
    return { made: [{ kind: 'client', id, name }] };
  }

  /** `INSTANCE_NAME` was added with the service. */
  private async addInstance(work: Work): Promise<Worked> {
    const { input, io, once } = work;
    const id = madeAt(work, 'create')[0]?.id ?? '';
    const has = await this.variableReader.prints(id, DEV, io.meta.workspace);
    if (has.some(({ key }) => key === 'INSTANCE_UUID')) return {};
    const variable = { key: 'INSTANCE_UUID', value: instanceOf(productOf(input)), env: DEV, secret: false };
    await this.variables.add(id, undefined, variable, once('INSTANCE_UUID'));
    io.print('Added INSTANCE_UUID.\n');
    return {};
  }

  /** Refused unless the address of the name in DNS is the host of the server. */
  private async domain({ input, io, once }: Work): Promise<Worked> {
    const { domain: chosen, serverName = '' } = input.values.domain ?? {};
    const server = serverOf(input);
    if (chosen) {
      const found = await this.domains.domain(chosen.id, io.meta.workspace);
      if (found.server !== server)
        throw invalidField('values.domain', `${found.serverName} is on another server`);
      io.print(`Uses the domain ${found.serverName}.\n`);
      return {};
    }
    const { id, position } = await this.domains.add({ serverName, server }, once('domain'));
    await this.projections.waitFor(position, SEEN_MS);
    io.print(`Added the domain ${serverName}.\n`);
    return { made: [{ kind: 'domain', id, name: serverName }] };
  }

  /** Deploys the newest package, if one is published. */
  private async deploy(work: Work, part: Part): Promise<Worked> {
    const { context, input, io } = work;
    const id = serviceOf(input, part) ?? '';
    const newest = await this.newestPackage(work, id, part);
    if (!newest) {
      io.print(`${NO_VERSIONS}. Deploy it from the page of the service, once there is one.\n`);
      return { report: { deployed: 'no' } };
    }
    const runId = uuidv5(`deploy ${part}`, context.run);
    const asked = { id, packageId: newest.id, env: input.values.deploy?.env ?? DEV, runId };
    const made = [...newest.made, { kind: 'deploy', id: runId, name: newest.version }];
    await joined(this.engine, work, {
      run: runId,
      step: part,
      made,
      start: () => this.deploys.deploy(asked, io.meta),
    });
    io.print(`Deployed ${newest.version}.\n`);
    return { made };
  }

  private async newestPackage({ input, io, once }: Work, of: string, part: Part) {
    const known = await listOf(servicePackage, this.db, io.meta.workspace, of);
    const newest = known.toSorted((a, b) => inOrder.compare(String(b['version']), String(a['version'])))[0];
    if (newest) return { id: String(newest['id']), version: String(newest['version']), made: [] };
    if (part === 'client') return undefined;
    const published = await this.reads.published(placeOf(input, 'server'), undefined, io.meta);
    const [first] = published.toSorted((a, b) => b.createdAt.localeCompare(a.createdAt));
    if (!first) return undefined;
    const { version, image, digest } = first;
    const added = await this.packages.add({ version, image, digest }, of, once('package'));
    await this.projections.waitFor(added.position, SEEN_MS);
    return { id: added.id, version, made: [{ kind: 'package', id: added.id, name: version }] };
  }

  /** With a client part, it answers at `/` and the server part at `/api/`. */
  private async site(work: Work): Promise<Worked> {
    const { input } = work;
    const { port = 0 } = input.values.service ?? {};
    const server = { location: hasClient(input) ? '/api/' : '/', port };
    const client = { location: '/', port: clientPartOf(input.values.service).port };
    const places = hasClient(input) ? [server, client] : [server];
    return this.live(work, 'deployment', places, NEW_DOMAIN);
  }

  /** Adds locations that lead to ports of the domain's server, and applies the site. */
  async live(
    work: Work,
    step: string,
    places: readonly { location: string; port: number }[],
    options: SiteOptions,
  ): Promise<Worked> {
    const { context, input, io } = work;
    const id = domainOf(input) || (madeAt(work, 'domain')[0]?.id ?? '');
    const { serverName, certificate } = await this.domains.domain(id, io.meta.workspace);
    const made: Made = [];
    for (const { location, port } of places) {
      const of = uuidv5(`location ${location}`, context.run);
      const data = locationOf(of, { location, url: `http://127.0.0.1:${port}` });
      await this.commands.execute(new AddLocation(id, data, work.once(`location ${location}`)));
      made.push({ kind: 'location', id: of, name: location });
    }
    const ssl = certificate.issued !== undefined;
    const apply = async (docker: boolean): Promise<void> => {
      const runId = uuidv5(docker === options.docker ? 'applySite' : 'applySite on the server', context.run);
      const start = () => this.sites.apply(id, { runId, options: { ...options, docker, ssl } }, io.meta);
      await joined(this.engine, work, { run: runId, step, made, start });
    };
    await apply(options.docker).catch((error: unknown) => {
      if (!options.docker || !(error instanceof StepFailed) || error.code !== 'noContainer') throw error;
      io.print('Its nginx runs on the server itself, so Docker is off for this site.\n');
      return apply(false);
    });
    io.print(`${serverName} is live.\n`);
    return { made };
  }

  /** The workflow that publishes a package at each release. It is committed to the repository. */
  private publishing(name: string, part: Part): SectionStep {
    const kind = part === 'server' ? 'container' : 'npm';
    return {
      name,
      when: (input) => part === 'server' || hasClient(input),
      perform: async ({ input, io }) => {
        const { done } = await this.repositories.addPublishing(placeOf(input, part), kind, io.meta);
        io.print(`${done.changed ? 'Committed' : 'Has already'} the workflow: ${done.url}\n`);
        return done.changed ? { report: { commit: done.commit, url: done.url } } : {};
      },
      event: (input, { commit, url = '' }, meta) =>
        commit === undefined
          ? undefined
          : this.repositories.record(
              {
                type: 'RepositoryPublishingAdded',
                data: { ...placeOf(input, part), package: kind, commit, url },
              },
              meta,
            ),
    };
  }
}
