/** The ways of arrows between boxes that were moved, which the layout does not know. Pure. */
import type { Arrow, Box, Drawing } from './layout';

export interface Point {
  x: number;
  y: number;
}

type Way = Pick<Arrow, 'points' | 'labelAt'>;

/** Room between a box and an arrow that turns beside it. */
const AROUND = 24;
/** Between arrows that connect the same boxes. */
const APART = 28;

/** A loop on the right side of the box. */
export const loopAt = ({ x, y, width }: Box): Way => ({
  points: [
    { x: x + width, y: y + 10 },
    { x: x + width + 20, y: y + 10 },
    { x: x + width + 20, y: y + 26 },
    { x: x + width, y: y + 26 },
  ],
  labelAt: { x: x + width + 20, y: y + 36 },
});

/** Down from the source, across, and down to the target; around the right side if the target is not below. */
const between = (source: Box, target: Box, shift: number): Way => {
  const from = { x: source.x + source.width / 2 + shift, y: source.y + source.height };
  const to = { x: target.x + target.width / 2 + shift, y: target.y };
  if (to.y >= from.y + AROUND) {
    const middle = (from.y + to.y) / 2 + shift / 2;
    return {
      points: [from, { x: from.x, y: middle }, { x: to.x, y: middle }, to],
      labelAt: { x: (from.x + to.x) / 2, y: middle },
    };
  }
  const start = { x: source.x + source.width, y: source.y + source.height / 2 + shift / 2 };
  const end = { x: target.x + target.width, y: target.y + target.height / 2 + shift / 2 };
  const right = Math.max(start.x, end.x) + AROUND + Math.abs(shift);
  return {
    points: [start, { x: right, y: start.y }, { x: right, y: end.y }, end],
    labelAt: { x: right, y: (start.y + end.y) / 2 },
  };
};

/** The drawing with some boxes elsewhere. Arrows of these boxes take new ways. */
export const withPlaces = (drawing: Drawing, places: ReadonlyMap<string, Point>): Drawing => {
  if (places.size === 0) return drawing;
  const boxes = drawing.boxes.map((box) => ({ ...box, ...places.get(box.id) }));
  const boxOf = new Map(boxes.map((box) => [box.id, box]));
  const arrows = drawing.arrows.map((arrow): Arrow => {
    if (!places.has(arrow.source) && !places.has(arrow.target)) return arrow;
    const source = boxOf.get(arrow.source);
    const target = boxOf.get(arrow.target);
    if (!source || !target) return arrow;
    if (source === target) return { ...arrow, ...loopAt(source) };
    const beside = drawing.arrows.filter((one) => one.source === source.id && one.target === target.id);
    const shift = (beside.indexOf(arrow) - (beside.length - 1) / 2) * APART;
    return { ...arrow, ...between(source, target, shift) };
  });
  const left = Math.min(0, ...boxes.map(({ x }) => x - 16));
  const top = Math.min(0, ...boxes.map(({ y }) => y - 16));
  return {
    boxes,
    arrows,
    left,
    top,
    width: Math.max(...boxes.map(({ x, width }) => x + width + 16)) - left,
    height: Math.max(...boxes.map(({ y, height }) => y + height + 16)) - top,
  };
};

export type Direction = 'up' | 'down' | 'left' | 'right';

/** The nearest box in a direction: one that is straight ahead before one that is aside. */
export const nearest = (boxes: readonly Box[], from: string, direction: Direction): string | undefined => {
  const centreOf = ({ x, y, width, height }: Box): Point => ({ x: x + width / 2, y: y + height / 2 });
  const start = boxes.find(({ id }) => id === from);
  if (!start) return boxes[0]?.id;
  const here = centreOf(start);
  const far = (box: Box): number => {
    const there = centreOf(box);
    const [right, down] = [there.x - here.x, there.y - here.y];
    const ahead = { up: -down, down, left: -right, right }[direction];
    const aside = Math.abs(direction === 'up' || direction === 'down' ? right : down);
    return ahead < 1 ? Infinity : ahead + aside * 2;
  };
  const [best] = boxes
    .map((box) => ({ id: box.id, far: far(box) }))
    .filter((one) => one.far < Infinity)
    .toSorted((one, other) => one.far - other.far);
  return best?.id;
};
