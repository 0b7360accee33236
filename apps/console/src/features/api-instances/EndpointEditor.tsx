import { Alert, Button, Checkbox, Group, NativeSelect, TextInput } from '@mantine/core';
import { METHODS, PERMISSIONS, problemsOf } from '@quarterdeck/api';
import { callsOf } from '@quarterdeck/contract';
import { endpoint, type ValuesOf } from '@quarterdeck/events';
import { IconPlus } from '@tabler/icons-react';
import { useLayoutEffect, useMemo, useState } from 'react';
import { useNavigate } from 'react-router';
import { useChange } from '../../core/calls';
import { toApiError, type ApiError } from '../../core/http';
import { DisabledInPast } from '../../core/as-of/in-past';
import { Action } from '../../ui/Action';
import { Section } from '../../ui/Card';
import { Columns, Stacked } from '../../ui/Columns';
import { confirmAction } from '../../ui/confirm';
import { useEditBase } from '../../ui/EditInPlace';
import { useLeaveGuard } from '../../ui/form/use-leave-guard';
import { sameValue } from '../../ui/same-value';
import { Bullets } from '../../ui/List';
import { Dim, Note } from '../../ui/Note';
import { toast } from '../../ui/toast';
import look from '../../ui/look.module.css';
import { BlockCard } from './BlockCard';
import { namesFor } from './completions';
import { noticedOf } from './breaking';
import { breakingQuestion } from './breaking-question';
import { ChangeTable } from './ChangesTab';
import { draftOf, emptyBlock, NEW_ENDPOINT, readDraft, type EndpointDraft } from './endpoint-draft';
import { endpointPath, type EndpointView, type InstanceView } from './instance-view';
import { JsonInput } from './JsonInput';
import { ReplaySection } from './ReplaySection';
import { useApiModel } from './use-api-model';

type Said = readonly (readonly [field: string, says: string])[];

/** What is wrong with a field, or with something in it. */
const saidOf = (said: Said, field: string): string | undefined => {
  const found = said.find(([at]) => at === field || at.startsWith(`${field}.`));
  if (!found) return undefined;
  const inside = found[0].slice(field.length + 1);
  return inside === '' ? found[1] : `${inside}: ${found[1]}`;
};

const moved = <T,>(all: readonly T[], from: number, by: 1 | -1): T[] => {
  const next = [...all];
  const [one] = next.splice(from, 1);
  return one === undefined ? next : next.toSpliced(from + by, 0, one);
};

const refusalOf = (error: ApiError): Said =>
  Object.entries(error.data ?? {}).map(([field, says]) => [field.replace(/^data\./, ''), says] as const);

type Edited = ValuesOf<typeof endpoint> & { revision: number };
const NEW: Edited = { ...NEW_ENDPOINT, revision: 0 };
const sameEndpoint = (a: Edited, b: Edited): boolean =>
  Object.keys(endpoint.fields).every((key) => sameValue(a[key as keyof Edited], b[key as keyof Edited]));
/** Keys of the blocks that are added here; those that are stored have their places. */
const NEW_KEYS = 1000;

interface EndpointEditorProps {
  instance: InstanceView;
  base: string;
  /** Absent: a new one. */
  view?: EndpointView;
}

