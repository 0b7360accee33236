/** Output of runs, in chunks. */
import type { Tables } from '../database';

export const runOutputTables: Tables = {
  steps: [
    {
      name: '004-runs',
      sql: `
        create table app.run_output (
          run uuid not null, seq bigint not null, at timestamptz not null, stream text not null, text text not null,
          primary key (run, seq))`,
    },
    {
      // `source`: number of bytes of the step's raw output that were processed when nothing was held back any more.
      // Following can resume there. Chunks of older runs belong to their only step.
      name: '005-run-steps',
      sql: `alter table app.run_output add column step text, add column attempt integer, add column source bigint`,
    },
    {
      // Postgres' own compression takes 1.4 s of the 2.3 s for 50 MB of output. If Postgres was built without a faster
      // one, output stays uncompressed. Its size is limited anyway.
      name: '007-output-storage',
      sql: `
        do $$ begin
          alter table app.run_output alter column text set compression lz4;
        exception when feature_not_supported then
          alter table app.run_output alter column text set storage external;
        end $$`,
    },
  ],
  timed: { 'app.run_output': (at) => `select * from app.run_output where at <= ${at}` },
  rows: { 'app.run_output': { kept: 'output', grows: true } },
};
