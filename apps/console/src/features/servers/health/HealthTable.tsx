/** The charts' data as a table, for screen readers and for copying. */
import type { HealthHistory } from '@quarterdeck/projections';
import { chartKinds, pointTime, rangeWords } from './chart-words';
import { isUnreachable } from './chart-geometry';
import { PlainTable } from '../../../ui/PlainTable';

export const HealthTable = ({ history, label }: { history: HealthHistory; label: string }) => (
  <PlainTable label={label}>
    <thead>
      <tr>
        <th scope="col">Time</th>
        {chartKinds.map(({ title }) => (
          <th key={title} scope="col">
            {title}
          </th>
        ))}
        <th scope="col">Checks</th>
      </tr>
    </thead>
    <tbody>
      {history.points.toReversed().map((point) => (
        <tr key={point.at}>
          <th scope="row">
            <time dateTime={point.at}>{pointTime(point.at)}</time>
          </th>
          {chartKinds.map(({ quantity, format }) => {
            const range = point[quantity];
            return <td key={quantity}>{range ? rangeWords(range, format) : 'not sent'}</td>;
          })}
          <td>
            {point.samples}
            {point.failed > 0 && `, ${point.failed} failed`}
            {isUnreachable(history.unreachable, point.at) && ', unreachable'}
          </td>
        </tr>
      ))}
    </tbody>
  </PlainTable>
);
