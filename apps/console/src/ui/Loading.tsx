import { Skeleton } from '@mantine/core';
import { useEffect, useState, type ReactNode } from 'react';

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

export function Loading({ lines = 4, label = 'Loading' }: { lines?: number; label?: string }) {
  return (
    <LateSkeleton label={label}>
      {Array.from({ length: lines }, (_, line) => (
        <Skeleton key={line} height={14} mt={12} width={`${90 - ((line * 17) % 40)}%`} />
      ))}
    </LateSkeleton>
  );
}

export function TableSkeleton({ columns, rows = 8 }: { columns: number; rows?: number }) {
  return (
    <LateSkeleton label="Loading">
      <Skeleton height={30} width={240} mb={12} />
      {Array.from({ length: rows }, (_, row) => (
        <div
          key={row}
          style={{
            display: 'flex',
            gap: 24,
            padding: '11px 10px',
            borderTop: '1px solid var(--qd-border)',
          }}
        >
          {Array.from({ length: columns }, (_cell, column) => (
            <Skeleton key={column} height={14} style={{ flex: column === 0 ? 1.4 : 1 }} />
          ))}
        </div>
      ))}
    </LateSkeleton>
  );
}
