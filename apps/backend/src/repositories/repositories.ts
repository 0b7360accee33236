/** Changes repositories at the source-code host on behalf of an operator. Each change is recorded. */
import { Inject, Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { Position } from '@quarterdeck/events';
import { setTimeout as sleep } from 'node:timers/promises';
import { v5 as uuidv5 } from 'uuid';
import { DomainError, invalidField } from '../platform/errors';
import type { CommandMeta } from '../platform/sessions';
import { CONFIG, type Config } from '../platform/tokens';
import { Versions } from '../versions';
import { WorkspaceSettings } from '../workspaces';
import { commit, headOf, nameOf, type Committed, type RepositoryName } from './commits';
import { nextTag } from './next-tag';
import { RecordRepository, type RepositoryEvent } from './repositories.decider';
import { modelled, named, publishing, versioned } from './repository-files';
import { codeOf, SourceHost, type Manner, type Source } from './source-host';

export type Part = 'server' | 'client';

/** GitHub fills a repository with files only after it has reported the creation. */
const FILLED_WITHIN = { looks: 60, pauseMs: 1000 };
/** Maximum number of attempts, as somebody else may release at the same time. */
const RELEASES = 3;

const at = ({ organization, repo }: RepositoryName) => ({ owner: organization, repo });

/** One stream per repository of a workspace. Repository names at GitHub are not case-sensitive. */
export const repositoryId = ({ organization, repo }: RepositoryName, workspace: string): string =>
  uuidv5(`github ${organization}/${repo}`.toLowerCase(), workspace);

/** Text in the description of a repository that the run created. A later attempt recognises the repository by it. */
export const markOf = (run: string): string => `Created with Quarterdeck, run ${run}`;

@Injectable()
export class Repositories {
  readonly patience = { ...FILLED_WITHIN };

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly host: SourceHost,
    private readonly settings: WorkspaceSettings,
    private readonly versions: Versions,
    private readonly commands: CommandBus,
  ) {}

  /** @throws DomainError if the workspace has no template for that part */
  async templateFor(part: Part, workspace: string): Promise<{ template: string; isPrivate: boolean }> {
    const settings = await this.settings.get('SourceHostConfigured', workspace);
    const template = part === 'server' ? settings.serverTemplate : settings.clientTemplate;
    if (template === undefined)
      throw new DomainError(
        'unprocessable',
        `This workspace has no ${part} template. Choose one in Settings > Repositories, or choose "Register only".`,
        undefined,
        { code: 'noTemplate' },
      );
    return { template, isPrivate: settings.isPrivate };
  }

  /**
   * Creates a repository, and waits until it has the files of its template.
   *
   * @param mark text in the description of a repository that an earlier attempt created
   * @throws DomainError `conflict` if there is another repository of that name
   */
  async create(place: RepositoryName, part: Part, meta: CommandMeta, manner: Manner = {}, mark?: string) {
    const { template, isPrivate } = await this.templateFor(part, meta.workspace);
    const source = await this.host.as(meta, manner);
    const before = mark === undefined ? undefined : await this.look(source, place);
    if (before && !before.description?.includes(mark ?? '')) throw taken(place);
    const made = before ?? (await this.generate(source, place, { template, isPrivate, mark }));
    await this.filled(source, place, made.default_branch, manner.signal);
    const url = made.html_url;
    return { ...place, template, url, event: event('RepositoryCreated', { ...place, template, url }) };
  }

  /** The repository, or undefined if the token sees none. */
  async find(place: RepositoryName, meta: CommandMeta, manner: Manner = {}) {
    return this.look(await this.host.as(meta, manner), place);
  }

  async init(place: RepositoryName, name: string, meta: CommandMeta, manner: Manner = {}) {
    const source = await this.host.as(meta, manner);
    const done = await commit(source, place, `Initialize ${name}`, named(name, place));
    return { done, event: event('RepositoryInitialized', { ...place, name, ...recorded(done) }) };
  }

  /** @throws DomainError with code `noVersion` if the product has no version of its model */
  async addModel(place: RepositoryName, product: string, meta: CommandMeta, manner: Manner = {}) {
    const newest = await this.versions.newest(product, meta.workspace);
    if (!newest)
      throw new DomainError(
        'unprocessable',
        'the product has no version of its data model: generate one first',
        undefined,
        { code: 'noVersion' },
      );
    const files = await this.versions.files(newest.id, meta.workspace);
    const { sequenceIndex: version } = newest;
    const source = await this.host.as(meta, manner);
    const done = await commit(source, place, `Add version ${version} of the data model`, modelled(files));
    const data = { ...place, product, version, ...recorded(done) };
    return { done, version, event: event('RepositoryModelAdded', data) };
  }

  async addPublishing(place: RepositoryName, kind: 'container' | 'npm', meta: CommandMeta) {
    const source = await this.host.as(meta);
    const about = { what: `the workflow of ${nameOf(place)}`, scope: 'workflow' };
    const { CONTAINER_REGISTRY: container, NPM_REGISTRY: npm } = this.config;
    const edit = publishing(kind, { container, npm });
    const done = await commit(source, place, `Publish the ${kind} package`, edit, about);
    return {
      done,
      event: event('RepositoryPublishingAdded', { ...place, package: kind, ...recorded(done) }),
    };
  }

  async release(place: RepositoryName, isNpm: boolean, meta: CommandMeta) {
    const source = await this.host.as(meta);
    const about = { what: nameOf(place) };
    for (let attempt = 1; ; attempt += 1) {
      const tags = await source.every(about, async (rest, page) => {
        const { data } = await rest.repos.listTags({ ...at(place), ...page });
        return data.map(({ name }) => name);
      });
      const tag = nextTag(tags);
      const target = isNpm ? await commit(source, place, `Release ${tag}`, versioned(tag)) : undefined;
      try {
        const { html_url: url } = await source.call(about, (rest) =>
          rest.repos.createRelease({
            ...at(place),
            tag_name: tag,
            name: tag,
            generate_release_notes: true,
            ...(target && { target_commitish: target.commit }),
          }),
        );
        return { tag, url, event: event('RepositoryReleased', { ...place, tag, url }) };
      } catch (error) {
        if (!/already_exists/.test(String(error)) || attempt === RELEASES) throw error;
      }
    }
  }

  async remove(place: RepositoryName, meta: CommandMeta, manner: Manner = {}) {
    const source = await this.host.as(meta, manner);
    const about = { what: `deleting ${nameOf(place)}`, scope: 'delete_repo' };
    if (await this.look(source, place)) await source.call(about, (rest) => rest.repos.delete(at(place)));
    return event('RepositoryDeleted', place);
  }

  /** The command that records a change. */
  record(done: RepositoryEvent, meta: CommandMeta): RecordRepository {
    return new RecordRepository(repositoryId(done.data, meta.workspace), done, meta);
  }

  async recorded(done: RepositoryEvent, meta: CommandMeta): Promise<Position> {
    return (await this.commands.execute(this.record(done, meta))).position;
  }

  private async look(source: Source, place: RepositoryName) {
    try {
      return await source.call({ what: nameOf(place) }, (rest) => rest.repos.get(at(place)));
    } catch (error) {
      if (codeOf(error) === 'unknown') return undefined;
      throw error;
    }
  }

  private async generate(
    source: Source,
    place: RepositoryName,
    { template, isPrivate, mark }: { template: string; isPrivate: boolean; mark: string | undefined },
  ) {
    const [owner = '', repo = ''] = template.split('/');
    try {
      return await source.call({ what: `the template ${template}`, scope: 'repo' }, (rest) =>
        rest.repos.createUsingTemplate({
          template_owner: owner,
          template_repo: repo,
          owner: place.organization,
          name: place.repo,
          private: isPrivate,
          ...(mark !== undefined && { description: mark }),
        }),
      );
    } catch (error) {
      if (/already exists/i.test(String(error))) throw taken(place);
      // The source host answers the same for a template and for an organization that it does not show.
      const isOfPlace =
        codeOf(error) === 'unknown' && (await this.look(source, { organization: owner, repo })) !== undefined;
      throw isOfPlace ? noPlace(place) : error;
    }
  }

  private async filled(
    source: Source,
    place: RepositoryName,
    branch: string,
    signal?: AbortSignal,
  ): Promise<void> {
    for (let looks = 1; ; looks += 1) {
      try {
        await headOf(source, place, branch);
        return;
      } catch (error) {
        if (codeOf(error) !== 'empty' && codeOf(error) !== 'unknown') throw error;
        if (looks < this.patience.looks) await sleep(this.patience.pauseMs, undefined, { signal });
        else
          throw new DomainError(
            'upstream',
            `${nameOf(place)} was created, but does not have the files of its template yet: please try again`,
            undefined,
            { code: 'empty' },
          );
      }
    }
  }
}

const recorded = ({ commit: sha, url }: Committed) => ({ commit: sha, url });

const event = <T extends RepositoryEvent['type']>(
  type: T,
  data: Extract<RepositoryEvent, { type: T }>['data'],
): RepositoryEvent => ({ type, data }) as RepositoryEvent;

const taken = (place: RepositoryName): DomainError =>
  invalidField('repo', `${nameOf(place)} exists already: choose another name`);

const noPlace = ({ organization }: RepositoryName): DomainError =>
  invalidField(
    'organization',
    `${organization} could not be found at the source host, or your token may not create repositories there`,
  );
