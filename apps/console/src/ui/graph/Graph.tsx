/** Boxes and arrows: fit, zoom, search, pictures, and if there are hands, choosing, dragging and connecting. */
import { Group, Select, useComputedColorScheme } from '@mantine/core';
import { IconDownload, IconRefresh } from '@tabler/icons-react';
import {
  Background,
  BackgroundVariant,
  Controls,
  MarkerType,
  ReactFlow,
  ReactFlowProvider,
  useReactFlow,
  useStore,
} from '@xyflow/react';
import { useEffect, useMemo, useRef, useState } from 'react';
import { Action } from '../Action';
import { Loading } from '../Loading';
import { Refusal } from '../Refusal';
import { saveBlob, saveText } from '../save-text';
import styles from './graph.module.css';
import { GraphArrow, type ArrowEdge } from './GraphArrow';
import { GraphBox, type BoxNode, type Mark } from './GraphBox';
import type { Drawing, Drawn } from './layout';
import { toPng, toSvg, type Colours } from './picture';
import { useDrawing } from './use-drawing';
import { useArrowKeys, useDragging, type Hands } from './use-hands';

export type { Hands, Mark };

const nodeTypes = { box: GraphBox };
const edgeTypes = { arrow: GraphArrow };
/** The licence (MIT) does not require the link to the library's site. */
const WITHOUT_LINK = { hideAttribution: true };
const FIT = { padding: 0.1, maxZoom: 1 } as const;

/** Zoom at which the words of a box can be read. */
const READABLE = 0.8;
/** Below this zoom, a whole graph that is only looked at tells nothing. */
const TELLING = 0.45;

/** Zoom at which the whole graph can be seen; `undefined` while the room is not known. */
const zoomOfAll = ({ width, height }: Drawing, room: string): number | undefined => {
  const [wide = 0, high = 0] = room.split(' ').map(Number);
  return wide > 0 ? Math.min(wide / width, high / height) * 0.9 : undefined;
};

/** The box with the most arrows. */
const centreOf = ({ boxes, arrows }: Drawing): Drawing['boxes'][number] | undefined => {
  const counts = new Map<string, number>();
  for (const end of arrows.flatMap(({ source, target }) => [source, target]))
    counts.set(end, (counts.get(end) ?? 0) + 1);
  const most = Math.max(...counts.values());
  return boxes.find(({ id }) => counts.get(id) === most) ?? boxes[0];
};

/** Reads the theme's colours for exported pictures. */
const coloursOf = (element: HTMLElement): Colours => {
  const style = getComputedStyle(element);
  const colour = (name: string): string => style.getPropertyValue(name).trim();
  return {
    background: colour('--mantine-color-body'),
    box: colour('--mantine-color-default'),
    line: colour('--mantine-color-dimmed'),
    text: colour('--mantine-color-text'),
    dimmed: colour('--mantine-color-dimmed'),
    added: colour('--qd-good'),
    removed: colour('--qd-bad'),
    changed: colour('--qd-warn'),
  };
};

export interface GraphProps {
  /** Accessible name, such as "Schema". */
  label: string;
  drawn: Drawn;
  /** What a box is: "an entity". */
  what: string;
  /** Page of a box. Without it, boxes are chosen instead of opened: see `hands`. */
  to?: (id: string) => string;
  hands?: Hands;
  /** The chosen box or arrow. */
  selected?: string | undefined;
  /** States of boxes. */
  marks?: ReadonlyMap<string, Mark>;
  /** Arrows along which something went; the others are drawn faintly. */
  taken?: ReadonlySet<string>;
  /** Name of the exported files, without extension. */
  fileName: string;
}

export default function Graph(props: GraphProps) {
  const { drawing, failed, retry } = useDrawing(props.drawn);
  if (failed)
    return (
      <Refusal what="The graph could not be drawn" error={{ msg: 'Its layout failed in this browser.' }}>
        <Action icon={IconRefresh} variant="default" mt="xs" does={retry}>
          Retry
        </Action>
      </Refusal>
    );
  if (!drawing) return <Loading label="Loading..." />;
  return (
    <ReactFlowProvider>
      <Shown {...props} drawing={drawing} />
    </ReactFlowProvider>
  );
}

