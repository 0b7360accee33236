/** The packages of a service; each can be deployed. */
import { servicePackage } from '@quarterdeck/events';
import { IconPackage } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { RecordArea } from '../../records/kit';

interface PackagesProps {
  /** Path of the package list. */
  base: string;
  /** Service id. */
  service: string;
  /** Shown instead of the kit's table: the packages with their deploys. */
  list: ReactNode;
}

export const ServicePackages = ({ base, service, list }: PackagesProps) => (
  <RecordArea
    noun={servicePackage}
    base={base}
    parents={{ service }}
    icon={IconPackage}
    empty="A package is one version of the service that can be deployed."
    consequences="Containers that run it keep running. You can undo this."
    list={list}
  />
);
