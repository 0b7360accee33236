/** Chart of one quantity: the average as a line in a band from minimum to maximum, unreachable periods shaded. */
import { useElementSize } from '@mantine/hooks';
import type { HealthHistory } from '@quarterdeck/projections';
import { useId, type KeyboardEvent, type PointerEvent } from 'react';
import {
  bandPath,
  beginOf,
  linePath,
  nearest,
  stretches,
  timeTicks,
  xOf,
  yOf,
  type Frame,
} from './chart-geometry';
import { pointTime, pointWords, summaryWords, tickWords, type ChartKind } from './chart-words';
import classes from './charts.module.css';
import { Dim } from '../../../ui/Note';

const HEIGHT = 112;
/** Width until the element is measured, and in tests without layout. */
const WIDTH = 640;
const TICK_PX = 80;

interface HealthChartProps {
  history: HealthHistory;
  kind: ChartKind;
  /** Index of the point under the cursor, shared by all charts of the page. */
  cursor: number | undefined;
  /** Whether the cursor is in this chart, which then shows the time. */
  here: boolean;
  onCursor: (index: number | undefined) => void;
  /** Deploys in the range. */
  marks: readonly Mark[];
}

export interface Mark {
  at: string;
  label: string;
}

/** Periods without an answer, hatched. */
const Outages = ({ frame, unreachable }: { frame: Frame } & Pick<HealthHistory, 'unreachable'>) => {
  const hatch = useId();
  return (
    <>
      <defs>
        <pattern id={hatch} width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <rect width="6" height="6" fill="var(--qd-bad-tint)" />
          <line x1="0" y1="0" x2="0" y2="6" opacity={0.35} stroke="var(--qd-bad)" strokeWidth={3} />
        </pattern>
      </defs>
      {unreachable.map(({ from, to }) => {
        const [left, right] = [xOf(frame, Date.parse(from)), xOf(frame, to ? Date.parse(to) : frame.to)];
        return (
          <rect
            key={from}
            x={left}
            width={Math.max(2, right - left)}
            height={HEIGHT}
            fill={`url(#${hatch})`}
            data-unreachable
          />
        );
      })}
    </>
  );
};

interface PlotProps extends Pick<HealthChartProps, 'history' | 'kind' | 'marks'> {
  frame: Frame;
  /** The threshold, if it is within the frame. */
  limit: number | undefined;
  looked: HealthHistory['points'][number] | undefined;
}

const Plot = ({ history, kind, marks, frame, limit, looked }: PlotProps) => {
  const { points, unreachable } = history;
  const value = looked?.[kind.quantity];
  const lines = stretches(points, kind.quantity, history.gapSeconds * 1000);
  return (
    <svg width={frame.width} height={HEIGHT} aria-hidden>
      <Outages frame={frame} unreachable={unreachable} />
      <path
        stroke="var(--qd-border)"
        strokeDasharray="2 4"
        d={`M0 0.5H${frame.width}M0 ${HEIGHT / 2}H${frame.width}`}
      />
      <path stroke="var(--mantine-color-default-border)" d={`M0 ${HEIGHT - 0.5}H${frame.width}`} />
      {limit !== undefined && (
        <path
          stroke="var(--qd-warn)"
          strokeDasharray="6 4"
          d={`M0 ${yOf(frame, limit)}H${frame.width}`}
          data-threshold
        />
      )}
      {marks
        .filter(({ at }) => Date.parse(at) >= frame.from)
        .map(({ at, label }) => (
          <path
            key={at + label}
            stroke="var(--qd-good)"
            strokeWidth={2}
            d={`M${xOf(frame, Date.parse(at)).toFixed(1)} 0V${HEIGHT}`}
            data-deploy
          />
        ))}
      {lines.map((stretch) => (
        <g key={stretch[0]?.at} data-stretch>
          <path fill="var(--qd-focus)" opacity={0.18} d={bandPath(frame, stretch)} />
          <path
            fill="none"
            stroke="var(--qd-focus)"
            strokeLinecap="round"
            strokeLinejoin="round"
            strokeWidth={stretch.length === 1 ? 4 : 2}
            d={linePath(frame, stretch)}
            data-lone={stretch.length === 1 || undefined}
          />
        </g>
      ))}
      {looked && (
        <>
          <path
            stroke="var(--mantine-color-dimmed)"
            d={`M${xOf(frame, Date.parse(looked.at))} 0V${HEIGHT}`}
          />
          {value && (
            <circle
              fill="var(--qd-focus)"
              stroke="var(--mantine-color-body)"
              strokeWidth={1.5}
              cx={xOf(frame, Date.parse(looked.at))}
              cy={yOf(frame, value.avg)}
              r="3.5"
            />
          )}
        </>
      )}
    </svg>
  );
};

