/**
 * Addresses of packages. The log has the shortened form. If an address was shortened, the vault has the whole one.
 */
import { Inject, Injectable } from '@nestjs/common';
import { streamName, type EventData, type RecordedEvent } from '@quarterdeck/events';
import { shownAddress } from '@quarterdeck/events/inputs';
import type { PackagePullView } from '@quarterdeck/projections';
import { notFound } from '../platform/errors';
import { inView } from '../platform/in-view';
import { type CommandMeta, idFor } from '../platform/sessions';
import { DB, EVENT_STORE, VAULT, type EventStore, type Pool, type Vault } from '../platform/tokens';

const entry = inView<PackagePullView>('view');

/** The recorded form of an address. */
export type RecordedAddress = Pick<EventData<'DeployRequested'>, 'cdUrl' | 'address'>;

/** Newest first, and limited: an address whose secret is renewed often leaves many entries behind. */
const SAME_SHOWN = `
  select ${entry.text('address', 'ref')} as ref from read.deploys
  where workspace = $1 and ${entry.text('cdUrl')} = $2 and ${entry.text('address', 'ref')} is not null
  group by 1 order by max(position) desc limit 20`;

const ENTRY = 'select view from read.deploys where workspace = $1 and id = $2';
const OTHERS = `
  select from read.deploys where workspace = $1 and ${entry.text('address', 'ref')} = $2 and id <> $3 limit 1`;

@Injectable()
export class PackageAddresses {
  constructor(
    @Inject(DB) private readonly db: Pool,
    @Inject(VAULT) private readonly vault: Vault,
    @Inject(EVENT_STORE) private readonly store: EventStore,
  ) {}

  /**
   * Every entry of an address has the same reference. @returns `made`: the reference, if it is new in the vault
   */
  async keep(url: string, meta: CommandMeta): Promise<RecordedAddress & { made?: string }> {
    const { workspace } = meta;
    const cdUrl = shownAddress(url);
    if (cdUrl === url) return { cdUrl };
    const { rows } = await this.db.query<{ ref: string }>(SAME_SHOWN, [workspace, cdUrl]);
    for (const { ref } of rows)
      if ((await this.vault.get({ workspace, ref })) === url) return { cdUrl, address: { ref } };
    const ref = idFor('package-address', meta);
    await this.vault.put({ workspace, ref }, url, { kind: 'package-address' });
    return { cdUrl, address: { ref }, made: ref };
  }

  /** The whole address of an entry. @throws DomainError */
  async of(deploy: string, workspace: string): Promise<string> {
    const { rows } = await this.db.query<{ view: PackagePullView }>(ENTRY, [workspace, deploy]);
    if (!rows[0]) throw notFound('deploy');
    const { cdUrl, address } = rows[0].view;
    const whole = address
      ? await this.vault.get({ workspace, ref: address.ref })
      : await this.recorded(deploy);
    return whole ?? cdUrl;
  }

  /** Destroys the vault entry of a log entry once no other entry refers to it. */
  async release(deploy: string, workspace: string): Promise<void> {
    const ref = (await this.first(deploy))?.data.address?.ref;
    if (ref === undefined) return;
    const { rowCount } = await this.db.query(OTHERS, [workspace, ref, deploy]);
    if (rowCount === 0) await this.vault.shred({ workspace, ref });
  }

  /** The whole address as version 1 recorded it. */
  private async recorded(deploy: string): Promise<string | undefined> {
    const stored = (await this.first(deploy))?.stored;
    return stored && (stored.data as RecordedAddress).cdUrl;
  }

  private async first(deploy: string): Promise<RecordedEvent<string, RecordedAddress> | undefined> {
    const [event] = await this.store.readStream(streamName('deploy', deploy), { limit: 1 });
    return event as RecordedEvent<string, RecordedAddress> | undefined;
  }
}
