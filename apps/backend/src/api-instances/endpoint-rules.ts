/** What endpoints may say is judged by the language, with the present data model of their product. */
import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { Block } from '@quarterdeck/api';
import { endpoint as noun } from '@quarterdeck/events';
import { DomainError, invalidField, tooBusy } from '../platform/errors';
import { GuestFailure, Guests } from '../platform/guests';
import type { JudgeFields } from '../platform/kit';
import { sameData } from '../platform/same-data';
import { DB, type Pool } from '../platform/tokens';
import { ApiLibrary } from './api-library';
import { endpointProblems } from './endpoint-problems';

const MAX_ENDPOINTS = 1000;
const DEFINITION = Object.keys(noun.fields).filter((key) => key !== 'tag' && key !== 'permissions');

@Injectable()
export class EndpointRules implements OnModuleDestroy {
  private readonly guests = new Guests({ threads: 1 });

  constructor(
    private readonly library: ApiLibrary,
    @Inject(DB) private readonly db: Pool,
  ) {}

  /** What another part of the product has made wrong since stays, until the definition itself is changed. */
  readonly judge: JudgeFields = async (after, before, workspace) => {
    if (before && DEFINITION.every((key) => sameData(after[key], before[key]))) return;
    const instance = String(after['apiInstance']);
    if (!before) await this.refuseTooMany(instance, workspace);
    const [problem] = endpointProblems(after, await this.library.apiModel(instance, workspace));
    if (problem) throw invalidField(problem.field, problem.says);
    await this.refuseBroken(after['blocks'] as readonly Block[]);
  };

  onModuleDestroy(): Promise<void> {
    return this.guests.close();
  }

  /** A snippet that is no TypeScript would only be found when somebody calls the endpoint. */
  private async refuseBroken(blocks: readonly Block[]): Promise<void> {
    for (const [at, block] of blocks.entries()) {
      if (block.type !== 'snippet') continue;
      await this.guests.compile(block.ts).catch((error: unknown) => {
        if (!(error instanceof GuestFailure)) throw error;
        if (error.code === 'busy') throw tooBusy();
        const where = error.line === undefined ? '' : `line ${error.line}: `;
        throw invalidField(`blocks.${at}.ts`, `${where}${error.message}`);
      });
    }
  }

  private async refuseTooMany(instance: string, workspace: string): Promise<void> {
    const { rows } = await this.db.query<{ count: number }>(
      `select count(*)::int as count from read.endpoints where workspace = $1 and "apiInstance" = $2`,
      [workspace, instance],
    );
    if ((rows[0]?.count ?? 0) >= MAX_ENDPOINTS)
      throw new DomainError('conflict', `an instance has at most ${MAX_ENDPOINTS} endpoints`);
  }
}
