/** The data model of a product as a graph: its entities alone, or with their fields. */
import { Group, NativeSelect, TextInput } from '@mantine/core';
import { entities, versions, type Answer } from '@quarterdeck/contract';
import { IconSchema, IconTable } from '@tabler/icons-react';
import { useCallback, useMemo, useState } from 'react';
import { useSearchParams } from 'react-router';
import { useAnswer } from '../../core/calls';
import type { ProductAreaProps } from '../../records/kit';
import { Action } from '../../ui/Action';
import { DataView } from '../../ui/DataView';
import { EmptyState } from '../../ui/EmptyState';
import { PageHeader } from '../../ui/PageHeader';
import { fromLocalInput, toLocalInput } from '../../ui/local-time';
import { withParams } from '../../ui/params';
import { TIME_ZONE } from '../../ui/time-zone';
import { Graph, signOf } from '../../ui/graph';
import look from '../../ui/look.module.css';

interface ModelGraphProps extends ProductAreaProps {
  withFields: boolean;
}

/** URL parameter with the point to compare with: a position in the history or an instant. */
const SINCE = 'since';
const INSTANT = 'instant';

const title = { true: 'Schema', false: 'Graph' } as const;

export const ModelGraph = ({ product, base, withFields }: ModelGraphProps) => {
  const [params] = useSearchParams();
  const since = params.get(SINCE);
  const query = useAnswer(entities.visualization, { product: { id: product }, ...(since && { since }) });
  const name = title[`${withFields}`];
  const reading = (
    <>
      <Action variant="default" icon={IconTable} does={base}>
        List
      </Action>
      <Action variant="default" icon={IconSchema} does={`${base}/${withFields ? 'graph' : 'schema'}`}>
        {title[`${!withFields}`]}
      </Action>
    </>
  );
  return (
    <>
      <PageHeader title={name} count={query.data?.dataModel.length} reading={reading} />
      <Since product={product} />
      <DataView query={query} what={name}>
        {({ dataModel, relations }) =>
          dataModel.length === 0 ? (
            <EmptyState title="No entities yet" icon={IconSchema}>
              Entities will appear here as boxes, and foreign keys as arrows.
            </EmptyState>
          ) : (
            <>
              {since && <Counted dataModel={dataModel} relations={relations} />}
              <Drawing
                entities={dataModel}
                relations={relations}
                withFields={withFields}
                base={base}
                name={name}
              />
            </>
          )
        }
      </DataView>
    </>
  );
};

interface DrawingProps {
  name: string;
  base: string;
  entities: Compared['dataModel'];
  relations: Compared['relations'];
  withFields: boolean;
}

const Drawing = ({ name, base, entities: boxes, relations, withFields }: DrawingProps) => {
  const drawn = useMemo(
    () => ({
      boxes: boxes.map((box) => ({ ...box, lines: withFields ? box.fields : [] })),
      arrows: relations,
    }),
    [boxes, relations, withFields],
  );
  const to = useCallback((id: string) => `${base}/${id}/detail`, [base]);
  return <Graph label={name} what="an entity" drawn={drawn} to={to} fileName={name.toLowerCase()} />;
};

/** Selects the point to compare with. A version stands for the position at which it was generated. */
const Since = ({ product }: { product: string }) => {
  const { data: all = [] } = useAnswer(versions.list, { id: product });
  const [params, setParams] = useSearchParams();
  const since = params.get(SINCE) ?? '';
  const isVersion = all.some(({ madeAt }) => madeAt === since);
  const [isTyping, setTyping] = useState(since !== '' && !/^\d+$/.test(since));
  const choose = (value: string): void =>
    setParams((latest) => withParams(latest, { [SINCE]: value || undefined }), { replace: true });
  return (
    <Group align="end" gap="xs" mb="xs">
      <NativeSelect
        size="xs"
        label="Changes since"
        value={isTyping ? INSTANT : since}
        data={[
          { value: '', label: 'Not shown' },
          ...all.map(({ sequenceIndex, madeAt }) => ({ value: madeAt, label: `Version ${sequenceIndex}` })),
          ...(since === '' || isVersion || isTyping ? [] : [{ value: since, label: `Position ${since}` }]),
          { value: INSTANT, label: 'Day and time' },
        ]}
        onChange={({ currentTarget: { value } }) => {
          setTyping(value === INSTANT);
          choose(value === INSTANT ? '' : value);
        }}
      />
      {isTyping && (
        <TextInput
          size="xs"
          type="datetime-local"
          label={`Day and time, ${TIME_ZONE}`}
          step={1}
          value={toLocalInput(since, 'seconds')}
          onChange={({ currentTarget: { value } }) => choose(fromLocalInput(value) ?? '')}
        />
      )}
    </Group>
  );
};

type Compared = Answer<typeof entities.visualization>;

const Counted = ({ dataModel, relations }: Compared) => {
  const all = [...dataModel.flatMap((one) => [one, ...one.fields]), ...relations];
  const kinds = ['added', 'removed', 'changed'] as const;
  const counts = kinds.map((kind) => [kind, all.filter(({ change }) => change === kind).length] as const);
  return (
    <Group component="ul" className={look.list} gap="4px 16px" mb={8} aria-label="Changes">
      {counts.every(([, number]) => number === 0) && <li>Nothing was changed.</li>}
      {counts.map(
        ([kind, number]) =>
          number > 0 && (
            <li key={kind} data-change={kind}>
              {signOf({ change: kind })}
              {number.toLocaleString('en')} {kind}
            </li>
          ),
      )}
    </Group>
  );
};
