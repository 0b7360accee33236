// covers: VER-01
import { generated as versionFrom, type Model } from '@quarterdeck/data-model';
import { foldEvents } from '../platform/decider';
import { given, meta } from '../platform/decisions/decider-testing';
import {
  GenerateVersion,
  MoveVersion,
  RecordApplied,
  RecordApplyStarted,
  RecordApplyRefused,
  RemoveVersion,
  RestoreVersion,
  versionsDecider,
  type VersionEvent,
} from './versions.decider';

const id = '0193f0a0-0000-7000-8000-000000000011';
const product = '0193f0a0-0000-7000-8000-000000000001';
const model: Model = {
  entities: [{ id: '0193f0a0-0000-7000-8000-000000000002', name: 'Customer', isUuid: false, attributes: [] }],
  optionSets: [],
};
const version = versionFrom(undefined, model, 3);
const generate = new GenerateVersion(
  id,
  { product, sequenceIndex: 3, after: 0, version, idOf: () => id },
  meta,
);
const generated = versionsDecider.decide(generate, { is: 'unknown' });
const applied: VersionEvent = {
  type: 'VersionApplied',
  data: { database: { id: product, name: 'shop' }, from: 0, statements: 1, run: id },
};
const started: VersionEvent = {
  type: 'VersionApplyStarted',
  data: { database: { id: product, name: 'shop' }, run: id },
};
const refused: VersionEvent = { ...started, type: 'VersionApplyRefused' };
const removed: VersionEvent = { type: 'VersionRemoved', data: { sequenceIndex: 3 } };
const on = (...events: VersionEvent[]) => given(versionsDecider, events);
const move = (env: number) => new MoveVersion(id, { env }, meta);
const remove = (newest: number) => new RemoveVersion(id, { newest }, meta);
const restore = (newest: number) => new RestoreVersion(id, { newest }, meta);
const restored: VersionEvent = { type: 'VersionRestored', data: { sequenceIndex: 3 } };

test('a version is generated once, and its number is never used again', () => {
  expect(generated).toMatchObject([
    { type: 'VersionGenerated', data: { sequenceIndex: 3, env: 1, migrations: [{ id, sequenceIndex: 1 }] } },
  ]);
  on(...generated)
    .when(generate)
    .thenRejected('conflict', 'somebody else has just generated version 3');
  on(...generated, removed)
    .when(generate)
    .thenRejected('conflict', 'its number is not used again');
});

test('a version without a change is refused', () => {
  const same = versionFrom({ sequenceIndex: 2, model }, model, 3);
  on()
    .when(new GenerateVersion(id, { ...generate.data, after: 2, version: same }, meta))
    .thenRejected('unprocessable', 'nothing has changed since version 2');
});

test('a version moves one environment at a time', () => {
  on(...generated)
    .when(move(2))
    .then([{ type: 'VersionPromoted', data: { env: 2 } }]);
  on(...generated)
    .when(move(3))
    .thenRejected('invalid', 'one step at a time');
  on(...generated, { type: 'VersionPromoted', data: { env: 2 } })
    .when(move(1))
    .then([{ type: 'VersionDemoted', data: { env: 1 } }]);
});

test('only the newest version is removed, and none that was applied, not even in part', () => {
  on(...generated)
    .when(remove(3))
    .then([removed]);
  on(...generated)
    .when(remove(4))
    .thenRejected('conflict', 'version 4 was made from this one');
  on(...generated, applied)
    .when(remove(3))
    .thenRejected('conflict', 'was applied to a database');
  on(...generated, started)
    .when(remove(3))
    .thenRejected('conflict', 'a run has started to apply this version');
  on(...generated, started, refused)
    .when(remove(3))
    .then([removed]);
  on(...generated, removed)
    .when(move(2))
    .thenRejected('notFound');
});

test('a removed version is restored as it was, while the version that it was made from is the newest', () => {
  const later = versionsDecider.decide(new GenerateVersion(id, { ...generate.data, after: 2 }, meta), {
    is: 'unknown',
  });
  const gone = [...later, { type: 'VersionPromoted', data: { env: 2 } }, removed] as const;
  on(...gone)
    .when(restore(2))
    .then([restored]);
  expect(foldEvents(versionsDecider, [...gone, restored])).toMatchObject({ is: 'generated', env: 2 });
  on(...gone)
    .when(restore(4))
    .thenRejected('conflict', 'it was not made from version 4');
  on(...gone)
    .when(restore(1))
    .thenRejected('conflict', 'it was made from version 2, which was removed too');
  on(...later)
    .when(restore(2))
    .then([]);
  on().when(restore(2)).thenRejected('notFound');
});

test('an apply, its beginning, and that it was refused are recorded once for each run', () => {
  const refuse = new RecordApplyRefused(id, started.data, meta);
  on(...generated, started)
    .when(refuse)
    .then([refused]);
  on(...generated, started, refused)
    .when(refuse)
    .then([]);
  for (const [command, event] of [
    [new RecordApplyStarted(id, started.data, meta), started],
    [new RecordApplied(id, applied.data, meta), applied],
  ] as const) {
    on(...generated)
      .when(command)
      .then([event]);
    on(...generated, event)
      .when(command)
      .then([]);
  }
});
