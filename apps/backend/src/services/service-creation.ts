/** Creates services with their repositories as runs, and cleans up after failed runs. */
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { product as productNoun, repositoryNamed, service } from '@quarterdeck/events';
import type { Position } from '@quarterdeck/events';
import type { RunView, ViewOf } from '@quarterdeck/projections';
import { DomainError, invalidField, notFound } from '../platform/errors';
import { detailOf, PlainRecords, recordsOf } from '../platform/kit';
import { type CommandMeta, idFor } from '../platform/sessions';
import { DB, type Pool } from '../platform/tokens';
import { Repositories, type Part } from '../repositories';
import { RunEngine, type RunRequest } from '../runs';
import { FirstVariables } from './first-variables';
import { cleanUpService, createService, type CleanUpInput, type CreationInput } from './creation.kinds';

type Service = ViewOf<typeof service>;
type Fields = Omit<Service, 'id'>;

export interface Creation {
  data: object;
  product: { id: string };
  fromTemplate?: { server: boolean; client: boolean } | undefined;
  /** The parts that are initialized although their repositories exist. */
  inits?: { server: boolean; client: boolean };
  runId: string;
}

@Injectable()
export class ServiceCreation implements OnModuleInit {
  constructor(
    @Inject(DB) private readonly db: Pool,
    @Inject(recordsOf(service)) private readonly things: PlainRecords,
    private readonly repositories: Repositories,
    private readonly variables: FirstVariables,
    private readonly runs: RunEngine,
  ) {}

  onModuleInit(): void {
    const deps = {
      repositories: this.repositories,
      addVariables: (id: string, run: string, { port }: CreationInput, meta: CommandMeta) =>
        this.variables.add(id, port, run, meta),
      service: (id: string, workspace: string) => this.service(id, workspace),
      removeService: (id: string, name: string, meta: CommandMeta) => this.remove(id, name, meta),
    };
    this.runs.register(createService(deps));
    this.runs.register(cleanUpService(deps));
  }

  /** The id of the service that the run creates. */
  idOf(runId: string): string {
    return idFor(service.category, { keyed: true, commandId: runId } as CommandMeta);
  }

  /** @throws DomainError that names the field, before anything is created */
  async start(
    { data, product, fromTemplate = { server: true, client: true }, inits, runId }: Creation,
    meta: CommandMeta,
  ): Promise<{ id: string; position: Position }> {
    if (!(await detailOf(productNoun, this.db, meta.workspace, product.id))) throw notFound('product');
    const fields = data as Fields;
    const input: CreationInput = {
      product: product.id,
      organization: fields.organization,
      repo: repositoryNamed(fields.repo),
      repoFront: repositoryNamed(fields.repoFront) || null,
      name: fields.name,
      nameFront: fields.nameFront || fields.name,
      withDb: fields.withDb,
      port: fields.port,
      created: { ...fromTemplate, client: fromTemplate.client && Boolean(fields.repoFront) },
      ...(inits && { inits }),
    };
    if (!(await this.runs.knows(runId, meta.workspace))) await this.refuseImpossible(input, meta);
    // A repeated request finds the same service.
    const added = await this.things.add(data as never, product.id, {
      ...meta,
      commandId: runId,
      keyed: true,
    });
    const subject = { kind: 'service', id: added.id, name: fields.name };
    const what = { subject, input: input as unknown as RunRequest['input'] };
    const { position } = await this.runs.start(runId, 'createService', what, meta);
    return { id: added.id, position };
  }

  /** @throws DomainError `conflict` if its creation has not failed */
  async cleanUp(id: string, runId: string, meta: CommandMeta): Promise<{ position: Position }> {
    const { name } = await this.service(id, meta.workspace);
    const creation = await this.creationOf(id, meta.workspace);
    if (!creation || !['failed', 'cancelled', 'interrupted'].includes(creation.state))
      throw new DomainError('conflict', `there is no failed creation of ${name} to clean up`);
    const { organization, repo, repoFront, created } = creation.input as unknown as CreationInput;
    const input: CleanUpInput = { organization, repo, repoFront, created, creation: creation.id };
    const what = { subject: { kind: 'service', id, name }, input: input as unknown as RunRequest['input'] };
    return this.runs.start(runId, 'cleanUpService', what, meta);
  }

  private async refuseImpossible(input: CreationInput, meta: CommandMeta): Promise<void> {
    await this.check(input, 'server', 'repo', meta);
    if (input.repoFront !== null) await this.check(input, 'client', 'repoFront', meta);
  }

  private async check(
    { organization, repo, repoFront, created }: CreationInput,
    part: Part,
    field: 'repo' | 'repoFront',
    meta: CommandMeta,
  ): Promise<void> {
    if (created[part]) await this.repositories.templateFor(part, meta.workspace);
    const place = { organization, repo: part === 'server' ? repo : (repoFront ?? '') };
    const found = await this.repositories.find(place, meta);
    const called = `${organization}/${place.repo}`;
    if (created[part] && found)
      throw invalidField(`data.${field}`, `${called} exists already: choose another name`);
    if (!created[part] && !found)
      throw invalidField(
        `data.${field}`,
        `${called} could not be found at the source host, or your token may not see it`,
      );
  }

  /** @throws DomainError `notFound` */
  private async service(id: string, workspace: string): Promise<Service> {
    const found = await detailOf(service, this.db, workspace, id);
    if (!found) throw notFound('service');
    return found as unknown as Service;
  }

  private async remove(id: string, name: string, meta: CommandMeta): Promise<void> {
    try {
      await this.things.remove(id, name, meta);
    } catch (error) {
      // An earlier attempt removed it.
      if (!(error instanceof DomainError) || error.code !== 'notFound') throw error;
    }
  }

  private async creationOf(id: string, workspace: string): Promise<RunView | undefined> {
    const { rows } = await this.db.query<{ view: RunView }>(
      `select view from read.runs where workspace = $1 and kind = 'createService'
       and "subjectId" = $2 order by position desc limit 1`,
      [workspace, id],
    );
    return rows[0]?.view;
  }
}
