/** The tabs of a product by role, labelled as in the specification. */
import { Box, Stack } from '@mantine/core';
import { product } from '@quarterdeck/events';
import { IconTool, IconTrash } from '@tabler/icons-react';
import { DisabledInPast } from '../../core/as-of/in-past';
import { RecordEditForm, type RecordTab, type RecordTabContext } from '../../records/kit';
import { Action } from '../../ui/Action';
import type { Tab } from '../../ui/DetailPage';
import { EmptyState } from '../../ui/EmptyState';
import { Section } from '../../ui/Card';
import look from '../../ui/look.module.css';

/** Tab for a feature that is not included yet. It says so, to avoid the look of an empty list. */
const comingTab = (id: string, label: string, will: string): Tab => ({
  id,
  label,
  content: () => (
    <EmptyState icon={IconTool} title="Not part of this installation yet">
      {will} This version of the console does not include them.
    </EmptyState>
  ),
});

const forAdmins: readonly Tab[] = [
  comingTab(
    'user-management',
    'User management',
    'The instances of the generated API and their users will appear here.',
  ),
];

const ORDER = [
  'user-management',
  'data-model',
  'option-set',
  'database',
  'version',
  'service',
  'email',
  'i18n',
  'cms',
  'notification',
  'public-token',
];
/** Tabs that are not in `ORDER` come last, in the order given. */
const placeOf = ({ id }: Pick<Tab, 'id'>): number => (ORDER.includes(id) ? ORDER.indexOf(id) : ORDER.length);

const Settings = ({ view, remove }: RecordTabContext) => (
  <Stack gap={32}>
    <RecordEditForm noun={product} view={view} />
    <Section
      title="Delete product"
      className={look.framed}
      maw={640}
      p={16}
      bd="1px solid var(--qd-bad-border)"
    >
      <Box component="p" m="0 0 12px">
        The product disappears from every list. Its history stays, and you can undo this.
      </Box>
      <DisabledInPast>
        <Action icon={IconTrash} color="red" variant="light" does={remove}>
          Delete product
        </Action>
      </DisabledInPast>
    </Section>
  </Stack>
);

export const productTabs = (
  context: RecordTabContext,
  parts: readonly RecordTab[] = [],
): readonly RecordTab[] => {
  const coming = context.isAdmin ? forAdmins : [];
  const settings = { id: 'settings', label: 'Settings', content: () => <Settings {...context} /> };
  const tabs = [...coming, ...parts].toSorted((a, b) => placeOf(a) - placeOf(b));
  return context.isAdmin ? [...tabs, settings] : tabs;
};
