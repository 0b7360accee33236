/** Diff of two texts with syntax highlighting: side by side on wide screens. */
import { Button } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useMemo, useState } from 'react';
import { diffLines, linesOf } from '../line-diff';
import { part } from '../part';
import { CodeFrame } from './CodeFrame';
import styles from './code.module.css';
import type { Language } from './editor-look';

const DiffEditor = part(() => import('./DiffEditor'), 'Loading difference');

interface CodeDiffProps {
  before: string;
  after: string;
  /** Names of the two texts: "Applied", "Generated". */
  sides: { before: string; after: string };
  language: Language;
  /** Offers to download the second text under this name. */
  filename?: string;
  /** Always unified, even on wide screens. */
  narrow?: boolean;
  tall?: boolean;
}

const ROOM = '(min-width: 62em)';

const counted = (count: number): string => `${count} ${count === 1 ? 'line' : 'lines'}`;

export function CodeDiff({ before, after, sides, language, filename, narrow = false, tall }: CodeDiffProps) {
  const room = useMediaQuery(ROOM) ?? false;
  const [whole, setWhole] = useState(false);
  const { added, removed } = useMemo(() => {
    const lines = diffLines(linesOf(before), linesOf(after));
    const count = (what: string): number => lines.filter(({ is }) => is === what).length;
    return { added: count('added'), removed: count('removed') };
  }, [before, after]);
  const beside = room && !narrow;
  const changes = `${counted(added)} added, ${removed} removed`;
  return (
    <CodeFrame
      title={
        <>
          {sides.before} → {sides.after}: {added + removed === 0 ? 'no differences' : changes}
        </>
      }
      text={after}
      filename={filename}
      tall={tall}
      tools={
        <Button variant="subtle" color="gray" aria-pressed={whole} onClick={() => setWhole(!whole)}>
          All lines
        </Button>
      }
    >
      {beside && (
        <div className={styles.sides} aria-hidden>
          <span>{sides.before}</span>
          <span>{sides.after}</span>
        </div>
      )}
      <DiffEditor
        before={before}
        after={after}
        labels={{ before: sides.before, after: beside ? sides.after : `${sides.before} → ${sides.after}` }}
        language={language}
        beside={beside}
        whole={whole}
      />
    </CodeFrame>
  );
}
