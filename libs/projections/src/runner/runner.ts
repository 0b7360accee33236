/**
 * Keeps the read models. One process leads and writes them. Every process can wait for them, listen to them, rebuild
 * and verify them.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { comparePositions, START, type Position, type RecordedEvent } from '@quarterdeck/events';
import type { EventStore } from '@quarterdeck/log/store';
import type pg from 'pg';
import type { AnyProjection, ProjectionDefinition } from '../define-projection';
import type { Lag, MaintenanceKind } from '../superadmin';
import { asOf, type AsOfOptions } from './as-of';
import { LogMovedOn, NewerTables, readCheckpoints, stopLeading, tryLead } from './checkpoints';
import { describeError } from './fold';
import { otherThan, type LaneName, type Places } from './lanes';
import { Live } from './live';
import { Progress, type ProjectedListener } from './progress';
import { maintain, type MaintenanceBook, type MaintenanceOrder, type MaintenanceOutcome } from './maintain';
import { RebuildRefused } from './maintenance-lock';
import { rebuild, withUnbuilt, type RebuildOptions, type RebuildResult } from './rebuild';
import { retryParked, type RetryResult } from './retry-parked';
import { ensureSchema } from './schema';
import { Session } from './session';
import { followedPlaces, followLog, isFollowed, type FollowedPlaces, type SourceLog } from './source-log';
import { readLag, readStatus, type RunnerStatus } from './status';
import { verify, type VerifyResult } from './verify';

export interface RunnerLogger {
  info(details: object, text: string): void;
  warn(details: object, text: string): void;
  error(details: object, text: string): void;
}

export interface RunnerOptions {
  db: pg.Pool;
  /** For the connections that the runner uses alone. */
  connectionString: string;
  store: EventStore;
  projections: readonly AnyProjection[];
  /** Unset for a log without an identity. */
  log?: SourceLog | undefined;
  logger?: RunnerLogger;
  /** False for a process that only waits, listens or verifies: it never leads or rebuilds by itself. */
  lead?: boolean;
  /** Number of rows per projection that a leader keeps in memory. */
  cachedRows?: number;
  /** How many events are read from the log at once. */
  readAtOnce?: number;
}

const POLL = 250;
const REBUILD_POLL = 1_000;
const SAID_ONCE_IN = 60_000;
const NO_LOG: RunnerLogger = { info: () => undefined, warn: () => undefined, error: () => undefined };

export class ProjectionRunner {
  readonly #options: Required<Omit<RunnerOptions, 'log'>> & Pick<RunnerOptions, 'log'>;
  readonly #progress: Progress;
  /** Of the read models that follow later. A lane in which nothing is live goes with the other one. */
  readonly #later: Progress;
  readonly #stopping = new AbortController();
  #running: Promise<unknown> | undefined;
  #session: Session | undefined;
  #live: Live | undefined;
  #lastError: RunnerStatus['lastError'];
  #logged = { at: '', message: '' };
  #leadingSince: string | undefined;
  /** Whether the read models follow the log at its current place, as this process knows it. */
  #followed = false;
  #places: Places = { now: undefined, later: undefined };
  #maintaining: Promise<unknown> | undefined;

  constructor(options: RunnerOptions) {
    this.#options = { lead: true, cachedRows: 5_000, readAtOnce: 2_000, logger: NO_LOG, ...options };
    this.#progress = new Progress((error) => this.#note(error, 'tell a listener'));
    this.#later = new Progress(() => undefined);
  }

