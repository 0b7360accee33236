/** One answer: how it came, what was sent, its headers and its body. */
import { callsOf, requests, type RequestAnswer } from '@quarterdeck/contract';
import { request } from '@quarterdeck/events';
import { Link, useParams } from 'react-router';
import { useAnswer } from '../../core/calls';
import { paths, plainPath } from '../../core/paths';
import { PageView } from '../../records/PageView';
import { Card, Section } from '../../ui/Card';
import { Columns } from '../../ui/Columns';
import { DetailPage } from '../../ui/DetailPage';
import { Facts } from '../../ui/Facts';
import { Mono, Note, TextBlock } from '../../ui/Note';
import { PlainTable } from '../../ui/PlainTable';
import { RelativeTime } from '../../ui/RelativeTime';
import { AnswerBody } from './AnswerBody';
import { AnswerSummary } from './AnswerSummary';
import { CompareAnswers } from './CompareAnswers';
import { CopyAs } from './CopyAs';

export const AnswerPage = () => {
  const { id = '', run = '' } = useParams();
  const query = useAnswer(requests.answer, { run });
  return (
    <PageView query={query} what="Answer">
      {(answer) => <Answered request={id} answer={answer} />}
    </PageView>
  );
};

const Answered = ({ request: id, answer }: { request: string; answer: RequestAnswer }) => {
  // The request may be deleted; its answers stay.
  const name = useAnswer(callsOf(request).detail, { id }).data?.['name'] as string | undefined;
  const { at, by, run, inputs, sent, headers } = answer;
  return (
    <DetailPage
      back={{ to: plainPath(request, id), label: name ?? 'Request' }}
      name={name === undefined ? 'Answer' : `Answer to ${name}`}
      facts={[
        { label: 'Date', value: <RelativeTime at={at} /> },
        { label: 'Inputs', value: inputs === '' ? 'none' : <Mono>{inputs}</Mono> },
        { label: 'Run', value: <Link to={paths.run(run)}>Open run</Link> },
      ]}
    >
      <Card>
        <AnswerSummary answer={answer} />
      </Card>
      <AnswerBody answer={answer} />
      <CompareAnswers request={id} answer={answer} />
      <Columns mt={24}>
        <Headers title="Headers" headers={headers} />
        <Section title="Sent" actions={<CopyAs request={sent} />}>
          <Facts mb={16} facts={[['Address', <Mono key="address">{`${sent.method} ${sent.url}`}</Mono>]]} />
          <Headers title="Headers sent" headers={sent.headers} none="None of its own." />
          {by === 'console' && (
            <Note mt={8}>
              Host, User-Agent, Accept and Accept-Encoding are added, unless the request has its own.
            </Note>
          )}
          {sent.body !== undefined && <TextBlock mt={12}>{sent.body}</TextBlock>}
        </Section>
      </Columns>
    </DetailPage>
  );
};

interface HeadersProps extends Pick<RequestAnswer, 'headers'> {
  title: string;
  none?: string;
}

const Headers = ({ title, headers, none = 'None.' }: HeadersProps) => (
  <Section title={title} least={3}>
    {headers.length === 0 ? (
      <Note>{none}</Note>
    ) : (
      <PlainTable label={`${title}, each with its value`}>
        <tbody>
          {headers.map(([name, value], at) => (
            <tr key={`${at} ${name}`}>
              <th scope="row">
                <Mono>{name}</Mono>
              </th>
              <td>
                <Mono>{value}</Mono>
              </td>
            </tr>
          ))}
        </tbody>
      </PlainTable>
    )}
  </Section>
);