const Shown = (props: GraphProps & { drawing: Drawing }) => {
  const { label, what, to, fileName, hands, selected, marks, taken } = props;
  const { shown: drawing, onNodesChange } = useDragging(props.drawing, hands);
  const { area, onKeyDown } = useArrowKeys(drawing.boxes, hands);
  const flow = useReactFlow();
  const scheme = useComputedColorScheme('light');
  const [found, setFound] = useState<string | null>(null);
  /** Whether the operator has moved the view. Until then it refits on every change, including those of others. */
  const isMoved = useRef(false);
  const move = (): void => {
    isMoved.current = true;
  };
  const room = useStore(({ width, height }) => `${width} ${height}`);
  const chosen = hands
    ? (drawing.boxes.find(({ id }) => id === selected) ?? drawing.boxes[0])
    : centreOf(drawing);
  // Only where the whole graph would be too small to read does the view follow the chosen box.
  const zoom = zoomOfAll(props.drawing, room);
  const isKnown = zoom !== undefined;
  const isLarge = isKnown && zoom < (hands ? READABLE * 0.75 : TELLING);
  const followed = isLarge && chosen ? chosen.id : undefined;
  const latest = useRef(chosen);
  useEffect(() => {
    latest.current = chosen;
  });
  useEffect(() => {
    // A fit that is asked for before the room is known is done later, after this.
    if (isMoved.current || !isKnown) return;
    const { current: box } = latest;
    if (followed === undefined || !box) void flow.fitView(FIT);
    else void flow.setCenter(box.x + box.width / 2, box.y + box.height / 2, { zoom: READABLE });
  }, [props.drawing, room, flow, followed, isKnown]);
  const isConnectable = hands?.onConnect !== undefined;
  const nodes = useMemo(() => {
    const stop = drawing.boxes.some(({ id }) => id === selected) ? selected : drawing.boxes[0]?.id;
    return drawing.boxes.map((box): BoxNode => {
      const { id, x, y, width, height } = box;
      const data = {
        box,
        to: to?.(id),
        isFound: id === found,
        mark: marks?.get(id),
        isSelected: id === selected,
        isStop: id === stop,
        isConnectable,
        choose: () => hands?.onSelect(id),
      };
      return { id, type: 'box', position: { x, y }, width, height, data };
    });
  }, [drawing, to, found, marks, selected, isConnectable, hands]);
  const edges = useMemo(
    () =>
      drawing.arrows.map((arrow): ArrowEdge => {
        const { id, source, target } = arrow;
        const markerEnd = { type: MarkerType.ArrowClosed };
        const isTaken = taken?.has(id) ?? false;
        const data = { arrow, isSelected: id === selected, isTaken, isDim: taken !== undefined && !isTaken };
        return { id, type: 'arrow', source, target, data, markerEnd };
      }),
    [drawing, selected, taken],
  );
  const jump = (id: string | null): void => {
    setFound(id);
    const box = drawing.boxes.find((one) => one.id === id);
    if (!box) return;
    move();
    void flow.setCenter(box.x + box.width / 2, box.y + box.height / 2, { zoom: 1 });
  };
  const saveSvg = (): void => saveText(`${fileName}.svg`, toSvg(drawing, coloursOf(document.body), marks));
  const savePng = async (): Promise<void> => {
    const blob = await toPng(drawing, coloursOf(document.body), marks);
    if (blob) saveBlob(`${fileName}.png`, blob);
  };
  return (
    <section aria-label={label}>
      <Group gap="xs" mb="xs">
        <Select
          aria-label={`Find ${what}`}
          placeholder={`Find ${what}`}
          size="xs"
          searchable
          clearable
          limit={100}
          value={found}
          onChange={jump}
          data={drawing.boxes.map(({ id, name }) => ({ value: id, label: name }))}
        />
        <Action variant="default" icon={IconDownload} does={saveSvg}>
          SVG
        </Action>
        <Action variant="default" icon={IconDownload} does={savePng}>
          PNG
        </Action>
      </Group>
      <div
        className={styles.canvas}
        ref={area}
        role="group"
        aria-label="Boxes and arrows"
        onKeyDown={onKeyDown}
      >
        <ReactFlow
          nodes={nodes}
          edges={edges}
          nodeTypes={nodeTypes}
          edgeTypes={edgeTypes}
          colorMode={scheme}
          proOptions={WITHOUT_LINK}
          onMoveStart={(event) => event && move()}
          minZoom={0.05}
          onlyRenderVisibleElements={!hands}
          onNodesChange={onNodesChange}
          nodesDraggable={hands?.onMove !== undefined}
          nodesConnectable={isConnectable}
          onConnect={({ source, target }) => hands?.onConnect?.(source, target)}
          onEdgeClick={(_event, { id }) => hands?.onSelect(id)}
          deleteKeyCode={null}
          disableKeyboardA11y
          nodesFocusable={false}
          edgesFocusable={false}
          elementsSelectable={false}
        >
          <Background variant={BackgroundVariant.Dots} />
          <Controls
            showInteractive={false}
            fitViewOptions={FIT}
            onZoomIn={move}
            onZoomOut={move}
            onFitView={() => {
              isMoved.current = false;
            }}
          />
        </ReactFlow>
      </div>
    </section>
  );
};
