import { Box, Group, Skeleton } from '@mantine/core';
import { AfterAWhile } from '../../ui/Loading';
import look from '../../ui/look.module.css';

/** Placeholder as high as the lines to come, so the layout does not shift when they load. */
export const LinesLoading = ({ lines }: { lines: number }) => (
  <Box className={look.lines} role="status" aria-label="Loading" data-skeleton>
    {Array.from({ length: lines }, (_, line) => (
      <Group key={line} gap={0} wrap="nowrap" h={44} p="0 12px">
        <AfterAWhile>
          <Skeleton height={12} width={`${70 - ((line * 17) % 40)}%`} />
        </AfterAWhile>
      </Group>
    ))}
  </Box>
);
