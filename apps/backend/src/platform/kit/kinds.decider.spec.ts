/** The kinds of fields beyond text and numbers: groups, JSON with a schema, and enumerations answered with their names. */
import {
  choice,
  flag,
  group,
  integer,
  json,
  namedEnumeration,
  enumeration,
  noun,
  optionalText,
  rich,
  secret,
  text,
  type PlainNoun,
} from '@quarterdeck/events';
import { declared } from '@quarterdeck/contract';
import { fieldMessages } from '@quarterdeck/events/inputs';
import { eventsOf } from '@quarterdeck/events/kit';
import {
  foldOf,
  plainColumns,
  shownValue,
  viewSchemaOf,
  withOptionNames,
  worded,
  type AnyProjection,
} from '@quarterdeck/projections';
import { z } from 'zod';
import { foldEvents } from '../decider';
import { given, meta } from '../decisions/decider-testing';
import { plainDecider, type PlainDecider } from './plain.decider';

const id = '0193f0a0-0000-7000-8000-000000000005';
type Event = ReturnType<PlainDecider['decide']>[number];
/** The catalogue does not know these events. */
const event = (type: string, data: object) => ({ type, data }) as unknown as Event;

const viewOf = (of: PlainNoun, ...events: Event[]) => {
  const fold = foldOf(of) as AnyProjection;
  return events.reduce<Record<string, unknown> | undefined>((view, { type, data }, revision) => {
    const logged = { type, data, stream: `${of.category}-${id}`, revision, position: String(revision), meta };
    return fold.evolve(view, logged as never, id) as Record<string, unknown>;
  }, undefined);
};
/** The data that a call takes, or the messages at their fields. */
const insert = (of: PlainNoun, data: object): unknown => {
  const { data: taken, error } = declared(of)['insert']!.input.safeParse({ data });
  return error ? fieldMessages(error) : (taken as { data: unknown }).data;
};

/** A parameter of a saved request. */
const place = { name: text(50), paramType: enumeration(['payload', 'headers', 'params']) };
const param = noun('param', {
  path: 'param',
  named: ({ isInput, input, output }) => (isInput ? input?.name : output?.name) ?? 'nothing',
  fields: {
    isInput: flag(),
    input: group(place, { when: ['isInput', true] }),
    output: group(place, { optional: true }),
    range: group({ from: integer(), to: integer() }),
  },
}) as unknown as PlainNoun;

describe('a group of fields', () => {
  const input = { name: 'sku', paramType: 1 };
  const data = { isInput: true, input, output: null, range: { from: 1, to: 5 } };

  test('is taken as a whole, and may be null if it is optional', () => {
    expect(insert(param, { isInput: true, input, range: data.range })).toEqual(data);
    expect(insert(param, { ...data, output: { name: 'total', paramType: 3 } })).toMatchObject({
      output: { name: 'total', paramType: 3 },
    });
  });

  test.each([
    [{ range: null }, { 'data.range': 'This field is required' }],
    [{ range: { from: 1 } }, { 'data.range.to': 'This field is required' }],
    [{ range: { from: 1, to: 2, by: 3 } }, { 'data.range.by': 'this key cannot be included' }],
    [{ input: { name: '', paramType: 1 } }, { 'data.input.name': 'This field is required' }],
    [{ input: { name: 'a', paramType: 4 } }, { 'data.input.paramType': 'numbers above 3 are not accepted' }],
    [{ input: null }, { 'data.input': 'This field is required' }],
    [{ isInput: false }, { 'data.input': 'only accepted when the is input is yes' }],
    [{ output: 'sku' }, { 'data.output': 'expected type object' }],
  ])('names the field inside that is wrong: %j', (change, messages) =>
    expect(insert(param, { ...data, ...change })).toEqual(messages),
  );

  test('is recorded, folded and shown as it is, and changes as a whole', () => {
    const decider = plainDecider(param);
    const added = event('ParamAdded', data);
    given(decider, [added])
      .when(new decider.has.Edit(id, { ...data, range: { from: 1, to: 5 } }, meta))
      .thenNothing();
    const revised = event('ParamRevised', { ...data, range: { from: 1, to: 6 } });
    given(decider, [added])
      .when(new decider.has.Edit(id, { range: { from: 1, to: 6 } }, meta))
      .then([revised]);
    expect(eventsOf(param)['ParamAdded']?.schema.parse(data)).toEqual(data);
    const view = viewOf(param, added, revised);
    expect(view).toMatchObject({ name: 'sku', input, output: null, range: { from: 1, to: 6 } });
    expect(viewSchemaOf(param).parse(view)).toEqual(view);
    expect(foldOf(param).columns).toMatchObject({ input: 'jsonb', range: 'jsonb' });
  });

  test('is put into words in lists and in the history', () => {
    const view = viewOf(param, event('ParamAdded', data))!;
    expect(shownValue(param, 'input', view as never)).toBe('sku, payload');
    expect(shownValue(param, 'output', view as never)).toBeUndefined();
    expect(plainColumns(param).map((column) => column.id)).toContain('input');
    expect(worded(param, data)).toMatchObject({ input: { name: 'sku', paramType: 'payload' } });
  });

  test('applies the rules of its fields', () => {
    const refuses = (value: string) => (value === 'host' ? 'this name is taken by the request' : undefined);
    const own = noun('param', {
      path: 'param',
      named: 'name',
      fields: { name: text(), input: group({ name: text(50, { refuses }), note: optionalText() }) },
    }) as unknown as PlainNoun;
    expect(insert(own, { name: 'a', input: { name: 'host' } })).toEqual({
      'data.input.name': 'this name is taken by the request',
    });
    expect(insert(own, { name: 'a', input: { name: 'sku' } })).toMatchObject({
      input: { name: 'sku', note: '' },
    });
    const decider = plainDecider(own);
    const before = event('ParamAdded', { name: 'a', input: { name: 'sku', note: '' } });
    given(decider, [before])
      .when(new decider.has.Edit(id, { input: { name: 'host', note: '' } }, meta))
      .thenRejected('invalid', 'this name is taken by the request');
  });

  test('has no secret, whose text would be recorded', () => {
    expect(() => group({ token: secret(10) } as never)).toThrow(
      'token: a group has no secret, reference, order or later field',
    );
  });
});

