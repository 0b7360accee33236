// covers: WF-02
import { drawingOf, heightOf, type Drawn } from './layout';
import { nearest, withPlaces } from './routes';

const box = (id: string, at?: { x: number; y: number }) => ({ id, name: id, lines: [], ...(at && { at }) });
const arrow = (source: string, target: string, label?: string) => ({
  id: `${source}-${target}`,
  name: '',
  source,
  target,
  label,
});

test('a box is where somebody placed it, and its arrows end at it', () => {
  const { boxes, arrows } = drawingOf({
    boxes: [box('a'), box('b', { x: 400, y: 300 })],
    arrows: [arrow('a', 'b', 'yes')],
  });
  expect(boxes[1]).toMatchObject({ x: 400, y: 300 });
  expect(arrows[0]?.points.at(-1)).toEqual({ x: 486, y: 300 });
  expect(arrows[0]?.labelAt).toBeDefined();
});

test('an arrow back to a box above goes around the right side', () => {
  const { boxes, arrows } = drawingOf({
    boxes: [box('a', { x: 0, y: 0 }), box('b', { x: 0, y: 200 })],
    arrows: [arrow('b', 'a')],
  });
  const rightOf = Math.max(...boxes.map(({ x, width }) => x + width));
  expect(Math.max(...(arrows[0]?.points ?? []).map(({ x }) => x))).toBeGreaterThan(rightOf);
});

test('a box that nobody placed does not cover one that somebody placed', () => {
  const [first] = drawingOf({ boxes: [box('a')], arrows: [] }).boxes;
  const { boxes } = drawingOf({
    boxes: [box('a'), box('b', { x: first?.x ?? 0, y: first?.y ?? 0 })],
    arrows: [],
  });
  expect(boxes[0]?.y).toBeGreaterThanOrEqual((boxes[1]?.y ?? 0) + heightOf(0));
});

test('the drawing contains boxes that were moved to the left and up', () => {
  const drawing = drawingOf({ boxes: [box('a'), box('b')], arrows: [arrow('a', 'b')] });
  const { left, top, width } = withPlaces(drawing, new Map([['a', { x: -300, y: -200 }]]));
  expect([left, top]).toEqual([-316, -216]);
  expect(left + width).toBeGreaterThanOrEqual(drawing.width);
});

test('two arrows between the same boxes have labels in different places', () => {
  const drawn: Drawn = {
    boxes: [box('a', { x: 0, y: 0 }), box('b', { x: 0, y: 200 })],
    arrows: [arrow('a', 'b', 'yes'), { ...arrow('a', 'b', 'no'), id: 'other' }],
  };
  const [one, other] = drawingOf(drawn).arrows;
  expect(one?.labelAt).not.toEqual(other?.labelAt);
});

test.each([
  ['down', 'below'],
  ['up', 'above'],
  ['right', 'right'],
  ['left', undefined],
] as const)('the nearest box %s is %s', (direction, found) => {
  const { boxes } = drawingOf({
    boxes: [
      box('here', { x: 0, y: 200 }),
      box('above', { x: 20, y: 0 }),
      box('below', { x: 0, y: 400 }),
      box('right', { x: 300, y: 210 }),
      box('far below', { x: 0, y: 600 }),
    ],
    arrows: [],
  });
  expect(nearest(boxes, 'here', direction)).toBe(found);
});
