/** What triggers of workflows have started, how far the log was followed for them, and the tokens of webhooks. */
import type { Tables } from '../platform/database';

export const workflowTriggersTables: Tables = {
  steps: [
    {
      // `workflow_firings.id`: of the instance. `chain`: the correlation of the event that fired.
      // `workflow_seals`: signatures that were accepted, with the id of their instance, so that none starts another one.
      // `workflow_tokens.hash`: SHA-256 of the token. Every use is counted here; the log has the first one of a day.
      // `workflow_places`: up to where in the log events have fired.
      name: '047-workflow-triggers',
      sql: `
        create table app.workflow_firings (
          trigger uuid not null, id uuid not null, workspace uuid not null,
          at timestamptz not null default clock_timestamp(), state text not null, source text not null,
          occurrence timestamptz, chain text, reason text, primary key (trigger, id));
        create index on app.workflow_firings (trigger, at);
        create index on app.workflow_firings (at);
        create table app.workflow_seals (
          trigger uuid not null, seal text not null, id uuid not null, at timestamptz not null default clock_timestamp(),
          primary key (trigger, seal));
        create table app.workflow_places (name text primary key, position text not null);
        create table app.workflow_tokens (
          hash text primary key, id uuid not null unique, workspace uuid not null, trigger uuid not null,
          revoked_at timestamptz, uses bigint not null default 0, used_at timestamptz);
        create index on app.workflow_tokens (workspace, trigger)`,
    },
  ],
  rows: {
    'app.workflow_firings': { kept: 'tables' },
    'app.workflow_places': { kept: 'tables' },
    'app.workflow_seals': { leftOut: 'minutes old at most' },
    'app.workflow_tokens': { kept: 'tables' },
  },
};
