/** Deploy on push: the webhook of a service, its rules, and what became of what the source host sent. */
import { deployRule } from '@quarterdeck/events';
import { IconGitBranch } from '@tabler/icons-react';
import { EnvBadge } from '../../records/EnvBadge';
import { RecordArea, type Cells, type Checking } from '../../records/kit';
import { OnOff } from './OnOff';
import { PushPage } from './PushPage';
import { RuleTrial } from './RuleTrial';

export { WaitingPushes } from './WaitingPushes';

const cells: Cells = {
  isOn: (view) => <OnOff isOn={view['isOn'] === true} />,
  env: (view) => <EnvBadge id={Number(view['env'])} />,
};

interface DeployOnPushProps {
  /** Address of the tab. */
  base: string;
  service: { id: string; name: string };
}

export const DeployOnPush = ({ base, service }: DeployOnPushProps) => {
  const checking: Checking = (draft) => <RuleTrial service={service.id} draft={draft} />;
  return (
    <RecordArea
      noun={deployRule}
      base={base}
      parents={{ service: service.id }}
      icon={IconGitBranch}
      empty="A rule says which versions are deployed where."
      addNote="It can be tried on what the source host has sent before."
      consequences="What waits for an approval because of it is not deployed. You can undo this."
      cells={cells}
      checking={checking}
      list={<PushPage base={base} service={service} />}
    />
  );
};
