/** What schedules have started, and what they could not start. */
import type { Tables } from '../platform/database';

export const schedulesTables: Tables = {
  steps: [
    {
      // `id`: of the run. `occurrence`: absent if it was started by hand.
      name: '064-schedules',
      sql: `
        create table app.schedule_firings (
          trigger uuid not null, id uuid not null, workspace uuid not null,
          at timestamptz not null default clock_timestamp(), state text not null, source text not null,
          occurrence timestamptz, chain text, reason text, primary key (trigger, id));
        create index on app.schedule_firings (trigger, at);
        create index on app.schedule_firings (trigger, occurrence);
        create index on app.schedule_firings (trigger) where state = 'waiting';
        create index on app.schedule_firings (at)`,
    },
  ],
  rows: { 'app.schedule_firings': { kept: 'tables' } },
};
