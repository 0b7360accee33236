/** The first section of the container flow: a repository, and one of its containers at the source host. */
import { Button, Group } from '@mantine/core';
import { repositories, type Answer } from '@quarterdeck/contract';
import { sectionInputs } from '@quarterdeck/events/inputs';
import { useCallback, useMemo, useState } from 'react';
import { z } from 'zod';
import { useAnswer } from '../../core/calls';
import { DisabledInPast } from '../../core/as-of/in-past';
import { toApiError, type ApiError } from '../../core/http';
import { ErrorState } from '../../ui/ErrorState';
import { Line, Lines } from '../../ui/List';
import { Mono, Note } from '../../ui/Note';
import { RelativeTime } from '../../ui/RelativeTime';
import { ResourceForm } from '../../ui/ResourceForm';
import { DataView } from '../../ui/DataView';
import type { QueryLike } from '../../ui/query';
import { NoToken, UNKNOWN_PACKAGE } from '../../records/NoToken';
import { inForm, repoFields, sent, type Values } from './section-forms';

/** The words of the specification. */
const NO_VERSIONS = 'No versions were found, are you sure a package was published for that repository';

const schema = z.preprocess((values) => sent(values as Values), sectionInputs.repo);

type RepoValues = z.output<typeof sectionInputs.repo>;

interface RepoFormProps {
  /** Of the workspace. */
  defaults: { server?: { id: string } | undefined; product?: { id: string } | undefined };
  /** Entered before, also by somebody else. */
  entered?: Values | undefined;
  start: (values: Values) => Promise<unknown>;
}

export const RepoForm = ({ defaults: { server, product }, entered, start }: RepoFormProps) => {
  const [asked, setAsked] = useState<RepoValues>();
  const [typed, setTyped] = useState('');
  const followTyped = useCallback(
    ({ repoUrl: now }: Values) => setTyped(typeof now === 'string' ? now.trim() : ''),
    [],
  );
  const { repoUrl = '', dockerName } = asked ?? {};
  const query = useAnswer(
    repositories.containers,
    { repoUrl, ...(dockerName && { dockerName }) },
    { skip: !asked },
  );
  // Only the back end knows which source host it asks.
  const refused = query.error?.data?.['repoUrl'];
  const remarks: Record<string, string> =
    refused !== undefined && typed === repoUrl ? { repoUrl: refused } : {};
  const initial = useMemo(
    () => ({
      repoUrl: '',
      dockerName: '',
      server: server?.id ?? '',
      product: product?.id ?? '',
      ...(entered && inForm('repo', entered)),
    }),
    [server?.id, product?.id, entered],
  );
  return (
    <>
      <ResourceForm
        label="Repo"
        schema={schema}
        fields={repoFields}
        initial={initial}
        submitLabel="Find packages"
        dirtyGuard={false}
        remarks={remarks}
        onDraft={followTyped}
        onSubmit={(values) => {
          setAsked(values);
          return Promise.resolve();
        }}
      />
      {asked && refused === undefined && <Packages asked={asked} query={query} start={start} />}
    </>
  );
};

interface PackagesProps {
  asked: RepoValues;
  query: QueryLike<Answer<typeof repositories.containers>>;
  start: RepoFormProps['start'];
}

const Packages = ({ asked, query, start }: PackagesProps) => {
  const [busy, setBusy] = useState<string>();
  const [failed, setFailed] = useState<ApiError>();
  const use = async (version: string): Promise<void> => {
    setBusy(version);
    setFailed(undefined);
    try {
      await start({ ...asked, version });
    } catch (error) {
      setFailed(toApiError(error));
    }
    setBusy(undefined);
  };
  return (
    <DataView
      query={query}
      what="Packages"
      error={({ status, code, msg }) =>
        code === 'noToken' ? (
          <NoToken />
        ) : (
          status === UNKNOWN_PACKAGE && (
            <Note mt={12} role="status">
              {NO_VERSIONS}. {msg}
            </Note>
          )
        )
      }
    >
      {({ packages }) => (
        <>
          {failed && <ErrorState error={failed} what="The section" inline />}
          {packages.length === 0 && <Note mt={12}>{NO_VERSIONS}.</Note>}
          {packages.length > 0 && (
            <Lines mt={12} aria-label="Packages">
              {packages.map(({ id, version, image, createdAt }) => (
                <Line key={id}>
                  <Group justify="space-between" gap="xs">
                    <span>
                      <Mono>{image}</Mono> <RelativeTime at={createdAt} />
                    </span>
                    <DisabledInPast>
                      <Button
                        size="compact-sm"
                        loading={busy === version}
                        disabled={busy !== undefined && busy !== version}
                        onClick={() => void use(version)}
                      >
                        Use {version}
                      </Button>
                    </DisabledInPast>
                  </Group>
                </Line>
              ))}
            </Lines>
          )}
        </>
      )}
    </DataView>
  );
};
