/** What the list of workflows says besides their fields: the newest version, and how many instances are under way. */
import { Inject, Injectable } from '@nestjs/common';
import type { WorkflowCount } from '@quarterdeck/contract';
import { DB, type Pool } from '../platform/tokens';

/** Of each state. Counting more would take longer than the list may. */
const COUNTED = 10_000;

@Injectable()
export class WorkflowCounts {
  constructor(@Inject(DB) private readonly db: Pool) {}

  /** Those that are not known are left out. */
  async of(workflows: readonly string[], workspace: string): Promise<WorkflowCount[]> {
    const { rows } = await this.db.query<WorkflowCount>(
      `select w.id, coalesce(newest.version, 0) as version,
         coalesce(sum(i.many), 0)::integer as "underWay",
         coalesce(sum(i.many) filter (where s.state = 'asking'), 0)::integer as asking,
         coalesce(sum(i.many) filter (where s.state = 'stopped'), 0)::integer as stopped
       from read.workflows w
       cross join unnest(array['running', 'waiting', 'asking', 'acting', 'stopped']) s(state)
       left join lateral (
         select v.version from read.workflow_versions v
         where v.workspace = $1 and v."workflowId" = w.id collate "default" order by v.version desc limit 1
       ) newest on true
       cross join lateral (
         select count(*) as many from (
           select from read.workflow_instances i
           where i.workspace = $1 and i."workflowId" = w.id collate "default" and i."is" = s.state
           limit ${COUNTED}
         ) open
       ) i
       where w.workspace = $1 and w.id = any($2::text[])
       group by w.id, newest.version`,
      [workspace, workflows],
    );
    return rows;
  }
}
