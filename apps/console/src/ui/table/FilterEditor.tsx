import { Group, MultiSelect, Select, TextInput } from '@mantine/core';
import { parseCategories, parseRange } from '@quarterdeck/projections';
import { useLayoutEffect, useRef, type ReactNode } from 'react';
import type { Column } from './columns';
import { writeCategories, writeRange } from './filters';

interface FilterEditorProps {
  header: string;
  kind: NonNullable<Column<never>['filter']>;
  /** Values that occur in the column; called only for filters that offer a choice. */
  choices: () => string[];
  value: string;
  onChange: (value: string) => void;
}

/** Loaded when the first filter is opened. */
export default function FilterEditor(props: FilterEditorProps) {
  return <Focused>{props.kind === 'number' ? <Range {...props} /> : <Value {...props} />}</Focused>;
}

/** Focuses the first input. The popover does that only when it opens, and this may load later. */
function Focused({ children }: { children: ReactNode }) {
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => box.current?.querySelector('input')?.focus(), []);
  return <div ref={box}>{children}</div>;
}

const numberOf = (typed: string): number | undefined => parseRange(typed).min;

function Range({ header, value, onChange }: FilterEditorProps) {
  const { min, max } = parseRange(value);
  const shared = { size: 'xs', inputMode: 'numeric', w: 110 } as const;
  return (
    <Group gap={8} wrap="nowrap">
      <TextInput
        {...shared}
        label={`${header} from`}
        defaultValue={min ?? ''}
        onChange={(event) => onChange(writeRange(numberOf(event.currentTarget.value), max))}
      />
      <TextInput
        {...shared}
        label="to"
        defaultValue={max ?? ''}
        onChange={(event) => onChange(writeRange(min, numberOf(event.currentTarget.value)))}
      />
    </Group>
  );
}

function Value({ header, kind, choices, value, onChange }: FilterEditorProps) {
  const choice = { size: 'xs', searchable: true, comboboxProps: { withinPortal: false } } as const;
  if (kind === 'select') {
    return (
      <Select
        {...choice}
        label={`${header} is`}
        data={choices()}
        value={value === '' ? null : value}
        onChange={(next) => onChange(next ?? '')}
      />
    );
  }
  if (kind === 'category') {
    return (
      <MultiSelect
        {...choice}
        label={`${header} is any of`}
        data={choices()}
        value={parseCategories(value)}
        onChange={(next) => onChange(writeCategories(next))}
      />
    );
  }
  return (
    <TextInput
      label={`${header} contains`}
      size="xs"
      // Uncontrolled, since the address follows a moment later and would move the caret.
      defaultValue={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
