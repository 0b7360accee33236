/** Top-to-bottom layout of a graph. Pure. Runs in a worker because large graphs are slow. */
import { Graph, layout } from '@dagrejs/dagre';
import { loopAt, withPlaces, type Point } from './routes';

export const BOX_WIDTH = 172;
export const BOX_HEIGHT = 36;
export const LINE_HEIGHT = 18;

/** Since an earlier instant. Absent: none, or nothing is compared. */
export type Change = 'added' | 'removed' | 'changed' | undefined;

export interface Line {
  id: string;
  name: string;
  change?: Change;
}

export interface PlainBox extends Line {
  /** Shown below the name. */
  lines: readonly Line[];
  /** Upper left corner, if somebody has placed it. */
  at?: Point | undefined;
}

export interface PlainArrow extends Line {
  source: string;
  target: string;
  /** Shown in the middle of the arrow. */
  label?: string | undefined;
}

/** What is drawn. Keep it the same between renders: a new one is laid out again. */
export interface Drawn {
  boxes: readonly PlainBox[];
  arrows: readonly PlainArrow[];
  /** Default: 172. */
  boxWidth?: number;
  /** Whether boxes have room for a mark. */
  marked?: boolean;
}

export interface Box extends PlainBox {
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface Arrow extends PlainArrow {
  points: readonly Point[];
  /** Centre of the label. */
  labelAt?: Point | undefined;
}

export interface Drawing {
  boxes: readonly Box[];
  arrows: readonly Arrow[];
  left: number;
  top: number;
  width: number;
  height: number;
}

export const heightOf = (lines: number): number =>
  BOX_HEIGHT + (lines === 0 ? 0 : lines * LINE_HEIGHT + LINE_HEIGHT / 2);

const LETTER = 6.5;
export const widthOfLabel = (label: string): number => label.length * LETTER + 12;

export const drawingOf = (drawn: Drawn): Drawing => {
  const { boxes: plain, arrows: lines, boxWidth = BOX_WIDTH, marked = false } = drawn;
  const graph = new Graph({ multigraph: true });
  graph.setGraph({ rankdir: 'TB', nodesep: 24, ranksep: 56, marginx: 16, marginy: 16 });
  for (const box of plain)
    graph.setNode(box.id, { width: boxWidth, height: heightOf(box.lines.length + (marked ? 1 : 0)) });
  // Arrows from a box to itself are not given to dagre; `loopAt` draws them.
  for (const { id, source, target, label } of lines)
    if (source !== target)
      graph.setEdge(
        source,
        target,
        label ? { width: widthOfLabel(label), height: LINE_HEIGHT, labelpos: 'c' } : {},
        id,
      );
  layout(graph);
  const { width = 0, height = 0 } = graph.graph() as { width?: number; height?: number };
  const boxes = plain.map((box): Box => {
    const at = graph.node(box.id) as { x: number; y: number; height: number };
    return {
      ...box,
      width: boxWidth,
      height: at.height,
      x: at.x - boxWidth / 2,
      y: at.y - at.height / 2,
    };
  });
  const boxOf = new Map(boxes.map((box) => [box.id, box]));
  const arrows = lines.map((arrow): Arrow => {
    const { id, source, target, label } = arrow;
    const box = boxOf.get(source);
    if (source === target && box) return { ...arrow, ...loopAt(box) };
    const edge = graph.edge(source, target, id) as { points: Point[]; x?: number; y?: number };
    const { points, x, y } = edge;
    return { ...arrow, points, ...(label && x !== undefined && y !== undefined && { labelAt: { x, y } }) };
  });
  const drawing = {
    boxes,
    arrows,
    left: 0,
    top: 0,
    width: Math.max(width, boxWidth),
    height: Math.max(height, BOX_HEIGHT),
  };
  return withPlaces(drawing, placesOf(boxes));
};

/** Where somebody has placed boxes, and free places below those for the boxes that would be covered. */
const placesOf = (boxes: readonly Box[]): Map<string, Point> => {
  const places = new Map<string, Point>();
  const placed: Box[] = [];
  for (const box of boxes)
    if (box.at) {
      places.set(box.id, box.at);
      placed.push({ ...box, ...box.at });
    }
  if (placed.length === 0) return places;
  for (const box of boxes) {
    if (box.at) continue;
    let { y } = box;
    const covers = (one: Box): boolean =>
      one.x < box.x + box.width &&
      box.x < one.x + one.width &&
      one.y < y + box.height &&
      y < one.y + one.height;
    for (let below = placed.find(covers); below; below = placed.find(covers)) y = below.y + below.height + 24;
    placed.push({ ...box, y });
    if (y !== box.y) places.set(box.id, { x: box.x, y });
  }
  return places;
};
