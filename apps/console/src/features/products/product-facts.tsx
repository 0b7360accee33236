/** The key facts of a product: what runs of it, its newest version, and what waits for the next one. */
import { Flex } from '@mantine/core';
import { deploys, versions } from '@quarterdeck/contract';
import { product as productNoun } from '@quarterdeck/events';
import { Link } from 'react-router';
import { useAnswer } from '../../core/calls';
import { plainPath } from '../../core/paths';
import { ReleaseState } from '../../records/verdicts';
import { count } from '../../ui/count';
import type { KeyFact } from '../../ui/DetailPage';

const UNKNOWN = '…';

const Running = ({ product }: { product: string }) => {
  const { data } = useAnswer(deploys.running, { product: { id: product } });
  if (data === undefined) return UNKNOWN;
  if (data.length === 0) return 'Nothing yet';
  return (
    <Flex component="span" wrap="wrap" gap="4px 12px">
      {data.map((one) => (
        <span key={one.id}>
          {one.service.name} {one.package.version} <ReleaseState release={one} />
        </span>
      ))}
    </Flex>
  );
};

const NewestVersion = ({ product }: { product: string }) => {
  const { data } = useAnswer(versions.pending, { id: product });
  return data === undefined ? UNKNOWN : data.last > 0 ? data.last : 'None yet';
};

const PendingChanges = ({ product }: { product: string }) => {
  const { data } = useAnswer(versions.pending, { id: product });
  if (data === undefined) return UNKNOWN;
  if (data.changes.length === 0) return 'None';
  return (
    <Link to={plainPath(productNoun, product, 'version')}>
      {count(data.changes.length, 'pending change')}
    </Link>
  );
};

export const productFacts = (product: string): readonly KeyFact[] => [
  { label: 'Running', value: <Running product={product} /> },
  { label: 'Newest version', value: <NewestVersion product={product} /> },
  { label: 'For the next version', value: <PendingChanges product={product} /> },
];
