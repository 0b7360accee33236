/** Alert rules: which causes are told, after how long, to which channels, and how often they are repeated. */
import { alertRule } from '@quarterdeck/events';
import type { RuleFields } from '@quarterdeck/projections';
import { IconBell, IconCircleCheck, IconCircleDashed, IconListCheck } from '@tabler/icons-react';
import { paths } from '../../core/paths';
import { columnsOf, RecordArea, type Cells } from '../../records/kit';
import { NamesOf } from '../../records/chosen-names';
import { weeklyInWords } from '../../records/weekly-words';
import { Action } from '../../ui/Action';
import { StateBadge } from '../../ui/StateBadge';
import { Channels, RuleSentence } from './RuleSentence';
import { RuleTrial, triesDraft } from './RuleTrial';

type Fields = RuleFields & { enabled: boolean };
const fieldsIn = (view: object): Fields => view as Fields;

const OnOff = ({ enabled }: { enabled: boolean }) =>
  enabled ? (
    <StateBadge state="on" tone="good" icon={IconCircleCheck} label="on" />
  ) : (
    <StateBadge state="off" tone="quiet" icon={IconCircleDashed} label="off" />
  );

const cells: Cells = {
  causes: (view) => (fieldsIn(view).causes.length === 0 ? 'all' : undefined),
  servers: (view) => <NamesOf of="servers" ids={fieldsIn(view).servers} none="all" />,
  sites: (view) => <NamesOf of="sites" ids={fieldsIn(view).sites} none="all" />,
  products: (view) => <NamesOf of="products" ids={fieldsIn(view).products} none="all" />,
  channels: (view) => <Channels channels={fieldsIn(view).channels} />,
  quietHours: (view) => {
    const { quietHours } = fieldsIn(view);
    return quietHours ? weeklyInWords(quietHours) : undefined;
  },
  enabled: (view) => <OnOff enabled={fieldsIn(view).enabled} />,
};

const columns = [
  ...columnsOf(alertRule, cells, ['enabled']).filter(({ id }) => ['name', 'enabled'].includes(id)),
  {
    id: 'does',
    header: 'What it does',
    sortable: false as const,
    priority: 3 as const,
    value: () => undefined,
    cell: (view: object) => <RuleSentence rule={fieldsIn(view)} />,
  },
];

export default function AlertRules() {
  return (
    <RecordArea
      noun={alertRule}
      icon={IconListCheck}
      description="A rule says after how long, to whom and how often again the alerts that it covers are sent. What no rule covers is sent at once to every channel that wants it."
      empty="Every alert is sent at once to all channels that want it. Add a rule for what should wait, be repeated, or go elsewhere."
      addNote="You can try it on the past month before you save it. A new rule is switched off."
      consequences="What it covers is sent at once again, to all channels that want it. You can undo this."
      columns={columns}
      cells={cells}
      badge={(view) => <OnOff enabled={fieldsIn(view).enabled} />}
      reading={
        <Action icon={IconBell} variant="default" does={paths.alerts()}>
          Alerts
        </Action>
      }
      checking={triesDraft}
      summary={(view) => <RuleTrial id={view.id} rule={fieldsIn(view)} />}
    />
  );
}
