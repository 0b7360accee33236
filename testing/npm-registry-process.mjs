/**
 * A registry of npm packages in memory, with npm's published contract: a package is published by a PUT of its document
 * with the tarball in it, and read as a document of all versions. It demands `TOKEN`. Arguments: the ports it listens at.
 * `PUT /-/feel` with `{ "how": "well" | "down" | "mute" | "hang" | "other" }` makes it fail, not answer, hang in the middle
 * of a package, or send other contents. What waits goes on when it feels another way.
 */
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';

const documents = new Map();
const tarballs = new Map();
let feels = 'well';
let waiting = [];

const bodyOf = async (request) => {
  const parts = [];
  for await (const part of request) parts.push(part);
  return JSON.parse(Buffer.concat(parts).toString());
};

/** Merges what is published. The address of the tarball is the registry's own. */
const publish = (name, { versions, _attachments: attachments, 'dist-tags': tags }, host) => {
  const document = documents.get(name) ?? { name, 'dist-tags': {}, versions: {} };
  const [attached] = Object.values(attachments);
  const tarball = Buffer.from(attached.data, 'base64');
  for (const [version, manifest] of Object.entries(versions)) {
    if (document.versions[version]) return 409;
    const integrity = `sha512-${createHash('sha512').update(tarball).digest('base64')}`;
    if (manifest.dist.integrity !== integrity) return 400;
    const path = `/${name}/-/${name.replace(/^.*\//, '')}-${version}.tgz`;
    tarballs.set(path, tarball);
    document.versions[version] = {
      ...manifest,
      dist: { ...manifest.dist, tarball: `http://${host}${path}` },
    };
  }
  Object.assign(document['dist-tags'], tags);
  documents.set(name, document);
  return 201;
};

const answer = async (request, response) => {
  const end = (status, body) =>
    response
      .writeHead(status, { 'content-type': 'application/json' })
      .end(JSON.stringify(body ?? (status < 300 ? { ok: true } : { error: `status ${status}` })));
  const path = decodeURIComponent(new URL(request.url, 'http://registry').pathname);
  if (request.headers.authorization !== `Bearer ${process.env.TOKEN}`) return end(401);
  if (request.method === 'PUT' && path === '/-/feel') {
    feels = (await bodyOf(request)).how;
    const held = waiting;
    waiting = [];
    for (const goOn of held) goOn();
    return end(200);
  }
  if (feels === 'mute') return waiting.push(() => answer(request, response));
  if (feels === 'down') return end(503);
  if (request.method === 'PUT')
    return end(publish(path.slice(1), await bodyOf(request), request.headers.host));
  const tarball = tarballs.get(path);
  if (!tarball) return end(documents.has(path.slice(1)) ? 200 : 404, documents.get(path.slice(1)));
  response.writeHead(200, { 'content-type': 'application/octet-stream', 'content-length': tarball.length });
  if (feels === 'hang') {
    response.write(tarball.subarray(0, 10));
    return waiting.push(() => response.end(tarball.subarray(10)));
  }
  response.end(feels === 'other' ? Buffer.from(tarball).fill(0, 20) : tarball);
};

for (const port of process.argv.slice(2))
  createServer((request, response) => void answer(request, response)).listen(Number(port), '127.0.0.1');
