/**
 * Seals the log at intervals: the hash of the chain goes into the log itself and into the process's own log, so that
 * whoever keeps either can show later what the log was. For an engine that keeps no chain it is the anchor of one.
 */
import { LOG_STREAM } from '@quarterdeck/events/catalogue';
import type { AuditedLog, AuthenticStore, Seal } from '@quarterdeck/events/store';
import type { ProjectionRunner } from '@quarterdeck/projections/runner';
import type { Pool } from 'pg';
import { v7 as uuidv7 } from 'uuid';
import type { Logger } from '../tokens';

const INTERVAL_MS = 60 * 60_000;

/** The end of the chain that the read models follow; undefined where they do not follow it, or not at this place. */
export const followedChain = async (
  pool: Pool,
  { home }: Pick<AuthenticStore, 'home'>,
): Promise<Seal | undefined> => {
  const { rows } = await pool.query<{ known: boolean }>(
    `select to_regclass('read.chain') is not null as known`,
  );
  if (!rows[0]?.known) return undefined;
  const found = await pool.query<Seal>(
    `select position::text, hash from read.chain
     where exists (select from read.checkpoints where projection = 'chain' and state = 'live')
       and not exists (select from read.log where home is distinct from $1::uuid)`,
    [home],
  );
  return found.rows[0];
};

/** The log with its chain, whoever keeps that. */
export const auditedLog = async (store: AuthenticStore, pool: Pool): Promise<AuditedLog> =>
  store.audited(store.chain ? undefined : await followedChain(pool, store));

/** The end of the chain; undefined where nobody has followed it yet. */
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
      // One process of several is enough: the one that leads.
      if (projections.leading)
        this.seal().catch((error: unknown) => logger.warn({ err: error }, 'the log was not sealed'));
    }, INTERVAL_MS).unref();
  }

  stop(): void {
    clearInterval(this.timer);
  }

  /** @returns the seal, or undefined when nothing has happened since the last one */
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
