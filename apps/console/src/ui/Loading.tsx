import { Box, Flex, Skeleton } from '@mantine/core';
import { useEffect, useState, type ReactNode } from 'react';
import styles from './Loading.module.css';
import look from './look.module.css';

const PATIENCE_MS = 150;

const useAfter = (ms: number): boolean => {
  const [due, setDue] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setDue(true), ms);
    return () => clearTimeout(timer);
  }, [ms]);
  return due;
};

/** Shows its children only when the wait is long enough to be noticed. */
export function AfterAWhile({ children, ms = PATIENCE_MS }: { children: ReactNode; ms?: number }) {
  return useAfter(ms) ? children : null;
}

/** Takes its space from the start, so nothing below moves when it becomes visible. */
const LateSkeleton = ({ label, children }: { label: string; children: ReactNode }) => (
  <div role="status" aria-label={label} data-skeleton>
    <div style={useAfter(PATIENCE_MS) ? undefined : { visibility: 'hidden' }}>{children}</div>
  </div>
);

const Lines = ({ lines }: { lines: number }) =>
  Array.from({ length: lines }, (_, line) => (
    <Skeleton key={line} height={14} mt={12} width={`${90 - ((line * 17) % 40)}%`} />
  ));

export const Loading = ({ lines = 4, label = 'Loading' }: { lines?: number; label?: string }) => (
  <LateSkeleton label={label}>
    <Lines lines={lines} />
  </LateSkeleton>
);

/** As a `DetailPage` is laid out: the way back, the name, the key facts and the tabs. */
export const DetailSkeleton = ({ label }: { label: string }) => (
  <LateSkeleton label={label}>
    <Flex h={24} mb={4} align="center">
      <Skeleton height={12} width={72} />
    </Flex>
    <Flex h={28} mb={16} align="center">
      <Skeleton height={20} width={220} />
    </Flex>
    <Flex gap={40} mb={16}>
      {[0, 1].map((fact) => (
        <div key={fact}>
          <Skeleton height={10} width={56} my={4} />
          <Skeleton height={14} width={120} my={4} />
        </div>
      ))}
    </Flex>
    <Flex h={36} mt={8} mb={16} gap={28} align="center" className={styles.underlined}>
      {[64, 48, 56].map((width) => (
        <Skeleton key={width} height={12} width={width} />
      ))}
    </Flex>
    <Lines lines={5} />
  </LateSkeleton>
);

interface TableSkeletonProps {
  columns: number;
  rows?: number;
  /** Rows are cards. */
  narrow?: boolean;
}

/** As a `DataTable` is laid out: its tools, and the heads of its columns above the rows. */
export const TableSkeleton = ({ columns, rows = 8, narrow = false }: TableSkeletonProps) => (
  <LateSkeleton label="Loading">
    <Skeleton height={30} width={narrow ? '100%' : 240} mb={12} />
    {narrow ? (
      Array.from({ length: rows }, (_, row) => (
        <Box key={row} className={look.framed} mb={8} p="10px 12px">
          <Skeleton height={14} width="60%" />
          <Skeleton height={12} mt={10} width="80%" />
        </Box>
      ))
    ) : (
      <div className={look.framed}>
        <Cells columns={columns} height={32} bar={10} />
        {Array.from({ length: rows }, (_, row) => (
          <Cells key={row} columns={columns} height={36} bar={14} />
        ))}
      </div>
    )}
  </LateSkeleton>
);

const Cells = ({ columns, height, bar }: { columns: number; height: number; bar: number }) => (
  <Flex h={height} px={12} gap={24} align="center" className={styles.row}>
    {Array.from({ length: columns }, (_cell, column) => (
      <Skeleton key={column} height={bar} flex={column === 0 ? 1.4 : 1} />
    ))}
  </Flex>
);
