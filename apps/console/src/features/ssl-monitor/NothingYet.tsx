import { Center } from '@mantine/core';
import type { ReactNode } from 'react';
import look from '../../ui/look.module.css';

/** In place of the log or of the runs, as high as they are. */
export const NothingYet = ({ children }: { children: ReactNode }) => (
  <Center className={look.framed} h="16rem" p={16} c="dimmed" ta="center" bg="var(--mantine-color-body)">
    {children}
  </Center>
);
