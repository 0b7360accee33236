/** Domains and their records. */
import { recordFrom, type StoredDomain, type StoredRecord, wholeName, zoneFile } from './records';
import { type CloudCall, listed, ok, type Route, textIn } from './answers';
import { type Account, notFound, unprocessable } from './state';

const shown = (one: StoredDomain) => ({ name: one.name, ttl: one.ttl, zone_file: zoneFile(one) });

const domainOf = ({ account, match }: CloudCall): StoredDomain => {
  const found = account.domains.get(match.params['domain'] ?? '');
  if (!found) throw notFound();
  return found;
};
const recordOf = (asked: CloudCall): StoredRecord => {
  const found = domainOf(asked).records.find(({ id }) => String(id) === asked.match.params['record']);
  if (!found) throw notFound();
  return found;
};

export const addRecord = (
  account: Account,
  domain: StoredDomain,
  fields: Record<string, unknown>,
): StoredRecord => {
  const made = recordFrom(fields, { id: account.nextId() }, domain);
  if (typeof made === 'string') throw unprocessable(made);
  domain.records.push(made);
  return made;
};

export const addDomain = (account: Account, name: string): StoredDomain => {
  const made: StoredDomain = { name, ttl: 1800, records: [] };
  account.domains.set(name, made);
  for (const number of [1, 2, 3])
    addRecord(account, made, { type: 'NS', name: '@', data: `ns${number}.digitalocean.com.` });
  return made;
};

const revise = (asked: CloudCall) => {
  const domain = domainOf(asked);
  const before = recordOf(asked);
  const made = recordFrom(asked.body, before, domain);
  if (typeof made === 'string') throw unprocessable(made);
  domain.records[domain.records.indexOf(before)] = made;
  return ok({ domain_record: made });
};

const domain = '/v2/domains/{domain}';
const record = `${domain}/records/{record}`;

export const domainRoutes: Readonly<Record<string, Route>> = {
  'GET /v2/domains': (asked) => listed('domains', [...asked.account.domains.values()].map(shown), asked),
  'POST /v2/domains': (asked) => {
    const { account, body } = asked;
    const name = textIn(asked, 'name');
    if (!name.includes('.')) throw unprocessable('Name is invalid');
    if (account.domains.has(name)) throw unprocessable('domain_name: already exists');
    const made = addDomain(account, name);
    if (typeof body['ip_address'] === 'string')
      addRecord(account, made, { type: 'A', name: '@', data: body['ip_address'] });
    return { status: 201, body: { domain: { name, ttl: 1800, zone_file: null } } };
  },
  [`GET ${domain}`]: (asked) => ok({ domain: shown(domainOf(asked)) }),
  [`DELETE ${domain}`]: (asked) => {
    asked.account.domains.delete(domainOf(asked).name);
    return { status: 204 };
  },
  [`GET ${domain}/records`]: (asked) => {
    const found = domainOf(asked);
    const [name, type] = [asked.url.searchParams.get('name'), asked.url.searchParams.get('type')];
    const fitting = found.records.filter(
      (one) => (name === null || wholeName(one, found) === name) && (type === null || one.type === type),
    );
    return listed('domain_records', fitting, asked);
  },
  [`POST ${domain}/records`]: (asked) => ({
    status: 201,
    body: { domain_record: addRecord(asked.account, domainOf(asked), asked.body) },
  }),
  [`GET ${record}`]: (asked) => ok({ domain_record: recordOf(asked) }),
  [`PATCH ${record}`]: revise,
  [`PUT ${record}`]: revise,
  [`DELETE ${record}`]: (asked) => {
    const { records } = domainOf(asked);
    records.splice(records.indexOf(recordOf(asked)), 1);
    return { status: 204 };
  },
};
