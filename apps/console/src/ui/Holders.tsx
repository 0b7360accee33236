/** Links to what has to change before something can be done. */
import { Link } from 'react-router';
import type { Holder } from '../core/http';
import { holderPath } from '../core/paths';

export const Holders = ({ of = [] }: { of?: readonly Holder[] | undefined }) =>
  of.length > 0 && (
    <ul>
      {of.map((one) => {
        const to = holderPath(one);
        return <li key={one.id}>{to === undefined ? one.name : <Link to={to}>{one.name}</Link>}</li>;
      })}
    </ul>
  );
