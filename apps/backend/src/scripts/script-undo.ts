/** Undoes changes of a script: its name, its content, or its removal. */
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { foldEvents } from '../platform/decider';
import { Decisions, fieldsBack, Undoing, type Undone, type UndoPlan } from '../platform/decisions';
import { DomainError, notFound } from '../platform/errors';
import { ScriptLibrary } from './script-library';
import { ScriptNames } from './script-names';
import { contentOf, EditScript, RestoreScript, scriptsDecider } from './scripts.decider';
import type { SavedScript, ScriptEvent, ScriptFields, ScriptState } from './scripts.decider';

const stateOf = (events: Undone['events']): ScriptState =>
  foldEvents(scriptsDecider, events as readonly ScriptEvent[]);

const saved = (state: ScriptState): SavedScript => {
  if (state.is === 'saved') return state;
  throw state.is === 'removed'
    ? new DomainError('conflict', `${state.was.name} has been removed since: restore it first`)
    : notFound('script');
};

const fieldsOf = (script: SavedScript): ScriptFields => ({ name: script.name, ...contentOf(script) });

@Injectable()
export class ScriptUndo implements OnModuleInit {
  constructor(
    private readonly undoing: Undoing,
    private readonly decisions: Decisions,
    private readonly library: ScriptLibrary,
    private readonly names: ScriptNames,
  ) {}

  onModuleInit(): void {
    this.undoing.use(['ScriptRenamed', 'ScriptRevised'], (undone) => this.editBack(undone));
    this.undoing.use(['ScriptRemoved'], (undone) => this.putBack(undone));
  }

  /** The earlier content becomes a new version: versions that ran stay unchanged. */
  private async editBack({ id, meta, before, events }: Undone): Promise<UndoPlan> {
    const { state, revision } = await this.decisions.load(scriptsDecider, id, meta.workspace);
    const now = saved(state);
    const [was, made] = [saved(stateOf(before)), saved(stateOf([...before, ...events]))];
    const fields = fieldsBack(fieldsOf(was), fieldsOf(made), fieldsOf(now));
    if (fields.name !== now.name) await this.names.refuseTaken(meta.workspace, fields.name, id);
    const work = {
      subject: { category: 'script', id, name: now.name },
      would: scriptsDecider.decide(new EditScript(id, { ...fields, nameClaimed: true }, meta), now),
      carryOut: (_: object, asker: typeof meta) => this.library.edit(id, fields, asker, revision),
    };
    return { works: [work] };
  }

  private async putBack({ id, meta }: Undone): Promise<UndoPlan> {
    const { state } = await this.decisions.load(scriptsDecider, id, meta.workspace);
    if (state.is !== 'removed') throw new DomainError('conflict', 'it has already been restored');
    const { name } = state.was;
    await this.names.refuseTaken(meta.workspace, name, id);
    const work = {
      subject: { category: 'script', id, name },
      would: scriptsDecider.decide(new RestoreScript(id, {}, meta), state),
      carryOut: (_: object, asker: typeof meta) => this.library.restore({ id, name }, asker),
    };
    return { works: [work] };
  }
}
