/** Items that need attention, one line each with a link to the page where it can be handled. */
import { IconAlertTriangle, IconChevronRight, IconCircleCheck, IconCircleX } from '@tabler/icons-react';
import { lasting, type AttentionItem } from '@quarterdeck/projections';
import { Link } from 'react-router';
import { RelativeTime } from '../../ui/RelativeTime';
import { actionOf, affectedInWords } from './attention-words';
import classes from './home.module.css';
import { Dim, Note } from '../../ui/Note';
import { Lines } from '../../ui/List';
import { Section } from '../../ui/Card';
import { Group } from '@mantine/core';
import look from '../../ui/look.module.css';
import { toneColor } from '../../ui/tone';

interface AttentionProps {
  items: readonly AttentionItem[];
  /** Total number of items, which may be more than are shown. */
  count: number;
  now: number;
}

export const Attention = ({ items, count, now }: AttentionProps) => (
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
    {items.length === 0 ? (
      <Group component="p" className={look.framed} gap={8} mih={44} m={0} px={12}>
        <IconCircleCheck size={16} aria-hidden color="var(--qd-good)" /> Nothing needs attention.
      </Group>
    ) : (
      <Lines>
        {items.map((item) => (
          <li key={`${item.kind}-${item.id}`}>
            <Line item={item} now={now} />
          </li>
        ))}
      </Lines>
    )}
    {count > items.length && (
      <Note m="8px 0 0" fz={13}>
        {(count - items.length).toLocaleString('en')} more are not shown.
      </Note>
    )}
  </Section>
);

const Line = ({ item, now }: { item: AttentionItem; now: number }) => {
  const { name, label, tone, since, at, affects } = item;
  const { label: action, to } = actionOf(item);
  const Shape = tone === 'bad' ? IconCircleX : IconAlertTriangle;
  return (
    <Link to={to} className={classes.line} data-tone={tone}>
      <Shape size={16} aria-hidden color={toneColor(tone)} />
      <span className={classes.what}>
        <strong>{name}</strong>{' '}
        <span>
          {/* A reason may be a sentence, and the words go on behind it. */}
          {lasting(label.replace(/\.$/, ''), since, now)}
          {affects && `; ${affectedInWords(affects)}`}
          {at !== undefined && (
            <>
              , <RelativeTime at={at} />
            </>
          )}
        </span>
      </span>
      <Group
        component="span"
        className={classes.action}
        gap={4}
        wrap="nowrap"
        c="var(--mantine-color-anchor)"
      >
        {action}
        <IconChevronRight size={14} aria-hidden />
      </Group>
    </Link>
  );
};
