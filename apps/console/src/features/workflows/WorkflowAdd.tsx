import { workflow } from '@quarterdeck/events';
import { paths } from '../../core/paths';
import { RecordAdd } from '../../records/kit';

export default function WorkflowAdd() {
  return (
    <RecordAdd
      noun={workflow}
      base={paths.workflows()}
      note="Its nodes and transitions are added in the editor."
    />
  );
}
