// covers: PROD-04
import { BOX_WIDTH, drawingOf, heightOf, type Drawn } from './layout';

const entity = (id: string, fields: readonly string[] = []) => ({
  id,
  name: id,
  lines: fields.map((name) => ({ id: name, name })),
});
const relation = (source: string, target: string) => ({
  id: `${source}-${target}`,
  name: target,
  source,
  target,
});
const drawn = (changed: Partial<Drawn>): Drawn => ({
  boxes: [],
  arrows: [],
  ...changed,
});

test('boxes are 172 by 36, and taller with their fields', () => {
  expect(drawingOf(drawn({ boxes: [entity('order')] })).boxes[0]).toMatchObject({ width: 172, height: 36 });
  expect(drawingOf(drawn({ boxes: [entity('order', ['id', 'note'])] })).boxes[0]).toMatchObject({
    width: BOX_WIDTH,
    height: heightOf(2),
    lines: [{ name: 'id' }, { name: 'note' }],
  });
});

test('places the target of a relation below its source, and ends the arrow at the target', () => {
  const plain = [entity('order'), entity('customer')];
  const { boxes, arrows } = drawingOf(drawn({ boxes: plain, arrows: [relation('order', 'customer')] }));
  const [order, customer] = boxes;
  expect(customer?.y).toBeGreaterThan((order?.y ?? 0) + 36);
  expect(arrows[0]?.points.at(-1)?.y).toBeCloseTo(customer?.y ?? 0, 0);
});

test('draws parallel arrows, cycles and arrows from a box to itself', () => {
  const plain = [entity('a'), entity('b')];
  const lines = [
    relation('a', 'b'),
    { ...relation('a', 'b'), id: 'again' },
    relation('b', 'a'),
    relation('a', 'a'),
  ];
  const { arrows } = drawingOf(drawn({ boxes: plain, arrows: lines }));
  expect(arrows.map(({ id, points }) => [id, points.length > 1])).toEqual(lines.map(({ id }) => [id, true]));
});

test('no two boxes of 300 entities with 600 relations overlap', () => {
  const plain = Array.from({ length: 300 }, (_, at) => entity(`e${at}`));
  const lines = Array.from({ length: 600 }, (_, at) => ({
    ...relation(`e${at % 300}`, `e${(at * 7 + 13) % 300}`),
    id: `r${at}`,
  }));
  const { boxes } = drawingOf(drawn({ boxes: plain, arrows: lines }));
  const apart = (a: (typeof boxes)[number], b: (typeof boxes)[number]): boolean =>
    a.x + a.width <= b.x || b.x + b.width <= a.x || a.y + a.height <= b.y || b.y + b.height <= a.y;
  expect(boxes.every((a, at) => boxes.slice(at + 1).every((b) => apart(a, b)))).toBe(true);
});
