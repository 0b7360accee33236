import {
  choice,
  flag,
  integer,
  noun,
  optionalText,
  product,
  text,
  type PlainNoun,
} from '@quarterdeck/events';
import { catalogue } from '@quarterdeck/events/catalogue';
import { eventsOf } from '@quarterdeck/events/kit';
import { foldEvents } from '../decider';
import { given, meta } from '../decisions/decider-testing';
import { DomainError } from '../errors';
import { plainDecider, type PlainDecider, type Rules } from './plain.decider';

const id = '0193f0a0-0000-7000-8000-000000000005';
const optionSet = noun('optionSet', {
  path: 'data-model/option-set',
  within: 'product',
  named: 'title',
  fields: {
    title: text(100),
    limit: integer(50),
    order: choice(['given', 'sorted']),
    strict: flag(),
    note: optionalText(),
  },
});
const tag = noun('tag', { path: 'tag', named: 'word', fields: { word: text(20) } });
const fields = { product: id, title: 'Colours', limit: 5, order: 'given', strict: false, note: '' };

const decider = plainDecider(optionSet);
const { Add, Edit, Remove, Restore } = decider.has;
type Event = ReturnType<PlainDecider['decide']>[number];
/** Events of nouns that the catalogue does not know. */
const event = (type: string, data: object) => ({ type, data }) as unknown as Event;
const added = event('OptionSetAdded', fields);
const removed = event('OptionSetRemoved', { title: 'Colours' });
const on = (...events: Event[]) => given(decider, events);

describe('a plain noun', () => {
  test('is added once under an id', () => {
    on()
      .when(new Add(id, fields, meta))
      .then([added]);
    on(added)
      .when(new Add(id, { ...fields, limit: 6 }, meta))
      .thenRejected('conflict', 'option set exists');
    on(added, removed)
      .when(new Add(id, fields, meta))
      .thenRejected('conflict');
  });

  test('an edit is a rename, a revision with only the fields that changed, both, or nothing', () => {
    const edit = (change: object) => on(added).when(new Edit(id, { ...fields, ...change }, meta));
    const renamed = event('OptionSetRenamed', { title: 'Sizes' });
    edit({}).thenNothing();
    edit({ title: 'Sizes' }).then([renamed]);
    edit({ limit: 6, strict: true }).then([event('OptionSetRevised', { limit: 6, strict: true })]);
    edit({ title: 'Sizes', note: 'EU' }).then([renamed, event('OptionSetRevised', { note: 'EU' })]);
  });

  test('never moves to another parent, and keeps no key that is not a field', () =>
    on(added)
      .when(new Edit(id, { ...fields, product: 'other', colour: 'red' }, meta))
      .thenNothing());

  test('is removed by a name that was recorded with spaces around it, without typing those', () => {
    on(event('OptionSetAdded', { ...added.data, title: ' Colours ' }))
      .when(new Remove(id, { typed: 'Colours' }, meta))
      .then([event('OptionSetRemoved', { title: ' Colours ' })]);
  });

  test('is removed with its name when one is typed, and restored as it was', () => {
    on(added)
      .when(new Remove(id, { typed: 'Colours' }, meta))
      .then([removed]);
    on(added)
      .when(new Remove(id, { typed: 'colours' }, meta))
      .thenRejected('invalid', 'not the title');
    on(removed)
      .when(new Remove(id, {}, meta))
      .thenRejected('notFound', 'option set could not be found');
    on(added, removed)
      .when(new Edit(id, fields, meta))
      .thenRejected('notFound');
    const restored = event('OptionSetRestored', { title: 'Colours' });
    on(added, removed)
      .when(new Restore(id, {}, meta))
      .then([restored]);
    expect(foldEvents(decider, [added, removed, restored])).toEqual(foldEvents(decider, [added]));
  });
});

test('a noun that has a name alone is never revised', () => {
  expect(Object.keys(eventsOf(tag as unknown as PlainNoun))).toEqual([
    'TagAdded',
    'TagRenamed',
    'TagRemoved',
    'TagRestored',
  ]);
});

test('every decided event is one of the catalogue, and its schema keeps all of its data', () => {
  const products = plainDecider(product);
  const data = { name: 'Shop', description: '' };
  const first = products.decide(new products.has.Add(id, data, meta), products.initial);
  const events = [
    ...first,
    ...products.decide(
      new products.has.Edit(id, { name: 'Web shop', description: 'Orders' }, meta),
      foldEvents(products, first),
    ),
    ...products.decide(new products.has.Remove(id, {}, meta), foldEvents(products, first)),
  ];
  expect(events.map(({ type }) => type)).toEqual([
    'ProductAdded',
    'ProductRenamed',
    'ProductRevised',
    'ProductRemoved',
  ]);
  for (const { type, data: recorded } of events)
    expect(catalogue[type].schema.parse(recorded)).toEqual(recorded);
});

describe('rules of its own', () => {
  const rules: Rules = {
    decide: (asked, plain) => {
      if (asked.is === 'remove' && asked.now['strict'] === true)
        throw new DomainError('conflict', 'a strict option set stays');
      return asked.is === 'edit' && asked.now['limit'] === 0 ? [] : plain();
    },
  };
  const ruled = plainDecider(optionSet, rules);

  test('refuse a command, decide otherwise, or leave it to the kit', () => {
    const strict = event('OptionSetAdded', { ...fields, strict: true });
    given(ruled, [strict])
      .when(new ruled.has.Remove(id, {}, meta))
      .thenRejected('conflict', 'stays');
    given(ruled, [added])
      .when(new ruled.has.Remove(id, {}, meta))
      .then([removed]);
    const none = event('OptionSetAdded', { ...fields, limit: 0 });
    given(ruled, [none])
      .when(new ruled.has.Edit(id, { limit: 7 }, meta))
      .thenNothing();
  });
});
