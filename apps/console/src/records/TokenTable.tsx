/** Tokens with which something outside reaches the console. Each can be revoked after a question. */
import { Button } from '@mantine/core';
import { IconKey } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { DisabledInPast } from '../core/as-of/in-past';
import { DataTable, type Column } from '../ui/DataTable';
import { EmptyState } from '../ui/EmptyState';
import type { QueryLike } from '../ui/query';
import type { Act } from '../ui/use-action';

interface Token {
  id: string;
  fingerprint: string;
}

interface TokenTableProps<T extends Token> {
  label: string;
  query: QueryLike<readonly T[]>;
  columns: readonly Column<T>[];
  act: Act;
  revoke: (token: { id: string }) => Promise<unknown>;
  /** What no longer works after a revocation, as a sentence. */
  consequences: string;
  /** Said while there are none: what a token is for. */
  purpose?: ReactNode;
}

export const TokenTable = <T extends Token>({
  label,
  query,
  columns,
  act,
  revoke,
  consequences,
  purpose = 'Tokens with their last use will appear here.',
}: TokenTableProps<T>) => {
  const onRevoke = ({ id, fingerprint }: T) =>
    act({
      ask: {
        title: `Revoke ${fingerprint}?`,
        body: `${consequences} This cannot be undone.`,
        confirmLabel: 'Revoke token',
        danger: true,
      },
      send: () => revoke({ id }),
      done: `${fingerprint} was revoked.`,
      failed: 'The token was not revoked',
    });
  return (
    <DataTable
      label={label}
      query={query}
      columns={columns}
      rowKey={({ id }) => id}
      actions={(token) => (
        <DisabledInPast>
          <Button
            variant="subtle"
            color="red"
            aria-label={`Revoke ${token.fingerprint}`}
            onClick={() => void onRevoke(token)}
          >
            Revoke
          </Button>
        </DisabledInPast>
      )}
      empty={
        <EmptyState title="No tokens yet" icon={IconKey}>
          {purpose}
        </EmptyState>
      }
    />
  );
};
