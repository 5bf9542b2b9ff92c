import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * An object store that hashes what it gets and keeps nothing. It tells its port on stdout and ends when its stdin does.
 */
const server = createServer({ highWaterMark: 1_048_576 }, (request, response) => {
  const hash = createHash('sha256');
  let size = 0;
  request.on('data', (piece: Buffer) => {
    size += piece.byteLength;
    hash.update(piece);
  });
  request.on('end', () => {
    response.setHeader('etag', `"${hash.digest('hex')}"`);
    response.end(String(size));
  });
});
server.requestTimeout = 0;
server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port));
process.stdin.resume().on('end', () => process.exit(0));
