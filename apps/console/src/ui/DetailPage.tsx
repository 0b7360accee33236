/** Frame of every detail page: name, state, key facts, actions (dangerous ones last, in a menu) and tabs. */
import { ActionIcon, Box, Group, Menu, Tabs } from '@mantine/core';
import { IconArrowLeft, IconDots } from '@tabler/icons-react';
import { Fragment, useEffect, useRef, type ReactNode } from 'react';
import { Link, useSearchParams } from 'react-router';
import { DisabledInPast } from '../core/as-of/in-past';
import { AT, NO_CHANGES, useAsOf } from '../core/as-of/as-of-state';
import styles from './DetailPage.module.css';
import { BelowHeading } from './heading';
import { usePageTitle } from './page-title';
import { TitleBar } from './TitleBar';
import { withParams } from './params';
import look from './look.module.css';

export interface Action {
  label: string;
  icon?: ReactNode;
  onClick: () => void;
  danger?: boolean;
  /** Changes nothing, so it also works in the past. */
  reads?: boolean;
  /** If set, the action is disabled for this reason. */
  disabledReason?: string | undefined;
}

export interface Tab {
  id: string;
  label: string;
  content: () => ReactNode;
}

export interface KeyFact {
  label: string;
  value: ReactNode;
}

interface DetailPageProps {
  /** Link back to the list. */
  back: { to: string; label: string };
  name: string;
  /** A list or page of its parts is open below: then the way back and the name are one line. */
  isAround?: boolean;
  badge?: ReactNode;
  /** The three most important facts. */
  facts?: readonly KeyFact[];
  /** Button of the most frequent action. */
  primary?: ReactNode;
  /** Controls that change nothing, so they also work in the past. */
  reading?: ReactNode;
  actions?: readonly Action[];
  tabs?: readonly Tab[];
  children?: ReactNode;
}

export function DetailPage({
  back,
  name,
  isAround = false,
  badge,
  facts,
  primary,
  reading,
  actions = [],
  tabs,
  children,
}: DetailPageProps) {
  usePageTitle(name);
  return (
    <>
      <div className={isAround ? styles.around : undefined}>
        <Link to={back.to} className={styles.back}>
          <IconArrowLeft size={14} aria-hidden /> {back.label}
        </Link>
        {isAround && <span aria-hidden>/</span>}
        <TitleBar title={name} beside={badge} isTight={isAround}>
          <Group gap={8}>
            {reading}
            <DisabledInPast>{primary}</DisabledInPast>
            {actions.length > 0 && <ActionMenu actions={actions} />}
          </Group>
        </TitleBar>
      </div>
      {facts && (
        <Group component="dl" gap="12px 40px" align="flex-start" m="0 0 16px">
          {facts.map(({ label, value }) => (
            <div key={label}>
              <Box component="dt" c="dimmed" fz={12}>
                {label}
              </Box>
              <Box component="dd" className={look.wrap} m={0}>
                {value}
              </Box>
            </div>
          ))}
        </Group>
      )}
      <BelowHeading>
        {children}
        {tabs && <AddressTabs tabs={tabs} />}
      </BelowHeading>
    </>
  );
}

interface ActionMenuProps {
  actions: readonly Action[];
  label?: string;
  /** One of them is being done. */
  busy?: boolean;
}

/** It keeps the focus, so that the reason is read out, and the menu can be closed by key if no item is on. */
const isOff = { 'aria-disabled': true, 'data-disabled': true } as const;

/** Shows dangerous actions last and in red. A disabled action says why. */
export function ActionMenu({ actions, label = 'Actions', busy = false }: ActionMenuProps) {
  const off = useAsOf() === undefined ? undefined : NO_CHANGES;
  const ordered = actions
    .map((action) => ({
      ...action,
      disabledReason: (action.reads ? undefined : off) ?? action.disabledReason,
    }))
    .toSorted((a, b) => Number(a.danger ?? false) - Number(b.danger ?? false));
  const firstDanger = ordered.findIndex((action) => action.danger);
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <ActionIcon variant="default" size="md" aria-label={label} loading={busy}>
          <IconDots size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {ordered.map((action, index) => (
          <Fragment key={action.label}>
            {index === firstDanger && index > 0 && <Menu.Divider />}
            <Menu.Item
              {...(action.danger && { color: 'red' })}
              leftSection={action.icon}
              {...(action.disabledReason === undefined ? { onClick: action.onClick } : isOff)}
            >
              {action.label}
              {action.disabledReason && (
                <Box component="span" display="block" maw="32ch" c="dimmed" fz={12}>
                  {action.disabledReason}
                </Box>
              )}
            </Menu.Item>
          </Fragment>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

/**
 * Each tab has its own URL parameters, such as the filters of its table. They are removed when the tab closes, and
 * restored when it opens again. The router keeps the chosen instant.
 */
export const useSearchOfTabs = (open: string): ((tab: string) => URLSearchParams) => {
  const [search] = useSearchParams();
  const left = useRef(new Map<string, URLSearchParams>());
  return (tab) => {
    left.current.set(open, search);
    return withParams(left.current.get(tab) ?? new URLSearchParams(), { [AT]: undefined });
  };
};

/** Tabs whose choice is in the address: none for the first tab, `?tab=` for the others. */
export function AddressTabs({ tabs, param = 'tab' }: { tabs: readonly Tab[]; param?: string }) {
  const [search, setSearch] = useSearchParams();
  const wanted = search.get(param);
  const open = tabs.find(({ id }) => id === wanted) ?? tabs[0];
  const unknown = wanted !== null && open?.id !== wanted;
  useEffect(() => {
    if (!unknown) return;
    setSearch((latest) => withParams(latest, { [param]: undefined }), {
      replace: true,
      preventScrollReset: true,
    });
  }, [unknown, param, setSearch]);
  const searchOf = useSearchOfTabs(open?.id ?? '');
  if (!open) return null;
  const go = (id: string): void =>
    setSearch(withParams(searchOf(id), { [param]: id === tabs[0]?.id ? undefined : id }), {
      preventScrollReset: true,
    });
  return <TabBar tabs={tabs} open={open} onOpen={go} />;
}

/** Only the open tab is rendered. */
export function TabBar({ tabs, open, onOpen }: TabBarProps) {
  const opened = useRef<HTMLButtonElement>(null);
  const labels = tabs.map(({ label }) => label).join(' ');
  // On a narrow screen the tab list scrolls sideways. A count that arrives later makes labels wider.
  useEffect(() => {
    opened.current?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [open.id, labels]);
  return (
    <Tabs
      value={open.id}
      onChange={(id) => id !== null && onOpen(id)}
      keepMounted={false}
      className={styles.tabs}
    >
      <Tabs.List className={styles.tabList}>
        {tabs.map(({ id, label }) => (
          <Tabs.Tab key={id} value={id} {...(id === open.id && { ref: opened })}>
            {label}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      <Tabs.Panel value={open.id} pt="md">
        {open.content()}
      </Tabs.Panel>
    </Tabs>
  );
}

interface TabBarProps {
  tabs: readonly Tab[];
  open: Tab;
  onOpen: (id: string) => void;
}
