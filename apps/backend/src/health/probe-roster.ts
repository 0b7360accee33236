/** Which servers to probe and how often, from the read models. Reloaded after every event about them. */
import { setTimeout as sleep } from 'node:timers/promises';
import { streamParts, type RecordedEvent } from '@quarterdeck/events';
import { defaultHealthChecks, type ServerView } from '@quarterdeck/projections';
import { ProjectedEvents } from '../platform/live';
import type { EventStore, Pool, ProjectionRunner } from '../platform/tokens';
import { settingsOfAll } from '../workspaces';
import type { Rule } from './health-verdict';

const RETRY_MS = 1000;

export interface RosterEntry {
  server: ServerView;
  rule: Rule;
}

interface Due {
  /** All servers, also those that the listener does not know yet. */
  all: boolean;
  servers: Set<string>;
  /** Their servers. */
  workspaces: Set<string>;
}
const nothing = (): Due => ({ all: false, servers: new Set(), workspaces: new Set() });

export interface RosterListener {
  /** `known`: the server existed when this process took over. */
  listed(entry: RosterEntry, known: boolean): void;
  removed(servers: readonly string[]): void;
  onFault(error: unknown): void;
}

export class ProbeRoster {
  private readonly stream: ProjectedEvents;
  private due: Due = { ...nothing(), all: true };
  /** Servers that the listener knows. */
  private readonly listed = new Set<string>();
  private loading = false;
  private stopped = false;

  constructor(
    private readonly db: Pool,
    store: EventStore,
    private readonly projections: ProjectionRunner,
    private readonly listener: RosterListener,
  ) {
    this.stream = new ProjectedEvents(store, projections, {
      heard: (events) => this.heard(events),
      leftBehind: () => this.lookAnew(),
      onFault: (error) => listener.onFault(error),
    });
  }

  start(): void {
    // Listens before the first look, so that a server added in between is not missed.
    this.stream.start(this.projections.position());
    void this.load(true);
  }

  stop(): void {
    this.stopped = true;
    this.stream.stop();
  }

  private heard(events: readonly RecordedEvent[]): void {
    for (const { stream } of events) {
      const { category, id } = streamParts(stream);
      if (category === 'server') this.due.servers.add(id);
      if (category === 'workspace') this.due.workspaces.add(id);
    }
    void this.load();
  }

  private lookAnew(): void {
    // Some of them may be gone.
    this.due = { ...this.due, all: true, servers: new Set([...this.due.servers, ...this.listed]) };
    void this.load();
  }

  private get isAnyDue(): boolean {
    return this.due.all || this.due.servers.size + this.due.workspaces.size > 0;
  }

  /** One look at a time. Events that arrive meanwhile lead to another look. */
  private async load(isFirst = false): Promise<void> {
    if (this.loading) return;
    this.loading = true;
    let known = isFirst;
    while (!this.stopped && this.isAnyDue) {
      const { due } = this;
      this.due = nothing();
      try {
        await this.look(due, known);
        known = false;
      } catch (error) {
        this.listener.onFault(error);
        this.due = {
          all: this.due.all || due.all,
          servers: new Set([...this.due.servers, ...due.servers]),
          workspaces: new Set([...this.due.workspaces, ...due.workspaces]),
        };
        await sleep(RETRY_MS);
      }
    }
    this.loading = false;
  }

  private async look({ all, servers, workspaces }: Due, known: boolean): Promise<void> {
    const { rows } = await this.db.query<{ view: ServerView }>(
      'select view from read.servers where $1 or id = any($2) or workspace = any($3)',
      [all, [...servers], [...workspaces]],
    );
    const found = rows.map(({ view }) => view);
    await this.list(found, known);
    if (this.stopped) return;
    for (const { id } of found) this.listed.add(id);
    const there = new Set(found.map(({ id }) => id));
    const gone = [...servers].filter((id) => !there.has(id));
    for (const id of gone) this.listed.delete(id);
    if (gone.length > 0) this.listener.removed(gone);
  }

  private async list(servers: readonly ServerView[], known: boolean): Promise<void> {
    const chosen = await settingsOfAll(this.db, 'healthChecks');
    if (this.stopped) return;
    const rules = new Map<string, Rule>(chosen.map((one) => [one.workspace, one.chosen]));
    for (const server of servers)
      this.listener.listed({ server, rule: rules.get(server.workspace) ?? defaultHealthChecks }, known);
  }
}
