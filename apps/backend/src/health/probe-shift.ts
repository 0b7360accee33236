/**
 * The period in which this process probes. Each server has a timer. Each probe is kept as a sample, and is recorded as
 * an event only if it changes whether the server counts as reachable.
 *
 * Those events have the actor `system`. No other event caused them, so they are their own cause. Their causation id is
 * that of the deciding probe.
 */
import { comparePositions, START, type Position } from '@quarterdeck/events';
import type { ServerView } from '@quarterdeck/projections';
import { DomainError } from '../platform/errors';
import { remember, verdict, type Reachability, type Rule } from './health-verdict';
import type { KeptSample } from './health-samples';
import { ProbeLanes } from './probe-lanes';
import type { RosterEntry } from './probe-roster';
import type { Outcome } from './one-probe';
import { createHash } from 'node:crypto';

/**
 * A new server is not probed for this long, so the operator who added it makes the first contact and sees the pinned
 * key.
 */
const FIRST_CONTACT_MS = 5000;
const RETRY_MS = 5000;
/** Timers sometimes fire slightly early, which must not cause a second probe. */
const EARLY_MS = 100;

export interface Change {
  to: Reachability;
  code?: string;
  reason?: string;
}

export interface ShiftOutlets {
  probe: (server: ServerView, signal: AbortSignal) => Promise<Outcome | undefined>;
  /** @returns the position of the event */
  record: (server: ServerView, change: Change) => Promise<Position>;
  keep: (sample: KeptSample) => void;
  onFault: (error: unknown) => void;
}

interface Watched {
  server: ServerView;
  rule: Rule;
  outcomes: boolean[];
  recorded: Reachability | undefined;
  /** Position in the log that was read or written. */
  position: Position;
  quick: boolean;
  timer?: NodeJS.Timeout | undefined;
  probing?: Promise<void> | undefined;
}

/** If this changes, earlier results do not apply any more. */
const identityOf = ({ host, port, username, key }: ServerView): string =>
  JSON.stringify([host, port, username, key.fingerprint, key.setAt]);

const refusal = ({ refusedHostKey, hostKey }: ServerView): Change | undefined =>
  refusedHostKey && {
    to: 'unreachable',
    code: 'hostKeyChanged',
    reason:
      `The server's host key has changed: expected ${hostKey?.fingerprint ?? 'another'}, got ` +
      `${refusedHostKey.fingerprint}. Nothing is run there until it shows that key again or an administrator accepts the new one.`,
  };

export class ProbeShift {
  private readonly watched = new Map<string, Watched>();
  private readonly lanes = new ProbeLanes();
  private readonly over = new AbortController();

  constructor(private readonly outlets: ShiftOutlets) {}

  listed({ server, rule }: RosterEntry, known: boolean): void {
    const before = this.watched.get(server.id);
    const watched: Watched = before ?? {
      server,
      rule,
      outcomes: [],
      recorded: undefined,
      position: START,
      quick: true,
    };
    const { server: was, rule: ruleWas } = watched;
    Object.assign(watched, { server, rule });
    // The read model may not yet contain events that this process has just recorded.
    if (comparePositions(server.position, watched.position) >= 0)
      Object.assign(watched, { recorded: server.health?.state, position: server.position });
    this.watched.set(server.id, watched);
    const another = before !== undefined && identityOf(was) !== identityOf(server);
    const settled = was.refusedHostKey !== undefined;
    if (another || settled) watched.outcomes = [];
    if (server.refusedHostKey) return this.refused(watched);
    // A pinned host key also calls for a probe, unless the server is known to answer.
    const pinned = !was.hostKey && server.hostKey !== undefined && watched.outcomes.at(-1) !== true;
    if (before ? another || settled || pinned : !known)
      this.plan(watched, server.hostKey ? 0 : FIRST_CONTACT_MS);
    else if (!before || ruleWas.everySeconds !== rule.everySeconds) this.plan(watched);
  }

  removed(ids: readonly string[]): void {
    for (const id of ids) {
      clearTimeout(this.watched.get(id)?.timer);
      this.watched.delete(id);
    }
  }

