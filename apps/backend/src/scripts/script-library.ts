/** Adds, edits and removes scripts, and returns the content of a version. */
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { streamName } from '@quarterdeck/events';
import { LRUCache } from 'lru-cache';
import { Decisions } from '../platform/decisions';
import type { Decision } from '../platform/decider';
import { notFound } from '../platform/errors';
import { type CommandMeta, idFor } from '../platform/sessions';
import { EVENT_STORE, type EventStore } from '../platform/tokens';
import { RunEngine } from '../runs';
import { ScriptNames } from './script-names';
import { scriptKind } from './script.kind';
import {
  AddScript,
  contentOfVersion,
  EditScript,
  RemoveScript,
  RestoreScript,
  scriptsDecider,
  type SavedScript,
  type ScriptContent,
  type ScriptEvent,
  type ScriptFields,
} from './scripts.decider';

@Injectable()
export class ScriptLibrary implements OnModuleInit {
  /** A version never changes, and a hundred servers may ask for the same one. */
  private readonly versions = new LRUCache<string, ScriptContent>({ max: 200 });

  constructor(
    private readonly commands: CommandBus,
    private readonly decisions: Decisions,
    @Inject(EVENT_STORE) private readonly store: EventStore,
    private readonly names: ScriptNames,
    private readonly runs: RunEngine,
  ) {}

  onModuleInit(): void {
    this.runs.register(scriptKind((...version) => this.version(...version)));
  }

  /** Read from the log, so it is always current. @throws DomainError `notFound` */
  async script(id: string, workspace: string): Promise<SavedScript> {
    const { state } = await this.decisions.load(scriptsDecider, id, workspace);
    if (state.is !== 'saved') throw notFound('script');
    return state;
  }

  /** Also for a script that was revised or removed since. @throws DomainError `notFound` */
  async version(id: string, version: number, workspace: string): Promise<ScriptContent> {
    const key = `${workspace}/${id}/${version}`;
    const known = this.versions.get(key);
    if (known) return known;
    const events = await this.store.readStream(streamName('script', id));
    const found =
      events[0]?.meta.workspace === workspace
        ? contentOfVersion(events as unknown as ScriptEvent[], version)
        : undefined;
    if (!found) throw notFound('script');
    this.versions.set(key, found);
    return found;
  }

  async add(fields: ScriptFields, meta: CommandMeta): Promise<Decision> {
    const id = idFor('script', meta);
    return this.names.whileClaimed(meta.workspace, fields.name, id, () =>
      this.commands.execute(new AddScript(id, fields, meta)),
    );
  }

  edit(id: string, fields: ScriptFields, meta: CommandMeta, revision?: number): Promise<Decision> {
    return this.names.renamed({ id, workspace: meta.workspace, name: fields.name }, (claim) =>
      this.commands.execute(new EditScript(id, { ...fields, ...claim }, meta, revision)),
    );
  }

  /** Restores a script as it was when it was removed. @throws DomainError on `name` if another script has it now */
  restore({ id, name }: { id: string; name: string }, meta: CommandMeta): Promise<Decision> {
    return this.names.whileClaimed(meta.workspace, name, id, () =>
      this.commands.execute(new RestoreScript(id, {}, meta)),
    );
  }

  async remove(id: string, typed: string | undefined, meta: CommandMeta): Promise<Decision> {
    const { name } = await this.script(id, meta.workspace);
    const decision = await this.commands.execute(new RemoveScript(id, { name: typed }, meta));
    await this.names.releaseUnlessHeld(meta.workspace, name, id);
    return decision;
  }
}
