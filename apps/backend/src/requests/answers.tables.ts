/** Answers to saved requests. */
import type { Tables } from '../platform/database';

export const requestAnswersTables: Tables = {
  steps: [
    {
      // One for each attempt. `body` is what is kept, with secrets masked; it becomes null when retention removes it.
      name: '043-request-answers',
      sql: `
        create table app.request_answers (
          run uuid not null, attempt integer not null, workspace text not null, request uuid not null,
          at timestamptz not null, head jsonb not null, body bytea, size integer not null, sha256 text not null,
          primary key (run, attempt));
        create index on app.request_answers (workspace, request, at);
        create index on app.request_answers (workspace, at) where body is not null`,
    },
  ],
  timed: { 'app.request_answers': (at) => `select * from app.request_answers where at <= ${at}` },
  rows: { 'app.request_answers': { kept: 'output', grows: true } },
};
