/** Two small databases after the shape of Chinook (music) and Pagila (films), with rows of our own, and questions about them. */
import type { Dialect } from '@quarterdeck/data-model';

/** In this order. */
export const TABLES = (dialect: Dialect): string[] => {
  const id = dialect === 'mysql' ? 'int not null auto_increment primary key' : 'serial primary key';
  const to = (table: string) => `int not null, foreign key (${table}_id) references ${table} (${table}_id)`;
  const maybe = (column: string, table: string) =>
    `${column} int, foreign key (${column}) references ${table} (${table}_id)`;
  return [
    ...(dialect === 'postgresql'
      ? ['drop schema if exists samples cascade', 'create schema samples', 'set search_path to samples']
      : []),
    `create table artist (artist_id ${id}, name varchar(120))`,
    `create table album (album_id ${id}, title varchar(160) not null, artist_id ${to('artist')})`,
    `create table genre (genre_id ${id}, name varchar(120))`,
    `create table track (track_id ${id}, name varchar(200) not null, composer varchar(220), milliseconds int not null, unit_price numeric(10,2) not null, ${maybe('album_id', 'album')}, ${maybe('genre_id', 'genre')})`,
    `create table playlist (playlist_id ${id}, name varchar(120))`,
    `create table playlist_track (playlist_id int not null, track_id int not null, primary key (playlist_id, track_id), foreign key (playlist_id) references playlist (playlist_id), foreign key (track_id) references track (track_id))`,
    `create table employee (employee_id ${id}, last_name varchar(20) not null, title varchar(30), ${maybe('reports_to', 'employee')})`,
    `create table customer (customer_id ${id}, first_name varchar(40) not null, company varchar(80), country varchar(40), ${maybe('support_rep_id', 'employee')})`,
    `create table invoice (invoice_id ${id}, billing_city varchar(40), total numeric(10,2) not null, customer_id ${to('customer')})`,
    `create table invoice_line (invoice_line_id ${id}, quantity int not null, invoice_id int not null, track_id int not null, foreign key (invoice_id) references invoice (invoice_id), foreign key (track_id) references track (track_id))`,
    `create table film (film_id ${id}, title varchar(255) not null, rating varchar(10), rental_duration smallint not null, rental_rate numeric(4,2) not null, length smallint)`,
    `create table actor (actor_id ${id}, first_name varchar(45) not null, last_name varchar(45) not null)`,
    `create table film_actor (actor_id int not null, film_id int not null, primary key (actor_id, film_id), foreign key (actor_id) references actor (actor_id), foreign key (film_id) references film (film_id))`,
    `create table inventory (inventory_id ${id}, store int not null, film_id ${to('film')})`,
    `create table rental (rental_id ${id}, renter varchar(45) not null, returned varchar(10), inventory_id ${to('inventory')})`,
  ];
};

