import { SegmentedControl } from '@mantine/core';
import { environments } from '@quarterdeck/events';
import { useSearchParams } from 'react-router';
import { withParams } from '../../ui/params';
import { envIn, envName } from './variable-words';

/** Chooses the environment in the address. */
export const EnvironmentSwitch = () => {
  const [search, setSearch] = useSearchParams();
  return (
    <SegmentedControl
      aria-label="Environment"
      size="xs"
      value={envName(envIn(search))}
      data={[...environments]}
      onChange={(name) =>
        setSearch(
          (latest) =>
            withParams(latest, { env: name === environments[0] ? undefined : name, page: undefined }),
          { preventScrollReset: true },
        )
      }
    />
  );
};
