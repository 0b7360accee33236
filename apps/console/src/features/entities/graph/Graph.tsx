/** Entities as boxes, relations as arrows: fit, zoom, search, pictures. Loaded when it is first shown. */
import { Group, Select, useComputedColorScheme } from '@mantine/core';
import { IconDownload, IconRefresh } from '@tabler/icons-react';
import {
  Background,
  BackgroundVariant,
  BaseEdge,
  Controls,
  Handle,
  MarkerType,
  Position,
  ReactFlow,
  ReactFlowProvider,
  useReactFlow,
  useStore,
  type Edge,
  type EdgeProps,
  type Node,
  type NodeProps,
} from '@xyflow/react';
import { useEffect, useMemo, useRef, useState } from 'react';
import { Link } from 'react-router';
import { Action } from '../../../ui/Action';
import { Loading } from '../../../ui/Loading';
import { Refusal } from '../../../ui/Refusal';
import { saveBlob, saveText } from '../../../ui/save-text';
import styles from './graph.module.css';
import type { Arrow, Box, Drawing, Drawn, Line } from './layout';
import { pathOf, signOf, toPng, toSvg, type Colours } from './picture';
import { useDrawing } from './use-drawing';

type BoxNode = Node<{ box: Box; to: string; isFound: boolean }, 'box'>;
type ArrowEdge = Edge<{ arrow: Arrow }, 'arrow'>;

const titled = ({ name, change }: Line): string => (change ? `${name}: ${change}` : name);

const BoxOfEntity = ({ data: { box, to, isFound } }: NodeProps<BoxNode>) => (
  <div className={styles.box} data-found={isFound || undefined} data-change={box.change}>
    <Handle type="target" position={Position.Top} isConnectable={false} />
    <Link to={to} className={styles.name} title={titled(box)} draggable={false}>
      {signOf(box)}
      {box.name}
    </Link>
    {box.lines.length > 0 && (
      <ul>
        {box.lines.map((line) => (
          <li key={line.id} title={titled(line)} data-change={line.change}>
            {signOf(line)}
            {line.name}
          </li>
        ))}
      </ul>
    )}
    <Handle type="source" position={Position.Bottom} isConnectable={false} />
  </div>
);

/** Follows the points of the layout, because the library's own curves would cross boxes. */
const ArrowOfRelation = ({ id, data, markerEnd }: EdgeProps<ArrowEdge>) =>
  data && (
    <BaseEdge
      id={id}
      path={pathOf(data.arrow)}
      data-change={data.arrow.change}
      {...(markerEnd && { markerEnd })}
    />
  );

const nodeTypes = { box: BoxOfEntity };
const edgeTypes = { arrow: ArrowOfRelation };
/** The licence (MIT) does not require the link to the library's site. */
const WITHOUT_LINK = { hideAttribution: true };
const FIT = { padding: 0.1, maxZoom: 1 } as const;

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
  /** Path of an entity. */
  to: (id: string) => string;
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

const Shown = ({ label, to, fileName, drawing }: GraphProps & { drawing: Drawing }) => {
  const flow = useReactFlow();
  const scheme = useComputedColorScheme('light');
  const [found, setFound] = useState<string | null>(null);
  /** Whether the operator has moved the view. Until then it refits on every change, including those of others. */
  const isMoved = useRef(false);
  const move = (): void => {
    isMoved.current = true;
  };
  const room = useStore(({ width, height }) => `${width} ${height}`);
  useEffect(() => {
    if (!isMoved.current) void flow.fitView(FIT);
  }, [drawing, room, flow]);
  const nodes = useMemo(
    () =>
      drawing.boxes.map((box): BoxNode => {
        const { id, x, y, width, height } = box;
        const data = { box, to: to(id), isFound: id === found };
        return { id, type: 'box', position: { x, y }, width, height, data };
      }),
    [drawing, to, found],
  );
  const edges = useMemo(
    () =>
      drawing.arrows.map((arrow): ArrowEdge => {
        const { id, source, target } = arrow;
        const markerEnd = { type: MarkerType.ArrowClosed };
        return { id, type: 'arrow', source, target, data: { arrow }, markerEnd };
      }),
    [drawing],
  );
  const jump = (id: string | null): void => {
    setFound(id);
    const box = drawing.boxes.find((one) => one.id === id);
    if (!box) return;
    move();
    void flow.setCenter(box.x + box.width / 2, box.y + box.height / 2, { zoom: 1 });
  };
  const saveSvg = (): void => saveText(`${fileName}.svg`, toSvg(drawing, coloursOf(document.body)));
  const savePng = async (): Promise<void> => {
    const blob = await toPng(drawing, coloursOf(document.body));
    if (blob) saveBlob(`${fileName}.png`, blob);
  };
  return (
    <section aria-label={label}>
      <Group gap="xs" mb="xs">
        <Select
          aria-label="Find an entity"
          placeholder="Find an entity"
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
      <div className={styles.canvas}>
        <ReactFlow
          nodes={nodes}
          edges={edges}
          nodeTypes={nodeTypes}
          edgeTypes={edgeTypes}
          colorMode={scheme}
          proOptions={WITHOUT_LINK}
          fitView
          fitViewOptions={FIT}
          onMoveStart={(event) => event && move()}
          minZoom={0.05}
          onlyRenderVisibleElements
          nodesDraggable={false}
          nodesConnectable={false}
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
