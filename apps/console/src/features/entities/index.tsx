/** The data model of a product: entities, their attributes and the references between them. */
import { Box, Code } from '@mantine/core';
import { columnOfRecord, partWords, tableOf } from '@quarterdeck/data-model';
import { attribute, entity, type ValuesOf } from '@quarterdeck/events';
import { IconColumns3, IconCopy, IconDatabaseImport, IconSchema, IconSitemap } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { Link, Route } from 'react-router';
import { below } from '../../core/paths';
import { Associated, useUses } from '../../records/Associated';
import { RecordArea, type Cells, type ProductAreaProps, type View } from '../../records/kit';
import { Action } from '../../ui/Action';
import { overlayPart } from '../../ui/part';
import { RequireRole } from '../../ui/RequireRole';
import { ImportPage } from './ImportPage';
import { ModelGraph } from './ModelGraph';

const DuplicateEntity = overlayPart(() =>
  import('./DuplicateEntity').then((all) => ({ default: all.DuplicateEntity })),
);

const ways = [
  { to: 'graph', label: 'Graph', icon: IconSitemap },
  { to: 'schema', label: 'Schema', icon: IconSchema },
  { to: 'import', label: 'Import', icon: IconDatabaseImport },
];

/** A name that is derived from that of the record as long as none is given. */
const identifier = (given: string, derived: string) =>
  given || (
    <Box component="span" c="dimmed" title="Derived from the name">
      {derived}
    </Box>
  );

const entityCells: Cells = {
  table: (view) => {
    const recorded = view as unknown as ValuesOf<typeof entity>;
    return identifier(recorded.table, tableOf(recorded));
  },
  // The switch says nothing about an imported table, which keeps the key that it has.
  isUuid: (view) => {
    const { native } = view as unknown as ValuesOf<typeof entity>;
    return native && <>{native.key.length === 0 ? 'no key' : `as imported: ${native.key.join(', ')}`}</>;
  },
  native: (view) => {
    const { native } = view as unknown as ValuesOf<typeof entity>;
    if (!native) return <>nothing</>;
    const { options, parts } = native;
    return (
      <>
        {[...(options === undefined ? [] : [options]), ...parts.map(partWords)].map((words) => (
          <Code key={words} display="block">
            {words}
          </Code>
        ))}
      </>
    );
  },
};

interface EntitiesProps extends ProductAreaProps {
  /** The address of the product's option sets. */
  optionSets: string;
}

export const Entities = ({ base, product, optionSets }: EntitiesProps) => {
  const uses = useUses();
  /** What is copied; undefined until the dialog is opened first. */
  const [copied, setCopied] = useState<{ of?: View }>();
  return (
    <>
      {copied && <DuplicateEntity of={copied.of} base={base} onClose={() => setCopied({})} />}
      <RecordArea
        noun={entity}
        base={base}
        opensAt={below.attribute}
        parents={{ product }}
        icon={IconSchema}
        empty="An entity becomes a table, and its attributes become columns."
        consequences="Its attributes go with it. You can undo this."
        uses={uses}
        cells={entityCells}
        actions={(view) => [
          {
            label: 'Duplicate entity',
            icon: <IconCopy size={16} />,
            disabledReason: view['native']
              ? 'It was imported: its keys and indexes belong to one table.'
              : undefined,
            onClick: () => setCopied({ of: view }),
          },
        ]}
        reading={ways.map(({ to, label, icon }) => (
          <Action key={to} variant="default" icon={icon} does={`${base}/${to}`}>
            {label}
          </Action>
        ))}
        pages={
          <>
            <Route
              path="import"
              element={
                <RequireRole least="admin">
                  <ImportPage base={base} product={product} />
                </RequireRole>
              }
            />
            <Route path="graph" element={<ModelGraph product={product} base={base} withFields={false} />} />
            <Route path="schema" element={<ModelGraph product={product} base={base} withFields />} />
          </>
        }
        tabs={({ view: { id } }) => [
          {
            id: below.attribute,
            label: 'Attributes',
            area: true,
            content: () => <Attributes base={base} product={product} optionSets={optionSets} entityId={id} />,
          },
          {
            id: 'associated',
            label: 'Associated entities',
            content: () => <Associated id={id} entities={base} />,
          },
        ]}
      />
    </>
  );
};

const Attributes = ({ base, product, optionSets, entityId }: EntitiesProps & { entityId: string }) => {
  const cells = useMemo(
    (): Cells => ({
      column: (view) => {
        const recorded = view as unknown as ValuesOf<typeof attribute>;
        return identifier(recorded.column, columnOfRecord(recorded));
      },
      native: (view) => {
        const { native } = view as unknown as ValuesOf<typeof attribute>;
        return native ? <Code>{[native.type, native.rest].join(' ').trim()}</Code> : <>nothing</>;
      },
      foreignEntity: ({ foreignEntity: to }) => <Reference to={to} at={(id) => `${base}/${id}/detail`} />,
      modelOptionSet: ({ modelOptionSet: to }) => (
        <Reference to={to} at={(id) => `${optionSets}/${id}/edit`} />
      ),
    }),
    [base, optionSets],
  );
  return (
    <RecordArea
      noun={attribute}
      base={`${base}/${entityId}/detail/${below.attribute}`}
      parents={{ product, entity: entityId }}
      icon={IconColumns3}
      empty="Attributes become columns of the table, in an order that you choose."
      consequences="The next version drops its column. You can undo this until then."
      onCard={onCard}
      cells={cells}
      derived={derived}
    />
  );
};

const derived = {
  column: ({ name = '', type }: Readonly<Record<string, unknown>>) =>
    name === '' ? undefined : columnOfRecord({ name: String(name), column: '', type: Number(type) }),
};

const onCard = ['column', 'type'] as const;

/** Link to the referenced entity or option set. A deleted one has no name and no page. */
const Reference = ({ to, at }: { to: unknown; at: (id: string) => string }) => {
  const target = to as { id: string; name?: string } | null;
  if (!target) return <>none</>;
  return target.name === undefined ? <>deleted</> : <Link to={at(target.id)}>{target.name}</Link>;
};
