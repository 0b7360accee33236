/** Reads the instances of generated APIs, their endpoints, and the data model that endpoints are about. */
import { Inject, Injectable } from '@nestjs/common';
import { apiModelOf, type ApiModel } from '@quarterdeck/api';
import type { Dialect, Model } from '@quarterdeck/data-model';
import { apiInstance, database, endpoint, TENANT } from '@quarterdeck/events';
import type { ViewOf } from '@quarterdeck/projections';
import type { ApiAddress } from '@quarterdeck/contract';
import { dataModelOf } from '../entities';
import { notFound } from '../platform/errors';
import { PREFIX } from '../platform/http';
import { listOf, PlainRecords, readsOf, recordsOf } from '../platform/kit';
import { DB, type Pool } from '../platform/tokens';
import type { InstanceView } from './described';

const inUrl = (host: string): string => (host.includes(':') ? `[${host}]` : host);

/** Bound to all addresses of the machine, it is reached by the console's name. */
const ownAddress = (
  { port, bindTo }: Pick<InstanceView, 'port' | 'bindTo'>,
  console: string,
): string | undefined => {
  if (port === 0) return undefined;
  const isEverywhere = bindTo === '0.0.0.0' || bindTo === '::';
  return `http://${isEverywhere ? new URL(console).hostname : inUrl(bindTo)}:${port}`;
};

export type EndpointView = ViewOf<typeof endpoint>;

const MYSQL = 1;
/** With the services that sign users in. */
const reads = readsOf(apiInstance);

@Injectable()
export class ApiLibrary {
  constructor(
    @Inject(DB) private readonly db: Pool,
    @Inject(recordsOf(apiInstance)) private readonly instances: PlainRecords,
  ) {}

  async list(product: string, workspace: string): Promise<{ view: InstanceView; endpoints: number }[]> {
    const views = (await reads.list(this.db, workspace, product)) as unknown as InstanceView[];
    const { rows } = await this.db.query<{ id: string; endpoints: number }>(
      `select "apiInstance" as id, count(*)::int as endpoints from read.endpoints
       where workspace = $1 and "apiInstance" = any($2) group by 1`,
      [workspace, views.map(({ id }) => id)],
    );
    const counts = new Map(rows.map(({ id, endpoints }) => [id, endpoints]));
    return views.map((view) => ({ view, endpoints: counts.get(view.id) ?? 0 }));
  }

  /** @param product refuses an instance of another one @throws DomainError `notFound` */
  async instance(id: string, workspace: string, product?: string): Promise<InstanceView> {
    const view = (await reads.detail(this.db, workspace, id)) as unknown as InstanceView | undefined;
    if (!view || (product !== undefined && view.product !== product)) throw notFound('instance');
    return view;
  }

  /** At most so many, by product and name. */
  async addresses(console: string, workspace: string, most = 1000): Promise<ApiAddress[]> {
    const { rows } = await this.db.query<
      Pick<InstanceView, 'id' | 'name' | 'title' | 'product' | 'port' | 'bindTo'>
    >(
      `select id, name, title, product, port, "bindTo" from read.api_instances
       where workspace = $1 order by product, name limit $2`,
      [workspace, most],
    );
    return rows.flatMap(({ id, name, title, product, ...listens }) => {
      const about = { instance: { uuid: id, name }, product: { id: product }, title };
      const own = ownAddress(listens, console);
      return [
        { ...about, address: `${console}/${PREFIX}/instance/${id}`, through: 'console' as const },
        ...(own === undefined ? [] : [{ ...about, address: own, through: 'port' as const }]),
      ];
    });
  }

  /** By path. */
  async endpoints(instance: string, workspace: string): Promise<EndpointView[]> {
    return (await listOf(endpoint, this.db, workspace, instance)) as unknown as EndpointView[];
  }

  model(product: string, workspace: string): Promise<Model> {
    return dataModelOf(this.db, workspace, product);
  }

  /** What endpoints of an instance can name. Reads the instance in the log, because it may be new. */
  async apiModel(id: string, workspace: string): Promise<ApiModel> {
    const { product, env, multiTenant } = (await this.instances.last(
      id,
      workspace,
    )) as unknown as InstanceView;
    const [model, dialect] = await Promise.all([
      this.model(product, workspace),
      this.dialect(product, env, workspace),
    ]);
    return apiModelOf(model, dialect, multiTenant ? { tenant: TENANT } : {});
  }

  /** That of the product's database in this environment, or in another one. */
  async dialect(product: string, env: number, workspace: string): Promise<Dialect> {
    const all = await this.databases(product, workspace);
    const own = all.find((one) => one.env.id === env) ?? all[0];
    return own?.dbType === MYSQL ? 'mysql' : 'postgresql';
  }

  /** That of the product in the environment of the instance, if there is one. */
  async database({ product, env }: Pick<InstanceView, 'product' | 'env'>, workspace: string) {
    const all = await this.databases(product, workspace);
    return all.find((one) => one.env.id === env);
  }

  async databases(product: string, workspace: string): Promise<ViewOf<typeof database>[]> {
    return (await listOf(database, this.db, workspace, product)) as unknown as ViewOf<typeof database>[];
  }
}
