/** The sections Product, Database, Github repo and Server. */
import { Inject, Injectable } from '@nestjs/common';
import { database, product } from '@quarterdeck/events';
import { DomainError, invalidField, notFound } from '../platform/errors';
import { detailOf, PlainRecords, recordsOf } from '../platform/kit';
import { idFor } from '../platform/sessions';
import { DB, PROJECTIONS, VAULT, type Pool, type ProjectionRunner, type Vault } from '../platform/tokens';
import { markOf, Repositories, repositoryId, type Part, type RepositoryName } from '../repositories';
import { ServerRegistry } from '../servers';
import { Importing, Versions } from '../versions';
import { CloudSections, isDroplet, isFromCloud, isSetUp } from './cloud-sections';
import type { SectionInput, SectionStep, SectionSteps, Work, Worked } from './section-work';
import { madeAt, productOf } from './section-work';

const DEV = 1;
const MYSQL = 1;
const SEEN_MS = 10_000;
const CLUSTER_MS = 75 * 60_000;
/** The longest pause requested by the source host for which a run waits. */
const WAIT_SECONDS = 300;

export const placeOf = ({ values: { repository } }: SectionInput, part: Part): RepositoryName => ({
  organization: repository?.organization ?? '',
  repo: (part === 'server' ? repository?.repo : repository?.repoFront) ?? '',
});

export const hasClient = ({ values: { repository } }: Pick<SectionInput, 'values'>): boolean =>
  Boolean(repository?.repoFront);

export const manner = ({ io: { signal, print } }: Pick<Work, 'io'>) => ({
  signal,
  print,
  waitSeconds: WAIT_SECONDS,
});

@Injectable()
export class ProductSections {
  constructor(
    @Inject(DB) private readonly db: Pool,
    @Inject(PROJECTIONS) private readonly projections: ProjectionRunner,
    @Inject(VAULT) private readonly vault: Vault,
    @Inject(recordsOf(product)) private readonly products: PlainRecords,
    @Inject(recordsOf(database)) private readonly databases: PlainRecords,
    private readonly importing: Importing,
    private readonly versions: Versions,
    private readonly repositories: Repositories,
    private readonly servers: ServerRegistry,
    private readonly cloud: CloudSections,
  ) {}

  readonly steps: SectionSteps = {
    product: [
      { name: 'product', perform: (work) => this.product(work) },
      {
        name: 'structure',
        when: ({ values }) => values.product?.structure === true,
        perform: (work) => this.structure(work),
      },
      {
        name: 'version',
        when: ({ values }) => values.product?.version === true,
        perform: (work) => this.version(work),
      },
    ],
    database: [
      {
        name: 'cloudDatabase',
        // As long as its own run, and a little more.
        timeoutMs: CLUSTER_MS,
        when: ({ values }) => values.database?.create !== undefined,
        perform: (work) => this.cloud.createDatabase(work),
      },
      {
        name: 'database',
        perform: (work) =>
          isFromCloud(work.input) ? this.cloud.associateDatabase(work) : this.database(work),
        event: async (input, _, { workspace }) => {
          for (const { ref } of Object.values(input.secrets)) await this.vault.shred({ workspace, ref });
          return undefined;
        },
      },
    ],
    repository: [this.repository('server'), this.repository('client')],
    server: [
      {
        name: 'droplet',
        when: ({ values }) => values.server?.create !== undefined,
        perform: (work) => this.cloud.createDroplet(work),
      },
      {
        name: 'server',
        perform: (work) => (isDroplet(work.input) ? this.cloud.associateDroplet(work) : this.server(work)),
      },
      { name: 'signIn', when: isDroplet, perform: (work) => this.cloud.signIn(work) },
      { name: 'initialize', when: isSetUp, perform: (work) => this.cloud.setUp('initialize', work) },
      { name: 'docker', when: isSetUp, perform: (work) => this.cloud.setUp('docker', work) },
    ],
  };

  private async product({ input, io, once }: Work): Promise<Worked> {
    const { product: chosen, name = '', description = '' } = input.values.product ?? {};
    if (chosen) {
      const found = await detailOf(product, this.db, io.meta.workspace, chosen.id);
      if (!found) throw invalidField('values.product', 'this product does not exist any more');
      io.print(`Uses the product ${String(found['name'])}.\n`);
      return {};
    }
    const { id, position } = await this.products.add({ name, description }, undefined, once('product'));
    // The steps that follow find the product in its read model.
    await this.projections.waitFor(position, SEEN_MS);
    io.print(`Created the product ${name}.\n`);
    return { made: [{ kind: 'product', id, name }] };
  }

