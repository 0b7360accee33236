/**
 * Schema `log`. The single row of `log.head` orders all writers: `log.append` locks it, writes and commits in one call.
 * So positions are contiguous and become visible in order, and a reader that knows a position has seen everything up to
 * it.
 *
 * Storage format: `data` and `meta` are `json`, not `jsonb`, because the chain covers their exact text (decision 0010).
 */
export const schema = /* sql */ `
create schema if not exists log;

create table if not exists log.head (
  id int primary key default 1 check (id = 1),
  position bigint not null,
  hash bytea not null
);
insert into log.head (position, hash) values (0, decode(repeat('00', 32), 'hex')) on conflict do nothing;

create table if not exists log.events (
  position bigint primary key,
  stream text collate "C" not null,
  revision bigint not null,
  event_id uuid not null unique,
  type text collate "C" not null,
  data json not null,
  meta json not null,
  recorded_at timestamptz not null,
  hash bytea not null,
  unique (stream, revision)
);
-- Only where nothing was written: a head row that somebody deleted must not come back as an empty log.
insert into log.head (position, hash) select 0, decode(repeat('00', 32), 'hex')
where not exists (select from log.events) on conflict do nothing;

create or replace function log.refuse() returns trigger language plpgsql as $$
begin
  raise exception 'the event log is append-only' using errcode = 'insufficient_privilege';
end $$;
create or replace trigger append_only before update or delete or truncate on log.events
  for each statement execute function log.refuse();
create or replace trigger append_only before delete or truncate on log.head
  for each statement execute function log.refuse();
-- Only the functions below write, and the connection of a writer. An INSERT beside them is refused as a whole: a row
-- trigger that checks each hash would compute it a second time for every event (decision 0041).
create or replace trigger append_function_only before insert on log.events
  for each statement when (current_setting('log.appending', true) is distinct from 'on')
  execute function log.refuse();
create or replace trigger append_function_only before update on log.head
  for each statement when (current_setting('log.appending', true) is distinct from 'on')
  execute function log.refuse();

-- Position of the newest event. No reader goes past it. Without the head row a log would look empty, so that is an error.
create or replace function log.last() returns bigint language plpgsql stable parallel safe as $$
declare
  last bigint;
begin
  select position into last from log.head;
  if last is null then
    raise exception 'the head row of the event log is missing' using errcode = 'QD001';
  end if;
  return last;
end $$;

-- Where the log goes on, when it is not here: an address, or an empty text for a copy that is not finished.
alter table log.head add column if not exists moved text;
-- Instant of the newest event, if this version wrote it.
alter table log.head add column if not exists written_at timestamptz;
create or replace function log.refuse_moved(moved text) returns void language plpgsql as $$
begin
  raise exception '%', moved using errcode = 'QD002';
end $$;

create or replace function log.instant(at timestamptz) returns text language sql stable parallel safe as $$
  select to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
$$;

-- The same bytes as chainLine() in chain.ts.
create or replace function log.line(
  "position" bigint, stream text, revision bigint, event_id uuid, type text, recorded_at text, data text, meta text
) returns text language sql stable parallel safe as $$
  select '{"position":"' || position || '","stream":' || to_json(stream)::text || ',"revision":' || revision
    || ',"id":"' || event_id || '","type":' || to_json(type)::text || ',"recordedAt":"' || recorded_at
    || '","data":' || data || ',"meta":' || meta || '}'
$$;

-- Whether a writer may choose this instant: near this clock, and not before the newest event.
create or replace function log.is_instant(at timestamptz, written_at timestamptz)
returns boolean language sql volatile as $$
  select at >= coalesce(written_at, at)
    and at between clock_timestamp() - interval '50 ms' and clock_timestamp() + interval '50 ms'
$$;

-- A batch of appends in one call. Per append: the stream as an index into streams, what is expected of it (a revision,
-- or -1 for no stream), and how many of the events are its own; the other arrays go by event.
-- Answers, per append, the stream's last revision, or -2 minus it where it was not the expected one: a conflict
-- hinders no other append.
drop function if exists log.append;
create function log.append(
  streams text[], target int[], expected bigint[], sizes int[],
  stream text[], ids uuid[], types text[], data text[], meta text[],
  tell boolean default true,
  out start bigint, out recorded_at text, out outcomes text, out new_head bytea
) language plpgsql set log.appending = 'on' as $$
#variable_conflict use_column
declare
  last bigint;
  away text;
  now timestamptz;
  current bigint[];
  actual bigint;
  answers bigint[];
  event int := 0;
  nothing bigint[] := array_fill(null::bigint, array[cardinality(ids)]);
  positions bigint[] := nothing;
  revisions bigint[] := nothing;
  hashes bytea[] := array_fill(null::bytea, array[cardinality(ids)]);
begin
  select position, hash, moved into last, new_head, away from log.head for update;
  if away is not null then perform log.refuse_moved(away); end if;
  start := coalesce(last, log.last());
  now := date_trunc('milliseconds', clock_timestamp());
  recorded_at := log.instant(now);

  current := array(
    select coalesce((select max(revision) from log.events where stream = wanted.name and position <= last), -1)
    from unnest(streams) as wanted(name)
  );

  for i in 1..cardinality(target) loop
    actual := current[target[i]];
    if expected[i] = actual then
      for n in 1..sizes[i] loop
        event := event + 1;
        last := last + 1;
        actual := actual + 1;
        new_head := sha256(new_head || convert_to(
          log.line(last, stream[event], actual, ids[event], types[event], recorded_at, data[event], meta[event]),
          'UTF8'));
        positions[event] := last;
        revisions[event] := actual;
        hashes[event] := new_head;
      end loop;
      current[target[i]] := actual;
      answers[i] := actual;
    else
      event := event + sizes[i];
      answers[i] := -2 - actual;
    end if;
  end loop;
  outcomes := array_to_json(answers)::text;
  if last = start then
    return;
  end if;

  insert into log.events
  select position, stream, revision, id, type, data::json, meta::json, now, hash
  from unnest(positions, stream, revisions, ids, types, data, meta, hashes)
    as written(position, stream, revision, id, type, data, meta, hash)
  where position is not null;
  update log.head set position = last, hash = new_head, written_at = now;
  if tell then perform pg_notify('log_appended', last::text); end if;
end $$;

-- The same for one event alone, which is what a console mostly writes: without arrays it takes two thirds of the time.
drop function if exists log.append_one;
create function log.append_one(
  stream text, expected bigint, id uuid, type text, data text, meta text, tell boolean default true,
  out start bigint, out recorded_at text, out outcome bigint, out new_head bytea
) language plpgsql set log.appending = 'on' as $$
#variable_conflict use_variable
declare
  away text;
  now timestamptz;
begin
  select h.position, h.hash, h.moved into start, new_head, away from log.head as h for update;
  if away is not null and type <> 'LogArrived' then perform log.refuse_moved(away); end if;
  start := coalesce(start, log.last());
  now := date_trunc('milliseconds', clock_timestamp());
  recorded_at := log.instant(now);
  select coalesce(max(e.revision), -1) into outcome from log.events as e
  where e.stream = append_one.stream and e.position <= start;
  if expected <> outcome then
    outcome := -2 - outcome;
    return;
  end if;
  outcome := outcome + 1;
  new_head := sha256(new_head || convert_to(
    log.line(start + 1, stream, outcome, id, type, recorded_at, data, meta), 'UTF8'));
  insert into log.events values (start + 1, stream, outcome, id, type, data::json, meta::json, now, new_head);
  update log.head as h set position = start + 1, hash = new_head, written_at = now,
    moved = case type when 'LogMoved' then data::json ->> 'to' when 'LogArrived' then null else h.moved end;
  if tell then perform pg_notify('log_appended', (start + 1)::text); end if;
end $$;

-- Events of the same log from another place, behind position "after". Only into a log that is empty or not written here.
drop function if exists log.take_in;
create function log.take_in(
  after bigint, stream text[], revisions bigint[], ids uuid[], types text[], data text[], meta text[], instants text[]
) returns void language plpgsql set log.appending = 'on' as $$
#variable_conflict use_column
declare
  last bigint;
  last_hash bytea;
  away text;
  gap text;
  hashes bytea[] := array_fill(null::bytea, array[cardinality(ids)]);
begin
  select position, hash, moved into last, last_hash, away from log.head for update;
  if coalesce(last, log.last()) <> after or away is null and after > 0 then
    raise exception 'the event log was written to meanwhile, at position %', last using errcode = 'QD003';
  end if;
  select w.name into gap from (
    select name, min(revision) as first, max(revision) - min(revision) + 1 = count(*) as whole
    from unnest(stream, revisions) as taken(name, revision) group by name
  ) as w where not w.whole
    or w.first <> coalesce((select max(e.revision) from log.events as e where e.stream = w.name), -1) + 1 limit 1;
  if gap is not null then
    raise exception '%', gap using errcode = 'QD004';
  end if;
  for n in 1..cardinality(ids) loop
    last_hash := sha256(last_hash || convert_to(
      log.line(after + n, stream[n], revisions[n], ids[n], types[n], instants[n], data[n], meta[n]), 'UTF8'));
    hashes[n] := last_hash;
  end loop;
  insert into log.events
  select after + n, stream, revision, id, type, data::json, meta::json, instant::timestamptz, hash
  from unnest(stream, revisions, ids, types, data, meta, instants, hashes)
    with ordinality as taken(stream, revision, id, type, data, meta, instant, hash, n);
  update log.head set position = after + cardinality(ids), hash = last_hash, moved = '', written_at = null;
end $$;
`;
