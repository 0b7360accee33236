/** Rules of requests that need more than the fields themselves. */
import { Inject, Injectable } from '@nestjs/common';
import { environments, requestSecret, requestVariable } from '@quarterdeck/events';
import { invalidField } from '../platform/errors';
import { listOf, type JudgeFields } from '../platform/kit';
import { DB, type Pool } from '../platform/tokens';
import { refusedChecks } from './checks';

/** Compiling is quick, but what an operator writes is not known to be. */
export const judgedChecks: JudgeFields = async ({ checks }, before) => {
  if (typeof checks !== 'string' || checks.trim() === '' || checks === before?.['checks']) return;
  const wrong = await refusedChecks(checks);
  if (wrong !== undefined) throw invalidField('checks', wrong);
};

interface Named {
  id?: string;
  name: string;
  env: { id: number };
  collection: { id: string } | null;
}

const placeOf = ({ name, env, collection }: Named): string => `${name} ${env.id} ${collection?.id ?? ''}`;

@Injectable()
export class RequestNames {
  constructor(@Inject(DB) private readonly db: Pool) {}

  /** A name has one value in an environment. */
  judge(noun: typeof requestVariable | typeof requestSecret): JudgeFields {
    return async (after, before, workspace) => {
      const wanted = placeOf(after as unknown as Named);
      if (before && placeOf(before as unknown as Named) === wanted) return;
      const all = (await listOf(noun, this.db, workspace)) as unknown as Named[];
      if (!all.some((one) => placeOf(one) === wanted)) return;
      const env = environments[(after as unknown as Named).env.id - 1];
      throw invalidField('name', `this name already has a value for ${env}: edit that one`);
    };
  }
}
