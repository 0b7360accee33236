/** What somebody else deleted while it was edited, and where what was typed can go. */
import { Alert, NativeSelect } from '@mantine/core';
import { domains as domainCalls } from '@quarterdeck/contract';
import type { DomainView, LocationView } from '@quarterdeck/projections';
import { useAnswer } from '../../../core/calls';
import classes from '../domains.module.css';

export type Lost = 'location' | 'domain';

interface LostNoteProps {
  lost: Lost;
  domain: DomainView;
  /** Absent for a new one. */
  location: LocationView | undefined;
  /** Of another domain: where it is to be added; `''` while none is chosen. */
  other: string;
  onOther: (domain: string) => void;
}

export const LostNote = ({ lost, domain, location, other, onOther }: LostNoteProps) => {
  const what = lost === 'domain' ? domain.serverName : (location?.location ?? '');
  return (
    <Alert
      role="alert"
      color="yellow"
      variant="light"
      className={classes.lost}
      title={`${what} was deleted meanwhile`}
    >
      {lost === 'location' ? (
        'What you typed is still here: add it as a new location, or cancel.'
      ) : (
        <>
          Its locations went with it. What you typed is still here, and can be added to another domain.
          <Domains without={domain.id} chosen={other} onChoose={onOther} />
        </>
      )}
    </Alert>
  );
};

interface DomainsProps {
  without: string;
  chosen: string;
  onChoose: (domain: string) => void;
}

const Domains = ({ without, chosen, onChoose }: DomainsProps) => {
  const { data: domains = [] } = useAnswer(domainCalls.list);
  return (
    <NativeSelect
      label="Add it to"
      mt="xs"
      value={chosen}
      onChange={(event) => onChoose(event.currentTarget.value)}
      data={[
        { value: '', label: 'choose a domain' },
        ...domains.flatMap(({ id, serverName }) =>
          id === without ? [] : [{ value: id, label: serverName }],
        ),
      ]}
    />
  );
};
