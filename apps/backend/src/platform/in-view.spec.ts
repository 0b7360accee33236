import type { AlertView, DomainView, RunView } from '@quarterdeck/projections';
import { inView, type HistoryOf } from './in-view';

test('names a path as Postgres reads it', () => {
  const run = inView<RunView>('r.view');
  expect(run.text('subject', 'name')).toBe("(r.view #>> '{subject,name}')");
  expect(run.json('steps', '-1', 'step')).toBe("(r.view #> '{steps,-1,step}')");
  expect(`r.view - ${run.keys('steps', 'input')}`).toBe("r.view - '{steps,input}'::text[]");
  expect(inView<HistoryOf<'PersonJoined'>>('view').path('data', 'role')).toBe("'{data,role}'");
});

test('a path that a view does not have is here for the type check', () => {
  // @ts-expect-error no such field
  expect(inView<DomainView>('view').text('alias')).toBeDefined();
  // @ts-expect-error no such field inside it
  expect(inView<DomainView>('view').text('dns', 'pointsThere')).toBeDefined();
  // @ts-expect-error a text has no fields
  expect(inView<AlertView>('view').text('state', 'open')).toBeDefined();
  // @ts-expect-error this event has no such field
  expect(inView<HistoryOf<'PersonJoined'>>('view').text('data', 'rule')).toBeDefined();
});
