/** Compares a version with another one in either direction, or with the current model. */
import { Button, Group, NativeSelect } from '@mantine/core';
import { IconArrowsExchange } from '@tabler/icons-react';
import { versions } from '@quarterdeck/contract';
import { useState } from 'react';
import { useAnswer } from '../../core/calls';
import { DataView } from '../../ui/DataView';
import { Difference } from './Difference';

const NOW = 'now';

export const CompareTab = ({ product, version }: { product: string; version: number }) => {
  const { data: all = [] } = useAnswer(versions.list, { id: product });
  const before = all.find(({ sequenceIndex }) => sequenceIndex < version)?.sequenceIndex ?? 0;
  const [chosen, setChosen] = useState<{ from: string; to: string }>();
  const { from, to } = chosen ?? { from: String(before), to: String(version) };
  const query = useAnswer(versions.difference, {
    product: { id: product },
    from: Number(from),
    ...(to !== NOW && { to: Number(to) }),
  });
  const choices = [
    { value: '0', label: 'Nothing' },
    ...all.map(({ sequenceIndex }) => ({
      value: String(sequenceIndex),
      label: `Version ${sequenceIndex}`,
    })),
  ];
  return (
    <>
      <Group align="end" gap="xs" mb="md">
        <NativeSelect
          label="From"
          data={choices}
          value={from}
          onChange={({ currentTarget: { value } }) => setChosen({ from: value, to })}
        />
        <NativeSelect
          label="To"
          data={[...choices, { value: NOW, label: 'Now' }]}
          value={to}
          onChange={({ currentTarget: { value } }) => setChosen({ from, to: value })}
        />
        <Button
          variant="default"
          leftSection={<IconArrowsExchange size={16} aria-hidden />}
          disabled={to === NOW}
          title={to === NOW ? 'Generate a version first: there is a way back only from a version' : undefined}
          onClick={() => setChosen({ from: to, to: from })}
        >
          Reverse
        </Button>
      </Group>
      <DataView query={query} what="Difference">
        {(difference) => <Difference difference={difference} nothing="These two are the same." />}
      </DataView>
    </>
  );
};
