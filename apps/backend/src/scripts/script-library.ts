/** The versions of scripts, for runs. Read from the log, so they are always current. */
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { streamName, type LoggedEvent } from '@quarterdeck/events';
import { scripts, type ScriptView } from '@quarterdeck/projections';
import { LRUCache } from 'lru-cache';
import { DomainError, notFound } from '../platform/errors';
import { EVENT_STORE, type EventStore } from '../platform/tokens';
import { RunEngine } from '../runs';
import { scriptKind, type ScriptContent } from './script.kind';

@Injectable()
export class ScriptLibrary implements OnModuleInit {
  /** A version never changes, and a hundred servers may ask for the same one. */
  private readonly known = new LRUCache<string, ScriptContent>({ max: 200 });

  constructor(
    @Inject(EVENT_STORE) private readonly store: EventStore,
    private readonly runs: RunEngine,
  ) {}

  onModuleInit(): void {
    this.runs.register(scriptKind((...version) => this.version(...version)));
  }

  /** @returns its name, and its newest version @throws DomainError `notFound` */
  async script(id: string, workspace: string): Promise<{ name: string; version: number }> {
    const { name, versions, removedAt } = await this.read(id, workspace);
    if (removedAt !== undefined) throw notFound('script');
    return { name, version: versions.length };
  }

  async exists(id: string, workspace: string): Promise<boolean> {
    try {
      return (await this.read(id, workspace)).removedAt === undefined;
    } catch (error) {
      if (error instanceof DomainError) return false;
      throw error;
    }
  }

  /** Also finds versions of scripts that were revised or removed since. @throws DomainError `notFound` */
  async version(id: string, version: number, workspace: string): Promise<ScriptContent> {
    const key = `${workspace}/${id}/${version}`;
    const found = this.known.get(key) ?? (await this.read(id, workspace)).versions[version - 1];
    if (!found) throw notFound('script');
    this.known.set(key, found);
    return found;
  }

  private async read(id: string, workspace: string): Promise<ScriptView> {
    const events = (await this.store.readStream(streamName('script', id))) as LoggedEvent[];
    const view = events.reduce<ScriptView | undefined>(
      (before, event) => scripts.evolve(before, event, id),
      undefined,
    );
    if (view?.workspace !== workspace) throw notFound('script');
    return view;
  }
}
