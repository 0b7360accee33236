import { scripts } from '@quarterdeck/contract';
import { scriptInsert } from '@quarterdeck/events/inputs';
import { Link, useNavigate } from 'react-router';
import { useChange } from '../../core/calls';
import { paths } from '../../core/paths';
import { PageHeader } from '../../ui/PageHeader';
import { ResourceForm } from '../../ui/ResourceForm';
import { toast } from '../../ui/toast';
import { newScript, scriptFields } from './script-words';

export const ScriptAddPage = () => {
  const navigate = useNavigate();
  const [add] = useChange(scripts.insert);
  return (
    <>
      <PageHeader
        title="Add script"
        description={
          <>
            Saving does not run it. <Link to={paths.scripts()}>Back to the list</Link>
          </>
        }
      />
      <ResourceForm
        label="Add script"
        schema={scriptInsert}
        fields={scriptFields}
        initial={newScript}
        submitLabel="Save script"
        onCancel={() => void navigate(paths.scripts())}
        onSubmit={async (values) => {
          const { id } = await add(values).unwrap();
          toast.success(`${values.name} was saved.`);
          await navigate(paths.script(id));
        }}
      />
    </>
  );
};
