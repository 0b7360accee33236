/** Changes that the next deploy would make: compares the saved variables with those of the running release. */
import { deploys, variables } from '@quarterdeck/contract';
import { variableChanges } from '@quarterdeck/projections';
import { useAnswer } from '../../core/calls';
import { toApiError } from '../../core/http';
import { usePast } from '../../core/past/past-state';
import { changesInWords, envName } from './variable-words';
import { Box } from '@mantine/core';

interface NextDeployProps {
  service: string;
  env: number;
}

/** A line that is there from the start, so the table below it stays in place when the answers come. */
export const NextDeploy = (props: NextDeployProps) =>
  usePast() === undefined && (
    <Box component="p" mih="1.55em" m="0 0 16px" role="status">
      <Words {...props} />
    </Box>
  );

const Words = ({ service, env }: NextDeployProps) => {
  const deployed = useAnswer(deploys.running, { service: { id: service } });
  const running = deployed.currentData?.find((one) => one.env.id === env);
  const saved = useAnswer(
    variables.prints,
    { service: { id: service }, env },
    { skip: running === undefined },
  );
  const failed = deployed.error ?? saved.error;
  if (failed) return `The variables of the running version are not known: ${toApiError(failed).msg}`;
  if (!deployed.currentData) return null;
  if (!running) return `Nothing runs in ${envName(env)}.`;
  if (!saved.currentData) return null;
  const changes = variableChanges(running.variables, saved.currentData);
  const count = changes.added.length + changes.changed.length + changes.removed.length;
  if (count === 0) return 'The running version has these variables.';
  return (
    <>
      <strong>{count === 1 ? 'One variable differs' : `${count} variables differ`}</strong> from the running
      version. The next deploy {changesInWords(changes)}.
    </>
  );
};
