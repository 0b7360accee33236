/** A database that is not what its version says: what differs, both structures side by side, and a way out. */
import { Box, Checkbox, Stack } from '@mantine/core';
import { IconDatabaseShare } from '@tabler/icons-react';
import { versions, type Answer } from '@quarterdeck/contract';
import { useState } from 'react';
import { Link } from 'react-router';
import { useChange } from '../../core/calls';
import { DisabledInPast } from '../../core/as-of/in-past';
import { Action } from '../../ui/Action';
import type { Act } from '../../ui/use-action';
import { CodeDiff } from '../../ui/code';
import { count } from '../../ui/count';
import { WordsBox } from '../../ui/WordsBox';

type Plan = Answer<typeof versions.plan>;

interface DriftFoundProps {
  plan: Plan;
  drift: NonNullable<Plan['drift']>;
  /** The id of the version. */
  version: string;
  act: Act;
  onAdopted: () => void;
}

export const DriftFound = ({ plan, drift, version, act, onAdopted }: DriftFoundProps) => {
  const { database, from, seal } = plan;
  const [adopt, { data: adopted, isLoading }] = useChange(versions.adopt);
  const [others, setOthers] = useState<ReadonlySet<string>>(new Set());
  const renames = drift.renames.map((one) => ({ ...one, id: `${one.table}.${one.to}` }));
  const takeOver = () =>
    act({
      ask: {
        title: `Adopt ${database.name} into the model?`,
        body: 'Entities and attributes are added, changed and removed until the model matches this database. Each edit can be undone. The database stays as it is.',
        confirmLabel: 'Adopt into the model',
      },
      send: () =>
        adopt({
          uuid: version,
          database: { id: database.id },
          seal,
          renames: renames.filter(({ id }) => !others.has(id)).map(({ id: _id, ...one }) => one),
        }).unwrap(),
      done: onAdopted,
      failed: 'Nothing was done',
    });
  return (
    <>
      <WordsBox
        role="alert"
        title={`${from === 0 ? 'The database should be empty' : `The database differs from version ${from}`}: ${count(drift.words.length, 'difference')}`}
        words={drift.words}
      />
      <Box mb={12}>
        <CodeDiff
          before={drift.expected}
          after={drift.actual}
          sides={{ before: from === 0 ? 'No version' : `Version ${from}`, after: database.name }}
          language="yaml"
        />
      </Box>
      {plan.repairs && <WordsBox title="No statement can repair this" words={drift.left} />}
      {renames.length > 0 && (
        <Stack gap={4} mt="md" role="group" aria-label="Renamed columns">
          {renames.map(({ id, table, from: was, to: is }) => (
            <Checkbox
              key={id}
              label={`${table}.${is} is the renamed column ${was}, with the same values`}
              checked={!others.has(id)}
              onChange={({ currentTarget: { checked } }) =>
                setOthers(new Set(checked ? [...others].filter((one) => one !== id) : [...others, id]))
              }
            />
          ))}
        </Stack>
      )}
      <DisabledInPast>
        <Action variant="default" my="md" icon={IconDatabaseShare} loading={isLoading} does={takeOver}>
          Adopt into the model
        </Action>
      </DisabledInPast>
      {adopted && (
        <div role="status">
          <p>
            The model was edited in {count(adopted.edits, 'place')}.{' '}
            <Link to="../../version">Generate a version</Link>, and apply it to this database.
          </p>
          <WordsBox
            title="Not adopted"
            // What is left alone is listed below.
            words={adopted.left.filter((one) => !plan.alone.includes(one))}
            tone="warn"
          />
        </div>
      )}
    </>
  );
};
