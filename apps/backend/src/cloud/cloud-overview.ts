/** What no list of a provider says: what is known on one side only, and what products cost. */
import { Inject, Injectable } from '@nestjs/common';
import { product } from '@quarterdeck/events';
import { costIn, type DropletView } from '@quarterdeck/projections';
import { DomainError, notFound } from '../platform/errors';
import { detailOf, PlainRecords, recordsOf } from '../platform/kit';
import { DB, type Pool } from '../platform/tokens';
import { listServers } from '../servers';
import { CloudGround } from './cloud-ground';
import { everyDroplet, lastSeen, listCloudDatabases, openRuns } from './cloud.queries';
import { runIn } from './provider';

const ipOf = ({ networks: { v4 } }: DropletView): string | undefined => v4.at(-1)?.ip_address;
const cents = (amount: number): number => Math.round(amount * 100) / 100;

@Injectable()
export class CloudOverview {
  constructor(
    @Inject(DB) private readonly db: Pool,
    private readonly ground: CloudGround,
    @Inject(recordsOf(product)) private readonly products: PlainRecords,
  ) {}

  async orphans(workspace: string) {
    const [droplets, databases, servers, { keys }] = await Promise.all([
      everyDroplet(this.db, workspace),
      listCloudDatabases(this.db, workspace),
      listServers(this.db, workspace),
      lastSeen(this.db, workspace),
    ]);
    const marked = keys.flatMap((one) => {
      const run = runIn(one.name);
      return run === undefined ? [] : [{ ...one, run }];
    });
    const runs = [...droplets, ...databases, ...marked].flatMap(({ run }) =>
      run === undefined ? [] : [run],
    );
    const open = await openRuns(this.db, workspace, runs);
    const isLeft = ({ run }: { run?: string | undefined }): boolean => run === undefined || !open.has(run);
    const known = new Set(servers.map(({ id }) => id));
    const hosts = new Set(servers.map(({ host }) => host));
    const isKnown = ({ server, networks: { v4 } }: DropletView): boolean =>
      (server !== undefined && known.has(server.id)) || v4.some(({ ip_address: ip }) => hosts.has(ip));
    return {
      droplets: droplets
        .filter((one) => one.goneAt === undefined && !isKnown(one) && isLeft(one))
        .map((one) => {
          const ip = ipOf(one);
          const { id, name, priceMonthly, run } = one;
          return {
            id,
            name,
            priceMonthly,
            ...(ip !== undefined && { ip }),
            ...(run !== undefined && { run }),
          };
        }),
      servers: droplets.flatMap(({ id: droplet, server, goneAt }) =>
        goneAt !== undefined && server && known.has(server.id)
          ? [{ id: server.id, name: server.alias, droplet, goneAt }]
          : [],
      ),
      keys: marked.filter(isLeft),
      databases: databases.flatMap(({ id, name, run, database }) =>
        run !== undefined && database === undefined && !open.has(run) ? [{ id, name, run }] : [],
      ),
    };
  }

  /** Only a key with the mark of a run, and the name that the operator has seen. */
  async deleteKey({ key, name }: { key: number; name: string }, workspace: string): Promise<void> {
    if (runIn(name) === undefined)
      throw new DomainError('unprocessable', 'only keys that a run of this console made are removed here');
    const provider = await this.ground.provider(workspace, { waitSeconds: 3 });
    const found = await provider.key(String(key));
    if (found && found.name !== name) throw notFound('key');
    await provider.deleteKey(key);
    await this.db.query(
      `update app.cloud_looks set keys = (
         select coalesce(jsonb_agg(one), '[]') from jsonb_array_elements(keys) as one where one ->> 'key' <> $2)
       where workspace = $1 and keys is not null`,
      [workspace, String(key)],
    );
  }

  async costs(month: string, workspace: string) {
    const now = new Date().toISOString();
    const byProduct = new Map<
      string | undefined,
      { id: string; name: string; amount: number; gone: boolean }[]
    >();
    for (const { id, name, uses, goneAt } of await everyDroplet(this.db, workspace))
      for (const [of, amount] of costIn(uses, month, now)) {
        const all = byProduct.get(of) ?? [];
        byProduct.set(of, [...all, { id, name, amount: cents(amount), gone: goneAt !== undefined }]);
      }
    const products = await Promise.all(
      [...byProduct].map(async ([id, droplets]) => {
        const amount = cents(droplets.reduce((sum, one) => sum + one.amount, 0));
        const of = id === undefined ? { gone: false } : await this.productOf(id, workspace);
        return { ...of, amount, droplets };
      }),
    );
    const total = cents(products.reduce((sum, { amount }) => sum + amount, 0));
    return { month, total, products };
  }

  /** Costs stay after the product was deleted, and so does its name. */
  private async productOf(id: string, workspace: string) {
    const found = await detailOf(product, this.db, workspace, id);
    const was = found ?? (await this.products.last(id, workspace));
    return { product: id, name: String(was['name']), gone: found === undefined };
  }
}
