/** Schedules as they are recorded, and what each does as an action. */
import { commandTypes, environments, schedule, type WorkflowDoes } from '@quarterdeck/events';
import type { ViewOf } from '@quarterdeck/projections';
import { detailOf, listOf } from '../platform/kit';
import type { Pool } from '../platform/tokens';

export type ScheduleView = ViewOf<typeof schedule>;

export interface Schedule extends ScheduleView {
  workspace: string;
}

const inWorkspace = (view: object | undefined, workspace: string): Schedule | undefined =>
  view && { ...(view as ScheduleView), workspace };

export const scheduleOf = async (db: Pool, workspace: string, id: string): Promise<Schedule | undefined> =>
  inWorkspace(await detailOf(schedule, db, workspace, id), workspace);

export const schedulesOf = async (db: Pool, workspace: string): Promise<Schedule[]> =>
  (await listOf(schedule, db, workspace)).flatMap((view) => inWorkspace(view, workspace) ?? []);

export const workspacesWithSchedules = async (db: Pool): Promise<string[]> => {
  const { rows } = await db.query<{ workspace: string }>(
    'select distinct workspace from read.schedules order by workspace',
  );
  return rows.map(({ workspace }) => workspace);
};

type Target = 'server' | 'script' | 'request';
const targetsOf: Record<Schedule['does'], readonly Target[]> = {
  script: ['server', 'script'],
  command: ['server'],
  request: ['request'],
};

/** What was removed of what it needs, as a sentence; undefined if all of it is there. A target has a name while it is there. */
export const missingTarget = (one: ScheduleView): string | undefined => {
  const gone = targetsOf[one.does].find((target) => one[target] && one[target].name === undefined);
  if (gone === undefined) return undefined;
  return `its ${gone === 'request' ? 'saved request' : gone} was removed`;
};

type ScheduledDoes = Extract<WorkflowDoes, { is: 'script' | 'command' | 'savedRequest' }>;

/** The rules of the fields let no other schedule be recorded. */
const none = { id: '' };

export const doesOf = (one: ScheduleView): ScheduledDoes => {
  const server = { id: (one.server ?? none).id };
  switch (one.does) {
    case 'script':
      return {
        is: 'script',
        server,
        script: { id: (one.script ?? none).id },
        args: one.arguments === '' ? [] : one.arguments.split('\n'),
      };
    case 'command':
      return {
        is: 'command',
        server,
        cmdType: commandTypes.find(({ label }) => label === one.command?.name)?.cmdType ?? 0,
      };
    case 'request':
      return {
        is: 'savedRequest',
        request: { id: (one.request ?? none).id },
        env: {
          id:
            1 +
            Math.max(
              0,
              environments.findIndex((env) => env === one.sending?.env),
            ),
        },
      };
  }
};