interface Graph {
  nodes: { id: string; label?: string }[];
  start: string;
}
const graphSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['nodes', 'start'],
  properties: {
    start: { type: 'string' },
    nodes: {
      type: 'array',
      maxItems: 3,
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['id'],
        properties: { id: { type: 'string' }, label: { type: 'string', maxLength: 10 } },
      },
    },
  },
} as const;
const flow = rich(
  noun('flow', {
    path: 'flow',
    named: 'name',
    fields: {
      name: text(),
      draft: json<Graph>(graphSchema),
      data: json<unknown>({}, { max: 50, optional: true }),
    },
  }),
  {
    state: { published: json<Graph>(graphSchema, { optional: true }) },
    commands: (command) => ({
      publish: command('FlowPublished', {
        takes: { graph: json<Graph>(graphSchema) },
        says: ({ graph }) => `published ${graph.nodes.length} nodes`,
        refuses: ({ graph }) =>
          graph.nodes.some((node) => node.id === graph.start) ? undefined : 'the start is no node',
        sets: ({ graph }) => ({ published: graph }),
      }),
    }),
  },
) as unknown as PlainNoun;

describe('a field of JSON', () => {
  const draft = { nodes: [{ id: 'a', label: 'Ask' }], start: 'a' };

  test('takes what its schema says, and names the place that is wrong', () => {
    expect(insert(flow, { name: 'F', draft })).toEqual({ name: 'F', draft, data: null });
    expect(insert(flow, { name: 'F', draft, data: [1, { a: null }] })).toMatchObject({
      data: [1, { a: null }],
    });
    const wrong = (value: unknown) => insert(flow, { name: 'F', draft: value });
    expect(wrong(undefined)).toEqual({ 'data.draft': 'This field is required' });
    expect(wrong(null)).toEqual({ 'data.draft': 'This field is required' });
    expect(wrong('graph')).toEqual({ 'data.draft': 'expected type object' });
    expect(wrong({ nodes: [{}], start: 1 })).toEqual({
      'data.draft.nodes.0.id': 'This field is required',
      'data.draft.start': 'expected type string',
    });
    expect(wrong({ ...draft, end: 'a' })).toEqual({ 'data.draft.end': 'this key cannot be included' });
    expect(Object.keys(wrong({ nodes: [1, 2, 3, 4], start: 'a' }) as object)).toContain('data.draft.nodes');
  });

  test('is bounded in bytes and depth, and refuses what cannot be stored', () => {
    const wrong = (data: unknown) => insert(flow, { name: 'F', draft, data });
    expect(wrong('é'.repeat(25))).toEqual({ 'data.data': 'at most 50 bytes of JSON are accepted' });
    expect(wrong('é'.repeat(24))).toMatchObject({ data: 'é'.repeat(24) });
    let deep: unknown = 1;
    for (let level = 0; level < 5_000; level++) deep = [deep];
    expect(wrong(deep)).toEqual({ 'data.data': 'this is nested too deeply' });
    for (const text of [String.fromCharCode(0), String.fromCharCode(0xd8_00)]) {
      const message = { 'data.data': 'this text contains characters that cannot be stored' };
      expect(wrong([{ a: text }])).toEqual(message);
      expect(wrong({ [text]: 1 })).toEqual(message);
    }
  });

  test('describes its calls by its schema', () => {
    const described = z.toJSONSchema(declared(flow)['publish']!.input, { io: 'input' });
    expect(described).toMatchObject({
      properties: { data: { properties: { graph: graphSchema }, required: ['graph'] } },
    });
    const answer = z.toJSONSchema(viewSchemaOf(flow), { io: 'output' });
    const { properties, required } = answer.$defs!['Flow'] as { properties: object; required: string[] };
    expect(properties).toMatchObject({
      draft: graphSchema,
      published: { anyOf: [graphSchema, { type: 'null' }] },
    });
    expect(required).toEqual(expect.arrayContaining(['draft', 'published', 'data']));
  });

  test('is the input and the state of a command, which its rule sees', () => {
    const decider = plainDecider(flow);
    const added = event('FlowAdded', { name: 'F', draft, data: null });
    const publish = (graph: object) => new decider.has.own['publish']!(id, { graph }, meta);
    given(decider, [added])
      .when(publish(draft))
      .then([event('FlowPublished', { graph: draft })]);
    given(decider, [added])
      .when(publish({ ...draft, start: 'b' }))
      .thenRejected('conflict', 'the start is no node');
    const events = [added, event('FlowPublished', { graph: draft })];
    expect(foldEvents(decider, [added])).toMatchObject({ was: { published: null } });
    expect(foldEvents(decider, events)).toMatchObject({ was: { published: draft } });
    const view = viewOf(flow, ...events)!;
    expect(view).toMatchObject({ draft, published: draft });
    expect(viewSchemaOf(flow).parse(view)).toEqual(view);
    expect(eventsOf(flow)['FlowPublished']?.schema.parse({ graph: draft })).toEqual({ graph: draft });
  });

  test('is short in words, and no column of a list', () => {
    const view = viewOf(flow, event('FlowAdded', { name: 'F', draft, data: 'x'.repeat(2_000) }))!;
    expect(shownValue(flow, 'draft', view as never)).toBe(JSON.stringify(draft));
    expect(shownValue(flow, 'data', view as never)?.length).toBeLessThan(1_100);
    expect(plainColumns(flow).map((column) => column.id)).toEqual(['name', 'changed']);
  });
});

