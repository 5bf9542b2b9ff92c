import { addressOf, clockTime, outcomesIn, type Trace } from './trace.ts';

/** What happened, in the order of time: people, processes, each request, and each change of the service. */
export function tellStory(trace: Trace): string {
  const lines = [
    ...trace.notes.map(({ atMs, words }, place) => ({ atMs, rank: place, words })),
    ...trace.processes.flatMap(({ number, args, operator, beganMs, endedMs, end, cut, ...rest }) => [
      { atMs: beganMs, rank: 1000 + number, words: `[${number}] ${operator === 0 ? 'ana' : 'bo'}: herald ${args.join(' ')}` },
      {
        atMs: endedMs ?? beganMs,
        rank: 3_000_000 + number,
        words: `[${number}] ends: ${end ?? 'never'}${cut === null ? '' : ` (${cut})`}${outcomes(rest)}`,
      },
    ]),
    ...trace.requests
      .filter(({ wants, heard, operation }) => wants !== null || heard !== 200 || operation.includes('list'))
      .map(({ atMs, number, process, operation, wants, name, text, heard, heardMs }) => ({
        atMs,
        rank: 10_000 + 2 * number,
        words: `[${process}]   ${operation} ${wants === null ? '' : `${name} "${text}" → ${wants}`}: ${heard ?? 'not heard'}${
          heardMs !== null && heardMs > atMs ? ` after ${Math.round((heardMs - atMs) / 100) / 10} s` : ''
        }`,
      })),
    ...trace.changes.map(({ atMs, by, id, status, change, ...rest }) => ({
      atMs,
      rank: 10_001 + (typeof by === 'number' ? 2 * by : 0),
      words: `        service: ${addressOf(rest)} (${id}) ${change} → ${status}${typeof by === 'number' ? '' : `, by ${by}`}`,
    })),
  ];
  return lines
    .sort((left, right) => left.atMs - right.atMs || left.rank - right.rank)
    .map(({ atMs, words }) => `${clockTime(atMs)}  ${words}`)
    .join('\n');
}

function outcomes({ stdout, stderr }: { readonly stdout: string; readonly stderr: string }): string {
  const all = outcomesIn({ stdout });
  if (all.length === 0) return stderr === '' ? '' : ` ${oneLine(stderr)}`;
  return all
    .filter(({ outcome }) => outcome !== 'unchanged')
    .map(({ address, action, outcome, message }) => `\n${' '.repeat(24)}${action} of ${address.name}: ${outcome}. ${oneLine(message)}`)
    .join('');
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').slice(0, 300);
}
