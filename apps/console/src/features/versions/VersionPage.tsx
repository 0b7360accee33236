/** One version: migrations, apply, comparison, columns, history, downloads and environment. */
import { Button, Menu } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconDownload, IconTrash } from '@tabler/icons-react';
import { migrations, versions } from '@quarterdeck/contract';
import { product as productNoun } from '@quarterdeck/events';
import type { VersionRow } from '@quarterdeck/projections';
import { Link, useParams } from 'react-router';
import { useAnswer, useChange } from '../../core/calls';
import { plainPath } from '../../core/paths';
import { By } from '../../records/actor';
import { EnvBadge } from '../../records/EnvBadge';
import { HistoryOf } from '../../records/history';
import { PageView } from '../../records/PageView';
import { ActionFailure } from '../../records/runs';
import { Action } from '../../ui/Action';
import { DataView } from '../../ui/DataView';
import { DetailPage } from '../../ui/DetailPage';
import { useAction, type Act } from '../../ui/use-action';
import { WordsBox } from '../../ui/WordsBox';
import { ApplyTab } from './ApplyTab';
import { CompareTab } from './CompareTab';
import { OriginsTab } from './OriginsTab';
import { Statements } from './Statements';
import { envName } from './version-words';
import { send } from '../../core/http';
import { saveBlob } from '../../ui/save-text';

interface VersionPageProps {
  base: string;
  product: { id: string; name: string };
}

export const VersionPage = (props: VersionPageProps) => {
  const { id = '' } = useParams();
  const query = useAnswer(versions.detail, { id });
  return (
    <PageView query={query} what="Version" subject={{ category: 'version', id }}>
      {(version) => <Version key={version.id} {...props} version={version} />}
    </PageView>
  );
};

const REFUSED = 'This was refused';

const Version = ({ base, product, version }: VersionPageProps & { version: VersionRow }) => {
  const { id, sequenceIndex, env, logDateAdded, by, applied, madeAt } = version;
  const name = `Version ${sequenceIndex}`;
  const { act, failure, dismiss } = useAction();
  const [removeIt] = useChange(versions.delete);
  const [update, { isLoading: isMoving }] = useChange(versions.update);
  const move = (to: number) =>
    act({ send: () => update({ uuid: id, data: { env: { id: to } } }).unwrap(), failed: REFUSED });
  const remove = () =>
    act({
      ask: {
        title: `Delete ${name.toLowerCase()}?`,
        body: 'Are you sure you would like to delete? Its changes become pending again. Its number is not used again. You can undo this until another version is generated.',
        confirmLabel: 'Delete version',
        danger: true,
      },
      send: () => removeIt({ uuid: id }).unwrap(),
      failed: REFUSED,
      to: base,
    });
  return (
    <DetailPage
      back={{ to: base, label: 'Versions' }}
      name={name}
      badge={<EnvBadge id={env.id} />}
      facts={[
        { label: 'Generated', value: <By id={by} at={logDateAdded} /> },
        {
          label: 'Data model',
          value: (
            <Link to={`${plainPath(productNoun, product.id, 'data-model')}/schema?at=${madeAt}`}>
              at this version
            </Link>
          ),
        },
        {
          label: 'Applied to',
          value:
            applied.length === 0
              ? 'no database yet'
              : applied.map(({ database }) => database.name).join(', '),
        },
      ]}
      reading={<Downloads id={id} act={act} />}
      primary={
        env.id < 3 && (
          <Action icon={IconArrowUp} loading={isMoving} does={() => move(env.id + 1)}>
            Promote to {envName(env.id + 1)}
          </Action>
        )
      }
      actions={[
        ...(env.id > 1
          ? [
              {
                label: `Move back to ${envName(env.id - 1)}`,
                icon: <IconArrowDown size={16} />,
                onClick: () => void move(env.id - 1),
              },
            ]
          : []),
        {
          label: 'Delete version',
          icon: <IconTrash size={16} />,
          danger: true,
          onClick: () => void remove(),
        },
      ]}
      tabs={[
        {
          id: 'migrations',
          label: 'Migrations',
          content: () => <Migrations product={product} version={version} />,
        },
        { id: 'apply', label: 'Apply', content: () => <ApplyTab product={product} version={version} /> },
        {
          id: 'compare',
          label: 'Compare',
          content: () => <CompareTab product={product.id} version={sequenceIndex} />,
        },
        { id: 'origins', label: 'Columns', content: () => <OriginsTab id={id} /> },
        {
          id: 'history',
          label: 'History',
          content: () => <HistoryOf category="version" id={id} name={name} />,
        },
      ]}
    >
      <ActionFailure failure={failure} onClose={dismiss} />
      {applied.map(({ database: { id: at, name: where }, left }) =>
        left ? (
          <WordsBox
            key={at}
            title={`Applied to ${where}, but somebody made these otherwise, and they stay so`}
            words={left}
            tone="warn"
          />
        ) : null,
      )}
    </DetailPage>
  );
};

const Migrations = ({ product, version }: { product: { id: string }; version: VersionRow }) => {
  const query = useAnswer(migrations.list, { product: { id: product.id }, version: { uuid: version.id } });
  return (
    <DataView query={query} what="Migrations">
      {(list) => (
        <Statements
          label={`Migrations of version ${version.sequenceIndex}`}
          statements={list.map(({ fileName, migration }) => ({ fileName, sql: migration }))}
        />
      )}
    </DataView>
  );
};

interface ActionProps {
  id: string;
  act: Act;
}

const files: readonly { label: string; path: string; more: Record<string, string> }[] = [
  { label: 'SQL for MySQL', path: 'get', more: { dialect: 'mysql' } },
  { label: 'SQL for PostgreSQL', path: 'get', more: { dialect: 'postgresql' } },
  { label: 'ES module', path: 'getJs', more: {} },
  { label: 'TypeScript types', path: 'getTypes', more: {} },
  { label: 'All in one archive', path: 'bundle', more: {} },
];

const Downloads = ({ id, act }: ActionProps) => (
  <Menu position="bottom-end">
    <Menu.Target>
      <Button variant="default" leftSection={<IconDownload size={16} aria-hidden />}>
        Download
      </Button>
    </Menu.Target>
    <Menu.Dropdown>
      {files.map(({ label, path, more }) => (
        <Menu.Item
          key={label}
          onClick={() => void act({ send: () => saveDownload(path, { uuid: id, ...more }), failed: REFUSED })}
        >
          {label}
        </Menu.Item>
      ))}
    </Menu.Dropdown>
  </Menu>
);

/* Downloads a file of a version, saved under the name that the back end gives it. */

/** Throws an `ApiError` if no file was saved. */
const saveDownload = async (path: string, body: Readonly<Record<string, string>>): Promise<void> => {
  const answer = await send({ url: `/data-model/version/${path}`, body });
  if ('error' in answer) throw answer.error;
  const { name, blob } = answer.data as { name: string; blob: Blob };
  saveBlob(name, blob);
};
