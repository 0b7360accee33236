/** Boxes that are dragged, and the arrow keys of a graph whose boxes can be chosen. */
import type { NodeChange } from '@xyflow/react';
import { useCallback, useMemo, useRef, useState, type KeyboardEvent } from 'react';
import type { BoxNode } from './GraphBox';
import type { Box, Drawing } from './layout';
import { nearest, withPlaces, type Direction, type Point } from './routes';

/** What can be done with the boxes and arrows of a graph. Keep it stable between renders. */
export interface Hands {
  onSelect: (id: string) => void;
  /** Boxes can be dragged, and moved with Alt and the arrow keys. */
  onMove?: (id: string, to: Point) => void;
  /** Arrows can be drawn from box to box. */
  onConnect?: (source: string, target: string) => void;
}

/** How far a key or a button moves a box. */
export const STEP = 20;

const directions: Record<string, Direction> = {
  ArrowUp: 'up',
  ArrowDown: 'down',
  ArrowLeft: 'left',
  ArrowRight: 'right',
};

export const movedBy = ({ x, y }: Point, direction: Direction): Point => ({
  x: Math.round(x + { up: 0, down: 0, left: -STEP, right: STEP }[direction]),
  y: Math.round(y + { up: -STEP, down: STEP, left: 0, right: 0 }[direction]),
});

const noPlaces: ReadonlyMap<string, Point> = new Map();

/** @returns the drawing with what is being dragged, and what the library calls when boxes are dragged */
export const useDragging = (drawing: Drawing, hands: Hands | undefined) => {
  const [dragged, setDragged] = useState({ of: drawing, places: noPlaces });
  const places = dragged.of === drawing ? dragged.places : noPlaces;
  const shown = useMemo(() => withPlaces(drawing, places), [drawing, places]);
  const onNodesChange = useCallback(
    (changes: NodeChange<BoxNode>[]): void => {
      for (const change of changes) {
        if (change.type !== 'position' || !change.position) continue;
        const { id, dragging } = change;
        const to = { x: Math.round(change.position.x), y: Math.round(change.position.y) };
        setDragged((before) => ({
          of: drawing,
          places: new Map(before.of === drawing ? before.places : noPlaces).set(id, to),
        }));
        const from = drawing.boxes.find((box) => box.id === id);
        if (dragging === false && (from?.x !== to.x || from.y !== to.y)) hands?.onMove?.(id, to);
      }
    },
    [drawing, hands],
  );
  return { shown, onNodesChange };
};

export const useArrowKeys = (boxes: readonly Box[], hands: Hands | undefined) => {
  const area = useRef<HTMLDivElement>(null);
  const onKeyDown = (event: KeyboardEvent): void => {
    const direction = directions[event.key];
    const id = (event.target as HTMLElement).dataset.box;
    if (!direction || id === undefined || !hands) return;
    event.preventDefault();
    const box = boxes.find((one) => one.id === id);
    if (event.altKey) {
      if (box) hands.onMove?.(id, movedBy(box, direction));
      return;
    }
    const next = nearest(boxes, id, direction);
    if (next === undefined) return;
    hands.onSelect(next);
    area.current?.querySelector<HTMLElement>(`[data-box="${next}"]`)?.focus();
  };
  return { area, onKeyDown };
};
