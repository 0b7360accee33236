/** The saved requests of a workspace with what they name: parameters, variables and secrets. */
import { Inject, Injectable } from '@nestjs/common';
import {
  environments,
  requestCollection,
  requestParam,
  requestSecret,
  requestVariable,
  request as saved,
} from '@quarterdeck/events';
import type { ViewOf } from '@quarterdeck/projections';
import { notFound } from '../platform/errors';
import { detailOf, listOf, PlainRecords, recordsOf } from '../platform/kit';
import { DB, type Pool } from '../platform/tokens';
import type { ParamView, RequestView } from './request-plan';

export type CollectionView = ViewOf<typeof requestCollection>;
type VariableView = ViewOf<typeof requestVariable>;
type SecretView = ViewOf<typeof requestSecret>;

export interface Names {
  variables: ReadonlyMap<string, string>;
  /** Ids of secrets by name. */
  secrets: ReadonlyMap<string, string>;
}

/** Without a choice, requests are sent with what is set for development. */
export const DEFAULT_ENV = environments.indexOf('dev') + 1;

@Injectable()
export class RequestLibrary {
  constructor(
    @Inject(DB) private readonly db: Pool,
    @Inject(recordsOf(requestSecret)) private readonly secrets: PlainRecords,
  ) {}

  /** @throws DomainError `notFound` */
  async request(id: string, workspace: string): Promise<RequestView> {
    const view = await detailOf(saved, this.db, workspace, id);
    if (!view) throw notFound('request');
    return view as unknown as RequestView;
  }

  /** In the order in which they were added. */
  async params(id: string, workspace: string): Promise<ParamView[]> {
    const all = (await listOf(requestParam, this.db, workspace, id)) as unknown as ParamView[];
    return all.toSorted((one, other) => (one.addedAt < other.addedAt ? -1 : 1));
  }

  /** The collection and its requests in their order. @throws DomainError `notFound` */
  async collection(
    id: string,
    workspace: string,
  ): Promise<{ view: CollectionView; requests: RequestView[] }> {
    const view = await detailOf(requestCollection, this.db, workspace, id);
    if (!view) throw notFound('request collection');
    const all = (await listOf(saved, this.db, workspace)) as unknown as RequestView[];
    // The list is sorted by name.
    const requests = all
      .filter(({ collection }) => collection?.id === id)
      .toSorted((one, other) => one.sequence - other.sequence);
    return { view: view as unknown as CollectionView, requests };
  }

  /** What requests of the collection can name in an environment. The collection's own come first. */
  async names(collection: string | undefined, env: number, workspace: string): Promise<Names> {
    const own = <V extends VariableView | SecretView>(views: V[]): V[] =>
      views
        .filter(
          (view) => view.env.id === env && (view.collection === null || view.collection.id === collection),
        )
        .toSorted((one, other) => Number(one.collection !== null) - Number(other.collection !== null));
    const [variables, secrets] = await Promise.all([
      listOf(requestVariable, this.db, workspace) as unknown as Promise<VariableView[]>,
      listOf(requestSecret, this.db, workspace) as unknown as Promise<SecretView[]>,
    ]);
    return {
      variables: new Map(own(variables).map(({ name, value }) => [name, value])),
      secrets: new Map(own(secrets).map(({ name, id }) => [name, id])),
    };
  }

  /** @throws DomainError if the secret was removed */
  async secret(id: string, workspace: string): Promise<string> {
    const { value } = await this.secrets.opened(id, workspace);
    return value as string;
  }
}
