/** Triggers as they are recorded. */
import { workflowTrigger, type ValuesOf } from '@quarterdeck/events';
import type { Pool } from '../platform/tokens';
import { detailOf, listOf } from '../platform/kit';

/** The fields of a trigger, with the id of its workflow. */
export type TriggerFields = ValuesOf<typeof workflowTrigger> & { workflow: string };

export interface Trigger extends TriggerFields {
  id: string;
  workspace: string;
  /** Log position of its last change. */
  position: string;
}

/** Undefined also if its workflow was removed. */
export const triggerOf = async (db: Pool, workspace: string, id: string): Promise<Trigger | undefined> =>
  (await detailOf(workflowTrigger, db, workspace, id)) as unknown as Trigger | undefined;

export const triggersOf = async (db: Pool, workspace: string, workflow?: string): Promise<Trigger[]> =>
  (await listOf(workflowTrigger, db, workspace, workflow)) as unknown as Trigger[];

export const workspacesWithTriggers = async (db: Pool): Promise<string[]> => {
  const { rows } = await db.query<{ workspace: string }>(
    'select distinct workspace from read.workflow_triggers order by workspace',
  );
  return rows.map(({ workspace }) => workspace);
};
