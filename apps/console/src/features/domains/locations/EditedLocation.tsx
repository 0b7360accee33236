/**
 * The editor of the location named in the URL. It stays open with the typed values when somebody else deletes the
 * location or its domain.
 */
import { apiInstances, callsOf, packagePulls, type ApiAddress } from '@quarterdeck/contract';
import { service } from '@quarterdeck/events';
import type { PackagePullView, DomainView, LocationView } from '@quarterdeck/projections';
import { useMemo, useState } from 'react';
import { useAnswer } from '../../../core/calls';
import { NEW_LOCATION, useLocationInAddress } from './location-in-address';
import { LocationEditor } from './LocationEditor';

const none: PackagePullView[] = [];
const noApis: ApiAddress[] = [];

interface EditedLocationProps {
  /** The domain as last loaded. */
  domain: DomainView;
  /** Whether the domain was deleted. */
  gone: boolean;
}

export const EditedLocation = ({ domain, gone }: EditedLocationProps) => {
  const { wanted, go } = useLocationInAddress();
  const { data: packages = none } = useAnswer(packagePulls.list, {
    filters: { server: { id: domain.server.id } },
  });
  const { data: apis = noApis, isLoading } = useAnswer(apiInstances.addresses, {});
  const services = useAnswer(callsOf(service).list, {});
  const [seen, setSeen] = useState<LocationView>();
  const there = domain.locations.find(({ id }) => id === wanted);
  if (there && there !== seen) setSeen(there);
  const edited = there ?? (seen?.id === wanted ? seen : undefined);
  const lost = gone ? 'domain' : edited && !there ? 'location' : undefined;
  const leadsTo = edited?.service?.id;
  const choices = useMemo(
    () => ({
      packages,
      apis,
      services: (services.data ?? []).filter(
        ({ id, server }) => server?.id === domain.server.id || id === leadsTo,
      ),
    }),
    [packages, apis, services.data, domain.server.id, leadsTo],
  );
  return (
    <LocationEditor
      key={wanted ?? 'none'}
      domain={domain}
      choices={choices}
      location={edited}
      lost={lost}
      opened={!isLoading && !services.isLoading && (edited !== undefined || wanted === NEW_LOCATION)}
      onClose={() => go()}
    />
  );
};
