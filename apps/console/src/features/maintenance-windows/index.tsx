/** Windows of maintenance: alerts that begin in them are sent only if they are still open at the end. */
import { alertRule, maintenanceWindow } from '@quarterdeck/events';
import { silenceOf, type MaintenanceFields } from '@quarterdeck/projections';
import { IconBell, IconCircleDashed, IconListCheck, IconTool } from '@tabler/icons-react';
import { useNow } from '../../core/as-of/clock';
import { paths, plainPath } from '../../core/paths';
import { NamesOf } from '../../records/chosen-names';
import { columnsOf, RecordArea, type Cells } from '../../records/kit';
import { weeklyInWords } from '../../records/weekly-words';
import { Action } from '../../ui/Action';
import { absoluteTime } from '../../ui/RelativeTime';
import { StateBadge } from '../../ui/StateBadge';

const fieldsIn = (view: object): MaintenanceFields => view as MaintenanceFields;

const Times = ({ view }: { view: object }) => {
  const { once, weekly } = fieldsIn(view);
  if (weekly) return <>{weeklyInWords(weekly)}</>;
  return once && <>{`from ${absoluteTime(once.starts)} to ${absoluteTime(once.ends)}`}</>;
};

const Where = ({ view }: { view: object }) => {
  const fields = fieldsIn(view);
  const kinds = (['servers', 'sites', 'products'] as const).filter((key) => fields[key].length > 0);
  if (kinds.length === 0) return <>everything</>;
  return kinds.map((key, at) => (
    <span key={key}>
      {at > 0 && ', '}
      <NamesOf of={key} ids={fields[key]} none="" />
    </span>
  ));
};

const Phase = ({ view }: { view: object }) => {
  const now = useNow();
  const end = silenceOf(fieldsIn(view))(now);
  if (end !== undefined)
    return (
      <StateBadge
        state="on"
        tone="warn"
        icon={IconTool}
        label={`until ${absoluteTime(new Date(end).toISOString())}`}
      />
    );
  return <StateBadge state="off" tone="quiet" icon={IconCircleDashed} label="not now" />;
};

const cells: Cells = {
  once: (view) => <Times view={view} />,
  weekly: (view) => <Times view={view} />,
  servers: (view) => <NamesOf of="servers" ids={fieldsIn(view).servers} none="none chosen" />,
  sites: (view) => <NamesOf of="sites" ids={fieldsIn(view).sites} none="none chosen" />,
  products: (view) => <NamesOf of="products" ids={fieldsIn(view).products} none="none chosen" />,
};

const columns = [
  ...columnsOf(maintenanceWindow).filter(({ id }) => id === 'name'),
  {
    id: 'now',
    header: 'Now',
    sortable: false as const,
    priority: 2 as const,
    value: () => undefined,
    cell: (view: object) => <Phase view={view} />,
  },
  {
    id: 'times',
    header: 'When',
    sortable: false as const,
    priority: 3 as const,
    value: () => undefined,
    cell: (view: object) => <Times view={view} />,
  },
  {
    id: 'where',
    header: 'For',
    sortable: false as const,
    value: () => undefined,
    cell: (view: object) => <Where view={view} />,
  },
];

export default function MaintenanceWindows() {
  return (
    <RecordArea
      noun={maintenanceWindow}
      icon={IconTool}
      description="Alerts that begin during maintenance are recorded and shown, and sent to nobody. What is still open when it ends is sent then, once."
      empty="Every alert is sent, whatever is being worked on. Add a window before you work on a server or a site."
      consequences="What waits for its end is sent at once if it is still open. You can undo this."
      columns={columns}
      cells={cells}
      badge={(view) => <Phase view={view} />}
      reading={
        <>
          <Action icon={IconBell} variant="default" does={paths.alerts()}>
            Alerts
          </Action>
          <Action icon={IconListCheck} variant="default" does={plainPath(alertRule)}>
            Rules
          </Action>
        </>
      }
    />
  );
}
