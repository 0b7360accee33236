/** Judges and decides conditions, in a thread. */
import { Injectable } from '@nestjs/common';
import { threads } from '../platform/threads';
import { decideConditions, judgeConditions, type Decided } from './conditions.jobs';
import type { Facts } from './instance-next';

/** For the thread to begin on a busy machine. Each condition has its own deadline. */
const PATIENCE_MS = 60_000;

@Injectable()
export class WorkflowConditions {
  /** Why each does not compile; null if it does. */
  judge(conditions: readonly string[]): Promise<(string | null)[]> {
    return conditions.length === 0
      ? Promise.resolve([])
      : threads.run(judgeConditions, conditions, { timeoutMs: PATIENCE_MS });
  }

  /** The first that is true. An empty one always is. */
  decide(conditions: readonly string[], facts: Facts): Promise<Decided> {
    return threads.run(decideConditions, { conditions, facts }, { timeoutMs: PATIENCE_MS });
  }
}
