/**
 * The console's socket: announces changes after the read models show them, and sends the output of watched runs. Rooms
 * depend only on the session. Nothing that a client sends decides what it receives.
 */
import cookie from '@fastify/cookie';
import { Inject, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { WebSocketGateway, WebSocketServer, type OnGatewayInit } from '@nestjs/websockets';
import { comparePositions, type Position, type RecordedEvent, type Role, START } from '@quarterdeck/events';
import { integer, object, position, uuid } from '@quarterdeck/events/inputs';
import { Counter } from 'prom-client';
import type { Server, Socket } from 'socket.io';
import type { z } from 'zod';
import { drop, isTooSlow } from './gateway-client';
import { SocketRoles } from './gateway-roles';
import { followInput, StreamFollows, unfollowInput } from './gateway-streams';
import { RunWatches } from './gateway-watches';
import { LiveMessages, type LiveMessage } from './live-messages';
import { Hooks } from '../hooks';
import { Metrics, sessionSecretIn } from '../http';
import { type Change, type Changes, messagesOf, RecentEvents, toEntries, visibleTo } from './push-changes';
import { ProjectedEvents } from './projected-events';
import { RunFeeds } from '../run-output';
import { mayActAs, type Session, type Sessions } from '../sessions';
import {
  CONFIG,
  type Config,
  DB,
  EVENT_STORE,
  type EventStore,
  LOGGER,
  type Logger,
  type Pool,
  type ProjectionRunner,
  PROJECTIONS,
  SESSIONS,
} from '../tokens';

type Entries = ReturnType<RecentEvents['add']>;

/** One screen frame: anything within it appears at the same time anyway. */
const LONGEST_WAIT_MS = 16;
/**
 * Pushing may take at most this part of the time: a few sockets get pushes at once, a thousand of them once per frame.
 */
const SHARE = 1 / 8;
const SWEEP_MS = 200;
const roles = ['member', 'admin', 'superadmin'] as const satisfies readonly Role[];

const resumeInput = object({ after: position });
const watchInput = object({ run: uuid, after: integer().optional() });
const unwatchInput = object({ run: uuid });

const roomOf = (workspace: string, role: Role): string => `changes ${workspace} ${role}`;
const sessionRoom = (id: string): string => `session ${id}`;
const sessionOf = (socket: Socket): Session => (socket.data as { session: Session }).session;

@WebSocketGateway({
  pingInterval: 10_000,
  pingTimeout: 10_000,
  perMessageDeflate: false,
  httpCompression: false,
})
export class Gateway implements OnGatewayInit<Server>, OnApplicationBootstrap, OnModuleDestroy {
  @WebSocketServer() private readonly server!: Server;
  private readonly stream: ProjectedEvents;
  private recent = new RecentEvents(START);
  private readonly watches: RunWatches;
  private readonly follows: StreamFollows;
  private readonly pushed: Counter;
  private readonly dropped: Counter;
  private pending: Entries = [];
  private flushing: NodeJS.Timeout | undefined;
  private nextFlush = 0;
  private readonly roles: SocketRoles;
  private sweeping: NodeJS.Timeout | undefined;
  private stopRevocations: (() => void) | undefined;
  private stopMessages: (() => void) | undefined;
  private isLeaving = false;

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    @Inject(DB) private readonly db: Pool,
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(EVENT_STORE) private readonly store: EventStore,
    @Inject(PROJECTIONS) private readonly projections: ProjectionRunner,
    @Inject(SESSIONS) private readonly sessions: Sessions,
    feeds: RunFeeds,
    private readonly messages: LiveMessages,
    hooks: Hooks,
    @Inject(Metrics) { registry }: Metrics,
  ) {
    this.stream = new ProjectedEvents(store, projections, {
      heard: (events) => this.release(events),
      leftBehind: (position) => this.beginAnew(position),
      onFault: (error) => logger.warn({ err: error }, 'the log could not be read for the sockets'),
    });
    this.watches = new RunWatches(feeds, store);
    this.follows = new StreamFollows(hooks);
    this.roles = new SocketRoles(
      db,
      () => this.server.sockets.sockets,
      (error) => logger.warn({ err: error }, 'the roles of sockets could not be looked up'),
      sessions,
    );
    const counter = (name: string, help: string) =>
      new Counter({ name: `quarterdeck_${name}_total`, help, registers: [registry] });
    this.pushed = counter('pushed_events', 'Events pushed to rooms of sockets');
    this.dropped = counter('dropped_sockets', 'Sockets that read too slowly');
  }

  afterInit(server: Server): void {
    server.use((socket, next) => {
      if (this.isLeaving) return next(new Error('leaving'));
      this.admit(socket).then(
        (session) => {
          if (!session) return next(new Error('unauthorized'));
          Object.assign(socket.data as object, { session });
          next();
        },
        () => next(new Error('unavailable')),
      );
    });
    server.on('connection', (socket) => this.connected(socket));
    this.stopRevocations = this.sessions.onRevoked((id) => {
      server.in(sessionRoom(id)).emit('session-ended');
      server.in(sessionRoom(id)).disconnectSockets(true);
    });
    this.stopMessages = this.messages.onMessage((message) => this.tell(message));
  }

  /** Runs before anything listens. */
  onApplicationBootstrap(): void {
    const from = this.projections.position();
    this.recent = new RecentEvents(from);
    this.stream.start(from);
    this.roles.start();
    this.sweeping = setInterval(() => this.dropSlow(), SWEEP_MS).unref();
  }

  /** Asks all sockets to connect again, and takes no new ones: this process is about to end. */
  dismiss(): void {
    this.isLeaving = true;
    this.server.emit('leaving');
  }

  onModuleDestroy(): void {
    this.stream.stop();
    this.stopRevocations?.();
    this.stopMessages?.();
    this.roles.stop();
    clearTimeout(this.flushing);
    clearInterval(this.sweeping);
  }

  private async admit({ handshake: { headers } }: Socket): Promise<Session | undefined> {
    if (!this.ownOrigin(headers.origin, headers.host)) return undefined;
    const session = await this.sessions.load(sessionSecretIn(cookie.parse(headers.cookie ?? '')));
    return session?.lacks ? undefined : session;
  }

  /** Browsers always send an origin with a socket. A client without one is not a page of another site. */
  private ownOrigin(origin: string | undefined, host: string | undefined): boolean {
    if (origin === undefined) return true;
    if (!URL.canParse(origin)) return false;
    const { PUBLIC_URL } = this.config;
    return (
      new URL(origin).host === host || (PUBLIC_URL !== undefined && new URL(PUBLIC_URL).origin === origin)
    );
  }

  private connected(socket: Socket): void {
    const session = sessionOf(socket);
    void socket.join(sessionRoom(session.id));
    this.on(socket, 'resume', resumeInput, ({ after }, ack) => this.resume(socket, after, ack));
    this.on(socket, 'watch', watchInput, async ({ run, after = 0 }, ack) => {
      if (!mayActAs(sessionOf(socket).role, 'admin')) return ack({ error: 'this requires the role admin' });
      const error = await this.watches.watch(socket, session.workspace, run, after);
      ack(error === undefined ? { ok: true } : { error });
    });
    this.on(socket, 'unwatch', unwatchInput, async ({ run }, ack) => {
      this.watches.unwatch(socket, run);
      ack({ ok: true });
    });
    this.on(socket, 'follow', followInput, async (asked, ack) =>
      ack(await this.follows.follow(socket, sessionOf(socket), asked)),
    );
    this.on(socket, 'unfollow', unfollowInput, async ({ key }, ack) => {
      this.follows.unfollow(socket, key);
      ack({ ok: true });
    });
    socket.on('disconnect', () => {
      this.watches.forget(socket);
      this.follows.forget(socket);
    });
  }

  /** Registers a message with its schema and its handler. Invalid messages and failures get an error as answer. */
  private on<S extends z.ZodType>(
    socket: Socket,
    message: string,
    schema: S,
    answer: (input: z.infer<S>, ack: (answer: object) => void) => Promise<void>,
  ): void {
    socket.on(message, (...args: unknown[]) => {
      const last = args.at(-1);
      const ack = typeof last === 'function' ? (last as (answer: object) => void) : () => undefined;
      const input = schema.safeParse(args[0]);
      if (!input.success) return ack({ error: 'this message cannot be understood' });
      answer(input.data, ack).catch((error: unknown) => {
        this.logger.warn({ err: error, message }, 'a message of a socket could not be answered');
        ack({ error: 'this cannot be answered at the moment' });
      });
    });
  }

  private async resume(socket: Socket, after: Position, ack: (answer: Resumed) => void): Promise<void> {
    const { workspace, role } = sessionOf(socket);
    const join = (missed?: Change[]): void => {
      // Pending pushes are part of the answer, and must not be sent a second time.
      this.flush();
      void socket.join(roomOf(workspace, role));
      // In the same tick as joining: a push that arrives before the answer would make the client skip what it missed.
      const { position } = this.stream;
      ack(missed ? { events: missed, position } : { resync: true, position });
    };
    // The log does not have this position: it was restored to an older state while the client was connected.
    if (
      comparePositions(after, this.stream.position) > 0 &&
      comparePositions(after, await this.store.head()) > 0
    )
      return join();
    return resume({ after, workspace, role }, this.recent, this.store, join);
  }

  private release(events: readonly RecordedEvent[]): void {
    // First, because a removed person must not see later events.
    this.roles.seen(events);
    this.pending.push(...this.recent.add(events));
    this.watches.seen(events);
    if (this.flushing) return;
    const due = this.nextFlush - performance.now();
    if (due < 0.5) this.flush();
    else this.flushing = setTimeout(() => this.flush(), due);
  }

  /** The sockets connect again, with the role that the person has now, and fetch everything. */
  private beginAnew(position: Position): void {
    this.recent = new RecentEvents(position);
    this.pending = [];
    for (const socket of this.server.sockets.sockets.values()) {
      this.sessions.forget(sessionOf(socket).id);
      drop(socket);
    }
  }

  private flush(): void {
    clearTimeout(this.flushing);
    this.flushing = undefined;
    if (this.pending.length === 0) return;
    const began = performance.now();
    const entries = this.pending;
    this.pending = [];
    const { rooms } = this.server.sockets.adapter;
    const listening = (workspace: string, role: Role): boolean => rooms.has(roomOf(workspace, role));
    for (const { workspace, role, changes } of messagesOf(entries, this.stream.position, listening)) {
      this.server.to(roomOf(workspace, role)).emit('changes', changes);
      this.pushed.inc(changes.events.length);
    }
    const now = performance.now();
    this.nextFlush = now + Math.min((now - began) / SHARE, LONGEST_WAIT_MS);
  }

  private dropSlow(): void {
    for (const socket of this.server.sockets.sockets.values()) {
      if (!isTooSlow(socket)) continue;
      this.dropped.inc();
      this.logger.warn({ person: sessionOf(socket).person }, 'a socket read too slowly and was dropped');
      drop(socket);
    }
  }

  private tell({ workspace, audience, name, body }: LiveMessage): void {
    const rooms = roles.filter((role) => mayActAs(role, audience)).map((role) => roomOf(workspace, role));
    this.server.to(rooms).emit(name, body);
  }
}

