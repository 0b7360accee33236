/** What endpoints may say is judged by the language, with the present data model of their product. */
import { Inject, Injectable } from '@nestjs/common';
import { endpoint as noun } from '@quarterdeck/events';
import { DomainError, invalidField } from '../platform/errors';
import type { JudgeFields } from '../platform/kit';
import { sameData } from '../platform/same-data';
import { DB, type Pool } from '../platform/tokens';
import { ApiLibrary } from './api-library';
import { endpointProblems } from './endpoint-problems';

const MAX_ENDPOINTS = 1000;
const DEFINITION = Object.keys(noun.fields).filter((key) => key !== 'tag' && key !== 'permissions');

@Injectable()
export class EndpointRules {
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
  };

  private async refuseTooMany(instance: string, workspace: string): Promise<void> {
    const { rows } = await this.db.query<{ count: number }>(
      `select count(*)::int as count from read.endpoints where workspace = $1 and "apiInstance" = $2`,
      [workspace, instance],
    );
    if ((rows[0]?.count ?? 0) >= MAX_ENDPOINTS)
      throw new DomainError('conflict', `an instance has at most ${MAX_ENDPOINTS} endpoints`);
  }
}
