/** The packages of a service: what can be deployed. */
import { servicePackage } from '@quarterdeck/events';
import { IconPackage } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { PlainArea } from '../../records/kit';

interface PackagesProps {
  /** The address of the list. */
  base: string;
  /** The id of the service. */
  service: string;
  /** In place of the table: what was deployed of each. */
  list: ReactNode;
}

export const Packages = ({ base, service, list }: PackagesProps) => (
  <PlainArea
    noun={servicePackage}
    base={base}
    parents={{ service }}
    icon={IconPackage}
    empty="A package is one version of the service that can be deployed."
    consequences="Containers that run it keep running. You can undo this."
    list={list}
  />
);
