// covers: BAK-01
import type { AuthenticStore } from '@quarterdeck/log/store';
import { lockMark } from './archive/age';
import type { Head } from './archive/head';
import type { Archive } from './archive/read';
import { chainAmong, continuable, nameAt, newestChain } from './folder';

const lock = { recipients: ['age1console'] };
const keys = { id: 'log', publicKey: 'key' };
const store = { keys, engine: 'postgres', home: undefined } as AuthenticStore;
const seal = (position: string) => ({ position, hash: `hash of ${position}` });

const archive = (id: string, base: string | null, log: Partial<Head['log']> = {}): Archive => {
  const facts = { ...keys, engine: 'postgres', home: null, events: 5, ...log } as const;
  const place = { after: seal(base === null ? '0' : '5'), end: seal(base === null ? '5' : '9') };
  const head = { id, base, log: { ...facts, ...place }, lock: lockMark(lock), masterKey: 'master' };
  return { file: `${id}.backup`, head: head as Head };
};
const full = archive('full', null);
const increment = archive('increment', 'full');

it('names sort by time, and differ between consoles in the same millisecond', () => {
  const names = [
    nameAt('2026-11-23T09:00:00.000Z', '0193f0a0-0000-7000-8000-0000aaaaaaaa'),
    nameAt('2026-11-23T09:00:00.000Z', '0193f0a0-0000-7000-8000-0000bbbbbbbb'),
    nameAt('2026-11-23T09:00:00.001Z', '0193f0a0-0000-7000-8000-000000000000'),
  ];
  expect(names[0]).toBe('quarterdeck-20261123T090000000Z-aaaaaaaa.backup');
  expect(new Set(names).size).toBe(3);
  expect(names.toSorted()).toEqual(names);
});

it('an increment and what it continues are one chain', () => {
  expect(chainAmong(increment, [full])).toEqual([full, increment]);
  expect(newestChain([full, increment])).toEqual([full, increment]);
  expect(newestChain([increment])).toEqual([]);
});

describe.each<[string, Partial<Head['log']>]>([
  ['signed with another key', { publicKey: 'forged' }],
  ['of another log', { id: 'another log' }],
  ['from before the log was restored', { home: 'before' }],
  ['from where the log was before', { engine: 'eventstoredb' }],
])('an archive %s', (_what, log) => {
  it('is not continued by an increment', () => {
    expect(() => chainAmong(increment, [archive('full', null, log)])).toThrow(
      'increment.backup: it does not continue full.backup',
    );
  });

  it('does not hide the newest archive that the next one continues', () => {
    expect(continuable([full, increment, archive('later', null, log)], store, lock, 'master')).toEqual([
      full,
      increment,
    ]);
  });
});
