/** Reads a repository's container packages, workflows and workflow runs from the source-code host. */
import { Inject, Injectable } from '@nestjs/common';
import { repositoryAddress } from '@quarterdeck/events/inputs';
import { invalidField } from '../platform/errors';
import type { CommandMeta } from '../platform/sessions';
import { CONFIG, type Config } from '../platform/tokens';
import { nameOf, type RepositoryName } from './commits';
import { codeOf, SourceHost, type Source } from './source-host';

type Asker = Pick<CommandMeta, 'actor' | 'workspace'>;

export interface ContainerPackage {
  id: string;
  version: string;
  organization: string;
  repo: string;
  image: string;
  digest: string;
  createdAt: string;
}

/**
 * @param pages address of the source host's web pages: `https://github.com`
 * @param field that the address was entered in
 * @throws DomainError that names the field. Schemas do not know the source host, and old events may have any address.
 */
export const placeIn = (repoUrl: string, pages: string, field = 'repoUrl'): RepositoryName => {
  const [, at, organization, repo] = repositoryAddress.exec(repoUrl.trim()) ?? [];
  const { hostname } = new URL(pages);
  const right = `the address of a repository at ${hostname} is expected, such as ${pages}/acme/shop`;
  if (organization === undefined || repo === undefined) throw invalidField(field, right);
  const host = at?.toLowerCase().replace(/^.*@/, '') ?? hostname;
  if (![hostname, `www.${hostname}`, `ssh.${hostname}`].includes(host))
    throw invalidField(field, `${host} is not the source host of this console: ${right}`);
  return { organization, repo };
};

@Injectable()
export class RepositoryReads {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly host: SourceHost,
  ) {}

  /** @throws DomainError that names the field, if it is no address of a repository at the source host */
  placeIn(repoUrl: string, field?: string): RepositoryName {
    return placeIn(repoUrl, this.host.pages, field);
  }

  /** The calls left for the asker's token. GitHub does not count this call. */
  async limit(asker: Asker) {
    const source = await this.host.as(asker);
    const { resources } = await source.call({ what: 'the limit of calls' }, (rest) => rest.rateLimit.get());
    const { limit, remaining, reset } = resources.core;
    return { limit, remaining, resetAt: new Date(reset * 1000).toISOString() };
  }

  /** @param dockerName the name of the package, if it differs from the repository's */
  async containers(
    place: RepositoryName,
    dockerName: string | undefined,
    asker: Asker,
  ): Promise<ContainerPackage[]> {
    const source = await this.host.as(asker);
    const name = dockerName || place.repo;
    const versions = await this.versionsOf(source, place, name);
    return versions.flatMap(({ id, name: digest, created_at: createdAt, metadata }) => {
      const tags = metadata?.container?.tags ?? [];
      // Prefers a version tag, because tags such as `latest` move. A version without a tag cannot be named.
      const version = tags.find((tag) => /^v?\d/.test(tag)) ?? tags[0];
      if (version === undefined) return [];
      const image = `${this.config.CONTAINER_REGISTRY}/${place.organization}/${name}`.toLowerCase();
      return [{ id: String(id), version, ...place, image: `${image}:${version}`, digest, createdAt }];
    });
  }

  /** Like `containers`; none if nothing was ever published. */
  async published(...asked: Parameters<RepositoryReads['containers']>): Promise<ContainerPackage[]> {
    return this.containers(...asked).catch((error: unknown) => {
      if (codeOf(error) === 'unknown') return [];
      throw error;
    });
  }

  async workflows(place: RepositoryName, asker: Asker) {
    const source = await this.host.as(asker);
    const about = { what: `the workflows of ${nameOf(place)}` };
    const where = { owner: place.organization, repo: place.repo };
    const { workflows } = await source.call(about, (rest) =>
      rest.actions.listRepoWorkflows({ ...where, per_page: 100 }),
    );
    const { workflow_runs: runs } = await source.call(about, (rest) =>
      rest.actions.listWorkflowRunsForRepo({ ...where, per_page: 100 }),
    );
    return workflows.map(({ id, name, html_url }) => {
      const last = runs.find((run) => run.workflow_id === id);
      return {
        id,
        name,
        html_url,
        repo: place.repo,
        ...(last && {
          lastRun: {
            id: last.id,
            status: last.status ?? 'unknown',
            conclusion: last.conclusion,
            ref: last.head_branch ?? '',
            url: last.html_url,
            at: last.created_at,
          },
        }),
      };
    });
  }

  async trigger(place: RepositoryName, workflow: number, ref: string, asker: Asker): Promise<void> {
    const source = await this.host.as(asker);
    await source.call({ what: `the workflow of ${nameOf(place)}`, scope: 'repo' }, (rest) =>
      rest.actions.createWorkflowDispatch({
        owner: place.organization,
        repo: place.repo,
        workflow_id: workflow,
        ref,
      }),
    );
  }

  /** Packages belong to an organization or to a person, which need different calls. */
  private async versionsOf(source: Source, place: RepositoryName, name: string) {
    const of = { package_type: 'container' as const, package_name: name };
    const about = { what: `the package ${place.organization}/${name}`, scope: 'read:packages' };
    try {
      return await source.every(about, async (rest, page) => {
        const asked = { ...of, ...page, org: place.organization };
        return (await rest.packages.getAllPackageVersionsForPackageOwnedByOrg(asked)).data;
      });
    } catch (error) {
      if (codeOf(error) !== 'unknown') throw error;
    }
    // This call has no pages.
    return source.call(about, (rest) =>
      rest.packages.getAllPackageVersionsForPackageOwnedByUser({ ...of, username: place.organization }),
    );
  }
}
