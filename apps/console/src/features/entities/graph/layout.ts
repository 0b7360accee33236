/** Top-to-bottom layout of a graph. Pure. Runs in a worker because large graphs are slow. */
import { Graph, layout } from '@dagrejs/dagre';
import type { Answer, entities } from '@quarterdeck/contract';

export const BOX_WIDTH = 172;
export const BOX_HEIGHT = 36;
export const LINE_HEIGHT = 18;

type Relation = Answer<typeof entities.visualization>['relations'][number];

/** Since an earlier instant. Absent: none, or nothing is compared. */
export type Change = Relation['change'];

export interface Line {
  id: string;
  name: string;
  change?: Change;
}

export interface Entity extends Line {
  fields: readonly Line[];
}

export interface Drawn {
  entities: readonly Entity[];
  relations: readonly Relation[];
  /** Whether the boxes list their fields. */
  withFields: boolean;
}

export interface Box extends Line {
  lines: readonly Line[];
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface Arrow extends Relation {
  points: readonly { x: number; y: number }[];
}

export interface Drawing {
  boxes: readonly Box[];
  arrows: readonly Arrow[];
  width: number;
  height: number;
}

export const heightOf = (lines: number): number =>
  BOX_HEIGHT + (lines === 0 ? 0 : lines * LINE_HEIGHT + LINE_HEIGHT / 2);

export const drawingOf = ({ entities, relations, withFields }: Drawn): Drawing => {
  const graph = new Graph({ multigraph: true });
  graph.setGraph({ rankdir: 'TB', nodesep: 24, ranksep: 56, marginx: 16, marginy: 16 });
  const linesOf = ({ fields }: Entity): readonly Line[] => (withFields ? fields : []);
  for (const entity of entities)
    graph.setNode(entity.id, { width: BOX_WIDTH, height: heightOf(linesOf(entity).length) });
  // Self-relations are not given to dagre; `loopAt` draws them.
  for (const { id, source, target } of relations)
    if (source !== target) graph.setEdge(source, target, {}, id);
  layout(graph);
  const { width = 0, height = 0 } = graph.graph() as { width?: number; height?: number };
  const boxes = entities.map((entity): Box => {
    const at = graph.node(entity.id) as { x: number; y: number; height: number };
    return {
      id: entity.id,
      name: entity.name,
      change: entity.change,
      lines: linesOf(entity),
      width: BOX_WIDTH,
      height: at.height,
      x: at.x - BOX_WIDTH / 2,
      y: at.y - at.height / 2,
    };
  });
  const boxOf = new Map(boxes.map((box) => [box.id, box]));
  const arrows = relations.map((relation): Arrow => {
    const { id, source, target } = relation;
    const box = boxOf.get(source);
    if (source === target && box) return { ...relation, points: loopAt(box) };
    const edge = graph.edge(source, target, id) as { points: { x: number; y: number }[] };
    return { ...relation, points: edge.points };
  });
  return { boxes, arrows, width: Math.max(width, BOX_WIDTH), height: Math.max(height, BOX_HEIGHT) };
};

/** Points of a loop on the right side of the box. */
const loopAt = ({ x, y, width }: Box): { x: number; y: number }[] => [
  { x: x + width, y: y + 10 },
  { x: x + width + 20, y: y + 10 },
  { x: x + width + 20, y: y + 26 },
  { x: x + width, y: y + 26 },
];
