import { Box, Button, Group, Radio } from '@mantine/core';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { ChosenName } from '../choice';
import { LineDiff } from '../line-diff';
import { RelativeTime } from '../RelativeTime';
import styles from '../ResourceForm.module.css';
import { ChangedBy } from './actor-of-change';
import type { Field } from './fields';
import { valueInWords, type Difference, type DraftValue, type Values } from './values';
import look from '../look.module.css';

type Choice = Record<string, DraftValue>;

interface ConflictPanelProps {
  /** The newer version, usually with its author and time. */
  current: Values;
  differences: readonly Difference[];
  /** Fields that the operator changed; their own version is preselected there. */
  touched: ReadonlySet<string>;
  /** Called with the chosen values by field name. */
  onResolve: (choice: Choice) => void;
}

const told = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
/** Shows a reference by name instead of id. */
const inWords = (field: Field, value: DraftValue): ReactNode =>
  field.type === 'reference' && field.from && textIn(value) !== '' ? (
    <ChosenName from={field.from} id={textIn(value)} />
  ) : (
    valueInWords(field, value)
  );
const textIn = (value: DraftValue): string => (typeof value === 'string' ? value : '');

/** Shows both versions of each field that somebody else changed meanwhile, with a choice between them. */
export function ConflictPanel({ current, differences, touched, onResolve }: ConflictPanelProps) {
  const [mine, setMine] = useState<Record<string, boolean>>(() =>
    Object.fromEntries(differences.map(({ field }) => [field.name, touched.has(field.name)])),
  );
  const panel = useRef<HTMLElement>(null);
  // The button that was pressed is gone now.
  useEffect(() => panel.current?.focus(), []);
  const resolved = (): Choice =>
    Object.fromEntries(
      differences.map((difference) => [
        difference.field.name,
        mine[difference.field.name] ? difference.mine : difference.theirs,
      ]),
    );
  return (
    <Box
      component="section"
      ref={panel}
      tabIndex={-1}
      mt={20}
      p="14px 16px"
      bg="var(--qd-warn-tint)"
      bd="1px solid var(--qd-warn-border)"
      bdrs="lg"
      role="alert"
      aria-label="Conflict"
    >
      <strong>
        <ChangedBy id={told(current.changedBy)} /> changed this
        {told(current.changedAt) !== undefined && (
          <>
            {' '}
            <RelativeTime at={told(current.changedAt)} />
          </>
        )}
        . Nothing was saved.
      </strong>
      {differences.map(({ field, mine: yours, theirs }) => (
        <Radio.Group
          key={field.name}
          label={field.label}
          value={mine[field.name] ? 'mine' : 'theirs'}
          onChange={(choice) => setMine((before) => ({ ...before, [field.name]: choice === 'mine' }))}
        >
          <Box className={`${look.wrap} ${styles.versions}`}>
            {field.type === 'textarea' ? (
              <>
                <Radio value="mine" label="Yours" />
                <Radio value="theirs" label="Theirs" />
              </>
            ) : (
              <>
                <Radio value="mine" label="Yours" description={inWords(field, yours)} />
                <Radio value="theirs" label="Theirs" description={inWords(field, theirs)} />
              </>
            )}
          </Box>
          {field.type === 'textarea' && (
            <LineDiff
              before={textIn(theirs)}
              after={textIn(yours)}
              label={`${field.label}: from theirs to yours`}
            />
          )}
        </Radio.Group>
      ))}
      {differences.length === 0 && <div>Both versions are the same now.</div>}
      <Group mt="sm">
        <Button onClick={() => onResolve(resolved())}>Save these choices</Button>
      </Group>
    </Box>
  );
}
