/** Line diff of two texts, unified or side by side. Changes have a sign, a word for screen readers, and a colour. */
import { Box, Button, VisuallyHidden } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { Fragment, useMemo, useState } from 'react';
import {
  diffLines,
  foldUnchanged,
  linesOf,
  pairs,
  placeOf,
  shownOf,
  type DiffLine,
  type LinePair,
} from './diff-lines';
import styles from './LineDiff.module.css';
import { Note } from '../Note';
import look from '../look.module.css';

interface LineDiffProps {
  before: string;
  after: string;
  /** Accessible name: what is compared. */
  label: string;
  /** Shown if the texts are equal. */
  same?: string;
  /** Headings; if set, the texts are shown side by side on wide screens. */
  sides?: { before: string; after: string };
}

/** Maximum number of lines rendered. */
const MAX_LINES = 2000;
const ROOM = '(min-width: 62em)';

const signs = { same: ' ', removed: '−', added: '+' } as const;
const words = { same: '', removed: 'removed: ', added: 'added: ' } as const;

export function LineDiff({ before, after, label, same = 'No differences.', sides }: LineDiffProps) {
  const room = useMediaQuery(ROOM) ?? false;
  const lines = useMemo(() => diffLines(linesOf(before), linesOf(after)), [before, after]);
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const stretches = useMemo(() => shownOf(foldUnchanged(lines), open, MAX_LINES), [lines, open]);
  const shown = stretches.reduce((sum, stretch) => sum + stretch.lines.length, 0);
  const removed = lines.filter(({ is }) => is === 'removed').length;
  const added = lines.filter(({ is }) => is === 'added').length;
  if (removed + added === 0) return <Note>{same}</Note>;
  const beside = sides !== undefined && room;
  return (
    <Box component="figure" m={0}>
      <Note component="figcaption" mb={6} fz={12}>
        {added} {added === 1 ? 'line' : 'lines'} added, {removed} removed
      </Note>
      {/* It scrolls sideways, so it must be focusable for the keyboard. */}
      <div className={look.scroller} role="group" aria-label={label} tabIndex={0}>
        <table className={styles.lines} data-beside={beside || undefined}>
          {beside && (
            <colgroup>
              <col className={styles.numbers} />
              <col />
              <col className={styles.numbers} />
              <col />
            </colgroup>
          )}
          {beside && (
            <thead>
              <tr>
                <th colSpan={2}>{sides.before}</th>
                <th colSpan={2}>{sides.after}</th>
              </tr>
            </thead>
          )}
          <tbody>
            {stretches.map((stretch) => {
              const key = placeOf(stretch);
              if (stretch.is === 'gap')
                return (
                  <tr key={key} className={styles.gap}>
                    <td colSpan={4}>
                      <Button variant="subtle" color="gray" onClick={() => setOpen(new Set([...open, key]))}>
                        {stretch.lines.length} equal lines
                      </Button>
                    </td>
                  </tr>
                );
              return (
                <Fragment key={key}>
                  {beside
                    ? pairs(stretch.lines).map((pair) => (
                        <Beside key={`${pair.before?.before}/${pair.after?.after}`} pair={pair} />
                      ))
                    : stretch.lines.map((line) => <Line key={`${line.before}/${line.after}`} line={line} />)}
                </Fragment>
              );
            })}
          </tbody>
        </table>
      </div>
      {shown < lines.length && <Note>The first {MAX_LINES.toLocaleString('en')} lines are shown.</Note>}
    </Box>
  );
}

const Text = ({ line: { is, text } }: { line: DiffLine }) => (
  <td className={styles.text} data-is={is}>
    {words[is] && <VisuallyHidden>{words[is]}</VisuallyHidden>}
    {text}
  </td>
);

const Line = ({ line }: { line: DiffLine }) => (
  <tr data-is={line.is}>
    <td className={styles.number}>{line.before}</td>
    <td className={styles.number}>{line.after}</td>
    <td className={styles.sign} aria-hidden>
      {signs[line.is]}
    </td>
    <Text line={line} />
  </tr>
);

/** Line number and sign. The word for screen readers is in the text cell. */
const Place = ({ at, is }: { at: number | undefined; is: DiffLine['is'] | undefined }) => (
  <>
    {at} <span aria-hidden>{is && signs[is]}</span>
  </>
);

const Beside = ({ pair: { before, after } }: { pair: LinePair }) => (
  <tr>
    <td className={styles.number} data-is={before?.is}>
      <Place at={before?.before} is={before?.is} />
    </td>
    {before ? <Text line={before} /> : <td className={styles.nothing} />}
    <td className={styles.number} data-is={after?.is}>
      <Place at={after?.after} is={after?.is} />
    </td>
    {after ? <Text line={after} /> : <td className={styles.nothing} />}
  </tr>
);
