/** What no list of the provider says: what is known on one side only, and what products cost. */
import { Button, Group, TextInput } from '@mantine/core';
import { cloud, type Answer } from '@quarterdeck/contract';
import { product } from '@quarterdeck/events';
import { Fragment, useState, type ReactNode } from 'react';
import { Link } from 'react-router';
import { useAnswer, useChange } from '../../core/calls';
import { DisabledInPast, PresentOnly } from '../../core/as-of/in-past';
import { paths, plainPath } from '../../core/paths';
import { ActionFailure } from '../../records/runs';
import { Card } from '../../ui/Card';
import { DataView } from '../../ui/DataView';
import { Line, Lines } from '../../ui/List';
import { Dim, Mono, Note } from '../../ui/Note';
import { PlainTable } from '../../ui/PlainTable';
import { RelativeTime } from '../../ui/RelativeTime';
import { useAction } from '../../ui/use-action';
import { lifeOf } from './droplet-actions';
import look from '../../ui/look.module.css';

export const Overview = () => (
  <>
    <Card title="Orphans">
      <PresentOnly what="Orphans">
        <Orphans />
      </PresentOnly>
    </Card>
    <Card title="Costs">
      <PresentOnly what="Costs">
        <Costs />
      </PresentOnly>
    </Card>
  </>
);

type Key = Answer<typeof cloud.orphans>['keys'][number];

const Orphans = () => {
  const query = useAnswer(cloud.orphans, {});
  const [deleteKey] = useChange(cloud.keyDelete);
  const { act, busyWith, failure, dismiss } = useAction();
  const removeKey = ({ key, name }: Key) =>
    act({
      ask: {
        title: `Remove the key ${name}?`,
        body: 'It is removed from your DigitalOcean account. Machines that have it already keep it.',
        confirmLabel: 'Remove key',
        danger: true,
      },
      send: () => deleteKey({ key, name }).unwrap(),
      done: `The key ${name} was removed.`,
      failed: `The key ${name} could not be removed`,
      row: String(key),
    });
  return (
    <>
      <ActionFailure failure={failure} onClose={dismiss} />
      <DataView query={query} what="Orphans">
        {({ droplets, servers, keys, databases }) =>
          droplets.length + servers.length + keys.length + databases.length === 0 ? (
            <Note>No orphans: each droplet is a server here, and each server still has its droplet.</Note>
          ) : (
            <Lines aria-label="Orphans">
              {droplets.map(({ id, name, ip, priceMonthly, run }) => (
                <Line key={id}>
                  Droplet{' '}
                  <strong className={look.wrap}>
                    <bdi>{name}</bdi>
                  </strong>{' '}
                  {ip !== undefined && <Mono>{ip}</Mono>} is not a server here, and costs {priceMonthly} USD a
                  month. <Left by={run} />
                </Line>
              ))}
              {servers.map(({ id, name, goneAt }) => (
                <Line key={id}>
                  Server <Link to={paths.server(id)}>{name}</Link> is listed here, but its droplet no longer
                  exists (deleted <RelativeTime at={goneAt} />
                  ).
                </Line>
              ))}
              {databases.map(({ id, name, run }) => (
                <Line key={id}>
                  Database{' '}
                  <strong className={look.wrap}>
                    <bdi>{name}</bdi>
                  </strong>{' '}
                  belongs to no product. <Left by={run} />
                </Line>
              ))}
              {keys.map((key) => (
                <Line key={key.key}>
                  <Group justify="space-between" gap={8}>
                    <span>
                      SSH key <Mono>{key.name}</Mono> is still at DigitalOcean. <Left by={key.run} />
                    </span>
                    <DisabledInPast>
                      <Button
                        size="compact-sm"
                        variant="light"
                        color="red"
                        aria-label={`Remove the key ${key.name}`}
                        loading={busyWith.includes(String(key.key))}
                        onClick={() => void removeKey(key)}
                      >
                        Remove
                      </Button>
                    </DisabledInPast>
                  </Group>
                </Line>
              ))}
            </Lines>
          )
        }
      </DataView>
    </>
  );
};

const Left = ({ by }: { by: string | undefined }): ReactNode =>
  by !== undefined && <Link to={paths.run(by)}>Open the run that left it</Link>;

const usd = new Intl.NumberFormat('en', { style: 'currency', currency: 'USD' });
const thisMonth = (): string => new Date().toISOString().slice(0, 7);

const Costs = () => {
  const [month, setMonth] = useState(thisMonth);
  return (
    <>
      <TextInput
        type="month"
        label="Month"
        w={180}
        mb={12}
        value={month}
        onChange={(event) => setMonth(event.currentTarget.value)}
      />
      {month === '' ? <Note>Choose a month to see its costs.</Note> : <CostsOf month={month} />}
    </>
  );
};

const CostsOf = ({ month }: { month: string }) => {
  const query = useAnswer(cloud.costs, { month });
  return (
    <DataView query={query} what="Costs">
      {({ total, products }) =>
        products.length === 0 ? (
          <Note>
            {month > thisMonth() ? 'This month has not begun.' : 'No droplets cost anything in this month.'}
          </Note>
        ) : (
          <PlainTable label="Costs by product">
            <thead>
              <tr>
                <th>Product</th>
                <th>Droplets</th>
                <th data-numeric>Costs</th>
              </tr>
            </thead>
            <tbody>
              {products.map(({ product: of, name, gone, amount, droplets }) => (
                <tr key={of ?? ''}>
                  <td>
                    {of === undefined ? (
                      <Dim>no product</Dim>
                    ) : gone ? (
                      <Dim>{name} (deleted)</Dim>
                    ) : (
                      <Link to={plainPath(product, of)}>{name}</Link>
                    )}
                  </td>
                  <td className={look.wrap}>
                    {droplets.map((one, at) => (
                      <Fragment key={one.id}>
                        {at > 0 && ', '}
                        <Link to={lifeOf(one.id)}>{one.name}</Link>
                        {one.gone && ' (gone)'} {usd.format(one.amount)}
                      </Fragment>
                    ))}
                  </td>
                  <td data-numeric>{usd.format(amount)}</td>
                </tr>
              ))}
            </tbody>
            <tfoot>
              <tr>
                <td colSpan={2}>Total, without taxes, traffic, backups and databases</td>
                <td data-numeric>{usd.format(total)}</td>
              </tr>
            </tfoot>
          </PlainTable>
        )
      }
    </DataView>
  );
};
