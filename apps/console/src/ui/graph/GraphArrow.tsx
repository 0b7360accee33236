import { BaseEdge, EdgeLabelRenderer, type Edge, type EdgeProps } from '@xyflow/react';
import styles from './graph.module.css';
import type { Arrow } from './layout';
import { pathOf } from './picture';

export type ArrowEdge = Edge<
  { arrow: Arrow; isSelected: boolean; isTaken: boolean; isDim: boolean },
  'arrow'
>;

/** Follows the points of the layout, because the library's own curves would cross boxes. */
export const GraphArrow = ({ id, data, markerEnd }: EdgeProps<ArrowEdge>) => {
  if (!data) return null;
  const { arrow, isSelected, isTaken, isDim } = data;
  const { label, labelAt } = arrow;
  return (
    <>
      <BaseEdge
        id={id}
        path={pathOf(arrow)}
        data-change={arrow.change}
        data-selected={isSelected || undefined}
        data-taken={isTaken || undefined}
        data-dim={isDim || undefined}
        {...(markerEnd && { markerEnd })}
      />
      {label && labelAt && (
        <EdgeLabelRenderer>
          <span
            className={styles.label}
            data-selected={isSelected || undefined}
            data-taken={isTaken || undefined}
            title={label}
            style={{ transform: `translate(-50%, -50%) translate(${labelAt.x}px, ${labelAt.y}px)` }}
          >
            {label}
          </span>
        </EdgeLabelRenderer>
      )}
    </>
  );
};