export const EndpointEditor = ({ instance, base, view }: EndpointEditorProps) => {
  const calls = callsOf(endpoint);
  const [insert, { isLoading: isAdding }] = useChange(calls.insert);
  const [update, { isLoading: isSaving }] = useChange(calls.update);
  const navigate = useNavigate();
  const model = useApiModel(instance);
  const { opened, revision, adopt, touch } = useEditBase<Edited>(
    (view as Edited | undefined) ?? NEW,
    sameEndpoint,
  );
  const start = useMemo(() => draftOf(opened), [opened]);
  const [edited, setEdited] = useState<EndpointDraft>();
  const draft = edited ?? start;
  const [refused, setRefused] = useState<ApiError>();
  const [wasSent, setWasSent] = useState(false);
  const [fresh, setFresh] = useState(NEW_KEYS);
  const isDirty = edited !== undefined && !sameValue(edited, start);
  const isBusy = isAdding || isSaving;
  useLeaveGuard(isDirty && !isBusy);
  // Before the next push can arrive: what is typed is saved against the version that it was typed upon.
  useLayoutEffect(() => touch(isDirty), [touch, isDirty]);
  const set = (change: Partial<EndpointDraft>): void => {
    setRefused(undefined);
    setEdited({ ...draft, ...change });
  };
  const discard = (): void => {
    setRefused(undefined);
    setWasSent(false);
    setEdited(undefined);
  };
  const { endpoint: read, unread } = useMemo(() => readDraft(draft), [draft]);
  const said: Said = useMemo(() => {
    const own = Object.entries(unread);
    const byModel = model
      ? problemsOf(read, model).map(({ path, message }) => [path.join('.'), message] as const)
      : [];
    // What is no JSON is left out of what was read, so its absence is no other problem.
    const isUnread = (field: string): boolean =>
      own.some(([at]) => field === at || field.startsWith(`${at}.`));
    return [...own, ...byModel.filter(([field]) => !isUnread(field))];
  }, [read, unread, model]);
  const all = refused ? [...refusalOf(refused), ...said] : said;
  const noticed = useMemo(
    () => (view && isDirty && model && said.length === 0 ? noticedOf(opened, read, model) : []),
    [view, isDirty, model, said, opened, read],
  );
  // An empty form is not yet wrong.
  const says = (field: string): string | undefined =>
    isDirty || wasSent || view ? saidOf(all, field) : undefined;
  const save = async (): Promise<void> => {
    setRefused(undefined);
    setWasSent(true);
    if (said.length > 0) return;
    try {
      if (!view) {
        const { id } = await insert({ data: read, apiInstance: { id: instance.id } }).unwrap();
        toast.success(`${read.method} ${read.path} was saved.`);
        await navigate(endpointPath(base, instance.id, id));
        return;
      }
      const breaking = noticed.filter(({ isBreaking }) => isBreaking);
      if (breaking.length > 0 && !(await confirmAction(breakingQuestion(breaking)))) return;
      await update({ id: view.id, data: read, revision: revision(undefined) }).unwrap();
      adopt({ ...opened, ...read });
      discard();
      toast.success(`${read.method} ${read.path} was saved.`);
    } catch (thrown) {
      setRefused(toApiError(thrown));
    }
  };
  const addBlock = (): void => {
    setFresh(fresh + 1);
    set({ blocks: [...draft.blocks, emptyBlock(fresh + 1)] });
  };
  return (
    <Stacked gap={24}>
      {refused && (
        <Alert color="red" role="alert" title={refused.msg}>
          Nothing was saved.
        </Alert>
      )}
      <Section title="Endpoint">
        <Stacked gap={12}>
          <Columns widths="140px minmax(0, 1fr)">
            <NativeSelect
              label="Method"
              value={draft.method}
              onChange={({ currentTarget }) => set({ method: currentTarget.value })}
              data={[...METHODS]}
            />
            <TextInput
              label="Path"
              placeholder="/orders/:id"
              autoComplete="off"
              spellCheck={false}
              value={draft.path}
              error={says('path')}
              onChange={({ currentTarget }) => set({ path: currentTarget.value })}
            />
          </Columns>
          <Columns>
            <TextInput
              label="Status of the answer"
              inputMode="numeric"
              value={draft.statusOut}
              error={says('statusOut')}
              onChange={({ currentTarget }) => set({ statusOut: currentTarget.value })}
            />
            <TextInput
              label="Tag"
              value={draft.tag}
              error={says('tag')}
              onChange={({ currentTarget }) => set({ tag: currentTarget.value })}
            />
          </Columns>
          <Checkbox.Group
            label="Permissions"
            description="Who may call it. If none is chosen: everybody, without signing in."
            value={[...draft.permissions]}
            error={says('permissions')}
            onChange={(permissions) => set({ permissions })}
          >
            <Group gap={16} mt={8}>
              {PERMISSIONS.map((one) => (
                <Checkbox key={one} value={one} label={one} />
              ))}
            </Group>
          </Checkbox.Group>
          <JsonInput
            label="Body shape"
            help="Fields of the body with their types. Others are refused."
            placeholder='{ "note": { "type": "String", "optional": true } }'
            rows={10}
            names={BODY_NAMES}
            value={draft.bodyShape}
            error={says('bodyShape')}
            onChange={(bodyShape) => set({ bodyShape })}
          />
          <JsonInput
            label="Route chain map"
            help="Names in the chain and where their values come from. If empty, blocks read params, query and body as they are."
            placeholder='{ "order": { "$": "params.id" } }'
            rows={6}
            names={namesFor('routeChainMap', model, draft)}
            value={draft.routeChainMap}
            error={says('routeChainMap')}
            onChange={(routeChainMap) => set({ routeChainMap })}
          />
        </Stacked>
      </Section>
      <Section
        title="Blocks"
        actions={
          <DisabledInPast>
            <Action icon={IconPlus} variant="default" does={addBlock}>
              Add block
            </Action>
          </DisabledInPast>
        }
      >
        {draft.blocks.length === 0 ? (
          <Note>What the endpoint does, one block after the other. The last one makes the answer.</Note>
        ) : (
          <Stacked component="ul" className={look.list} gap={12} aria-label="Blocks">
            {draft.blocks.map((block, at) => (
              <li key={block.key}>
                <BlockCard
                  at={at}
                  block={block}
                  read={read.blocks[at]}
                  draft={draft}
                  model={model}
                  startsOpen={block.key > NEW_KEYS}
                  says={(field) => says(field === '' ? `blocks.${at}` : `blocks.${at}.${field}`)}
                  onChange={(next) => set({ blocks: draft.blocks.with(at, next) })}
                  onMove={(by) => set({ blocks: moved(draft.blocks, at, by) })}
                  onRemove={() => set({ blocks: draft.blocks.toSpliced(at, 1) })}
                />
              </li>
            ))}
          </Stacked>
        )}
      </Section>
      {wasSent && said.length > 0 && (
        <Alert color="red" role="alert" title="Nothing was saved">
          <Bullets aria-label="Problems">
            {said.map(([field, message]) => (
              <li key={`${field} ${message}`}>
                <Dim>{field}</Dim> {message}
              </li>
            ))}
          </Bullets>
        </Alert>
      )}
      {noticed.length > 0 && (
        <Section title="What callers will notice">
          <ChangeTable of={noticed} />
        </Section>
      )}
      {view && isDirty && model && said.length === 0 && (
        <ReplaySection instance={instance} view={view} typed={read} />
      )}
      <Group gap={8}>
        <DisabledInPast>
          <Button loading={isBusy} onClick={() => void save()}>
            Save endpoint
          </Button>
        </DisabledInPast>
        {isDirty && (
          <Button variant="default" onClick={discard}>
            Discard changes
          </Button>
        )}
      </Group>
    </Stacked>
  );
};

const BODY_NAMES = [
  'type',
  'optional',
  'list',
  'max',
  'shape',
  'String',
  'Int',
  'Long',
  'Boolean',
  'LocalDate',
  'LocalDateTime',
  'LocalTime',
  'BigDecimal',
  'Double',
  'JSON',
  'Uuid',
  'Object',
];
