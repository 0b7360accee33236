/** Archives that the plan no longer keeps, and that could not be removed. */
import { Alert } from '@mantine/core';
import type { BackupsView } from '@quarterdeck/projections';
import { IconAlertCircle } from '@tabler/icons-react';
import { count } from '../../ui/count';

const MAX_NAMES = 5;

export const NotRemoved = ({ places }: { places: BackupsView['notRemoved'] }) =>
  places.map(({ place, names, reason }) => (
    <Alert
      key={place}
      color="yellow"
      variant="light"
      my="md"
      icon={<IconAlertCircle size={18} aria-hidden />}
      title={`${count(names.length, 'archive')} that the plan no longer keeps could not be removed`}
    >
      {reason}. It is tried again after each backup. In {place}: {names.slice(0, MAX_NAMES).join(', ')}
      {names.length > MAX_NAMES && ` and ${names.length - MAX_NAMES} more`}.
    </Alert>
  ));