/** As a notification has it. */
const notification = noun('notification', {
  path: 'notification',
  named: 'title',
  fields: {
    title: text(),
    type: namedEnumeration(['banner', 'login', 'signup', 'other']),
    about: group({ status: namedEnumeration(['pending', 'sent']) }, { optional: true }),
  },
}) as unknown as PlainNoun;

describe('an enumeration that is answered with its name', () => {
  const sent = { title: 'T', type: { id: 2 }, about: { status: { id: 1 } } };

  test('is sent as its id, with or without the name that was answered, and recorded as its id', () => {
    expect(insert(notification, sent)).toEqual(sent);
    const answered = { ...sent, type: { id: 2, name: 'login' } };
    expect(insert(notification, answered)).toEqual(sent);
    expect(eventsOf(notification)['NotificationAdded']?.schema.parse(sent)).toEqual(sent);
    expect(insert(notification, { ...sent, type: { id: 5 } })).toEqual({
      'data.type.id': 'numbers above 4 are not accepted',
    });
    expect(insert(notification, { ...sent, type: 2 })).toEqual({ 'data.type': 'expected type object' });
  });

  test('is answered as id and name, also inside a group', () => {
    const view = viewOf(notification, event('NotificationAdded', sent))!;
    const answer = withOptionNames(notification)(view);
    expect(answer).toMatchObject({
      type: { id: 2, name: 'login' },
      about: { status: { id: 1, name: 'pending' } },
    });
    expect(viewSchemaOf(notification).parse(answer)).toEqual(answer);
    const none = viewOf(notification, event('NotificationAdded', { ...sent, about: null }))!;
    expect(withOptionNames(notification)(none)).toMatchObject({ about: null });
  });

  test('is its word in lists and in the history, and no change if only the name was sent', () => {
    const view = withOptionNames(notification)(viewOf(notification, event('NotificationAdded', sent))!);
    expect(shownValue(notification, 'type', view as never)).toBe('login');
    expect(worded(notification, view)).toMatchObject({ type: 'login', about: { status: 'pending' } });
    expect(plainColumns(notification).find((column) => column.id === 'type')).toMatchObject({
      filter: 'category',
    });
  });

  test('may be a choice, whose options are words in lists and in the history if they say so', () => {
    const lamp = noun('lamp', {
      path: 'lamp',
      named: 'name',
      fields: { name: text(), glow: choice(['onOff', 'dim'], { words: { onOff: 'On or off', dim: 'dim' } }) },
    });
    expect(shownValue(lamp, 'glow', { glow: 'onOff' } as never)).toBe('On or off');
    expect(worded(lamp, { glow: 'onOff' })).toEqual({ glow: 'On or off' });
    expect(withOptionNames(lamp)({ glow: 'onOff' })).toEqual({ glow: 'onOff' });
  });

  test('leaves the answers of other nouns as they are', () => {
    const view = viewOf(
      param,
      event('ParamAdded', { isInput: false, input: null, output: null, range: {} }),
    )!;
    expect(withOptionNames(param)(view)).toBe(view);
  });
});
