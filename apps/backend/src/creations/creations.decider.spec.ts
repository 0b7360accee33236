// covers: WIZ-01, DOCK-01
import { creationPlans } from '@quarterdeck/events';
import { given, meta } from '../platform/decisions/decider-testing';
import {
  AbandonCreation,
  creationsDecider,
  EndSection,
  EndUndo,
  ResumeSection,
  StartCreation,
  StartSection,
  StartUndo,
  type CreationEvent,
} from './creations.decider';

const id = '0193f0a0-0000-7000-8000-000000000c00';
const begun = { kind: 'product', name: 'Bookshop', plan: [...creationPlans.product] } as const;
const started: CreationEvent = { type: 'CreationStarted', data: { ...begun, plan: [...begun.plan] } };
const values = { name: 'Bookshop' };
const product = { kind: 'product', id, name: 'Bookshop' };
const runOf = (attempt: number): string => `run ${attempt}`;

const filled = (section = 'product'): CreationEvent => ({
  type: 'CreationSectionFilled',
  data: { section, values },
});
const running = (section = 'product', attempt = 1): CreationEvent => ({
  type: 'CreationSectionStarted',
  data: { section, attempt, run: runOf(attempt) },
});
const finished: CreationEvent = { type: 'CreationFinished', data: {} };
const done = (section = 'product', made = [product]): CreationEvent => ({
  type: 'CreationSectionDone',
  data: { section, run: runOf(1), made },
});
const failed = (made = [product], reason = 'no disk'): CreationEvent => ({
  type: 'CreationSectionFailed',
  data: { section: 'product', run: runOf(1), reason, made },
});
const undoing: CreationEvent = {
  type: 'CreationSectionUndoStarted',
  data: { section: 'product', attempt: 1, run: 'undo 1' },
};
const whole = (section: string, made = [product]) => [filled(section), running(section), done(section, made)];

const on = (...events: CreationEvent[]) => given(creationsDecider, [started, ...events]);
const start = (section = 'product', more: object = {}) =>
  new StartSection(id, { section, values, secrets: {}, runOf, ...more }, meta);
const end = (
  more: { section?: string; reason?: string; code?: string; run?: string; made?: (typeof product)[] } = {},
) => new EndSection(id, { section: 'product', run: runOf(1), made: [product], ...more }, meta);
const undo = (section = 'product', typed = '') =>
  new StartUndo(id, { section, runOf: (attempt) => `undo ${attempt}`, typed }, meta);

test('what the client part would get by default is judged at its field, if it has a repository', () => {
  const upToService = (more: object): CreationEvent[] => [
    ...whole('product'),
    ...whole('database', []),
    {
      type: 'CreationSectionFilled',
      data: { section: 'repository', values: { organization: 'acme', repo: 'shop', ...more } },
    },
    running('repository'),
    done('repository', []),
    ...whole('server', []),
  ];
  const last = { name: 'Shop', port: 65_535, withDb: true };
  const withClient = on(...upToService({ repoFront: 'shop-client' }));
  withClient
    .when(start('service', { values: last }))
    .thenRejected('invalid', /^left empty, this is 65536: a port is a number from 1 to 65535/);
  withClient
    .when(start('service', { values: { ...last, port: 3000, name: 'x'.repeat(94) } }))
    .thenRejected('invalid', /^left empty, this is the name followed by "client": at most 100 characters/);
  on(...upToService({}))
    .when(start('service', { values: last }))
    .then([
      { type: 'CreationSectionFilled', data: { section: 'service', values: last } },
      running('service'),
    ]);
});

test('a creation is started once', () => {
  const command = new StartCreation(id, { ...begun, plan: [...begun.plan] }, meta);
  given(creationsDecider, []).when(command).then([started]);
  on().when(command).then([]);
  on()
    .when(new StartCreation(id, { ...begun, plan: [...begun.plan], name: 'Other' }, meta))
    .thenRejected('conflict');
});

test('a section is filled and started, and asking twice joins', () => {
  on().when(start()).then([filled(), running()]);
  on(filled(), running()).when(start()).then([]);
  on(filled(), running())
    .when(start('product', { values: { name: 'Else' } }))
    .thenRejected('conflict', 'Product is in progress');
  given(creationsDecider, []).when(start()).thenRejected('notFound');
  on().when(start('repo')).thenRejected('invalid', 'no section repo');
});

