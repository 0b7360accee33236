/** Undoes the removal of a version. */
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Decisions, Undoing, type Undone, type UndoPlan } from '../platform/decisions';
import { DomainError } from '../platform/errors';
import type { CommandMeta } from '../platform/sessions';
import { Versions } from './versions';
import { versionsDecider } from './versions.decider';

@Injectable()
export class VersionUndo implements OnModuleInit {
  constructor(
    private readonly undoing: Undoing,
    private readonly decisions: Decisions,
    private readonly versions: Versions,
  ) {}

  onModuleInit(): void {
    this.undoing.use(['VersionRemoved'], (undone) => this.putBack(undone));
  }

  private async putBack({ id, meta }: Undone): Promise<UndoPlan> {
    const { state } = await this.decisions.load(versionsDecider, id, meta.workspace);
    if (state.is !== 'removed') throw new DomainError('conflict', 'it has already been restored');
    const { product, sequenceIndex } = state.was;
    const work = {
      subject: { category: 'version', id, name: `version ${sequenceIndex}` },
      would: versionsDecider.decide(await this.versions.restoring(id, product, meta), state),
      carryOut: (_: object, asker: CommandMeta) => this.versions.restore(id, product, asker),
    };
    return { works: [work] };
  }
}
