import { addressOf, clockTime, documentIn, outcomesIn, type Trace } from './trace.ts';

/** What happened, in the order of time: people, processes, each request, and each change of the service. */
export function tellStory(trace: Trace): string {
  const lines = [
    ...trace.notes.map(({ atMs, after, words }) => ({ atMs, rank: after, words })),
    ...trace.processes.flatMap(
      ({ number, args, operator, beganMs, beganAfter, endedMs, endedAfter, end, cut, ...rest }) => [
        {
          atMs: beganMs,
          rank: beganAfter,
          words: `[${number}] ${operator === 0 ? 'ana' : 'bo'}: herald ${args.join(' ')}`,
        },
        {
          atMs: endedMs ?? beganMs,
          rank: endedAfter ?? beganAfter,
          words: `[${number}] ends: ${end ?? 'never'}${cut === null ? '' : ` (${cut})`}${outcomes(rest)}`,
        },
      ],
    ),
    ...trace.requests
      .filter(({ wants, heard, operation }) => wants !== null || heard !== 200 || operation.includes('list'))
      .map(({ atMs, number, process, operation, wants, name, text, heard, heardMs }) => ({
        atMs,
        rank: number - 0.2,
        words: `[${process}]   ${operation} ${wants === null ? '' : `${name} "${text}" → ${wants}`}: ${heard ?? 'not heard'}${
          heardMs !== null && heardMs > atMs ? ` after ${Math.round((heardMs - atMs) / 100) / 10} s` : ''
        }`,
      })),
    ...trace.changes.map(({ atMs, by, id, status, change, ...rest }) => ({
      atMs,
      rank: typeof by === 'number' ? by - 0.1 : 0,
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
  const { message } = documentIn(stdout) as { readonly message?: string };
  if (all.length === 0) return ` ${oneLine(message ?? stderr)}`;
  return all
    .filter(({ outcome }) => outcome !== 'unchanged')
    .map(
      ({ address, action, outcome, message }) =>
        `\n${' '.repeat(24)}${action} of ${address.name}: ${outcome}. ${oneLine(message)}`,
    )
    .join('');
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').slice(0, 300);
}