test('each section comes only after the earlier ones, and is read-only once done', () => {
  on().when(start('database')).thenRejected('conflict', 'Product has to be done before Database');
  on(filled(), running()).when(start('database')).thenRejected('conflict');
  on(...whole('product'))
    .when(start('database'))
    .then([filled('database'), running('database')]);
  on(...whole('product'))
    .when(start())
    .thenRejected('conflict', 'Product is done');
});

test('a failed section is started anew only if it has made nothing', () => {
  on(filled(), running(), failed([]))
    .when(start())
    .then([filled(), running('product', 2)]);
  on(filled(), running(), failed()).when(start()).thenRejected('conflict', 'retry it, or undo it first');
});

test('a section whose request has an unknown outcome may have made something', () => {
  const code = 'unknownOutcome';
  const unknown: CreationEvent = {
    type: 'CreationSectionFailed',
    data: { section: 'product', run: runOf(1), reason: 'lost', code, made: [] },
  };
  on(filled(), running())
    .when(end({ reason: 'lost', code, made: [] }))
    .then([unknown]);
  on(filled(), running(), unknown)
    .when(end({ reason: 'lost', code, made: [] }))
    .then([]);
  on(filled(), running(), unknown).when(start()).thenRejected('conflict', 'retry it, which looks first');
  on(filled(), running(), unknown, running(), failed([]))
    .when(start())
    .then([filled(), running('product', 2)]);
  const undone: CreationEvent = {
    type: 'CreationSectionUndone',
    data: { section: 'product', run: 'undo 1' },
  };
  on(filled(), running(), unknown, undoing, undone)
    .when(start())
    .then([filled(), running('product', 2)]);
});

test.each<[string, object]>([
  ['has an unknown outcome', { code: 'unknownOutcome' }],
  ['was cancelled or interrupted', {}],
])('what a request at a provider may have made is undone by its name, if the run %s', (_, more) => {
  const create = { name: 'shop-db', engine: 'mysql', region: 'fra1', size: 'small' };
  const asked: CreationEvent = {
    type: 'CreationSectionFilled',
    data: { section: 'product', values: { create } },
  };
  const failedWith = (code: object): CreationEvent => ({
    type: 'CreationSectionFailed',
    data: { section: 'product', run: runOf(1), reason: 'cut off', made: [], ...code },
  });
  const after = [asked, running(), failedWith(more)];
  on(...after)
    .when(start())
    .thenRejected('conflict', 'may have made something');
  on(...after)
    .when(undo())
    .thenRejected('invalid', 'type shop-db to confirm');
  on(...after)
    .when(undo('product', 'shop-db'))
    .then([undoing]);
  // An undo that failed leaves the question open.
  const unknown: CreationEvent = {
    type: 'CreationSectionFailed',
    data: { section: 'product', run: 'undo 1', reason: 'no token', made: [] },
  };
  on(...after, undoing, unknown)
    .when(start())
    .thenRejected('conflict', 'may have made something');
  on(...after, undoing, unknown)
    .when(undo())
    .thenRejected('invalid', 'type shop-db to confirm');
  // A refusal made nothing.
  on(asked, running(), failedWith({ code: 'invalid' }))
    .when(undo())
    .then([undoing]);
});

test('the end of a run is recorded once, and only that of the newest attempt', () => {
  on(filled(), running()).when(end()).then([done()]);
  on(filled(), running())
    .when(end({ reason: 'no disk' }))
    .then([failed()]);
  on(filled(), running(), failed())
    .when(end({ reason: 'no disk' }))
    .then([]);
  on(filled(), running())
    .when(end({ run: 'another' }))
    .then([]);
  on(...whole('product'))
    .when(end())
    .then([]);
  // The run was retried, and ended before the retry was recorded.
  on(filled(), running(), failed()).when(end()).then([done()]);
});

test('a retry continues with the same attempt', () => {
  const resume = new ResumeSection(id, { section: 'product' }, meta);
  on(filled(), running(), failed()).when(resume).then([running()]);
  on(filled(), running()).when(resume).then([]);
});

test('the last section finishes the creation', () => {
  const before = begun.plan.slice(0, -1).flatMap((section) => whole(section, []));
  on(...before, filled('deploy'), running('deploy'))
    .when(end({ section: 'deploy', made: [] }))
    .then([done('deploy', []), finished]);
  on(...before, ...whole('deploy', []), finished)
    .when(start('deploy'))
    .thenRejected('conflict', 'this creation is finished');
});

