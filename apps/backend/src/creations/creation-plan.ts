/** What the sections of a creation would create, and what exists already. Changes nothing. */
import { Inject, Injectable } from '@nestjs/common';
import {
  creationPlans,
  database,
  product,
  type CreationKind,
  type CreationSection,
} from '@quarterdeck/events';
import { clientPartOf, refusedClientPart, type SectionValues } from '@quarterdeck/events/inputs';
import { WorkspaceDns } from '../dns';
import { listDomains, refusalOf } from '../domains';
import { DomainError } from '../platform/errors';
import { detailOf, listOf } from '../platform/kit';
import type { CommandMeta } from '../platform/sessions';
import { DB, type Pool } from '../platform/tokens';
import { codeOf, Repositories, type Part } from '../repositories';
import { ServerRegistry } from '../servers';
import { Importing, Versions } from '../versions';
import { ContainerSections } from './container-sections';
import { CloudPlans } from './cloud-plans';
import { checkedValues } from './creations';
import { ServicePlans } from './service-plans';

interface Thing {
  kind: string;
  name: string;
}
export interface Planned {
  section: string;
  creates: Thing[];
  exists: Thing[];
  problems: Record<string, string>;
}
type Entered = { [S in CreationSection]?: SectionValues<S> };

@Injectable()
export class CreationPlanner {
  constructor(
    @Inject(DB) private readonly db: Pool,
    private readonly repositories: Repositories,
    private readonly servers: ServerRegistry,
    private readonly dns: WorkspaceDns,
    private readonly container: ContainerSections,
    private readonly cloud: CloudPlans,
    private readonly services: ServicePlans,
    private readonly versions: Versions,
    private readonly importing: Importing,
  ) {}

  /** Sections that nothing is entered for are left out. */
  async plan(
    kind: CreationKind,
    given: { [S in CreationSection]?: unknown },
    meta: CommandMeta,
  ): Promise<Planned[]> {
    const sections = creationPlans[kind].filter((section) => given[section] !== undefined);
    const all = sections.map((section): Planned => ({ section, creates: [], exists: [], problems: {} }));
    const entered: Entered = {};
    for (const planned of all)
      await settled(planned, () => {
        const section = planned.section as CreationSection;
        Object.assign(entered, { [section]: checkedValues(section, given[section]) });
      });
    for (const planned of all)
      if (planned.section in entered) await settled(planned, () => this.look(planned, entered, meta));
    return all;
  }

  private async look(planned: Planned, entered: Entered, meta: CommandMeta): Promise<void> {
    const { creates, exists, problems } = planned;
    const { workspace } = meta;
    const add = (to: Thing[], kind: string, name: string): void => void to.push({ kind, name });
    switch (planned.section as CreationSection) {
      case 'product': {
        const { product: chosen, name = '', version } = entered.product ?? {};
        if (chosen) return this.lookAtProduct(planned, entered, chosen.id, meta);
        const same = (await listOf(product, this.db, workspace)).some(
          (one) => String(one['name']).toLowerCase() === name.toLowerCase(),
        );
        add(same ? exists : creates, 'product', name);
        if (same) problems['name'] = `there is a product ${name} already`;
        if (version === true) add(creates, 'version', '1');
        return;
      }
      case 'database': {
        const { database: chosen, name = '', create, cloudDatabase } = entered.database ?? {};
        if (create || cloudDatabase) await this.cloud.database(planned, { create, cloudDatabase }, workspace);
        else if (chosen) add(exists, 'database', await this.nameOf(database, chosen.id, workspace));
        else add(creates, 'database', name);
        return;
      }
      case 'repository':
        return this.lookAtRepositories(planned, entered, meta);
      case 'server': {
        const { server, droplet, create } = entered.server ?? {};
        if (create || droplet) return this.cloud.server(planned, { create, droplet }, workspace);
        const { alias } = await this.servers.server(server?.id ?? '', workspace);
        return add(exists, 'server', alias);
      }
      case 'service': {
        add(creates, 'service', entered.service?.name ?? '');
        if (entered.repository?.repoFront) {
          add(creates, 'service', clientPartOf(entered.service).name);
          Object.assign(problems, refusedClientPart(entered.service ?? {}));
        }
        return this.lookAtServices(planned, entered, workspace);
      }
      case 'domain': {
        const { domain: chosen, serverName = '' } = entered.domain ?? {};
        const name = chosen ? chosen.id : serverName;
        const known = (await listDomains(this.db, workspace)).find(({ domain }) =>
          chosen ? domain.id === name : domain.serverName === name,
        );
        add(known ? exists : creates, 'domain', known?.domain.serverName ?? name);
        if (chosen || known) {
          if (!chosen) problems['serverName'] = `${serverName} is a domain of this workspace already`;
          return;
        }
        return this.lookAtName(planned, serverName, entered.server?.server?.id, workspace);
      }
      case 'deploy':
        return add(creates, 'deploy', entered.service?.name ?? '');
      case 'repo': {
        const place = await this.container.placeOf({ values: entered }, workspace);
        const found = await this.container.packageOf({ values: entered }, meta);
        add(exists, 'server', place.server.alias);
        return add(exists, 'package', found.image);
      }
      case 'dns': {
        const { hostname } = await this.container.nameOf({ values: entered }, workspace);
        const subdomain = entered.dns?.subdomain ?? '';
        add(creates, 'service', subdomain);
        const known = await this.container.isKnown(hostname, workspace);
        add(known ? exists : creates, 'domain', hostname);
        add(creates, 'deploy', subdomain);
        return this.lookAtServices(planned, entered, workspace);
      }
      case 'certificate':
        return add(creates, 'certificate', '');
    }
  }

