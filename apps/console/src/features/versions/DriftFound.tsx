/** A database that is not what its version says: what differs, both structures side by side, and a way out. */
import { IconDatabaseShare } from '@tabler/icons-react';
import { versions, type Answer } from '@quarterdeck/contract';
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
}

export const DriftFound = ({ plan, drift, version, act }: DriftFoundProps) => {
  const { database, from, seal } = plan;
  const [adopt, { data: adopted, isLoading }] = useChange(versions.adopt);
  const takeOver = () =>
    act({
      ask: {
        title: `Adopt ${database.name} into the model?`,
        body: 'Entities and attributes are added, changed and removed until the model matches this database. Each edit can be undone. The database stays as it is.',
        confirmLabel: 'Adopt into the model',
      },
      send: () => adopt({ uuid: version, database: { id: database.id }, seal }).unwrap(),
      failed: 'Nothing was done',
    });
  return (
    <>
      <WordsBox
        role="alert"
        title={`${from === 0 ? 'The database should be empty' : `The database differs from version ${from}`}: ${count(drift.words.length, 'difference')}`}
        words={drift.words}
      />
      <CodeDiff
        before={drift.expected}
        after={drift.actual}
        sides={{ before: from === 0 ? 'No version' : `Version ${from}`, after: database.name }}
        language="yaml"
      />
      {plan.repairs && <WordsBox title="No statement can repair this" words={drift.left} />}
      <DisabledInPast>
        <Action variant="default" my="md" icon={IconDatabaseShare} loading={isLoading} does={takeOver}>
          Adopt into the model
        </Action>
      </DisabledInPast>
      {adopted && (
        <div role="status">
          {adopted.edits === 0
            ? 'The model has all of this already.'
            : `The model was edited in ${count(adopted.edits, 'place')}. Generate a version, and apply it to this database.`}
          <WordsBox title="Not adopted" words={adopted.left} tone="warn" />
        </div>
      )}
    </>
  );
};
