import type { Finding } from '../runner/answers.ts';

/** What a message says and shows, in the words of a violation. */
const CONTENT = /[A-Z]\w* says \d+( with \w{6})?/g;
/** The first and the last words of a violation tell one failure from another. */
const WORDS = 3;

/** Whether a simpler scenario shows the failure that the first one was shrunk for. */
export function isSameFailure(first: Finding, findings: readonly Finding[]): boolean {
  const sought = signatureOf(first);
  return findings.some((finding) => signatureOf(finding) === sought);
}

/** Without names, ids, addresses and contents: they change while a scenario gets simpler. */
function signatureOf({ kind, words }: Finding): string {
  const plain = words
    .replace(CONTENT, '')
    .split(/[\s"():,]+/)
    .filter((word) => word !== '' && !/[\dA-Z/]/.test(word));
  return [kind, ...plain.slice(0, WORDS), ...plain.slice(-WORDS)].join(' ');
}