test('a container is finished without its certificate, which can follow', () => {
  const container: CreationEvent = {
    type: 'CreationStarted',
    data: { kind: 'container', name: 'acme/shop', plan: [...creationPlans.container] },
  };
  const flow = (...events: CreationEvent[]) => given(creationsDecider, [container, ...events]);
  const first = whole('repo', []);
  flow(...first, filled('dns'), running('dns'))
    .when(end({ section: 'dns', made: [] }))
    .then([done('dns', []), finished]);
  flow(...first, ...whole('dns', []), finished)
    .when(start('certificate'))
    .then([filled('certificate'), running('certificate')]);
  flow(...first)
    .when(start('certificate'))
    .thenRejected('conflict', 'DNS has to be done');
});

test('sections are undone in reverse', () => {
  on(...whole('product'))
    .when(undo())
    .then([undoing]);
  on(...whole('product'), undoing)
    .when(undo())
    .then([]);
  on(...whole('product'), ...whole('database'))
    .when(undo())
    .thenRejected('conflict', 'Database comes after Product: undo it first');
  on().when(undo()).thenRejected('conflict', 'Product has made nothing');
  on(filled(), running()).when(undo()).thenRejected('conflict', 'Product is in progress');
});

test('a finished creation is undone in reverse, and is open again then', () => {
  const plan = creationPlans.product;
  const all = plan.flatMap((section) => whole(section, []));
  const undoDeploy: CreationEvent = {
    type: 'CreationSectionUndoStarted',
    data: { section: 'deploy', attempt: 1, run: 'undo 1' },
  };
  const undone: CreationEvent = { type: 'CreationSectionUndone', data: { section: 'deploy', run: 'undo 1' } };
  on(...all, finished)
    .when(undo('deploy'))
    .then([undoDeploy]);
  on(...all, finished)
    .when(undo('domain'))
    .thenRejected('conflict', 'Deploy comes after Domain: undo it first');
  on(...all, finished, undoDeploy, undone)
    .when(start('deploy'))
    .then([filled('deploy'), running('deploy', 2)]);
  on({ type: 'CreationAbandoned', data: {} })
    .when(undo())
    .thenRejected('conflict', 'this creation is abandoned');
});

test('an undone section can be filled anew, and one that could not be undone says what is left', () => {
  const over = (more: { reason?: string } = {}) =>
    new EndUndo(id, { section: 'product', run: 'undo 1', made: [product], ...more }, meta);
  const undone: CreationEvent = {
    type: 'CreationSectionUndone',
    data: { section: 'product', run: 'undo 1' },
  };
  on(...whole('product'), undoing)
    .when(over())
    .then([undone]);
  on(...whole('product'), undoing)
    .when(over({ reason: 'it is used' }))
    .then([
      {
        type: 'CreationSectionFailed',
        data: { section: 'product', run: 'undo 1', reason: 'it is used', made: [product] },
      },
    ]);
  on(...whole('product'), undoing, undone)
    .when(over())
    .then([]);
  on(...whole('product'), undoing, undone)
    .when(start())
    .then([filled(), running('product', 2)]);
  on(...whole('product'), undoing)
    .when(start())
    .thenRejected('conflict', 'Product is in progress');
});

test('a creation is abandoned unless a section is in progress, and ends then', () => {
  const abandon = new AbandonCreation(id, {}, meta);
  const abandoned: CreationEvent = { type: 'CreationAbandoned', data: {} };
  on().when(abandon).then([abandoned]);
  on(abandoned).when(abandon).then([]);
  on(filled(), running()).when(abandon).thenRejected('conflict', 'in progress');
  on(finished).when(abandon).thenRejected('conflict', 'finished');
  on(abandoned).when(start()).thenRejected('conflict', 'this creation is abandoned');
});

test.each(['droplet', 'clouddatabase'])('the undo of a %s needs its name', (kind) => {
  const costly = { kind, id: 'd1', name: 'web-1' };
  const here = on(...whole('product', [product, costly]));
  here.when(undo()).thenRejected('invalid');
  here.when(undo('product', 'web-2')).thenRejected('invalid');
  here.when(undo('product', ' web-1')).then([undoing]);
});

test('the run of a failed undo that is retried by itself ends the undo', () => {
  const left = { section: 'product', run: 'undo 1', reason: 'it is used', made: [product] };
  const failed = on(...whole('product'), undoing, { type: 'CreationSectionFailed', data: left });
  failed.when(new EndUndo(id, left, meta)).then([]);
  failed
    .when(new EndUndo(id, { section: 'product', run: 'undo 1', made: [] }, meta))
    .then([{ type: 'CreationSectionUndone', data: { section: 'product', run: 'undo 1' } }]);
});
