/** Migrations as one text, each below its file name, in a selectable dialect. */
import { Group, SegmentedControl } from '@mantine/core';
import { useState } from 'react';
import { CodeView } from '../../ui/code';
import { count } from '../../ui/count';

interface Statement {
  fileName: string;
  sql: Readonly<Record<'mysql' | 'postgresql', string>>;
}

const dialects = [
  { value: 'mysql', label: 'MySQL' },
  { value: 'postgresql', label: 'PostgreSQL' },
];

export const Statements = ({ statements, label }: { statements: readonly Statement[]; label: string }) => {
  const [dialect, setDialect] = useState<'mysql' | 'postgresql'>('mysql');
  if (statements.length === 0) return <p>No statement is needed: only words have changed.</p>;
  return (
    <>
      <Group justify="space-between" gap={8} mb={8}>
        <span>{count(statements.length, 'statement')}</span>
        <SegmentedControl
          size="xs"
          aria-label="Dialect"
          data={dialects}
          value={dialect}
          onChange={(chosen) => setDialect(chosen as typeof dialect)}
        />
      </Group>
      <SqlText
        label={label}
        statements={statements.map(({ fileName, sql }) => ({ fileName, sql: sql[dialect] }))}
      />
    </>
  );
};

export const SqlText = ({
  statements,
  label,
}: {
  statements: readonly { fileName: string; sql: string }[];
  label: string;
}) => (
  <CodeView
    label={label}
    language="sql"
    text={statements.map(({ fileName, sql }) => `-- ${fileName}\n${sql}\n`).join('\n')}
  />
);
