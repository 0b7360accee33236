/** Chart of one quantity: averages as lines, one line in a band from least to most; unreachable periods shaded. */
import { useElementSize } from '@mantine/hooks';
import { useId, type KeyboardEvent, type PointerEvent } from 'react';
import { Dim } from '../Note';
import {
  bandPath,
  beginOf,
  linePath,
  nearest,
  stretches,
  timeTicks,
  xOf,
  yOf,
  type ChartHistory,
  type Frame,
} from './chart-geometry';
import { pointTime, summaryWords, tickWords, valueWords, type ChartKind, type Series } from './chart-words';
import classes from './charts.module.css';

const HEIGHT = 112;
/** Width until the element is measured, and in tests without layout. */
const WIDTH = 640;
const TICK_PX = 80;
const LINE = 'var(--qd-focus)';

/** A moment in all charts of a page. */
export interface Mark {
  at: string;
  is: 'deploy' | 'restart';
}

export interface TimeChartProps<P extends { at: string }> {
  history: ChartHistory<P>;
  kind: ChartKind<P>;
  /** Index of the point under the cursor, shared by all charts of the page. */
  cursor: number | undefined;
  /** Whether the cursor is in this chart, which then shows the time. */
  here: boolean;
  onCursor: (index: number | undefined) => void;
  marks: readonly Mark[];
  /** What else is to be said of a point. */
  says: (point: P) => readonly string[];
}

/** Periods without an answer, hatched. */
const Outages = ({
  frame,
  unreachable = [],
}: { frame: Frame } & Pick<ChartHistory<{ at: string }>, 'unreachable'>) => {
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

interface PlotProps<P extends { at: string }> extends Pick<TimeChartProps<P>, 'history' | 'kind' | 'marks'> {
  frame: Frame;
  /** The threshold, if it is within the frame. */
  limit: number | undefined;
  looked: P | undefined;
}

const markLooks = {
  deploy: { stroke: 'var(--qd-good)', 'data-deploy': true },
  restart: { stroke: 'var(--qd-bad)', strokeDasharray: '3 3', 'data-restart': true },
} as const;

const Plot = <P extends { at: string }>({ history, kind, marks, frame, limit, looked }: PlotProps<P>) => {
  const { points, unreachable = [] } = history;
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
        .map(({ at, is }) => (
          <path
            key={at + is}
            strokeWidth={2}
            d={`M${xOf(frame, Date.parse(at)).toFixed(1)} 0V${HEIGHT}`}
            {...markLooks[is]}
          />
        ))}
      {kind.series.map(({ name, pick, color = LINE }) =>
        stretches(points, pick, history.gapSeconds * 1000).map((stretch) => (
          <g key={`${name} ${String(stretch[0]?.at)}`} data-stretch>
            {kind.series.length === 1 && <path fill={color} opacity={0.18} d={bandPath(frame, stretch)} />}
            <path
              fill="none"
              stroke={color}
              strokeLinecap="round"
              strokeLinejoin="round"
              strokeWidth={stretch.length === 1 ? 4 : 2}
              d={linePath(frame, stretch)}
              data-lone={stretch.length === 1 || undefined}
            />
          </g>
        )),
      )}
      {looked && (
        <>
          <path
            stroke="var(--mantine-color-dimmed)"
            d={`M${xOf(frame, Date.parse(looked.at))} 0V${HEIGHT}`}
          />
          {kind.series.map(({ name, pick, color = LINE }) => {
            const value = pick(looked);
            return (
              value && (
                <circle
                  key={name}
                  fill={color}
                  stroke="var(--mantine-color-body)"
                  strokeWidth={1.5}
                  cx={xOf(frame, Date.parse(looked.at))}
                  cy={yOf(frame, value.avg)}
                  r="3.5"
                />
              )
            );
          })}
        </>
      )}
    </svg>
  );
};

const Legend = <P,>({ series }: { series: readonly Series<P>[] }) => (
  <span className={classes.legend}>
    {series.map(({ name, color = LINE }) => (
      <span key={name}>
        <i style={{ background: color }} aria-hidden />
        {name}
      </span>
    ))}
  </span>
);

export const TimeChart = <P extends { at: string }>({
  history,
  kind,
  cursor,
  here,
  onCursor,
  marks,
  says,
}: TimeChartProps<P>) => {
  const { ref, width } = useElementSize();
  const { points } = history;
  const frame: Frame = {
    from: beginOf(history),
    to: Date.parse(history.to),
    top: kind.top(points),
    width: width || WIDTH,
    height: HEIGHT,
  };
  const threshold = kind.threshold?.(points);
  const limit = threshold !== undefined && threshold <= frame.top ? threshold : undefined;
  // The label of a tick at the very end would overflow the frame.
  const ticks = timeTicks(frame.from, frame.to, frame.width / TICK_PX).filter(
    (at) => xOf(frame, at) < frame.width - TICK_PX / 4,
  );
  const looked = cursor === undefined ? undefined : points[cursor];

  const words = looked && ([valueWords(looked, kind) ?? [], says(looked)].flat(2).join('; ') || 'not sent');

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
        {kind.series.length > 1 && <Legend series={kind.series} />}
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
          aria-valuetext={looked ? `${pointTime(looked.at)}: ${words}` : 'newest'}
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
              <strong>{words}</strong>
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
