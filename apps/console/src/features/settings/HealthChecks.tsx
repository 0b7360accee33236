/** How often servers are checked, and when one counts as unreachable. */
import { workspaces } from '@quarterdeck/contract';
import { healthChecks } from '@quarterdeck/events/inputs';
import type { WorkspaceView } from '@quarterdeck/projections';
import type { Field } from '../../ui/ResourceForm';
import { useChange } from '../../core/calls';
import { WorkspaceSetting } from '../../records/WorkspaceSetting';

const fields: readonly Field[] = [
  {
    name: 'everySeconds',
    label: 'Seconds between two checks',
    type: 'number',
    help: 'From 5 to 3600. Every server is checked at this interval.',
  },
  {
    name: 'failures',
    label: 'Failed checks',
    type: 'number',
    half: true,
    help: 'How many checks have to fail before a server counts as unreachable.',
  },
  {
    name: 'outOf',
    label: 'Of the last',
    type: 'number',
    half: true,
    help: 'How many of the latest checks are considered. At most 20.',
  },
];

export const HealthChecks = ({ workspace }: { workspace: WorkspaceView }) => {
  const { everySeconds, failures, outOf } = workspace.healthChecks;
  const [configure] = useChange(workspaces.healthChecks);
  return (
    <WorkspaceSetting
      workspace={workspace}
      part="healthChecks"
      title="Health checks"
      name="health-checks"
      note="Each server is checked at intervals for load, memory, disk, Docker and nginx. One failed check may be a network glitch; one successful check makes a server reachable again."
      facts={[
        ['Interval', `${everySeconds} s`],
        ['Unreachable', `after ${failures} of the last ${outOf} checks failed`],
      ]}
      schema={healthChecks}
      fields={fields}
      save={(rule, revision) => configure({ ...rule, revision }).unwrap()}
      saved="The health checks were saved."
    />
  );
};
