/** Applies a version as the product does: a plan, and a run that has only what the plan stored. */
import { randomUUID } from 'node:crypto';
import type { GivenValue } from '@quarterdeck/data-model';
import { openTarget, type Target, type TargetAddress } from '../../apps/backend/src/databases/target';
import { readAnswers } from '../../apps/backend/src/databases/read-answers';
import { planOfApply, wayOfApply, type Planned } from '../../apps/backend/src/versions/apply.jobs';
import { Applying } from '../../apps/backend/src/versions/applying';
import { newestRun } from '../../apps/backend/src/versions/target';
import { DATABASE } from './plans';

interface WantedApply {
  /** Each as JSON. */
  readonly versions: readonly string[];
  readonly from: number;
  readonly version: number;
  readonly values?: readonly GivenValue[];
  /** What others do between the checks and the first statement. */
  readonly beforeFirst?: () => Promise<unknown>;
}

/** @throws what the run reports */
export async function applyVersion(
  { address, target }: { address: TargetAddress; target: Target },
  { versions, from, version, values = [], beforeFirst }: WantedApply,
): Promise<Planned & { left: readonly string[] }> {
  const planned = await planOfApply.work({
    versions,
    database: DATABASE,
    from,
    version,
    answers: await readAnswers(target),
    newest: await newestRun(target),
    stopped: undefined,
    values,
    isForRun: true,
  });
  const { completed, seal, actual } = planned;
  const stored = { from, version, values, ...(completed && { completed }), ...(actual && { actual }) };
  const way = await wayOfApply.work({ versions, asked: JSON.parse(JSON.stringify(stored)) });
  expect(planned.statements.map(({ sql }) => sql)).toEqual(
    way.migrations.map(({ sql }) => sql[target.dialect]),
  );
  const sealed = { ...way, version, product: 'shop', mayDestroy: true, database: DATABASE, seal, values };
  const deps = {
    open: () => openTarget(address, { connectMs: 10_000, lockMs: 1_000 }),
    outageMs: 0,
    retryMs: 10,
    isOver: () => Promise.resolve(false),
    started: async () => void (await beforeFirst?.()),
    refused: () => Promise.resolve(),
  };
  const { signal } = new AbortController();
  const run = new Applying(randomUUID(), sealed, deps, { print: () => undefined, signal });
  const { left } = await run.perform();
  return { ...planned, left };
}
