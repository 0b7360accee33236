/** Items that need attention, one line each with a link to the page where it can be handled. */
import { IconAlertTriangle, IconChevronRight, IconCircleCheck, IconCircleX } from '@tabler/icons-react';
import { type AttentionItem, lasting } from '@quarterdeck/projections';
import { Link } from 'react-router';
import { RelativeTime } from '../../ui/RelativeTime';
import classes from './home.module.css';
import { LineAction } from './LineAction';
import { Dim, Note } from '../../ui/Note';
import { Lines } from '../../ui/List';
import { Section } from '../../ui/Card';
import { Button, Group } from '@mantine/core';
import { domains, servers } from '@quarterdeck/contract';
import { useChange } from '../../core/calls';
import { DisabledInPast } from '../../core/as-of/in-past';
import { Refusal } from '../../ui/Refusal';
import { toast } from '../../ui/toast';
import { useAction } from '../../ui/use-action';
import look from '../../ui/look.module.css';
import { toneColor } from '../../ui/tone';
import { paths } from '../../core/paths';

interface AttentionProps {
  items: readonly AttentionItem[];
  /** Total number of items, which may be more than are shown. */
  count: number;
  now: number;
}

export const Attention = ({ items, count, now }: AttentionProps) => {
  const { act, busyWith, failure, dismiss } = useAction();
  const acts = useActs();
  return (
    <Section
      title={
        <>
          Needs attention{' '}
          {count > 0 && (
            <Dim ml={4} fw={400}>
              {count.toLocaleString('en')}
            </Dim>
          )}
        </>
      }
    >
      {failure && <Refusal {...failure} onClose={dismiss} />}
      {items.length === 0 ? (
        <Group component="p" className={look.framed} gap={8} mih={44} m={0} px={12}>
          <IconCircleCheck size={16} aria-hidden color="var(--qd-good)" /> Nothing needs attention.
        </Group>
      ) : (
        <Lines>
          {items.map((item) => {
            const { id, kind, part } = item;
            const does = acts[part];
            return (
              <li key={`${kind}-${id}`} className={does && classes.acting}>
                <Line item={item} now={now} acts={does !== undefined} />
                {does && (
                  <DisabledInPast>
                    <Button
                      variant="default"
                      size="compact-sm"
                      loading={busyWith.includes(id)}
                      onClick={() => void act({ ...does(item), row: id })}
                    >
                      {actionOf(item).label}
                    </Button>
                  </DisabledInPast>
                )}
              </li>
            );
          })}
        </Lines>
      )}
      {count > items.length && (
        <Note m="8px 0 0" fz={13}>
          {(count - items.length).toLocaleString('en')} more are not shown.
        </Note>
      )}
    </Section>
  );
};

/** What an item's button does at once. The others open the page where somebody has to decide. */
const useActs = (): Partial<Record<AttentionItem['part'], (item: AttentionItem) => Acting>> => {
  const [contact] = useChange(servers.contact);
  const [checkDns] = useChange(domains.checkDns);
  return {
    reach: ({ id, name }) => ({
      send: () => contact({ id }).unwrap(),
      done: `${name} answers.`,
      failed: `${name} does not answer`,
    }),
    dns: ({ id, name }) => ({
      send: async () => {
        const { dnsInWords, dnsStateOf } = await import('../../records/dns-words');
        const dns = await checkDns({ id }).unwrap();
        if (dnsStateOf(dns) === 'correct') toast.success(`${dnsInWords(dns)}: ${name}`);
        else toast.failure(dnsInWords(dns), name);
      },
      failed: `DNS of ${name} could not be checked`,
    }),
  };
};

interface Acting {
  send: () => Promise<unknown>;
  /** The notice of success. Absent if sending gives notice of the verdict. */
  done?: string;
  failed: string;
}

const Line = ({ item, now, acts }: { item: AttentionItem; now: number; acts: boolean }) => {
  const { name, label, tone, since, at, affects } = item;
  const { label: action, to } = actionOf(item);
  const Shape = tone === 'bad' ? IconCircleX : IconAlertTriangle;
  return (
    <Link to={to} className={classes.line} data-tone={tone}>
      <Shape size={16} aria-hidden color={toneColor(tone)} />
      <span className={classes.what}>
        <strong>{name}</strong>{' '}
        <span>
          {lastsInWords(label, since, now)}
          {affects && `; ${affectedInWords(affects)}`}
          {at !== undefined && (
            <>
              {label.endsWith('.') ? ' ' : ', '}
              <RelativeTime at={at} />
            </>
          )}
        </span>
      </span>
      {!acts && <LineAction label={action} icon={IconChevronRight} />}
    </Link>
  );
};

/** A reason that is a sentence ends before how long it has lasted. */
const lastsInWords = (label: string, since: string | undefined, now: number): string =>
  since === undefined ? label : lasting(label.replace(/\.$/, ''), since, now);

/** Label and link of the page where an item that needs attention can be handled. Pure. */
interface Action {
  label: string;
  to: string;
}

const actions: Record<AttentionItem['part'], (item: Pick<AttentionItem, 'id' | 'kind'>) => Action> = {
  reach: ({ id }) => ({ label: 'Check connection', to: paths.server(id) }),
  hostKey: ({ id }) => ({ label: 'Compare host keys', to: paths.server(id) }),
  load: ({ id }) => ({ label: 'Show health', to: paths.server(id, 'health') }),
  dns: ({ id }) => ({ label: 'Check DNS', to: paths.domain(id) }),
  site: ({ id }) => ({ label: 'Show site', to: paths.domain(id) }),
  certificate: ({ id }) => ({ label: 'Show certificate', to: paths.domain(id, 'certificate') }),
  config: ({ id }) => ({ label: 'Review changes', to: paths.domain(id, 'config') }),
  run: ({ id, kind }) => ({
    label: 'Show reason',
    to: kind === 'fleet' ? paths.fleetRun(id) : paths.run(id),
  }),
  alert: ({ id }) => ({ label: 'Show alert', to: paths.alerts(id) }),
};

const counted = (count: number, one: string): string[] =>
  count === 0 ? [] : [`${count} ${one}${count === 1 ? '' : 's'}`];

/** `affects 2 domains and 1 run` */
const affectedInWords = ({ domains, runs }: NonNullable<AttentionItem['affects']>): string =>
  `affects ${[...counted(domains, 'domain'), ...counted(runs, 'run')].join(' and ')}`;

const actionOf = (item: Pick<AttentionItem, 'id' | 'kind' | 'part'>): Action => actions[item.part](item);
