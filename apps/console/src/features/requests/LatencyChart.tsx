/** The time that each answer took, as bars in the colour of its status. The table of logs has the same as text. */
import { Group } from '@mantine/core';
import type { RequestLog } from '@quarterdeck/contract';
import { Dim } from '../../ui/Note';
import { toneColor } from '../../ui/tone';
import { durationInWords, toneOf } from './request-words';

const HEIGHT = 120;
const BAR = 10;

export const LatencyChart = ({ logs }: { logs: readonly RequestLog[] }) => {
  const shown = logs.slice(-100);
  const longest = Math.max(...shown.map(({ ms }) => ms), 1);
  const failed = shown.filter(({ status }) => status >= 400).length;
  const label = `${shown.length === 1 ? 'The only answer' : `The last ${shown.length} answers`} took ${shown.length === 1 ? '' : 'up to '}${durationInWords(longest)}; ${failed === 0 ? 'none' : failed} had a status of 400 or more`;
  return (
    <figure style={{ margin: 0 }}>
      <svg
        role="img"
        aria-label={label}
        width="100%"
        height={HEIGHT}
        viewBox={`0 0 ${Math.max(shown.length, 20) * BAR} ${HEIGHT}`}
        preserveAspectRatio="none"
      >
        {shown.map(({ id, ms, status, logDateAdded }, at) => {
          const height = Math.max((ms / longest) * HEIGHT, 2);
          return (
            <rect
              key={id}
              x={at * BAR + 1}
              y={HEIGHT - height}
              width={BAR - 2}
              height={height}
              fill={toneColor(toneOf(status))}
            >
              <title>{`${new Date(logDateAdded).toLocaleString()}: ${status}, ${durationInWords(ms)}`}</title>
            </rect>
          );
        })}
      </svg>
      <Group component="figcaption" justify="space-between" fz={12}>
        <Dim>{label}.</Dim>
      </Group>
    </figure>
  );
};
