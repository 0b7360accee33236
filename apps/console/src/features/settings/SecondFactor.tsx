/** Whether everybody in the workspace needs a second factor. */
import { workspaces } from '@quarterdeck/contract';
import { secondFactorSettings } from '@quarterdeck/events/inputs';
import type { WorkspaceView } from '@quarterdeck/projections';
import { useChange } from '../../core/calls';
import { withProof } from '../../records/second-factor/fresh-proof';
import { WorkspaceSetting } from '../../records/WorkspaceSetting';
import { confirmAction } from '../../ui/confirm';
import type { Field } from '../../ui/ResourceForm';

const fields: readonly Field[] = [
  {
    name: 'demanded',
    label: 'Everybody needs a second factor',
    type: 'checkbox',
    help: 'You need one yourself first: add it in your profile.',
  },
];

export const SecondFactor = ({ workspace }: { workspace: WorkspaceView }) => {
  const [configure] = useChange(workspaces.secondFactor);
  return (
    <WorkspaceSetting
      workspace={workspace}
      part="secondFactor"
      title="Second factor"
      name="second-factor"
      note="A code of an app or a passkey at every sign-in, in addition to the account at the provider or the sign-in link. Members shows who has one."
      facts={[['Needed', workspace.secondFactor.demanded ? 'By everybody' : 'Each person chooses']]}
      schema={secondFactorSettings}
      fields={fields}
      save={async (setting, revision, before) => {
        if (setting.demanded && before['demanded'] !== true && !(await isSure())) return false;
        return withProof(() => configure({ ...setting, revision }).unwrap());
      }}
      saved="The setting of the second factor was saved."
    />
  );
};

const isSure = (): Promise<boolean> =>
  confirmAction({
    title: 'Demand a second factor from everybody?',
    body: 'Members without one are signed out at once. When they sign in, they set one up before they see anything of this workspace.',
    confirmLabel: 'Demand it',
  });
