/** The create wizard: seven sections in one page. Every operator sees the progress, and any can go on. */
import { Alert, Box, Button, Group, Stack } from '@mantine/core';
import { creations, workspaces } from '@quarterdeck/contract';
import {
  creationPlans,
  optionalSections,
  type CreationKind,
  type CreationSection,
} from '@quarterdeck/events';
import { mayHaveMade, type CreationSectionView, type CreationView } from '@quarterdeck/projections';
import { IconHistory, IconTrash } from '@tabler/icons-react';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useNavigate, useParams, useSearchParams } from 'react-router';
import { useAnswer, useChange } from '../../core/calls';
import { paths } from '../../core/paths';
import { By } from '../../records/actor';
import { PageView } from '../../records/PageView';
import { ActionFailure } from '../../records/runs';
import { Action } from '../../ui/Action';
import { DataView } from '../../ui/DataView';
import { Loading } from '../../ui/Loading';
import { PageHeader } from '../../ui/PageHeader';
import { useCopy, NOT_COPIED } from '../../ui/copying';
import { useAction } from '../../ui/use-action';
import { RepoForm } from './RepoForm';
import { Progress } from './Progress';
import { SectionCard } from './SectionCard';
import { SectionForm } from './SectionForm';
import { placeOf } from './section-place';
import { useCloudChoices } from './cloud-fields';
import { inForm, initialOf, productIn, type Values } from './section-forms';
import { Success } from './Success';
import { Unfinished } from './Unfinished';
import { decoded, encoded, stateOf, type WizardState } from './wizard-state';

const titles: Record<CreationKind, string> = { product: 'Create', container: 'Deploy a container' };
const addressOf: Record<CreationKind, (id?: string) => string> = {
  product: paths.create,
  container: paths.createDocker,
};

const nothing = (section: string): CreationSectionView => ({
  section,
  state: 'idle',
  attempt: 0,
  undos: 0,
  secrets: [],
  made: [],
});

/** A new creation. It is recorded once its first section is started. */
export const NewCreation = ({ kind }: { kind: CreationKind }) => (
  <>
    <Wizard key={kind} kind={kind} />
    <Box mt={24}>
      <Unfinished />
    </Box>
  </>
);

export const CreationPage = ({ kind }: { kind: CreationKind }) => {
  const { id = '' } = useParams();
  const query = useAnswer(creations.detail, { id });
  return (
    <PageView query={query} what="Creation">
      {(creation) => <Wizard key={kind} kind={creation.kind} creation={creation} />}
    </PageView>
  );
};

interface WizardProps {
  kind: CreationKind;
  creation?: CreationView;
}

const Wizard = ({ kind, creation }: WizardProps) => {
  const [params] = useSearchParams();
  const q = params.get('q');
  const link = useMemo(() => decoded(q), [q]);
  const [drafts, setDrafts] = useState<Record<string, Values>>({});
  const onDraft = useCallback(
    (section: string, values: Values) => setDrafts((known) => ({ ...known, [section]: values })),
    [],
  );
  const settings = useAnswer(workspaces.detail);
  const sections: readonly CreationSectionView[] =
    creation?.sections ?? creationPlans[kind].map((section) => nothing(section));
  const reached = sections.findIndex(({ state }) => state !== 'done');
  const shownSections = reached < 0 ? sections : sections.slice(0, reached + 1);
  const isOver = creation?.state === 'abandoned';
  const open = creation === undefined || creation.state === 'open';
  const onPage = shownSections.filter(
    ({ state: is, section }) => open || is !== 'idle' || optionalSections.includes(section),
  );
  const state = { ...link, ...withoutEmpty(stateOf(creation, drafts)) };
  const onStart = useFocusAfter(sections);
  return (
    <>
      <Header kind={kind} creation={creation} state={state} />
      <Progress sections={sections} shown={onPage} />
      {isOver && (
        <Alert color="gray" variant="light" mb={16} title="Abandoned">
          What its sections made stays.
        </Alert>
      )}
      {creation && creation.state === 'finished' && <Success creation={creation} />}
      <Stack gap={16}>
        {onPage.map((section, at) => (
          <SectionCard
            key={section.section}
            creation={creation ?? ({} as CreationView)}
            section={section}
            isUndoable={creation !== undefined && !isOver && isLast(sections, at)}
            form={
              isOver ? null : (
                <DataView query={settings} what="Settings">
                  {({ sourceHost, containerFlow }) => (
                    <FormOf
                      kind={kind}
                      creation={creation}
                      section={section}
                      link={link}
                      organization={sourceHost.organization ?? ''}
                      containerFlow={containerFlow}
                      onDraft={onDraft}
                      onStart={onStart}
                    />
                  )}
                </DataView>
              )
            }
          />
        ))}
      </Stack>
    </>
  );
};

/**
 * The form of a section goes once it is started, and the focus with it. When the section has ended, the focus is where
 * the operator goes on, unless it is somewhere else by then.
 *
 * @returns to be called with the section that is started
 */
