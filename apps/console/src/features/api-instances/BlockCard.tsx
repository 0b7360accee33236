/** One block of an endpoint, to read or to edit. */
import { Checkbox, Group, NativeSelect, SegmentedControl, Textarea, TextInput } from '@mantine/core';
import { CRUD_TYPES, type ApiModel } from '@quarterdeck/api';
import { IconArrowDown, IconArrowUp, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { DisabledInPast } from '../../core/as-of/in-past';
import { Action } from '../../ui/Action';
import { Card } from '../../ui/Card';
import { Stacked, Columns } from '../../ui/Columns';
import { confirmAction } from '../../ui/confirm';
import { Dim, TextBlock } from '../../ui/Note';
import look from '../../ui/look.module.css';
import { namesFor } from './completions';
import {
  isCrud,
  mayConcernAll,
  shownParts,
  type BlockDraft,
  type EndpointDraft,
  type JsonKey,
} from './endpoint-draft';
import { JsonInput } from './JsonInput';

const SNIPPET = 'snippet';
const types = [
  ...CRUD_TYPES.map((type) => ({ value: type as string, label: type as string })),
  { value: SNIPPET, label: 'code snippet' },
];

/** Of a field whose JSON is more than a number. */
const ROWS = 10;
const labels: Record<JsonKey, { label: string; placeholder: string; rows: number }> = {
  filters: { label: 'Filters', placeholder: '{ "id": { "$": "params.id" } }', rows: ROWS },
  data: { label: 'Data', placeholder: '{ "name": { "$": "body.name" } }', rows: ROWS },
  each: { label: 'Each', placeholder: '{ "$": "body.lines" }', rows: ROWS },
  projection: { label: 'Projection', placeholder: '["id", "name"]', rows: ROWS },
  references: { label: 'References', placeholder: '{ "customer": { "projection": ["name"] } }', rows: ROWS },
  order: { label: 'Order', placeholder: '{ "by": "name", "desc": true }', rows: ROWS },
  skip: { label: 'Skip', placeholder: '{ "$": "query.skip", "default": 0 }', rows: 1 },
  take: { label: 'Take', placeholder: '25', rows: 1 },
};

interface BlockCardProps {
  at: number;
  block: BlockDraft;
  /** As it is now, for its view; without what is not JSON. */
  read: unknown;
  draft: EndpointDraft;
  model: ApiModel | undefined;
  /** What is wrong with a field of the block, or with something in it. */
  says: (field: string) => string | undefined;
  startsOpen: boolean;
  onChange: (block: BlockDraft) => void;
  onMove: (by: 1 | -1) => void;
  onRemove: () => void;
}

export const BlockCard = (props: BlockCardProps) => {
  const { at, block, read, draft, model, says, startsOpen, onChange, onMove, onRemove } = props;
  const [isOpen, open] = useState(startsOpen);
  const set = (change: Partial<BlockDraft>): void => onChange({ ...block, ...change });
  const remove = async (): Promise<void> => {
    const isSure = await confirmAction({
      title: `Delete block ${at + 1}?`,
      body: 'Are you sure you would like to delete this block?',
      confirmLabel: 'Delete block',
      danger: true,
    });
    if (isSure) onRemove();
  };
  const wrong = says('');
  const entities = [...(model?.entities.keys() ?? [])];
  const title = (
    <>
      Block {at + 1} <Dim fw={400}>{block.name === '' ? block.type : `${block.type}, ${block.name}`}</Dim>
    </>
  );
  return (
    <Card
      aria-label={`Block ${at + 1}`}
      title={title}
      least={3}
      actions={
        <Group gap={8}>
          <SegmentedControl
            aria-label={`Mode of block ${at + 1}`}
            size="xs"
            value={isOpen ? 'edit' : 'view'}
            onChange={(mode) => open(mode === 'edit')}
            data={[
              { value: 'view', label: 'View' },
              { value: 'edit', label: 'Edit' },
            ]}
          />
          <DisabledInPast>
            <Action icon={IconArrowUp} variant="default" disabled={at === 0} does={() => onMove(-1)}>
              Up
            </Action>
            <Action
              icon={IconArrowDown}
              variant="default"
              disabled={at === draft.blocks.length - 1}
              does={() => onMove(1)}
            >
              Down
            </Action>
            <Action icon={IconTrash} color="red" variant="light" does={remove}>
              Delete block
            </Action>
          </DisabledInPast>
        </Group>
      }
    >
      {isOpen ? (
        <Stacked gap={12}>
          <Columns>
            <NativeSelect
              label="Type"
              value={block.type}
              error={types.some(({ value }) => value === block.type) ? undefined : 'Type unknown'}
              onChange={({ currentTarget }) => set({ type: currentTarget.value })}
              data={types}
            />
            {isCrud(block.type) && (
              <NativeSelect
                label="Entity"
                value={block.entity}
                error={says('entity')}
                onChange={({ currentTarget }) => set({ entity: currentTarget.value })}
                data={[...new Set(['', ...entities, block.entity])]}
              />
            )}
          </Columns>
          <TextInput
            label="Name"
            description="Later blocks read the result as chain.name. If empty, by its number."
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            autoComplete="off"
            value={block.name}
            error={says('name')}
            onChange={({ currentTarget }) => set({ name: currentTarget.value })}
          />
          {block.type === SNIPPET && (
            <Textarea
              label="Code (TypeScript)"
              description="Give the body a shape if its values get into filters: without one, a caller can send an operator instead of a value."
              inputWrapperOrder={['label', 'input', 'description', 'error']}
              rows={20}
              resize="vertical"
              spellCheck={false}
              classNames={{ input: look.mono ?? '' }}
              value={block.ts}
              error={says('ts')}
              onChange={({ currentTarget }) => set({ ts: currentTarget.value })}
            />
          )}
          {shownParts(block.type).map((part) => (
            <JsonInput
              key={part}
              {...labels[part]}
              names={namesFor(part, model, draft, at)}
              value={block[part]}
              error={says(part)}
              onChange={(text) => set({ [part]: text })}
            />
          ))}
          {mayConcernAll(block.type) && (
            <Checkbox
              label="All rows, if the filters are empty"
              checked={block.all}
              onChange={({ currentTarget }) => set({ all: currentTarget.checked })}
            />
          )}
          <JsonInput
            label="Block mapping"
            help="Names of values of the request or of earlier blocks, which this block reads as in.name."
            placeholder='{ "order": { "$": "chain.order.id" } }'
            rows={6}
            names={namesFor('chainBlockMap', model, draft, at)}
            value={block.chainBlockMap}
            error={says('chainBlockMap')}
            onChange={(chainBlockMap) => set({ chainBlockMap })}
          />
        </Stacked>
      ) : (
        <>
          {wrong !== undefined && <Dim c="red">{wrong}</Dim>}
          <TextBlock>{JSON.stringify(read, undefined, 2)}</TextBlock>
        </>
      )}
    </Card>
  );
};