export const ROWS = [
  `insert into artist (name) values ('AC/DC'), ('Accept'), ('Björk'), ('The 100% Band'), (null)`,
  `insert into album (title, artist_id) values ('Let There Be Rock', 1), ('High Voltage', 1), ('Balls to the Wall', 2), ('Debut', 3)`,
  `insert into genre (name) values ('Rock'), ('Metal'), ('Pop'), ('Opera')`,
  `insert into track (name, composer, milliseconds, unit_price, album_id, genre_id) values
     ('Go Down', 'Young', 331180, 0.99, 1, 1), ('Overdose', 'Young', 369319, 0.99, 1, 1), ('High Voltage', 'Scott', 254380, 1.29, 2, 1),
     ('Balls to the Wall', null, 342562, 0.99, 3, 2), ('Human Behaviour', 'Björk', 252000, 1.99, 4, 3), ('Venus', 'Björk', 280000, 1.99, 4, 3),
     ('Hidden_track', null, 1000, 0.00, null, null)`,
  `insert into playlist (name) values ('Music'), ('Heavy'), ('Empty')`,
  `insert into playlist_track (playlist_id, track_id) values (1, 1), (1, 3), (1, 5), (2, 2), (2, 4)`,
  `insert into employee (last_name, title, reports_to) values ('Adams', 'General Manager', null), ('Edwards', 'Sales Manager', 1), ('Peacock', 'Sales Support', 2), ('Park', 'Sales Support', 2)`,
  `insert into customer (first_name, company, country, support_rep_id) values ('Luis', 'Embraer', 'Brazil', 3), ('Leonie', null, 'Germany', 3), ('Frank', 'JetBrains', 'Czech Republic', 4), ('Helena', null, 'Germany', null)`,
  `insert into invoice (billing_city, total, customer_id) values ('Stuttgart', 1.98, 2), ('Prague', 5.94, 3), ('Stuttgart', 8.91, 2), (null, 13.86, 1)`,
  `insert into invoice_line (quantity, invoice_id, track_id) values (1, 1, 1), (2, 1, 5), (3, 2, 2), (1, 3, 3), (1, 4, 4), (5, 4, 6)`,
  `insert into film (title, rating, rental_duration, rental_rate, length) values ('ACADEMY DINOSAUR', 'PG', 6, 0.99, 86), ('ACE GOLDFINGER', 'G', 3, 4.99, 48), ('ADAPTATION HOLES', 'NC-17', 7, 2.99, 50), ('Zorro Ark', null, 3, 4.99, null)`,
  `insert into actor (first_name, last_name) values ('PENELOPE', 'GUINESS'), ('NICK', 'WAHLBERG'), ('ED', 'CHASE'), ('Nick', 'Stallone')`,
  `insert into film_actor (actor_id, film_id) values (1, 1), (2, 1), (2, 3), (3, 2), (4, 2)`,
  `insert into inventory (store, film_id) values (1, 1), (2, 1), (1, 2), (2, 3)`,
  `insert into rental (renter, returned, inventory_id) values ('MARY', '2026-01-03', 1), ('MARY', null, 3), ('LINDA', '2026-01-05', 2), ('LINDA', '2026-02-01', 4)`,
];

export interface Question {
  readonly asks: string;
  readonly block: object;
  readonly query?: object;
  /** Its columns: those of the row, then those of its references. */
  readonly sql: string;
}

/** A list with some attributes, by its key. */
const of = (entity: string, projection: string[], more: object = {}) => ({
  type: 'list',
  entity,
  projection,
  ...more,
});
const where = (asks: string, filters: object, condition: string): Question => ({
  asks,
  block: of('Track', ['trackId', 'name'], { filters }),
  sql: `select track_id, name from track where ${condition} order by track_id`,
});
const films = (asks: string, filters: object, condition: string): Question => ({
  asks,
  block: of('Film', ['title'], { filters }),
  sql: `select title from film where ${condition} order by film_id`,
});
const asked = (asks: string, block: object, sql: string, query: object = {}): Question => ({
  asks,
  block,
  sql,
  query,
});
const $ = (place: string, more: object = {}) => ({ $: `query.${place}`, ...more });