/** Sends a reconnecting client what it missed, and subscribes it to pushes again, without a gap in between. */
type Resumed = Changes | { resync: true; position: Position };

/** Beyond this, fetching everything again is cheaper for both sides. */
const MAX_MISSED = 1000;
const PAGE = 500;
/** How many pages of the log are searched for the events of one workspace. */
const MAX_PAGES = 10;

interface ResumeFrom {
  after: Position;
  workspace: string;
  role: Role;
}

/**
 * @param join subscribes the client and answers with what it missed, or with undefined if that is too much; called
 * once, at the end
 */
const resume = async (
  { after, workspace, role }: ResumeFrom,
  recent: RecentEvents,
  store: EventStore,
  join: (missed?: Change[]) => void,
): Promise<void> => {
  const missed: Change[] = [];
  let from = after;
  for (let pages = 0; ; pages++) {
    const rest = recent.after(from, workspace, role);
    const tooMany = missed.length + (rest?.length ?? 0) > MAX_MISSED;
    if (tooMany || (!rest && pages >= MAX_PAGES)) return join();
    // No await between this check and the subscription, so nothing is missed in between.
    if (rest) return join([...missed, ...rest]);
    // A log that has moved may not have this position. A log that is down cannot be read.
    const page = await store.readAll(from, { limit: PAGE }).catch(() => undefined);
    if (!page) return join();
    const forgotten = page.filter(({ position }) => comparePositions(position, recent.since) <= 0);
    missed.push(...visibleTo(toEntries(forgotten), workspace, role));
    const last = forgotten.at(-1);
    from = forgotten.length === PAGE && last ? last.position : recent.since;
  }
};