const useFocusAfter = (sections: readonly CreationSectionView[]): ((section: string) => void) => {
  const started = useRef<string>(undefined);
  useEffect(() => {
    const ended = sections.find(({ section }) => section === started.current);
    if (ended?.state !== 'done' && ended?.state !== 'failed') return;
    started.current = undefined;
    const next = sections.find(({ state }) => state !== 'done');
    if (next && document.activeElement === document.body)
      document.getElementById(placeOf(next.section))?.focus();
  }, [sections]);
  return useCallback((section) => {
    started.current = section;
  }, []);
};

/** Sections are undone in reverse. */
const isLast = (sections: readonly CreationSectionView[], at: number): boolean => {
  const [section, ...later] = sections.slice(at);
  const isThere = (one: CreationSectionView): boolean =>
    one.state !== 'idle' && (one.state !== 'failed' || mayHaveMade(one));
  const canBe = section?.state === 'done' || (section?.state === 'failed' && mayHaveMade(section));
  return canBe && !later.some(isThere);
};

interface FormOfProps extends WizardProps {
  creation: CreationView | undefined;
  section: CreationSectionView;
  link: WizardState;
  organization: string;
  containerFlow: { server?: { id: string } | undefined; product?: { id: string } | undefined };
  onDraft: (section: string, values: Values) => void;
  onStart: (section: string) => void;
}

const FormOf = (props: FormOfProps) => {
  const { kind, creation, section, link, organization, containerFlow, onDraft, onStart } = props;
  const navigate = useNavigate();
  const [begin] = useChange(creations.start);
  const [startSection] = useChange(creations.section);
  const name = section.section as CreationSection;
  // What was entered before, also by somebody else, is not typed again. Pushes do not change what is being typed.
  const initial = useRef<Values>(undefined);
  const { isLoading, choices } = useCloudChoices(name);
  if (!isLoading)
    initial.current ??= {
      ...initialOf(name, link, organization, choices),
      ...(section.values && inForm(name, section.values)),
    };
  const start = async (values: Values): Promise<void> => {
    if (creation === undefined) {
      const { id } = await begin({ kind, values: values as never }).unwrap();
      await navigate({ pathname: addressOf[kind](id), search: window.location.search }, { replace: true });
      return;
    }
    await startSection({ id: creation.id, section: name, values: values as never }).unwrap();
    onStart(name);
  };
  if (!initial.current) return <Loading label="Loading choices" />;
  if (name === 'repo') return <RepoForm defaults={containerFlow} entered={section.values} start={start} />;
  return (
    <SectionForm
      kind={kind}
      section={name}
      creation={creation}
      initial={initial.current}
      product={creation && productIn(creation)}
      cloudChoices={choices}
      start={start}
      onDraft={onDraft}
    />
  );
};

const withoutEmpty = (state: WizardState): WizardState =>
  Object.fromEntries(
    Object.entries(state).filter(
      ([, value]) => typeof value !== 'object' || Object.keys(value as object).length > 0,
    ),
  ) as unknown as WizardState;

const Header = ({
  kind,
  creation,
  state,
}: WizardProps & { creation: CreationView | undefined; state: WizardState }) => {
  const { act, busy, failure, dismiss } = useAction();
  const [abandon] = useChange(creations.abandon);
  const isOpen = creation?.state === 'open';
  const isBusy = creation?.sections.some((one) => one.state === 'running' || one.state === 'undoing');
  return (
    <>
      <PageHeader
        title={creation ? `${titles[kind]}: ${creation.name}` : titles[kind]}
        description={
          creation && (
            <>
              Started <By id={creation.startedBy} at={creation.startedAt} />. Anybody who administers this
              workspace can go on.
            </>
          )
        }
        reading={
          <>
            {kind === 'product' && <CopyState state={state} />}
            {creation && (
              <Action
                icon={IconHistory}
                variant="default"
                does={paths.history({ category: 'creation', id: creation.id })}
              >
                How it was made
              </Action>
            )}
          </>
        }
        actions={
          isOpen && (
            <Action
              icon={IconTrash}
              variant="default"
              loading={busy}
              disabled={isBusy === true}
              title={isBusy ? 'A section is in progress' : undefined}
              does={() =>
                act({
                  ask: {
                    title: `Abandon ${creation.name}?`,
                    body: 'What its sections made stays. Undo them first to remove it.',
                    confirmLabel: 'Abandon',
                    danger: true,
                  },
                  send: () => abandon({ id: creation.id }).unwrap(),
                  failed: `${creation.name} could not be abandoned`,
                })
              }
            >
              Abandon
            </Action>
          )
        }
      />
      <ActionFailure failure={failure} onClose={dismiss} />
    </>
  );
};

/** The link pre-fills a new creation. It never has a secret. */
const CopyState = ({ state }: { state: WizardState }) => {
  const { outcome, copy } = useCopy();
  const { origin } = window.location;
  return (
    <Group gap={8}>
      <Button variant="default" onClick={() => void copy(`${origin}${paths.create()}?q=${encoded(state)}`)}>
        Copy state to clipboard
      </Button>
      <Box component="span" role="status" fz="sm">
        {outcome === 'copied' && 'copied'}
        {outcome === 'refused' && NOT_COPIED}
      </Box>
    </Group>
  );
};
