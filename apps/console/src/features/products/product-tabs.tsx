/** The tabs of a product by role, labelled as in the specification. */
import { Box, Stack } from '@mantine/core';
import { product } from '@quarterdeck/events';
import { IconTrash } from '@tabler/icons-react';
import { DisabledInPast } from '../../core/as-of/in-past';
import { RecordEditForm, type RecordTab, type RecordTabContext } from '../../records/kit';
import { Action } from '../../ui/Action';
import { Section } from '../../ui/Card';
import look from '../../ui/look.module.css';

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
const placeOf = ({ id }: Pick<RecordTab, 'id'>): number =>
  ORDER.includes(id) ? ORDER.indexOf(id) : ORDER.length;

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
  const settings = { id: 'settings', label: 'Settings', content: () => <Settings {...context} /> };
  const tabs = parts.toSorted((a, b) => placeOf(a) - placeOf(b));
  return context.isAdmin ? [...tabs, settings] : tabs;
};
