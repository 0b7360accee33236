/** Plants incomplete nouns. They must fail to compile, or prevent the start. */
import { noun, product, saidBy, text } from '@quarterdeck/events';
import { callsOf } from '@quarterdeck/contract';
import { z } from 'zod';
import { Undoing } from '../../apps/backend/src/platform/decisions';
import { checkBindings } from '../../apps/backend/src/platform/http';
import { defineEvent } from '../../libs/log/src/define-event';
import { defineNoun } from '../../libs/events/src/define-noun';

const planted = {
  ThingAdded: defineEvent(z.object({ name: z.string() })),
  ThingRemoved: defineEvent(z.object({})),
};
const thing = { category: 'thing', rows: 'things', audience: 'admin' } as const;

const doesNotCompile = () => {
  defineNoun<typeof planted>()({
    ...thing,
    // @ts-expect-error an event has no words
    events: { ThingAdded: (d) => `added ${d.name}` },
  });
  defineNoun<typeof planted>()({
    ...thing,
    // @ts-expect-error the words use a field that the event does not have
    events: { ThingAdded: (d) => `added ${d.title}`, ThingRemoved: () => 'removed' },
  });
  defineNoun<typeof planted>()({
    ...thing,
    events: { ThingAdded: () => 'added', ThingRemoved: () => 'removed' },
    // @ts-expect-error `removedBy` is not one of its events
    removedBy: 'ThingDeleted',
  });
  // @ts-expect-error `named` is not one of its fields
  noun('thing', { path: 'thing', named: 'title', fields: { name: text() } });
  // @ts-expect-error `unique` lists a name that is not one of its fields
  noun('thing', { path: 'thing', named: 'name', unique: ['title'], fields: { name: text() } });
};

test('the type check covers code that must not compile', () => {
  expect(doesNotCompile).toBeInstanceOf(Function);
});

test('a plain noun has words for each of its events', () => {
  const said = saidBy(product);
  expect(Object.keys(said.events)).toEqual([
    'ProductAdded',
    'ProductRenamed',
    'ProductRevised',
    'ProductRemoved',
    'ProductRestored',
  ]);
});

test('the start fails when a plain noun has no module in the back end', () => {
  expect(() => checkBindings([], Object.values(callsOf(product)))).toThrow('no method answers product.list');
});

test('the start fails when no feature undoes an event that a noun calls undoable', () => {
  const undoing = new Undoing();
  expect(() => undoing.onApplicationBootstrap()).toThrow('no feature says how to undo ServerRenamed');
});