export const HealthChart = ({ history, kind, cursor, here, onCursor, marks }: HealthChartProps) => {
  const { ref, width } = useElementSize();
  const { points } = history;
  const frame: Frame = {
    from: beginOf(history),
    to: Date.parse(history.to),
    top: kind.top(points),
    width: width || WIDTH,
    height: HEIGHT,
  };
  const threshold = kind.threshold(points);
  const limit = threshold !== undefined && threshold <= frame.top ? threshold : undefined;
  // The label of a tick at the very end would overflow the frame.
  const ticks = timeTicks(frame.from, frame.to, frame.width / TICK_PX).filter(
    (at) => xOf(frame, at) < frame.width - TICK_PX / 4,
  );
  const looked = cursor === undefined ? undefined : points[cursor];

  const point = ({ clientX, currentTarget }: PointerEvent<HTMLElement>): void => {
    const box = currentTarget.getBoundingClientRect();
    const at = frame.from + ((clientX - box.left) / (box.width || 1)) * (frame.to - frame.from);
    const index = nearest(points, at);
    onCursor(index < 0 ? undefined : index);
  };
  const step = (event: KeyboardEvent): void => {
    const last = points.length - 1;
    const place = cursor ?? last;
    const next = { ArrowLeft: place - 1, ArrowRight: place + 1, Home: 0, End: last }[event.key];
    if (event.key === 'Escape') onCursor(undefined);
    if (next === undefined || last < 0) return;
    event.preventDefault();
    onCursor(Math.max(0, Math.min(last, next)));
  };

  return (
    <figure className={classes.chart}>
      <figcaption>
        {kind.title}
        {limit !== undefined && (
          <Dim ml={8} fw={400}>
            (limit {kind.format(limit)})
          </Dim>
        )}
      </figcaption>
      <div className={classes.plot}>
        <div className={classes.scale} aria-hidden>
          <span>{kind.scale(frame.top)}</span>
          <span>{kind.scale(frame.top / 2)}</span>
          <span>{kind.scale(0)}</span>
        </div>
        <div
          ref={ref}
          className={classes.area}
          role="slider"
          tabIndex={0}
          aria-label={summaryWords(history, kind)}
          aria-valuemin={0}
          aria-valuemax={Math.max(0, points.length - 1)}
          aria-valuenow={cursor ?? Math.max(0, points.length - 1)}
          aria-valuetext={looked ? `${pointTime(looked.at)}: ${pointWords(history, looked, kind)}` : 'newest'}
          onPointerMove={point}
          onPointerDown={point}
          onPointerLeave={() => onCursor(undefined)}
          onBlur={() => onCursor(undefined)}
          onKeyDown={step}
        >
          <Plot history={history} kind={kind} marks={marks} frame={frame} limit={limit} looked={looked} />
          {looked && (
            <div
              className={classes.tip}
              data-right={xOf(frame, Date.parse(looked.at)) > frame.width / 2 || undefined}
              style={{ left: xOf(frame, Date.parse(looked.at)) }}
            >
              {here && <time dateTime={looked.at}>{pointTime(looked.at)}</time>}
              <strong>{pointWords(history, looked, kind)}</strong>
            </div>
          )}
        </div>
      </div>
      <div className={classes.ticks} aria-hidden>
        {ticks.map((at) => (
          <span key={at} style={{ left: `${((xOf(frame, at) / frame.width) * 100).toFixed(2)}%` }}>
            {tickWords(at)}
          </span>
        ))}
      </div>
    </figure>
  );
};
