import type { Client } from 'pg';

/** Advisory locks of listeners, as `(AREA, hash of the channel)`. */
const AREA = 0x7165;

/**
 * Whether other processes listen on a channel too. Parts of one process tell each other in memory. Where nobody else
 * listens, no notification is needed, and an append without one costs a third less.
 *
 * Each listener holds a shared lock, by which others count it, and announces itself when it arrives.
 */
export class Others {
  #listen = true;
  #arrived = 0;
  #looking: NodeJS.Timeout | undefined;

  constructor(
    private readonly channel: string,
    /** Another process has begun to listen. What is being written now was not told to it. */
    private readonly onArrival: () => void,
    /** How often to see whether they have left. */
    private readonly lookMs = 10_000,
  ) {}

  /** True until the database says otherwise. */
  get listen(): boolean {
    return this.#listen;
  }

  /** Call with each new connection that listens on the channel. */
  async join(client: Client): Promise<void> {
    this.leave();
    const arrivals = `${this.channel}_arrivals`;
    client.on('notification', ({ channel, processId }) => {
      if (channel !== arrivals || processId === (client as { processID?: number }).processID) return;
      this.#listen = true;
      this.#arrived += 1;
      this.onArrival();
    });
    await client.query(`listen ${client.escapeIdentifier(arrivals)}`);
    await client.query('select pg_advisory_lock_shared($1, hashtext($2))', [AREA, this.channel]);
    await client.query(`notify ${client.escapeIdentifier(arrivals)}`);
    await this.#look(client);
    const look = () => void this.#look(client).catch(() => this.leave());
    this.#looking = setInterval(look, this.lookMs).unref();
  }

  /** The connection is lost, or will be closed. */
  leave(): void {
    clearInterval(this.#looking);
    this.#listen = true;
  }

  /**
   * On the same connection: whoever arrives after this count is announced after it. Such an announcement may be handled
   * before the count, if both come in one packet.
   */
  async #look(client: Client): Promise<void> {
    if (!this.#listen) return;
    const arrived = this.#arrived;
    const { rows } = await client.query<{ alone: boolean }>(
      `select count(*) = 1 as alone from pg_locks where locktype = 'advisory' and granted and objsubid = 2
         and database = (select oid from pg_database where datname = current_database())
         and classid = ${AREA}::oid and objid::bigint = hashtext($1)::bigint & 4294967295`,
      [this.channel],
    );
    if (arrived === this.#arrived) this.#listen = rows[0]?.alone !== true;
  }
}
