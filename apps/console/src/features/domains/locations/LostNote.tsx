/** Says what somebody else deleted during editing, and where the input can be added instead. */
import { Alert } from '@mantine/core';
import type { DomainView, LocationView } from '@quarterdeck/projections';
import { domainChoices } from '../../../records/choices';
import { ChoiceInput } from '../../../ui/choice';

export type Lost = 'location' | 'domain';

interface LostNoteProps {
  lost: Lost;
  domain: DomainView;
  /** Absent for a new location. */
  location: LocationView | undefined;
  /** Id of the other domain to add the location to; `''` while none is chosen. */
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
      style={{ gridColumn: '1 / -1' }}
      title={`${what} was deleted meanwhile`}
    >
      {lost === 'location' ? (
        'Your input is still here: add it as a new location, or cancel.'
      ) : (
        <>
          Its locations were deleted with it. Your input is still here: you can add it to another domain.
          <ChoiceInput
            label="Add it to"
            mt="xs"
            from={domainChoices}
            without={domain.id}
            empty="choose a domain"
            value={other}
            onChange={onOther}
          />
        </>
      )}
    </Alert>
  );
};
