/** Export of the filtered events. A plain download link, because the browser streams a large file to disk. */
import { Anchor, Button, Popover, Stack, Text } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { usePast } from '../../core/past/past-state';
import type { HistoryFilter } from '../../records/history';
import { exportPath, isFiltered } from './history-filter';

const formats = [
  { format: 'csv', label: 'CSV, for spreadsheets' },
  { format: 'jsonl', label: 'JSON lines, for programs' },
] as const;

export const ExportMenu = ({ filter }: { filter: HistoryFilter }) => {
  const at = usePast();
  return (
    <Popover position="bottom-end" withinPortal trapFocus returnFocus width={240} shadow="md">
      <Popover.Target>
        <Button variant="default" leftSection={<IconDownload size={16} aria-hidden />}>
          Export
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <Stack gap="xs">
          <Text size="sm">
            {isFiltered(filter) ? 'Filtered events' : 'All events'}
            {at === undefined ? '' : ' up to the instant'}
          </Text>
          {formats.map(({ format, label }) => (
            <Anchor key={format} href={exportPath(filter, format, at)} download size="sm">
              {label}
            </Anchor>
          ))}
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
};
