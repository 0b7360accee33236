import { Handle, Position, type Node, type NodeProps } from '@xyflow/react';
import type { Icon } from '@tabler/icons-react';
import { Link } from 'react-router';
import { toneColor, type Tone } from '../tone';
import styles from './graph.module.css';
import type { Box, Line } from './layout';
import { signOf } from './picture';

/** The state of a box, as an icon and a word. */
export interface Mark {
  tone: Tone;
  icon: Icon;
  word: string;
}

interface BoxData extends Record<string, unknown> {
  box: Box;
  isFound: boolean;
  /** Page of the box. Otherwise it is chosen by a press. */
  to?: string | undefined;
  mark?: Mark | undefined;
  isSelected: boolean;
  /** One box takes part in the order of the tab key; the arrow keys lead to the others. */
  isStop: boolean;
  isConnectable: boolean;
  choose?: (() => void) | undefined;
}

export type BoxNode = Node<BoxData, 'box'>;

const titled = ({ name, change }: Line): string => (change ? `${name}: ${change}` : name);

export const GraphBox = ({ data }: NodeProps<BoxNode>) => {
  const { box, to, isFound, mark, isSelected, isStop, isConnectable, choose } = data;
  const name = (
    <>
      {signOf(box)}
      {box.name}
    </>
  );
  return (
    <div
      className={styles.box}
      data-found={isFound || undefined}
      data-selected={isSelected || undefined}
      data-change={box.change}
      data-tone={mark?.tone}
    >
      <Handle type="target" position={Position.Top} isConnectable={isConnectable} />
      {to === undefined ? (
        <button
          type="button"
          className={styles.name}
          title={titled(box)}
          data-box={box.id}
          aria-pressed={isSelected}
          aria-describedby={`about-${box.id}`}
          tabIndex={isStop ? 0 : -1}
          onClick={choose}
        >
          {name}
        </button>
      ) : (
        <Link to={to} className={styles.name} title={titled(box)} draggable={false}>
          {name}
        </Link>
      )}
      <div id={`about-${box.id}`}>
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
        {mark && (
          <p className={styles.mark} style={{ color: toneColor(mark.tone) }}>
            <mark.icon size={14} aria-hidden />
            {mark.word}
          </p>
        )}
      </div>
      <Handle type="source" position={Position.Bottom} isConnectable={isConnectable} />
    </div>
  );
};
