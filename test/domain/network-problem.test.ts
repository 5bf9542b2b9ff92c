import { expect, it } from 'vitest';
import { networkProblem } from '../../src/domain/network-problem.ts';

const failed = (code: unknown, message = '') => Object.assign(new Error(message), { code });

it.each([
  [
    'ENOTFOUND',
    'getaddrinfo ENOTFOUND no.host',
    'the host name was not found (getaddrinfo ENOTFOUND no.host)',
  ],
  [
    'ECONNREFUSED',
    'connect ECONNREFUSED ::1:9',
    'the server refused the connection (connect ECONNREFUSED ::1:9)',
  ],
  ['ECONNRESET', '', 'the other side closed the connection (ECONNRESET)'],
])('%s is told in words, with the message of the system', (code, message, words) => {
  expect(networkProblem(failed(code, message))).toBe(words);
});

it.each([undefined, 'constructor', 7, 'CERT_HAS_EXPIRED'])('%j is left to its own message', (code) => {
  expect(networkProblem(failed(code))).toBeNull();
});
