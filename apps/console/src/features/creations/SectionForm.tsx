/** The form of a section, with what it would create before it is sent. */
import { Alert, Button } from '@mantine/core';
import { creations, type Answer } from '@quarterdeck/contract';
import { sectionInputs } from '@quarterdeck/events/inputs';
import { sectionLabel, type CreationKind, type CreationSection } from '@quarterdeck/events';
import type { CreationView } from '@quarterdeck/projections';
import { useCallback, useMemo, useState } from 'react';
import { z } from 'zod';
import { useAsk } from '../../core/calls';
import { toApiError } from '../../core/http';
import { DisabledInPast } from '../../core/as-of/in-past';
import { ErrorState } from '../../ui/ErrorState';
import { List } from '../../ui/List';
import { ResourceForm } from '../../ui/ResourceForm';
import type { CloudChoices } from './cloud-fields';
import { fieldsOf, missingIn, sent, type Values } from './section-forms';
import { fieldLabel } from './section-words';

interface SectionFormProps {
  kind: CreationKind;
  section: CreationSection;
  /** Absent before the first section is started. */
  creation?: CreationView | undefined;
  initial: Values;
  product?: string | undefined;
  /** Of the workspace, if it has an account. */
  cloudChoices?: CloudChoices | undefined;
  start: (values: Values) => Promise<unknown>;
  /** Called with the values, without secrets. Keep it stable between renders. */
  onDraft: (section: string, values: Values) => void;
}

/** The names of the call's fields are those of the form, below `values`. */
const withFormNames = (thrown: unknown): unknown => {
  const error = toApiError(thrown);
  if (!error.data) return error;
  const data = Object.entries(error.data).map(([name, why]) => [name.replace(/^values\./, ''), why]);
  return { ...error, data: Object.fromEntries(data) as Record<string, string> };
};

export const SectionForm = ({
  kind,
  section,
  creation,
  initial,
  product,
  cloudChoices,
  start,
  onDraft,
}: SectionFormProps) => {
  const fields = useMemo(() => fieldsOf(section, product, cloudChoices), [section, product, cloudChoices]);
  const schema = useMemo(
    () =>
      z.preprocess((values, { addIssue }) => {
        const missing = missingIn(fields, values as Values);
        if (missing !== undefined)
          addIssue({ code: 'custom', path: [missing], message: 'This field is required' });
        return sent(values as Values);
      }, sectionInputs[section] as z.ZodType<Values>),
    [section, fields],
  );
  const [draft, setDraft] = useState<Values>(initial);
  const follow = useCallback(
    (values: Values) => {
      const { password: _password, ...rest } = values;
      setDraft(rest);
      onDraft(section, sent(rest));
    },
    [section, onDraft],
  );
  const plan = usePlan({ kind, section, creation, values: sent(draft) });
  return (
    <>
      <ResourceForm
        label={sectionLabel(section)}
        schema={schema}
        fields={fields}
        initial={initial}
        submitLabel={`Start ${sectionLabel(section)}`}
        tools={
          <DisabledInPast>
            <Button variant="default" loading={plan.isLoading} onClick={plan.ask}>
              Preview
            </Button>
          </DisabledInPast>
        }
        onDraft={follow}
        onSubmit={async (values) => {
          try {
            await start(values);
          } catch (thrown) {
            throw withFormNames(thrown);
          }
        }}
      />
      {plan.error && <ErrorState error={plan.error} what="Preview" inline />}
      {plan.planned && <Planned section={section} planned={plan.planned} />}
    </>
  );
};

interface PlanProps {
  kind: CreationKind;
  section: CreationSection;
  creation: CreationView | undefined;
  values: Values;
}

/** Dry run: what the section would create, and what exists already. It says nothing once the values are others. */
const usePlan = ({ kind, section, creation, values }: PlanProps) => {
  const [ask, { data, error, isLoading }] = useAsk(creations.plan);
  const [asked, setAsked] = useState<string>();
  const earlier = (creation?.sections ?? [])
    .slice(
      0,
      creation?.sections.findIndex((one) => one.section === section),
    )
    .map((one) => [one.section, asChosen(one)]);
  // The password is not sent for a preview; any stands for it.
  const entered =
    section === 'database' && values['host'] !== undefined ? { password: '-', ...values } : values;
  const sections = { ...(Object.fromEntries(earlier) as object), [section]: entered };
  const current = JSON.stringify(sections);
  const isCurrent = asked === current;
  return {
    ask: () => {
      setAsked(current);
      void ask({ kind, sections } as never);
    },
    isLoading,
    error: isCurrent ? error : undefined,
    planned: isCurrent ? data?.find((one) => one.section === section) : undefined,
  };
};

const Planned = ({
  section,
  planned,
}: {
  section: CreationSection;
  planned: Answer<typeof creations.plan>[number];
}) => {
  const problems = Object.entries(planned.problems);
  return (
    <Alert
      mt={12}
      maw={640}
      variant="light"
      color={problems.length > 0 ? 'yellow' : 'blue'}
      role="status"
      title={problems.length > 0 ? 'This would fail' : inWords('This will create', planned.creates)}
    >
      {planned.exists.length + problems.length > 0 && (
        <List gap={2}>
          {planned.exists.length > 0 && <li>{inWords('Exists already:', planned.exists)}</li>}
          {problems.map(([field, why]) => (
            <li key={field}>
              {fieldLabel(section, field)}: {why}
            </li>
          ))}
        </List>
      )}
    </Alert>
  );
};

/** What a section made is there, and later sections use it. */
const asChosen = ({ section, values = {}, made }: CreationView['sections'][number]): Values => {
  const server = section === 'server' ? made.find(({ kind }) => kind === 'server') : undefined;
  return server ? { server: { id: server.id } } : values;
};

/** `This will create 2 repositories: acme/shop, acme/shop-client` */
const inWords = (lead: string, things: readonly { kind: string; name: string }[]): string =>
  things.length === 0
    ? `${lead} nothing`
    : `${lead} ${things.map(({ kind, name }) => `${kind} ${name}`).join(', ')}`;