  /** A product that exists gets a version only if its model has changed since the newest one, or the starter adds to it. */
  private async lookAtProduct(
    { creates, exists, problems }: Planned,
    { product: { structure = false, version = false } = {} }: Entered,
    id: string,
    meta: CommandMeta,
  ): Promise<void> {
    exists.push({ kind: 'product', name: await this.nameOf(product, id, meta.workspace) });
    if (!version) return;
    const newest = (await this.versions.newest(id, meta.workspace))?.sequenceIndex;
    const next = await this.versions.next(id, meta.workspace);
    const isAdding =
      structure && (await this.importing.preview({ product: { id } }, meta)).entities.length > 0;
    if (typeof next === 'number') creates.push({ kind: 'version', name: String(next) });
    else if (isAdding) creates.push({ kind: 'version', name: String((newest ?? 0) + 1) });
    else if (newest !== undefined) exists.push({ kind: 'version', name: String(newest) });
    else problems['version'] = next;
  }

  private async lookAtRepositories(
    { creates, exists, problems }: Planned,
    { repository }: Entered,
    meta: CommandMeta,
  ): Promise<void> {
    if (!repository) return;
    const { organization, repo, repoFront, fromTemplate } = repository;
    const parts: [Part, 'repo' | 'repoFront', string | undefined][] = [
      ['server', 'repo', repo],
      ['client', 'repoFront', repoFront],
    ];
    for (const [part, field, name] of parts) {
      if (!name) continue;
      const called = `${organization}/${name}`;
      const found = await this.repositories.find({ organization, repo: name }, meta);
      (found ? exists : creates).push({ kind: 'repository', name: called });
      if (found && fromTemplate[part]) problems[field] = `${called} exists already: choose another name`;
      if (!found && !fromTemplate[part])
        problems[field] = `${called} could not be found at the source host, or your token may not see it`;
      if (!fromTemplate[part]) continue;
      const { template } = await this.repositories.templateFor(part, meta.workspace);
      const [owner = '', templateRepo = ''] = template.split('/');
      if (!(await this.repositories.find({ organization: owner, repo: templateRepo }, meta)))
        problems[`fromTemplate.${part}`] =
          `the template ${template} could not be found at the source host, or your token may not see it`;
    }
  }

  private async lookAtServices(
    { section, problems }: Planned,
    entered: Entered,
    workspace: string,
  ): Promise<void> {
    const found = await this.services.problems(
      section as CreationSection,
      { values: entered, made: {} },
      workspace,
    );
    Object.assign(problems, found, problems);
  }

  /** The address of the name has to be the server's. */
  private async lookAtName(
    { problems }: Planned,
    serverName: string,
    id: string | undefined,
    workspace: string,
  ): Promise<void> {
    if (id === undefined) return;
    const server = await this.servers.server(id, workspace);
    const refusal = refusalOf(serverName, server, await this.dns.pointing(serverName, server, workspace));
    if (refusal !== undefined) problems['serverName'] = refusal;
  }

  private async nameOf(
    noun: typeof product | typeof database,
    id: string,
    workspace: string,
  ): Promise<string> {
    const found = await detailOf(noun, this.db, workspace, id);
    if (!found) throw new DomainError('notFound', `this ${noun.category} does not exist any more`);
    return String(found['name']);
  }
}

/** A refusal is a problem of the section, and not of the question. */
const settled = async (planned: Planned, work: () => unknown): Promise<void> => {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    const fields = Object.entries(error.data ?? { [codeOf(error) ?? 'section']: error.msg });
    for (const [field, why] of fields) planned.problems[field.replace(/^values\./, '')] = String(why);
  }
};
