/** A database that differs from its version: the differences, both structures side by side, and adopting them. */
import { Button } from '@mantine/core';
import { IconDatabaseShare } from '@tabler/icons-react';
import { versions, type Answer } from '@quarterdeck/contract';
import { useChange } from '../../core/calls';
import { toApiError, type ApiError } from '../../core/http';
import { DisabledInPast } from '../../core/past/in-past';
import { confirmAction } from '../../ui/confirm';
import { CodeDiff } from '../../ui/code';
import { count } from './version-words';
import styles from './versions.module.css';

type Plan = Answer<typeof versions.plan>;

interface DriftFoundProps {
  plan: Plan;
  drift: NonNullable<Plan['drift']>;
  /** The id of the version. */
  version: string;
  onFailure: (failure: ApiError) => void;
}

export const DriftFound = ({ plan, drift, version, onFailure }: DriftFoundProps) => {
  const { database, from, seal } = plan;
  const [adopt, { data: adopted, isLoading }] = useChange(versions.adopt);
  const takeOver = async (): Promise<void> => {
    const sure = await confirmAction({
      title: `Adopt ${database.name} into the model?`,
      body: 'Entities and attributes are added, changed and removed until the model matches this database. Each edit can be undone. The database stays as it is.',
      confirmLabel: 'Adopt into the model',
    });
    if (!sure) return;
    const { error } = await adopt({ uuid: version, database: { id: database.id }, seal });
    if (error) onFailure(toApiError(error));
  };
  return (
    <>
      <div role="alert" className={styles.problems}>
        <strong>
          {from === 0 ? 'The database should be empty' : `The database differs from version ${from}`}:{' '}
          {count(drift.words.length, 'difference')}
        </strong>
        <ul>
          {drift.words.map((words) => (
            <li key={words}>{words}</li>
          ))}
        </ul>
      </div>
      <CodeDiff
        before={drift.expected}
        after={drift.actual}
        sides={{ before: from === 0 ? 'No version' : `Version ${from}`, after: database.name }}
        language="yaml"
      />
      {plan.repairs && drift.left.length > 0 && (
        <div className={styles.problems}>
          <strong>No statement can repair this</strong>
          <ul>
            {drift.left.map((words) => (
              <li key={words}>{words}</li>
            ))}
          </ul>
        </div>
      )}
      <DisabledInPast>
        <Button
          variant="default"
          my="md"
          loading={isLoading}
          leftSection={<IconDatabaseShare size={16} aria-hidden />}
          onClick={() => void takeOver()}
        >
          Adopt into the model
        </Button>
      </DisabledInPast>
      {adopted && (
        <div role="status" className={styles.adopted}>
          {adopted.edits === 0
            ? 'The model has all of this already.'
            : `The model was edited in ${count(adopted.edits, 'place')}. Generate a version, and apply it to this database.`}
          <ul>
            {adopted.left.map((words) => (
              <li key={words}>{words}</li>
            ))}
          </ul>
        </div>
      )}
    </>
  );
};
