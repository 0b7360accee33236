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

const SELECT = 'select view from read.servers';

export interface RosterListener {
  /** `known`: the server existed when this process took over. */
  listed(entry: RosterEntry, known: boolean): void;
  removed(servers: readonly string[]): void;
  onFault(error: unknown): void;
}

export class ProbeRoster {
  private readonly stream: ProjectedEvents;
  private servers = new Set<string>();
  private workspaces = new Set<string>();
  private loading = false;
  private stopped = false;

  constructor(
    private readonly db: Pool,
    store: EventStore,
    private readonly projections: ProjectionRunner,
    private readonly listener: RosterListener,
  ) {
    this.stream = new ProjectedEvents(
      store,
      projections,
      (events) => this.heard(events),
      (error) => listener.onFault(error),
    );
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
      if (category === 'server') this.servers.add(id);
      if (category === 'workspace') this.workspaces.add(id);
    }
    if (this.servers.size + this.workspaces.size > 0) void this.load(false);
  }

  /** One look at a time. Events that arrive meanwhile lead to another look. */
  private async load(everything: boolean): Promise<void> {
    if (this.loading) return;
    this.loading = true;
    let all = everything;
    while (!this.stopped && (all || this.servers.size + this.workspaces.size > 0)) {
      const [servers, workspaces] = [this.servers, this.workspaces];
      this.servers = new Set();
      this.workspaces = new Set();
      try {
        if (all) await this.loadAll();
        else await this.reload([...servers], [...workspaces]);
        all = false;
      } catch (error) {
        this.listener.onFault(error);
        for (const id of servers) this.servers.add(id);
        for (const id of workspaces) this.workspaces.add(id);
        await sleep(RETRY_MS);
      }
    }
    this.loading = false;
  }

  private async loadAll(): Promise<void> {
    await this.list(await this.serversOf(SELECT), true);
  }

  private async reload(servers: string[], workspaces: string[]): Promise<void> {
    const found = await this.serversOf(`${SELECT} where id = any($1) or workspace = any($2)`, [
      servers,
      workspaces,
    ]);
    await this.list(found, false);
    const there = new Set(found.map(({ id }) => id));
    const gone = servers.filter((id) => !there.has(id));
    if (gone.length > 0 && !this.stopped) this.listener.removed(gone);
  }

  private async serversOf(query: string, values: unknown[] = []): Promise<ServerView[]> {
    return (await this.db.query<{ view: ServerView }>(query, values)).rows.map(({ view }) => view);
  }

  private async list(servers: readonly ServerView[], known: boolean): Promise<void> {
    const chosen = await settingsOfAll(this.db, 'healthChecks');
    if (this.stopped) return;
    const rules = new Map<string, Rule>(chosen.map((one) => [one.workspace, one.chosen]));
    for (const server of servers)
      this.listener.listed({ server, rule: rules.get(server.workspace) ?? defaultHealthChecks }, known);
  }
}
