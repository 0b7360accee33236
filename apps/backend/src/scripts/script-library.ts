/** The versions of scripts, as runs need them. Read from the log, so they are always current. */
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { streamName } from '@quarterdeck/events';
import { LRUCache } from 'lru-cache';
import { notFound } from '../platform/errors';
import { PlainThings, thingsOf } from '../platform/kit';
import { EVENT_STORE, type EventStore } from '../platform/tokens';
import { RunEngine } from '../runs';
import { script, versionsIn, type ScriptContent, type ScriptEvent } from './script';
import { scriptKind } from './script.kind';

@Injectable()
export class ScriptLibrary implements OnModuleInit {
  /** A version never changes, and a hundred servers may ask for the same one. */
  private readonly known = new LRUCache<string, ScriptContent>({ max: 200 });

  constructor(
    @Inject(EVENT_STORE) private readonly store: EventStore,
    @Inject(thingsOf(script)) private readonly scripts: PlainThings,
    private readonly runs: RunEngine,
  ) {}

  onModuleInit(): void {
    this.runs.register(scriptKind((...version) => this.version(...version)));
  }

  /** @returns its name, and its newest version @throws DomainError `notFound` */
  async script(id: string, workspace: string): Promise<{ name: string; version: number }> {
    const { name } = await this.scripts.opened(id, workspace);
    return { name: String(name), version: (await this.versions(id, workspace)).length };
  }

  /** Also for a script that was revised or removed since. @throws DomainError `notFound` */
  async version(id: string, version: number, workspace: string): Promise<ScriptContent> {
    const key = `${workspace}/${id}/${version}`;
    const found = this.known.get(key) ?? (await this.versions(id, workspace))[version - 1];
    if (!found) throw notFound('script');
    this.known.set(key, found);
    return found;
  }

  private async versions(id: string, workspace: string): Promise<readonly ScriptContent[]> {
    const events = await this.store.readStream(streamName('script', id));
    return events[0]?.meta.workspace === workspace ? versionsIn(events as unknown as ScriptEvent[]) : [];
  }
}
