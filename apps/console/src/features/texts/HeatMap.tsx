/**
 * How complete each language is, at several instants. Each cell says its share in words as well as by its colour, and leads
 * to what is missing there. One cell is in the order of Tab; the arrow keys go to the others.
 */
import { languages, type Language } from '@quarterdeck/texts/languages';
import { useLayoutEffect, useRef, useState, type CSSProperties, type KeyboardEvent } from 'react';
import { Link } from 'react-router';
import look from '../../ui/look.module.css';
import styles from './texts.module.css';

export interface Share {
  /** Keys with a text in this language. */
  done: number;
  /** All keys. */
  of: number;
}

export interface Instant {
  id: string;
  /** Heading of the column: "3 Nov". */
  label: string;
  /** In full: "3 November 2026, 00:00". */
  title: string;
  /** Its last instant; absent if it is not over. */
  end?: string;
  shares: Readonly<Partial<Record<Language, Share>>>;
}

const shaded = (share: number): CSSProperties => ({ '--share': share }) as CSSProperties;

interface HeatMapProps {
  label: string;
  instants: readonly Instant[];
  /** Address of the keys that lack this language then. */
  href: (language: Language, instant: Instant) => string;
}

export const percentOf = ({ done, of }: Share): number =>
  // 99.6 % is not everything, and 0.4 % not nothing.
  of === 0 ? 0 : done === of ? 100 : Math.min(99, Math.max(done > 0 ? 1 : 0, Math.round((done / of) * 100)));

const STEPS: Partial<Record<string, readonly [down: number, right: number]>> = {
  ArrowDown: [1, 0],
  ArrowUp: [-1, 0],
  ArrowRight: [0, 1],
  ArrowLeft: [0, -1],
};

const within = (value: number, length: number): number => Math.min(Math.max(value, 0), length - 1);

/** The row and the column that a key leads to; undefined for other keys. */
const placeAfter = (
  { key, ctrlKey }: KeyboardEvent,
  [row, column]: CellPosition,
  columns: number,
): CellPosition | undefined => {
  const step = STEPS[key];
  if (step) return [within(row + step[0], languages.length), within(column + step[1], columns)];
  if (key === 'Home') return [ctrlKey ? 0 : row, 0];
  if (key === 'End') return [ctrlKey ? languages.length - 1 : row, columns - 1];
  return undefined;
};

type CellPosition = readonly [row: number, column: number];

export const HeatMap = ({ label, instants, href }: HeatMapProps) => {
  const table = useRef<HTMLTableElement>(null);
  const [chosen, choose] = useState<CellPosition>();
  // Until one is chosen, Tab leads to the newest.
  const [row, column] = chosen ?? [0, instants.length - 1];
  // Where there is not room for all, the newest are in view first.
  useLayoutEffect(() => {
    const scroller = table.current?.parentElement;
    if (scroller) scroller.scrollLeft = scroller.scrollWidth;
  }, [instants.length]);
  const onKeyDown = (event: KeyboardEvent): void => {
    const next = placeAfter(event, [row, column], instants.length);
    if (!next) return;
    event.preventDefault();
    choose(next);
    table.current?.querySelectorAll('tbody tr')[next[0]]?.querySelectorAll('a')[next[1]]?.focus();
  };
  return (
    <div className={look.scroller}>
      <table ref={table} aria-label={label} className={styles.heat}>
        <thead>
          <tr>
            <th scope="col">Language</th>
            {instants.map(({ id, label: heading, title }) => (
              <th key={id} scope="col" title={title}>
                {heading}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {languages.map(({ code, name }, at) => (
            <tr key={code}>
              <th scope="row">
                {name} <span className={styles.code}>{code}</span>
              </th>
              {instants.map((instant, place) => {
                const share = instant.shares[code] ?? { done: 0, of: 0 };
                return (
                  <td key={instant.id}>
                    <Link
                      to={href(code, instant)}
                      tabIndex={at === row && place === column ? 0 : -1}
                      onFocus={() => choose([at, place])}
                      onKeyDown={onKeyDown}
                      style={shaded(share.of === 0 ? 0 : share.done / share.of)}
                      title={inWords(name, instant.title, share)}
                    >
                      {share.of === 0 ? '–' : `${percentOf(share)}%`}
                    </Link>
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
};

const inWords = (language: string, when: string, { done, of }: Share): string =>
  of === 0
    ? `${language}, ${when}: no keys`
    : `${language}, ${when}: ${done.toLocaleString('en')} of ${of.toLocaleString('en')} texts, ${(of - done).toLocaleString('en')} missing`;