  /**
   * Creates what is missing in the database, then runs until `stop`.
   * @throws AnotherLog if the read models were built from another log
   */
  async start(): Promise<void> {
    if (this.#running) throw new Error('the projections are already running');
    const { db, projections, log, logger } = this.#options;
    await ensureSchema(db, projections, () => this.#isLogNew());
    if (log && (await followLog(db, log))) logger.info({}, 'projections: the log has moved, rebuilding them');
    this.#take((await db.query<FollowedPlaces>(followedPlaces(log))).rows);
    const tasks = [this.#keepConnected()];
    if (this.#options.lead) tasks.push(this.#keepUpToDate());
    this.#running = Promise.all(tasks);
  }

  /** Finishes the current batch. Another process then takes the lead. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#live?.end();
    await this.#running;
    await this.#maintaining?.catch(() => undefined);
    this.#progress.close();
    this.#later.close();
  }

  /** @returns whether every read model is built and followed within the time. Until then some may be incomplete. */
  async ready(timeoutMs: number): Promise<boolean> {
    for (const deadline = Date.now() + timeoutMs; ; await this.#rest(50)) {
      const stored = new Map((await readCheckpoints(this.#options.db)).map((row) => [row.projection, row]));
      const built = ({ name, version }: AnyProjection) =>
        stored.get(name)?.state === 'live' && stored.get(name)?.version === version;
      if (this.#options.projections.every(built)) return true;
      if (Date.now() >= deadline || this.#stopping.signal.aborted) return false;
    }
  }

  /** Last known position of the read models. `START` while they do not follow the log at its current place. */
  position(): Position {
    return this.#progress.position;
  }

  get leading(): boolean {
    return this.#live !== undefined;
  }

  /** ISO instant; undefined if another process leads. */
  get leadingSince(): string | undefined {
    return this.#leadingSince;
  }

  /** @returns whether the read models reached the position in time */
  waitFor(position: Position, timeoutMs: number): Promise<boolean> {
    return this.#progress.waitFor(position, timeoutMs);
  }

  /**
   * Waits until those read models that follow later have everything that the others have.
   * @returns whether it was so in time
   */
  waitForLater(timeoutMs: number): Promise<boolean> {
    const position = this.position();
    if (comparePositions(this.#later.position, position) < 0) this.#live?.hurry();
    return this.#later.waitFor(position, timeoutMs);
  }

  /** @returns a function that removes the listener */
  onProjected(listener: ProjectedListener): () => void {
    return this.#progress.listen(listener);
  }

  /** How far the slower lane is behind the log. */
  lag(): Promise<Lag> {
    const { position: now } = this.#progress;
    const { position: later } = this.#later;
    return readLag(this.#options.store, comparePositions(later, now) < 0 ? later : now);
  }

  async status(): Promise<RunnerStatus> {
    return readStatus({
      ...this.#options,
      position: this.position(),
      lag: await this.lag(),
      leading: this.leading,
      ...(this.#leadingSince === undefined ? {} : { leadingSince: this.#leadingSince }),
      connected: this.#session !== undefined && this.#session.lost === undefined,
      lastError: this.#lastError,
    });
  }

  /**
   * Rebuilds one read model by name, or `all` in one pass. @throws RebuildRefused if a rebuild is running in any
   * process
   */
  async rebuild(
    which: string,
    more: Pick<RebuildOptions, 'onProgress' | 'residentRows'> = {},
  ): Promise<RebuildResult> {
    const projections = this.#named(which);
    return this.#rebuild((client) => withUnbuilt(client, projections, this.#options.projections), more);
  }

  verify(which = 'all'): Promise<VerifyResult[]> {
    const { connectionString, store } = this.#options;
    return verify({ connectionString, store, projections: this.#named(which) });
  }

  get names(): string[] {
    return this.#options.projections.map(({ name }) => name);
  }

  /** Translates the names that operators use. @throws if there is no such read model */
  order(kind: MaintenanceKind, which: string): MaintenanceOrder {
    return { kind, projections: this.#named(which) };
  }

  /** Rebuilds or verifies what the book asks for. @throws RebuildRefused if maintenance is running in any process */
  async maintain(book: MaintenanceBook, cancel: AbortSignal): Promise<MaintenanceOutcome | undefined> {
    const { connectionString, store, projections, logger } = this.#options;
    const stop = this.#stopping.signal;
    const maintaining = maintain({ connectionString, store, projections, book, cancel, stop });
    this.#maintaining = maintaining;
    const outcome = await maintaining;
    if (outcome) logger.info({ state: outcome.state }, 'projections: maintained');
    // Restart the lead at once instead of waiting until the leader notices the rebuild.
    this.#live?.end();
    return outcome;
  }

  async retryParked(projection: string, stream: string): Promise<RetryResult> {
    const { connectionString, store } = this.#options;
    const [definition] = this.#named(projection);
    if (!definition) throw new Error(`there is no projection ${projection}`);
    const result = await retryParked({ connectionString, store, projection: definition, stream });
    this.#live?.end();
    return result;
  }

  asOf<V extends object>(definition: ProjectionDefinition<V>, options: AsOfOptions): Promise<Map<string, V>> {
    return asOf(this.#options.store, definition, options);
  }

  /** True if the log has no event except the one that founded it. */
  async #isLogNew(): Promise<boolean> {
    const { store } = this.#options;
    const head = await store.head();
    const [first] = await store.readAll(START, { limit: 1 });
    return head === START || (first?.type === 'LogFounded' && first.position === head);
  }

  #named(which: string): AnyProjection[] {
    const found = this.#options.projections.filter(({ name }) => which === 'all' || name === which);
    if (found.length === 0) throw new Error(`there is no projection ${which}`);
    return found;
  }

  async #keepConnected(): Promise<void> {
    while (!this.#stopping.signal.aborted)
      try {
        const onPosition = (lane: LaneName, position: string) => {
          if (this.#followed) this.#advance(lane, position);
        };
        this.#session = await Session.open(this.#options.connectionString, onPosition);
        await this.#follow(this.#session);
      } catch (error) {
        this.#note(error, 'follow the read models');
        await this.#rest(POLL);
      } finally {
        await this.#session?.close();
        this.#session = undefined;
      }
  }

  /** Polls for the lead. Each answer also contains the position, which makes up for lost notifications. */
  async #follow(session: Session): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      if (session.lost) throw session.lost;
      this.#take(await session.ask<FollowedPlaces>(followedPlaces(this.#options.log)));
      if (this.#options.lead && (await session.ask<{ leads: boolean }>(tryLead))[0]?.leads)
        await this.#lead(session);
      else await this.#rest(POLL);
    }
  }

  /** Ignores positions from another place of the log. */
  #take([stored]: FollowedPlaces[]): void {
    this.#followed = stored?.followed === true;
    const { now, later } = this.#followed && stored ? stored : { now: null, later: null };
    this.#correct({ now: now ?? undefined, later: later ?? undefined });
  }

  #correct(places: Places): void {
    this.#places = places;
    this.#progress.correct(places.now ?? places.later ?? START);
    this.#later.correct(places.later ?? places.now ?? START);
  }

  #advance(lane: LaneName, position: Position, events?: RecordedEvent[]): void {
    const isAlone = this.#places[otherThan(lane)] === undefined;
    if (lane === 'later' || isAlone) this.#later.advance(position);
    if (lane === 'now' || isAlone) this.#progress.advance(position, events);
  }

  async #lead(session: Session): Promise<void> {
    const { logger, store, projections, log: source, cachedRows, readAtOnce } = this.#options;
    logger.info({}, 'projections: leading');
    // A leader would receive its own notifications, even before the answer to its statement.
    await session.listen(false);
    this.#leadingSince = new Date().toISOString();
    try {
      while (!this.#stopping.signal.aborted && !session.lost) {
        this.#live = new Live({
          session,
          store,
          projections,
          source,
          cachedRows,
          readAtOnce,
          onLead: (places) => this.#correct(places),
          onApplied: (lane, position, events) => this.#advance(lane, position, events),
          onFault: (error, doing) => this.#note(error, doing),
        });
        await this.#live.run();
      }
    } catch (error) {
      if (!(error instanceof NewerTables || error instanceof LogMovedOn)) throw error;
      this.#note(error, 'lead');
      await session.ask(stopLeading);
      await session.listen(true);
      await this.#rest(REBUILD_POLL);
    } finally {
      this.#live = undefined;
      this.#leadingSince = undefined;
      logger.info({}, 'projections: no longer leading');
    }
  }

  /** Rebuilds what an older program made. A leader also rebuilds frozen read models. */
  async #keepUpToDate(): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      try {
        if ((await this.#outdated(this.#options.db)).length > 0)
          await this.#rebuild((client) => this.#outdated(client));
      } catch (error) {
        if (!(error instanceof RebuildRefused) && !this.#stopping.signal.aborted)
          this.#note(error, 'rebuild');
      }
      await this.#rest(REBUILD_POLL);
    }
  }

  async #outdated(client: pg.Pool | pg.ClientBase): Promise<AnyProjection[]> {
    const { log } = this.#options;
    if (log && !(await isFollowed(client, log))) return [];
    const stored = new Map((await readCheckpoints(client)).map((row) => [row.projection, row]));
    return this.#options.projections.filter(({ name, version }) => {
      const found = stored.get(name);
      return (
        found !== undefined &&
        (found.version < version || (this.leading && found.version === version && found.state === 'frozen'))
      );
    });
  }

  async #rebuild(
    choose: RebuildOptions['choose'],
    more: Pick<RebuildOptions, 'onProgress' | 'residentRows'> = {},
  ): Promise<RebuildResult> {
    const { connectionString, store, logger } = this.#options;
    const signal = this.#stopping.signal;
    const result = await rebuild({ connectionString, store, choose, signal, ...more });
    logger.info(result, 'projections: rebuilt');
    // Restart the lead at once instead of waiting until the leader notices the rebuild.
    this.#live?.end();
    return result;
  }

  #note(error: unknown, doing: string): void {
    const at = new Date().toISOString();
    const message = `${doing}: ${describeError(error)}`;
    const { at: loggedAt, message: before } = this.#logged;
    // An error that repeats is logged once a minute.
    if (message !== before || Date.parse(at) - Date.parse(loggedAt) > SAID_ONCE_IN) {
      this.#options.logger.warn({ err: error }, `projections: cannot ${doing}`);
      this.#logged = { at, message };
    }
    this.#lastError = { at, message };
  }

  async #rest(ms: number): Promise<void> {
    await pause(ms, undefined, { signal: this.#stopping.signal }).catch(() => undefined);
  }
}
