/** The instances of a product as cards. */
import { Text } from '@mantine/core';
import { apiInstances, type DescribedApi } from '@quarterdeck/contract';
import { IconApi, IconPlus } from '@tabler/icons-react';
import { Link, useNavigate } from 'react-router';
import { useAnswer } from '../../core/calls';
import { useShortcut } from '../../core/shortcuts';
import { EnvBadge } from '../../records/EnvBadge';
import { DisabledInPast } from '../../core/as-of/in-past';
import { Action } from '../../ui/Action';
import { Card } from '../../ui/Card';
import { Tiles } from '../../ui/Columns';
import { DataView } from '../../ui/DataView';
import { EmptyState } from '../../ui/EmptyState';
import { Note } from '../../ui/Note';
import { PageHeader } from '../../ui/PageHeader';
import look from '../../ui/look.module.css';
import { SERVING } from './serving';

const InstanceCard = ({ base, of }: { base: string; of: DescribedApi }) => {
  const { uuid, title, instance, env, endpointCount, description } = of;
  return (
    <Card
      least={3}
      title={
        <Link className={look.plainLink} to={`${base}/${uuid}/detail`}>
          {title}
        </Link>
      }
      actions={<EnvBadge id={env} />}
    >
      <Note>
        {instance.name} · {endpointCount === 1 ? '1 endpoint' : `${endpointCount} endpoints`}
      </Note>
      {description !== '' && (
        <Text className={look.wrap} lineClamp={3} mt={8}>
          {description}
        </Text>
      )}
    </Card>
  );
};

export const InstanceCards = ({ base, product }: { base: string; product: string }) => {
  const navigate = useNavigate();
  const query = useAnswer(apiInstances.list, { product: { id: product } });
  useShortcut('n', () => void navigate(`${base}/add`));
  const add = (
    <Action icon={IconPlus} does={`${base}/add`}>
      Add instance
    </Action>
  );
  return (
    <>
      <PageHeader
        title="Instances of the generated API"
        count={query.data?.length}
        description={SERVING}
        actions={query.data?.length ? add : undefined}
      />
      <DataView query={query} what="Instances">
        {(all) =>
          all.length === 0 ? (
            <EmptyState
              icon={IconApi}
              title="No instances yet"
              action={<DisabledInPast>{add}</DisabledInPast>}
            >
              An instance describes an API over the data model of this product: its endpoints, who may call
              them, and how its users sign in.
            </EmptyState>
          ) : (
            <Tiles component="ul" className={look.list} min={280} gap={12} aria-label="Instances">
              {all.map((one) => (
                <li key={one.uuid}>
                  <InstanceCard base={base} of={one} />
                </li>
              ))}
            </Tiles>
          )
        }
      </DataView>
    </>
  );
};
