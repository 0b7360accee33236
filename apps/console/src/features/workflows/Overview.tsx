/** What the workflow is, an instance to start, and the tables of nodes, transitions and instances. */
import { workflow } from '@quarterdeck/events';
import { Link } from 'react-router';
import { plainPath } from '../../core/paths';
import { RecordEditForm, type View } from '../../records/kit';
import { Card } from '../../ui/Card';
import { Columns, Stacked } from '../../ui/Columns';
import { EditInPlace } from '../../ui/EditInPlace';
import { Facts } from '../../ui/Facts';
import { Dim } from '../../ui/Note';
import look from '../../ui/look.module.css';
import { NodeTable, TransitionTable } from './DraftTables';
import { InstanceTable } from './InstanceTable';
import { StartPanel } from './StartPanel';
import type { WorkflowView } from './WorkflowPage';

export const Overview = ({ view }: { view: WorkflowView }) => {
  const { id, name, description } = view;
  const product = view.product as { id: string; name?: string } | null;
  return (
    <Stacked gap={24}>
      <Columns>
        <Card aria-label="Workflow">
          <EditInPlace
            title="Workflow"
            view={
              <Facts
                facts={[
                  ['Name', name],
                  [
                    'Description',
                    description === '' ? (
                      <Dim key="none">none</Dim>
                    ) : (
                      <span key="text" className={look.text}>
                        {description}
                      </span>
                    ),
                  ],
                  [
                    'Product',
                    product === null ? (
                      <Dim key="none">none</Dim>
                    ) : (
                      <Link key="product" to={plainPath({ path: 'product' }, product.id)}>
                        {product.name ?? 'deleted'}
                      </Link>
                    ),
                  ],
                ]}
              />
            }
            form={(done) => <RecordEditForm noun={workflow} view={view as unknown as View} onDone={done} />}
          />
        </Card>
        <StartPanel workflow={id} />
      </Columns>
      <NodeTable workflow={id} />
      <TransitionTable workflow={id} />
      <InstanceTable workflow={id} />
    </Stacked>
  );
};
