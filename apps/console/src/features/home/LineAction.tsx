/** What a line of Home leads to, at its end. */
import { Group } from '@mantine/core';
import type { Icon } from '@tabler/icons-react';
import classes from './home.module.css';

export const LineAction = ({ label, icon: Shape }: { label: string; icon: Icon }) => (
  <Group component="span" className={classes.action} gap={4} wrap="nowrap" c="var(--mantine-color-anchor)">
    {label}
    <Shape size={14} aria-hidden />
  </Group>
);
