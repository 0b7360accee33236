/** Changes that the next deploy would make: compares the saved variables with those of the running release. */
import { Alert } from '@mantine/core';
import { releases, variables } from '@quarterdeck/contract';
import { variableChanges } from '@quarterdeck/projections';
import { IconRocket } from '@tabler/icons-react';
import { useAnswer } from '../../core/calls';
import { usePast } from '../../core/past/past-state';
import { changesInWords } from './variable-words';

/** Shows nothing before the first deploy to that environment, or if nothing differs. */
export const NextDeploy = ({ service, env }: { service: string; env: number }) => {
  const skip = usePast() !== undefined;
  const { data: deployed } = useAnswer(releases.releases, { service: { id: service } }, { skip });
  const running = deployed?.find((one) => one.serves && one.env.id === env);
  const saved = useAnswer(
    variables.prints,
    { service: { id: service }, env },
    { skip: running === undefined },
  ).currentData;
  if (!running || !saved) return null;
  const changes = variableChanges(running.variables, saved);
  const count = changes.added.length + changes.changed.length + changes.removed.length;
  if (count === 0) return null;
  return (
    <Alert role="status" color="blue" variant="light" mb="md" icon={<IconRocket size={18} aria-hidden />}>
      {count === 1 ? 'One variable differs' : `${count} variables differ`} from what runs. The next deploy{' '}
      {changesInWords(changes)}.
    </Alert>
  );
};
