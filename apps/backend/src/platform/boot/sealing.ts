/**
 * Seals the log at intervals: records the hash of the chain in the log itself and in the process's own log, so that
 * either copy can later prove what the log contained. If the engine keeps no chain, the seals anchor the one in the
 * read models.
 */
import { LOG_STREAM } from '@quarterdeck/events/catalogue';
import type { AuditedLog, AuthenticStore, Seal } from '@quarterdeck/log/store';
import type { ProjectionRunner } from '@quarterdeck/projections/runner';
import type { Pool } from 'pg';
import { v7 as uuidv7 } from 'uuid';
import type { Logger } from '../tokens';

const INTERVAL_MS = 60 * 60_000;

/** The end of the chain in the read models; undefined if they keep no chain, or not for this place of the log. */
export const followedChain = async (
  pool: Pick<Pool, 'query'>,
  { home }: Pick<AuthenticStore, 'home'>,
): Promise<Seal | undefined> => {
  const { rows } = await pool.query<{ known: boolean }>(
    `select to_regclass('read.chain') is not null as known`,
  );
  if (!rows[0]?.known) return undefined;
  const found = await pool.query<Seal>(
    `select position::text, hash from read.chain
     where exists (select from read.checkpoints where projection = 'chain' and (follows or state = 'live'))
       and not exists (select from read.log where home is distinct from $1::uuid)`,
    [home],
  );
  return found.rows[0];
};

/** The log for an audit, with its chain from the engine or from the read models. */
export const auditedLog = async (store: AuthenticStore, pool: Pool): Promise<AuditedLog> =>
  store.audited(store.chain ? undefined : await followedChain(pool, store));

/** The end of the chain; undefined if the read models do not have it yet. */
const currentSeal = (store: AuthenticStore, pool: Pool): Promise<Seal | undefined> =>
  store.chain ? store.chain.seal() : followedChain(pool, store);

interface Sealed {
  store: AuthenticStore;
  pool: Pool;
  projections: ProjectionRunner;
  logger: Logger;
}

export class Sealing {
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly resources: Sealed) {}

  start(): void {
    this.timer = setInterval(() => {
      const { projections, logger } = this.resources;
      // One of several processes is enough: the one that leads.
      if (projections.leading)
        this.seal().catch((error: unknown) => logger.warn({ err: error }, 'the log was not sealed'));
    }, INTERVAL_MS).unref();
  }

  stop(): void {
    clearInterval(this.timer);
  }

  /** @returns the seal, or undefined if nothing has happened since the last one */
  async seal(): Promise<Seal | undefined> {
    const { store, pool, logger } = this.resources;
    const seal = await currentSeal(store, pool);
    const { events, revision } = await store.readAfter(LOG_STREAM, -1);
    const last = events.at(-1);
    if (!seal || seal.position === '0' || last?.position === seal.position) return undefined;
    const { keys } = store;
    const signed = keys && { log: keys.id, signature: keys.sign(seal) };
    const id = uuidv7();
    const at = new Date().toISOString();
    const meta = { id, at, actor: 'system', workspace: '-', correlationId: id, causationId: id, v: '1' };
    await store.append(
      LOG_STREAM,
      [{ type: 'LogSealed', data: { ...seal, ...signed }, meta }],
      revision < 0 ? 'no_stream' : revision,
    );
    logger.info(seal, 'the log was sealed');
    return seal;
  }
}
