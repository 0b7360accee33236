// covers: PROD-04
import { BOX_WIDTH, drawingOf, heightOf, type Drawn } from './layout';

const entity = (id: string, fields: readonly string[] = []) => ({
  id,
  name: id,
  fields: fields.map((name) => ({ id: name, name })),
});
const relation = (source: string, target: string) => ({
  id: `${source}-${target}`,
  name: target,
  source,
  target,
});
const drawn = (changed: Partial<Drawn>): Drawn => ({
  entities: [],
  relations: [],
  withFields: false,
  ...changed,
});

test('boxes are 172 by 36, and taller with their fields', () => {
  const entities = [entity('order', ['id', 'note'])];
  expect(drawingOf(drawn({ entities })).boxes[0]).toMatchObject({ width: 172, height: 36, lines: [] });
  expect(drawingOf(drawn({ entities, withFields: true })).boxes[0]).toMatchObject({
    width: BOX_WIDTH,
    height: heightOf(2),
    lines: [{ name: 'id' }, { name: 'note' }],
  });
});

test('places the target of a relation below its source, and ends the arrow at the target', () => {
  const entities = [entity('order'), entity('customer')];
  const { boxes, arrows } = drawingOf(drawn({ entities, relations: [relation('order', 'customer')] }));
  const [order, customer] = boxes;
  expect(customer?.y).toBeGreaterThan((order?.y ?? 0) + 36);
  expect(arrows[0]?.points.at(-1)?.y).toBeCloseTo(customer?.y ?? 0, 0);
});

test('draws parallel arrows, cycles and arrows from a box to itself', () => {
  const entities = [entity('a'), entity('b')];
  const relations = [
    relation('a', 'b'),
    { ...relation('a', 'b'), id: 'again' },
    relation('b', 'a'),
    relation('a', 'a'),
  ];
  const { arrows } = drawingOf(drawn({ entities, relations }));
  expect(arrows.map(({ id, points }) => [id, points.length > 1])).toEqual(
    relations.map(({ id }) => [id, true]),
  );
});

test('no two boxes of 300 entities with 600 relations overlap', () => {
  const entities = Array.from({ length: 300 }, (_, at) => entity(`e${at}`));
  const relations = Array.from({ length: 600 }, (_, at) => ({
    ...relation(`e${at % 300}`, `e${(at * 7 + 13) % 300}`),
    id: `r${at}`,
  }));
  const { boxes } = drawingOf(drawn({ entities, relations }));
  const apart = (a: (typeof boxes)[number], b: (typeof boxes)[number]): boolean =>
    a.x + a.width <= b.x || b.x + b.width <= a.x || a.y + a.height <= b.y || b.y + b.height <= a.y;
  expect(boxes.every((a, at) => boxes.slice(at + 1).every((b) => apart(a, b)))).toBe(true);
});
