/** Every call has an example, which it accepts, and which names each id that the call may take. */
import { byId, nothing, object, uuid } from '@quarterdeck/events/inputs';
import { fieldsOfKind, plainNouns, type PlainNoun } from '@quarterdeck/events';
import { z } from 'zod';
import { calls, contract, type Call } from './index';
import { demo, newRunId } from './demo';

interface Shape {
  pattern?: string;
  properties?: Record<string, Shape>;
  items?: Shape;
  anyOf?: Shape[];
}
const shapeOf = ({ input }: Call): Shape =>
  z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' }) as Shape;

const takesInput = (call: Call): boolean => Object.keys(shapeOf(call).properties ?? {}).length > 0;

const isId = ({ pattern = '' }: Shape): boolean => pattern.startsWith('^[0-9a-f]{8}-');

/** Paths of ids that a call may take and its example leaves out. Of several forms, the example has one. */
const idsLeftOut = (shape: Shape, example: unknown, at: string[] = []): string[] => {
  if (isId(shape)) return typeof example === 'string' ? [] : [at.join('.')];
  if (shape.items) return idsLeftOut(shape.items, (example as unknown[] | undefined)?.[0], [...at, '0']);
  if (shape.anyOf) {
    const each = shape.anyOf.map((form) => idsLeftOut(form, example, at));
    return each.find((left) => left.length === 0) ?? each[0] ?? [];
  }
  return Object.entries(shape.properties ?? {}).flatMap(([key, part]) =>
    idsLeftOut(part, (example as Record<string, unknown> | undefined)?.[key], [...at, key]),
  );
};

const problemsOf = (call: Call): string[] => {
  const { id, input, example = {} } = call;
  const refused = input.safeParse(example).error?.issues ?? [];
  return [
    ...(takesInput(call) && call.example === undefined ? [`${id} has no example`] : []),
    ...refused.map(({ path, message }) => `${id} refuses its example: ${path.join('.')}: ${message}`),
    ...idsLeftOut(shapeOf(call), example).map((path) => `the example of ${id} leaves out ${path}`),
  ];
};

/** Ids that do not go together with others of their examples, or that a new record does not have. */
const apart = [
  // An address or an entry of the log.
  'the example of deploy.pull leaves out deployLog.id',
  // A starter or a database.
  'the example of data-model.version.import leaves out database.id',
  // The children of a record in their order.
  ...plainNouns.flatMap((noun: PlainNoun) =>
    ['insert', 'update'].flatMap((call) =>
      fieldsOfKind(noun.fields, 'order').map(
        ([key]) => `the example of ${noun.path.replaceAll('/', '.')}.${call} leaves out data.${key}.0`,
      ),
    ),
  ),
];

test('every call has an example that it accepts, with each id that it may take', () => {
  expect(contract.flatMap(problemsOf)).toEqual(apart);
});

test('each id in an example is one of the things in `demo`, or that of a new run', () => {
  const known = new Set([newRunId, ...Object.values(demo)]);
  const text = JSON.stringify(contract.map(({ example }) => example));
  const ids = text.match(/[0-9a-f]{8}-[0-9a-f-]{27}/g) ?? [];
  expect(ids.length).toBeGreaterThan(100);
  expect(ids.filter((id) => !known.has(id))).toEqual([]);
});

test('a call without an example, with a wrong one, or with one that leaves out an id is found', () => {
  const answer = z.unknown();
  const optional = object({ server: object({ id: uuid.optional() }).optional(), by: uuid.optional() });
  const planted = calls('planted', 'admin', {
    nothing: { summary: '', input: nothing, answer },
    none: { summary: '', input: optional, answer },
    wrong: { summary: '', input: byId, answer, example: { id: 'no id' } },
    less: { summary: '', input: optional, answer, example: { server: {}, by: demo.person } },
  });
  expect(Object.values(planted).flatMap(problemsOf)).toEqual([
    'planted.none has no example',
    'the example of planted.none leaves out server.id',
    'the example of planted.none leaves out by',
    'planted.wrong refuses its example: id: uuid invalid',
    'the example of planted.less leaves out server.id',
  ]);
});
