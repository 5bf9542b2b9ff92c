import { expect, it } from 'vitest';
import { networkProblem } from '../../src/domain/network-problem.ts';

const failed = (parts: object) => Object.assign(new Error('getaddrinfo'), parts);

it.each<[object, string]>([
  [{ code: 'ENOTFOUND', hostname: 'no.such.host' }, 'the host name no.such.host was not found (ENOTFOUND)'],
  [{ code: 'EAI_AGAIN' }, 'the host name of the address could not be looked up (EAI_AGAIN)'],
  [
    { code: 'ECONNREFUSED', address: '127.0.0.1', port: 9 },
    '127.0.0.1:9 refused the connection (ECONNREFUSED)',
  ],
  [{ code: 'ECONNREFUSED', address: '::1', port: 9 }, '[::1]:9 refused the connection (ECONNREFUSED)'],
  [{ code: 'ETIMEDOUT' }, 'the server did not answer (ETIMEDOUT)'],
  [{ code: 'ECONNRESET' }, 'the other side closed the connection (ECONNRESET)'],
  [{ code: 'CERT_HAS_EXPIRED' }, 'its certificate has expired (CERT_HAS_EXPIRED)'],
])('an error of the system is told in words: %o', (parts, words) => {
  expect(networkProblem(failed(parts))).toBe(words);
});

it('an error that is not known is left to its own message', () => {
  expect(networkProblem(new Error('odd'))).toBeNull();
  expect(networkProblem(failed({ code: 'constructor' }))).toBeNull();
  expect(networkProblem(failed({ code: 7 }))).toBeNull();
});
