/** Edits a location, next to a preview of the resulting configuration. */
import { Alert, Drawer } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { locations as locationCalls } from '@quarterdeck/contract';
import type { DomainView, LocationView } from '@quarterdeck/projections';
import { useCallback, useMemo, useState } from 'react';
import { useChange } from '../../../core/calls';
import { toApiError, type ApiError } from '../../../core/http';
import { useEditBase } from '../../../ui/EditInPlace';
import { ResourceForm } from '../../../ui/ResourceForm';
import { toast } from '../../../ui/toast';
import type { LocationFields } from './location-values';
import {
  draftOf,
  locationFields,
  locationForm,
  newLocation,
  replacing,
  valuesOf,
  type LocationChoices,
} from './location-fields';
import { Preview, usePreview } from './Preview';
import { Columns } from '../../../ui/Columns';
import { domainChoices } from '../../../records/choices';
import { ChoiceInput } from '../../../ui/choice';

interface LocationEditorProps {
  domain: DomainView;
  /** What it can lead to. Keep the object stable between renders. */
  choices: LocationChoices;
  /** Absent for a new location. */
  location: LocationView | undefined;
  /** What somebody else deleted while it was being edited. */
  lost: Lost | undefined;
  opened: boolean;
  onClose: () => void;
}

const PAUSE_MS = 300;

export const LocationEditor = ({ opened, ...editor }: LocationEditorProps) => (
  <Drawer
    opened={opened}
    onClose={editor.onClose}
    position="right"
    size="min(100%, 72rem)"
    title={titleOf(editor)}
  >
    {opened && <Editor {...editor} />}
  </Drawer>
);

type EditorProps = Omit<LocationEditorProps, 'opened'>;

const titleOf = ({ domain: { serverName }, location }: EditorProps): string =>
  location ? `${location.location} of ${serverName}` : `New location of ${serverName}`;

const Editor = ({ domain, choices, location, lost, onClose }: EditorProps) => {
  const [add] = useChange(locationCalls.insert);
  const [update] = useChange(locationCalls.update);
  const { opened, revision, touch } = useEditBase(domain, sameLocation(location?.id));
  const [other, setOther] = useState('');
  const [start] = useState(location);
  const [values, setValues] = useState<Record<string, unknown>>({});
  const onDraft = useCallback((typed: Record<string, unknown>) => setValues(typed), []);
  const [paused] = useDebouncedValue(values, PAUSE_MS);
  const draft = useMemo(() => draftOf(paused, choices.services), [paused, choices]);
  const known = lost ? undefined : location?.id;
  const preview = usePreview(domain, known, draft, lost === 'domain');
  const folder = `${domain.serverName}, in the folder of static files`;
  const fields = useMemo(() => locationFields(folder, choices), [folder, choices]);
  const schema = useMemo(() => locationForm(choices.services), [choices]);
  const edited = locationIn(opened, location?.id) ?? start;
  const initial = useMemo(() => (edited ? valuesOf(edited, choices) : newLocation), [edited, choices]);

  const save = async (data: LocationFields, current: unknown): Promise<void> => {
    if (known === undefined) {
      const to = lost === 'domain' ? other : opened.id;
      if (to === '') throw { status: 400, msg: 'Choose a domain to add it to' };
      await add({ domain: { id: to }, data }).unwrap();
      return;
    }
    try {
      await update({ filters: { id: known }, data: replacing(data), revision: revision(current) }).unwrap();
    } catch (thrown) {
      throw asFormHolds(toApiError(thrown), choices);
    }
  };

  return (
    <Columns widths="minmax(0, 26rem) minmax(0, 1fr)" gap={24}>
      {lost && <LostNote lost={lost} domain={domain} location={location} other={other} onOther={setOther} />}
      <ResourceForm
        label={location ? 'Edit location' : 'Add location'}
        schema={schema}
        fields={fields}
        initial={initial}
        submitLabel={lost ? 'Save as a new location' : location ? 'Save' : 'Save location'}
        onCancel={onClose}
        onDraft={onDraft}
        remarks={preview.remarks}
        onTouched={touch}
        onSubmit={async (data, { current }) => {
          await save(data as LocationFields, current);
          toast.success(`${data.location} was saved. Apply the configuration to make it live.`);
          onClose();
        }}
      />
      {lost !== 'domain' && <Preview preview={preview} typed={draft !== undefined} />}
    </Columns>
  );
};

const locationIn = ({ locations }: DomainView, id: string | undefined): LocationView | undefined =>
  locations.find((location) => location.id === id);

/** Compares only this location: other changes of the domain are no conflict. */
const sameLocation =
  (id: string | undefined) =>
  (a: DomainView, b: DomainView): boolean =>
    JSON.stringify(locationIn(a, id)) === JSON.stringify(locationIn(b, id));

/** Values that someone else saved meanwhile, in the form's own shape. */
const asFormHolds = (error: ApiError, choices: LocationChoices): ApiError => {
  const { current } = error;
  const isLocation =
    typeof current === 'object' && current !== null && 'location' in current && 'domain' in current;
  if (!isLocation) return error;
  const { domain, ...theirs } = current as LocationView & { domain: { revision: number } };
  return { ...error, current: { ...valuesOf(theirs, choices), revision: domain.revision } };
};

/** Says what somebody else deleted during editing, and where the input can be added instead. */
type Lost = 'location' | 'domain';

interface LostNoteProps {
  lost: Lost;
  domain: DomainView;
  /** Absent for a new location. */
  location: LocationView | undefined;
  /** Id of the other domain to add the location to; `''` while none is chosen. */
  other: string;
  onOther: (domain: string) => void;
}

const LostNote = ({ lost, domain, location, other, onOther }: LostNoteProps) => {
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
