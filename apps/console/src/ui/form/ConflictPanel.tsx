import { Box, Button, Group, Radio } from '@mantine/core';
import { Fragment, useEffect, useRef, useState, type ReactNode } from 'react';
import { ChosenName } from '../choice';
import { LineDiff } from '../line-diff';
import { RelativeTime } from '../RelativeTime';
import styles from '../ResourceForm.module.css';
import { ChangedBy } from './actor-of-change';
import type { Field } from './fields';
import { valueInWords, type Conflict, type DraftValue, type Values } from './values';
import look from '../look.module.css';

type Choice = Record<string, DraftValue>;

interface ConflictPanelProps {
  /** The newer version, usually with its author and time. */
  current: Values;
  conflict: Conflict;
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

/** Long values are not repeated in a sentence. */
const isShort = ({ type }: Field): boolean => type !== 'textarea' && type !== 'json';

/**
 * Shows both versions of each field that both have changed, with a choice between them. What only one of them has
 * changed is saved without a question.
 */
export function ConflictPanel({ current, conflict, onResolve }: ConflictPanelProps) {
  const { contested, theirsAlone } = conflict;
  const [takesTheirs, setTakesTheirs] = useState<Record<string, boolean>>({});
  const panel = useRef<HTMLElement>(null);
  // The button that was pressed is gone now.
  useEffect(() => panel.current?.focus(), []);
  const resolved = (): Choice =>
    Object.fromEntries([
      ...theirsAlone.map(({ field, theirs }) => [field.name, theirs] as const),
      ...contested.map(({ field, mine, theirs }) => [field.name, takesTheirs[field.name] ? theirs : mine]),
    ]);
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
      {contested.map(({ field, mine: yours, theirs }) => (
        <Radio.Group
          key={field.name}
          label={field.label}
          value={takesTheirs[field.name] ? 'theirs' : 'mine'}
          onChange={(choice) =>
            setTakesTheirs((before) => ({ ...before, [field.name]: choice === 'theirs' }))
          }
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
      {theirsAlone.length > 0 && (
        <div>
          Only they changed, and it stays so:{' '}
          {theirsAlone.map(({ field, theirs }, at) => (
            <Fragment key={field.name}>
              {at > 0 && ', '}
              {field.label}
              {isShort(field) && <>: {inWords(field, theirs)}</>}
            </Fragment>
          ))}
          .
        </div>
      )}
      {contested.length === 0 && <div>Nothing that you changed was changed by them.</div>}
      <Group mt="sm">
        <Button onClick={() => onResolve(resolved())}>
          {contested.length > 0 ? 'Save these choices' : 'Save both changes'}
        </Button>
      </Group>
    </Box>
  );
}