  /** Ends running probes, and resolves when they have ended. */
  async stop(): Promise<void> {
    this.over.abort(new Error('another process probes from now on'));
    for (const { timer } of this.watched.values()) clearTimeout(timer);
    await Promise.allSettled([...this.watched.values()].flatMap(({ probing }) => probing ?? []));
  }

  private plan(watched: Watched, inMs?: number): void {
    clearTimeout(watched.timer);
    if (this.over.signal.aborted || this.watched.get(watched.server.id) !== watched) return;
    const now = Date.now();
    const everyMs = watched.rule.everySeconds * 1000;
    const waitMs = inMs ?? nextDue(watched.server.id, everyMs, now + EARLY_MS) - now;
    watched.timer = setTimeout(() => this.due(watched), waitMs).unref();
  }

  private due(watched: Watched): void {
    // The running probe plans the next one when it ends.
    if (watched.probing || watched.server.refusedHostKey) return;
    const begun = identityOf(watched.server);
    watched.probing = this.lanes
      .run(watched.quick, () => this.look(watched))
      .then(
        (quick) => void (watched.quick = quick),
        (error: unknown) => this.over.signal.aborted || this.outlets.onFault(error),
      )
      .then(() => {
        watched.probing = undefined;
        // Moved meanwhile: nothing is known about its new address yet.
        this.plan(watched, identityOf(watched.server) === begun ? undefined : 0);
      });
  }

  private async look(watched: Watched): Promise<void> {
    const { server } = watched;
    const wanted = (): boolean =>
      !this.over.signal.aborted &&
      this.watched.get(server.id) === watched &&
      identityOf(watched.server) === identityOf(server);
    if (!wanted() || server.refusedHostKey) return;
    const outcome = await this.outlets.probe(server, this.over.signal);
    if (!outcome || !wanted()) return;
    const { figures, ...what } = outcome;
    const at = new Date().toISOString();
    this.outlets.keep({ workspace: server.workspace, server: server.id, at, ...what, ...figures });
    watched.outcomes = remember(watched.outcomes, outcome.ok);
    const { code, reason } = outcome;
    const why = { ...(code && { code }), ...(reason && { reason }) };
    // A changed host key is not a glitch: one look is enough.
    const to =
      code === 'hostKeyChanged' ? 'unreachable' : verdict(watched.outcomes, watched.rule, watched.recorded);
    if (to) await this.record(watched, { to, ...why });
  }

  /** A probe or an operator's command found it. From now on this server is not probed. */
  private refused(watched: Watched): void {
    clearTimeout(watched.timer);
    const change = refusal(watched.server);
    if (!change || this.over.signal.aborted) return;
    void this.record(watched, change).then(() => {
      if (watched.recorded !== change.to && this.watched.get(watched.server.id) === watched)
        watched.timer = setTimeout(() => this.refused(watched), RETRY_MS).unref();
    });
  }

  private async record(watched: Watched, change: Change): Promise<void> {
    if (change.to === watched.recorded || this.over.signal.aborted) return;
    try {
      const position = await this.outlets.record(watched.server, change);
      Object.assign(watched, { recorded: change.to, position });
    } catch (error) {
      // The server was removed meanwhile. Other errors are retried.
      if (!(error instanceof DomainError && error.code === 'notFound')) this.outlets.onFault(error);
    }
  }
}

/*
 * When a server is probed. Pure. Each server has a fixed place within the interval, derived from its id: five hundred
 * servers are not probed at once, and a process that takes over keeps the same rhythm.
 */

/** From 0 to 1, evenly spread even for similar ids. */
const placeOf = (id: string): number => createHash('md5').update(id).digest().readUInt32BE() / 2 ** 32;

/** The next instant after `now` at which the server is due, in milliseconds of the same clock. */
export const nextDue = (id: string, everyMs: number, now: number): number => {
  const offset = Math.floor(placeOf(id) * everyMs);
  return (Math.floor((now - offset) / everyMs) + 1) * everyMs + offset;
};