export const QUESTIONS: readonly Question[] = [
  // Rows that fit: PostgREST, "Horizontal filtering"; Directus, "Filter rules".
  where('equals a number', { trackId: 3 }, 'track_id = 3'),
  where('equals a text', { name: 'Venus' }, `name = 'Venus'`),
  where(
    'not equal counts the empty ones',
    { composer: { neq: 'Young' } },
    `composer is null or composer <> 'Young'`,
  ),
  where('less than', { milliseconds: { lt: 254380 } }, 'milliseconds < 254380'),
  where('less than or equal', { milliseconds: { lte: 254380 } }, 'milliseconds <= 254380'),
  where('greater than', { unitPrice: { gt: '1.29' } }, 'unit_price > 1.29'),
  where('greater than or equal', { unitPrice: { gte: '1.29' } }, 'unit_price >= 1.29'),
  where('between', { unitPrice: { gte: 1, lte: 1.5 } }, 'unit_price between 1 and 1.5'),
  where('one of a list', { trackId: { in: [1, 4, 99] } }, 'track_id in (1, 4, 99)'),
  where('none of a list', { trackId: { notIn: [1, 2, 3] } }, 'track_id not in (1, 2, 3)'),
  where('is null', { composer: { isNull: true } }, 'composer is null'),
  where('is not null', { composer: { isNull: false } }, 'composer is not null'),
  where('contains', { name: { contains: 'e' } }, `name like '%e%'`),
  where(
    'contains, whatever the case',
    { name: { contains: 'VOLT', caseSensitive: false } },
    `lower(name) like '%volt%'`,
  ),
  where('starts with', { name: { startsWith: 'H' } }, `name like 'H%'`),
  where('ends with', { name: { endsWith: 's' } }, `name like '%s'`),
  where('a text with a word of patterns', { name: { contains: '_' } }, `name like '%!_%' escape '!'`),
  where('and', { and: [{ genre: 1 }, { composer: 'Young' }] }, `genre_id = 1 and composer = 'Young'`),
  where('or', { or: [{ genre: 2 }, { unitPrice: 0 }] }, 'genre_id = 2 or unit_price = 0'),
  where('not', { not: { genre: 1 } }, 'genre_id is null or genre_id <> 1'),
  where(
    'or within and',
    { composer: 'Björk', or: [{ name: 'Venus' }, { milliseconds: 1 }] },
    `composer = 'Björk' and (name = 'Venus' or milliseconds = 1)`,
  ),
  where(
    'not within or',
    { or: [{ trackId: 1 }, { not: { composer: { isNull: true } } }] },
    'track_id = 1 or composer is not null',
  ),
  films('a decimal as a text', { rentalRate: '4.99' }, 'rental_rate = 4.99'),
  films('a small number', { rentalDuration: { gt: 3 } }, 'rental_duration > 3'),
  films('an empty number is no small one', { length: { lt: 60 } }, 'length < 60'),
  films(
    'equal, whatever the case',
    { title: { eq: 'zorro ark', caseSensitive: false } },
    `lower(title) = 'zorro ark'`,
  ),
  films('one of several texts', { rating: { in: ['G', 'PG'] } }, `rating in ('G', 'PG')`),
  // By what rows are related to: PostgREST, "Embedded filters"; Directus, "Relational filters".
  where(
    'of a related row',
    { album: { title: 'Debut' } },
    `album_id in (select album_id from album where title = 'Debut')`,
  ),
  where(
    'of a related row of a related row',
    { album: { artist: { name: 'AC/DC' } } },
    `album_id in (select album_id from album where artist_id = 1)`,
  ),
  where(
    'some that point here',
    { some: { 'InvoiceLine.track': { quantity: { gt: 2 } } } },
    'track_id in (select track_id from invoice_line where quantity > 2)',
  ),
  where(
    'none that point here',
    { none: { 'InvoiceLine.track': {} } },
    'track_id not in (select track_id from invoice_line)',
  ),
  where(
    'many to many',
    { some: { 'PlaylistTrack.track': { playlist: { name: 'Heavy' } } } },
    'track_id in (select track_id from playlist_track where playlist_id = 2)',
  ),
  films(
    'all that point here',
    { every: { 'Inventory.film': { store: 1 } } },
    'not exists (select 1 from inventory where inventory.film_id = film.film_id and store <> 1)',
  ),
  films(
    'through two lists',
    { some: { 'Inventory.film': { some: { 'Rental.inventory': { renter: 'LINDA' } } } } },
    `film_id in (select film_id from inventory join rental using (inventory_id) where renter = 'LINDA')`,
  ),
  films(
    'played by',
    { some: { 'FilmActor.film': { actor: { lastName: 'WAHLBERG' } } } },
    'film_id in (1, 3)',
  ),
  films('not rented', { none: { 'Inventory.film': { some: { 'Rental.inventory': {} } } } }, 'film_id = 4'),
  // Order and pages: PostgREST, "Ordering", "Limits and pagination"; Directus, "Sort", "Limit", "Offset".
  asked(
    'in order',
    of('Album', ['title'], { order: { by: 'title' } }),
    'select title from album order by title',
  ),
  asked(
    'in reverse',
    of('Album', ['albumId'], { order: { by: 'albumId', desc: true } }),
    'select album_id from album order by album_id desc',
  ),
  asked(
    'by two attributes',
    of('Track', ['trackId'], { order: [{ by: 'unitPrice', desc: true }, { by: 'milliseconds' }] }),
    'select track_id from track order by unit_price desc, milliseconds',
  ),
  asked(
    'the empty ones last',
    of('Film', ['filmId'], { order: { by: 'length' } }),
    'select film_id from film order by length is null, length',
  ),
  asked(
    'the first two',
    of('Track', ['trackId'], { take: 2 }),
    'select track_id from track order by track_id limit 2',
  ),
  asked(
    'the second page',
    of('Track', ['trackId'], { skip: 2, take: 2 }),
    'select track_id from track order by track_id limit 2 offset 2',
  ),
  asked(
    'a page that the caller chooses',
    of('Track', ['trackId'], { skip: $('skip'), take: $('take') }),
    'select track_id from track order by track_id limit 3 offset 4',
    { skip: '4', take: '3' },
  ),
  asked(
    'the dearest',
    of('Invoice', ['total'], { order: { by: 'total', desc: true }, take: 1 }),
    'select max(total) from invoice',
  ),
  // Which columns: PostgREST, "Vertical filtering"; Directus, "Fields".
  asked(
    'some columns',
    of('Employee', ['lastName', 'title']),
    'select last_name, title from employee order by employee_id',
  ),
  asked(
    'all columns',
    { type: 'list', entity: 'Artist' },
    'select artist_id, name from artist order by artist_id',
  ),
  asked(
    'one row',
    { type: 'detail', entity: 'Artist', filters: { artistId: 3 } },
    'select artist_id, name from artist where artist_id = 3',
  ),
  // Related rows in the answer: PostgREST, "Resource embedding"; Directus, "Fields" of relations and "Deep".
  asked(
    'with the row it points to',
    of('Album', ['title'], { references: { artist: { projection: ['name'] } } }),
    'select title, name from album join artist using (artist_id) order by album_id',
  ),
  asked(
    'with an empty relation',
    of('Track', ['name'], { references: { album: { projection: ['title'] } } }),
    'select name, title from track left join album using (album_id) order by track_id',
  ),
  asked(
    'two levels up',
    of('InvoiceLine', ['quantity'], {
      references: { track: { projection: ['name'], references: { genre: { projection: ['name'] } } } },
    }),
    'select l.quantity, t.name, g.name as genre from invoice_line l join track t using (track_id) join genre g using (genre_id) order by l.invoice_line_id',
  ),
  asked(
    'with those that point here',
    of('Artist', ['name'], {
      filters: { some: { 'Album.artist': {} } },
      references: { albums: { from: 'Album.artist', projection: ['title'] } },
    }),
    'select name, title from artist join album using (artist_id) order by artist_id, album_id',
  ),
  asked(
    'two levels down',
    of('Artist', ['name'], {
      filters: { artistId: 1 },
      references: {
        albums: {
          from: 'Album.artist',
          projection: ['title'],
          references: { tracks: { from: 'Track.album', projection: ['name'] } },
        },
      },
    }),
    'select artist.name, title, track.name as track from artist join album using (artist_id) join track using (album_id) where artist_id = 1 order by album_id, track_id',
  ),
  asked(
    'related rows that fit',
    of('Playlist', ['name'], {
      filters: { playlistId: 1 },
      references: {
        tracks: {
          from: 'PlaylistTrack.playlist',
          projection: ['track'],
          filters: { track: { composer: 'Björk' } },
        },
      },
    }),
    'select name, track_id from playlist join playlist_track using (playlist_id) where playlist_id = 1 and track_id = 5',
  ),
  asked(
    'related rows in order',
    of('Album', ['title'], {
      filters: { albumId: 4 },
      references: {
        tracks: { from: 'Track.album', projection: ['name'], order: { by: 'name', desc: true } },
      },
    }),
    'select title, name from album join track using (album_id) where album_id = 4 order by name desc',
  ),
  asked(
    'the longest of each',
    of('Album', ['title'], {
      references: {
        longest: {
          from: 'Track.album',
          projection: ['name'],
          order: { by: 'milliseconds', desc: true },
          take: 1,
        },
      },
    }),
    'select title, name from album join track t using (album_id) where milliseconds = (select max(milliseconds) from track where track.album_id = t.album_id) order by album_id',
  ),
  asked(
    'many to many in the answer',
    of('Film', ['title'], {
      filters: { filmId: { in: [1, 2, 3] } },
      references: {
        cast: {
          from: 'FilmActor.film',
          projection: ['actor'],
          references: { actor: { projection: ['firstName', 'lastName'] } },
        },
      },
    }),
    'select title, first_name, last_name from film join film_actor using (film_id) join actor using (actor_id) order by film_id, actor_id',
  ),
  asked(
    'itself: who reports to whom',
    of('Employee', ['lastName'], { references: { reportsTo: { projection: ['lastName'] } } }),
    'select e.last_name, m.last_name as manager from employee e left join employee m on m.employee_id = e.reports_to order by e.employee_id',
  ),
  asked(
    'itself: managers with their people',
    of('Employee', ['lastName'], {
      filters: { some: { 'Employee.reportsTo': {} } },
      references: { people: { from: 'Employee.reportsTo', projection: ['lastName'] } },
    }),
    'select m.last_name, e.last_name as person from employee m join employee e on e.reports_to = m.employee_id order by m.employee_id, e.employee_id',
  ),
  asked(
    'up and down at once',
    of('Customer', ['firstName'], {
      filters: { some: { 'Invoice.customer': {} } },
      references: {
        supportRep: { projection: ['lastName'] },
        invoices: { from: 'Invoice.customer', projection: ['total'] },
      },
    }),
    'select first_name, last_name, total from customer join employee on employee_id = support_rep_id join invoice using (customer_id) order by customer_id, invoice_id',
  ),
  // What a caller sends: PostgREST, "Operators" in a query; Directus, "Dynamic variables".
  asked(
    'a filter of the query',
    of('Customer', ['firstName'], { filters: { country: $('country') } }),
    `select first_name from customer where country = 'Germany' order by customer_id`,
    { country: 'Germany' },
  ),
  asked(
    'a filter that is left out',
    of('Customer', ['firstName'], { filters: { country: $('country', { optional: true }) } }),
    'select first_name from customer order by customer_id',
  ),
  asked(
    'a default',
    of('Customer', ['firstName'], { filters: { country: $('country', { default: 'Brazil' }) } }),
    `select first_name from customer where country = 'Brazil'`,
  ),
  asked(
    'a list of the query',
    of('Invoice', ['invoiceId'], { filters: { invoiceId: { in: $('ids') } } }),
    'select invoice_id from invoice where invoice_id in (2, 4) order by invoice_id',
    { ids: ['2', '4'] },
  ),
  asked(
    'a text with a percent sign',
    of('Artist', ['name'], { filters: { name: { contains: $('q') } } }),
    `select name from artist where name like '%100!%%' escape '!'`,
    { q: '100%' },
  ),
];