  private async structure(work: Work): Promise<Worked> {
    const { io, once } = work;
    const id = productIn(work);
    try {
      const { edits, left } = await this.importing.starter(id, once('structure'));
      io.print(`Imported the starter model with ${edits} edits.\n`);
      for (const one of left) io.print(`${one}\n`);
    } catch (error) {
      if (!(error instanceof DomainError) || error.code !== 'unprocessable') throw error;
      io.print(`${error.msg}.\n`);
    }
    return {};
  }

  private async version(work: Work): Promise<Worked> {
    const { input, io, once } = work;
    const id = productIn(work);
    const before = await this.versions.newest(id, io.meta.workspace);
    try {
      const version = await this.versions.create(id, once('version'));
      await this.projections.waitFor(version.position, SEEN_MS);
    } catch (error) {
      // Nothing has changed since the newest version: perhaps an earlier attempt made that one.
      if (!(error instanceof DomainError) || error.code !== 'unprocessable' || !before) throw error;
      io.print(`${error.msg}.\n`);
    }
    const newest = await this.versions.newest(id, io.meta.workspace);
    if (!newest) throw notFound('version');
    io.print(`The newest version is ${newest.sequenceIndex}.\n`);
    const isOwn = input.values.product?.product === undefined || newest.id !== before?.id;
    return isOwn ? { made: [{ kind: 'version', id: newest.id, name: String(newest.sequenceIndex) }] } : {};
  }

  private async database({ input, io, once }: Work): Promise<Worked> {
    const { workspace } = io.meta;
    const { database: chosen, ...given } = input.values.database ?? {};
    if (chosen) {
      const found = await detailOf(database, this.db, workspace, chosen.id);
      if (found?.['product'] !== productOf(input))
        throw invalidField('values.database', 'this product has no such database');
      io.print(`Uses the database ${String(found['name'])}.\n`);
      return {};
    }
    const meta = once('database');
    const { name = '', host = '', port = 0, username = '', dbType = MYSQL, env = DEV } = given;
    const own = idFor(database.category, meta);
    const made = [{ kind: 'database', id: own, name }];
    // An earlier attempt added it, and its password is in the vault of databases.
    if (await detailOf(database, this.db, workspace, own)) return { made };
    const ref = input.secrets['password']?.ref;
    const password = ref === undefined ? undefined : await this.vault.get({ workspace, ref });
    if (password === undefined) throw invalidField('values.password', 'enter the password again');
    const fields = {
      name,
      host,
      port,
      username,
      password,
      dbType,
      env: { id: env },
      certificate: '',
      clientCertificate: null,
      server: null,
      encryption: 'automatic',
    };
    const { position } = await this.databases.add(fields, productOf(input), meta);
    await this.projections.waitFor(position, SEEN_MS);
    io.print(`Added the database ${name} at ${host}.\n`);
    return { made };
  }

  private repository(part: Part): SectionStep {
    return {
      name: part,
      when: (input) => part === 'server' || hasClient(input),
      perform: async (work) => {
        const { context, input, io } = work;
        const place = placeOf(input, part);
        const name = `${place.organization}/${place.repo}`;
        const id = repositoryId(place, io.meta.workspace);
        if (input.values.repository?.fromTemplate[part] !== true) {
          const found = await this.repositories.find(place, io.meta, manner(work));
          if (!found)
            throw invalidField(
              part === 'server' ? 'values.repo' : 'values.repoFront',
              `${name} could not be found at the source host, or your token may not see it`,
            );
          io.print(`Uses ${name}: ${found.html_url}\n`);
          return {};
        }
        const made = await this.repositories.create(place, part, io.meta, manner(work), markOf(context.run));
        io.print(`Created ${name} from ${made.template}: ${made.url}\n`);
        const { template, url } = made;
        return { made: [{ kind: 'repository', id, name }], report: { template, url } };
      },
      event: (input, { template, url = '' }, meta) =>
        template === undefined
          ? undefined
          : this.repositories.record(
              { type: 'RepositoryCreated', data: { ...placeOf(input, part), template, url } },
              meta,
            ),
    };
  }

  private async server({ input, io }: Work): Promise<Worked> {
    const id = input.values.server?.server?.id ?? '';
    const { alias, host } = await this.servers.server(id, io.meta.workspace);
    io.print(`Uses the server ${alias} at ${host}.\n`);
    return {};
  }
}

/** Within the section that makes the product, its id is in the report of the first step. */
const productIn = (work: Work): string => madeAt(work, 'product')[0]?.id ?? productOf(work.input);
