import { Button, Group, Radio } from '@mantine/core';
import { useState } from 'react';
import { LineDiff } from '../line-diff';
import styles from '../ResourceForm.module.css';
import { valueInWords, type Difference, type DraftValue } from './values';

type Choice = Record<string, DraftValue>;

interface ConflictPanelProps {
  differences: readonly Difference[];
  /** Fields that the operator changed himself: his version is the first proposal there. */
  touched: ReadonlySet<string>;
  /** By the names of the fields. */
  onResolve: (choice: Choice) => void;
}

const textIn = (value: DraftValue): string => (typeof value === 'string' ? value : '');

/** Somebody else was faster: both versions, field by field, and a choice for each. */
export function ConflictPanel({ differences, touched, onResolve }: ConflictPanelProps) {
  const [mine, setMine] = useState<Record<string, boolean>>(() =>
    Object.fromEntries(differences.map(({ field }) => [field.name, touched.has(field.name)])),
  );
  const resolved = (): Choice =>
    Object.fromEntries(
      differences.map((difference) => [
        difference.field.name,
        mine[difference.field.name] ? difference.mine : difference.theirs,
      ]),
    );
  return (
    <section className={styles.conflict} role="alert" aria-label="Conflict">
      <strong>Somebody else changed this meanwhile. Nothing was saved.</strong>
      {differences.map(({ field, mine: yours, theirs }) => (
        <Radio.Group
          key={field.name}
          label={field.label}
          value={mine[field.name] ? 'mine' : 'theirs'}
          onChange={(choice) => setMine((before) => ({ ...before, [field.name]: choice === 'mine' }))}
        >
          <div className={styles.versions}>
            {field.type === 'textarea' ? (
              <>
                <Radio value="mine" label="Yours" />
                <Radio value="theirs" label="Theirs" />
              </>
            ) : (
              <>
                <Radio value="mine" label="Yours" description={valueInWords(field, yours)} />
                <Radio value="theirs" label="Theirs" description={valueInWords(field, theirs)} />
              </>
            )}
          </div>
          {field.type === 'textarea' && (
            <LineDiff
              before={textIn(theirs)}
              after={textIn(yours)}
              label={`${field.label}: from theirs to yours`}
            />
          )}
        </Radio.Group>
      ))}
      {differences.length === 0 && <p>Both versions are the same now.</p>}
      <Group mt="sm">
        <Button size="compact-md" onClick={() => onResolve(resolved())}>
          Take this choice and save
        </Button>
      </Group>
    </section>
  );
}
